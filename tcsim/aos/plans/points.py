"""Command points of a battle round, or of several."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.magic.heroic import LEADERSHIP, led_chance
from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Number, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Third edition: command points at the start of a battle round, and the rolls that gain one by Heroic Leadership.
BY_TURN = {"first": 1, "second": 2}
#: Whether the general stands in the first hero phase of the round, and in the second.
GENERAL = {"alive": ("alive", "alive"), "slain": ("slain", "slain"), "falls": ("alive", "slain")}
#: Fourth edition: command points at the start of a battle round.
EACH_ROUND = 4


# --- third edition --------------------------------------------------------------------------------------------


def _of_general(asked: Asked) -> int:
    return GENERAL[asked["general"]][: asked["hero_phases"]].count("alive")


def _generals(asked: Asked) -> tuple[str, ...]:
    """What has become of the general at each Heroic Leadership of the round."""
    return GENERAL[asked["general"]][: asked["leadership"]]


def _third(asked: Asked) -> dict[str, Fraction]:
    by_heroes = Spread.summed((Spread.chance(led_chance(general)), 1) for general in _generals(asked))
    points = by_heroes.then(Spread.fixed(BY_TURN[asked["turn"]] + _of_general(asked)))
    return {
        "points": points.mean(),
        "start": Fraction(BY_TURN[asked["turn"]]),
        "of_general": Fraction(_of_general(asked)),
        "of_heroes": by_heroes.mean(),
        **_exactly(points),
    }


def _exactly(points: Spread) -> dict[str, Fraction]:
    return family("exactly", {k: p for k, p in enumerate(points.pmf()) if p})


def _third_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    by_heroes = np.zeros(trials, np.int64)
    for general in _generals(asked):
        by_heroes += dice.d6(trials) >= LEADERSHIP[general]
    fixed = BY_TURN[asked["turn"]] + _of_general(asked)
    every = range(fixed, fixed + asked["leadership"] + 1)
    return {
        "points": fixed + by_heroes,
        "start": np.full(trials, BY_TURN[asked["turn"]]),
        "of_general": np.full(trials, _of_general(asked)),
        "of_heroes": by_heroes,
        **family("exactly", {points: fixed + by_heroes == points for points in every}),
    }


# --- fourth edition -------------------------------------------------------------------------------------------


def _sure(asked: Asked) -> int:
    """Command points that do not depend on who is the underdog."""
    return int(asked["rounds"] * (EACH_ROUND + asked["auxiliary"]) + asked["smaller_list"])


def _fourth(asked: Asked) -> dict[str, Fraction]:
    extra = Spread.chance(asked["underdog"]).times(asked["rounds"])
    points = extra.then(Spread.fixed(_sure(asked)))
    return {"points": points.mean(), "of_underdog": extra.mean(), **_exactly(points)}


def _fourth_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    rounds, chance = asked["rounds"], asked["underdog"]
    extra = (dice.generator.random((trials, rounds)) < float(chance)).sum(axis=1)
    every = [int(rounds * chance)] if chance in (0, 1) else range(rounds + 1)
    return {
        "points": _sure(asked) + extra,
        "of_underdog": extra,
        **family("exactly", {_sure(asked) + k: extra == k for k in every}),
    }


# --- the question ---------------------------------------------------------------------------------------------


def _exact(asked: Asked) -> dict[str, Fraction]:
    answers = _third(asked) if asked.edition in THIRD else _fourth(asked)
    if asked["unspent"] is not None:
        answers |= {"carried": Fraction(0), "lost": Fraction(asked["unspent"])}
    return answers


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    answers = (_third_rolled if asked.edition in THIRD else _fourth_rolled)(asked, dice, trials)
    if asked["unspent"] is not None:
        answers |= {"carried": np.zeros(trials), "lost": np.full(trials, asked["unspent"])}
    return answers


_POINTS = mark("command points")

COMMAND_POINTS = Question(
    name="command_points",
    inputs=(
        Input(
            "turn",
            Word({"first": mark("first turn of the round"), "second": mark("second turn of the round")}),
            mark("Whose turn comes first in the round"),
            default="first",
            editions=THIRD,
        ),
        Input(
            "hero_phases",
            Whole(0, 2),
            mark("Hero phases of the round in which a general on the table gives a point"),
            default=2,
            reason=mark("The source text does not say whose; in each player's by the public rule, 1 for its own only"),
            editions=THIRD,
        ),
        Input(
            "general",
            Word(
                {
                    "alive": mark("it stands in both hero phases"),
                    "slain": mark("it is slain"),
                    "falls": mark("it is slain between the first hero phase and the second"),
                }
            ),
            mark("The general"),
            default="alive",
            editions=THIRD,
        ),
        Input(
            "leadership",
            Whole(0, 2),
            mark("Hero phases, from the first on, in which a hero takes the heroic action Heroic Leadership"),
            default=0,
            editions=THIRD,
        ),
        Input(
            "underdog",
            Number(0, 1),
            mark("Chance of being the underdog in a round: 1 for certainly"),
            default=0,
            reason=mark("The source text does not say how the underdog is found"),
            editions=FOURTH,
        ),
        Input(
            "auxiliary",
            Flag(),
            mark("Your army has fewer auxiliary units, which gives a point in every round (a public rule)"),
            default=False,
            editions=FOURTH,
        ),
        Input(
            "smaller_list",
            Flag(),
            mark("Your list is 50 points or more under, which gives a point in the first round (a public rule)"),
            default=False,
            editions=FOURTH,
        ),
        Input("rounds", Whole(1, 10), mark("Battle rounds, from the first on"), default=1, editions=FOURTH),
        Input("unspent", Whole(0, 50), mark("Command points that are unspent at the end of a round")),
    ),
    answers=(
        Answer("points", mark("command points, on average"), _POINTS),
        Answer("start", mark("of these at the start of the round"), _POINTS),
        Answer("of_general", mark("of these by the general"), _POINTS),
        Answer("of_heroes", mark("of these by Heroic Leadership, on average"), _POINTS),
        Answer("of_underdog", mark("of these as the underdog, on average"), _POINTS),
        Answer("carried", mark("carried into the next round"), _POINTS),
        Answer("lost", mark("lost at the end of the round"), _POINTS),
        Answer("exactly", mark("exactly so many command points"), family=True),
    ),
    exact=_exact,
    simulate=_simulate,
    rule={
        **dict.fromkeys(
            THIRD,
            mark(
                "At the start of a battle round the player with the first turn gets 1 command point, the other 2; each "
                "gets 1 more at the start of a hero phase while the general is on the table. Heroic Leadership gives "
                "that hero 1 on a 4 or more, +2 to the roll when the general is slain. What is unspent is lost at the "
                "end of the round."
            ),
        ),
        **dict.fromkeys(
            FOURTH,
            mark(
                "At the start of a battle round each player gets 4 command points, the underdog 1 more. At the end of "
                "the round what is unspent is lost."
            ),
        ),
    },
    source={
        **dict.fromkeys(THIRD, "hero phase 1-1, 1-2; loss of unspent points: public core rules"),
        **dict.fromkeys(FOURTH, "commands 1.1; auxiliary units and smaller lists: public rules of army composition"),
    },
    examples=("underdog=1", "unspent=1"),
)

QUESTIONS = (COMMAND_POINTS,)
