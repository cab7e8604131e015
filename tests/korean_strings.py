"""Every string that tcsim passes to its translation: read from the code, the templates and the data of the rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tcsim.analysis.compare.mixes import mixes
from tcsim.aos import AOS
from tcsim.aos.plans.table import commands
from tcsim.catalog import Armour, Unit, Weapon, catalog
from tcsim.cli.catalog import _FIELD_WORDS
from tcsim.duels.rules import duel_options
from tcsim.rules import edition, editions
from tcsim.rules.mechanisms import TARGETS
from tcsim.situations import ASK

PACKAGE = Path(__file__).resolve().parent.parent / "tcsim"
#: Functions that take a string to be translated, and where it stands among their arguments.
TAKERS = {"tr": 0, "mark": 0, "rich": 0}
#: Functions that take a noun, which is translated with its number.
COUNTERS = {"plural": 1, "things": 1}


def literals(node: ast.expr) -> Iterator[str]:
    """The strings an argument can be, as far as they are written there."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def of_source(source: str) -> Iterator[str]:
    """Strings that a Python file passes to be translated."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in TAKERS and len(node.args) > TAKERS[name]:
            yield from literals(node.args[TAKERS[name]])
        elif name in COUNTERS and len(node.args) > COUNTERS[name]:
            for one in literals(node.args[COUNTERS[name]]):
                more = [text for arg in node.args[COUNTERS[name] + 1 :] for text in literals(arg)]
                many = more[0] if more else one + "s"
                yield from (f"{{n}} {one}", f"{{n}} {many}", f"no {many}")


def of_code() -> set[str]:
    """Strings of all Python files and templates."""
    found = {text for path in PACKAGE.rglob("*.py") for text in of_source(path.read_text(encoding="utf-8"))}
    for path in PACKAGE.rglob("*.jinja"):
        found.update(re.findall(r'\btr\("([^"]+)"', path.read_text(encoding="utf-8")))
    return found


def of_data() -> set[str]:
    """Sentences of the editions and of the language of special rules, which are printed as they are."""
    found = {target.words for target in TARGETS.values()} | {mix["why"] for mix in mixes().values()}
    for rows in (catalog(name).by_kind for name in editions()):
        found |= {*rows, *(row.kind for row in rows["weapon"]), *(row.slot for row in rows["armour"])}
        found |= {price.currency for kind in ("weapon", "armour") for row in rows[kind] for price in row.prices}
    questions = [ruleset.question(name) for ruleset in (ASK, AOS) for name in ruleset.names]
    found |= {
        label
        for one in questions
        for answer in one.answers
        if not callable(answer.labels)
        for label in answer.labels.values()
    }
    found -= {command.name for one in AOS.editions for command in commands(one).values()}  # they stay as in the rules
    compared = {field for kind in (Weapon, Armour, Unit) for field in kind.__annotations__}
    compared = compared - {"kind_of_row"} | {"prices"}
    found |= {_FIELD_WORDS.get(field, field.replace("_", " ")) for field in compared}
    for name in editions():
        rules = edition(name)
        found |= {rules.title, *rules.sources.values()}
        found |= {keyword.text for keyword in rules.keywords.values()}
        for option in (*rules.options.values(), *duel_options(name).values()):
            found |= {option.decides, option.reason, *option.values.values()}
    return found
