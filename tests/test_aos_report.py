"""The report on Age of Sigmar: its frames by another way, its findings by hand, its figures as the frames."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from test_cli import complaint, run

from tcsim.analysis import aos as grids
from tcsim.analysis import aos_turns as turns
from tcsim.aos import AOS
from tcsim.base.errors import InputError
from tcsim.plots.figures.lines import lines
from tcsim.plots.page import Words
from tcsim.questions.reference import markdown
from tcsim.report import aos
from tcsim.report.blocks import Code, Strong
from tcsim.report.settings import Asked

#: Two dice, every way they can fall.
PAIRS = list(product(range(1, 7), repeat=2))


def chance(happens: Any) -> float:
    return float(Fraction(sum(map(happens, PAIRS)), 36))


def test_casting_is_what_every_two_rolls_say() -> None:
    frame = grids.casting("3e", [5, 9])
    assert len(frame) == 2 * 2 * 4
    for row in frame.to_dict("records"):
        total = Fraction(0)
        for cast in PAIRS:
            roll = sum(cast) + row["caster"]
            if cast != (1, 1) and roll >= row["value"]:
                unbinds = () if pd.isna(row["unbinder"]) else PAIRS
                unbound = sum(sum(one) + row["unbinder"] > roll for one in unbinds)
                total += Fraction(36 - unbound, 36 * 36)
        assert row["p_resolves"] == pytest.approx(float(total), abs=1e-12)


def test_charges_and_rally_are_what_they_are_by_hand() -> None:
    for row in grids.charging("4e").to_dict("records"):
        p = chance(lambda faces, need=row["need"]: sum(faces) >= need)
        assert [row[name] for name in ("p_plain", "p_reroll", "gain", "p_spent")] == pytest.approx(
            [p, 1 - (1 - p) ** 2, p * (1 - p), 1 - p], abs=1e-12
        )
    for row in grids.rallying("4e", slain=(1, 9), musician=True).to_dict("records"):
        points = {n: comb(7, n) / 2**7 for n in range(8)}
        models = {n: min(row["slain"], n // row["health"]) for n in points}
        assert row["models"] == pytest.approx(sum(points[n] * models[n] for n in points), abs=1e-12)
        assert row["p_any"] == pytest.approx(sum(p for n, p in points.items() if models[n]), abs=1e-12)
    assert grids.rallying("3e", [3], [12])["models"].tolist() == pytest.approx([2.0])


def test_commands_are_worth_what_single_attacks_say() -> None:
    """Every attack by itself: 3+ to hit, 3+ to wound, a Save of 4+ against Rend 1."""
    row = grids.command_worth("4e_late", [grids.Weapon("10x3+/3+/-1/1", 4)]).iloc[0]
    assert row["damage"] == pytest.approx(10 * 4 / 6 * 4 / 6 * 4 / 6)
    assert row["all_out_attack"] == pytest.approx(10 * 1 / 6 * 4 / 6 * 4 / 6)
    assert row["all_out_defence"] == pytest.approx(10 * 4 / 6 * 4 / 6 * 1 / 6)
    assert row["covering_fire"] == pytest.approx(10 * 3 / 6 * 4 / 6 * 4 / 6)
    assert row["power_through"] == 2
    assert row["costs"] == pytest.approx(10 * 4 / 6 * 4 / 6 * 1 / 6)
    assert grids.command_worth("4e", grids.WEAPONS[:2])["costs"].tolist() == [0, 0]


def test_turns_and_objectives_are_what_single_dice_say() -> None:
    frame = turns.budgets("4e")
    p = [chance(lambda faces, need=need: sum(faces) >= need) for need in (7, 8, 9)]
    made = [prod(1 - q if out else q for q, out in zip(p, outs, strict=True)) for outs in product((0, 1), repeat=3)]
    two = sum(q for q, outs in zip(made, product((0, 1), repeat=3), strict=True) if sum(outs) <= 1)
    own = frame[frame["turn"] == "2 of 3 charges"].set_index("points")["p"]
    assert own[0] == pytest.approx(two, abs=1e-12)
    assert own[1:].nunique() == 1  # an army uses Forward to Victory once in a phase
    assert frame.groupby("turn")["p"].is_monotonic_increasing.all()
    held = turns.holding("4e")
    for _, checks in held.groupby(["models", "save", "power"]):
        assert checks.sort_values("check")["p"].is_monotonic_decreasing
    with_, without = (held[held["power"] == power]["p"].to_numpy() for power in (True, False))
    assert (with_ <= without + 1e-12).all()
    assert (with_ < without - 0.01).any()


@pytest.fixture(scope="module")
def built() -> Any:
    return aos.build(Asked((), editions=("4e", "4e_late", "3e")))


def plain(text: Any) -> str:
    return "".join(part.text if isinstance(part, (Strong, Code)) else part for part in text)


def test_findings_follow_the_frames(built: Any) -> None:
    told = [plain(item) for item in built.report.lead[0].items]
    assert "cast in 83.3%, and cast and not unbound in 53.7%" in told[0]
    assert "7 and 8 inches: 24.3 points; the point is spent in 42% to 58%" in told[1]
    assert "18, 8, 5, 3, 1, 1 slain models on" in told[3]  # 3 models of Health 1 back of six dice, 18 dice of 6 do so
    late = built.frames["commands"][built.frames["commands"]["edition"] == "4e_late"]
    worse = sum(late["costs"] > late["all_out_attack"] + 1e-9)
    assert f"{worse} of {len(late)} weapons" in told[-3]
    assert "“hold an objective”: 45.6 points" in told[-2]
    assert "over 6 control checks in 78.3% (5 models, 3+) to 1.7% (10 models, 5+)" in told[-1]
    other = {name: frame.copy() for name, frame in built.frames.items()}
    other["charges"].loc[other["charges"]["need"] == 11, "gain"] = 0.5
    assert "11 inches: 50.0 points" in " ".join(plain(item) for item in aos.findings(other))


@pytest.mark.parametrize(("editions", "parts"), [(("3e",), 3), (("4e",), 7), (("3e_launch", "4e_late"), 7)])
def test_any_editions_make_a_report(editions: tuple[str, ...], parts: int) -> None:
    report = aos.build(Asked((), editions=editions)).report
    assert len(report.sections) == parts
    assert all(edition in report.kicker for edition in editions)
    assert not any(other in report.kicker.replace("4e_late", "") for other in {"3e", "4e"} - set(editions) - {"3e"})


def test_lines_are_drawn_where_the_frame_has_them() -> None:
    rows = [(name, n, p / n) for name, p in (("first", 1.0), ("second", 0.5)) for n in (1, 2, 4)]
    frame = pd.DataFrame(rows, columns=["line", "number", "p"])
    [axes] = lines(frame, Words("t", "s", "c"), bare=True)
    drawn = {tuple(line.get_ydata()) for line in axes.lines if len(line.get_xdata()) == 3}
    assert drawn == {(1.0, 0.5, 0.25), (0.5, 0.25, 0.125)}
    assert {text.get_text() for text in axes.texts} >= {"100% first", "50% second"}  # farther apart at the first number
    amounts = frame.rename(columns={"p": "amount"}).assign(amount=lambda rows: 7 * rows["amount"])
    [axes] = lines(amounts, Words("t", "s", "c"), bare=True)
    assert axes.get_ylim()[1] > 7
    for wrong in (frame.drop(columns="p"), frame.assign(amount=1.0), pd.concat([frame, frame]), frame[:0]):
        with pytest.raises(InputError):
            lines(wrong, Words("t", "s", "c"))
    many = pd.DataFrame([(f"line {n}", 1, 0.5) for n in range(7)], columns=["line", "number", "p"])
    with pytest.raises(InputError, match="room for 6"):
        lines(many, Words("t", "s", "c"))


def test_the_command_writes_it(tmp_path: Path) -> None:
    assert run("report", "aos", "--edition", "4e", "--plain", "--out", str(tmp_path)).status == 0
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
        f"{name}.csv" for name in ("budgets", "casting", "charges", "commands", "outlook", "rally")
    ]
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "fourth edition, 2024" in page
    assert "tcsim report aos --edition 4e --plain" in page
    assert 'there is no edition "5e"' in complaint("report", "aos", "--edition", "5e")
    assert json.loads(run("aos", "ask", "unbind", "cv=5", "--edition", "4e", "--json").out)["edition"] == "4e"


def test_the_list_of_questions_has_parts_and_editions() -> None:
    told = run("aos", "list").out
    parts = [line for line in told.splitlines() if line and not line.startswith(" ")]
    assert parts[1:6] == [*AOS.heads.values()]
    assert set(AOS.heads) <= set(AOS.names)
    assert re.search(r"redeploy .*4e, 4e_late\n", told)
    assert re.search(r"heroic_leadership .*3e, 3e_launch\n", told)
    assert re.search(r"unbind .*all\n", told)
    page = markdown(AOS).splitlines()
    assert [line[3:] for line in page if line.startswith("## ")] == [*AOS.heads.values()]
    assert [line[4:] for line in page if line.startswith("### ")] == AOS.names


def test_yes_is_yes_and_places_have_no_bars() -> None:
    both = "plan=a:all_out_attack@combat+a:all_out_defence@combat"
    told = run("aos", "ask", "command_legality", both, "--edition", "4e").out
    assert re.search(r"the plan is legal +no\n", told)
    assert "#" not in told[told.index("rules that forbid") : told.index("legal sets")]
    choice = run("aos", "ask", "contest_choice", "first=5+3", "second=6+4", "--edition", "4e").out
    assert "#" not in choice
    assert re.search(r"unit 2, score 4 +1\n", choice)
    target = ("own_health=5", "health=2")
    assert re.search(r"it may be used +yes\n", run("aos", "ask", "power_through", *target, "--edition", "4e").out)


def test_a_set_says_the_phase_of_a_command_that_its_unit_could_use_twice(tmp_path: Path) -> None:
    path = tmp_path / "turn.toml"
    attack = '[[events]]\nphase = "{}"\nattack = "A"\ntarget = "E"\nweapons = "4x4+/4+/-/1"\n'
    units = 'goal = "damage E >= 2"\n[units.A]\n[enemies.E]\nsave = "5+"\n'
    path.write_text(units + attack.format("shooting") + attack.format("combat"), encoding="utf-8")
    told = run("aos", "budget", str(path), "--edition", "4e").out
    assert "All-out Attack (A, shooting" in told
    assert "What to do, and how often it comes to that" in told
    path.write_text(units + attack.format("combat"), encoding="utf-8")
    assert "All-out Attack (A)" in run("aos", "budget", str(path), "--edition", "4e").out
