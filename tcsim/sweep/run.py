"""Runs a sweep: input to parts, from the beginning or from where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tcsim import __version__
from tcsim.base.errors import InputError, show
from tcsim.base.files import parse_file, short_name
from tcsim.catalog import Catalog, catalog
from tcsim.catalog.fingerprint import fingerprint
from tcsim.rules import editions
from tcsim.sweep.answers import Counted, How
from tcsim.sweep.files import SUFFIXES, FileSource, digest, look_through
from tcsim.sweep.folder import COPY, MANIFEST, PARTS, RECORDS, Folder, Mark, files_of, newest
from tcsim.sweep.grid import read_grid
from tcsim.sweep.manifest import FORMAT, part_names, written_manifest
from tcsim.sweep.parts import Maker, Part, columns_of
from tcsim.sweep.sources import GridSource, Source
from tcsim.sweep.table import read_columns, suffix

#: Scenarios of a part: many where they are answered together, few where each takes its time.
ROWS = {"exact": 131_072, "monte_carlo": 512}

#: Most parts of a sweep: folders of more files are slow everywhere.
MOST_PARTS = 100_000

#: Told after each part: how many scenarios were done, and how many of them failed.
Progress = Callable[[int, int], None]

#: Makes parts of pieces, in any order: gives their numbers, and what they are.
Workers = Callable[[Maker, Iterator[tuple[int, Any]]], Generator[tuple[int, Part], None, None]]


@dataclass(frozen=True)
class Done:
    """What a run did: scenarios that were answered and that failed, in all; parts made now; seconds; all the parts."""

    rows: int
    failed: int
    made: int
    seconds: float
    parts: int


@dataclass
class Sweep:
    """A sweep, ready to run.

    Parameters
    ----------
    folder : Folder
        Where its results are.
    manifest : dict
        What it is.
    source : GridSource or FileSource
        Its scenarios.
    catalogs : dict of str to Catalog
        Catalogues by edition, where not those of the books.
    input : Path
        The file of its scenarios.
    """

    folder: Folder
    manifest: dict[str, Any]
    source: Source
    catalogs: dict[str, Catalog]
    input: Path

    @property
    def how(self) -> How:
        """How its scenarios are answered."""
        return How(**self.manifest["how"])

    def maker(self, threads: int | None = None) -> Maker:
        """Give what makes its parts."""
        how = How(**self.manifest["how"], threads=threads)
        return Maker(self.source, how, self.manifest["kind"], self.catalogs)

    def run(self, workers: Workers, threads: int | None = None, progress: Progress | None = None) -> Done:
        """Make the parts that are not there yet.

        Parameters
        ----------
        workers : callable
            Makes them, here or elsewhere.
        threads : int, optional
            For rolling dice.
        progress : callable, optional
            Told of parts as they are written.

        Returns
        -------
        Done
            What was done.

        Raises
        ------
        InputError
            When something cannot be written.
        """
        begun, made = time.monotonic(), []
        parts, length = self.manifest["parts"], self.manifest["part_rows"]
        missing = {number for number, name in enumerate(parts) if not self._is_there(number, name)}
        pieces = (
            (number, (piece, self._before(number)))
            for number, piece in enumerate(self.source.pieces(length))
            if number in missing
        )
        if missing:
            with closing(workers(self.maker(threads), pieces)) as results:
                for number, part in results:
                    self.folder.save(number, parts[number], part)
                    made.append(number)
                    if progress is not None:
                        progress(part.rows + part.failed, part.failed)
            self._look_back(made)
        failed = self.folder.gather_errors(self._marks())
        return Done(self.source.size - failed, failed, len(made), time.monotonic() - begun, len(parts))

    def _is_there(self, number: int, name: str) -> bool:
        """Whether a part is there, after a look at whether it is as it was written."""
        return self.folder.has(name) and bool(self.folder.content(number, name))

    def _look_back(self, made: list[int]) -> None:
        """Take back what was made now, if the input was changed meanwhile."""
        told, parts = self.manifest["input"], self.manifest["parts"]
        if told["kind"] == "grid" or digest(self.input) == {"size": told["size"], "sha256": told["sha256"]}:
            return
        for number in made:
            (self.folder.path / parts[number]).unlink()
        raise InputError(
            f"{show(str(self.input), 200)} was changed while it was read, so that the parts made now are taken back; "
            "begin a new one"
        )

    def _marks(self) -> list[Mark]:
        found = [self.folder.mark(number, name) for number, name in enumerate(self.manifest["parts"])]
        return [mark for mark in found if mark is not None]

    def _before(self, number: int) -> list[Counted] | None:
        """What the generation before this one counted in a part; None for the first."""
        if "generation" not in self.manifest:
            return None
        folder, name = Folder(self.folder.path / ".." / self.manifest["previous"]), self.manifest["parts"][number]
        content = folder.content(number, name)
        return [Counted(*row) for row in read_columns(content, name, ("trials", "count", "count_down", "sum_blood"))]


def here(maker: Maker, pieces: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Part], None, None]:
    """Make parts in this process, one after the other.

    Parameters
    ----------
    maker : Maker
        Makes them.
    pieces : iterator of (int, Any)
        Numbers and pieces.

    Yields
    ------
    int, Part
        Each part, in order.
    """
    for number, piece in pieces:
        yield number, maker.make(*piece)


def new_sweep(
    given: str,
    folder: Folder,
    how: How,
    catalogs: Sequence[str] = (),
    part_rows: int | None = None,
    stdin: BinaryIO | None = None,
) -> Sweep:
    """Prepare a sweep; nothing is written yet but, from standard input, the input.

    Parameters
    ----------
    given : str
        Name of a file, or ``-`` for JSON lines on standard input.
    folder : Folder
        The folder of results; it is there, empty and locked, where the input is standard input.
    how : How
        How scenarios are answered.
    catalogs : sequence of str, optional
        Users' own catalogues.
    part_rows : int, optional
        Scenarios of a part.
    stdin : binary file, optional
        Standard input.

    Returns
    -------
    Sweep
        Ready to begin.

    Raises
    ------
    InputError
        When the input cannot be read.
    """
    path, kind = (Path(given), _kind(given)) if given != "-" else (folder.copy(stdin), "jsonl")
    if given != "-" and path.exists() and not path.is_file():
        raise InputError(f"{show(given, 200)} is no file; - reads JSON lines from standard input")
    told = {"name": COPY if given == "-" else str(path.absolute()), "copied": given == "-", "kind": kind}
    told |= digest(path)
    opened = _opened(catalogs)
    if kind == "grid":
        source: Source = GridSource(_grid(path, opened))
        schema = source.schema
    else:
        size, schema = look_through(path, kind)
        source = FileSource(path, kind, size, schema)
    if not source.size:
        raise InputError("there is no scenario in it", short_name(path) if given != "-" else "standard input")
    rows = part_rows if part_rows is not None else ROWS[how.method]
    if (count := -(-source.size // rows)) > MOST_PARTS:
        raise InputError(
            f"{rows:,} is given, which makes {count:,} parts; at most {MOST_PARTS:,} are allowed, "
            f"so {-(-source.size // MOST_PARTS):,} or more",
            "--part-rows",
        )
    suffix_ = suffix()
    manifest = {
        "format": FORMAT,
        "tcsim": __version__,
        "input": told,
        "scenarios": source.size,
        "how": how.told(),
        "catalogs": list(catalogs),
        "catalog_sha256": _marks(opened),
        "kind": suffix_,
        "part_rows": rows,
        "schema": schema,
        "columns": columns_of(source),
        "parts": part_names(count, suffix_),
    }
    return Sweep(folder, manifest, source, opened, path)


@contextmanager
def started(
    given: str, out: str | Path, how: How, force: bool = False, stdin: BinaryIO | None = None, **more: Any
) -> Iterator[Sweep]:
    """Begin a sweep in a folder, which is locked as long as it lasts.

    Parameters
    ----------
    given : str
        Name of a file, or ``-`` for JSON lines on standard input.
    out : str or Path
        The folder of results.
    how : How
        How scenarios are answered.
    force : bool, optional
        Begin in a folder that is not empty; a sweep that is there is deleted, other files stay.
    stdin : binary file, optional
        Standard input.
    **more
        ``catalogs`` and ``part_rows`` of :func:`new_sweep`.

    Yields
    ------
    Sweep
        Its manifest is in its folder.

    Raises
    ------
    InputError
        When the input cannot be read, or the folder cannot be written to; nothing is lost then.
    """
    folder = Folder(out)
    # what is wrong with a file is said before a folder is made
    made = new_sweep(given, folder, how, **more) if given != "-" else None
    folder.look(force)
    with folder.locked():
        folder.look(force)  # again: another may have been at work
        made = made if made is not None else new_sweep(given, folder, how, stdin=stdin, **more)
        folder.make_way(files_of(made.manifest), made.input)
        begin(made)
        yield made


def begin(sweep: Sweep) -> None:
    """Put the manifest of a new sweep into its folder, before anything is answered.

    Parameters
    ----------
    sweep : Sweep
        As :func:`new_sweep` gives it; its folder is empty, or cleared.

    Raises
    ------
    InputError
        When it cannot be written.
    """
    for part in (PARTS, RECORDS):
        (sweep.folder.path / part).mkdir(parents=True, exist_ok=True)
    if sweep.manifest["input"]["copied"] and "generation" not in sweep.manifest:
        sweep.input = sweep.folder.named(sweep.input)
        sweep.source = FileSource(sweep.input, "jsonl", sweep.source.size, sweep.source.schema)
    sweep.folder.write(MANIFEST, [written_manifest(sweep.manifest)])


def old_sweep(out: str) -> Sweep:
    """Open a sweep that has begun.

    Parameters
    ----------
    out : str
        Its folder.

    Returns
    -------
    Sweep
        Ready to go on.

    Raises
    ------
    InputError
        When there is none, or its input or what it was begun with has changed.
    """
    folder = Folder(out)
    manifest = folder.manifest()
    told = manifest["input"]
    path = folder.path / told["name"] if told["copied"] else Path(told["name"])
    now = digest(path)
    if now != {key: told[key] for key in now}:
        raise InputError(
            f"{show(str(path), 200)} has changed since the sweep began ({told['size']:,} bytes then, {now['size']:,} "
            "now), so it cannot go on; begin a new one"
        )
    if manifest["tcsim"] != __version__:
        raise InputError(f"the sweep was begun with tcsim {manifest['tcsim']}, this is {__version__}; begin a new one")
    if manifest["kind"] == "parquet" and suffix() != "parquet":
        raise InputError('its parts are Parquet, and pyarrow is not installed; pip install "tcsim[parquet]" gives it')
    opened = _opened(manifest["catalogs"])
    if _marks(opened) != manifest["catalog_sha256"]:
        raise InputError("the catalogue has changed since the sweep began, so it cannot go on; begin a new one")
    if told["kind"] == "grid":
        source: Source = GridSource(_grid(path, opened))
    else:
        source = FileSource(path, told["kind"], manifest["scenarios"], manifest["schema"])
    return Sweep(folder, manifest, source, opened, path)


def more_trials(out: str, trials: int) -> Sweep:
    """Prepare further trials of a finished sweep of dice: another generation beside its parts, which stay.

    Parameters
    ----------
    out : str
        The folder of the sweep.
    trials : int
        How many more for each scenario.

    Returns
    -------
    Sweep
        Ready to begin, in the folder ``gen-1`` of the sweep, or the one after the last.

    Raises
    ------
    InputError
        When the sweep is exact, is not finished, or its input has changed.
    """
    root, last = Path(out), newest(out)
    made = old_sweep(str(last))
    if made.manifest["how"]["method"] == "exact":
        raise InputError("the sweep is exact, so that more trials have nothing to add to it", "--trials")
    missing = sum(made.folder.mark(number, name) is None for number, name in enumerate(made.manifest["parts"]))
    if missing:
        raise InputError(f"{missing} parts are not there yet; tcsim sweep resume makes them first", "--trials")
    generation = made.manifest.get("generation", 0) + 1
    told = dict(made.manifest["input"])
    if told["copied"] and generation == 1:
        told["name"] = f"../{told['name']}"
    previous = "." if generation == 1 else f"gen-{generation - 1}"
    how = made.manifest["how"] | {"trials": trials, "precision": None}
    manifest = made.manifest | {"input": told, "how": how, "generation": generation, "previous": previous}
    return Sweep(Folder(root / f"gen-{generation}"), manifest, made.source, made.catalogs, made.input)


def _kind(given: str) -> str:
    suffix_ = Path(given).suffix.lower()
    if suffix_ not in SUFFIXES:
        ends = ", ".join(SUFFIXES)
        raise InputError(f"{show(given, 200)} is given, a file that ends in {ends}, or - for JSON lines, is allowed")
    return SUFFIXES[suffix_]


def _grid(path: Path, opened: dict[str, Catalog]) -> Any:
    data = parse_file(path)
    try:
        return read_grid(data, opened)
    except InputError as error:
        raise InputError(str(error), short_name(path)) from None


def _opened(catalogs: Sequence[str]) -> dict[str, Catalog]:
    if not catalogs:
        return {}
    from tcsim.catalog.custom import read_catalogs

    return dict(read_catalogs(catalogs))


def _marks(opened: dict[str, Catalog]) -> dict[str, str]:
    return {edition: fingerprint(opened.get(edition) or catalog(edition)) for edition in editions()}
