"""The rules of the house: imports point down, start-up is light, docstrings and help are true.

Each checker takes texts or objects and gives sentences, so every one of them is first shown something wrong.
"""

from __future__ import annotations

import ast
import doctest
import enum
import graphlib
import importlib
import inspect
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

ROOT = Path(__file__).resolve().parent.parent

# The plan, from the ground up: a room may import itself and what stands before it. A room is tcsim/<room>/ or
# tcsim/<room>.py; room.inner is a folder in it. Under the roof (tcsim/__init__.py, tcsim/__main__.py) everything may be
# imported.
ROOMS = (
    "base", "kernels", "dice", "stats", "rules", "catalog",
    "scenario", "engines", "questions",
    "aos", "aos.fights", "aos.magic", "aos.moves", "aos.control", "aos.plans",
    "situations", "duels", "skirmish",
    "analysis", "analysis.needed", "analysis.exchange", "analysis.compare", "analysis.value", "analysis.optimise",
    "analysis.whole", "plots", "report", "sweep", "cli",
)  # fmt: skip
# Rooms that may import less than that. The engines know only the resolved problem, never the catalogue; the second
# ruleset knows nothing of the first.
SECOND = ("base", "dice", "stats", "questions")
ONLY = {
    "kernels": (),
    "dice": ("base",),
    "stats": ("base",),
    "aos": SECOND,
    "aos.fights": (*SECOND, "aos"),
    "aos.magic": (*SECOND, "aos", "aos.fights"),
    "aos.moves": (*SECOND, "aos"),
    "aos.control": (*SECOND, "aos", "aos.fights"),
    "aos.plans": (*SECOND, "aos", "aos.fights", "aos.magic", "aos.moves", "aos.control"),
    "engines": ("base", "kernels", "dice", "stats", "rules", "scenario"),
}
ROOF = "the roof"
HEAVY = {"numba", "pandas", "matplotlib"}
MAX_LINES, MAX_PARAMETERS = 500, 8
TABLES = {".csv", ".json", ".toml"}  # data may be as long as it is
MACHINE_PATH = re.compile(rb"(?<![\w.])/(?:tmp|root|home|work)/[A-Za-z]")


def package_texts(pattern: str = "*") -> dict[str, str]:
    """Text of the package's files by path, as "tcsim/dice.py"."""
    files = sorted(p for p in ROOT.glob(f"tcsim/**/{pattern}") if p.is_file() and "__pycache__" not in p.parts)
    return {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8", errors="replace") for p in files}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module", autouse=True)
def types(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str] | None]:
    """The type checker is the slowest of the tools: it runs beside the tests of this file; the last waits for it."""
    if not any(item.name == "test_types_are_right" for item in request.session.items):
        yield None
        return
    command = (sys.executable, "-m", "mypy")
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as started:
        yield started
        started.kill()


# --- imports ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Import:
    """One module named by an import: where, which, and whether it is imported as soon as the file is."""

    path: str
    line: int
    target: str
    at_once: bool


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def room_of(module: str) -> str:
    parts = module.split(".")
    if len(parts) == 1 or parts[1] == "__main__":
        return ROOF
    inner = ".".join(parts[1:3])
    return inner if inner in ROOMS else parts[1]


