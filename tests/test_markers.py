"""What markers are worth, against the question itself; and what the report and its figures make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
import pytest
from PIL import Image

import tcsim
from tcsim.analysis.markers import PLAIN, WEAPONS, marker_worth
from tcsim.analysis.spending import by_armour
from tcsim.base.errors import InputError
from tcsim.catalog import catalog
from tcsim.cli import main
from tcsim.plots.figures.markers import marker_gain, marker_gain_words, policy_gain, policy_gain_words
from tcsim.plots.figures.spending_armour import armour_page_words
from tcsim.report import markers
from tcsim.report.blocks import Code, Points, Strong, Table
from tcsim.report.settings import Asked
from tcsim.rules import editions
from tcsim.scenario.problem import BLOOD_POLICIES

matplotlib.use("agg")

COMMITTED = Path(__file__).parents[1] / "reports" / "markers"


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return marker_worth("1.6.3", weapons=["great-sword-axe"], attacks=2, modifiers=[0, -3])


def test_every_cell_is_the_answer_to_its_question(frame: pd.DataFrame) -> None:
    assert len(frame) == 2 * 2 * 2 * len(BLOOD_POLICIES) * 7
    for row in frame.sample(40, random_state=1).to_dict("records"):
        attack: dict[str, Any] = {"times": 2}
        if row["weapon_id"] != PLAIN:
            attack["weapon"] = row["weapon_id"]
        target = {"injury_modifier": row["injury_modifier"], "tough": row["tough"], "blood": row["blood"]}
        question = {"target": target, "attacks": [attack], "spend": {"blood_on_injury": row["policy"]}}
        assert row["p"] == pytest.approx(tcsim.odds(question).out_of_action, abs=1e-12)


def test_a_gain_is_what_one_marker_more_adds(frame: pd.DataFrame) -> None:
    chances = {tuple(row[:-2]): row[-2] for row in frame.itertuples(index=False)}
    for row in frame.itertuples(index=False):
        key = list(row[:-2])
        if row.blood == 0:
            assert pd.isna(row.gain)
            continue
        key[5] -= 1
        assert row.gain == pytest.approx(row.p - chances[tuple(key)], abs=1e-15)


def test_no_way_of_spending_beats_the_best_plan(frame: pd.DataFrame) -> None:
    keys = ["weapon", "injury_modifier", "tough", "blood"]
    wide = frame.pivot(index=keys, columns="policy", values="p")
    assert (wide.sub(wide["optimal"], axis="index") <= 1e-12).all().all()


def test_what_cannot_be_told() -> None:
    with pytest.raises(InputError, match='weapons: there is no weapon "Spoon"'):
        marker_worth("1.6.3", weapons=["Spoon"])


def told(items: Any) -> list[str]:
    """Sentences of a report as plain text."""
    return ["".join(part.text if isinstance(part, (Strong, Code)) else part for part in item) for item in items]


def test_findings_are_those_of_the_numbers(frame: pd.DataFrame) -> None:
    """Each number of a sentence is looked for again, by loops over the cells."""
    found = {"1.6.3": by_armour("1.6.3", 1, [0])}
    report = markers.compose(found, frame)
    [lead] = [block for block in report.lead if isinstance(block, Points)]
    sentences = told(lead.items)
    cells = {tuple(row[2:7]): row.p for row in frame.itertuples(index=False)}
    cases = sorted({key[:3] for key in cells})
    most = max(cells[*case, 6, "optimal"] - cells[*case, 0, "optimal"] for case in cases)
    assert f"six markers add most, {100 * most:.1f} points" in sentences[0]
    first = sum(
        cells[*case, 1, "optimal"] - cells[*case, 0, "optimal"]
        >= max(cells[*case, n, "optimal"] - cells[*case, n - 1, "optimal"] for n in range(1, 7)) - 1e-9
        for case in cases
    )
    assert "armour 0: never save" in sentences[1]
    assert all(
        cells["Plain attack", 0, False, n, "all"] == cells["Plain attack", 0, False, n, "optimal"] for n in range(7)
    )
    assert f"in {100 * first / len(cases):.0f}% of these cases" in sentences[2]
    lost = [
        max(cells[*case, n, "optimal"] - cells[*case, n, policy] for case in cases for n in range(7))
        for policy in ("greedy", "all", "bloodbath", "none")
    ]
    greedy, at_once, bloodbath, none = (f"{100 * loss:.1f}" for loss in lost)
    assert (
        f"(greedy) loses up to {greedy} points, all at once up to {at_once}, Bloodbaths only up to {bloodbath}, "
        f"none up to {none}; greedy most against "
    ) in sentences[3]
    assert len(sentences) == 4
    [table] = [block for section in report.sections for block in section.blocks if isinstance(block, Table)]
    assert len(table.rows) == 2 * 2 * 2 * 7
    for row in table.rows:
        weapon, _, armour, tough, blood, best = row.cells[:6]
        assert armour.value is not None
        assert blood.value is not None
        key = (weapon.text, int(armour.value), tough.text == "TOUGH", int(blood.value))
        assert best.value == cells[*key, "optimal"]


def test_the_figures_show_the_numbers(frame: pd.DataFrame) -> None:
    cells = {tuple(row[2:7]): (row.p, row.gain) for row in frame.itertuples(index=False)}
    panels = marker_gain(frame, 2)
    assert panels.shape == (2, 2)
    weapons = list(dict.fromkeys(frame["weapon"]))
    highest = max(gain for key, (_, gain) in cells.items() if key[4] == "optimal" and key[3] > 0)
    full = next(step for step in (0.1, 0.14, 0.2) if highest <= step)
    for i, weapon in enumerate(weapons):
        for j, tough in enumerate((False, True)):
            for line, modifier in zip(panels[i, j].lines, (0, -3), strict=True):
                gains = [cells[weapon, modifier, tough, n, "optimal"][1] / full for n in range(1, 7)]
                assert list(line.get_ydata()) == pytest.approx(gains, abs=1e-9)
    most = max((gain, key) for key, (_, gain) in cells.items() if key[4] == "optimal" and key[3] > 0)
    assert f"{100 * most[0]:.1f} points" in marker_gain_words(frame, 2).title
    for axes, modifier in zip(policy_gain(frame, 2).flat, (0, -3), strict=True):
        for line, policy in zip(axes.lines, ("bloodbath", "all", "greedy", "optimal"), strict=True):
            over = [cells["Plain attack", modifier, False, n, policy][0] for n in range(7)]
            none = [cells["Plain attack", modifier, False, n, "none"][0] for n in range(7)]
            gains = [a - b for a, b in zip(over, none, strict=True)]
            drawn = line.get_ydata()
            scale = gains[-1] / drawn[-1]
            assert [scale * share for share in drawn] == pytest.approx(gains, abs=1e-9)
    lost = {
        n: cells["Plain attack", n, False, 6, "optimal"][0] - cells["Plain attack", n, False, 6, "all"][0]
        for n in (0, -3)
    }
    assert ("armour −3" in policy_gain_words(frame, 2).title) == (lost[-3] > lost[0])


def test_the_page_of_advice_says_where_saving_pays() -> None:
    assert armour_page_words(by_armour("1.6.3")).title == (
        "Armour 0, −1: spend at once; armour −2, −3: sometimes save for a Bloodbath"
    )
    assert armour_page_words(by_armour("1.6.3", 1)).title == "Spend at once in any armour"


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--weapon", "Sword / Axe", "--edition", "1.6.3", "--plain", "--out", str(tmp_path)]
    assert main(["report", "markers", *words]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "index.html")
    table = pd.read_csv(tmp_path / "data" / "worth.csv")
    assert list(dict.fromkeys(table["weapon_id"])) == [PLAIN, "sword-axe"]
    assert "What blood markers do" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_the_committed_report_is_of_these_numbers() -> None:
    """Its frame, a part of it worked out anew; its pictures are there and of the size that README shows."""
    table = pd.read_csv(COMMITTED / "data" / "worth.csv")
    assert list(dict.fromkeys(table["edition"])) == list(editions())
    assert list(dict.fromkeys(table["weapon_id"])) == [PLAIN, *WEAPONS]
    for edition in editions():
        own = table[(table["edition"] == edition) & (table["weapon_id"] == PLAIN)]
        again = marker_worth(edition, [])
        assert own["p"].tolist() == pytest.approx(again["p"].tolist(), abs=1e-12)
        with Image.open(COMMITTED / "figures" / f"advice-{edition.replace('.', '-')}.png") as picture:
            assert picture.size[0] == 1200


@pytest.mark.verification
def test_the_committed_report_is_what_the_command_writes() -> None:
    built = markers.build(Asked(tuple(catalog(edition) for edition in editions())))
    table = pd.read_csv(COMMITTED / "data" / "worth.csv")
    assert table["p"].tolist() == pytest.approx(built.frames["worth"]["p"].tolist(), abs=1e-12)
