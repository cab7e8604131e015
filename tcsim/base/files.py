"""Files that users give, and the text in them: what was given, and why it cannot be read, in one sentence."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError, show

if TYPE_CHECKING:
    from json import JSONDecoder

#: A file, or a line of JSON lines, above this many bytes is refused.
MAX_BYTES = 1 << 20


def because(error: Exception) -> str:
    """Say why a file cannot be opened, without its name.

    Parameters
    ----------
    error : Exception
        An ``OSError``, or the ``ValueError`` for a name that no file can have.

    Returns
    -------
    str
        As the operating system says it.

    Examples
    --------
    >>> because(FileNotFoundError(2, "No such file or directory")), because(ValueError("embedded null byte"))
    ('No such file or directory', 'the name is not possible')
    """
    return getattr(error, "strerror", None) or "the name is not possible"


def short_name(path: str | Path) -> str:
    """Name a file as the place of a mistake: without its folders.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    str
        One line that can be printed.
    """
    return show(Path(path).name, 200).strip('"')


def read_bytes(path: str | Path, suffixes: tuple[str, ...], where: str = "") -> tuple[bytes, str]:
    """Read a file of a known kind, at most 1 MiB.

    Parameters
    ----------
    path : str or Path
        The file.
    suffixes : tuple of str
        How its name may end, in lower case.
    where : str, optional
        What asked for it, as ``--policy``.

    Returns
    -------
    bytes, str
        What it holds, and how its name ends.

    Raises
    ------
    InputError
        When its name ends in something else, it cannot be read, or is too large.
    """
    name, path = show(str(path), 200), Path(path)
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise InputError(f"{name} is given, a file that ends in {' or '.join(suffixes)} is allowed", where)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {because(error)}", where) from None
    if len(data) > MAX_BYTES:
        raise InputError("the input is larger than 1 MiB", short_name(path))
    return data, suffix


def check_writable(path: str | Path, where: str = "") -> None:
    """Look whether a file can be written, before anything is worked out that would be lost.

    Parameters
    ----------
    path : str or Path
        The file.
    where : str, optional
        What asked for it, as ``--plot``.

    Raises
    ------
    InputError
        When it is a folder, its own folder is not there or not to be written to, or no file can have its name.
    """
    try:
        path = Path(path).resolve()
        os.fsencode(path)
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except (OSError, ValueError) as error:
        raise InputError(f"{show(str(path), 200)} cannot be written: {because(error)}", where) from None


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all, whatever happens meanwhile.

    Parameters
    ----------
    path : str or Path
        The file; what a link leads to is written, the link stays. One that is there is replaced, and keeps its
        permissions.
    content : bytes
        What is to be in it.

    Raises
    ------
    OSError
        When it cannot be written, as on a full disk; it says the name of the file.
    """
    given, path = path, Path(path).resolve()
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException as error:
        if name is not None:
            Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):  # the name that is told is not that of the file in between
            raise OSError(error.errno, error.strerror, str(given)) from None
        raise


def decode(data: bytes) -> str:
    """Decode UTF-8, with a byte order mark or without.

    Parameters
    ----------
    data : bytes
        The text.

    Returns
    -------
    str
        The text.

    Raises
    ------
    InputError
        When it is something else.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the input is not UTF-8: byte {error.start} cannot be read") from None


def parse_file(path: str | Path) -> Any:
    """Read a file as plain data; its name ends in .toml or .json.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Any
        Plain data, its shape not yet checked.

    Raises
    ------
    InputError
        When it cannot be read, is too large, or is not TOML or JSON.
    """
    data, suffix = read_bytes(path, (".toml", ".json"))
    try:
        return parse_toml(data) if suffix == ".toml" else parse_json(data)
    except InputError as error:
        raise InputError(str(error), short_name(path)) from None


def parse_json(text: str | bytes) -> Any:
    """Parse JSON strictly: no repeated keys, no NaN, no infinities, at most 1 MiB.

    Parameters
    ----------
    text : str or bytes
        JSON, UTF-8.

    Returns
    -------
    Any
        Plain data.

    Raises
    ------
    InputError
        With what is wrong and where.
    """
    from json import JSONDecodeError

    text = _decode(text)
    try:
        return _json_decoder().decode(text)
    except JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise InputError(f"this is not JSON: {what} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InputError("the tables are nested too deeply") from None
    except InputError:
        raise
    except ValueError:  # int() refuses more than 4,300 digits
        raise InputError("a number has too many digits") from None


def parse_toml(text: str | bytes) -> Any:
    """Parse TOML, at most 1 MiB.

    Parameters
    ----------
    text : str or bytes
        TOML, UTF-8.

    Returns
    -------
    Any
        Plain data.

    Raises
    ------
    InputError
        With what is wrong and where.
    """
    import tomllib

    text = _decode(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {str(error)[:200]}") from None
    except RecursionError:
        raise InputError("the tables are nested too deeply") from None
    except ValueError:
        raise InputError("a number or date cannot be read") from None


def _decode(text: str | bytes) -> str:
    if len(text) > MAX_BYTES:
        raise InputError("the input is larger than 1 MiB")
    text = text.removeprefix("\ufeff") if isinstance(text, str) else decode(text)
    if not text.strip():
        raise InputError("the input is empty")
    return text


@cache
def _json_decoder() -> JSONDecoder:
    from json import JSONDecoder

    return JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant)


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError(f"the key {show(key)} is given twice in one table")
            seen.add(key)
    return table


def _no_constant(word: str) -> Any:
    raise InputError(f"{word} is not a number that can be used")
