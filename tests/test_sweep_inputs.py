"""What sweeps are given: each line, cell and grid, however broken, is an answer or one sentence, and is read back."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import tcsim
from tcsim.base.csv_text import csv_lines, guarded, unguarded
from tcsim.base.errors import InputError
from tcsim.sweep import files, prepare
from tcsim.sweep.cells import asked_columns, scenario_of, value_of
from tcsim.sweep.fields import flat, kind_at
from tcsim.sweep.files import lines_of
from tcsim.sweep.grid import read_grid
from tcsim.sweep.lines import look_through
from tcsim.sweep.run import Sweep
from tcsim.sweep.sources import GridSource

PLAIN = '{"target": {}, "attacks": [{}]}'


pytestmark = pytest.mark.usefixtures("empty_folder")


def swept(given: Any, out: str = "out") -> Sweep:
    made = tcsim.new_sweep(given, out)
    made.run()
    return made


def written(name: str, content: bytes) -> Path:
    Path(name).write_bytes(content)
    return Path(name)


def grid(product: dict[str, Any], **scenario: Any) -> dict[str, Any]:
    return {"scenario": {"target": {}, "attacks": [{}]} | scenario, "product": product}


# --- lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "good"),
    [
        (b"{\n7\n[]\nnull\n", []),
        (f"{{\n{PLAIN}\n{PLAIN}\n}}".encode(), [2, 3]),
        (f"\ufeff{PLAIN}\r\n \r\n{PLAIN}".encode(), [1, 3]),
        (PLAIN.encode() + b'\n{"id": "\xff", "target": {}, "attacks": [{}]}\n\0\n' + PLAIN.encode(), [1, 4]),
        (b'{"id": "' + b"x" * (1 << 20) + b'"}\n' + PLAIN.encode(), [2]),
        (b'{"target": {"blood": NaN}, "attacks": [{}]}\n{"target": {"blood": 1e400}, "attacks": [{}]}', []),
        (b'{"target": {"blood": ' + b"9" * 5000 + b'}, "attacks": [{}]}\n' + PLAIN.encode(), [2]),
        (b'{"target": ' + b'{"a": ' * 900 + b"1" + b"}" * 900 + b', "attacks": [{}]}\n' + PLAIN.encode(), [2]),
        (b'{"line": 9, "p_out": 1}\n{"target": {"a\\nb": 1, "blood": "x"}, "attacks": [{}]}\n' + PLAIN.encode(), [3]),
    ],
)
def test_a_broken_line_is_one_error_and_the_others_are_answered(content: bytes, good: list[int]) -> None:
    made = swept(written("in.jsonl", content))
    lines = sum(bool(line.strip(b"\xef\xbb\xbf \r")) for line in content.split(b"\n"))
    assert made.frame()["line"].tolist() == good
    assert len(made.errors()) == lines - len(good)
    plain = list(tcsim.new_sweep([json.loads(PLAIN)], "plain").manifest["columns"])
    # what is wrong says nothing of the columns, but an id and what a scenario could have
    assert set(made.manifest["columns"]) - {"id", "target.blood"} == set(plain)
    assert "target.blood" not in made.manifest["columns"] or b"NaN" in content or b"9999" in content


@pytest.mark.parametrize("content", [b"", b"\n \r\n\n", b"\xef\xbb\xbf"])
def test_nothing_is_no_sweep(content: bytes) -> None:
    with pytest.raises(InputError, match="there is no scenario in it"):
        swept(written("in.jsonl", content))
    assert not Path("out").exists()


def test_many_wrong_lines_are_told_one_by_one() -> None:
    wrong = [{"target": {"blood": blood}, "attacks": [{}]} for blood in range(7, 300)]
    assert [error["error"].split()[1] for error in swept(wrong).errors()] == [str(blood) for blood in range(7, 300)]


def test_an_attack_said_once_and_the_same_not_said() -> None:
    """Rows that differ only in whether they say how often share one problem, in either order and in later parts."""
    attacks = [[{}], [{"times": 2}], [{"times": 1}], [{}]]
    for number, order in enumerate((attacks, attacks[::-1])):
        made = tcsim.new_sweep([{"target": {}, "attacks": one} for one in order], f"o{number}", part_rows=3)
        made.run()
        found = made.frame()
        alone = [tcsim.odds({"target": {}, "attacks": one}) for one in order]
        assert found["p_out"].tolist() == pytest.approx([one.out_of_action for one in alone], abs=1e-12)
        assert found["fingerprint"].tolist() == [one.resolved.problem.fingerprint for one in alone]


# --- what is written is read as the same -----------------------------------------------------------------------

IDS = [
    "=1+1",
    "'=1",
    "''=x",
    "'x",
    "-2",
    "007",
    "1e5",
    "true",
    " x ",
    "[1]",
    "{",
    "\u202eabc",
    "a,b\nc",
    "<b>",
    "＝1+1",
]
IDS += ["@x", "\t9", "a\rb", '"q"', "nan", "x" * 1000, "a\0b"]


@pytest.mark.parametrize("text", [*IDS, "", "'", "=", "-", "+1", "'-2", "''", "'=", "\r\n"])
def test_what_is_guarded_in_csv_can_be_taken_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert next(csv.reader(io.StringIO(csv_lines([[guarded(text), "next"]]), newline=""))) == [guarded(text), "next"]


@pytest.mark.parametrize("kind", ["csv", pytest.param("parquet", marks=pytest.mark.verification)])
def test_ids_survive_a_round(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "suffix", lambda: kind)
    first = swept([{"id": name, "target": {}, "attacks": [{}]} for name in IDS])
    again = swept(f"out/parts/part-00000.{kind}", "again")
    for made in (first, again):
        assert made.frame(["id"])["id"].tolist() == IDS


#: Scenarios whose columns are easily lost: second attacks of which nothing is said, tables over others, many columns.
ROUND: list[dict[str, Any]] = [
    {"target": {}, "attacks": [{"cover": True}, {}]},
    {"target": {"armour": []}, "attacks": [{}]},
    {"target": {"armour": ["Standard Armour"]}, "attacks": [{"weapon": "Sword / Axe", "keywords": ["FIRE"]}]},
    {"target": {}, "attacks": [{}, {"event": "activation"}, {"times": 2}]},
    {"target": {"blood": 1}, "attacks": [{}], "options": {"shots": "in-turn"}},
]


@pytest.mark.parametrize("more", [0, 21])
def test_scenarios_survive_a_round(more: int) -> None:
    """The same of over 400 columns, where each scenario is told whole."""
    wide = [{"target": {}, "attacks": [{"cover": True, "long_range": True} for _ in range(10 * more)]}] * bool(more)
    made = swept(ROUND + wide)
    assert ("scenario" in made.manifest["columns"]) == bool(more)
    again = swept("out/parts/part-00000.csv", "again")
    assert again.frame()["fingerprint"].tolist() == made.frame()["fingerprint"].tolist()
    alone = [tcsim.odds(one).resolved.problem.fingerprint for one in ROUND + wide]
    assert made.frame()["fingerprint"].tolist() == alone


def test_kinds_of_columns_are_those_of_the_fields() -> None:
    """One odd value, or none, changes no kind."""
    rows = [{"target": {"blood": 1}, "attacks": [{"distance": 3}]}, {"target": {"blood": "x"}, "attacks": [{}]}]
    written("in.jsonl", "\n".join(map(json.dumps, rows)).encode())
    assert look_through(Path("in.jsonl"), "jsonl") == (2, {"target.blood": "int", "attacks[0].distance": "float"})


# --- tables ---------------------------------------------------------------------------------------------------


def test_cells_of_csv() -> None:
    content = b"\xef\xbb\xbftarget.blood,attacks[0].weapon,id\r\n1.0,Sword / Axe,a\r\n\r\n2,\xff,b\r\n"
    content += b'"3\n",Sword / Axe,c\r\n1,Sword / Axe,d,e\r\n2\r\n' + b"1," + b"x" * 200_000 + b",f\r\n"
    content += b"1," + b"x" * (1 << 20) + b',g\r\n4,"Sword / Axe'
    made = swept(written("in.csv", content))
    assert made.frame()["line"].tolist() == [2, 5, 8, 11]
    assert made.frame()["target.blood"].tolist() == [1, 3, 2, 4]
    errors = {error["line"]: error["error"] for error in made.errors()}
    assert errors[4].endswith("text without half characters (lone surrogates) is allowed")
    assert errors[7] == "the row has 4 cells, the first row has 3"
    assert errors[9].startswith("this is not CSV: field larger")
    assert errors[10] == "the line is longer than 1 MiB"
    assert sorted(errors) == [4, 7, 9, 10]


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (["target.blod"], 'target: there is no field "blod"; did you mean "blood"'),
        (["taget.blood"], 'there is no field "taget"; did you mean "target"'),
        (["attacks.weapon"], "the number of an entry as attacks[0] is needed"),
        (["target.blood", "target.blood"], 'the column "target.blood" is there twice'),
        (["target.blood.x"], "it is no table"),
        (["a b"], "a place in a scenario"),
    ],
)
def test_a_column_that_is_no_place_is_said_once(head: list[str], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        asked_columns(head, "in.csv")
    assert sentence in str(error.value)


def test_columns_that_say_nothing_are_skipped() -> None:
    heads = ["", "__index_level_0__", "row", "label.target", "p_out", "tcsim", "id", "scenario", "target.unit"]
    assert asked_columns(heads, "") == ["id", "scenario", "target.unit"]


@pytest.mark.parametrize(
    ("cell", "kind", "value"),
    [
        ("2.0", "int", 2),
        (2.0, "int", 2),
        ("2.5", "int", 2.5),
        ("007", "text", "007"),
        ("TRUE", "bool", True),
        ("true", "text", "true"),
        ("1_000", "int", "1_000"),
        ("nan", "float", "nan"),
        (float("nan"), "float", None),
        (decimal.Decimal("1.00"), "int", 1),
        (decimal.Decimal("2.5"), "float", 2.5),
        ({"blood": 1, "armour": None, "more": [{"x": None}]}, "table", {"blood": 1, "more": [{}]}),
        ("[x", "text", "[x"),
    ],
)
def test_a_cell_is_what_its_field_is(cell: Any, kind: str, value: Any) -> None:
    found = value_of(cell, kind)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("cell", [datetime.date(2020, 1, 1), b"x", "[1", "{", ["a", datetime.date(2020, 1, 1)]])
def test_a_cell_that_no_scenario_has_is_one_sentence(cell: Any) -> None:
    with pytest.raises(InputError, match=r"^target\.armour: "):
        value_of(cell, "array", "target.armour")


def test_an_empty_row_is_a_plain_attack_on_a_plain_target() -> None:
    assert scenario_of({"target.blood": "", "id": 7}) == {"id": "7", "target": {}, "attacks": [{}]}


@pytest.mark.verification
def test_tables_of_parquet() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(
        {
            "target": pa.array([{"blood": 1, "armour": None}, {"blood": None, "armour": ["Standard Armour"]}, None]),
            "attacks": pa.array([[{"times": 2, "cover": None}], [{"cover": True}, {"cover": None}], None]),
            "attacks[0].weapon": pa.array(["Sword / Axe", None, "Nowhere"]).dictionary_encode(),
        }
    )
    pq.write_table(table, "in.parquet")
    wanted = [
        {"target": {"blood": 1}, "attacks": [{"times": 2, "weapon": "Sword / Axe"}]},
        {"target": {"armour": ["Standard Armour"]}, "attacks": [{"cover": True}, {}]},
    ]
    made = swept("in.parquet")
    alone = [tcsim.odds(one).resolved.problem.fingerprint for one in wanted]
    assert made.frame()["fingerprint"].tolist() == alone
    assert [error["line"] for error in made.errors()] == [3]
    pq.write_table(pa.table({"target.blood": pa.array([datetime.datetime(2020, 1, 1)])}), "date.parquet")
    assert "text, a number" in swept("date.parquet", "date").errors()[0]["error"]
    whole = bytearray(Path("in.parquet").read_bytes())
    whole[10:60] = bytes(byte ^ 255 for byte in whole[10:60])
    for content in (b"PAR1junk", bytes(whole), bytes(whole[:99])):
        with pytest.raises(InputError, match="this is not Parquet that can be read"):
            list(lines_of(written("junk.parquet", content), "parquet"))


# --- grids ----------------------------------------------------------------------------------------------------


def test_columns_tell_what_the_scenarios_say_whatever_is_laid_over_what() -> None:
    axes = {
        "target": [{"label": "bare"}, {"label": "<b>=1,\n\u202ex", "armour": ["Reinforced Armour"], "tough": False}],
        "target.blood": [1, 4],
        "attacks": [[{}, {"weapon": "Sword / Axe"}], [{"weapon": "Bolt-Action Rifle"}]],
        "attacks[0].injury_dice": [0, 1],
        "spend.blood_on_injury": ["all", "none"],
    }
    asked = grid(axes, target={"tough": True, "blood": 2}, attacks=[{"cover": True}])
    plan = read_grid(asked)
    made = swept(asked)
    found = made.frame().astype(object)
    assert found["label.target"].tolist() == ["bare"] * 16 + ["<b>=1,\n\u202ex"] * 16
    said = [name for name in made.manifest["schema"] if not name.startswith("label.")]
    for number, row in enumerate(found[said].to_dict("records")):
        assert {name: value for name, value in row.items() if not pd.isna(value)} == flat(plan.scenario(number))
    again = swept("out/parts/part-00000.csv", "again")  # labels say nothing
    assert again.frame()["fingerprint"].tolist() == made.frame()["fingerprint"].tolist()


def test_an_entry_of_an_array_is_told_with_the_others() -> None:
    source = GridSource(read_grid(grid({"target.armour[0]": ["Machine Armour", 7]}, target={"armour": ["x", "y"]})))
    assert source.schema == {"target.armour": "text"}
    [piece] = source.pieces(2)
    assert source.read(piece).columns["target.armour"].to_list() == ['["Machine Armour", "y"]', '[7, "y"]']


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"from": 6, "to": 0, "step": -2}, [6, 4, 2, 0]),
        ({"from": 0, "to": 0.7, "step": 0.1}, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]),
        ({"from": 1.0, "to": 2.0, "step": 0.5}, [1, 1.5, 2]),
        ({"to": 0}, [0]),
        ({"from": 0, "to": 5, "step": 3}, [0, 3]),
    ],
)
def test_a_range_holds_what_it_says(given: dict[str, float], values: list[float]) -> None:
    [axis] = read_grid(grid({"attacks[0].distance": given})).axes
    assert [value for (value,) in axis.points] == values
    assert [type(value) for (value,) in axis.points] == [type(value) for value in values]


@pytest.mark.parametrize(
    ("product", "sentence"),
    [
        ({"target.blod": [1]}, 'target: there is no field "blod"; did you mean "blood"'),
        ({"attacks[0].wepon": ["x"]}, 'attacks[0]: there is no field "wepon"; did you mean "weapon"'),
        ({"attacks.weapon": ["x"]}, "the number of an entry as attacks[0] is needed"),
        ({"target": [{"label": 3}]}, "target.label: 3 is given, text of at most 1000 characters"),
        ({"target.blood": {"from": 0, "to": 1, "step": 1e-308}}, "more than 1,000,000 values"),
        ({"target.blood": {"from": float("nan"), "to": 1}}, "nan is given, a number below"),
        ({"target.blood": {"from": 0, "to": 1, "step": 0}}, "it has no values"),
        ({"target.blood": {"from": 0, "to": 1, "step": -1}}, "it has no values"),
        ({"target.blood": {"from": True, "to": 1}}, "true is given, a number below"),
        (
            {place: {"from": 1, "to": 10_000} for place in ("target.paid", "attacks[0].paid", "target.base_mm")},
            "these are 1,000,000,000,000 scenarios, at most 1,000,000,000 are allowed",
        ),
        ({"attacks[0].weapon": {"weapons": {"kind": "rangd"}}}, 'there is no kind "rangd"; did you mean "ranged"'),
        ({"attacks[0].weapon": {"weapons": {"keyword": "FIRRE"}}}, 'did you mean "FIRE"'),
        ({"attacks[0].weapon": {"weapons": {"slot": "x"}}}, "it has no slot"),
        ({"attacks[0].weapon": {"weapons": {"third_party": "yes"}}}, '"yes" is given, true or false is allowed'),
        ({"target.armour": {"armour": {"slot": "body", "keyword": "GAS"}}}, ""),
    ],
)
def test_a_grid_that_cannot_be_is_one_sentence(product: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        read_grid(grid(product))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_word_that_no_scenario_has_is_said_once() -> None:
    with pytest.raises(InputError, match='there is no field "weapon"'):
        read_grid({"scenario": {"target": {}, "attacks": [{}], "weapon": 1}})


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (("target",), "table"),
        (("attacks",), "array"),
        (("attacks", 3), "table"),
        (("attacks", 3, "label"), "text"),
        (("target", "armour", 0), "text"),
        (("target", "injury_modifier"), "int"),
        (("spend", "goal", 0, "value"), "float"),
        (("spend", "policy", 1, "blood"), "any"),
        (("options", "shots"), "any"),
        (("id",), "text"),
    ],
)
def test_what_stands_at_a_place(place: tuple[str | int, ...], kind: str) -> None:
    assert kind_at(place) == kind


def test_a_line_is_never_held_whole_when_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 40)
    stream = io.BytesIO(b"x" * 39 + b"\n" + b"y" * 400 + b"\nz")
    assert list(files._lines(stream)) == [b"x" * 39 + b"\n", None, b"z"]
