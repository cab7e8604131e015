"""What questions about fights are told, how a fight is read from it, and what is told of its damage."""

from __future__ import annotations

from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.sequence import CRITS, NONE, Modifiers, Profile, Readings, Target
from tcsim.aos.fights.weapons import ATTACKS, DAMAGE, ROLL, Fight, Needed, Rend, Weapons
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Flag, Whole, Word
from tcsim.questions.question import Asked, Input

#: The most damage that all attacks together may come to: exact answers take a second or so then.
MOST_DAMAGE = 3000

#: Which dice may be rolled again, and where the limit of +1 to a save may hold.
_REROLLS = {
    "none": mark("no dice"),
    "ones": mark("natural 1s"),
    "failed": mark("every roll that fails with its modifiers"),
}
_CAPS = {
    "net": mark("on the bonuses less rend"),
    "bonus": mark("on the bonuses alone, before rend"),
}

_WITH_HIT = ("hit",)

_REND = mark("Its Rend, which save rolls lose")
#: Rend where saves are asked for without a weapon.
FREE_REND = Input("rend", Rend(), _REND, default=0)

#: Characteristics and abilities of one weapon.
WEAPON = (
    Input("attacks", ATTACKS, mark("How many attacks the unit makes with it, all models together; left out: one")),
    Input("hit", ROLL, mark("What its hit rolls need")),
    Input("wound", ROLL, mark("What its wound rolls need"), goes_with=_WITH_HIT),
    Input("rend", Rend(), _REND, default=0, goes_with=_WITH_HIT),
    Input("dmg", DAMAGE, mark("Its Damage"), default=1, goes_with=_WITH_HIT),
    Input(
        "crit",
        Word(CRITS),
        mark("What a critical hit does, a natural 6 to hit"),
        default="none",
        goes_with=_WITH_HIT,
    ),
    Input("crit_on", Needed(2), mark("The natural hit roll that is critical"), default=6, goes_with=_WITH_HIT),
    Input(
        "companion",
        Flag(),
        mark("A companion weapon: friendly bonuses do not count for it, but that of All-out Attack does"),
        default=False,
        editions=FOURTH,
        goes_with=_WITH_HIT,
    ),
)

#: Several of them.
WEAPONS = Input("weapons", Weapons(), mark("Several weapons, in place of the characteristics of one"))

#: The unit that is attacked.
TARGET = (
    Input("save", Needed(2, none=True), mark("Save of the unit that is attacked"), default=NONE),
    Input("ward", Needed(2, none=True), mark("Ward of that unit, rolled for each point of damage"), default=NONE),
    Input("models", Whole(1, 1000), mark("Models of that unit; left out: as many as are needed")),
    Input("health", Whole(1, 100), mark("Health of each of its models; left out: one")),
    Input(
        "wounded",
        Whole(0, 99),
        mark("Damage that its first model has already"),
        default=0,
        goes_with=("models", "health"),
    ),
)

#: A unit that is attacked and has to have a save, as what is asked helps it alone.
SAVING_TARGET = (Input("save", Needed(2), mark("Save of the unit that is attacked"), required=True), *TARGET[1:])

HIT_MOD = Input("hit_mod", Whole(-9, 9), mark("Sum of the modifiers of hit rolls, commands left out"), default=0)
SAVE_MOD = Input("save_mod", Whole(-9, 9), mark("Sum of the modifiers of save rolls, rend left out"), default=0)

#: Friendly bonuses, modifiers of wound rolls, and dice that are rolled again.
MODIFIERS = (
    Input(
        "hit_bonus",
        Whole(0, 9),
        mark("More to hit by friendly abilities, which do not count for companion weapons"),
        default=0,
        editions=FOURTH,
    ),
    Input("wound_mod", Whole(-9, 9), mark("Sum of the modifiers of wound rolls"), default=0),
    Input(
        "wound_bonus",
        Whole(0, 9),
        mark("More to wound by friendly abilities, which do not count for companion weapons"),
        default=0,
        editions=FOURTH,
    ),
    Input("reroll_hits", Word(_REROLLS), mark("Which hit rolls are rolled again, once"), default="none"),
    Input("reroll_wounds", Word(_REROLLS), mark("Which wound rolls are rolled again, once"), default="none"),
    Input("reroll_saves", Word(_REROLLS), mark("Which save rolls are rolled again, once"), default="none"),
)

CAP = Input(
    "cap",
    Word(_CAPS),
    mark("Where the limit of +1 to a save holds"),
    default="net",
    reason=mark("The rules limit the result of all modifiers, and rend is one"),
)

#: What the rules leave open.
READINGS = (
    Input(
        "wound6",
        Flag(),
        mark("A natural 6 to wound always wounds"),
        default=True,
        reason=mark("It is so in the third edition; in the fourth it matters for 6+ at -1 only"),
    ),
    CAP,
)


def known_in(edition: str, inputs: tuple[Input, ...]) -> tuple[Input, ...]:
    """Give the inputs that an edition has, for a question that is asked in no other.

    Parameters
    ----------
    edition : str
        The edition.
    inputs : tuple of Input
        Of all editions.

    Returns
    -------
    tuple of Input
        Those that are known there.
    """
    return tuple(one for one in inputs if one.known_in(edition))


