"""What holds for every test: how often memory is searched for what nobody needs."""

from __future__ import annotations

import gc


def pytest_collection_finish() -> None:
    """Leave alone what stays until the end: looking through all tests and libraries again and again takes long.

    Where memory itself is in question, as that nothing grows with the trials, tests measure it in another process or
    by what is allocated; neither depends on how often rings are looked for.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
