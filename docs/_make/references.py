"""References of docstrings, looked for as a reader would: what the name means where it stands."""

from pydoc import locate


def looked_for(app, env, node, contnode):
    """Find what a reference means where it stands, or as an ending; what is there, but not told, stays text."""
    if node.get("refdomain") != "py":
        return None
    kind, target, domain = node["reftype"], node["reftarget"], env.get_domain("py")

    def link(name, ending=False):
        node["refspecific"] = ending  # Sphinx: any name that ends so
        return domain.resolve_xref(env, node["refdoc"], app.builder, kind, name, node, contnode)

    names = [target, target.rpartition(".")[0]] if kind == "attr" else [target]  # attributes may be made in __init__
    places = [node.get("py:module"), node.get("py:class")]
    ways = [".".join(filter(None, [*places[:count], name])) for name in names for count in (2, 1, 0)]
    meant = next((thing for thing in map(locate, filter(None, ways)) if thing is not None), None)
    if meant is not None:
        told = [name for name in domain.objects if locate(name) is meant] if callable(meant) else []
        return (link(told[0]) if told and kind != "attr" else None) or contnode
    found = link(target, ending=True) if "." in target or kind not in ("attr", "meth") else None
    there = any(one.endswith(f".{name}") for one in domain.objects for name in names if name)
    return found or (contnode if there else None)
