"""The one place that decides how kernels are compiled."""

from __future__ import annotations

from typing import Any

import numba

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: Any) -> Any:
    """Compile a function that is called from Python: cached on disk, without the interpreter's lock."""
    return numba.njit(cache=True, **_OPTIONS)(function)


def leaf(function: Any) -> Any:
    """Compile a function that only kernels call."""
    options = {**_OPTIONS, "no_cpython_wrapper": True}
    return numba.njit(**options)(function)
