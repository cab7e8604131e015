"""References of docstrings: by their last names, too, as a reader would look for them; a fault if nothing is there."""

from pydoc import locate


def looked_for(app, env, node, contnode):
    """Find what a reference names in another module; leave as plain text what is there, but not told by the site."""
    if node.get("refdomain") != "py":
        return None
    kind, target, here = node["reftype"], node["reftarget"], node["refdoc"]
    domain = env.get_domain("py")
    if "." in target or kind not in ("attr", "meth"):  # what a class has is of that class, not of any that has it, too
        node["refspecific"] = True  # Sphinx: any name that ends so
        found = domain.resolve_xref(env, here, app.builder, kind, target, node, contnode)
        if found is not None:
            return found
    names = [target, target.rpartition(".")[0]] if kind == "attr" else [target]  # attributes may be made in __init__
    places = [node.get("py:module"), node.get("py:class")]
    ways = [".".join(filter(None, [*places[:count], name])) for count in (2, 1, 0) for name in names]
    told = any(one.endswith(f".{name}") for one in domain.objects for name in names if name)
    return contnode if told or any(way and locate(way) is not None for way in ways) else None
