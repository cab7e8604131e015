"""The flags ``--as-command`` and ``--as-toml``: the question itself, for somebody who is to get the same answer."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError, show
from tcsim.cli.given import PLACES, lay_over, scenario_flags
from tcsim.rules import word
from tcsim.scenario.read import from_mapping
from tcsim.scenario.share import as_toml, plain
from tcsim.scenario.written import read_attack, write

if TYPE_CHECKING:
    from tcsim.scenario.resolve import Resolved

#: Lists that a flag takes as one text with commas.
_WITH_COMMAS = ("armour", "unit_armour")


def sharing_options(command: Any) -> Any:
    """Give a command ``--as-command`` and ``--as-toml``.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with the flags.
    """
    line = click.option("--as-command", is_flag=True, help="Print the question as one command line, unanswered.")
    file = click.option("--as-toml", is_flag=True, help="Print the question as a scenario file, unanswered.")
    return line(file(command))


def wants_sharing(flags: dict[str, Any], **others: Any) -> str | None:
    """Take the flags of :func:`sharing_options` out of the others.

    Parameters
    ----------
    flags : dict
        Flags by name; the two are taken out.
    **others
        Flags that ask for another form of the output, and go with neither.

    Returns
    -------
    str or None
        ``--as-command``, ``--as-toml`` or nothing.

    Raises
    ------
    InputError
        When more than one form is asked for.
    """
    line, file = flags.pop("as_command"), flags.pop("as_toml")
    chosen = [name for name, wanted in (("--as-command", line), ("--as-toml", file)) if wanted]
    chosen += [f"--{name.removeprefix('as_')}" for name, value in others.items() if value]
    if (line or file) and len(chosen) > 1:
        raise InputError(f"give one of {chosen[0]} and {chosen[1]}")
    return chosen[0] if line or file else None


def share(
    question: Resolved,
    how: str,
    command: Sequence[str],
    more: Sequence[str] = (),
    catalogs: Sequence[str] = (),
) -> None:
    """Print a question so that another person gets the same answer.

    Parameters
    ----------
    question : Resolved
        The question.
    how : str
        ``--as-command`` or ``--as-toml``.
    command : sequence of str
        The words of the command, as ``odds``.
    more : sequence of str, optional
        Its own flags, those that matter for the answer.
    catalogs : sequence of str, optional
        The user's own catalogues.

    Raises
    ------
    InputError
        For a command line, where a flag cannot say something.
    """
    rest = [*(piece for file in catalogs for piece in ("--catalog", str(file))), *more]
    if how == "--as-toml":
        asked = shlex.join(["tcsim", *command, "THIS-FILE.toml", *rest])
        sys.stdout.write(as_toml(question.scenario, [asked]))
        return
    words = scenario_words(question)
    sys.stdout.write(shlex.join(["tcsim", *command, *words, *rest]) + "\n")


def flag_words(given: dict[str, Any], usual: dict[str, Any]) -> list[str]:
    """Write a command's own flags as words, those that are not as they would be anyway.

    Parameters
    ----------
    given : dict
        Flags by name; None is one that is not given.
    usual : dict
        What is not said, by name.

    Returns
    -------
    list of str
        As ``["--seed", "7"]``.

    Examples
    --------
    >>> flag_words({"seed": 7, "worth": True, "trials": None}, {"seed": 1})
    ['--seed', '7', '--worth']
    """
    words: list[str] = []
    for name, value in given.items():
        if value is None or value is False or (name in usual and value == usual[name]):
            continue
        for one in value if isinstance(value, (tuple, list)) else [value]:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if one is True else [f"{one:.17g}" if isinstance(one, float) else str(one)]
    return words


def scenario_words(question: Resolved) -> list[str]:
    """Write a scenario as the flags that ask for it.

    Parameters
    ----------
    question : Resolved
        The question.

    Returns
    -------
    list of str
        The words; read as flags they come to the same numbers.

    Raises
    ------
    InputError
        Where a flag cannot say something.
    """
    data = plain(question.scenario)
    words: list[str] = []
    for index, table in enumerate(data["attacks"]):
        words += ["--attack", _attack(table, f"attacks[{index}]")]
    options = {option.name: option for option in _bare().params if isinstance(option, click.Option)}
    for name, place in PLACES.items():
        value: Any = data
        for key in place:
            value = value.get(key, {}) if isinstance(value, dict) else {}
        if value != {}:
            words += _words(options[name], name, value, ".".join(place))
    if "policy" in data.get("spend", {}):
        raise _unsaid("spend.policy", "rows")
    for name, value in data.get("options", {}).items():
        words += ["--option", f"{name}={word(value)}"]
    _check(words, question)
    return words


def _words(option: click.Option, name: str, value: Any, where: str) -> list[str]:
    """One flag with its value."""
    flag = max(option.opts, key=len) if name != "blood_on_injury" else "--spend"
    if isinstance(value, bool):
        return [flag if value else option.secondary_opts[0]]
    if isinstance(value, list) and any(not isinstance(one, str) for one in value):
        raise _unsaid(where, "rows")
    if name in _WITH_COMMAS:
        if any("," in one or one != one.strip() for one in value):
            raise _unsaid(where, f"{show(value)}, names with commas or spaces around them,")
        return [flag, ",".join(value)]
    return [piece for one in (value if isinstance(value, list) else [value]) for piece in (flag, str(one))]


def _attack(table: dict[str, Any], where: str) -> str:
    """An attack or event as one text, once it is read as the same."""
    kind = {} if {"event", "weapon", "kind"} & set(table) else {"kind": "ranged"}
    text = write({**kind, **table})
    try:
        if read_attack(text, where) == {**kind, **table}:
            return text
    except InputError:
        pass
    named = next((value for value in table.values() if isinstance(value, str) and "," in value), None)
    raise _unsaid(where, show(named) if named is not None else "one of its values")


def _unsaid(where: str, what: str) -> InputError:
    return InputError(f"{what} cannot be said by flags, --as-toml writes the whole question", where)


def _check(words: list[str], question: Resolved) -> None:
    """Read the words as flags, and look whether they ask the same."""
    from tcsim.scenario.resolve import resolve

    try:
        read = resolve(from_mapping(lay_over({}, flags_of(words))), question.catalog)
        same = (read.problem, read.scenario.id) == (question.problem, question.scenario.id)
    except (InputError, click.UsageError):
        same = False
    if not same or any("\0" in one for one in words):
        raise InputError("this question cannot be said by flags, --as-toml writes it", "--as-command")


def flags_of(words: Sequence[str]) -> dict[str, Any]:
    """Read words as the flags of a scenario.

    Parameters
    ----------
    words : sequence of str
        As they stand on a command line.

    Returns
    -------
    dict
        Flags by name.
    """
    flags: dict[str, Any] = _bare().main(list(words), standalone_mode=False)
    return flags


def _bare() -> click.Command:
    """A command that has the flags of a scenario alone, and gives them back."""

    def given(**flags: Any) -> dict[str, Any]:
        return flags

    normal = {"token_normalize_func": lambda token: token.replace("_", "-")}
    return click.command("scenario", context_settings=normal)(scenario_flags(given))
