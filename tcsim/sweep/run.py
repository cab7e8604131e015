"""Runs a sweep: input to parts, from the beginning or from where it stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
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
from tcsim.sweep.folder import COPY, ERRORS, FORMAT, MANIFEST, Folder, errors_name, newest, part_name
from tcsim.sweep.grid import read_grid
from tcsim.sweep.parts import Maker, Part, columns_of
from tcsim.sweep.sources import GridSource, Source
from tcsim.sweep.table import read_columns, suffix

#: Scenarios of a part: many where they are answered together, few where each takes its time.
ROWS = {"exact": 131_072, "monte_carlo": 512}

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
    """

    folder: Folder
    manifest: dict[str, Any]
    source: Source
    catalogs: dict[str, Catalog]

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
        begun, made = time.monotonic(), 0
        parts, length = self.manifest["parts"], self.manifest["part_rows"]
        missing = {number for number, name in enumerate(parts) if not self.folder.has(name)}
        pieces = (
            (number, (piece, self._before(number)))
            for number, piece in enumerate(self.source.pieces(length))
            if number in missing
        )
        if missing:
            with closing(workers(self.maker(threads), pieces)) as results:
                for number, part in results:
                    self.folder.write(errors_name(number), part.errors)
                    self.folder.write(parts[number], part.content)
                    made += 1
                    if progress is not None:
                        progress(part.rows + part.failed, part.failed)
        failed = self.gather_errors()
        return Done(self.source.size - failed, failed, made, time.monotonic() - begun, len(parts))

    def gather_errors(self) -> int:
        """Put what is wrong with scenarios into one file, in order; give how many there are."""
        found = b"".join(
            (self.folder.path / errors_name(number)).read_bytes()
            for number in range(len(self.manifest["parts"]))
            if self.folder.has(errors_name(number))
        )
        path = self.folder.path / ERRORS
        if found and (not path.exists() or path.read_bytes() != found):
            self.folder.write(ERRORS, found)
        return found.count(b"\n")

    def _before(self, number: int) -> list[Counted] | None:
        """What the generation before this one counted in a part; None for the first."""
        if "generation" not in self.manifest:
            return None
        path = self.folder.path / ".." / self.manifest["previous"] / self.manifest["parts"][number]
        return [Counted(*row) for row in read_columns(path, ("trials", "count", "count_down", "sum_blood"))]


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
    path, kind = (Path(given), _kind(given)) if given != "-" else (folder.path / COPY, "jsonl")
    if given == "-":
        folder.copy(COPY, stdin)
    elif path.exists() and not path.is_file():
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
        if told["copied"]:
            path.unlink()
        raise InputError("there is no scenario in it", short_name(path) if given != "-" else "standard input")
    rows = part_rows if part_rows is not None else ROWS[how.method]
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
        "parts": [part_name(number, suffix_) for number in range(-(-source.size // rows))],
    }
    return Sweep(folder, manifest, source, opened)


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
    for part in ("parts", "errors"):
        (sweep.folder.path / part).mkdir(exist_ok=True)
    sweep.folder.write(MANIFEST, (json.dumps(sweep.manifest, indent=1, ensure_ascii=False) + "\n").encode())


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
    return Sweep(folder, manifest, source, opened)


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
    missing = sum(not made.folder.has(name) for name in made.manifest["parts"])
    if missing:
        raise InputError(f"{missing} parts are not there yet; tcsim sweep resume makes them first", "--trials")
    generation = made.manifest.get("generation", 0) + 1
    told = dict(made.manifest["input"])
    if told["copied"] and generation == 1:
        told["name"] = f"../{told['name']}"
    previous = "." if generation == 1 else f"gen-{generation - 1}"
    how = made.manifest["how"] | {"trials": trials, "precision": None}
    manifest = made.manifest | {"input": told, "how": how, "generation": generation, "previous": previous}
    return Sweep(Folder(root / f"gen-{generation}"), manifest, made.source, made.catalogs)


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
