"""References of docstrings to what the reference does not tell: fine if it exists, a fault of the docstring if not."""

from pydoc import locate


def plain_if_there(app, env, node, contnode):
    """Let a reference that Sphinx cannot link be plain text, if it names something that is really there."""
    if node.get("refdomain") != "py":
        return None
    places = [node.get("py:module"), node.get("py:class")]
    ways = [".".join(filter(None, [*places[:count], node["reftarget"]])) for count in (2, 1, 0)]
    return contnode if any(locate(way) is not None for way in ways) else None
