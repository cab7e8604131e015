"""The one place that decides how kernels are compiled."""

from __future__ import annotations

from typing import Any

import numba


def kernel(function: Any) -> Any:
    """Compile a function that is called from Python: cached on disk, without the interpreter's lock."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


def leaf(function: Any) -> Any:
    """Compile a function that only kernels call: put into its callers, so it needs no entry of its own."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True}
    return numba.njit(**options)(function)
