"""What is compared: loadouts, each some attacks of a model with what they cost.

A loadout is one text: an attack as ``tcsim odds --attack`` takes it, or several with `` + `` between them. Several
loadouts stand with commas or ``//`` between them; what is a key, a flag or a keyword belongs to the attack before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from tcsim.analysis.compare.targets import BETWEEN, between_commas, goes_on
from tcsim.base.errors import InputError, did_you_mean, one_line, show, unknown
from tcsim.base.files import parse_file
from tcsim.base.labels import english
from tcsim.catalog import Catalog, Price, Row
from tcsim.catalog import catalog as open_catalog
from tcsim.catalog.armoury import armoury
from tcsim.catalog.kit import Kit, kits_of
from tcsim.catalog.stipulations import Faction
from tcsim.catalog.warbands import read_loadouts as read_warbands
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario import model
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve
from tcsim.scenario.written import read_attack, read_model, write

#: Most loadouts of one comparison.
MOST_LOADOUTS = 500

#: Most characters of a name that a scenario file gives.
LONGEST = 200

#: Between two attacks of one loadout.
WITH = " + "

_FIELDS = tuple(name for name in model.fields(model.Attack) if name != "weapon")
_ATTACKER = tuple(model.fields(model.Attacker))


@dataclass(frozen=True)
class Cost:
    """What something costs; ``ducats`` and ``glory`` None where it cannot be bought.

    ``of``: ``weapons`` or ``model``; ``faction``: who pays, empty where all pay the same, ``several`` where no one
    faction sells it all and each thing is counted where it is cheapest.
    """

    ducats: int | None = None
    glory: int | None = None
    of: str = "weapons"
    faction: str = ""


@dataclass(frozen=True)
class Loadout:
    """Some attacks of a model, and what they cost.

    Parameters
    ----------
    name : str
        What it is called.
    attacks : tuple of mapping
        ``attacks`` of a scenario.
    attacker : mapping, optional
        ``attacker`` of a scenario.
    cost : Cost, optional
        Of its weapons, or of the whole model.
    more : mapping, optional
        What else a scenario file says: ``target``, ``spend``, ``options``.
    """

    name: str
    attacks: tuple[Mapping[str, Any], ...] = field(hash=False)
    attacker: Mapping[str, Any] = field(default_factory=dict, hash=False)
    cost: Cost = Cost()
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class _Asked:
    """What every loadout is read by."""

    rows: Catalog
    attacker: Mapping[str, Any]
    faction: Faction | None
    where: str


def read_loadouts(
    given: Any,
    edition: str = DEFAULT_EDITION,
    catalog: Catalog | None = None,
    attacker: str | Mapping[str, Any] | None = None,
    faction: str | None = None,
    where: str = "loadouts",
) -> tuple[Loadout, ...]:
    """Read what loadouts are given.

    Parameters
    ----------
    given : str, mapping, Kit, Loadout, or iterable of these
        Texts as told above; names of files (``.toml``, ``.json``): scenarios, or loadouts and warbands as
        ``tcsim catalog check`` takes them, of which each way of each model to attack is a loadout; a mapping is what
        such a file holds.
    edition : str, optional
        Edition id.
    catalog : Catalog, optional
        Where names are looked up; default: the edition's own catalogue.
    attacker : str or mapping, optional
        Who attacks with the weapons of texts, as ``Yeoman,blood=1`` or the ``attacker`` of a scenario; default: a model
        of which nothing is said. It is not part of the price.
    faction : str, optional
        Who pays for the weapons of texts; default: for each loadout the faction that pays least, in glory and then in
        ducats, among those that can buy all of it.
    where : str, optional
        The place in the input, for errors.

    Returns
    -------
    tuple of Loadout
        At least one, in order, each with a name of its own.

    Raises
    ------
    InputError
        For a name, key or number that cannot be, a loadout that is given twice, and none at all.

    Examples
    --------
    >>> [(one.name, one.cost.ducats) for one in read_loadouts("Heavy Shotgun, Siege Jezzail,cover, melee")]
    [('Heavy Shotgun', 20), ('Siege Jezzail, cover', 30), ('melee', None)]
    >>> read_loadouts("Sword / Axe + Pistol (melee),off_hand")[0].cost
    Cost(ducats=10, glory=0, of='weapons', faction='')
    """
    rows = catalog or open_catalog(edition)
    if isinstance(attacker, str):
        attacker = read_model(attacker, _ATTACKER, "attacker")
    payer = armoury(rows.edition).faction(faction) if faction is not None else None
    asked = _Asked(rows, dict(attacker or {}), payer, where)
    found: list[Loadout] = []
    for loadout in _all(given, asked):
        if len(found) == MOST_LOADOUTS:
            raise InputError(f"at most {MOST_LOADOUTS} loadouts are compared at once", where)
        if any(replace(loadout, name=other.name) == other for other in found):
            raise InputError(f"the loadout {show(loadout.name)} is given twice", where)
        found.append(loadout)
    if not found:
        raise InputError("at least one loadout is needed, none is given", where)
    return tuple(_with_own_names(found))


def _with_own_names(loadouts: list[Loadout]) -> Iterator[Loadout]:
    met: Counter[str] = Counter()
    for one in loadouts:
        met[one.name] += 1
        yield replace(one, name=f"{one.name} ({met[one.name]})") if met[one.name] > 1 else one


def _all(given: Any, asked: _Asked) -> Iterator[Loadout]:
    if isinstance(given, Loadout):
        yield given
    elif isinstance(given, Kit):
        yield from of_kit(given)
    elif isinstance(given, str) and given.strip().casefold().endswith((".toml", ".json")):
        yield from _of_file(given.strip(), asked)
    elif isinstance(given, str):
        for text in given.split(BETWEEN):
            for one in _between_commas(text, asked):
                yield _of_text(one, asked)
    elif isinstance(given, Mapping):
        yield from _of_mapping(given, "", asked)
    elif isinstance(given, Iterable):
        for one in given:
            yield from _all(one, asked)
    else:
        raise InputError(f"{show(given)} is given; an attack, a scenario or a loadout is allowed", asked.where)


# --- texts ---------------------------------------------------------------------------------------------------------


def _between_commas(text: str, asked: _Asked) -> Iterator[str]:
    rows = asked.rows

    def is_name(name: str) -> bool:
        return bool(rows.exactly("weapon", name.rpartition(WITH)[2] or name))

    def belongs(part: str) -> bool:
        first = part.split(WITH)[0].strip()
        begins = rows.exactly("weapon", first) and first not in rows.rules.keywords  # a Flamethrower, and FLAMETHROWER
        return not begins and goes_on(first, _FIELDS, rows)

    return between_commas(text, is_name, belongs, asked.where)


def _of_text(text: str, asked: _Asked) -> Loadout:
    attacks, names = [], []
    for part in text.split(WITH):
        attack = read_attack(part.strip(), asked.where)
        if "weapon" in attack:
            attack["weapon"], label = _weapon(attack, asked)
            told = {key: value for key, value in attack.items() if key != "kind"} | {"weapon": label}
        else:
            told = attack
        names.append(write(told).replace(",", ", "))
        attacks.append(attack)
    _check(attacks, asked.attacker, {}, asked)
    return Loadout(WITH.join(names), tuple(attacks), asked.attacker, _cost(attacks, asked))


def _weapon(attack: Mapping[str, Any], asked: _Asked) -> tuple[str, str]:
    """Find the id and the full name of a weapon; a misspelt flag is perhaps taken for one."""
    rows, name = asked.rows, attack["weapon"]
    try:
        row = rows.weapon(name, attack.get("kind"), asked.where)
    except InputError:
        if rows.exactly("weapon", name):
            raise
        names = dict.fromkeys(row.label for row in rows.weapons if not row.third_party)
        message = f"there is no weapon {show(name)} in the catalogue of {rows.edition}"
        hint = did_you_mean(english(name), [*names, *_FIELDS, "melee", "ranged"])
        raise InputError(message + (hint or "; see `tcsim catalog list weapon`"), asked.where) from None
    return row.id, row.label


def _check(attacks: Any, attacker: Mapping[str, Any], more: Mapping[str, Any], asked: _Asked) -> None:
    """Let what is wrong with a loadout be told before anything is worked out."""
    scenario = {"target": {}, **more, "edition": asked.rows.edition, "attacker": attacker, "attacks": attacks}
    try:
        resolve(from_mapping(scenario), asked.rows)
    except InputError as error:
        raise InputError(str(error), asked.where) from None


# --- files ---------------------------------------------------------------------------------------------------------


def _of_file(path: str, asked: _Asked) -> Iterator[Loadout]:
    data = parse_file(path)
    name = one_line(Path(path).stem, 80)
    try:
        yield from _of_mapping(data, name, replace(asked, where=one_line(Path(path).name, 80)))
    except InputError as error:
        text = str(error)
        raise InputError(text, "" if Path(path).name in text else one_line(Path(path).name, 80)) from None


def _of_mapping(data: Any, name: str, asked: _Asked) -> Iterator[Loadout]:
    if isinstance(data, Mapping) and "attacks" in data:
        yield _of_scenario(data, name, asked)
    elif isinstance(data, Mapping) and ("unit" in data or "warband" in data):
        given = {"edition": asked.rows.edition, **data} if "unit" in data else data
        for warband in read_warbands(given, name):
            if warband.edition != asked.rows.edition:
                raise _other_edition(warband.edition, asked)
            for kit in kits_of(warband):
                yield from of_kit(kit)
    else:
        raise InputError("a scenario has attacks, a loadout has a unit or warbands; there is neither", asked.where)


def _of_scenario(data: Mapping[str, Any], name: str, asked: _Asked) -> Loadout:
    allowed = tuple(model.fields(model.Scenario))
    for key in data:
        if key not in allowed:
            raise unknown("field", key if isinstance(key, str) else show(key), allowed, asked.where)
    if data.get("edition", asked.rows.edition) != asked.rows.edition:
        raise _other_edition(data["edition"], asked)
    attacks, attacker = data["attacks"], data.get("attacker", {})
    more = {key: data[key] for key in ("target", "spend", "options") if key in data}
    _check(attacks, attacker, more, asked)
    if not name and "id" not in data:
        name = WITH.join(write(dict(attack)).replace(",", ", ") for attack in attacks)
    name = one_line(data.get("id") or name, LONGEST)
    return Loadout(name, tuple(attacks), attacker, _cost(attacks, asked), more)


def _other_edition(edition: Any, asked: _Asked) -> InputError:
    return InputError(f"it is of {edition}, the comparison of {asked.rows.edition}", asked.where)


def of_kit(kit: Kit) -> Iterator[Loadout]:
    """Give every way of a model to attack as a loadout; its price is that of the whole model.

    Parameters
    ----------
    kit : Kit
        The model.

    Yields
    ------
    Loadout
        Shooting first.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> [(one.name, one.cost.ducats) for one in of_kit(kits_of(warband("na-line"))[-1])]
    [('Yeoman: Bolt-Action Rifle', 37), ('Yeoman: Bayonet', 37)]
    """
    from tcsim.analysis.matchup import model_of
    from tcsim.analysis.ways import options_of

    cost = Cost(kit.cost(), kit.cost("glory"), "model", kit.faction.name)
    attacker = {key: value for key, value in model_of(kit).items() if value != []}
    for option in options_of(kit, []):
        yield Loadout(f"{kit.unit.name}: {option.label}", option.attacks, attacker, cost)


# --- prices --------------------------------------------------------------------------------------------------------


def _cost(attacks: Iterable[Any], asked: _Asked) -> Cost:
    """Price the weapons of some attacks: each once, again for each off-hand one, and as many as are carried."""
    numbers: Counter[str] = Counter()
    bought: dict[str, Row] = {}
    for attack in attacks:
        if not isinstance(attack, Mapping) or "event" in attack:
            continue
        if attack.get("weapon") is None:
            return Cost()
        row: Row = asked.rows.weapon(attack["weapon"], attack.get("kind"))
        if row.id.endswith("-melee"):  # one thing with two uses
            row = next((one for one in asked.rows.weapons if one.id == row.id.removesuffix("-melee")), row)
        bought[row.id] = row
        more = attack.get("carried") or 1
        numbers[row.id] = max(numbers[row.id] + bool(attack.get("off_hand") and numbers[row.id]), more)
    return price_of([(row, numbers[id]) for id, row in bought.items()], asked.faction)


def price_of(things: Iterable[tuple[Row, int]], faction: Faction | None = None) -> Cost:
    """Price some things together.

    Parameters
    ----------
    things : iterable of (Row, int)
        What, and how many of it.
    faction : Faction, optional
        Who pays; default: whoever pays least, in glory and then in ducats, among those that can buy all of it.

    Returns
    -------
    Cost
        Without a price where something cannot be bought. Where no one faction can buy it all, each thing is counted
        where it is cheapest, and ``faction`` is ``several``.

    Examples
    --------
    >>> rows = open_catalog("1.6.3")
    >>> price_of([(rows.weapon("Greatsword / Greataxe"), 1)]).ducats
    7
    """
    things = list(things)
    if not things:
        return Cost()
    if faction is not None:
        found = _paid_by(things, faction)
        return replace(found, faction=faction.name) if found is not None else Cost(faction=faction.name)
    rows = [row for row, _ in things]
    named = [*(name for row in rows for name in getattr(row, "factions", ()))]
    named += [price.faction for row in rows for price in row.prices if price.faction]
    paid = {name: _paid_by(things, _faction(name, rows[0].edition)) for name in named or [""]}
    offers = {name: cost for name, cost in paid.items() if cost is not None}
    if offers:
        name, best = min(offers.items(), key=lambda offer: (offer[1].glory, offer[1].ducats))
        return best if all(cost == best for cost in offers.values()) else replace(best, faction=name)
    each = [price_of([thing]) for thing in things] if len(things) > 1 else []
    if not each or any(one.ducats is None for one in each):
        return Cost()
    return Cost(sum(one.ducats or 0 for one in each), sum(one.glory or 0 for one in each), faction="several")


@cache
def _faction(name: str, edition: str) -> Faction:
    try:
        return armoury(edition).faction(name)
    except InputError:  # of a user's own catalogue, or of nobody's warband
        return Faction(name)


def _paid_by(things: list[tuple[Row, int]], faction: Faction) -> Cost | None:
    """What a faction pays; None where it cannot buy all of it."""
    ducats = glory = 0
    for row, number in things:
        price = _price(row, faction)
        if price is None:
            return None
        ducats += number * price.amount * (price.currency == "ducats")
        glory += number * price.amount * (price.currency == "glory")
    return Cost(ducats, glory)


def _price(row: Row, faction: Faction) -> Price | None:
    """A variant's own price first, then that of its base, then one for all who may have it."""
    sold_to = getattr(row, "factions", ())
    for whose in (faction.name, faction.base, ""):
        if whose or not sold_to or {faction.name, faction.base} & set(sold_to):
            for price in row.prices:
                if price.faction == whose:
                    return price
    return None
