"""Morale: does a warband that has suffered hold, and what does a Shaken one get done."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.situations.action import ACTION_DICE, chance, succeeds
from tcsim.situations.setup import roll_off

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Where a LEADER still helps: in 1.6.3 unless out of action, in 1.0.2 unless Down or out of action.
LEADER_HELPS = {"1.6.3": ("standing", "down"), "1.0.2": ("standing",)}
#: Inputs that say how large the warbands are, by the reading of smaller.
_SIZES = {"began": ("models", "enemy_models"), "left": ("left", "enemy_left")}
_LEADER = {"standing": mark("it stands"), "down": mark("it is Down"), "out": mark("it is out of action")}


def has_suffered(models: int | None, down_or_out: int | None) -> bool:
    """Say whether a warband has to make a morale test: half its models or more are Down or out of action.

    Parameters
    ----------
    models, down_or_out : int or None
        How many it began with, and how many of them are Down or out; None: it has to.

    Returns
    -------
    bool
        Whether it has to.

    Examples
    --------
    >>> has_suffered(5, 3), has_suffered(5, 2), has_suffered(10, 5)
    (True, False, True)
    """
    return models is None or down_or_out is None or 2 * down_or_out >= models


def net_dice(asked: Asked, side: str = "") -> int:
    """Net +/-DICE of the test of a side.

    Parameters
    ----------
    asked : Asked
        What is asked.
    side : str, optional
        ``enemy_`` for the enemy's.

    Returns
    -------
    int
        With +1 for a LEADER that helps.
    """
    dice: int = asked[f"{side}action_dice"]
    return dice + (asked[f"{side}leader"] in LEADER_HELPS[asked.edition])


def _tests(asked: Asked, side: str = "") -> bool:
    return has_suffered(asked[f"{side}models"], asked[f"{side}down_or_out"])


def _own_first(asked: Asked) -> bool | None:
    """Whether your warband tests first; None where that is rolled off."""
    if asked["who"] is not None:
        return bool(asked["who"] == "first")
    own, enemy = _sizes(asked)
    return None if own == enemy else bool(own < enemy)


def _sizes(asked: Asked) -> tuple[Any, Any]:
    """How large both warbands are where the smaller one tests first; None where it is not given."""
    own, enemy = _SIZES[asked["smaller"]]
    return asked[own], asked[enemy]


# --- one warband ----------------------------------------------------------------------------------------------


def _one(asked: Asked) -> dict[str, Fraction]:
    fail = 1 - chance(asked.edition, net_dice(asked))
    suffered, flight = _tests(asked), asked["failure"] == "flight"
    again = suffered or asked["shaken_tests"] == "always"
    steady, shaken = Fraction(not asked["shaken"]), Fraction(asked["shaken"])
    fled, by_turn = Fraction(0), {}
    for turn in range(1, asked["turns"] + 1):
        fails, fails_again = steady * fail * suffered, shaken * fail * again
        fled += fails_again + (fails if flight else 0)
        steady, shaken = steady - fails + shaken - fails_again, Fraction(0) if flight else fails
        by_turn[turn] = fled
    answers = {"flees": fled, "shaken": shaken, "steady": steady}
    answers["tests"] = Fraction(again if asked["shaken"] else suffered)
    return answers | (family("fled", by_turn) if asked["turns"] > 1 else {})


def _one_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    suffered = np.full(trials, _tests(asked))
    shaken, fled = np.full(trials, asked["shaken"]), np.zeros(trials, bool)
    tested, by_turn = None, {}
    for turn in range(1, asked["turns"] + 1):
        has_to = ~fled & (suffered | (shaken & (asked["shaken_tests"] == "always")))
        tested = has_to if tested is None else tested
        fails = has_to & ~succeeds(asked.edition, net_dice(asked), dice, trials)
        flees = fails & (shaken | (asked["failure"] == "flight"))
        fled, shaken = fled | flees, fails & ~flees
        by_turn[turn] = fled
    answers = {"flees": fled, "shaken": shaken, "steady": ~fled & ~shaken, "tests": tested}
    return answers | (family("fled", by_turn) if asked["turns"] > 1 else {})


# --- both -----------------------------------------------------------------------------------------------------


def _both(asked: Asked) -> dict[str, Fraction]:
    fail = (1 - chance(asked.edition, net_dice(asked))) * _tests(asked)
    enemy_fail = (1 - chance(asked.edition, net_dice(asked, "enemy_"))) * _tests(asked, "enemy_")
    if asked["failure"] == "shaken":
        both = fail * enemy_fail
        return {
            "shaken": fail,
            "enemy_shaken": enemy_fail,
            "both_shaken": both,
            "neither": 1 - fail - enemy_fail + both,
        }
    first = _own_first(asked)
    share = Fraction(1, 2) if first is None else Fraction(first)  # how often your warband is the first to test
    flees = share * fail + (1 - share) * (1 - enemy_fail) * fail
    enemy = (1 - share) * enemy_fail + share * (1 - fail) * enemy_fail
    return {"flees": flees, "enemy_flees": enemy, "neither": 1 - flees - enemy}


def _both_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    fails = ~succeeds(asked.edition, net_dice(asked), dice, trials) & _tests(asked)
    enemy = ~succeeds(asked.edition, net_dice(asked, "enemy_"), dice, trials) & _tests(asked, "enemy_")
    neither = ~fails & ~enemy
    if asked["failure"] == "shaken":
        return {"shaken": fails, "enemy_shaken": enemy, "both_shaken": fails & enemy, "neither": neither}
    order = _own_first(asked)
    first = roll_off(dice, trials)[0] if order is None else np.full(trials, order)
    return {"flees": fails & (first | ~enemy), "enemy_flees": enemy & (~first | ~fails), "neither": neither}


def _exact(asked: Asked) -> dict[str, Fraction]:
    return _one(asked) if asked["tests"] == "one" else _both(asked)


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    return (_one_rolled if asked["tests"] == "one" else _both_rolled)(asked, dice, trials)


_ONE, _BOTH = ("tests=one",), ("tests=both",)


def _check(asked: Asked) -> None:
    for side in ("", "enemy_"):
        models, down = asked[f"{side}models"], asked[f"{side}down_or_out"]
        if models is not None and down is not None and down > models:
            raise InputError(f"{down} are given, of {models} models", f"{side}down_or_out")
        if down is not None and models is None:
            raise InputError(f"it needs {side}models beside it", f"{side}down_or_out")
    if asked["tests"] == "one":
        return
    for side in ("", "enemy_"):
        began, gone, left = (asked[f"{side}{name}"] for name in ("models", "down_or_out", "left"))
        if left is not None and began is not None and not began - (began if gone is None else gone) <= left <= began:
            raise InputError(f"{left} are given, of {began} models", f"{side}left")
    own, enemy = _sizes(asked)
    if asked["failure"] == "flight" and asked["who"] is None and (own is None or enemy is None):
        both = " and ".join(_SIZES[asked["smaller"]])
        raise InputError(f"it is needed: first or second, or else {both}, which settle it", "who")
    if asked["who"] is not None and None not in (own, enemy) and _by_size(own, enemy) not in (None, asked["who"]):
        raise InputError(f"the smaller warband tests first, and you have {own} models against {enemy}", "who")


def _by_size(own: int, enemy: int) -> str | None:
    return None if own == enemy else "first" if own < enemy else "second"


MORALE = Question(
    name="morale",
    inputs=(
        ACTION_DICE,
        Input("models", Whole(1, 100), mark("Models your warband began with")),
        Input("down_or_out", Whole(0, 100), mark("How many of them are Down or out; left out: half or more")),
        Input("leader", Word(_LEADER), mark("Your LEADER, who gives +1 DICE; left out: none")),
        Input(
            "turns", Whole(1, 20), mark("How many turns end like this, one after the other"), default=1, goes_with=_ONE
        ),
        Input("shaken", Flag(), mark("Your warband is Shaken now"), default=False, goes_with=_ONE),
        Input(
            "failure",
            Word({"flight": mark("the warband flees, the game ends"), "shaken": mark("it is Shaken, then routs")}),
            mark("What a failed test does"),
            default={"1.6.3": "flight", "1.0.2": "shaken"},
            reason=mark("Shaken is optional in 1.6.3, and the rule of 1.0.2"),
        ),
        Input(
            "shaken_tests",
            Word({"always": mark("whatever its losses"), "half": mark("with half or more Down or out")}),
            mark("When a Shaken warband tests again"),
            default={"1.6.3": "half", "1.0.2": "always"},
            reason=mark("1.0.2 says regardless, 1.6.3 goes on as usual"),
            goes_with=_ONE,
        ),
        Input(
            "tests",
            Word({"one": mark("your warband"), "both": mark("both warbands")}),
            mark("Who has to test"),
            default="one",
        ),
        Input(
            "who",
            Word({"first": "", "second": ""}),
            mark("Whether your warband tests first; left out: by size"),
            goes_with=_BOTH,
        ),
        Input(
            "smaller",
            Word({"began": mark("which began with fewer models"), "left": mark("which has fewer models left")}),
            mark("Which warband is the smaller one, and tests first"),
            default="began",
            reason=mark("The same rule counts those out of action among the models of a warband"),
            goes_with=_BOTH,
        ),
        Input("left", Whole(1, 100), mark("Your models that are not out of action"), goes_with=("smaller=left",)),
        Input(
            "enemy_left",
            Whole(1, 100),
            mark("Models of the enemy that are not out of action"),
            goes_with=("smaller=left",),
        ),
        Input("enemy_action_dice", Whole(-40, 40), mark("Net +/-DICE of the enemy's test"), default=0, goes_with=_BOTH),
        Input("enemy_models", Whole(1, 100), mark("Models the enemy's warband began with"), goes_with=_BOTH),
        Input(
            "enemy_down_or_out",
            Whole(0, 100),
            mark("How many of those are Down or out; left out: half or more"),
            goes_with=_BOTH,
        ),
        Input("enemy_leader", Word(_LEADER), mark("The enemy's LEADER; left out: none"), goes_with=_BOTH),
    ),
    answers=(
        Answer("flees", mark("your warband has fled or routed by the end of the last turn")),
        Answer("enemy_flees", mark("the enemy's warband flees")),
        Answer("shaken", mark("your warband is Shaken at the end of the last turn")),
        Answer("enemy_shaken", mark("the enemy's warband is Shaken")),
        Answer("both_shaken", mark("both are Shaken")),
        Answer("steady", mark("your warband is neither at the end of the last turn")),
        Answer("neither", mark("both hold")),
        Answer("tests", mark("your warband has to test at the end of this turn")),
        Answer("fled", mark("it has fled or routed by the end of turn"), family=True),
    ),
    exact=_exact,
    simulate=_simulate,
    check=_check,
    rule={
        "1.6.3": mark(
            "At the end of a turn with half its models or more Down or out a warband makes an action roll, +1 DICE "
            "with a LEADER that is not out; a failure ends the game, or, by the optional rule, makes it Shaken. The "
            "smaller warband tests first, equal ones roll off; where the game has ended, the other does not test."
        ),
        "1.0.2": mark(
            "At the end of a turn with half its models or more (rounded up) Down or out a warband makes a success "
            "roll, +1 DICE with a LEADER that is neither Down nor out. A failure makes it Shaken; a Shaken warband "
            "tests again at the end of the next turn, and a second failure is a rout."
        ),
    },
    source={"1.6.3": "text: Morale, Shaken; json: LEADER; faq: tie", "1.0.2": "book: Morale Phase, LEADER"},
    examples=(
        "action_dice=1 models=10 down_or_out=5",
        "models=8 leader=standing tests=both enemy_models=8",
        "turns=3 failure=shaken",
    ),
)


# --- Shaken ---------------------------------------------------------------------------------------------------


def _shaken_rolls(asked: Asked) -> int:
    """Risky rolls before and among the actions of a Shaken model: those of automatic actions, if they roll."""
    return asked["moves"] if asked["automatic"] == "roll" else 0


def _shaken(asked: Asked) -> dict[str, Fraction]:
    p = chance(asked.edition, asked["action_dice"])
    moves, rolls = asked["moves"], _shaken_rolls(asked)
    done = {}
    for number in range(1, moves + asked["actions"] + 1):
        asks = min(number, rolls) + max(number - moves, 0)  # how many rolls have to succeed for so many to be done
        done[number] = p**asks
    return {
        "all": done[moves + asked["actions"]],
        "expected": sum(done.values(), Fraction(0)),
        "usually": moves + p * asked["actions"],
        **family("done", done),
    }


def _shaken_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    going, usually, done = np.ones(trials, bool), np.zeros(trials, int), {}
    for number in range(1, asked["moves"] + asked["actions"] + 1):
        is_move = number <= asked["moves"]
        works = succeeds(asked.edition, asked["action_dice"], dice, trials)
        usually = usually + (1 if is_move else works)
        if not is_move or asked["automatic"] == "roll":
            going = going & works
        done[number] = going
    total = sum(one.astype(int) for one in done.values())
    return {"all": going, "expected": total, "usually": usually, **family("done", done)}


SHAKEN = Question(
    name="shaken",
    inputs=(
        Input("moves", Whole(0, 5), mark("Automatic actions, as Move, that come first"), default=1),
        Input("actions", Whole(1, 10), mark("Actions with an action roll that come after them"), default=1),
        ACTION_DICE,
        Input(
            "automatic",
            Word({"roll": mark("they are risky, too"), "free": mark("they need no roll")}),
            mark("What automatic actions ask of a Shaken model"),
            default={"1.6.3": "roll", "1.0.2": "free"},
            reason=mark("The 1.6.3 text makes every ACTION risky, Move too, its faq only what rolls anyway, as 1.0.2"),
        ),
    ),
    answers=(
        Answer("all", mark("a Shaken model gets all its actions done")),
        Answer("expected", mark("actions it gets done, on average"), mark("actions")),
        Answer("usually", mark("actions it would get done if none of them were risky"), mark("actions")),
        Answer("done", mark("it gets at least so many done"), family=True),
    ),
    exact=_shaken,
    simulate=_shaken_rolled,
    rule={
        "1.6.3": mark("Models of a Shaken warband may not charge for a turn, and each of their ACTIONS is risky."),
        "1.0.2": mark("All success rolls of models of a Shaken warband are risky."),
    },
    source={"1.6.3": "text: Shaken (optional); faq", "1.0.2": "book: Shaken"},
    examples=("moves=1 actions=1", "moves=1 actions=2 action_dice=1 automatic=free"),
)

QUESTIONS = (MORALE, SHAKEN)
