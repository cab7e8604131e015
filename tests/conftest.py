"""What several files of tests use, and how often memory is searched for what nobody needs."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest


def pytest_collection_finish() -> None:
    """Leave alone what stays until the end: looking through all tests and libraries again and again takes long.

    Where memory itself is in question, as that nothing grows with the trials, tests measure it in another process or
    by what is allocated; neither depends on how often rings are looked for.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture
def csv_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of sweeps that need no extra; the disk need not keep them, as no test here cuts the power."""
    from tcsim.sweep import prepare

    monkeypatch.setattr(prepare, "suffix", lambda: "csv")
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def empty_folder(csv_parts: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sweeps of a test begin."""
    monkeypatch.chdir(tmp_path)
