"""A duel as a table for people."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from tcsim.base.lang import label, listed, mark, retold, tr
from tcsim.base.text import about, decimals_for, percent, plural, signed
from tcsim.cli.terminal import paragraph, say, table
from tcsim.duels.answer import answer_duel
from tcsim.duels.given import SIDES, GivenDuel
from tcsim.duels.resolve import ResolvedDuel, resolve_duel
from tcsim.duels.result import DuelResult
from tcsim.rules import word
from tcsim.stats import interval

#: Most rounds that are told one by one.
MAX_ROUNDS = 12


def print_duel(result: DuelResult) -> None:
    """Print a duel.

    Parameters
    ----------
    result : DuelResult
        Exact or rolled.
    """
    names = titles(result.resolved)
    _answer(result, names)
    say()
    _asked(result, names)
    say()
    _rounds(result)
    if result.run is None:
        _compare(result)
    _notes(result)


def titles(question: ResolvedDuel) -> tuple[str, str]:
    """Call each fighter by its letter and its unit.

    Parameters
    ----------
    question : ResolvedDuel
        The duel.

    Returns
    -------
    tuple of str
        As ``a Yeoman``, or ``a`` where it has no unit.
    """
    a, b = (side if name == side else f"{side} {name}" for side, name in zip(SIDES, question.names, strict=True))
    return a, b


def _answer(result: DuelResult, names: tuple[str, str]) -> None:
    chances = (result.a_wins, result.b_wins, result.neither)
    heads = (tr("{who} wins", who=names[0]), tr("{who} wins", who=names[1]), tr("neither"))
    rows = []
    for number, (head, chance) in enumerate(zip(heads, chances, strict=True)):
        row = [head, percent(chance), f"({about(chance)})"]
        if result.run is not None:
            a, b = result.counts()
            count = (a, b, result.run.trials - a - b)[number]
            _, low, high = interval(count, result.run.trials)
            decimals = decimals_for(low, high)
            within = tr("{low} to {high}", low=percent(low, decimals), high=percent(high, decimals))
            row[1:] = [percent(chance, decimals), row[2], tr("95% interval {within}", within=within)]
        rows.append(row)
    table(("",) * len(rows[0]), rows, "wrll")


def _asked(result: DuelResult, names: tuple[str, str]) -> None:
    question, given = result.resolved, result.resolved.given
    for side in (0, 1):
        paragraph(SIDES[side], _told(question, side))
    how = tr("exact")
    if result.run is not None:
        how = tr(
            "{trials} {drawn}, seed {seed}",
            trials=plural(result.run.trials, "trial"),
            drawn=tr("rolled"),
            seed=result.run.seed,
        )
        how += tr(", partial") if result.run.partial else ""
    rules = [f"{given.edition}, {how}", tr("{who} is first in each round", who=given.first)]
    if given.approach is not None:
        rules.append(tr("{inches} inches apart at the start", inches=f"{given.approach.distance:g}"))
        rules.append(tr(_CHARGES[given.approach.who_charges]))
    if given.spend.mode == "optimal":
        rules.append(tr("both spend markers optimally"))
    rules += [f"{name} = {word(value)}" for name, value in question.options.items()]
    paragraph(tr("Rules"), "; ".join(rules))


_CHARGES = {
    "a": mark("only a charges"),
    "b": mark("only b charges"),
    "first-able": mark("whoever first can charges"),
    "best": mark("who charges is the players' choice"),
}


def _told(question: ResolvedDuel, side: int) -> str:
    """What a fighter is, has, and what its player spends."""
    mine, theirs = question.directions[side], question.directions[1 - side]
    fighter = (question.given.a, question.given.b)[side]
    start, target = question.duel.fighters[side].start, theirs.target
    parts = [] if fighter.unit is None else [question.names[side]]
    armour = target.label.removeprefix(question.names[side]).removeprefix(", ")
    parts.append(tr("armour {n}", n=signed(target.modifier())) + (f" ({listed(armour)})" if armour else ""))
    parts += [label("TOUGH")] if start.tough else []
    parts += [label("Down")] if start.down else []
    parts += [plural(start.blood, "blood marker")] if start.blood else []
    parts += [plural(start.blessing, "blessing marker")] if start.blessing else []
    parts += [plural(start.infection, "infection marker")] if start.infection else []
    weapons = [tr(action.label) + (f" ({tr('off hand')})" if _off(action) else "") for action in mine.actions]
    parts.append(tr("with {weapons}", weapons=", ".join(weapons)))
    spend = fighter.spend
    for text, value in (
        (mark("spends the other's blood on injury rolls: {policy}"), spend.blood_on_injury),
        (mark("the other's blood on its action rolls: {policy}"), spend.blood_on_action),
        (mark("its blessings on injury rolls: {policy}"), spend.blessing_on_injury),
        (mark("its blessings on action rolls: {policy}"), spend.blessing_on_action),
    ):
        parts += [tr(text, policy=value)] if value != "none" else []
    return "; ".join(parts)


def _off(action: Any) -> bool:
    return any(line.why == "off hand" for line in action.lines)


def _rounds(result: DuelResult) -> None:
    rows = []
    for number, (a, b) in enumerate(result.story, 1):
        rows.append([str(number), percent(a), percent(b), percent(max(0.0, 1 - a - b))])
    if len(rows) > MAX_ROUNDS:
        left_out = tr("… {n} more", n=len(rows) - MAX_ROUNDS)
        rows = [*rows[: MAX_ROUNDS - 1], [left_out, "", "", ""], rows[-1]]
    table((tr("by round"), tr("a has won"), tr("b has won"), tr("neither")), rows, "lrrr")
    paragraph("", tr("It lasts {n} rounds on average.", n=f"{result.length:.1f}"), 2)


def _compare(result: DuelResult) -> None:
    """What it would come to if the other were first, or others charged."""
    given = result.resolved.given
    ways: list[tuple[str, GivenDuel]] = [
        (tr("{who} is first", who=side), structs.replace(given, first=side)) for side in SIDES
    ]
    if given.approach is not None:
        for who in ("a", "b", "first-able", *(("best",) if given.spend.mode == "optimal" else ())):
            approach = structs.replace(given.approach, who_charges=who)
            ways.append((tr(_CHARGES[who]), structs.replace(given, approach=approach)))
    rows = []
    for name, other in ways:
        same = other == given
        found = result if same else answer_duel(replace_given(result.resolved, other))
        rows.append([name, percent(found.a_wins), percent(found.b_wins), percent(found.neither), "<" if same else ""])
    say()
    table((tr("if"), tr("a wins"), tr("b wins"), tr("neither"), ""), rows, "lrrrl")


def replace_given(question: ResolvedDuel, given: GivenDuel) -> ResolvedDuel:
    """Resolve a duel that differs a little from one that is resolved, with the same catalogue.

    Parameters
    ----------
    question : ResolvedDuel
        The one that is resolved.
    given : GivenDuel
        The other.

    Returns
    -------
    ResolvedDuel
        The other, resolved.
    """
    return resolve_duel(given, question.directions[0].catalog)


def _notes(result: DuelResult) -> None:
    question, given = result.resolved, result.resolved.given
    assumed = []
    for side, fighter in zip(SIDES, (given.a, given.b), strict=True):
        if fighter.unit is None:
            assumed.append(tr("{who} has 0 DICE characteristics", who=side))
    if given.approach is None:
        assumed.append(tr("they are in contact, and stay there"))
    else:
        assumed.append(tr("open ground, nobody in the way"))
    assumed += [tr(text) for text in question.assumed]
    say()
    for line in [*map(retold, question.notes), tr("Assumed: {assumed}.", assumed="; ".join(assumed))]:
        paragraph("", line, 0)
