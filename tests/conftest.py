"""Fixtures that several files of tests use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


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
