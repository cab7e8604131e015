"""tcsim: what happens, how often — exact and simulated odds for Trench Crusade.

Every number can be had twice: exactly (:func:`odds`) and by really rolling the dice (:func:`simulate`). Importing tcsim
loads neither numba, pandas nor matplotlib; each is loaded by what needs it.

tcsim is unofficial and not affiliated with the makers of Trench Crusade or Age of Sigmar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: Public name to the module it lives in.
_HOME = {
    "odds": "tcsim.engines.answer",
    "simulate": "tcsim.engines.answer",
    "activation": "tcsim.situations.activation",
    "duel": "tcsim.duels.answer",
    "simulate_duel": "tcsim.duels.answer",
    "spend": "tcsim.analysis.spending",
    "needed": "tcsim.analysis.needed.answer",
    "exchange": "tcsim.analysis.exchange.answer",
    "sensitivity": "tcsim.analysis.exchange.sensitivity",
    "iso_kill": "tcsim.analysis.exchange.sensitivity",
    "compare": "tcsim.analysis.compare.answer",
    "firefight": "tcsim.skirmish.firefight",
    "turn": "tcsim.skirmish.turn",
    "optimise": "tcsim.analysis.optimise.answer",
    "value": "tcsim.analysis.value.answer",
    "ask": "tcsim.situations",
    "new_sweep": "tcsim.sweep.run",
    "open_sweep": "tcsim.sweep.run",
    "Result": "tcsim.engines.result",
    "DuelResult": "tcsim.duels.result",
    "Sweep": "tcsim.sweep.run",
    "Pool": "tcsim.dice",
    "Scenario": "tcsim.scenario.model",
    "read_scenario": "tcsim.scenario.read",
    "resolve": "tcsim.scenario.resolve",
    "edition": "tcsim.rules",
    "editions": "tcsim.rules",
    "InputError": "tcsim.base.errors",
}

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from tcsim.analysis.compare.answer import compare as compare
    from tcsim.analysis.exchange.answer import exchange as exchange
    from tcsim.analysis.exchange.sensitivity import iso_kill as iso_kill
    from tcsim.analysis.exchange.sensitivity import sensitivity as sensitivity
    from tcsim.analysis.needed.answer import needed as needed
    from tcsim.analysis.optimise.answer import optimise as optimise
    from tcsim.analysis.spending import spend as spend
    from tcsim.analysis.value.answer import value as value
    from tcsim.base.errors import InputError as InputError
    from tcsim.dice import Pool as Pool
    from tcsim.duels.answer import duel as duel
    from tcsim.duels.answer import simulate_duel as simulate_duel
    from tcsim.duels.result import DuelResult as DuelResult
    from tcsim.engines.answer import odds as odds
    from tcsim.engines.answer import simulate as simulate
    from tcsim.engines.result import Result as Result
    from tcsim.rules import edition as edition
    from tcsim.rules import editions as editions
    from tcsim.scenario.model import Scenario as Scenario
    from tcsim.scenario.read import read_scenario as read_scenario
    from tcsim.scenario.resolve import resolve as resolve
    from tcsim.situations import ask as ask
    from tcsim.situations.activation import activation as activation
    from tcsim.skirmish.firefight import firefight as firefight
    from tcsim.skirmish.turn import turn as turn
    from tcsim.sweep.run import Sweep as Sweep
    from tcsim.sweep.run import new_sweep as new_sweep
    from tcsim.sweep.run import open_sweep as open_sweep


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "aos":  # the second ruleset is a room of its own
        return import_module("tcsim.aos")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'tcsim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
