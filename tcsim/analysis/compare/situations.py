"""In what situation loadouts are compared: named changes to every attack, its attacker and its target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tcsim.analysis.compare.targets import BETWEEN
from tcsim.base.errors import InputError, one_line, show, unknown
from tcsim.base.labels import ATTACK, english
from tcsim.base.lang import mark
from tcsim.catalog import Catalog
from tcsim.scenario import model
from tcsim.scenario.situation import kind_of
from tcsim.scenario.written import LISTS, read_model

#: Most situations of one comparison.
MOST_SITUATIONS = 50

_ATTACK = tuple(name for name in model.fields(model.Attack) if name not in ("weapon", "kind"))
_TARGET = tuple(model.fields(model.Target))
_ATTACKER = tuple(model.fields(model.Attacker))
#: What a situation may say: fields of an attack, of the target, of the attacker; the latter two with a prefix where the
#: name alone would mean another.
_WORDS: dict[str, tuple[str, str]] = {
    **{f"attacker_{name}": ("attacker", name) for name in _ATTACKER},
    **{f"target_{name}": ("target", name) for name in _TARGET},
    **{name: ("target", name) for name in _TARGET if name not in _ATTACK},
    **{name: ("attack", name) for name in _ATTACK},
}
#: Numbers that are added to those of the attack; anything else takes their place.
_ADDED = ("action_dice", "injury_dice", "injury_modifier")


@dataclass(frozen=True)
class Situation:
    """Changes to every attack of a comparison.

    Parameters
    ----------
    name : str
        What it is called.
    attack, target, attacker : mapping, optional
        Fields that change. DICE, injury dice and injury modifier of an attack are added, keywords are put beside those
        that are there, anything else takes the place of what was said. What belongs to one kind of attack (as cover to
        ranged ones) changes attacks of that kind alone.
    """

    name: str
    attack: Mapping[str, Any] = field(default_factory=dict, hash=False)
    target: Mapping[str, Any] = field(default_factory=dict, hash=False)
    attacker: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def changed(self, attack: Mapping[str, Any], rows: Catalog) -> dict[str, Any]:
        """Give an attack as it is in this situation.

        Parameters
        ----------
        attack : mapping
            An entry of a scenario's ``attacks``; events stay as they are.
        rows : Catalog
            Where the weapon's kind is looked up.

        Returns
        -------
        dict
            A new entry.
        """
        changed = dict(attack)
        if "event" in attack or not self.attack:
            return changed
        kind = attack.get("kind") or "ranged"
        if attack.get("weapon") is not None:
            kind = rows.weapon(attack["weapon"], attack.get("kind")).attack_kind
        for name, value in self.attack.items():
            if kind_of(name, rows.rules) not in ("", kind):
                continue
            if name in _ADDED:
                changed[name] = changed.get(name, 0) + value
            elif name == "keywords":
                changed[name] = [*changed.get(name, []), *value]
            else:
                changed[name] = value
        return changed


#: Nothing is changed.
AS_GIVEN = Situation(mark("as given"))


def read_situations(given: Any, where: str = "situations") -> tuple[Situation, ...]:
    """Read what situations are given.

    Parameters
    ----------
    given : str, mapping, Situation, or iterable of these; None
        A text is ``cover``, ``long_range,blood=3`` or, with a name before it, ``far=long_range,cover``: fields of an
        attack, of the target, or (as ``attacker_blood=1``) of the attacker; ``//`` stands between several. A mapping
        holds such fields, and perhaps ``name``. None: nothing is changed.
    where : str, optional
        The place in the input, for errors.

    Returns
    -------
    tuple of Situation
        At least one.

    Raises
    ------
    InputError
        For a field that does not exist, and one that is given twice.

    Examples
    --------
    >>> [(one.name, dict(one.attack), dict(one.target)) for one in read_situations("far=long_range // blood=3")]
    [('far', {'long_range': True}, {}), ('blood=3', {}, {'blood': 3})]
    """
    found = list(_read_all(given, where)) if given is not None else [AS_GIVEN]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the situation {show(name)} is given twice", where)
    if not 1 <= len(found) <= MOST_SITUATIONS:
        raise InputError(f"{len(found)} situations are given, 1 to {MOST_SITUATIONS} are allowed", where)
    return tuple(found)


def _read_all(given: Any, where: str) -> Iterator[Situation]:
    if isinstance(given, Situation):
        yield given
    elif isinstance(given, str):
        for text in given.split(BETWEEN):
            yield _read_text(text.strip(), where)
    elif isinstance(given, Mapping):
        table = dict(given)
        name = table.pop("name", "")
        if not isinstance(name, str) or len(name) > 200:
            raise InputError(f"{show(name)} is given, text of at most 200 characters is allowed", f"{where}: name")
        yield _sorted(name or ", ".join(f"{key}={value}" for key, value in table.items()), table, where)
    elif isinstance(given, Iterable):
        for one in given:
            yield from _read_all(one, where)
    else:
        raise InputError(f"{show(given)} is given; a text as cover,long_range or a table is allowed", where)


def _read_text(text: str, where: str) -> Situation:
    name, equals, rest = (part.strip() for part in text.partition("="))
    if not equals or "," in name or _field(name) in _WORDS or _field(name) == "keywords":
        name, rest = text, text
    if not name or not rest:
        raise InputError("there is nothing before or after =", where)
    if rest.casefold() == AS_GIVEN.name:
        return Situation(name)
    return _sorted(name, read_model(f"model,{rest}", _WORDS, where), where)


def _field(text: str) -> str:
    return english(text, ATTACK).casefold().replace("-", "_")


def _sorted(name: str, table: Mapping[Any, Any], where: str) -> Situation:
    """Tell fields of the attack, the target and the attacker apart."""
    parts: dict[str, dict[str, Any]] = {"attack": {}, "target": {}, "attacker": {}}
    for key, value in table.items():
        if key not in _WORDS:
            raise unknown("field of a situation", key if isinstance(key, str) else show(key), _WORDS, where)
        of, own = _WORDS[key]
        if own in _ADDED and (isinstance(value, bool) or not isinstance(value, int)):
            raise InputError(f"{show(value)} is given, a whole number is allowed", f"{where}: {key}")
        if own in parts[of]:
            raise InputError(f"{key} is given twice", where)
        parts[of][own] = value.split("+") if own in LISTS and isinstance(value, str) else value
    return Situation(one_line(name, 200), **parts)
