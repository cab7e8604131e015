"""Forward to Victory: one charge roll of the phase may be rolled again; whose, and after which rolls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.moves.charge_roll import DICE, MOD, WITHIN, ChargeRoll, check_dice, mean, needed
from tcsim.aos.moves.chargers import MAX_CHARGERS, Chargers, Steps
from tcsim.aos.said import one_each
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.questions.kinds import Flag, Number, Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: What differences of chances and of worth are counted in.
_MEASURE = mark("charges or worth")


class Phase:
    """What was asked, settled: who charges, what each can reach, what the point is for.

    Parameters
    ----------
    asked : Asked
        What was asked.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.roll = ChargeRoll(asked["dice"], asked["mod"])
        self.point = bool(asked["reroll"] and asked["cp"] > 0)
        self.several_values = asked["near"] is not None
        self.steps: list[Steps] = [self._near_and_far()] if self.several_values else self._one_each()
        self.goal: str = asked["goal"] or ("value" if asked["worth"] is not None else "number")

    def _near_and_far(self) -> Steps:
        asked = self.asked
        worths = one_each(asked["v_far"], len(asked["far"]), "v_far", "targets")
        return tuple(sorted([(asked["near"], asked["v_near"]), *zip(asked["far"], worths, strict=True)]))

    def _one_each(self) -> list[Steps]:
        asked = self.asked
        needs = asked["need"]
        if asked["gap"] is not None:
            needs = tuple(needed(gap, asked["within"]) for gap in asked["gap"])
        if needs is None:
            return []
        units = asked["units"] or len(needs)
        needs = one_each(needs, units, "gap" if asked["gap"] is not None else "need", "chargers")
        worths = one_each(asked["worth"] or (Fraction(1),), units, "worth", "chargers")
        return [((need, worth),) for need, worth in zip(needs, worths, strict=True)]

    def chargers(self, goal: int | None, point: bool | None = None, alike: bool = False) -> Chargers:
        """Set up the backward induction.

        Parameters
        ----------
        goal : int or None
            So many charges; None: as much worth as possible.
        point : bool, optional
            Whether there is a reroll; default: as asked.
        alike : bool, optional
            Every charge counts 1, whatever it is worth.

        Returns
        -------
        Chargers
            To be asked.
        """
        steps = [((one[0][0], Fraction(1)),) for one in self.steps] if alike else self.steps
        return Chargers(self.roll, steps, goal, self.point if point is None else point)

    def goals(self) -> dict[str, Chargers]:
        """Give every goal, each with its own best way.

        Returns
        -------
        dict of str to Chargers
            Answer name to what answers it.
        """
        every = {"expected": self.chargers(None, alike=True)}
        if self.asked["worth"] is not None:
            every["value"] = self.chargers(None)
        numbers = range(1, len(self.steps) + 1)
        every |= family("at_least", {m: self.chargers(m, alike=True) for m in numbers})
        return every | {"all": every[f"at_least_{len(self.steps)}"]}

    @property
    def chosen(self) -> str:
        """The answer that the goal speaks of."""
        return {"number": "expected", "at_least": f"at_least_{self.asked['m']}"}.get(self.goal, self.goal)


_phase = once(Phase)


# --- exact ----------------------------------------------------------------------------------------------------


def _exact(asked: Asked) -> dict[str, Fraction]:
    phase = _phase(asked)
    if not phase.steps:
        return _by_need(phase)
    return _one(phase) if len(phase.steps) == 1 else _several(phase)


def _by_need(phase: Phase) -> dict[str, Fraction]:
    again = "all" if phase.point else ""
    made = {total: phase.roll.reaches(total, again) for total in phase.roll.counts()}
    gained = {total: made[total] - phase.roll.reaches(total) for total in made}
    return {**family("made", made), **family("gained", gained)}


def _rolls_again(phase: Phase) -> dict[int, bool]:
    """Total to whether it is rolled again, for one charger."""
    chargers = phase.chargers(None)
    again = chargers.choice(chargers.start)[1]
    return {total: again[sum(total >= need for need, _ in phase.steps[0])] for total in phase.roll.counts()}


def _one(phase: Phase) -> dict[str, Fraction]:
    takes = _rolls_again(phase)
    first = phase.roll.chances()
    spent = sum((p for total, p in first.items() if takes[total]), Fraction(0))
    final = {total: p * (not takes[total]) + spent * p for total, p in first.items()}
    reaches = {need: sum((p for total, p in final.items() if total >= need), Fraction(0)) for need, _ in phase.steps[0]}
    nearest = phase.steps[0][0][0]
    value, plain = phase.chargers(None).value, phase.chargers(None, point=False).value
    answers = {"charge": reaches[nearest], "without": phase.roll.reaches(nearest), "gain": value - plain}
    if phase.several_values:
        answers |= {"value": value, "value_without": plain, **family("reaches", reaches)}
    answers |= {"spent": spent, "largest": Fraction(_largest(takes)), "mean": mean(final)}
    return answers | family("roll", final)


