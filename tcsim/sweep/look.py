"""Looking at the results of a sweep: how far it is, all of it as one file, and questions in SQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from tcsim.base.errors import InputError, show
from tcsim.base.files import because
from tcsim.sweep.folder import Folder, errors_name, newest


class Status(NamedTuple):
    """How far a sweep is: scenarios, those in finished parts, those that failed; parts, and finished ones."""

    scenarios: int
    done: int
    failed: int
    parts: int
    finished: int

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.finished == self.parts


def status(out: str) -> Status:
    """Say how far a sweep is.

    Parameters
    ----------
    out : str
        Its folder.

    Returns
    -------
    Status
        From what is there, whether or not it is running.

    Raises
    ------
    InputError
        When it is no folder of a sweep.
    """
    folder = Folder(newest(out))
    manifest = folder.manifest()
    size, length, names = manifest["scenarios"], manifest["part_rows"], manifest["parts"]
    there = [number for number, name in enumerate(names) if folder.has(name)]
    done = sum(min(length, size - number * length) for number in there)
    files = [folder.path / errors_name(number) for number in there]
    failed = sum(file.read_bytes().count(b"\n") for file in files if file.exists())
    return Status(size, done, failed, len(names), len(there))


def _parts(out: str) -> tuple[dict[str, Any], list[Path]]:
    folder = Folder(newest(out))
    manifest = folder.manifest()
    names = manifest["parts"]
    missing = sum(not folder.has(name) for name in names)
    if missing:
        raise InputError(
            f"{missing} of the {len(names)} parts in {folder.name} are not there yet; tcsim sweep resume makes them"
        )
    return manifest, [folder.path / name for name in names]


def merge(out: str, to: str, force: bool = False) -> tuple[int, Path]:
    """Write all parts of a finished sweep as one file.

    Parameters
    ----------
    out : str
        Its folder.
    to : str
        The file, of the same kind as the parts; how its name ends may be left out.
    force : bool, optional
        Write over a file that is there.

    Returns
    -------
    int, Path
        Rows, and the file.

    Raises
    ------
    InputError
        When the sweep is not finished, the file is there, or it cannot be written.
    """
    manifest, parts = _parts(out)
    kind = manifest["kind"]
    path = Path(to) if Path(to).suffix else Path(f"{to}.{kind}")
    if path.suffix.lower() != f".{kind}":
        raise InputError(f"{show(to, 200)} is given, a file that ends in .{kind}, as the parts are, is needed", "--to")
    if path.exists() and not force:
        raise InputError(f"{show(to, 200)} is there already; --force writes over it", "--to")
    begun = path.with_name(f".{path.name}.begun")
    try:
        rows = _merge_parquet(parts, begun) if kind == "parquet" else _merge_csv(parts, begun)
        begun.replace(path)
    except OSError as error:
        begun.unlink(missing_ok=True)
        raise InputError(f"{show(to, 200)} cannot be written: {because(error)}", "--to") from None
    return rows, path


def _merge_parquet(parts: list[Path], to: Path) -> int:
    import pyarrow.parquet as pq

    rows = 0
    with pq.ParquetWriter(to, pq.read_schema(parts[0]), compression="zstd", compression_level=1) as writer:
        for part in parts:
            table = pq.read_table(part, partitioning=None)
            writer.write_table(table)
            rows += table.num_rows
    return rows


def _merge_csv(parts: list[Path], to: Path) -> int:
    rows = 0
    with to.open("wb") as file:
        for number, part in enumerate(parts):
            head, _, body = part.read_bytes().partition(b"\n")
            file.write((head + b"\n" if not number else b"") + body)
            rows += body.count(b"\n")
    return rows


def query(out: str, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Ask the results of a sweep in SQL.

    Parameters
    ----------
    out : str
        Its folder; it need not be finished.
    sql : str
        One query; the finished parts are the table ``results``.

    Returns
    -------
    list of str, list of tuple
        The columns, and the rows.

    Raises
    ------
    InputError
        When DuckDB is not installed, nothing is finished, or the query is wrong.
    """
    try:
        import duckdb
    except ImportError:
        raise InputError('the library duckdb is not installed; pip install "tcsim[sql]" gives it') from None
    folder = Folder(newest(out))
    manifest = folder.manifest()
    parts = [str(folder.path / name) for name in manifest["parts"] if folder.has(name)]
    if not parts:
        raise InputError(f"no part in {folder.name} is finished yet")
    with duckdb.connect() as connection:
        listed = ", ".join(map(_quoted, parts))
        if manifest["kind"] == "parquet":
            read = f"read_parquet([{listed}])"
        else:  # kinds as the manifest has them: what looks like a number in one part is none in another
            kinds = ", ".join(f"{_quoted(name)}: '{_SQL[kind]}'" for name, kind in manifest["columns"].items())
            read = f"read_csv([{listed}], header = true, auto_detect = false, columns = {{{kinds}}})"
        try:
            connection.execute(f"CREATE VIEW results AS SELECT * FROM {read}")
            found = connection.execute(sql)
            return [column[0] for column in found.description or ()], found.fetchall()
        except duckdb.Error as error:
            raise InputError(f"the query cannot be answered: {_why(str(error))}", "SQL") from None


#: Kinds of columns in SQL.
_SQL = {"bool": "BOOLEAN", "int": "BIGINT", "float": "DOUBLE", "text": "VARCHAR"}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _why(error: str) -> str:
    told = error.splitlines()[0][:300]
    columns = "; DESCRIBE results lists the columns, and names with dots stand in double quotes"
    return told + (columns if "column" in told else "")
