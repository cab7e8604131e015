"""Reference pages: every question of a ruleset, written from the same data as everything else."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

from tcsim.base.lang import tr
from tcsim.questions.kinds import Word
from tcsim.questions.question import Answer, Input, Question
from tcsim.questions.ruleset import Ruleset

#: Stands for an input that is left open.
OPEN = "–"

Said = TypeVar("Said", bound=Hashable)


def markdown(ruleset: Ruleset) -> str:
    """Write the questions of a ruleset as Markdown.

    Parameters
    ----------
    ruleset : Ruleset
        The game.

    Returns
    -------
    str
        A page, in the language of the moment.
    """
    lines = [f"# {tr('Questions of {system}', system=ruleset.system)}", ""]
    level = "###" if ruleset.heads else "##"
    for entry in ruleset.entries:
        if entry.name in ruleset.heads:
            lines += [f"## {tr(ruleset.heads[entry.name])}", ""]
        lines += [f"{level} {entry.name}", ""]
        lines += [*_page(ruleset, ruleset.question(entry.name), tr(entry.title)), ""]
    return "\n".join(lines)


def _page(ruleset: Ruleset, question: Question, title: str) -> Iterator[str]:
    yield title
    yield ""
    for line in by_edition(ruleset, question):
        yield f"- {line}"
    yield ""
    if question.inputs:
        editions = ruleset.editions_of(question)
        yield f"| {tr('input')} | {tr('what may be given')} | {tr('default')} | |"
        yield "|---|---|---|---|"
        for one in question.inputs:
            allowed = one.kind.allowed
            yield f"| `{one.name}` | {allowed} | {default_of(one, editions)} | {help_of(one, editions)} |"
        yield ""
    yield f"| {tr('answer')} | {tr('measure')} | |"
    yield "|---|---|---|"
    for answer in question.answers:
        yield f"| `{name_of(answer)}` | {tr(answer.unit)} | {tr(answer.help)} |"
    yield ""
    if question.float64:
        yield tr("Exact answers are float64, right to 1e-12, {when}.", when=tr(question.float64))
        yield ""
    yield "```sh"
    for example in question.examples:
        yield ruleset.line(question, example)
    yield "```"


def name_of(answer: Answer) -> str:
    """Write the name of an answer, or of a family of them.

    Parameters
    ----------
    answer : Answer
        The answer.

    Returns
    -------
    str
        As ``reach_…`` for a family.
    """
    return f"{answer.name}_…" if answer.family else answer.name


def by_edition(ruleset: Ruleset, question: Question) -> list[str]:
    """Write rule and source, the rule once where the editions agree.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    question : Question
        The question.

    Returns
    -------
    list of str
        A line for all editions, or one for each.
    """
    editions = ruleset.editions_of(question)
    rules, sources = ({one: of(one) for one in editions} for of in (question.rule_in, question.source_in))
    if len(set(rules.values())) > 1 or editions != ruleset.editions:
        said = _same({one: (rules[one], sources[one]) for one in editions})
        return [f"{ids}: {tr(rule)} ({source})" for ids, (rule, source) in said]
    told = _same(sources)
    source = "; ".join(f"{ids}: {source}" for ids, source in told) if len(told) > 1 else told[0][1]
    return [f"{tr(rules[editions[0]])} ({source})"]


def _same(by_edition: Mapping[str, Said]) -> list[tuple[str, Said]]:
    """What each edition says, those together that say the same."""
    together: dict[Said, list[str]] = {}
    for edition, said in by_edition.items():
        together.setdefault(said, []).append(edition)
    return [(", ".join(editions), said) for said, editions in together.items()]


def default_of(one: Input, editions: tuple[str, ...]) -> str:
    """Write what an input is where it is not given.

    Parameters
    ----------
    one : Input
        The input.
    editions : tuple of str
        The editions there are.

    Returns
    -------
    str
        The default, by edition where they differ.
    """
    if one.required:
        return tr("required")
    known = [name for name in editions if one.known_in(name)]
    values = {name: one.default_in(name) for name in known}
    written = {name: OPEN if value is None else written_value(one, value) for name, value in values.items()}
    if len(set(written.values())) == 1:
        return next(iter(written.values()))
    return ", ".join(f"{value} ({name})" for name, value in written.items())


def written_value(one: Input, value: object) -> str:
    """Write a value of an input as a user would type it.

    Parameters
    ----------
    one : Input
        The input.
    value : object
        Its value.

    Returns
    -------
    str
        As ``2.5`` or ``true``.
    """
    written = one.kind.write(value)
    return str(written).lower() if isinstance(written, bool) else str(written)


def help_of(one: Input, editions: tuple[str, ...]) -> str:
    """Write what an input says: its help, its words, where it is known, why its default.

    Parameters
    ----------
    one : Input
        The input.
    editions : tuple of str
        Those in which its question is asked.

    Returns
    -------
    str
        A few sentences.
    """
    parts = [tr(one.help)]
    meanings: Mapping[str, str] = one.kind.meanings if isinstance(one.kind, Word) else {}
    if any(meanings.values()):
        parts.append("; ".join(f"{word}: {tr(text)}" for word, text in meanings.items() if text))
    if one.reason:
        parts.append(tr(one.reason))
    if one.editions and not set(one.editions) >= set(editions):
        parts.append(tr("Edition {edition} only", edition=", ".join(one.editions)))
    return ". ".join(part.rstrip(".") for part in parts) + "."
