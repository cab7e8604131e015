"""The reference of the Python interface: every public name, from its docstring."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

from _make.text import contents, fenced, page

#: Packages whose names are for users.
PACKAGES = ("tcsim", "tcsim.analysis", "tcsim.plots")


def chosen(package: str) -> dict[str, Any]:
    """Find the names that a package says it offers, by full name: those of its ``__all__``."""
    whole = importlib.import_module(package)
    return {f"{package}.{name}": getattr(whole, name) for name in getattr(whole, "__all__", ()) if name[0] != "_"}


def public(package: str) -> dict[str, Any]:
    """Find what a package offers, by full name: what it chose, else all that its modules hold and tcsim does not."""
    whole = importlib.import_module(package)
    elsewhere = {id(thing) for thing in chosen("tcsim").values()}
    modules = [importlib.import_module(one.name) for one in pkgutil.walk_packages(whole.__path__, f"{package}.")]
    return chosen(package) or {
        f"{module.__name__}.{name}": thing
        for module in modules
        for name, thing in vars(module).items()
        if name[0] != "_" and callable(thing) and getattr(thing, "__module__", "") == module.__name__
        if id(thing) not in elsewhere
    }


def pages() -> Iterator[tuple[str, str]]:
    """Make a page for each package: where it goes, and its text."""
    yield "reference/python/index.md", page("# Python", contents(PACKAGES))
    for package in PACKAGES:
        parts = [f"# {package}", _module(package)]
        parent = ""
        for name, thing in public(package).items():
            module, _, last = name.rpartition(".")
            if module not in (package, parent):
                parent = module
                parts += [f"## {module}", _module(module)]
            parts.append(_entry(name, last, thing, "##" if module == package else "###"))
        yield f"reference/python/{package}.md", page(*parts)


def _module(name: str) -> str:
    told = inspect.getdoc(importlib.import_module(name)) or ""
    return fenced("{eval-rst}", f".. py:module:: {name}\n\n{told}")


def _entry(name: str, last: str, thing: Any, hashes: str) -> str:
    kind = "class" if inspect.isclass(thing) else "function" if callable(thing) else "data"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        kind = "exception"
    members = "\n   :members:" if kind == "class" else ""
    return page(f"{hashes} {last}", fenced("{eval-rst}", f".. auto{kind}:: {name}{members}"))
