"""Who controls an objective or a terrain feature after the check: its questions. What is judged is in ``check``."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from tcsim.aos.control.check import (
    CONTROL,
    LOSS_INPUTS,
    OF_CHECK,
    OWNER,
    SIDE_INPUTS,
    check_sides,
    held_rolled,
    judged,
    judged_rolled,
    left_rolled,
    score_rolled,
    side,
    unit_score,
)
from tcsim.aos.control.inputs import body_inputs, save_input
from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import check_most
from tcsim.aos.fights.sequence import CRITS, Profile, Target, slain
from tcsim.aos.fights.weapons import ATTACKS, DAMAGE, REND, ROLL, Fight
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: What is added to A's score, to see what a buff is worth.
BUFFS = (1, 2, 3)

#: What strikes A's unit before the check.
STRIKE_INPUTS = (
    Input("attacks", ATTACKS, mark("Attacks at A's unit before the check; left out: one"), goes_with=("hit",)),
    Input("hit", ROLL, mark("What its hit rolls need"), goes_with=("wound",)),
    Input("wound", ROLL, mark("What its wound rolls need"), goes_with=("hit",)),
    Input("rend", REND, mark("Its Rend, which save rolls lose"), default=0, goes_with=("hit",)),
    Input("dmg", DAMAGE, mark("Its Damage"), default=1, goes_with=("hit",)),
    Input(
        "crit", Word(CRITS), mark("What a critical hit does, a natural 6 to hit"), default="none", goes_with=("hit",)
    ),
    save_input("A", "save", ("hit",)),
    *body_inputs("A", "ward", "health", needs=("hit",)),
)


def struck(asked: Asked) -> Fight | None:
    """Read the attacks at A's unit.

    Parameters
    ----------
    asked : Asked
        With :data:`STRIKE_INPUTS`.

    Returns
    -------
    Fight or None
        The attacks; None where there are none.
    """
    if asked["hit"] is None:
        return None
    weapon = Profile(asked["attacks"] or 1, asked["hit"], asked["wound"], asked["rend"], asked["dmg"], asked["crit"])
    return Fight((weapon,), Target(asked["save"], asked["ward"], health=asked["health"]))


def check_strike(asked: Asked) -> None:
    """Refuse losses that are said twice.

    Parameters
    ----------
    asked : Asked
        With :data:`SIDE_INPUTS` and :data:`STRIKE_INPUTS`.

    Raises
    ------
    InputError
        When A's models are attacked and have a chance to be lost, too.
    """
    check_sides(asked)
    if asked["hit"] is not None and asked["A_loss"]:
        raise InputError("losses come from it or from attacks (hit, wound), not from both", "A_loss")
    attacks = struck(asked)
    if attacks is not None:
        check_most(attacks.weapons)


def lost(asked: Asked) -> Spread | None:
    """Give how many models of A's unit the attacks remove.

    Parameters
    ----------
    asked : Asked
        With :data:`SIDE_INPUTS` and :data:`STRIKE_INPUTS`.

    Returns
    -------
    Spread or None
        Models lost; None where nothing attacks.
    """
    attacks = struck(asked)
    return None if attacks is None else slain(attacks.damage(), Target(models=_models(asked), health=asked["health"]))


def _removed(asked: Asked) -> range:
    """Numbers of models that the attacks may remove."""
    gone = lost(asked)
    return range(0 if gone is None else len(gone.ways))


def _models(asked: Asked) -> int:
    """How many models A's unit has; one where only attacks are said."""
    return len(side(asked, "A").controls) if contested(asked) else 1


def contested(asked: Asked) -> bool:
    """Say whether anything is said of who contests.

    Parameters
    ----------
    asked : Asked
        With :data:`SIDE_INPUTS`.

    Returns
    -------
    bool
        False where only a weapon or a unit is given.
    """
    return any(asked[name] is not None for name in ("A", "A_models", "B", "B_models"))


