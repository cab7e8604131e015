"""The documentation site, without building it: what is made from the code is whole, what is written is true.

`make docs` builds it with Sphinx, warnings as errors, and checks every link of what it built.
"""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from _make import assemble, commands, links, names, notebooks, rules, schemas
from _make.text import code, fenced, plain, table, told

from tcsim.aos import AOS
from tcsim.catalog import catalog
from tcsim.cli import tcsim
from tcsim.situations import ASK

ROOT = Path(__file__).parents[1]
EDITIONS = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in ROOT.glob("tcsim/rules/editions/*")}
OPTIONS = tomllib.loads((ROOT / "tcsim/rules/options.toml").read_text(encoding="utf-8"))
DUELS = tomllib.loads((ROOT / "tcsim/duels/rules.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return dict(assemble.made())


def bare(text: str) -> str:
    """A page without the marks of Markdown, on one line."""
    return " ".join(re.sub(r"[\\`]", "", text).split())


def every_command(command: click.Command, path: str = "tcsim") -> dict[str, click.Command]:
    below = command.list_commands(click.Context(command)) if isinstance(command, click.Group) else []
    found = {path: command}
    for name in below:
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        found |= every_command(inner, f"{path} {name}")
    return found


def test_every_command_and_option_is_told() -> None:
    pages = dict(commands.pages())
    found = every_command(tcsim)
    assert len(found) > 20
    for path, command in found.items():
        text = pages[f"reference/commands/{[*path.split(), 'index'][1]}.md"]
        part = re.split(rf"^#+ {re.escape(path)}$", text, flags=re.MULTILINE) if path != "tcsim" else ["", text]
        assert len(part) == 2, path
        own = re.split(r"^#+ tcsim ", part[1], flags=re.MULTILINE)[0]
        for parameter in command.params:
            flags = (
                parameter.opts
                if isinstance(parameter, click.Option)
                else [parameter.make_metavar(click.Context(command))]
            )
            hidden = isinstance(parameter, click.Option) and parameter.hidden
            assert hidden or all(flag in own for flag in flags), f"{path} {flags}"
        assert command.get_short_help_str(60).removesuffix("...") in bare(text)


def test_every_public_name_is_told_and_has_an_example(made: dict[str, Any]) -> None:
    for package in names.PACKAGES:
        found = names.public(package)
        told = set(re.findall(r"\.\. auto\w+:: (\S+)", made[f"reference/python/{package}.md"]))
        assert found
        assert told == set(found)
        assert [name for name, thing in found.items() if callable(thing) and not thing.__doc__] == []
    whole = {name: thing for package in names.PACKAGES for name, thing in names.chosen(package).items()}
    assert [name for name, thing in whole.items() if callable(thing) and ">>>" not in thing.__doc__] == []


def test_every_decision_is_told() -> None:
    text = bare(rules.decisions())
    tables = {**OPTIONS, **DUELS["options"]}
    assert len(tables) > 15
    for name, option in tables.items():
        assert option["decides"] in text
        assert all(f"{value}: {told}" in text for value, told in option["values"].items()), name
    for edition, data in EDITIONS.items():
        for option in (*data["options"].values(), *DUELS[edition]["options"].values()):
            default = str(option["default"]).lower()
            assert f"- {edition}: {default}. {option['reason']} ({option['source']})" in text
    every = [one for ruleset in (ASK, AOS) for name in ruleset.names for one in ruleset.question(name).inputs]
    reasons = [one.reason for one in every if one.reason]
    assert reasons
    assert all(reason.rstrip(".") in text for reason in reasons)


def test_decisions_are_told_in_korean() -> None:
    """Every sentence of the English page has its twin: the same heads, rows and words of code, and little English."""
    english, korean = rules.decisions(), rules.decisions("ko")
    code = re.compile(r"^###.*$|`[^`]*`", flags=re.MULTILINE)
    assert code.findall(english) == code.findall(korean)
    assert [line.count("|") for line in english.splitlines()] == [line.count("|") for line in korean.splitlines()]
    told = [line for line in korean.splitlines() if line.startswith("- `")]
    assert all(re.search("[가-힣]", line) for line in told)


def numbers(data: Any) -> list[str]:
    """Every value and source of a file."""
    if isinstance(data, dict):
        return [text for key, part in data.items() if key not in ("text", "on") for text in numbers(part)]
    if isinstance(data, list):
        return [text for part in data for text in numbers(part)]
    return [str(data).lower() if isinstance(data, bool) else str(data)]


def test_every_number_of_an_edition_is_told(made: dict[str, Any]) -> None:
    text = bare(made["reference/editions.md"])
    for edition, data in EDITIONS.items():
        for key, entry in data.items():
            if key not in ("id", "title", "options", "keywords"):
                assert [one for one in numbers(entry) if one not in text] == [], (edition, key)
    for key in ("fights.toml", "trauma.toml"):
        for entry in tomllib.loads((ROOT / "tcsim/situations" / key).read_text(encoding="utf-8")).values():
            assert not isinstance(entry, dict) or [one for one in numbers(entry) if one not in text] == []


def test_sides_are_not_swapped(made: dict[str, Any]) -> None:
    """Where the editions differ, each has its own value: the columns are those of the head."""
    [row] = [line for line in made["reference/editions.md"].splitlines() if line.startswith("| `stands`")]
    heads = next(line for line in made["reference/editions.md"].splitlines() if line.startswith("|  | "))
    told = dict(zip(heads.split(" | ")[1:], row.strip("| ").split(" | ")[1:], strict=True))
    assert {name.strip("| "): value for name, value in told.items()} == {
        name: data["turn"]["stands"] for name, data in EDITIONS.items()
    }


def test_every_keyword_and_term_is_told(made: dict[str, Any]) -> None:
    text = bare(made["reference/keywords.md"])
    for data in EDITIONS.values():
        assert [
            name for name, one in data["keywords"].items() if f"| {name} |" not in text or one["text"] not in text
        ] == []
    terms = tomllib.loads((ROOT / "tcsim/base/korean/terms.toml").read_text(encoding="utf-8"))
    glossary = bare(made["reference/glossary.md"])
    for part in terms.values():
        for group in part.values():
            for term, words in group.items():
                assert f"| {term} |" in glossary
                assert all(word in glossary for word in words)


def test_everything_that_is_left_out_is_told() -> None:
    text = bare(rules.unmodelled())
    for edition in EDITIONS:
        rows = [row for kind in catalog(edition).by_kind.values() for row in kind]
        left = [(row.label, told) for row in rows for told in (*row.unmodelled, *row.asks)]
        assert left
        assert [pair for pair in left if bare(pair[0]) not in text or bare(plain(pair[1])) not in text] == []


def test_every_field_of_a_schema_is_told(made: dict[str, Any]) -> None:
    for name in schemas.SCHEMAS:
        schema = json.loads(made[f"reference/schemas/tcsim-{name}.json"])
        for one in (schema, *schema.get("$defs", {}).values()):
            for field in one.get("properties", {}):
                assert f"| `{field}`" in made[f"reference/schemas/{name}.md"]


def test_schema_words() -> None:
    assert schemas._kind({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 6}, {"type": "null"}]}) == (
        "whole number, 0 to 6"
    )
    assert schemas._kind({"type": "array", "items": {"$ref": "#/$defs/Attack"}}) == "list of [Attack](#attack)"
    assert schemas._kind({"enum": ["a", True]}) == '`"a"`, `true`'


