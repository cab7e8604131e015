"""What each keyword is worth: every weapon once with it and once without, and one more of each number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tcsim.analysis.whole.answer import chances
from tcsim.analysis.whole.weapons import ATTACKS, STEPS, plain_targets, problem_of
from tcsim.catalog import Catalog, Weapon
from tcsim.scenario.problem import Problem

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Feature:
    """Something that a weapon has or has not, and the weapon with it and without it."""

    name: str
    has: Callable[[Weapon], bool]
    added: Callable[[Weapon], Weapon]
    taken: Callable[[Weapon], Weapon]


def features(rows: Catalog) -> tuple[Feature, ...]:
    """Give what can be added to a weapon and taken from it: keywords of attacks that change dice, and single numbers.

    Parameters
    ----------
    rows : Catalog
        With the keywords of the edition and of users' own catalogues.

    Returns
    -------
    tuple of Feature
        Keywords first.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> [one.name for one in features(catalog("1.6.3"))][:4]
    ['ARMOUR PIERCING 1', 'AUTO-HIT', 'CRITICAL', 'DEADLY']
    """
    words = [
        word.name
        for word in rows.rules.keywords.values()
        if word.on in ("attack", "any")
        and (word.markers or word.risky or word.infects or word.critical_injury_dice)
        and word.number == "none"
    ]
    found = [_keyword(name) for name in words]
    found += [
        _column("AUTO-HIT", "auto_hit", True, False, "AUTO-HIT", "FLAMETHROWER"),
        _column("IGNORE ARMOUR", "ignore_armour", "all", "none"),
        Feature("ARMOUR PIERCING 1", lambda w: w.armour_piercing > 0, _pierced, lambda w: _pierced(w, 0)),
        Feature("DEADLY", lambda w: w.injury_keep == 3, _kept, lambda w: _kept(w, 2)),
    ]
    numbers = [
        _number("+1 DICE", "action_dice"),
        _number("+1 injury die", "injury_dice"),
        _number("+1 injury modifier", "injury_modifier"),
        _number("one more shot or blow", "shots"),
    ]
    return (*sorted(found, key=lambda one: one.name), *numbers)


def _without(weapon: Weapon, *names: str) -> Weapon:
    kept = tuple(word for word in weapon.keywords if word not in names)
    return replace(weapon, keywords=kept)


def _keyword(name: str) -> Feature:
    return Feature(
        name,
        lambda weapon: name in weapon.keywords,
        lambda weapon: replace(_without(weapon, name), keywords=(*_without(weapon, name).keywords, name)),
        lambda weapon: _without(weapon, name),
    )


def _column(name: str, column: str, on: Any, off: Any, *words: str) -> Feature:
    """A keyword that a column holds, too."""
    words = words or (name,)

    def put(weapon: Weapon, value: Any) -> Weapon:
        fields: dict[str, Any] = {column: value}
        return replace(_without(weapon, *words), **fields)

    return Feature(
        name,
        lambda weapon: getattr(weapon, column) == on or bool(set(words) & set(weapon.keywords)),
        lambda weapon: put(weapon, on),
        lambda weapon: put(weapon, off),
    )


def _pierced(weapon: Weapon, least: int = 1) -> Weapon:
    words = tuple(word for word in weapon.keywords if not word.startswith("ARMOUR PIERCING"))
    return replace(weapon, keywords=words, armour_piercing=max(least, weapon.armour_piercing) if least else 0)


def _kept(weapon: Weapon, keep: int = 3) -> Weapon:
    return replace(_without(weapon, "DEADLY"), injury_keep=keep)


def _number(name: str, column: str) -> Feature:
    def more(weapon: Weapon) -> Weapon:
        fields: dict[str, Any] = {column: getattr(weapon, column) + 1}
        return replace(weapon, **fields)

    return Feature(name, lambda weapon: False, more, lambda weapon: weapon)


def feature_worth(
    rows: Catalog, weapons: Sequence[str], spend: str = "greedy", wanted: Sequence[Feature] | None = None
) -> pd.DataFrame:
    """Tabulate what each keyword, and one more of each number, is worth on each weapon.

    Parameters
    ----------
    rows : Catalog
        The edition.
    weapons : sequence of str
        Ids; weapons whose injury roll keeps no dice are passed over.
    spend : str, optional
        Policy for blood on injury rolls.
    wanted : sequence of Feature, optional
        Default: all of :func:`features`.

    Returns
    -------
    DataFrame
        ``feature``, ``weapon_id``, ``weapon``, ``kind``, ``has`` (as the books print it), ``modifier`` (0 to -3,
        ordinary targets), ``attacks``, and P(out of action) ``without`` and ``with_it``.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> rows = catalog("1.6.3")
    >>> found = feature_worth(rows, ["bolt-action-rifle"], wanted=features(rows)[1:2])
    >>> bool((found.with_it > found.without).all()), bool(found.has.any())
    (True, False)
    """
    import pandas as pd

    targets = plain_targets(rows.edition)[: len(STEPS)]
    chosen = [weapon for weapon in rows.weapons if weapon.id in set(weapons) and weapon.injury_keep]
    heads: list[dict[str, Any]] = []
    problems: list[Problem] = []
    printed = {weapon.id: [problem_of(rows, weapon, one, ATTACKS[-1], spend) for one in targets] for weapon in chosen}
    for feature in features(rows) if wanted is None else wanted:
        pairs = [(feature.taken(weapon), feature.added(weapon)) for weapon in chosen]
        ways = [replace(rows, more=(*rows.more, *side)) for side in zip(*pairs, strict=True)]
        for weapon, pair in zip(chosen, pairs, strict=True):
            for k, step in enumerate(STEPS):
                heads.append(
                    {
                        "feature": feature.name,
                        "weapon_id": weapon.id,
                        "weapon": weapon.label,
                        "kind": weapon.attack_kind,
                        "has": feature.has(weapon),
                        "modifier": step,
                    }
                )
                for way, one in zip(ways, pair, strict=True):
                    same = one == weapon
                    asked = printed[weapon.id][k] if same else problem_of(way, one, targets[k], ATTACKS[-1], spend)
                    problems.append(asked)
    found = chances(problems, ATTACKS)[:, :, 0].reshape(len(heads), 2, len(ATTACKS))
    records = [
        {**head, "attacks": attacks, "without": found[i, 0, k], "with_it": found[i, 1, k]}
        for i, head in enumerate(heads)
        for k, attacks in enumerate(ATTACKS)
    ]
    return pd.DataFrame.from_records(records)
