"""Age of Sigmar over grids, as tidy frames: casting, charges, Rally, and what commands are worth by weapon profile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.aos import AOS
from tcsim.questions.asking import ask

if TYPE_CHECKING:
    import pandas as pd

#: Casting values, charge rolls that are needed, Health characteristics, and numbers of slain models that are asked.
VALUES, NEEDS, HEALTHS, SLAIN = range(4, 13), range(3, 13), range(1, 7), (5, 10, 20)
#: Modifiers of the caster, and of an unbinder; None for no unbinder.
CASTERS, UNBINDERS = (0, 1), (None, 0, 1, 2)


class Weapon(NamedTuple):
    """A weapon as ``weapons=`` of the questions takes it, and the Save that it meets (7: none)."""

    profile: str
    save: int


#: Weapons such as are met at the table, from many weak attacks to few strong ones, against light and heavy saves.
WEAPONS = (
    Weapon("20x4+/4+/0/1", 5),
    Weapon("20x4+/4+/0/1", 3),
    Weapon("10x3+/3+/-1/1", 4),
    Weapon("10x3+/3+/-1/1", 3),
    Weapon("10x2+/3+/-1/1", 4),
    Weapon("12x4+/3+/-1/1/2hits", 4),
    Weapon("6x4+/2+/-2/2/mortal", 4),
    Weapon("5x3+/3+/-1/2", 4),
    Weapon("4x4+/2+/-2/D6", 3),
    Weapon("6x3+/2+/-1/3", 2),
)


def _answers(name: str, edition: str, **inputs: Any) -> dict[str, float]:
    reply = ask(AOS, name, inputs, edition)
    return {key: float(found["value"]) for key, found in reply.answers.items()}


def _frame(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows))


def casting(edition: str, values: Iterable[int] = VALUES) -> pd.DataFrame:
    """Tabulate how often spells are cast, and not unbound.

    Parameters
    ----------
    edition : str
        Edition id.
    values : iterable of int, optional
        Casting values.

    Returns
    -------
    DataFrame
        A row for each value, modifier of the caster and of an unbinder: ``edition``, ``value``, ``caster``,
        ``unbinder`` (missing: no unbinder), ``p_cast``, ``p_resolves``, ``p_miscast`` (probabilities in [0, 1]).

    Raises
    ------
    InputError
        When there is no such edition, or a value is out of range.

    Examples
    --------
    >>> frame = casting("4e", [7])
    >>> round(float(frame["p_cast"].iloc[0]), 4)
    0.5833
    """
    rows = []
    for value in values:
        for caster in CASTERS:
            for unbinder in UNBINDERS:
                found = _answers("unbind", edition, cv=value, mod=caster, unbind_mod=unbinder or 0)
                row = {"edition": edition, "value": value, "caster": caster, "unbinder": unbinder}
                row |= {"p_cast": found["cast"], "p_miscast": found["miscast"]}
                rows.append(row | {"p_resolves": found["cast" if unbinder is None else "resolves"]})
    frame = _frame(rows)
    return frame.astype({"unbinder": "Int64"})


def charging(edition: str, needs: Iterable[int] = NEEDS) -> pd.DataFrame:
    """Tabulate how often charges are made, with and without Forward to Victory.

    Parameters
    ----------
    edition : str
        Edition id, of the fourth edition.
    needs : iterable of int, optional
        Charge rolls that are needed, in inches.

    Returns
    -------
    DataFrame
        A row for each: ``edition``, ``need``, ``p_plain``, ``p_reroll``, ``gain`` (their difference), ``p_spent`` (that
        the point is spent, as it is bought after the roll).

    Raises
    ------
    InputError
        When there is no such edition, or a number is out of range.

    Examples
    --------
    >>> round(float(charging("4e", [9])["gain"].iloc[0]), 4)
    0.2006
    """
    rows = []
    for need in needs:
        found = _answers("forward_to_victory", edition, need=need)
        row = {"edition": edition, "need": need, "p_plain": found["without"], "p_reroll": found["charge"]}
        rows.append(row | {"gain": found["charge"] - found["without"], "p_spent": found["spent"]})
    return _frame(rows)


def rallying(
    edition: str, healths: Iterable[int] = HEALTHS, slain: Sequence[int] = SLAIN, musician: bool = False
) -> pd.DataFrame:
    """Tabulate what Rally brings back.

    Parameters
    ----------
    edition : str
        Edition id.
    healths : iterable of int, optional
        Health characteristics; the third edition does not look at them.
    slain : sequence of int, optional
        How many models are slain.
    musician : bool, optional
        A musician, who adds a die in the fourth edition.

    Returns
    -------
    DataFrame
        A row for each: ``edition``, ``health``, ``slain``, ``musician``, ``models`` (mean number that return),
        ``restored`` (mean Health that returns with them), ``p_any``.

    Raises
    ------
    InputError
        When there is no such edition, or a number is out of range.

    Examples
    --------
    >>> round(float(rallying("3e", [1], [12])["models"].iloc[0]), 4)
    2.0
    """
    rows = []
    third = edition.startswith("3e")
    for health in healths:
        for number in slain:
            asked: dict[str, Any] = {"slain": number}
            if not third:
                asked |= {"health": health, "musician": musician}
            found = _answers("rally", edition, **asked)
            row = {"edition": edition, "health": health, "slain": number, "musician": musician and not third}
            row |= {"models": found["models"], "restored": found["models"] * health}
            rows.append(row | {"p_any": found.get("at_least_1", 0.0)})
    return _frame(rows)


def command_worth(edition: str, weapons: Iterable[Weapon] = WEAPONS) -> pd.DataFrame:
    """Tabulate what commands around an attack are worth, by weapon profile.

    Parameters
    ----------
    edition : str
        Edition id, of the fourth edition.
    weapons : iterable of Weapon, optional
        Each against a save.

    Returns
    -------
    DataFrame
        A row for each: ``edition``, ``profile``, ``save``, ``damage`` (mean, without commands), and mean damage that
        a command adds or prevents: ``all_out_attack``, ``all_out_defence``, ``covering_fire`` (what the shots do),
        ``power_through`` (D3 mortal damage, whatever the weapon); each costs one point. ``costs``: damage that the
        same weapon, striking back at the same save, does more for All-out Attack (none but in 4e_late).

    Raises
    ------
    InputError
        When there is no such edition.

    Examples
    --------
    >>> round(float(command_worth("4e", [Weapon("10x3+/3+/-1/1", 4)])["all_out_attack"].iloc[0]), 4)
    0.7407
    """
    mortal = _answers("power_through", edition)["damage"]
    rows = []
    for profile, save in weapons:
        said = {"weapons": profile, "save": save}
        attack = _answers("all_out_attack", edition, **said, enemy_weapons=profile, own_save=save)
        rows.append(
            {
                "edition": edition,
                "profile": profile,
                "save": save,
                "damage": attack["damage_without"],
                "all_out_attack": attack["gain"],
                "all_out_defence": _answers("all_out_defence", edition, **said)["prevented"],
                "covering_fire": _answers("covering_fire", edition, **said)["damage"],
                "power_through": mortal,
                "costs": attack["taken"] - attack["taken_without"],
            }
        )
    return _frame(rows)
