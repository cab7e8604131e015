"""What has to be told of spells that are cast: values, modifiers, wizards, names, dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.magic.casting import CastingDice, Spell
from tcsim.aos.said import Signed, names, one_each, refuse_twice
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Several, Whole, Word
from tcsim.questions.question import Asked, Input

#: Most spells of a phase, and modifiers that stand beside each other.
MOST_SPELLS, MOST_UNBINDERS = 6, 3

CASTING_VALUE = Whole(2, 40)
CASTING_VALUES = Several(CASTING_VALUE, MOST_SPELLS)

CASTING_RULE = {
    **dict.fromkeys(
        THIRD,
        mark(
            "A spell is cast on 2D6 of at least its casting value, one of a name once per phase, whatever comes of it. "
            "A natural double 1 is a miscast whatever the modifier: the spell fails, its caster suffers D3 mortal "
            "wounds and casts no more this phase."
        ),
    ),
    **dict.fromkeys(
        FOURTH,
        mark(
            "A spell is cast on 2D6 of at least its casting value. Two natural 1s or more are a miscast whatever the "
            "modifier: the spell fails, its caster suffers D3 mortal damage and casts no more this phase."
        ),
    ),
}
UNBINDING_RULE = mark(
    "A spell is cast on 2D6 of at least its casting value; a natural double 1 is a miscast. One unbinder within 30 "
    "inches of the caster may then roll 2D6, once for each spell that is cast: more than the casting roll unbinds it, "
    "the same does not."
)
MAGIC_SOURCE = {
    **dict.fromkeys(THIRD, "3e hero phase: 2-1c, 2-1d"),
    **dict.fromkeys(FOURTH, "4e advanced rules, magic (public)"),
}
SAME_SPELL = "a spell of one name is cast once per phase, whether it succeeds or not (3e hero phase 2-1c)"

MOD = Input("mod", Signed(1), mark("Modifier to the casting roll"), default="0")
MODS = Input("mod", Signed(MOST_SPELLS), mark("Modifier to the casting roll; several: one each"), default="0")
WIZARDS = Input(
    "wizards",
    Several(Whole(1, MOST_SPELLS), MOST_SPELLS),
    mark("How many of the spells each wizard casts, in order; left out: one wizard casts all of them"),
    goes_with=("cv",),
)
NAMES = Input("spells", names(MOST_SPELLS), mark("Names of the spells, each of them once"), editions=THIRD)
DICE = Input(
    "dice", Whole(2, 4), mark("D6 of the casting roll; two 1s or more are a miscast"), default=2, editions=FOURTH
)
KEEP = Input(
    "keep",
    Word({"all": mark("all the dice"), "best2": mark("the two highest")}),
    mark("Which dice of the casting roll are added up"),
    default="all",
    reason=mark("The rules only say what a miscast of three dice is; each ability says which of them count"),
    editions=FOURTH,
)


def casting_dice(asked: Asked) -> CastingDice:
    """Give the dice of the casting rolls.

    Parameters
    ----------
    asked : Asked
        What is asked, with or without ``dice`` and ``keep``.

    Returns
    -------
    CastingDice
        Two where nothing else is said.
    """
    count = asked.values.get("dice") or 2
    return CastingDice(count, 2 if asked.values.get("keep") == "best2" else count)


def check_dice(asked: Asked) -> None:
    """Refuse a choice among dice that are two.

    Parameters
    ----------
    asked : Asked
        What is asked, with ``dice`` and ``keep``.

    Raises
    ------
    InputError
        Where two dice are rolled and ``keep`` is given.
    """
    if "keep" in asked.given and asked["dice"] == 2:
        raise InputError("it goes with 3 dice or more, 2 are rolled", "keep")


def spells_of(asked: Asked, values: Sequence[int], worth: Sequence[Fraction] = (Fraction(1),)) -> list[Spell]:
    """Give the spells in order, each with its wizard.

    Parameters
    ----------
    asked : Asked
        What is asked, with ``mod``, ``wizards`` and, in the third edition, ``spells``.
    values : sequence of int
        Casting values.
    worth : sequence of Fraction, optional
        What each is worth, or one for all.

    Returns
    -------
    list of Spell
        As they are cast.

    Raises
    ------
    InputError
        For numbers of modifiers, names, worths or casts that are not those of the values, and for a spell that is
        named twice.
    """
    count = len(values)
    mods, worths = one_each(asked["mod"], count, "mod", "spells"), one_each(worth, count, "worth", "spells")
    shares = asked["wizards"] or (count,)
    if sum(shares) != count:
        raise InputError(f"they cast {sum(shares)} spells, and {count} casting values are given", "wizards")
    refuse_twice(asked, "spells", SAME_SPELL)
    if asked["spells"] is not None and len(asked["spells"]) != count:
        raise InputError(f"{len(asked['spells'])} names are given for {count} casting values", "spells")
    wizards = [number for number, share in enumerate(shares) for _ in range(share)]
    return [Spell(*one) for one in zip(values, mods, wizards, worths, strict=True)]
