"""Looking at the results of a sweep: how far it is, all of it as one file, and questions in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from tcsim.base.csv_text import unguarded
from tcsim.base.errors import InputError, show, unknown
from tcsim.base.files import because
from tcsim.sweep.folder import Folder, Mark, whole

if TYPE_CHECKING:
    import pandas as pd

#: Rows that a merged file holds together, at the least.
_GROUP = 131_072

#: Kinds of columns as pandas has them, so that each can be missing.
_PANDAS = {"bool": "boolean", "int": "Int64", "float": "Float64", "text": "string"}


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


def status(folder: Folder, manifest: dict[str, Any]) -> Status:
    """Say how far a sweep is.

    Parameters
    ----------
    folder : Folder
        Its folder.
    manifest : dict
        What it is.

    Returns
    -------
    Status
        From what is there, whether or not it is running.

    Raises
    ------
    InputError
        When it is no folder of a sweep.
    """
    marks = folder.marks(manifest["parts"])
    done, failed = sum(mark.rows + mark.failed for mark in marks.values()), sum(mark.failed for mark in marks.values())
    return Status(manifest["scenarios"], done, failed, len(manifest["parts"]), len(marks))


def verified(folder: Folder, manifest: dict[str, Any]) -> Status:
    """Look at a finished sweep, every byte of it; what is wrong with scenarios is put together, if it was not.

    Parameters
    ----------
    folder : Folder
        Its folder.
    manifest : dict
        What it is.

    Returns
    -------
    Status
        It is finished.

    Raises
    ------
    InputError
        When it is not finished, or a part is not as it was written.
    """
    marks = list(finished(folder, manifest).values())
    for number, name in enumerate(manifest["parts"]):
        folder.content(number, name)
    if not folder.is_gathered(marks):
        with folder.locked():
            folder.gather_errors(marks)
    return status(folder, manifest)


def finished(folder: Folder, manifest: dict[str, Any]) -> dict[str, Mark]:
    """Give the parts of a sweep, which are all there.

    Parameters
    ----------
    folder : Folder
        Its folder.
    manifest : dict
        What it is.

    Returns
    -------
    dict of str to Mark
        What each has to be, in order.

    Raises
    ------
    InputError
        When one is not there yet, or is not as it was written, by its size.
    """
    names, marks = manifest["parts"], folder.marks(manifest["parts"])
    if missing := len(names) - len(marks):
        raise InputError(
            f"{missing:,} of the {len(names):,} parts in {folder.name} are not there yet; tcsim sweep resume makes them"
        )
    return marks


def _some(folder: Folder, manifest: dict[str, Any]) -> list[str]:
    """The parts of a sweep that are there, at least one."""
    if not (names := list(folder.marks(manifest["parts"]))):
        raise InputError(f"no part in {folder.name} is finished yet")
    return names


def merge(folder: Folder, manifest: dict[str, Any], to: str, force: bool = False) -> Path:
    """Write all parts of a finished sweep as one file.

    Parameters
    ----------
    folder : Folder
        Its folder.
    manifest : dict
        What it is.
    to : str
        The file, of the same kind as the parts; how its name ends may be left out.
    force : bool, optional
        Write over a file that is there.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        When the sweep is not finished, the file is there, or it cannot be written.
    """
    names, kind = list(finished(folder, manifest)), manifest["kind"]
    path = Path(to) if Path(to).suffix else Path(f"{to}.{kind}")
    if path.suffix.lower() != f".{kind}":
        raise InputError(f"{show(to, 200)} is given, a file that ends in .{kind}, as the parts are, is needed", "--to")
    if path.resolve() in {one.resolve() for one in Folder(folder.root).written()}:
        raise InputError(f"{show(to, 200)} is a file of the sweep itself; give another name", "--to")
    if path.exists() and not force:
        raise InputError(f"{show(str(path), 200)} is there already; --force writes over it", "--to")
    parts = (folder.content(number, name) for number, name in enumerate(names))
    try:
        with whole(path) as file:
            (_merge_parquet if kind == "parquet" else _merge_csv)(parts, file)
    except OSError as error:
        raise InputError(f"{show(str(path), 200)} cannot be written: {because(error)}", "--to") from None
    return path


def _merge_parquet(parts: Iterator[bytes], to: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    waiting = [pq.ParquetFile(pa.BufferReader(next(parts))).read()]
    rows, schema = waiting[0].num_rows, waiting[0].schema
    with pq.ParquetWriter(to, schema, compression="zstd", compression_level=1) as writer:
        for part in parts:
            if rows >= _GROUP:  # small parts would each be read on their own
                writer.write_table(pa.concat_tables(waiting))
                rows, waiting = 0, []
            waiting.append(pq.ParquetFile(pa.BufferReader(part)).read())
            rows += waiting[-1].num_rows
        writer.write_table(pa.concat_tables(waiting))


def _merge_csv(parts: Iterator[bytes], to: BinaryIO) -> None:
    for number, part in enumerate(parts):
        head, end, body = part.partition(b"\n")
        to.write((head + end if not number else b"") + body)


def query(folder: Folder, manifest: dict[str, Any], sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Ask the results of a sweep in SQL.

    Parameters
    ----------
    folder : Folder
        Its folder; it need not be finished.
    manifest : dict
        What it is.
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
    names = _some(folder, manifest)
    listed = "[" + ", ".join(_quoted(str((folder.path / name).absolute())) for name in names) + "]"
    if manifest["kind"] == "parquet":
        read = f"read_parquet({listed}, hive_partitioning = false)"
    else:  # kinds are said, as a part in which a column is empty does not show its kind
        kinds = ", ".join(f"{_quoted(name)}: '{_SQL_KINDS[kind]}'" for name, kind in manifest["columns"].items())
        said = "auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', new_line = '\\n'"
        read = f"read_csv({listed}, columns = {{{kinds}}}, {said}, hive_partitioning = false)"
    with duckdb.connect() as connection:
        try:
            # nothing but the parts can be read, nothing written, nothing fetched, no variable of Python seen
            connection.execute("SET python_enable_replacements = false")
            connection.execute(f"SET allowed_paths = {listed}")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            connection.execute(f"CREATE VIEW results AS SELECT * FROM {read}")
            sql.encode()  # half characters are no mistake that DuckDB tells
            statements = connection.extract_statements(sql)
            if len(statements) != 1 or statements[0].type not in (
                duckdb.StatementType.SELECT,
                duckdb.StatementType.EXPLAIN,
            ):
                raise InputError(
                    "one query is allowed, a SELECT; it can read the table results, and nothing else", "SQL"
                )
            found = connection.execute(statements[0])
            return _different([column[0] for column in found.description or ()]), found.fetchall()
        except (duckdb.Error, UnicodeEncodeError) as error:
            raise InputError(f"the query cannot be answered: {_why(str(error))}", "SQL") from None


#: Kinds of columns in SQL.
_SQL_KINDS = {"bool": "BOOLEAN", "int": "BIGINT", "float": "DOUBLE", "text": "VARCHAR"}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _why(error: str) -> str:
    told = error.splitlines()[0][:300]
    columns = "; DESCRIBE results lists the columns, and names with dots stand in double quotes"
    return told + (columns if "column" in told else "")


def _different(names: list[str]) -> list[str]:
    """Names of columns, each once: a second ``n`` is ``n_2``."""
    found: list[str] = []
    for name in names:
        count, new = 1, name
        while new in found:
            count += 1
            new = f"{name}_{count}"
        found.append(new)
    return found


def frame(folder: Folder, manifest: dict[str, Any], columns: Iterable[str] | None) -> pd.DataFrame:
    """Give the results that are there.

    Parameters
    ----------
    folder : Folder
        The folder of the sweep.
    manifest : dict
        Its manifest.
    columns : iterable of str or None
        Only these.

    Returns
    -------
    DataFrame
        See :meth:`tcsim.Sweep.frame`.

    Raises
    ------
    InputError
        When nothing is finished, or there is no such column.
    """
    import pandas as pd

    kinds = manifest["columns"]
    names = list(columns) if columns is not None else list(kinds)
    for name in names:
        if name not in kinds:
            raise unknown("column", str(name), kinds)
    parts = [folder.path / name for name in _some(folder, manifest)]
    types = {name: _PANDAS[kinds[name]] for name in names}
    if manifest["kind"] == "csv":
        told: Any = {"usecols": names, "dtype": types, "keep_default_na": False, "na_values": [""]}
        found: pd.DataFrame = pd.concat([pd.read_csv(part, **told)[names] for part in parts], ignore_index=True)
        for name in names:
            if kinds[name] == "text":
                found[name] = found[name].map(unguarded, na_action="ignore").astype("string")
        return found
    read = [pd.read_parquet(part, columns=names, partitioning=None).astype(types) for part in parts]
    return pd.concat(read, ignore_index=True)