def _largest(takes: Mapping[int, bool]) -> int:
    return max((total for total, again in takes.items() if again), default=0)


def _several(phase: Phase) -> dict[str, Fraction]:
    goals = phase.goals()
    answers = {name: chargers.value for name, chargers in goals.items()}
    chosen = goals[phase.chosen]
    without = Chargers(chosen.roll, chosen.steps, chosen.goal, False).value
    course = chosen.course()
    answers |= {"goal_without": without, "gain": chosen.value - without, "spent": sum(course.rerolls, Fraction(0))}
    answers |= family("rerolls", dict(enumerate(course.rerolls, 1)))
    return answers | family("place", dict(enumerate(course.places, 1)))


# --- rolled ---------------------------------------------------------------------------------------------------


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    phase = _phase(asked)
    units = range(max(1, len(phase.steps)))
    first, second = (
        np.stack([dice.total(phase.roll.pool, trials) + phase.roll.mod for _ in units], axis=1) for _ in range(2)
    )
    if not phase.steps:
        return _by_need_rolled(phase, first[:, 0], second[:, 0])
    return _one_rolled(phase, first, second) if len(phase.steps) == 1 else _several_rolled(phase, first, second)


def _by_need_rolled(phase: Phase, first: Any, second: Any) -> dict[str, Any]:
    needs = phase.roll.counts()
    made = {need: (first >= need) | (phase.point & (second >= need)) for need in needs}
    gained = {need: made[need].astype(int) - (first >= need) for need in needs}
    return {**family("made", made), **family("gained", gained)}


def _worth_of(steps: Steps, rolls: Any) -> Any:
    """What rolls of a charger are worth."""
    import numpy as np

    return np.max([float(worth) * (rolls >= need) for need, worth in steps], axis=0)


def _one_rolled(phase: Phase, first: Any, second: Any) -> dict[str, Any]:
    import numpy as np

    played = phase.chargers(None).play(first, second)
    final, steps, nearest = played.final[:, 0], phase.steps[0], phase.steps[0][0][0]
    worth, plain = _worth_of(steps, final), _worth_of(steps, first[:, 0])
    answers = {"charge": final >= nearest, "without": first[:, 0] >= nearest, "gain": worth - plain}
    if phase.several_values:
        answers |= {"value": worth, "value_without": plain}
        answers |= family("reaches", {need: final >= need for need, _ in steps})
    answers["spent"] = played.rerolls[:, 0]
    answers["largest"] = np.full(len(final), _largest(_rolls_again(phase)))
    answers["mean"] = final
    return answers | family("roll", {total: final == total for total in phase.roll.counts()})


def _several_rolled(phase: Phase, first: Any, second: Any) -> dict[str, Any]:
    goals = phase.goals()
    played = {name: chargers.play(first, second) for name, chargers in goals.items()}
    answers = {name: _counted(goals[name], one.final) for name, one in played.items()}
    chosen = played[phase.chosen]
    without = _counted(goals[phase.chosen], first)
    answers |= {
        "goal_without": without,
        "gain": answers[phase.chosen] * 1.0 - without,
        "spent": chosen.rerolls.any(axis=1),
    }
    answers |= family("rerolls", {i + 1: chosen.rerolls[:, i] for i in range(first.shape[1])})
    return answers | family("place", {i + 1: chosen.places[:, i] for i in range(first.shape[1])})


def _counted(chargers: Chargers, rolls: Any) -> Any:
    """Whether the goal is met by rolls, or what they are worth."""
    import numpy as np

    if chargers.goal is None:
        return np.sum([_worth_of(steps, rolls[:, i]) for i, steps in enumerate(chargers.steps)], axis=0)
    return np.sum([rolls[:, i] >= steps[0][0] for i, steps in enumerate(chargers.steps)], axis=0) >= chargers.goal


# --- the question ---------------------------------------------------------------------------------------------