def left(asked: Asked) -> Spread:
    """Give what is left of A's unit at the check.

    Parameters
    ----------
    asked : Asked
        With :data:`SIDE_INPUTS` and :data:`STRIKE_INPUTS`.

    Returns
    -------
    Spread
        Sum of the Control of its models that are left.
    """
    a, gone = side(asked, "A"), lost(asked)
    return a.left() if gone is None else gone.mapped(a.after_slain)


def rolled(asked: Asked, dice: Dice, trials: int) -> tuple[Any, Any, Any]:
    """Roll what happens before the check.

    Parameters
    ----------
    asked : Asked
        With :data:`SIDE_INPUTS` and :data:`STRIKE_INPUTS`.
    dice : Dice
        The dice.
    trials : int
        How many trials.

    Returns
    -------
    left, b, lost : array of int, shape (trials,)
        Control left in A's unit, B's score, and how many models of A's unit the attacks removed; None for that where
        nothing attacks.
    """
    import numpy as np

    from tcsim.aos.fights.rolled import fought

    a, b, attacks = side(asked, "A"), side(asked, "B"), struck(asked)
    if attacks is None:
        gone, kept = None, left_rolled(a, dice, trials)
    else:
        damage = fought(attacks, dice, trials)
        gone = np.minimum(damage // asked["health"], _models(asked))
        kept = np.cumsum([0, *sorted(a.controls, reverse=True)])[np.maximum(len(a.controls) - gone, 0)]
    return kept, score_rolled(b, left_rolled(b, dice, trials)), gone


# --- the questions --------------------------------------------------------------------------------------------


def _needed(asked: Asked) -> int | None:
    """Control of each model of A's unit where their number can be asked for: all alike, and no BEAST."""
    one = side(asked, "A")
    return one.controls[0] if len(set(one.controls)) == 1 and not one.beast else None


def _exact(asked: Asked, sticky: bool) -> dict[str, Fraction]:
    answers: dict[str, Fraction] = {}
    if asked["controls"] is not None:
        answers["score"] = Fraction(unit_score(sum(asked["controls"]), asked["mod"], asked["beast"]))
    if contested(asked):
        answers |= _contest(asked, sticky)
    gone = lost(asked)
    if gone is not None:
        answers |= {"any_lost": gone.at_least(1), "lost": gone.mean()} | family("removed", dict(enumerate(gone.pmf())))
    return answers


def _contest(asked: Asked, sticky: bool) -> dict[str, Fraction]:
    one, other, owner, kept = side(asked, "A"), side(asked, "B"), CONTROL[asked["owner"]], left(asked)
    b = other.left().mapped(other.score)
    answers = judged(kept.mapped(one.score), b, owner, sticky)
    control = _needed(asked)
    if control is not None:
        enough = [next(n for n in count() if one.score(n * control) > score) for score in range(len(b.ways))]
        answers["needed"] = Fraction(sum(ways * n for ways, n in zip(b.ways, enough, strict=True)), b.of)
    buffed = {more: kept.mapped(replace(one, mod=one.mod + more).score) for more in BUFFS}
    return answers | family("buffed", {more: judged(a, b, owner, sticky)["a_controls"] for more, a in buffed.items()})


def _simulate(asked: Asked, dice: Dice, trials: int, sticky: bool) -> dict[str, Any]:
    import numpy as np

    answers: dict[str, Any] = {}
    if asked["controls"] is not None:
        score = max(1, sum(asked["controls"]) + asked["mod"]) if any(asked["controls"]) else 0
        answers["score"] = np.full(trials, min(score, 1) if asked["beast"] else score)
    one, owner = side(asked, "A"), CONTROL[asked["owner"]]
    kept, b, gone = rolled(asked, dice, trials)
    if contested(asked):
        answers |= judged_rolled(score_rolled(one, kept), b, owner, sticky)
        control = _needed(asked)
        if control is not None:
            short = b + 1 - one.others
            enough = np.where(
                short > 1, np.maximum(1, -((one.mod - short) // control)), 1
            )  # one model scores at least 1
            answers["needed"] = np.where(short > 0, enough, 0)
        buffed = {more: score_rolled(replace(one, mod=one.mod + more), kept) for more in BUFFS}
        answers |= family("buffed", {more: held_rolled(score, b, owner, sticky) == 1 for more, score in buffed.items()})
    if gone is not None:
        answers |= {"any_lost": gone > 0, "lost": gone} | family("removed", {n: gone == n for n in _removed(asked)})
    return answers


def _check(asked: Asked) -> None:
    check_strike(asked)
    if asked["controls"] is None and asked["hit"] is None and not contested(asked):
        raise InputError("A, B, A_models, B_models, controls or hit is needed: who contests, or what attacks")


def _question(name: str, sticky: bool, rule: str, source: str, examples: tuple[str, ...]) -> Question:
    return Question(
        name=name,
        inputs=(
            *SIDE_INPUTS,
            *LOSS_INPUTS,
            OWNER,
            *STRIKE_INPUTS,
            Input(
                "controls",
                Several(Whole(0, 1000)),
                mark("Control of each model of one unit: what is its control score?"),
            ),
            Input(
                "mod",
                Whole(-50, 50),
                mark("What changes that score: +1 for a standard bearer"),
                default=0,
                goes_with=("controls",),
            ),
            Input("beast", Flag(), mark("That unit is a BEAST"), default=False, goes_with=("controls",)),
        ),
        answers=(
            Answer("score", mark("control score of the unit"), mark("control")),
            *OF_CHECK,
            Answer("needed", mark("models of A's unit that have to be left for a higher score"), mark("models")),
            Answer("any_lost", mark("the attacks remove a model of A's unit")),
            Answer("lost", mark("models of A's unit that the attacks remove"), mark("models")),
            Answer(
                "buffed",
                mark("A controls it with so much more control score"),
                family=True,
                labels=lambda asked: {str(more): f"+{more}" for more in BUFFS},
            ),
            Answer("removed", mark("so many models of A's unit are removed"), family=True),
        ),
        exact=partial(_exact, sticky=sticky),
        simulate=partial(_simulate, sticky=sticky),
        check=_check,
        rule=rule,
        source=source,
        examples=examples,
        editions=FOURTH,
        notes=_notes,
    )


def _notes(asked: Asked) -> tuple[str, ...]:
    notes = []
    if contested(asked):
        notes.append(mark("A model contests within 3 inches of the marker of 40 mm; only models that contest count."))
        notes.append(mark("A unit may contest one objective and one terrain feature at once, not two of a kind."))
    if asked["hit"] is not None and len(set(side(asked, "A").controls)) > 1:
        notes.append(mark("Models with the least Control are removed first, as their player would choose."))
    return tuple(notes)


QUESTIONS = (
    _question(
        "objective",
        True,
        mark(
            "A unit's control score is the Control of its models that contest, changed by modifiers but never below 1 "
            "(a BEAST: at most 1). The higher sum of scores gains control; equal sums change nothing, and control "
            "lasts with no model there until the opponent gains it."
        ),
        "end of turn, 32.1 and 32.2; combat range, standard bearer, BEAST, attacks: public rules",
        (
            "A=5 B=6 owner=A",
            "A=6x1 A_loss=1/4 B=5x2 B_loss=1/3",
            "A_models=10 attacks=10 hit=3 wound=3 save=4 rend=1 B=6 owner=A",
            "controls=5x1 mod=1",
        ),
    ),
    _question(
        "terrain",
        False,
        mark(
            "Terrain features are controlled as objectives are, but control ends as soon as none of its player's units "
            "contests the feature."
        ),
        "end of turn, 32.3; combat range, standard bearer, BEAST, attacks: public rules",
        ("A=4 B=4 owner=A", "A=0 B=0 owner=A", "A_models=5 attacks=8 hit=3 wound=4 save=5 B=0 owner=A"),
    ),
)
