"""``tcsim turn``: a turn, or several, of two warbands."""

from __future__ import annotations

from typing import Any

import click

from tcsim.base.errors import one_line
from tcsim.base.lang import mark, retold, tr
from tcsim.base.text import about, columns, decimals_for, percent, plural
from tcsim.cli import lang_option, terminal
from tcsim.cli.figures import check_plot, plot_option
from tcsim.cli.inputs import WholeNumber, catalog_option
from tcsim.cli.rolling import deliver, file_argument, given_file, rolling_options
from tcsim.cli.terminal import paragraph, say, table
from tcsim.skirmish.arena import SIDES
from tcsim.skirmish.course import DESTROYED, FLED, LOST_NERVE, TESTED
from tcsim.skirmish.model import GAME_TARGETINGS
from tcsim.skirmish.outcome import Dice
from tcsim.skirmish.turn import TurnResult
from tcsim.stats import interval


@click.command(
    epilog="""\b
Examples:
  tcsim turn game.toml --demo
  tcsim turn game.toml --turns 1
  tcsim turn game.toml --method monte-carlo --trials 2e5 --plot wins.png
""",
)
@file_argument
@click.option("--turns", type=WholeNumber(1, 100), default=None, help="Turns played at most; default 6.")
@click.option("--targeting", type=click.Choice(GAME_TARGETINGS), default=None, help="How both sides choose targets.")
@rolling_options
@catalog_option
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@plot_option
def turn(file: str, turns: int | None, targeting: str | None, catalogs: tuple[str, ...], **flags: Any) -> int:
    """Say what happens in a turn or a game of two warbands: losses, morale, and who wins.

    FILE (.toml or .json) holds both warbands; --demo writes one, and docs/turns.md tells its tables.
    """
    check_plot(flags["plot"])
    from tcsim.skirmish.turn import answer, ready_game

    given = given_file(file, "turn.toml" if flags["demo"] else None, flags)
    arena = ready_game(given, turns, targeting, catalogs or None)
    with terminal.progress("rolling", flags["trials"]) as advance:
        found = answer(arena, flags["method"], Dice(flags["trials"], flags["seed"], flags["threads"], advance))
    return deliver(found, flags, print_turn, "wins_by_turn", found.course.partial)


def print_turn(found: TurnResult) -> None:
    """Print a game for the gaming table.

    Parameters
    ----------
    found : TurnResult
        The answer.
    """
    arena, course = found.arena, found.course
    neither = max(0.0, 1 - float(course.over[-1]))
    heads = [tr("{who} wins", who=one_line(name, 36)) for name in found.names]
    heads.append(tr("neither, after {turns}", turns=plural(arena.turns, "turn")))
    _wins(list(zip(heads, (*found.wins, neither), strict=True)), course.trials)
    say()
    indent = max(9, min(max(map(columns, found.names)) + 2, 24))
    for side in SIDES:
        _warband(found, side, indent)
    how = tr("exact")
    if course.trials is not None and found.dice is not None:
        how = tr("{trials} trials rolled, seed {seed}", trials=f"{course.trials:,}", seed=found.dice.seed)
        how += tr(", partial") if course.partial else ""
    stands = mark("Down models stand as the next turn begins")
    if not arena.stands_at_turn:
        stands = mark("Down models stand as they are activated")
    fails = (
        mark("a failed morale test is flight") if arena.flight else mark("a failed morale test is Shaken, then rout")
    )
    paragraph(tr("Rules"), "; ".join([f"{arena.game.edition}, {how}", tr(stands), tr(fails)]), indent)
    say()
    _by_turn(found)
    for side in SIDES:
        say()
        _losses(found, side)
    assumed = "; ".join(map(retold, arena.assumed))
    notes = [*found.notes, *([tr("Assumed: {assumed}.", assumed=assumed)] if assumed else [])]
    if notes:
        say()
    for text in notes:
        paragraph("", one_line(retold(text), 600), 0)


def _wins(rows: list[tuple[str, float]], trials: int | None) -> None:
    """Who wins, how often: the answer in three lines."""
    told = []
    for head, p in rows:
        cells = [head, percent(p), f"({about(p)})"]
        if trials is not None:
            _, low, high = interval(round(p * trials), trials)
            places = decimals_for(low, high)
            within = tr("{low} to {high}", low=percent(low, places), high=percent(high, places))
            cells = [head, percent(p, places), cells[2], tr("95% interval {within}", within=within)]
        told.append(cells)
    table(("",) * len(told[0]), told, "wrll")


def _warband(found: TurnResult, side: int, indent: int) -> None:
    band, test = found.arena.game.warbands[side], found.arena.test(side)
    models = ", ".join(f"{fighter.target.count} {fighter.target.name}" for fighter in band.fighters)
    told = mark("{models}; targets: {targeting}; morale test at {needed} Down or out of action")
    text = tr(told, models=models, targeting=band.targeting, needed=test.needed)
    if found.arena.leads[side] is not None:
        text += "; " + tr("with a LEADER")
    paragraph(one_line(band.name, 22), text, indent)


def _by_turn(found: TurnResult) -> None:
    say(tr("By the end of each turn"))
    one, other = (one_line(name, 14) for name in found.names)
    rows = []
    for number in range(found.arena.turns):
        wins = found.course.wins[number]
        rows.append(
            [
                str(number + 1),
                percent(float(wins[0])),
                percent(float(wins[1])),
                percent(float(found.course.over[number])),
                *(f"{found.expected_out(side, number + 1):.2f}" for side in SIDES),
            ]
        )
    heads = (
        *(tr("turn"), tr("{name} wins", name=one), tr("{name} wins", name=other), tr("over")),
        *(tr("{name} out", name=one), tr("{name} out", name=other)),
    )
    table(tuple("\n".join(head.rsplit(" ", 1)) for head in heads), rows, "rrrrrr")
    paragraph("", tr("out: mean number out of action; a game that is over stays as it is."), 2)


def _losses(found: TurnResult, side: int) -> None:
    say(tr("{name}, turn by turn", name=found.names[side]))
    rows, events = [], found.course.events
    for number in range(found.arena.turns):
        tested, failed, fled, destroyed = (
            float(events[number, side, one]) for one in (TESTED, LOST_NERVE, FLED, DESTROYED)
        )
        rows.append([str(number + 1), *map(percent, (tested, failed, fled, destroyed))])
    heads = (tr("turn"), tr("morale test"), tr("failed"), tr("fled"), tr("destroyed"))
    table(heads, rows, "rrrrr")
    told = mark("After the last turn {parts}.")
    parts = [
        tr("{n} out {p}", n=n, p=percent(p)) for n, p in enumerate(found.out(side, found.arena.turns)) if p >= 0.0005
    ]
    paragraph("", tr(told, parts=", ".join(parts[:8])), 2)