def weapons_of(asked: Asked) -> tuple[Profile, ...]:
    """Read the weapons.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`WEAPON`.

    Returns
    -------
    tuple of Profile
        The weapons; none where nothing is said of them.
    """
    several: tuple[Profile, ...] | None = asked.values.get("weapons")
    if several is not None:
        return several
    if asked["hit"] is None or asked["wound"] is None:
        return ()
    return (
        Profile(
            attacks=1 if asked["attacks"] is None else asked["attacks"],
            hit=asked["hit"],
            wound=asked["wound"],
            rend=asked["rend"],
            damage=asked["dmg"],
            crit=asked["crit"],
            companion=bool(asked.values.get("companion")),
            crit_on=asked["crit_on"],
        ),
    )


def hitting(asked: Asked, hit: int) -> Profile:
    """Read as much of the one weapon as its hit rolls depend on.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`WEAPON`.
    hit : int
        What its hit rolls need.

    Returns
    -------
    Profile
        A weapon with one attack.
    """
    return Profile(1, hit, 6, companion=bool(asked["companion"]), crit_on=asked["crit_on"])


def check_weapons(asked: Asked, needed: bool = True) -> None:
    """Check that what is said of weapons goes together.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`WEAPON`.
    needed : bool, optional
        Whether there has to be one.

    Raises
    ------
    InputError
        For weapons beside a weapon, for one that is not whole, or for more damage than can be told.
    """
    for name in ("attacks", "hit"):
        if asked[name] is not None and asked.values.get("weapons") is not None:
            raise InputError("it tells of one weapon, and weapons of several: give either of them", name)
    weapons = weapons_of(asked)
    if not weapons and needed:
        missing = "wound" if asked["hit"] is not None else "hit"
        raise InputError("it is needed, as attacks=10 hit=3 wound=4 or weapons=10x3+/4+/-1/1", missing)
    if not weapons and asked["attacks"] is not None:
        raise InputError("it goes with hit and wound, by which attacks do damage", "attacks")
    check_several(asked.edition, weapons, "attacks" if asked.values.get("weapons") is None else "weapons")


def check_several(edition: str, weapons: tuple[Profile, ...], where: str) -> None:
    """Check weapons against an edition, and that what they do can be told.

    Parameters
    ----------
    edition : str
        The edition.
    weapons : tuple of Profile
        The weapons.
    where : str
        The input that they are given in.

    Raises
    ------
    InputError
        For companion weapons where there are none, and for too much damage.
    """
    if edition not in FOURTH and any(one.companion for one in weapons):
        raise InputError("companion weapons belong to the fourth edition", where)
    check_most(weapons, where=where)


def check_most(weapons: tuple[Profile, ...], times: int = 1, where: str = "attacks") -> None:
    """Check that damage can be told in a reasonable time.

    Parameters
    ----------
    weapons : tuple of Profile
        The weapons.
    times : int, optional
        How often they attack.
    where : str, optional
        The input that is to blame.

    Raises
    ------
    InputError
        When it could come to more than :data:`MOST_DAMAGE`.
    """
    most = times * sum(_most(one.attacks) * _most(one.damage) * (1 + (one.crit == "2hits")) for one in weapons)
    if most > MOST_DAMAGE:
        raise InputError(f"attacks that can do {most:,} damage are given, up to {MOST_DAMAGE:,} is allowed", where)


def _most(what: int | Pool) -> int:
    return what if isinstance(what, int) else max(what.counts())


def target_of(asked: Asked) -> Target:
    """Read the target.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`TARGET`.

    Returns
    -------
    Target
        The unit that is attacked.
    """
    return Target(
        asked.values.get("save", NONE), asked["ward"], asked["models"], asked["health"] or 1, asked["wounded"]
    )


def check_target(asked: Asked) -> None:
    """Check that what is said of the target goes together.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`TARGET`.

    Raises
    ------
    InputError
        When the first model has more damage than it has Health.
    """
    health = asked["health"] or 1
    if asked["wounded"] >= health:
        raise InputError(f"{asked['wounded']} is given, a model of Health {health} is slain then", "wounded")


def fight_of(asked: Asked, hit: int = 0, save: int = 0) -> Fight:
    """Read a fight.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`WEAPON`, :data:`TARGET`, :data:`MODIFIERS` and :data:`READINGS`.
    hit, save : int, optional
        Sums of the modifiers of hit rolls and of saves.

    Returns
    -------
    Fight
        The fight.
    """
    modifiers = Modifiers(
        hit,
        asked["wound_mod"],
        asked.values.get("hit_bonus") or 0,
        asked.values.get("wound_bonus") or 0,
        save,
        asked["reroll_hits"],
        asked["reroll_wounds"],
        asked["reroll_saves"],
    )
    return Fight(weapons_of(asked), target_of(asked), modifiers, Readings(asked["wound6"], asked["cap"]))
