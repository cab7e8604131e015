"""Figures: functions of a tidy frame that return Axes, and the page they are drawn on.

A figure is drawn from the same numbers in three ways: as a page of its own (title, question, panels, caption) for PNG
and SVG files; bare for a web page, where title and caption are real text; and into Axes of a user's own figure, given
as ``ax=``, which are then returned. Its words stand beside it, in a function that computes every claim from the frame.

The functions are found here by name, and loaded when they are asked for: ``import tcsim.plots`` alone loads nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: Where each figure lives, in :mod:`tcsim.plots.figures`, and what it is called there.
_FIGURES = {
    "agreement": "agreement:agreement",
    "attacks": "attacks:attacks",
    "comparison": "comparison:comparison",
    "critical_worth": "critical_worth:critical_worth",
    "distribution": "distribution:distribution",
    "duel_curves": "duel:story",
    "duel_matrix": "duel:matrix",
    "edition_difference": "edition_difference:edition_difference",
    "firefight_ends": "skirmish:firefight_ends",
    "heat": "heat:heat",
    "iso_kill": "iso_kill:iso_kill",
    "kill_odds": "armour_blood:armour_blood",
    "marker_gain": "markers:marker_gain",
    "needed_curve": "needed_curve:needed_curve",
    "outcomes": "outcomes:outcomes",
    "pareto": "pareto:pareto",
    "policy_gain": "markers:policy_gain",
    "spending_by_armour": "spending_armour:spending_by_armour",
    "spending_map": "spending:spending_map",
    "survival": "survival:survival",
    "tornado": "tornado:tornado",
    "wins_by_turn": "skirmish:wins_by_turn",
}
#: What makes files of figures, in :mod:`tcsim.plots.page`.
_FILES = ("png", "svg")

__all__ = [*_FIGURES, *_FILES]


def __getattr__(name: str) -> Any:
    if name in _FIGURES:
        module, function = _FIGURES[name].split(":")
        return getattr(import_module(f"tcsim.plots.figures.{module}"), function)
    if name in _FILES:
        return getattr(import_module("tcsim.plots.page"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