def _check(asked: Asked) -> None:
    check_dice(asked)
    ways = [name for name in ("need", "gap", "near") if asked[name] is not None]
    if len(ways) > 1:
        raise InputError(f"it says once more what the charge needs, which {ways[0]} says already", ways[1])
    if asked["near"] is not None and asked["far"] is None:
        raise InputError("it goes with far: a target alone is said by need", "near")
    phase = _phase(asked)
    several = len(phase.steps) > 1
    for name, given in (("units", (asked["units"] or 1) > 1), ("worth", asked["worth"] is not None)):
        if given and not several:
            raise InputError("it goes with the needs, or gaps, of several chargers", name)
    if "goal" in asked.given and not several:
        raise InputError("it goes with several chargers", "goal")
    if phase.goal == "value" and asked["worth"] is None and several:
        raise InputError("it goes with worth, which is not given", "goal")
    if phase.goal == "at_least" and not 1 <= (asked["m"] or 0) <= len(phase.steps):
        raise InputError(f"goal=at_least needs it: a whole number from 1 to {len(phase.steps)}", "m")


def _labels(asked: Asked) -> dict[str, str]:
    steps = _phase(asked).steps
    return {str(i): tr("charger {n}, who needs {need}", n=i, need=one[0][0]) for i, one in enumerate(steps, 1)}


FORWARD = Question(
    name="forward_to_victory",
    editions=FOURTH,
    inputs=(
        Input("need", Several(Whole(0, 48), MAX_CHARGERS), mark("The charge roll that is needed, of each charger")),
        Input("gap", Several(Number(0, 48), MAX_CHARGERS), mark("Inches to the enemy, instead of need")),
        WITHIN,
        Input(
            "units", Whole(1, MAX_CHARGERS), mark("Chargers that need the same; left out: as many as there are needs")
        ),
        Input("worth", Several(Number(0, 1000), MAX_CHARGERS), mark("What the charges are worth, of each charger")),
        Input("near", Whole(0, 48), mark("Of a unit with several targets: the roll that reaches the near one")),
        Input("v_near", Number(0, 1000), mark("What the near target is worth"), default=1, goes_with=("near",)),
        Input(
            "far",
            Several(Whole(0, 48), 5),
            mark("The roll that reaches a target farther away, or several such"),
            goes_with=("near",),
        ),
        Input(
            "v_far",
            Several(Number(0, 1000), 5),
            mark("What that target is worth, or each of them"),
            default="1",
            goes_with=("far",),
        ),
        Input("cp", Whole(0, 20), mark("Command points that are left"), default=1),
        Input("reroll", Flag(), mark("The command may be used"), default=True),
        Input(
            "goal",
            Word(
                {
                    "number": mark("as many charges as possible on average"),
                    "all": mark("all of them"),
                    "at_least": mark("at least m of them"),
                    "value": mark("as much worth as possible on average"),
                }
            ),
            mark("What gain, spending and order are told for; left out: number, or value where worth is given"),
        ),
        Input("m", Whole(1, MAX_CHARGERS), mark("How many charges are to be made"), goes_with=("goal=at_least",)),
        MOD,
        DICE,
    ),
    answers=(
        Answer("charge", mark("the charge is made (of several targets: at the near one or farther)")),
        Answer("without", mark("the same without the command")),
        Answer("all", mark("all charges are made, if played for that")),
        Answer("expected", mark("charges made on average, if played for that"), mark("charges")),
        Answer("value", mark("the best worth on average"), mark("worth")),
        Answer("value_without", mark("worth on average without the command"), mark("worth")),
        Answer("gain", mark("what the command adds to the goal, on average"), _MEASURE),
        Answer("goal_without", mark("what the goal comes to without the command, on average"), _MEASURE),
        Answer("spent", mark("the command point is spent")),
        Answer("largest", mark("the largest roll that should be rolled again; 0 for none"), mark("inches")),
        Answer("mean", mark("the charge roll in the end, on average"), mark("inches")),
        Answer("at_least", mark("at least so many charges are made, if played for that"), family=True),
        Answer("rerolls", mark("the command goes to"), family=True, labels=_labels),
        Answer("place", mark("first, second, third to charge: on average"), mark("place"), family=True, labels=_labels),
        Answer("reaches", mark("the roll in the end is enough for the target at"), family=True),
        Answer("roll", mark("the charge roll in the end comes to"), family=True),
        Answer("made", mark("the charge is made, by the roll that it needs"), family=True),
        Answer("gained", mark("what the command adds to the chance of a charge that needs"), _MEASURE, family=True),
    ),
    exact=_exact,
    simulate=_simulate,
    check=_check,
    rule=mark(
        "After its charge roll is seen, all of it may be rolled again, once, for 1 command point; the second roll "
        "stands. A unit uses one command in a phase, and an army the same command once in a phase, so of several "
        "chargers one gets it. Who charges next, and whether to roll again, is chosen as well as the goal allows; of "
        "ways that are as good, the one that spends less."
    ),
    source="commands 1.2, 5.0; public core rules: the roll is made when the charge is declared",
    examples=("need=9", "near=7 far=10 v_far=3", "need=7+9+10 goal=at_least m=2"),
)