def test_every_question_is_told(made: dict[str, Any]) -> None:
    for ruleset, place, word in ((ASK, "questions", "돌격"), (AOS, "aos", "언바인드")):
        for end in ("", "-ko"):
            text = made[f"reference/{place}{end}.md"]
            assert ruleset.names == re.findall(r"^###? ([a-z]\w+)$", text, flags=re.MULTILINE)
        assert word in made[f"reference/{place}-ko.md"]


# --- written pages --------------------------------------------------------------------------------------------


def test_the_worked_example_is_computed() -> None:
    page = ROOT / "docs/explanation/model.md"
    blocks = re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    lines: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=lines.append)
    assert result.attempted > 10
    assert not lines, "".join(lines)


def test_links_are_turned() -> None:
    places = {"docs/a.md": "how-to/a.md", "docs/tutorial/b.md": "tutorial/b.md", "README.md": "project/readme.md"}
    text = (
        "[a](../a.md#head) [r](../../README.md) [w](https://a.org) [d](../../tests) [m](../../Makefile) ![i](i.png)\n"
    )
    shown = "```sh\n[x](../a.md)\n```"
    turned = assemble.turned(text + shown, "docs/tutorial/b.md", places)
    assert turned == (
        "[a](../how-to/a.md#head) [r](../project/readme.md) [w](https://a.org) d [m](/files/Makefile) ![i](i.png)\n"
        + shown
    )


