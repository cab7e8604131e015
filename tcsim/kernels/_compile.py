"""The one place that decides how kernels are compiled, and how they are kept on disk.

numba keeps a compiled kernel until the kernel's own file changes; here its name carries a digest of every file of this
folder, so that a change in any of them compiles it anew. Where no folder can be written to, a kernel is compiled for
the process alone.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numba

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


#: Of every file of this folder.
DIGEST = _digest()


def kernel(function: Any) -> Any:
    """Compile a function that is called from Python: cached on disk, without the interpreter's lock."""
    function.__qualname__ = f"{function.__name__}_{DIGEST}"
    try:
        compiled = numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # numba found no folder for its cache
        return numba.njit(**_OPTIONS)(function)
    _forgive_damage(compiled._cache)
    return compiled


def _forgive_damage(cache: Any) -> None:
    """Take a damaged file of the cache for a missing one: numba would fail on it for ever."""
    load = cache.load_overload

    def load_or_forget(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # whatever broken bytes lead to
            cache.flush()
            return None

    cache.load_overload = load_or_forget


def leaf(function: Any) -> Any:
    """Compile a function that only kernels call."""
    options = {**_OPTIONS, "no_cpython_wrapper": True}
    return numba.njit(**options)(function)


def part(function: Any) -> Any:
    """Take a function into the kernel that calls it: for one that is called once, compiling it twice takes longer."""
    options = {**_OPTIONS, "no_cpython_wrapper": True, "inline": "always"}
    return numba.njit(**options)(function)
