"""Charging: how far a model gets, and whether that is as far as its target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import NO_DICE, Flag, Number, Word
from tcsim.questions.kinds import Dice as DiceKind
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.situations.action import ACTION_DICE, chance, succeeds
from tcsim.situations.moving import DIFFICULT, MOVE

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Distances nearer to each other than this (inches) are the same to rolled answers, which reckon in floating point.
NEAR = 1e-9


def charge_die(asked: Asked) -> Pool | None:
    """Settle what a charge adds to Movement.

    Parameters
    ----------
    asked : Asked
        ``bonus``, ``heavy``, ``heavy_counts``, ``strong``, ``machine_armour``.

    Returns
    -------
    Pool or None
        The dice; None for none.
    """
    pool: Pool | None = None if asked["bonus"] == NO_DICE else asked["bonus"]
    if asked["machine_armour"]:
        return replace(pool, sides=3) if pool is not None else None
    lost = asked["heavy"] == "armour" or (asked["heavy"] == "item" and asked["heavy_counts"] == "any")
    ignored = asked["strong"] and asked.edition != "1.6.3"
    return None if lost and not ignored else pool


def _outcomes(pool: Pool | None) -> Iterator[tuple[int, Fraction]]:
    if pool is None:
        yield 0, Fraction(1)
        return
    for total, count in pool.counts().items():
        yield total, Fraction(count, pool.denominator)


def _reach(asked: Asked) -> dict[Fraction, Fraction]:
    """Inches to their chance, once a charge is allowed to begin."""
    move, die_share = Fraction(asked["move"]), Fraction(1)
    if asked["stood_up"]:
        move, die_share = move / 2, Fraction(1, 2) if asked["die_halved"] else die_share
    found: dict[Fraction, Fraction] = {}
    for total, p in _outcomes(charge_die(asked)):
        inches = min(max(move + total * die_share, Fraction(0)), asked["cap"])
        found[inches] = found.get(inches, Fraction(0)) + p
    return found


def _risky_rolls(asked: Asked) -> int:
    return bool(asked["out_of_sight"]) + bool(asked["diving"])


def _exact(asked: Asked) -> dict[str, Fraction]:
    begins = Fraction(0) if asked["shaken"] else chance(asked.edition, asked["action_dice"]) ** _risky_rolls(asked)
    reach = _reach(asked)
    answers = {}
    if asked["distance"] is not None:
        rest = {inches - asked["difficult"]: p for inches, p in reach.items()}
        reaches = sum(p * q for x, p in rest.items() for far, q in _far(asked) if x >= 0 and x * x >= far)
        answers["reaches"] = begins * reaches
    answers["mean"] = begins * sum(inches * p for inches, p in reach.items())
    at_least = {inches: begins * sum(p for other, p in reach.items() if other >= inches) for inches in sorted(reach)}
    return answers | family("reach", at_least)


def _far(asked: Asked) -> Iterator[tuple[Fraction, Fraction]]:
    """Square of the distance to where the target is when the charge is rolled, and its chance."""
    distance = asked["distance"]
    if not asked["skirmisher"] or asked["step"] == "stay":
        yield distance * distance, Fraction(1)
        return
    for step in (1, 2, 3):
        away = (distance + step) ** 2 if asked["step"] == "back" else distance * distance + step * step
        yield away, Fraction(1, 3)


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    begins = np.full(trials, not asked["shaken"])
    for _ in range(_risky_rolls(asked)):
        begins &= succeeds(asked.edition, asked["action_dice"], dice, trials)
    half = 0.5 if asked["stood_up"] else 1.0
    die = dice.total(charge_die(asked), trials) * (half if asked["die_halved"] else 1.0)
    inches = np.clip(float(asked["move"]) * half + die, 0, float(asked["cap"]))
    answers: dict[str, Any] = {}
    if asked["distance"] is not None:
        far = np.full(trials, float(asked["distance"]))
        if asked["skirmisher"] and asked["step"] != "stay":
            step = dice.d3(trials)
            far = far + step if asked["step"] == "back" else np.hypot(far, step)
        answers["reaches"] = begins & (inches >= far + float(asked["difficult"]) - NEAR)
    answers["mean"] = inches * begins
    return answers | family("reach", {far: begins & (inches >= float(far) - NEAR) for far in sorted(_reach(asked))})


QUESTIONS = (
    Question(
        name="charge",
        inputs=(
            MOVE,
            Input(
                "distance",
                Number(0, 48),
                mark("How far it has to go to its target; left out: how far it gets"),
            ),
            DIFFICULT,
            Input(
                "bonus",
                DiceKind(),
                mark("Dice added to Movement; 2D6kh1 for abilities that roll two and keep the highest"),
                default="D6",
            ),
            Input(
                "heavy",
                Word({"armour": mark("it wears HEAVY armour"), "item": mark("it has another HEAVY item")}),
                mark("HEAVY, which costs the dice"),
            ),
            Input(
                "heavy_counts",
                Word({"armour": mark("HEAVY armour alone costs the dice"), "any": mark("any HEAVY item does")}),
                mark("What costs the dice"),
                default={"1.6.3": "armour", "1.0.2": "any"},
                reason=mark("The 1.6.3 text speaks of armour, 1.0.2 of the keyword"),
                goes_with=("heavy",),
            ),
            Input(
                "strong",
                Flag(),
                mark("STRONG, which ignores HEAVY in 1.0.2 and changes nothing here in 1.6.3"),
                default=False,
            ),
            Input("machine_armour", Flag(), mark("Machine Armour: dice of three faces"), default=False),
            Input("stood_up", Flag(), mark("It has stood up: Movement is halved"), default=False),
            Input(
                "die_halved",
                Flag(),
                mark("Whether standing up halves the dice, too"),
                default={"1.6.3": False, "1.0.2": True},
                reason=mark("1.6.3 halves the Movement characteristic, 1.0.2 the movement"),
                goes_with=("stood_up",),
            ),
            Input("cap", Number(0, 48), mark("The most it can go in all"), default=12),
            Input(
                "skirmisher",
                Flag(),
                mark("The target is a SKIRMISHER, not engaged, and steps D3"),
                default=False,
                goes_with=("distance",),
            ),
            Input(
                "step",
                Word({"back": mark("straight back"), "aside": mark("at a right angle"), "stay": mark("it stays")}),
                mark("Where a SKIRMISHER steps"),
                default="back",
                reason=mark("It may step anywhere; straight back is hardest to reach"),
                goes_with=("skirmisher",),
            ),
            Input(
                "out_of_sight",
                Flag(),
                mark("The target is out of sight: a risky roll comes first"),
                default=False,
                editions=("1.6.3",),
            ),
            Input(
                "shaken",
                Flag(),
                mark("Its warband is Shaken, so it may not charge"),
                default=False,
                editions=("1.6.3",),
            ),
            Input("diving", Flag(), mark("A diving charge: a risky roll comes first"), default=False),
            replace(ACTION_DICE, goes_with=("out_of_sight", "diving")),
        ),
        answers=(
            Answer("reaches", mark("the charge reaches its target")),
            Answer("mean", mark("how far it goes, on average"), mark("inches")),
            Answer("reach", mark("it goes at least so many inches"), family=True),
        ),
        exact=_exact,
        simulate=_simulate,
        rule={
            "1.6.3": mark(
                "Movement + D6, at most 12 inches in all; no die in HEAVY armour, a D3 in Machine Armour. After "
                "standing up Movement is halved, the die is not. A target out of sight asks for a risky roll first. "
                "A SKIRMISHER steps D3 in any direction, once."
            ),
            "1.0.2": mark(
                "Movement + D6, at most 12 inches in all; no die with HEAVY, unless STRONG; a D3 in Machine Armour. "
                "After standing up all of it is halved. A SKIRMISHER steps D3 in any direction, once."
            ),
        },
        source={
            "1.6.3": "json: Charge, Machine Armour; text: HEAVY, Down, SKIRMISHER, Shaken",
            "1.0.2": "book: Charge, Down, HEAVY, SKIRMISHER",
        },
        examples=("move=6 distance=9", "move=6 distance=11 bonus=2d6kh1", "move=6 distance=7 skirmisher step=aside"),
    ),
)