def test_the_site_has_every_page(tmp_path: Path) -> None:
    assemble.write(tmp_path)
    pages = {path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.md")}
    assert set(assemble.written().values()) <= set(pages)
    assert not any("\n<!-- made:" in text for text in pages.values())
    assert "](02_armour_and_blood-" in pages["notebooks/02_armour_and_blood.md"]
    inside = [(page, link) for page, text in pages.items() for link in re.findall(r"\]\(([^)#\s]+)", prose(text))]
    assert len(inside) > 50
    assert [
        (page, link)
        for page, link in inside
        if "://" not in link
        and not ((tmp_path / link[1:]) if link[0] == "/" else (tmp_path / page).parent / link).exists()
    ] == []


def prose(text: str) -> str:
    return re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)


# --- tools ----------------------------------------------------------------------------------------------------


def test_nothing_in_the_data_is_markup() -> None:
    assert plain("a|b <b>c</b> [d](e) *f* `g` #h\ni") == r"a\|b \<b\>c\</b\> \[d\](e) \*f\* \`g\` \#h i"
    assert told("*see* `a_b`") == r"\*see\* `a_b`"
    assert code("a`b|c") == "``a`b|c``"
    assert table(("a",), [(code("b|c"),), (plain("d|e"),)]) == "| a |\n| --- |\n| `b\\|c` |\n| d\\|e |"
    assert fenced("sh", "```") == "````sh\n```\n````"
    assert table(("a", "b"), [(1, 2)]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_broken_links_of_a_built_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<p id="here">', encoding="utf-8")
    good = ["b.html", "b.html#here", "#top", "https://example.org/x", "data:image/png;base64,AA"]
    bad = ["c.html", "b.html#there", "#nowhere", "http://example.org", "ftp://example.org/x", "https://nowhere"]
    anchors = "".join(f'<a href="{link}">' for link in (*good, *bad))
    (tmp_path / "index.html").write_text(f'<p id="top">{anchors}<img src="gone.png">', encoding="utf-8")
    assert links.broken(tmp_path) == [f"index.html: {link}" for link in (*bad, "gone.png")]
    assert links.broken(tmp_path / "nothing") == [f"{tmp_path / 'nothing'}: no page"]


def test_a_notebook_becomes_a_page(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {
            "cell_type": "code",
            "source": ["1 + 1"],
            "outputs": [{"output_type": "execute_result", "data": {"text/plain": "2"}}],
        },
        {
            "cell_type": "code",
            "source": ["# a figure\n", "draw()"],
            "outputs": [{"output_type": "display_data", "data": {"image/png": "AAEC", "text/plain": "<Figure>"}}],
        },
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert dict(notebooks.pages(tmp_path)) == {
        "notebooks/a-2.png": b"\x00\x01\x02",
        "notebooks/a.md": "# Title\ntext\n\n"
        "```python\n1 + 1\n```\n\n```text\n2\n```\n\n```python\n# a figure\ndraw()\n```\n"
        "\n![a figure](a-2.png)\n",
    }
