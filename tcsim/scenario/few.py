"""What few attacks do (:class:`tcsim.scenario.problem.Special`), from the rules that hold for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tcsim.rules import Edition, Keyword
from tcsim.rules.mechanisms import asks_fellow
from tcsim.scenario.problem import DOWN, NO_EFFECT, OUT, Special
from tcsim.scenario.special import Holding


class Line(NamedTuple):
    """Why a number is what it is.

    ``roll``: ``action`` (DICE), ``injury`` (injury dice), ``modifier`` (added to the injury total), ``keep`` (dice
    kept in the injury roll), ``markers`` of keywords, ``extra markers``, ``shots``, or a field of ``Special`` (a result
    and a factor of markers as what they are more than without). ``when``: empty for always, else ``standing``,
    ``down``, ``critical``, ``attack 2``, or two of them with ``and`` between, in order of the alphabet.
    """

    roll: str
    amount: int
    why: str
    when: str = ""


_RESULTS = {"down": DOWN, "down_no_marker": DOWN, "ooa": OUT}
#: Effects that are a field of ``Special`` as they stand.
_FIELDS = {"injury_set6": "sixes", "infection_extra": "infection"}
_PLACED = frozenset({"blood_placed", "infection_placed", "marker_placed"})
#: Fields of ``Special`` by which an attack places infection markers.
INFECTING = frozenset({"infects", "infection", "infection_if_marked"})
#: What the injury result of an attack does not place: one that infects, or any other.
_NOT_PLACED = {True: {"blood_placed"}, False: {"infection_placed"}}


class Few(NamedTuple):
    """What the lines of few attacks depend on besides.

    ``fellow``: which model of a fireteam attacks, 1 or 2. ``falls``: whether Down is Down only as armour is ignored.
    """

    edition: Edition
    fellow: int = 1
    falls: bool = False


def special_lines(holding: Iterable[Holding], words: Iterable[Keyword], situation: Few) -> Iterator[Line]:
    """Give a line for each number that differs from what attacks usually do.

    Parameters
    ----------
    holding : iterable of Holding
        The rules that hold, of either side.
    words : iterable of Keyword
        The attack's keywords.
    situation : Few
        What else they depend on.

    Yields
    ------
    Line
        With a field of ``Special`` as its roll.
    """
    words, charts = list(words), situation.edition.charts
    infects = any(word.infects for word in words)
    for word in words:
        yield Line("infects", int(word.infects), word.name)
    for one in holding:
        effect, names = one.effect, {condition.name for condition in one.effect.conditions}
        if effect.target == "crit_on":
            per_marker = effect.number is None
            lower = 1 if per_marker else charts.critical - int(effect.value)
            yield Line("critical_lower_per_marker" if per_marker else "critical_lower", lower, one.why)
        elif effect.target == "injury_modifier" and effect.counter == "target_blood":
            yield Line("modifier_per_marker", one.amount, one.why)
        elif effect.target == "infection_extra" and names & _PLACED:
            if not names & _NOT_PLACED[infects]:
                yield Line("infection_if_marked", one.amount, one.why)
        elif effect.target in _FIELDS:
            yield Line(_FIELDS[effect.target], one.amount, one.why)
        elif effect.target == "reroll":
            yield Line("rerolls", 2 if effect.value == "failed_but_for_1" else 1, one.why)
        elif effect.target == "bloodbath_cost":
            yield Line("bloodbath_cheaper_standing" if one.when else "bloodbath_cheaper", -one.amount, one.why)
            if asks_fellow(effect):
                yield Line("strikes", situation.fellow, one.why)
                yield Line("if_struck", 3 - situation.fellow, one.why)
        elif effect.target == "weapon_keyword" and one.when:
            yield Line("auto_hit", 1, one.why, one.when)
        elif effect.target == "reaction":
            yield Line("reaction_takes", -one.amount, one.why)
            yield Line("reaction_dice_down", situation.edition.modifiers["attacker_down"].action_dice, one.why)
        elif effect.target == "ignore_armour" and effect.value == "worn" and situation.falls:
            yield Line("keeps_down", 1, one.why)
        elif effect.target == "blood_factor":
            yield Line("marker_factor", one.amount - 1, one.why)
        elif effect.target == "no_injury_roll":
            yield Line("result", NO_EFFECT + 1, one.why)
        elif effect.value == "minor_hit->down" or "result_minor" in names:
            yield Line("down_for_minor", 1, one.why)
        elif effect.target == "result" and "all_hit" not in names and effect.value in _RESULTS:
            yield Line("result", _RESULTS[effect.value] + 1, one.why)
            yield Line("marker_factor", -1 if effect.value == "down_no_marker" else 0, one.why)


#: Fields of which the larger counts where two rules say them; of the others the sum.
_LARGEST = frozenset(
    {"critical_lower", "critical_lower_per_marker", "sixes", "infects", "down_for_minor", "result", "rerolls"}
    | {"strikes", "if_struck", "keeps_down"}
)


def special_of(lines: Iterable[Line]) -> Special:
    """Give the numbers of an attack.

    Parameters
    ----------
    lines : iterable of Line
        All its lines.

    Returns
    -------
    Special
        The defaults where nothing is special.
    """
    amounts: dict[str, list[int]] = {}
    for line in lines:
        if line.roll in Special._fields:
            amounts.setdefault(line.roll, []).append(line.amount)
    changed = {name: max(found) if name in _LARGEST else sum(found) for name, found in amounts.items()}
    if "result" in changed:
        changed["result"] -= 1
    if "marker_factor" in changed:
        changed["marker_factor"] += 1
    return Special(**changed)
