"""Age of Sigmar, the naive way: casting, prayers, heroic actions, endless spells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from naive_questions import Die, Told

#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {}

#: System to its play: of an edition and inputs, a function of a die.
PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {}
