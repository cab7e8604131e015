"""Pages made from the rules as data: every number and decision with its source, what is left out, the words."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from _make.text import code, page, plain, table
from tcsim.aos import AOS
from tcsim.base.labels import table as labels
from tcsim.base.lang import speaking, tr
from tcsim.catalog import catalog
from tcsim.duels.rules import duel_options
from tcsim.questions.reference import default_of, help_of
from tcsim.rules import Option, edition, editions, word
from tcsim.rules.mechanisms import TARGETS, Place, left_out
from tcsim.situations import ASK

#: Files with numbers of the editions beside the editions' own: room, file, what it holds.
BESIDE = (
    ("tcsim.situations", "fights.toml", "Dice around a fight"),
    ("tcsim.situations", "trauma.toml", "Trauma table"),
)
#: Tables of an edition's file that have pages or parts of their own.
APART = {"id", "title", "sources", "options", "keywords"}


def pages() -> Iterator[tuple[str, str]]:
    """Make the pages that are tables from beginning to end: where each goes, and its text."""
    yield "reference/editions.md", page(*_editions())
    yield "reference/keywords.md", page(*_keywords())
    yield "reference/glossary.md", page(*_glossary())


# --- decisions ----------------------------------------------------------------------------------------------


#: Heads of the page of decisions, by language: its parts, and the columns of readings that questions ask for.
HEADS = {
    "en": (
        "Options of every scenario",
        "Options that only duels have",
        "Readings that questions take",
    ),
    "ko": (
        "모든 시나리오의 선택 규칙",
        "결투에만 있는 선택 규칙",
        "질문이 입력으로 받는 해석",
    ),
}


def decisions(lang: str = "en") -> str:
    """Write every reading of an unclear rule: what it decides, its readings, default, source and reason by edition."""
    every, duels, inputs = HEADS[lang]
    with speaking(lang):
        parts = [f"## {every}", *_options({name: edition(name).options for name in editions()})]
        parts += [f"## {duels}", *_options({name: duel_options(name) for name in editions()})]
        return page(*parts, f"## {inputs}", _inputs())


def _options(by_edition: Mapping[str, Mapping[str, Option]]) -> Iterator[str]:
    for name, option in next(iter(by_edition.values())).items():
        here = {rules: options[name] for rules, options in by_edition.items()}
        yield f"### {plain(name)}"
        yield plain(tr(option.decides)) + "."
        yield "\n".join(f"- {code(word(value))}: {plain(tr(text))}" for value, text in option.values.items())
        yield f"{tr('default')}:"
        told = [
            (rules, code(word(one.default)), plain(tr(one.reason)), plain(one.source)) for rules, one in here.items()
        ]
        yield "\n".join(f"- {rules}: {default}. {reason} ({source})" for rules, default, reason, source in told)


def _inputs() -> str:
    rows = []
    every = [(ruleset, name) for ruleset in (ASK, AOS) for name in ruleset.names]
    for ruleset, name in every:
        question = ruleset.question(name)
        editions = ruleset.editions_of(question)
        for one in filter(lambda one: one.reason, question.inputs):
            sources = dict.fromkeys(question.source_in(edition) for edition in editions if one.known_in(edition))
            called = f"{'aos ' * (ruleset is AOS)}{name} {one.name}"
            told = code(called), plain(help_of(one, editions)), plain(default_of(one, editions))
            rows.append((*told, plain("; ".join(sources))))
    return table((tr("input"), "", tr("default"), tr("source")), rows)


# --- numbers ------------------------------------------------------------------------------------------------


def _editions() -> Iterator[str]:
    texts = {
        name: (files("tcsim.rules") / "editions" / f"{name}.toml").read_text(encoding="utf-8") for name in editions()
    }
    data = {name: tomllib.loads(text) for name, text in texts.items()}
    yield "# Editions: every number"
    yield (
        "Whatever a rulebook prints and tcsim uses, side by side. The files are `tcsim/rules/editions/*.toml`; "
        "readings of unclear rules are [decisions](../explanation/decisions.md), keywords have "
        "[their own page](keywords.md)."
    )
    yield table(
        ("edition", "what its sources are called", "what they are"),
        [(name, code(short), plain(told)) for name in data for short, told in data[name]["sources"].items()],
    )
    comments = _comments(texts[next(iter(texts))])
    for head in _heads(data.values()):
        if head.partition(".")[0] not in APART:
            yield f"## {plain(head)}"
            yield plain(comments.get(head, ""))
            yield _side_by_side({name: _under(tables, head) for name, tables in data.items()})
    for room, file, title in BESIDE:
        found = tomllib.loads((files(room) / file).read_text(encoding="utf-8"))
        yield f"## {title}"
        tables = {name: found[name] for name in editions()}
        if all(isinstance(entry, dict) for entry in tables[editions()[0]].values()):
            for head in _heads(tables.values()):
                yield f"### {plain(head)}"
                yield _side_by_side({name: _under(one, head) for name, one in tables.items()})
        else:
            yield _side_by_side(tables)


def _comments(text: str) -> dict[str, str]:
    """Find what a file says of its tables: the lines of comment that stand right above each head."""
    found = re.findall(r"((?:^#.*\n)+)\[([\w.]+)\]", text, flags=re.MULTILINE)
    return {head: " ".join(line.lstrip("# ") for line in lines.splitlines()) for lines, head in found}


def _heads(tables: Any) -> list[str]:
    """Name the tables of files, as ``charts.action``, in their order."""
    heads: dict[str, None] = {}
    for one in tables:
        for name, entry in one.items():
            deeper = isinstance(entry, dict) and all(isinstance(v, dict) and "source" in v for v in entry.values())
            inner = [f"{name}.{key}" for key in entry] if deeper and name == "charts" else [name]
            heads |= dict.fromkeys(inner)
    return list(heads)


def _under(tables: Mapping[str, Any], head: str) -> Mapping[str, Any]:
    for name in head.split("."):
        tables = tables.get(name, {})
    return tables


def _side_by_side(tables: Mapping[str, Mapping[str, Any]]) -> str:
    keys = dict.fromkeys(key for one in tables.values() for key in one)
    rows = [(code(key), *(_cell(one.get(key)) for one in tables.values())) for key in keys]
    return table(("", *tables), rows)


def _cell(value: Any) -> str:
    """Write a value of a file: numbers and words as they stand, what has a source with it."""
    if value is None:
        return "–"
    if isinstance(value, dict):
        own = {key: part for key, part in value.items() if key not in ("source", "value")}
        parts = [_cell(value["value"])] if "value" in value else []
        parts += [f"{plain(key)} {_cell(part)}" for key, part in own.items()]
        return ", ".join(parts) + (f" ({plain(value['source'])})" if "source" in value else "")
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) or "none"
    return plain(word(value)) if isinstance(value, bool) else plain(value)


def _keywords() -> Iterator[str]:
    rules = {name: edition(name).keywords for name in editions()}
    yield "# Keywords"
    yield (
        "What each keyword does, in words of our own; whether it changes dice of a scenario, and in which edition. "
        "“–”: the edition has no such keyword. What a keyword does beside dice is for the players."
    )
    rows = []
    for name in sorted(set().union(*rules.values())):
        told = {key: words[name].text for key, words in rules.items() if name in words}
        one = next(iter(told.values()))
        text = (
            plain(one) if len(set(told.values())) == 1 else "; ".join(f"{key}: {plain(t)}" for key, t in told.items())
        )
        counts = [_counts(words[name]) if name in words else "–" for words in rules.values()]
        rows.append((plain(name), text, *counts))
    yield table(("keyword", "what it does", *rules), rows)


def _counts(keyword: Any) -> str:
    if keyword.unmodelled:
        return f"not counted yet: {plain(keyword.unmodelled)}"
    return "counted" if keyword.changes_dice else "changes no dice"


# --- what is left out ---------------------------------------------------------------------------------------


def unmodelled() -> str:
    """Write what rows of the catalogue leave out or ask for, by edition, and what no attack can show."""
    parts = []
    for name in editions():
        opened = catalog(name)
        parts.append(f"## Rows of {name}")
        rows = [row for kind in opened.by_kind.values() for row in kind if row.status != "whole"]
        lines = [
            (plain(row.label), f"{row.kind_of_row}, {what}", plain(text))
            for row in rows
            for what, texts in (("left out", row.unmodelled), ("asks for", row.asks))
            for text in texts
        ]
        lines += [
            (plain(f"{ability.name} ({whose})"), "ability, left out", plain(left_out(effect)))
            for same in opened.abilities.values()
            for whose, ability in same
            for effect in ability.effects
            if left_out(effect)
        ]
        lines += [
            (plain(keyword.name), "keyword, left out", plain(keyword.unmodelled))
            for keyword in opened.rules.keywords.values()
            if keyword.unmodelled
        ]
        parts.append(table(("name", "row", "what"), dict.fromkeys(lines)))
    parts.append("## Beside attacks")
    parts.append(
        "What the language of special rules can say of things that no attack on one target shows. Rows have it, "
        "answers do not count it: some of it is a question of its own in `tcsim ask`, an activation, a duel or a turn."
    )
    rows = [
        (plain(target.words), plain(target.place.value))
        for target in TARGETS.values()
        if target.place is not Place.ATTACK
    ]
    parts.append(table(("what", "where it is at work"), dict.fromkeys(rows)))
    return page(*parts)


# --- words --------------------------------------------------------------------------------------------------


def _glossary() -> Iterator[str]:
    data = tomllib.loads((files("tcsim.base") / "korean" / "terms.toml").read_text(encoding="utf-8"))
    yield "# Glossary, English and Korean"
    yield (
        "The first Korean label is the one that is printed; all are understood wherever the English name is. “Source "
        "text”: as the Korean source text has it; “plain”: our translation of what it does not have."
    )
    titles = {"terms": "Terms", "armour": "Armour", "keywords": "Keywords", "attack": "In the text of an attack"}
    for group, terms in labels().items():
        yield f"## {titles.get(group, group.capitalize())}"
        source = data["source"].get(group, {})
        rows = [
            (plain(term), plain(", ".join(words)), "source text" if term in source else "plain")
            for term, words in terms.items()
        ]
        yield table(("English", "한국어", "from"), rows)
