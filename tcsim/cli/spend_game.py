"""The advice of ``tcsim spend`` where both players choose: a line for each roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.cli.terminal import paragraph, say, table
from tcsim.engines import game_advice

if TYPE_CHECKING:
    from tcsim.analysis.spending import Spending
    from tcsim.engines.game_advice import Decision

#: Most lines, and the chance of the rarest decision that has one; --json and --csv have all.
MAX_LINES, RAREST = 40, 0.005

_ROLLS = {
    game_advice.RISKY_ROLL: mark("risky action"),
    game_advice.ACTION_ROLL: mark("action roll"),
    game_advice.PLAIN_HIT: mark("plain hit"),
    game_advice.CRITICAL_HIT: mark("critical hit"),
}


def print_decisions(found: Spending) -> None:
    """Print what both players spend, attack by attack.

    Parameters
    ----------
    found : Spending
        Where both players choose.
    """
    say(tr("What the target's player and the attacker's spend where both play best"))
    rolls: dict[tuple[object, ...], dict[str, Decision]] = {}  # both players decide for one roll
    for one in found.decisions:
        if one.chance >= RAREST:
            where = (one.attack, one.roll, one.state, one.own_blood, one.own_blessing, one.ended, one.hits, one.hit)
            rolls.setdefault(where, {})[one.who] = one
    often = sorted(rolls, key=lambda where: -_any(rolls[where]).chance)[:MAX_LINES]
    rows, before = [], 0
    for both in (rolls[where] for where in rolls if where in often):
        one = _any(both)
        number = str(one.attack) if one.attack != before else ""
        players = (game_advice.TARGETS_PLAYER, game_advice.ATTACKERS_PLAYER)
        spent = [_spent(both[who]) if who in both else "" for who in players]
        rows.append([number, _roll(one), percent(one.chance), _held(one), *spent])
        before = one.attack
    heads = (tr("attack"), tr("roll"), tr("how often"), tr("to be spent"))
    table((*heads, tr("target's"), tr("attacker's")), rows, "llrwww")
    rare = len(found.decisions) - sum(len(rolls[where]) for where in often)
    if rare:
        told = mark("{n} decisions that play comes to more rarely are left out; --csv has all.")
        paragraph("", tr(told, n=rare), 2)


def _any(both: dict[str, Decision]) -> Decision:
    return next(iter(both.values()))


def _roll(one: Decision) -> str:
    """What it is spent on; of several hits resolved together also which of them."""
    return tr(_ROLLS[one.roll]) + (f" {one.hit}/{len(one.hits)}" if len(one.hits) > 1 and one.hit else "")


def _held(one: Decision) -> str:
    """What can be spent (on an action roll the attacker's markers, on a hit the target's), and how the target is."""
    state = one.state
    told = [_markers(state.blood + state.infection, state.blessing)]
    if one.roll in (game_advice.ACTION_ROLL, game_advice.RISKY_ROLL):
        told = [_markers(one.own_blood, one.own_blessing), tr("target: {markers}", markers=told[0])]
    if one.hits and not one.hit:
        kinds = tr(_ROLLS[game_advice.PLAIN_HIT]), tr(_ROLLS[game_advice.CRITICAL_HIT])
        told.append(tr("before it: {hits}", hits=", ".join(kinds[critical] for critical in one.hits)))
    told += [tr("Down")] if state.down else []
    told += [tr("TOUGH left")] if state.tough else []
    return "; ".join([*told, *([tr("activation ended")] if one.ended else [])])


def _spent(one: Decision) -> str:
    bath = [tr("Bloodbath")] if one.bloodbath else []
    markers = [_markers(one.blood, one.blessing)] if one.blood or one.blessing else []
    return ", ".join([*bath, *markers]) or tr("keep")


def _markers(blood: int, blessing: int) -> str:
    kinds = ((mark("{n} blood"), blood), (mark("{n} blessing"), blessing))
    return ", ".join(tr(words, n=n) for words, n in kinds if n) or tr("none")
