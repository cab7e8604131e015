"""From an input to the manifest of a sweep, once; and from the manifest to what makes its parts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tcsim import __version__
from tcsim.base.errors import InputError, show
from tcsim.base.files import parse_file, parse_json, short_name
from tcsim.catalog import Catalog, catalog
from tcsim.catalog.fingerprint import fingerprint
from tcsim.rules import editions
from tcsim.sweep.answers import RESULTS, How
from tcsim.sweep.folder import Folder
from tcsim.sweep.given import Input, digest
from tcsim.sweep.grid import Grid, read_grid
from tcsim.sweep.lines import FileSource, look_through
from tcsim.sweep.manifest import FORMAT, part_names
from tcsim.sweep.parts import Maker
from tcsim.sweep.sources import GridSource, Source
from tcsim.sweep.table import suffix

#: Scenarios of a part: many where they are answered together, few where each takes its time; and most of them.
ROWS, MOST_ROWS = {"exact": 131_072, "monte_carlo": 512}, 10**7

#: Most parts of a sweep: folders of more files are slow everywhere.
MOST_PARTS = 100_000


def new_manifest(given: Input, how: How, catalogs: list[str], part_rows: int | None) -> dict[str, Any]:
    """Look through the input of a new sweep, and tell all that decides its parts.

    Parameters
    ----------
    given : Input
        Its scenarios.
    how : How
        How they are answered.
    catalogs : list of str
        Users' own catalogues.
    part_rows : int or None
        Scenarios of a part.

    Returns
    -------
    dict
        The manifest.

    Raises
    ------
    InputError
        When the input cannot be read, or is empty.
    """
    rows = part_rows if part_rows is not None else ROWS[how.method]
    if isinstance(rows, bool) or not isinstance(rows, int) or not 0 < rows <= MOST_ROWS:
        raise InputError(f"{show(rows)} is given, a whole number from 1 to {MOST_ROWS:,} is allowed", "part_rows")
    told, opened = given.told(), _opened(catalogs)
    files: dict[str, Any] = {}
    if given.kind == "grid":
        grid = _grid(given.path, opened, told)
        files = {str(path): digest(path) for path in grid.files}
        source: Source = GridSource(grid)
    else:
        source = FileSource(given.path, given.kind, *look_through(given.path, given.kind))
    if not source.size:
        raise InputError("there is no scenario in it", "input" if given.is_copy else short_name(given.path))
    if (count := -(-source.size // rows)) > MOST_PARTS:
        raise InputError(
            f"{rows:,} is given, which makes {count:,} parts; at most {MOST_PARTS:,} are allowed, "
            f"so {-(-source.size // MOST_PARTS):,} or more",
            "part_rows",
        )
    kind = suffix()
    return {
        "format": FORMAT,
        "tcsim": __version__,
        "input": told,
        "files": files,
        "scenarios": source.size,
        "how": how.told(),
        "catalogs": [str(Path(one).absolute()) for one in catalogs],
        "catalog_sha256": _fingerprints(opened),
        "kind": kind,
        "part_rows": rows,
        "schema": source.schema,
        "columns": {source.counts: "int"} | source.schema | RESULTS,
        "parts": part_names(count, kind),
    }


def maker_of(folder: Folder, manifest: dict[str, Any], threads: int | None = None) -> Maker:
    """Give what makes the parts of a sweep that has begun.

    Parameters
    ----------
    folder : Folder
        Where it is.
    manifest : dict
        What it is.
    threads : int, optional
        For rolling dice.

    Returns
    -------
    Maker
        Ready.

    Raises
    ------
    InputError
        When its input, a catalogue or tcsim has changed since it began.
    """
    path = unchanged(folder, manifest)
    if manifest["tcsim"] != __version__:
        raise InputError(f"the sweep was begun with tcsim {manifest['tcsim']}, this is {__version__}; begin a new one")
    if manifest["kind"] == "parquet" and suffix() != "parquet":
        raise InputError('its parts are Parquet, and pyarrow is not installed; pip install "tcsim[parquet]" gives it')
    opened = _opened(manifest["catalogs"])
    if _fingerprints(opened) != manifest["catalog_sha256"]:
        raise InputError("the catalogue has changed since the sweep began, so it cannot go on; begin a new one")
    told = manifest["input"]
    if told["kind"] == "grid":
        source: Source = GridSource(_grid(path, opened, told))
    else:
        source = FileSource(path, told["kind"], manifest["scenarios"], manifest["schema"])
    return Maker(source, How(**manifest["how"], threads=threads), manifest["kind"], opened)


def unchanged(folder: Folder, manifest: dict[str, Any]) -> Path:
    """Look whether the input of a sweep, and the files that it names, are what they were when the sweep began.

    Parameters
    ----------
    folder : Folder
        Where the sweep is.
    manifest : dict
        What it is.

    Returns
    -------
    Path
        The input.

    Raises
    ------
    InputError
        When it has changed, or cannot be read.
    """
    told = manifest["input"]
    path = folder.path / told["name"] if told["copied"] else Path(told["name"])
    for file, then in ((path, told), *((Path(name), mark) for name, mark in manifest["files"].items())):
        now = digest(file)
        if now != {key: then[key] for key in now}:
            raise InputError(
                f"{show(str(file), 200)} has changed since the sweep began ({then['size']:,} bytes then, "
                f"{now['size']:,} now), so it cannot go on; begin a new one"
            )
    return path


def _grid(path: Path, opened: dict[str, Catalog], told: dict[str, Any]) -> Grid:
    data = parse_json(path.read_bytes()) if told["copied"] else parse_file(path)
    try:
        return read_grid(data, opened, Path(told["beside"]))
    except InputError as error:
        raise InputError(str(error), "" if told["copied"] else short_name(path)) from None


def _opened(catalogs: list[str]) -> dict[str, Catalog]:
    if not catalogs:
        return {}
    from tcsim.catalog.custom import read_catalogs

    return dict(read_catalogs(catalogs))


def _fingerprints(opened: dict[str, Catalog]) -> dict[str, str]:
    return {one: fingerprint(opened[one]) if one in opened else _fingerprint_of_the_books(one) for one in editions()}


@cache
def _fingerprint_of_the_books(edition: str) -> str:
    """The fingerprint of a catalogue that comes with tcsim and so stays as it is while this process lasts."""
    return fingerprint(catalog(edition))