def nodes(node: ast.AST, at_once: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """A node and everything below it, with False for what runs later or is for the type checker alone."""
    yield node, at_once
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        at_once = False
    later: list[ast.stmt] = []
    if isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
        later = node.body
    for child in ast.iter_child_nodes(node):
        yield from nodes(child, at_once and child not in later)


def absolute(path: str, name: str, level: int) -> str:
    """Full name of a module that the file at path calls by `level` dots and a name."""
    if level == 0:
        return name
    package = path.removesuffix(".py").split("/")[:-level]
    return ".".join([*package, *filter(None, [name])])


def named_modules(path: str, node: ast.AST, modules: set[str]) -> list[str]:
    """Modules that one node imports. `from a import b` names a.b where that is a module, and a otherwise."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            start = absolute(path, module or "", level)
            inner = [f"{start}.{alias.name}" for alias in names]
            # every room may ask for the version
            return [name if name in modules else start for name in inner if name != "tcsim.__version__"]
        case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]):
            if ast.unparse(func).rpartition(".")[2] in ("import_module", "__import__"):
                bare = name.lstrip(".")
                return [absolute(path, bare, len(name) - len(bare))]
    return []


def imports(sources: Mapping[str, str]) -> list[Import]:
    """All imports of some sources, wherever they stand."""
    modules = {module_name(path) for path in sources} | {f"tcsim.{room}" for room in ROOMS}
    return [
        Import(path, getattr(node, "lineno", 0), name, at_once)
        for path, source in sources.items()
        for node, at_once in nodes(ast.parse(source, path))
        for name in named_modules(path, node, modules)
    ]


def may_import(room: str, target: str) -> bool:
    if room in (ROOF, target):
        return True
    if target == ROOF:
        return False
    return target in ONLY[room] if room in ONLY else ROOMS.index(target) < ROOMS.index(room)


def direction_offences(sources: Mapping[str, str]) -> list[str]:
    """Imports that point up or beside, numba outside its room, and files that stand in no room."""
    rooms = {*ROOMS, ROOF}
    offences = [
        f"{path}: {room_of(module_name(path))} is no room of the plan (ROOMS)"
        for path in sources
        if room_of(module_name(path)) not in rooms
    ]
    for one in imports(sources):
        room, where = room_of(module_name(one.path)), f"{one.path}:{one.line}"
        top = one.target.partition(".")[0]
        if top == "numba" and not one.path.startswith("tcsim/kernels/"):
            offences.append(f"{where}: numba belongs in tcsim/kernels")
        if top == "tcsim" and room in rooms:
            target = room_of(one.target)
            if target not in rooms:
                offences.append(f"{where}: {one.target} is in no room of the plan (ROOMS)")
            elif not may_import(room, target):
                offences.append(f"{where}: {room} may not import {one.target}")
    return offences


def circle(sources: Mapping[str, str]) -> list[str]:
    """One circle of modules that import each other when they are loaded; empty if there is none."""
    graph: dict[str, set[str]] = {module_name(path): set() for path in sources}
    for one in imports(sources):
        module = module_name(one.path)
        if one.at_once and one.target in graph and one.target != module:
            graph[module].add(one.target)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


# fmt: off
WRONG = [
    ("dice.py", "import tcsim.rules.chart", "dice may not import tcsim.rules.chart"),
    ("dice.py", "from tcsim import stats", "dice may not import tcsim.stats"),
    ("dice/pool.py", "from ..rules import chart", "dice may not import tcsim.rules"),
    ("dice/__init__.py", "from ..kernels.play import x", "dice may not import tcsim.kernels.play"),
    ("stats.py", "def f():\n    from . import dice", "stats may not import tcsim.dice"),
    ("engines/exact.py", "from tcsim.catalog import load", "engines may not import tcsim.catalog"),
    ("kernels/play.py", "import tcsim.base", "kernels may not import tcsim.base"),
    ("base/text.py", "from tcsim import odds", "base may not import tcsim"),
    ("base/text.py", "import importlib as i\ni.import_module('tcsim.cli')", "base may not import tcsim.cli"),
    ("rules/chart.py", "import_module('..cli.odds', __package__)", "rules may not import tcsim.cli.odds"),
    ("rules.py", "if typing.TYPE_CHECKING:\n    import tcsim.engines", "rules may not import tcsim.engines"),
    ("report/page.py", "class A:\n    import tcsim.cli.odds", "report may not import tcsim.cli.odds"),
    ("stats.py", "from numba import njit", "numba belongs in tcsim/kernels"),
    ("engines/a.py", "def f():\n    import numba.core", "numba belongs in tcsim/kernels"),
    ("analysis/ends.py", "import tcsim.analysis.value.fronts", "analysis may not import tcsim.analysis.value.fronts"),
    ("analysis/value/a.py", "import tcsim.analysis.whole", "analysis.value may not import tcsim.analysis.whole"),
    ("attic/a.py", "", "attic is no room of the plan"),
    ("cli/a.py", "import tcsim.attic.a", "tcsim.attic.a is in no room of the plan"),
]
# fmt: on


@pytest.mark.parametrize(("path", "source", "offence"), WRONG)
def test_direction_checker_finds(path: str, source: str, offence: str) -> None:
    assert [offence in found for found in direction_offences({f"tcsim/{path}": source})] == [True]


def test_direction_checker_lets_pass() -> None:
    sources = {
        "tcsim/__init__.py": "from tcsim.cli import main\nimport tcsim.engines",
        "tcsim/__main__.py": "from .cli import main",
        "tcsim/kernels/play.py": "import numba\nfrom tcsim.kernels.tables import x\nfrom . import tables",
        "tcsim/kernels/tables.py": "",
        "tcsim/base/provenance.py": "from tcsim import __version__\nfrom .text import a",
        "tcsim/engines/monte_carlo.py": "from tcsim import kernels, scenario\nimport numpy as np",
        "tcsim/plots.py": "def f():\n    import matplotlib\n    from tcsim.analysis import frames",
    }
    assert direction_offences(sources) == []
    assert circle(sources) == []


def test_circle_checker() -> None:
    def of(**files: str) -> list[str]:
        return circle({f"tcsim/rules/{name}.py": source for name, source in files.items()})

    assert set(of(a="from tcsim.rules.b import x", b="from . import a")) == {"tcsim.rules.a", "tcsim.rules.b"}
    assert of(__init__="from .a import x", a="from . import x")
    assert of(__init__="from .a import x", a="", b="from . import a") == []
    assert of(a="from .b import x", b="def f():\n    from . import a") == []
    assert of(a="from .b import x", b="if TYPE_CHECKING:\n    from . import a") == []


def test_imports_point_down_and_never_round() -> None:
    sources = package_texts("*.py")
    assert direction_offences(sources) == []
    assert circle(sources) == []


# --- start-up and tools -------------------------------------------------------------------------------------

RUN_ODDS = """
import tcsim.cli
try:
    status = tcsim.cli.main(["odds", "--injury-modifier", "-1", "--attack", "ranged", "--json"])
except SystemExit as stop:
    status = stop.code
assert not status, status
"""


RUN_ASK = RUN_ODDS.replace('"odds", "--injury-modifier", "-1", "--attack", "ranged"', '"ask", "charge", "move=6"')
RUN_GAME = RUN_ODDS.replace(
    '"odds", "--injury-modifier", "-1", "--attack", "ranged"', '"ask", "turn", "file=example", "turns=1"'
)
RUN_DUEL = """
import tcsim
assert tcsim.duel({"a": {"attacks": [{}]}, "b": {"attacks": [{}]}}).a_wins > 0
"""


def heavy_modules_after(code: str) -> set[str]:
    """Which of the slow libraries a fresh Python holds after running some code."""
    script = f"{code}\nimport sys\nprint()\nprint(*(sys.modules.keys() & {HEAVY!r}))"
    done = run(sys.executable, "-c", script)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_heavy_modules_are_noticed() -> None:
    assert heavy_modules_after("import pandas") == {"pandas"}


LIGHT = {
    "tcsim": "import tcsim",
    "cli": "import tcsim.cli",
    "odds": RUN_ODDS,
    "ask": RUN_ASK,
    "game": RUN_GAME,
    "duel": RUN_DUEL,
}


@pytest.mark.parametrize("code", LIGHT.values(), ids=LIGHT.keys())
def test_the_exact_path_is_light(code: str) -> None:
    assert heavy_modules_after(code) == set()


@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check ."])
def test_tools_are_content(command: str) -> None:
    done = run(sys.executable, "-m", *command.split())
    assert done.returncode == 0, done.stdout + done.stderr


# --- sizes and paths ----------------------------------------------------------------------------------------


def size_offences(texts: Mapping[str, str]) -> list[str]:
    """Files and parameter lists that no longer fit in a head. Kernels and tables are free."""
    offences = []
    for path, text in texts.items():
        if path.startswith("tcsim/kernels/") or Path(path).suffix in TABLES:
            continue
        if (lines := len(text.splitlines())) > MAX_LINES:
            offences.append(f"{path}: {lines} lines, more than {MAX_LINES}")
        for node in ast.walk(ast.parse(text)) if path.endswith(".py") else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                args = node.args
                given = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
                names = [one.arg for one in given if one]
                if (count := len(names) - (names[:1] in (["self"], ["cls"]))) > MAX_PARAMETERS:
                    offences.append(f"{path}:{node.lineno}: {node.name} has {count} parameters")
    return offences


def test_size_checker() -> None:
    eight, nine = "a, b, c, d, e, /, f, *, g, h=lambda x: x", "a, b, c, d, e, f, *g, h, **i"
    assert size_offences({"tcsim/a.py": f"class A:\n    def f(self, {eight}): ..."}) == []
    assert size_offences({"tcsim/a.py": f"def f({nine}): ..."}) == ["tcsim/a.py:1: f has 9 parameters"]
    assert size_offences({"tcsim/kernels/a.py": f"def f({nine}): ..." + "\n" * 600}) == []
    assert size_offences({"tcsim/a.py": "#\n" * 500, "tcsim/a.csv": "1\n" * 501}) == []
    assert size_offences({"tcsim/a.html": "<br>\n" * 501}) == ["tcsim/a.html: 501 lines, more than 500"]


def test_sizes() -> None:
    assert size_offences(package_texts()) == []


def test_machine_path_checker() -> None:
    for top in ("tmp", "root", "home", "work"):
        assert MACHINE_PATH.search(f"see '/{top}/anna'".encode())
        assert not MACHINE_PATH.search(f"docs/{top}/page, example.org/{top}/x, /{top}/, /usr/bin".encode())


def test_no_path_of_a_machine() -> None:
    done = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if done.returncode != 0:
        pytest.skip("not a git checkout, so there is no list of files")
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    assert [p for p in paths if p.is_file() and MACHINE_PATH.search(p.read_bytes())] == []


# --- docstrings ---------------------------------------------------------------------------------------------


def documented(doc: str, title: str) -> list[str]:
    """Names in one section of a docstring; `a, b : int` are two."""
    section = rf"^{title}\n-+\n(.*?)(?=^[^\n]+\n---|\Z)"
    found = re.search(section, inspect.cleandoc(doc), re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^(\S[^:\n]*)", found[1], re.MULTILINE) if found else []
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def docstring_offences(name: str, thing: Any) -> list[str]:
    """What is wrong with the docstring of a function or class: it is missing, or names other parameters."""
    doc = thing.__doc__  # not inspect.getdoc, which takes that of a parent
    if not doc:
        return [f"{name} has no docstring"]
    is_class = inspect.isclass(thing)
    own = is_class and (inspect.isfunction(thing.__init__) or issubclass(thing, msgspec.Struct))
    taken_over = is_class and (issubclass(thing, enum.Enum) or not own)
    wanted = [] if taken_over else list(inspect.signature(thing).parameters)
    given = documented(doc, "Parameters") + documented(doc, "Other Parameters")
    if is_class and not given:  # what users only receive lists its attributes, properties among them
        given = [attribute for attribute in documented(doc, "Attributes") if attribute in wanted]
    return [] if given == wanted else [f"{name} takes {wanted}, its docstring names {given}"]


def doctest_report(module: ModuleType) -> str:
    """Output of the failed examples of a module; empty if all passed."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    lines: list[str] = []
    for test in doctest.DocTestFinder().find(module):
        runner.run(test, out=lines.append)
    return "".join(lines)


def test_docstring_checker() -> None:
    def numpydoc(**sections: str) -> str:
        parts = [f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items()]
        return "\n\n".join(["Do.", *parts]).replace("_", " ")

    def pair(a: int, b: int) -> None: ...
    def many(a: int, *rest: int, c: int = 1, **more: int) -> None: ...

    @dataclass
    class Answer:
        x: int

    class Word(enum.Enum):
        """A word: its signature is not one that anybody calls."""

        A = 1

    class OneError(ValueError):
        """An error that is made as every other."""

    class SilentError(OneError): ...

    pair.__doc__ = numpydoc(Parameters="b : int\n    First: c, d.", Returns="a : int")
    assert docstring_offences("pair", pair) == ["pair takes ['a', 'b'], its docstring names ['b']"]
    pair.__doc__ = numpydoc(Parameters="a, b : int\n    Both: of them.", Examples=">>> pair(1, 2)")
    assert docstring_offences("pair", pair) == []
    many.__doc__ = numpydoc(Parameters="a : int\n*rest : int\nc : int", Other_Parameters="**more\n    Rest.")
    assert docstring_offences("many", many) == []
    Answer.__doc__ = numpydoc(Attributes="x : int\ndouble : int\n    A property.")
    assert docstring_offences("Answer", Answer) == []
    assert docstring_offences("Word", Word) == docstring_offences("OneError", OneError) == []
    assert docstring_offences("SilentError", SilentError) == ["SilentError has no docstring"]
    assert docstring_offences("f", lambda: 1) == ["f has no docstring"]


def test_doctest_checker() -> None:
    module = ModuleType("invented", ">>> 1 + 1\n2\n")
    assert doctest_report(module) == ""
    module.__doc__ = ">>> 1 + 1\n3\n"
    assert "Expected:" in doctest_report(module)


def test_public_docstrings() -> None:
    tcsim = importlib.import_module("tcsim")
    public = {name: getattr(tcsim, name) for name in tcsim.__all__}
    found = {name: docstring_offences(name, thing) for name, thing in public.items() if callable(thing)}
    assert found
    assert not any(found.values()), found


MODULES = [module_name(p) for p in package_texts("*.py") if not p.startswith("tcsim/kernels/")]


@pytest.mark.parametrize("module", [name for name in MODULES if name != "tcsim.__main__"])
def test_docstring_examples(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = doctest_report(importlib.import_module(module))
    assert not report, report


# --- help of the command line -------------------------------------------------------------------------------


def run_cli(words: list[str]) -> tuple[int, str]:
    """Exit status of one command and all that it wrote."""
    main = importlib.import_module("tcsim.cli").main
    written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(written), redirect_stderr(written):
        try:
            status = main(words)
        except SystemExit as stop:
            status = stop.code
    return status or 0, written.buffer.getvalue().decode()


def subcommands(text: str) -> list[str]:
    """Names under "Commands:" on a help page."""
    block = text.partition("\nCommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([\w-]+)", block, re.MULTILINE)


def example_commands(text: str) -> list[str]:
    """Command lines of a help page: indented `tcsim ...` after the word Example, up to the next part."""
    after = re.sub(r"\\\n\s*", "", text.partition("Example")[2])
    part = re.match(r".*\n((?: .*\n?|\n)*)", after)
    lines = part[1].splitlines() if part else []
    return [line.strip() for line in lines if re.match(r" {2,}tcsim ", line)]


def help_pages(words: list[str]) -> dict[str, str]:
    """Help pages by command, of these words and of every subcommand below them."""
    status, text = run_cli([*words, "--help"])
    assert status == 0, text
    pages = {" ".join(["tcsim", *words]): text}
    for name in subcommands(text):
        pages |= help_pages([*words, name])
    return pages


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return help_pages([])


def test_help_reader() -> None:
    page = """\
Usage: tcsim [OPTIONS] COMMAND

  tcsim answers questions.

  Examples:
    tcsim odds --attack \\
        ranged
    tcsim pool --net 1

Options:
  --help  Show this.

Commands:
  odds      What happens, how often?
              A second line.
  two-words Another.

  Afterword.
"""
    assert example_commands(page) == ["tcsim odds --attack ranged", "tcsim pool --net 1"]
    assert subcommands(page) == ["odds", "two-words"]
    assert example_commands("Usage: tcsim\n\n  tcsim odds\n") == subcommands("Usage: tcsim\n") == []


def test_every_help_page_has_examples(pages: dict[str, str]) -> None:
    assert len(pages) > 1
    assert [command for command, text in pages.items() if not example_commands(text)] == []


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.verification)])
def test_help_examples_run(pages: dict[str, str], whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of a page run in order in an empty folder; what has a small form (--demo) runs in it.

    Those of reports are the slow ones: whole reports, each of which the tests of reports make small. A page that rolls
    the dice of a sweep finds a small grid, the demo's without blood markers; the other pages answer the whole one.
    """
    demo = (ROOT / "tcsim/sweep/data/grid.toml").read_text(encoding="utf-8")
    small_grid = demo.replace("{from = 0, to = 6}", "[0]")
    assert small_grid != demo
    monkeypatch.setenv("MPLBACKEND", "Agg")
    demos = tuple(f"{command} " for command, text in pages.items() if command != "tcsim" and "\n  --demo" in text)
    failed = []
    for command, text in pages.items():
        if command.startswith("tcsim report") is not whole:
            continue
        folder = tmp_path / command.replace(" ", "-")
        folder.mkdir()
        monkeypatch.chdir(folder)
        examples = example_commands(text)
        if any(line.startswith("tcsim sweep ") and "--trials" in line for line in examples):
            Path("grid.toml").write_text(small_grid, encoding="utf-8")
        for line in examples:
            small = ["--demo"] if line.startswith(demos) and "--demo" not in line else []
            status, written = run_cli([*shlex.split(line, comments=True)[1:], *small])
            if status != 0:
                failed.append(f"{line}\n  exit status {status}: {written[-500:]}")
    assert not failed, "\n".join(failed)


# --- types: last, as the checker has run all the while ---------------------------------------------------------


def test_types_are_right(types: subprocess.Popen[str]) -> None:
    said, _ = types.communicate()
    assert types.returncode == 0, said
