"""The default output of questions: the answers first, then the rule, what was asked, what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tcsim.base.lang import retold, tr
from tcsim.base.text import about, decimals_for, percent
from tcsim.cli.terminal import bar, paragraph, say, table
from tcsim.questions.asking import Reply
from tcsim.questions.question import PROBABILITY, YES_OR_NO, Answer, as_decimal
from tcsim.questions.reference import written_value
from tcsim.questions.ruleset import Ruleset

#: Columns of a bar beside labels, and beside numbers.
SHORT_BAR, LONG_BAR = 15, 25

#: Longest fraction that is printed beside an answer, and in a table of a family; JSON has them all.
MAX_FRACTION, MAX_FAMILY = 15, 9


def print_questions(ruleset: Ruleset) -> None:
    """List the questions of a ruleset.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    """
    say(tr("Questions of {system}", system=ruleset.system))
    say()
    part: list[list[str]] = []
    for entry in ruleset.entries:
        if entry.name in ruleset.heads:
            _print_part(part)
            part = []
            say(tr(ruleset.heads[entry.name]))
        part.append([entry.name, tr(entry.title), *_only_in(ruleset, entry.name)])
    _print_part(part)
    example = ruleset.question(ruleset.entries[0].name)
    paragraph(
        "", tr("Inputs, answers and rule of one: {command}", command=f"{ruleset.command} {example.name} --help"), 0
    )
    paragraph("", tr("Ask it: {command}", command=ruleset.line(example, example.examples[0])), 0)


def _print_part(rows: list[list[str]]) -> None:
    if rows:
        table([""] * len(rows[0]), rows, "lwl")
        say()


def _only_in(ruleset: Ruleset, name: str) -> list[str]:
    """The editions of a question, where the edition has to be said; nothing where there is a default."""
    if not ruleset.edition_needed:
        return []
    editions = ruleset.editions_of(ruleset.question(name))
    return [tr("all") if editions == ruleset.editions else ", ".join(editions)]


def print_reply(ruleset: Ruleset, reply: Reply) -> None:
    """Print the answers to a question for the gaming table.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    reply : Reply
        Exact or rolled.
    """
    how = tr("exact")
    if reply.trials is not None:
        how = tr("rolled {trials} times, seed {seed}", trials=f"{reply.trials:,}", seed=reply.seed)
        how += tr(", partial") if reply.partial else ""
    paragraph("", f"{tr(ruleset.entry(reply.question.name).title)}   ({reply.asked.edition}, {how})", 0)
    single = [answer for answer in reply.question.answers if answer.name in reply.answers]
    rows = [_row(answer, reply.answers[answer.name]) for answer in single]
    if rows:
        say()
        table(("", "", "", ""), [[*row, ""][:4] for row in rows], "wrll")
    for answer in reply.question.answers:
        begin = f"{answer.name}_"
        members = {name[len(begin) :]: found for name, found in reply.answers.items() if name.startswith(begin)}
        if answer.family and members:
            say()
            _print_family(answer, members, answer.labels_in(reply.asked))
    say()
    _print_asked(reply)


def _row(answer: Answer, found: Mapping[str, Any], most: int = MAX_FRACTION) -> list[str]:
    """An answer: what it says, its value, in other words, exactly or within which interval."""
    value, help_ = found["value"], tr(answer.help)
    if value is None:
        return [help_, "–", "", tr("never seen")]
    if answer.unit == YES_OR_NO and value in (0, 1) and "low" not in found:
        return [help_, tr("yes") if value else tr("no"), "", ""]
    chance = answer.unit == PROBABILITY
    if "fraction" in found or "low" not in found:
        exact = found.get("fraction", "")
        exact = f"= {exact}" if "/" in exact and len(exact) <= most else ""
        return (
            [help_, percent(value), about(value), exact] if chance else [help_, f"{value:.4g}", tr(answer.unit), exact]
        )
    low, high = found["low"], found["high"]
    if not chance:
        within = tr("95%: {low} to {high}", low=f"{low:.4g}", high=f"{high:.4g}")
        return [help_, f"{value:.4g}", tr(answer.unit), within]
    decimals = decimals_for(low, high)
    within = tr("95%: {low} to {high}", low=percent(low, decimals), high=percent(high, decimals))
    rounded = (
        about(value)
        if 0 < value < 1
        else tr("{count} of {trials}", count=f"{found['count']:,}", trials=f"{found['looks']:,}")
    )
    return [help_, percent(value, decimals) if 0 < value < 1 else percent(value), rounded, within]


def _print_family(answer: Answer, members: Mapping[str, Mapping[str, Any]], labels: Mapping[str, str]) -> None:
    values = [float(found["value"] or 0) for found in members.values()]
    top = max(map(abs, values)) or 1.0
    rows = []
    for (name, found), value in zip(members.items(), values, strict=True):
        _, number, _, exact = _row(answer, found, MAX_FAMILY)
        drawn = bar(abs(value) / top, SHORT_BAR if labels else LONG_BAR)
        drawn = drawn.replace("#", "-") if value < 0 else drawn  # less of something
        rows.append([labels.get(name, name), *([drawn] if answer.bars else []), number, exact])
    paragraph("", tr(answer.help), 0)
    table([""] * len(rows[0]), rows, ("w" if labels else "r") + "l" * answer.bars + "rl")


def _print_asked(reply: Reply) -> None:
    inputs = {one.name: one for one in reply.question.inputs}
    written = {
        name: f"{name}={as_decimal(value) if isinstance(value, Fraction) else written_value(inputs[name], value)}"
        for name, value in reply.asked.values.items()
        if value is not None
    }
    asked = [text for name, text in written.items() if name in reply.asked.given]
    assumed = [
        text
        for name, text in written.items()
        if name not in reply.asked.given and reply.asked.values[name] is not False and reply.asked.counts(inputs[name])
    ]
    paragraph(tr("Rule"), tr(reply.question.rule_in(reply.asked.edition)), 10)
    paragraph(tr("Source"), reply.question.source_in(reply.asked.edition), 10)
    if asked:
        paragraph(tr("Asked"), ", ".join(asked), 10)
    if assumed:
        paragraph(tr("Assumed"), ", ".join(assumed), 10)
    for note in reply.notes:
        paragraph(tr("Note"), retold(note), 10)
