"""Spending policies as files: TOML, with a ``policy`` array of rows, or CSV, with a row a line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcsim.base.errors import InputError, unknown
from tcsim.base.files import decode, parse_toml, read_bytes, short_name
from tcsim.scenario import model
from tcsim.scenario.problem import EVERY_MARKER, Condition, Rule
from tcsim.scenario.read import from_mapping
from tcsim.scenario.spending import FLAGS, MOST, rules_of

#: Most rows of a policy.
MAX_ROWS = 20_000


@dataclass(frozen=True)
class PolicyFile:
    """The rows of a policy, and where they stand.

    Parameters
    ----------
    name : str
        Of the file, without folders.
    rows : list of dict
        As ``spend.policy`` takes them.
    places : list of str
        File and line of each row, or its number where the line cannot be told.
    """

    name: str
    rows: list[dict[str, Any]]
    places: list[str]

    def placed(self, error: InputError) -> InputError:
        """Say a mistake by the file's own places.

        Parameters
        ----------
        error : InputError
            One that may speak of ``spend.policy[3]``.

        Returns
        -------
        InputError
            The same, or one that speaks of the file and its line.
        """
        match = re.match(r"spend\.policy(?:\[(\d+)\])?", str(error))
        if match is None:
            return error
        place = self.name if match[1] is None else self.places[int(match[1])]
        return InputError(place + str(error)[match.end() :])


def read_policy(path: str | Path) -> PolicyFile:
    """Read a policy from a .toml or .csv file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    PolicyFile
        Its rows, each known to be well formed; whether they can be paid is looked at when a scenario is resolved.

    Raises
    ------
    InputError
        When it cannot be read or a row is wrong, with its line.
    """
    data, suffix = read_bytes(path, (".toml", ".csv"), "--policy")
    short = short_name(path)
    found = _from_toml(data, short) if suffix == ".toml" else _from_csv(data, short)
    if len(found.rows) > MAX_ROWS:
        raise InputError(f"these are {len(found.rows):,} rows, at most {MAX_ROWS:,} are allowed", short)
    try:
        rows = from_mapping({"target": {}, "attacks": [{}], "spend": {"policy": found.rows}}).spend.policy or []
        rules_of(rows, [f"spend.policy[{index}]" for index in range(len(rows))])
    except InputError as error:
        raise found.placed(error) from None
    return found


def read_goal(path: str | Path) -> list[dict[str, Any]]:
    """Read the rows of a goal from a .toml file: a ``goal`` array.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    list of dict
        As ``spend.goal`` takes them.

    Raises
    ------
    InputError
        When it cannot be read or a row is wrong.
    """
    data, _ = read_bytes(path, (".toml",), "--goal")
    short = short_name(path)
    rows = _array(data, short, "goal")
    try:
        from_mapping({"target": {}, "attacks": [{}], "spend": {"goal": rows}})
    except InputError as error:
        raise InputError(str(error).replace("spend.goal", f"{short}: goal", 1)) from None
    return rows


def _array(data: bytes, name: str, key: str) -> list[Any]:
    """The one array of a TOML document."""
    try:
        table = parse_toml(data)
    except InputError as error:
        raise InputError(str(error), name) from None
    for other in table:
        if other != key:
            raise unknown("field", other, (key,), name)
    rows = table.get(key)
    if not isinstance(rows, list):
        raise InputError(f"the array {key} is missing: [[{key}]] before each row", name)
    return rows


def _from_toml(data: bytes, name: str) -> PolicyFile:
    rows = _array(data, name, "policy")
    lines = [
        number
        for number, line in enumerate(data.decode("utf-8-sig").splitlines(), 1)
        if re.match(r"\s*(\[\[\s*policy\s*\]\]|(policy\s*=\s*\[\s*)?\{)", line)
    ]
    sure = len(lines) == len(rows)
    return PolicyFile(name, rows, [f"{name}:{lines[i]}" if sure else f"{name}, row {i + 1}" for i in range(len(rows))])


def _from_csv(data: bytes, name: str) -> PolicyFile:
    try:
        text = decode(data)
    except InputError as error:
        raise InputError(str(error), name) from None
    reader = csv.reader(io.StringIO(text, newline=None), strict=True)  # old Macintosh lines end in CR alone
    fields = list(model.fields(model.PolicyRow))
    rows: list[dict[str, Any]] = []
    places: list[str] = []
    try:
        heads = [head.strip() for head in next(reader, [])]
        for head in heads:
            if head not in fields:
                raise unknown("column", head, fields, f"{name}:1")
        if not heads or len(set(heads)) < len(heads):
            raise InputError("a line of different column names is needed, as blood,down,dice", f"{name}:1")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            places.append(f"{name}:{reader.line_num}")
            if len(cells) > len(heads):
                raise InputError(f"{len(cells)} cells are given, there are {len(heads)} columns", places[-1])
            pairs = zip(heads, (cell.strip() for cell in cells), strict=False)
            rows.append({head: _cell(head, cell) for head, cell in pairs if cell})
    except csv.Error as error:
        raise InputError(f"this is not CSV: {error}", f"{name}:{reader.line_num}") from None
    return PolicyFile(name, rows, places)


def _cell(head: str, cell: str) -> Any:
    if head in ("on_plain", "on_critical"):
        return [_number(part) for part in cell.split()]
    if head in (*FLAGS, "bloodbath") and cell.casefold() in ("true", "false"):
        return cell.casefold() == "true"
    return _number(cell)


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) else text


def rows_of(rules: Iterable[Rule]) -> list[dict[str, Any]]:
    """Write rules as the rows of a scenario.

    Parameters
    ----------
    rules : iterable of Rule
        Of a policy.

    Returns
    -------
    list of dict
        As ``spend.policy`` takes them.

    Examples
    --------
    >>> rows_of([Rule((Condition("blood", 3, 5), Condition("down", 1, 1)), 0, 1)])
    [{'blood': '3-5', 'down': True, 'bloodbath': True}]
    """
    return [_row(rule) for rule in rules]


def _row(rule: Rule) -> dict[str, Any]:
    row: dict[str, Any] = {condition.name: _told(condition) for condition in rule.conditions}
    if rule.is_joint:
        for name, given in (("on_plain", rule.plain), ("on_critical", rule.critical)):
            if given:
                row[name] = [_hit(*one) for one in given]
        return row if rule.plain or rule.critical else {**row, "on_plain": []}
    if rule.dice or not rule.bloodbath:
        row["dice"] = "all" if rule.dice == EVERY_MARKER else rule.dice
    return {**row, "bloodbath": True} if rule.bloodbath else row


def _told(condition: Condition) -> bool | int | str:
    least, most = condition.least, condition.most
    if condition.name in FLAGS:
        return bool(least)
    if least == most:
        return least
    if most == MOST:
        return f">={least}"
    return f"{least}-{most}" if least else f"<={most}"


def _hit(dice: int, bath: int) -> int | str:
    return dice if not bath else f"bloodbath+{dice}" if dice else "bloodbath"


def policy_text(rows: Iterable[Mapping[str, Any]], suffix: str = ".toml") -> str:
    """Write the rows of a policy as a file.

    Parameters
    ----------
    rows : iterable of mapping
        As ``spend.policy`` takes them.
    suffix : str, optional
        ``.toml`` or ``.csv``.

    Returns
    -------
    str
        What :func:`read_policy` reads.

    Examples
    --------
    >>> print(policy_text([{"down": True, "blood": ">=3", "bloodbath": True}]).splitlines()[-2])
      { down = true, blood = ">=3", bloodbath = true },
    """
    rows = list(rows)
    if suffix == ".toml":
        import tomli_w

        return f"{_HEAD}\n{tomli_w.dumps({'policy': [dict(row) for row in rows]}, indent=2)}"
    names = [name for name in model.fields(model.PolicyRow) if any(name in row for row in rows)] or ["dice"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_csv(row.get(name)) for name in names] for row in rows)
    return out.getvalue()


_HEAD = "# What is spent on a hit: the first row that matches; where none does, nothing."


def _csv(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(str, value)) or "0"
    return str(value).lower() if isinstance(value, bool) else str(value)
