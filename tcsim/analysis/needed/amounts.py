"""What a scenario can have more or less of, for questions like "how many attacks" and "up to which distance"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import mark, tr
from tcsim.base.text import plural, signed
from tcsim.scenario.resolve import Resolved

#: A scenario as plain data, a number, and the question as it was asked: gives the scenario with that number.
Put = Callable[[dict[str, Any], float, Resolved], dict[str, Any]]

#: Farthest that distances are looked at where nothing says less, in inches.
_FAR = 48


@dataclass(frozen=True)
class Amount:
    """Something a scenario has more or less of.

    Parameters
    ----------
    name : str
        As it is asked for.
    head : str
        What its numbers are, for the head of a table and below an axis.
    usual : tuple of int
        The first and the last number that are looked at, if nothing else is said.
    limits : tuple of int
        The least and the largest number that the rules, or a scenario, allow.
    put : callable
        Makes the scenario with a number of it.
    words : callable
        Writes a number of it.
    halves : bool, optional
        Whether it is looked at in steps of a half.
    replaces : bool, optional
        Whether it stands in place of what the question says, so that this is not what is shown of it.
    """

    name: str
    head: str
    usual: tuple[int, int]
    limits: tuple[int, int]
    put: Put
    words: Callable[[float], str]
    halves: bool = False
    replaces: bool = False

    def numbers(self, span: tuple[float | None, float | None], farthest: float) -> list[float]:
        """Give the numbers that are looked at, in the order in which there is more and more of it.

        Parameters
        ----------
        span : tuple of float or None
            The first and the last; None for the usual ones.
        farthest : float
            The usual last number of a distance.

        Returns
        -------
        list of float
            Whole numbers, or halves.

        Raises
        ------
        InputError
            For numbers outside the limits, or a first behind the last.
        """
        first, last = self.usual
        usual = (first, farthest if self.halves else last)
        ends = [own if given is None else given for own, given in zip(usual, span, strict=True)]
        for name, given in zip(("from", "to"), ends, strict=True):
            low, high = self.limits
            steps = given * (2 if self.halves else 1)
            if not low <= given <= high or steps != int(steps):
                allowed = f"{'a number of halves' if self.halves else 'a whole number'} from {low} to {high} is allowed"
                raise InputError(f"{show(given)} is given, {allowed} for {self.name}", name)
        way = -1 if last < first else 1
        count = (ends[1] - ends[0]) * way * (2 if self.halves else 1)
        if count < 1:
            raise InputError(f"{ends[0]:g} to {ends[1]:g} is given, {self.name} goes from {first} to {last}", "from")
        step = way * (0.5 if self.halves else 1)
        return [_whole(ends[0] + step * i) for i in range(int(count) + 1)]


def _whole(number: float) -> float:
    return int(number) if float(number).is_integer() else number


def _set(table: str, key: str) -> Put:
    """Put a number in a place of the scenario."""

    def put(data: dict[str, Any], number: float, question: Resolved) -> dict[str, Any]:
        return {**data, table: {**data.get(table, {}), key: number}}

    return put


def _add(key: str) -> Put:
    """Add a number to every attack."""

    def put(data: dict[str, Any], number: float, question: Resolved) -> dict[str, Any]:
        attacks = [
            table if "event" in table else {**table, key: table.get(key, 0) + number} for table in data["attacks"]
        ]
        return {**data, "attacks": attacks}

    return put


def _so_many_attacks(data: dict[str, Any], number: float, question: Resolved) -> dict[str, Any]:
    """Go through the attacks again and again, in order, until so many are made; what is counted is carried."""
    tables = []
    for table, action in zip(data["attacks"], question.actions, strict=True):
        words = (question.rules.keywords.get(name.rstrip("0123456789 ()")) for name in action.keywords)
        counted = any(word is not None and word.counted for word in words)
        carried = {"carried": min(100, int(number) * action.step.shots)} if counted and "carried" not in table else {}
        tables.append({**table, **carried})
    made, story = 0, []
    while made < number:
        for table in tables:
            if made == number:
                break
            if "event" in table:
                story.append(table)
                continue
            times = min(table.get("times", 1), int(number) - made)
            made += times
            if story and {**story[-1], "times": 1} == {**table, "times": 1} and story[-1]["times"] + times <= 100:
                story[-1] = {**table, "times": story[-1]["times"] + times}
            else:
                story.append({**table, "times": times})
    return {**data, "attacks": story}


def _armour(data: dict[str, Any], number: float, question: Resolved) -> dict[str, Any]:
    """Put an armour in place of what the target wears."""
    target = data.get("target", {})
    if "unit" in target:
        raise InputError(
            f"{show(target['unit'])} has an armour of its own, so that other armours cannot be asked for; say what the "
            "target is by its numbers, as tough and keywords",
            "target.unit",
        )
    kept = {name: value for name, value in target.items() if name != "armour"}
    return {**data, "target": {**kept, "injury_modifier": number}}


def _distance(data: dict[str, Any], number: float, question: Resolved) -> dict[str, Any]:
    """Put every shot and every charge at a distance."""
    attacks = []
    for table, action in zip(data["attacks"], question.actions, strict=True):
        far = table.get("event") == "charge" or action.kind == "ranged"
        attacks.append({**table, "distance": number} if far else table)
    if attacks == data["attacks"] and not any("distance" in table for table in attacks):
        raise InputError("no attack is a shot and nothing charges, so no distance matters", "attacks")
    return {**data, "attacks": attacks}


def farthest(questions: list[Resolved]) -> float:
    """Give the distance beyond which nothing is reached: the longest range, or that of a charge.

    Parameters
    ----------
    questions : list of Resolved
        One, or two that are compared.

    Returns
    -------
    float
        Inches.
    """
    found = [0.0]
    for question in questions:
        for table, action in zip(question.scenario.attacks, question.actions, strict=True):
            if action.reach is not None:
                found.append(float(question.rules.activation["charge_in"]))
            elif action.kind == "ranged":
                found.append(float(_range_of(table, question) or 0))
    return min(max(found) or _FAR, 200)


def _range_of(table: Any, question: Resolved) -> int | None:
    from tcsim.scenario.weapon import weapon_of

    return weapon_of(table, question.catalog, question.rules, [], "attacks").range_in


def _inches(number: float) -> str:
    return tr("{n} inch" if number == 1 else "{n} inches", n=f"{number:g}")


def _counted(one: str) -> Callable[[float], str]:
    return lambda number: plural(int(number), one)


def _changed(text: str) -> Callable[[float], str]:
    return lambda number: tr(text, n=signed(int(number)))


def _attacker_blood(number: float) -> str:
    return tr("{markers} on the attacker", markers=plural(int(number), "blood marker"))


def _attacker_blessing(number: float) -> str:
    return tr("{markers} on the attacker", markers=plural(int(number), "blessing marker"))


#: All amounts by their names.
AMOUNTS = {
    one.name: one
    for one in (
        Amount("attacks", mark("number of attacks"), (1, 30), (1, 100), _so_many_attacks, _counted("attack")),
        Amount("dice", mark("DICE"), (-12, 12), (-40, 40), _add("action_dice"), _changed(mark("{n} DICE"))),
        Amount(
            "injury-dice",
            mark("injury dice"),
            (-12, 12),
            (-40, 40),
            _add("injury_dice"),
            _changed(mark("{n} injury dice")),
        ),
        Amount(
            "injury-modifier",
            mark("injury modifier"),
            (-6, 6),
            (-20, 20),
            _add("injury_modifier"),
            _changed(mark("injury modifier {n}")),
        ),
        Amount("blood", mark("blood markers"), (0, 6), (0, 6), _set("target", "blood"), _counted("blood marker")),
        Amount(
            "blessing",
            mark("blessing markers"),
            (0, 6),
            (0, 6),
            _set("target", "blessing"),
            _counted("blessing marker"),
        ),
        Amount(
            "infection",
            mark("infection markers"),
            (0, 6),
            (0, 6),
            _set("target", "infection"),
            _counted("infection marker"),
        ),
        Amount(
            "attacker-blood",
            mark("blood markers of the attacker"),
            (0, 6),
            (0, 6),
            _set("attacker", "blood"),
            _attacker_blood,
        ),
        Amount(
            "attacker-blessing",
            mark("blessing markers of the attacker"),
            (0, 6),
            (0, 6),
            _set("attacker", "blessing"),
            _attacker_blessing,
        ),
        Amount("armour", mark("armour"), (0, -3), (-20, 0), _armour, _changed(mark("armour {n}")), replaces=True),
        Amount(
            "distance", mark("distance in inches"), (1, _FAR), (0, 200), _distance, _inches, halves=True, replaces=True
        ),
    )
}


#: What a scenario calls by another name.
_AS_A_KEY = {"action-dice": "dice"}


def amount(name: Any) -> Amount:
    """Find an amount.

    Parameters
    ----------
    name : str
        As ``attacks``.

    Returns
    -------
    Amount
        What is asked for.

    Raises
    ------
    InputError
        When there is none of that name.

    Examples
    --------
    >>> amount("blood").usual, amount("attacks").words(3)
    ((0, 6), '3 attacks')
    """
    if not isinstance(name, str):
        raise InputError(f"{show(name)} is given, {', '.join(AMOUNTS)} is allowed", "what")
    known = name.strip().casefold().replace("_", "-")
    found = AMOUNTS.get(_AS_A_KEY.get(known, known))
    if found is None:
        raise unknown("amount", name, AMOUNTS, "what")
    return found
