"""Figures: what they claim is recomputed, what they write fits the page, and the same frame gives the same bytes."""

from __future__ import annotations

import io
import itertools
import re
import struct
from collections.abc import Callable
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from tcsim.analysis.agreement import scores, verdict
from tcsim.analysis.kill_odds import kill_odds
from tcsim.base.errors import InputError
from tcsim.base.text import percent
from tcsim.plots import data, page, parts, style, tell
from tcsim.plots.figures.agreement import agreement, agreement_words
from tcsim.plots.figures.armour_blood import armour_blood, armour_blood_words, shown
from tcsim.plots.figures.attacks import attacks, attacks_words
from tcsim.plots.figures.critical_worth import critical_worth, critical_worth_words, worth
from tcsim.plots.figures.heat import heat, heat_words, most_armour_matters
from tcsim.plots.figures.outcomes import outcomes, outcomes_words

WEAPONS = ("bolt-action-rifle", "submachine-gun", "sword-axe", "malebranche-sword", "anti-materiel-rifle")
#: What makes a question: armour that comes to the same against a weapon asks the same.
SETTING = "Trench Crusade 1.6.3, short range, no cover, 0 DICE; markers spent for the best chance on each roll."
Draw = Callable[..., Any]
FIGURES: dict[str, tuple[Draw, Callable[..., page.Words]]] = {
    "armour_blood": (armour_blood, armour_blood_words),
    "critical_worth": (critical_worth, critical_worth_words),
    "attacks": (attacks, attacks_words),
    "heat": (heat, heat_words),
    "outcomes": (outcomes, outcomes_words),
    "agreement": (agreement, agreement_words),
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    cells = kill_odds(WEAPONS, blood=(0, 2, 4, 6), attacks=(1, 2, 3), trials=300, seed=3)
    return data.described(cells, "1.6.3")


def part(frame: pd.DataFrame, **only: Any) -> pd.DataFrame:
    for column, values in only.items():
        frame = frame[frame[column].isin(values)]
    return frame


def unrolled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop(
        columns=[name for name in frame if name.endswith(("_count", "_low", "_high", "_rolled"))] + ["trials"]
    )


@pytest.fixture(scope="module")
def grids(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    bare = unrolled(frame)
    long = part(bare, weapon_id=["sword-axe", "anti-materiel-rifle"]).replace(
        {
            "weapon": {
                "Sword / Axe": "Deadly Fists (Communicant Anti-Tank Hunter) $x^2$",
                "Anti-Materiel Rifle": "W" * 60,
            }
        }
    )
    return {
        "all": frame,
        "one weapon": part(bare, weapon_id=["bolt-action-rifle"]),
        "armourless": part(bare, weapon_id=["anti-materiel-rifle"]),
        "one attack": part(bare, blood=[0, 4], attacks=[1]),
        "no blood": part(bare, blood=[0]),
        "one cell each": part(bare, blood=[6], attacks=[1], weapon_id=["sword-axe"]),
        "long names": long,
        "bare analysis": bare.drop(columns=["printed", "profile"]),
    }


GRIDS = ["all", "one weapon", "armourless", "one attack", "no blood", "one cell each", "long names", "bare analysis"]
CASES = [(grid, name) for grid in GRIDS for name in FIGURES if grid == "all" or name != "agreement"]


def texts_of(axes: Any, dpi: int = 100) -> list[tuple[str, Any]]:
    """Everything written on a figure, with the box it fills in pixels."""
    figure = page.figure_of(axes)
    figure.set_dpi(dpi)
    with style.rules():
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        found = [one for one in figure.findobj(Text) if one.get_visible() and one.get_text().strip()]
        return [(one.get_text(), one.get_window_extent(renderer)) for one in found]


def overlaps(texts: list[tuple[str, Any]], slack: float = 1.5) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes meet by more than some pixels both ways (boxes are taller than their letters)."""
    return [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(texts, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > slack and min(a.y1, b.y1) - max(a.y0, b.y0) > slack + 2
    ]


def outside(axes: Any, texts: list[tuple[str, Any]], slack: float = 1.0) -> list[str]:
    width, height = page.figure_of(axes).get_size_inches() * page.figure_of(axes).dpi
    return [
        text
        for text, box in texts
        if box.x0 < -slack or box.y0 < -slack or box.x1 > width + slack or box.y1 > height + slack
    ]


@pytest.mark.parametrize(
    ("grid", "name", "bare"),
    [(*case, False) for case in CASES]
    + [(*case, True) for case in CASES if case[0] in ("all", "long names", "no blood")],
)
def test_everything_written_fits(grids: dict[str, pd.DataFrame], grid: str, name: str, bare: bool) -> None:
    draw, say = FIGURES[name]
    axes = draw(grids[grid], setting=SETTING, bare=bare)
    texts = texts_of(axes)  # a glyph the font lacks is a warning, and warnings are errors
    assert overlaps(texts) == []
    assert outside(axes, texts) == []
    figure = page.figure_of(axes)
    assert figure.get_figwidth() == (style.BARE_WIDTH if bare else style.WIDTH)
    smallest = min(one.get_fontsize() for one in figure.findobj(Text) if one.get_text())
    assert smallest >= style.CAPTION
    written = " ".join(" ".join(text for text, _ in texts).split())
    words = say(grids[grid], setting=SETTING)
    for words_part in (words.title, words.subtitle, words.caption):
        assert ("".join(words_part.split()) in "".join(written.split())) is not bare
    assert SETTING in words.caption


def test_overlap_checker(frame: pd.DataFrame) -> None:
    axes = critical_worth(frame)
    for x, y, text in ((0.5, 0.5, "first"), (0.51, 0.5, "second"), (0.99, 0.3, "far too long to stay inside")):
        page.figure_of(axes).text(x, y, text)
    texts = texts_of(axes)
    assert ("first", "second") in overlaps(texts)
    assert outside(axes, texts) == ["far too long to stay inside"]


# --- claims, recomputed without the helpers that wrote them ------------------------------------------------------


def chance(frame: pd.DataFrame, weapon: str, armour: str = "none", **where: Any) -> float:
    rows = frame[(frame.weapon_id == weapon) & (frame.armour == armour) & ~frame.shield & frame.printed]
    plain = {"tough": False, "blood": 0, "attacks": 2} | where
    for column, value in plain.items():
        rows = rows[rows[column] == value]
    assert len(rows) == 1
    return float(rows.p_out.iloc[0])


NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
MODIFIERS = {"−1": "standard", "−2": "reinforced", "−3": "machine"}


def test_armour_blood_claims(frame: pd.DataFrame) -> None:
    chosen = shown(frame)
    title = armour_blood_words(frame).title.replace("\u00a0", " ")
    claim = re.fullmatch(r"(\w+) blood markers make up for armour (−\d); TOUGH takes (\d+) to (\d+) points off", title)
    assert claim, title
    blood, armour = NUMBERS[claim[1].lower()], MODIFIERS[claim[2]]
    felt = [key for key in chosen if abs(chance(frame, key) - chance(frame, key, "machine")) > 1e-9]

    def enough(markers: int, worn: str) -> bool:
        return all(chance(frame, key, worn, blood=markers) >= chance(frame, key) - 1e-12 for key in felt)

    assert enough(blood, armour)
    assert not any(enough(fewer, armour) for fewer in (0, 2, 4, 6) if fewer < blood)
    heavier = [
        worn
        for worn in MODIFIERS.values()
        if list(MODIFIERS.values()).index(worn) > list(MODIFIERS.values()).index(armour)
    ]
    assert not any(enough(6, worn) for worn in heavier)
    lost = [
        chance(frame, key, worn, blood=markers) - chance(frame, key, worn, blood=markers, tough=True)
        for key in chosen
        for worn in ("none", "standard", "reinforced", "machine")
        for markers in (0, 2, 4, 6)
    ]
    assert (int(claim[3]), int(claim[4])) == (round(100 * min(lost)), round(100 * max(lost)))


def test_armour_blood_says_halves_only_if_it_does(frame: pd.DataFrame) -> None:
    for key in WEAPONS:
        own = part(frame, weapon_id=[key])
        halved = all(
            chance(frame, key, worn, blood=n, tough=True) <= chance(frame, key, worn, blood=n) / 2 + 1e-12
            for worn in ("none", "standard", "reinforced", "machine")
            for n in (0, 2, 4, 6)
        )
        assert ("at least halves" in armour_blood_words(own).title) is halved
    single = part(frame, weapon_id=["sword-axe"], attacks=[1])
    assert single[single.tough].p_out.max() == 0
    assert "one attack never takes out a TOUGH target" in armour_blood_words(single).title
    assert "armour changes nothing" in armour_blood_words(part(frame, weapon_id=["anti-materiel-rifle"])).title


def test_armour_blood_without_a_choice_of_blood(frame: pd.DataFrame) -> None:
    own = part(frame, weapon_id=["bolt-action-rifle", "malebranche-sword"], blood=[0])
    ratios = [chance(own, key) / chance(own, key, "machine") for key in own.weapon_id.unique()]
    title = armour_blood_words(own).title.replace("\u00a0", " ")
    assert title.startswith(f"Armour −3 divides the chance by {min(ratios):.1f} to {max(ratios):.1f};")


def test_the_four_that_differ_most_are_drawn(frame: pd.DataFrame) -> None:
    chosen = shown(frame)
    assert len(chosen) == 4
    left = set(WEAPONS) - set(chosen)
    assert left == {"sword-axe"}  # all but a bolt-action rifle with CRITICAL
    assert "one not drawn" in armour_blood_words(frame).caption
    means = [part(data.printed(frame), weapon_id=[key], attacks=[2], shield=[False]).p_out.mean() for key in chosen]
    assert means == sorted(means, reverse=True)


def lines_of(axes: Any) -> list[Any]:
    return [line for line in axes.lines if len(line.get_xdata()) > 1]


def test_armour_that_changes_nothing_is_one_line(frame: pd.DataFrame) -> None:
    axes = armour_blood(frame, weapons=["anti-materiel-rifle", "bolt-action-rifle"])
    assert axes.shape == (2, 2)
    assert [len(lines_of(one)) for one in axes[:, 0]] == [1, 4]
    drawn = [line.get_ydata() for line in lines_of(axes[1, 1])]
    for armour, line in zip(data.ARMOURS, drawn, strict=True):
        wanted = [chance(frame, "bolt-action-rifle", armour, tough=True, blood=n) for n in (0, 2, 4, 6)]
        assert np.allclose(line, wanted, rtol=0, atol=0)


def test_critical_claims(frame: pd.DataFrame) -> None:
    rows = frame[~frame.shield & ~frame.tough & (frame.blood == 0) & (frame.attacks == 1)]
    both = rows.pivot(index=["weapon_id", "armour"], columns="critical", values="p_out")
    gain = both[True] - both[False]
    claim = re.fullmatch(
        r"CRITICAL adds at most (.+) points to one attack, with the (.+)", critical_worth_words(frame).title
    )
    assert claim
    assert claim[1] == f"{100 * gain.max():.1f}"
    top = gain.idxmax()[0]
    assert claim[2] == frame.loc[frame.weapon_id == top, "weapon"].iloc[0]
    table = worth(frame)
    assert list(table.columns) == list(data.ARMOURS)
    for (key, armour), value in gain.items():
        assert table.loc[key, armour] == value
    means = table.mean(axis=1).to_numpy()
    assert (np.diff(means) <= 1e-9).all()
    bars = [patch.get_width() for axes in critical_worth(frame) for patch in axes.patches]
    assert sorted(bars) == pytest.approx(sorted(gain))


def test_critical_of_a_weapon_that_never_rolls() -> None:
    own = data.described(kill_odds(["flamethrower"], blood=[0], attacks=[1]), "1.6.3")
    assert critical_worth_words(own).title == "CRITICAL adds nothing to one attack with the Flamethrower"
    texts = [text for text, _ in texts_of(critical_worth(own))]
    assert texts.count("0") == 4


def test_attacks_claims(frame: pd.DataFrame) -> None:
    ordinary, tough = (
        {key: [chance(frame, key, "standard", tough=kind, attacks=n) for n in (1, 2, 3)] for key in WEAPONS}
        for kind in (False, True)
    )
    dearer = all(tough[key][n] < ordinary[key][n - 1] for key in WEAPONS for n in (1, 2))
    assert dearer
    assert attacks_words(frame).title == "TOUGH costs more than one extra attack, with every weapon"
    softened = frame.assign(p_out=np.where(frame.tough, 0.9, frame.p_out))
    last = [ordinary[key][-1] for key in WEAPONS]
    wanted = f"Three attacks take out {percent(min(last), 0)} to {percent(max(last), 0)} of ordinary targets"
    assert attacks_words(softened).title == f"{wanted}, 90% of TOUGH ones"
    ends = {text for text, _ in texts_of(attacks(frame))}
    assert {percent(one[-1], 0) for one in (*ordinary.values(), *tough.values())} <= ends
    assert {"ordinary", "TOUGH"} <= ends


def test_heat_claims(frame: pd.DataFrame) -> None:
    key = most_armour_matters(frame)
    rows = frame[frame.printed & (frame.attacks == 2) & ~frame.tough]
    spans = rows.groupby("weapon_id").p_out.agg(lambda p: p.max() - p.min())
    assert key == spans.idxmax()
    own = rows[rows.weapon_id == key]
    name = own.weapon.iloc[0]
    wanted = f"{percent(own.p_out.min(), 0)} to {percent(own.p_out.max(), 0)}"
    assert (
        heat_words(frame).title
        == f"{name}: a shield protects as much as one class of armour; the chance goes from {wanted}"
    )
    uneven = frame.assign(p_out=np.where(frame.shield & (frame.armour == "none"), frame.p_out * 0.99, frame.p_out))
    assert "a shield" not in heat_words(uneven, key).title


def test_heat_writes_every_chance(frame: pd.DataFrame) -> None:
    axes = heat(frame, "bolt-action-rifle")
    assert len(axes) == 2
    for tough, one in zip((False, True), axes, strict=True):
        written = {(round(t.get_position()[0]), round(t.get_position()[1])): t.get_text() for t in one.texts}
        assert len(written) == 7 * 4
        for i, (armour, shield, _) in enumerate(data.PROTECTIONS):
            for j, blood in enumerate((0, 2, 4, 6)):
                row = frame[
                    (frame.weapon_id == "bolt-action-rifle") & (frame.armour == armour) & (frame.shield == shield)
                    & frame.printed & (frame.tough == tough) & (frame.blood == blood) & (frame.attacks == 2)
                ]  # fmt: skip
                assert written[j, i] == percent(row.p_out.item(), 0).removesuffix("%")


def test_outcomes_claims(frame: pd.DataFrame) -> None:
    rows = frame[
        frame.printed & ~frame.shield & (frame.armour == "standard") & (frame.attacks == 2) & (frame.blood == 0)
    ]
    spans = [
        f"{percent(one.p_down.min(), 0)} to {percent(one.p_down.max(), 0)}"
        for one in (rows[~rows.tough], rows[rows.tough])
    ]
    assert (
        outcomes_words(frame).title
        == f"Two attacks leave {spans[0]} of ordinary targets Down, {spans[1]} of TOUGH ones"
    )
    for one in outcomes(frame):
        ends: dict[float, float] = {}
        for bar in one.patches:
            middle = round(bar.get_y() + bar.get_height() / 2, 6)
            ends[middle] = ends.get(middle, 0.0) + bar.get_width()
        assert list(ends.values()) == pytest.approx([1.0] * len(WEAPONS))


def test_agreement_claims(frame: pd.DataFrame) -> None:
    found = verdict(frame)
    once = frame.drop_duplicates("question")
    z = []
    for name in ("out", "down"):
        p, k, n = once[f"p_{name}"], once[f"{name}_count"], once.trials
        judged = (n * p >= 10) & (n * (1 - p) >= 10)
        z.append(((k - n * p) / (n * p * (1 - p)) ** 0.5)[judged])
    deviations = pd.concat(z)
    assert len(scores(frame)) == len(deviations) == found.agreement.cells
    assert found.agreement.outside == (abs(deviations) > 1.959963984540054).sum()
    assert found.word == "agree"
    assert agreement_words(frame).title == (
        f"Exact and rolled agree: {found.agreement.outside:,} of {len(deviations):,} chances outside their 95% range, "
        f"{0.05 * len(deviations):,.0f} expected"
    )
    assert sum(bar.get_height() for bar in agreement(frame)[0].patches) == len(deviations)


def test_agreement_notices_a_wrong_engine(frame: pd.DataFrame) -> None:
    loaded = frame.assign(out_count=(frame.out_count * 1.2).round().clip(upper=frame.trials).astype(int))
    assert verdict(loaded).word == "disagree"
    assert agreement_words(loaded).title.startswith("Exact and rolled disagree: ")
    impossible = frame.assign(out_count=np.where(frame.p_out == 0, 1, frame.out_count))
    assert verdict(impossible).word == "disagree"
    assert agreement_words(impossible).title.endswith("cannot be")
    few = frame.assign(trials=3, out_count=0, down_count=0)
    assert agreement_words(few).title == "Too few trials to compare exact and rolled"
    assert agreement(few)[0].get_ylim()[1] > 0
    with pytest.raises(InputError, match="not rolled"):
        scores(unrolled(frame))


# --- the page -----------------------------------------------------------------------------------------------------


def test_wrap_measures() -> None:
    text = "Six blood markers make up for armour\u00a0−3, whatever the weapon is called; " * 3
    lines = page.wrap(text, 2.5, 11)
    assert all(page.measure(line, 11) <= 2.5 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert any("armour\u00a0−3," in line for line in lines)
    assert all(page.measure(line, 11) <= 1.0 for line in page.wrap("W" * 50, 1.0, 11))
    assert page.wrap("", 1.0, 11) == []


def test_spread_is_the_smallest_shift() -> None:
    assert parts.spread([1.0, 9.0], 1.0, 0.0, 10.0) == [1.0, 9.0]
    assert parts.spread([5.0, 5.0, 5.0], 1.0, 0.0, 10.0) == [4.0, 5.0, 6.0]
    assert parts.spread([0.0, 0.1], 1.0, 0.0, 10.0) == [0.0, 1.0]
    assert parts.spread([10.0, 9.9], 1.0, 0.0, 10.0) == [10.0, 9.0]
    assert parts.spread([], 1.0, 0.0, 10.0) == []
    rng = np.random.default_rng(5)
    for _ in range(50):
        wanted = rng.uniform(0, 4, 4).tolist()
        places = sorted(parts.spread(wanted, 0.5, 0.0, 4.0))
        assert np.diff(places).min() >= 0.5 - 1e-9
        assert places[0] >= 0
        assert places[-1] <= 4 + 1e-9


def test_contrast_of_the_palette() -> None:
    pairs = {name: (light, dark) for name, light, dark in style.variables()}
    for mode in (0, 1):
        paper = pairs["paper"][mode]
        assert style.contrast(pairs["ink"][mode], paper) > 12
        assert style.contrast(pairs["muted"][mode], paper) > 5.5
        for name in ("contrast", "main"):
            assert style.contrast(pairs[name][mode], paper) > 3.5
        for i in range(3):
            assert style.contrast(pairs[f"on-outcome-{i}"][mode], pairs[f"outcome-{i}"][mode]) > 4.5
        for i in range(style.STEPS):
            on = pairs["on-deep" if i >= style.TURN else "on-tint"][mode]
            assert style.contrast(on, pairs[f"map-{i}"][mode]) > 4.0
        shades = [style.luminance(pairs[f"armour-{i}"][mode]) for i in range(4)]
        assert shades == sorted(shades, reverse=mode == 0)
    colours = [light for _, light, _ in style.variables()]
    assert len(set(colours)) == len(colours)  # each is told from the others when an inline figure gets its variables


def test_figures_do_not_depend_on_what_is_set_outside(frame: pd.DataFrame) -> None:
    before = page.png(critical_worth(frame))
    with matplotlib.rc_context({"font.size": 30, "axes.grid": True, "text.color": "red", "svg.hashsalt": None}):
        assert page.png(critical_worth(frame)) == before
        assert page.svg(critical_worth(frame)) == page.svg(critical_worth(frame))


@pytest.mark.parametrize("name", ["armour_blood", "outcomes"])
def test_same_bytes(frame: pd.DataFrame, name: str) -> None:
    draw = FIGURES[name][0]
    one, other = draw(frame), draw(frame)
    first = page.png(one)
    assert first == page.png(other)
    assert page.svg(one) == page.svg(other)
    assert page.inline_svg(draw(frame, bare=True), "f", "a") == page.inline_svg(draw(frame, bare=True), "f", "a")
    width, height = struct.unpack(">II", first[16:24])
    assert width == 1200
    assert height > 400
    assert len(first) <= page.LARGE
    assert b"Date" not in page.svg(one)


def test_fewer_colours_stay_true(frame: pd.DataFrame) -> None:
    image = pytest.importorskip("PIL.Image")
    axes = armour_blood(frame)
    raw = io.BytesIO()
    with style.rules():
        page.figure_of(axes).savefig(raw, format="png", dpi=style.DPI)
    assert len(raw.getvalue()) > page.LARGE
    full, small = (
        np.asarray(image.open(io.BytesIO(one)).convert("RGB"), dtype=int) for one in (raw.getvalue(), page.png(axes))
    )
    assert abs(full - small).max() <= 16


def test_inline_svg(frame: pd.DataFrame) -> None:
    axes = heat(frame, "bolt-action-rifle", bare=True)
    text = page.inline_svg(axes, "f-heat", 'a "label" <b>')
    assert text.startswith("<svg viewBox=")
    assert "&lt;b&gt;" in text
    assert "&quot;label&quot;" in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert ids
    assert all(one.startswith("f-heat-") for one in ids)
    used = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', text)
    assert {one or other for one, other in used} <= set(ids)
    assert not any(light in text for _, light, _ in style.variables())
    assert "var(--map-0)" in text
    assert "http" not in text
    assert ">No armour</text>" in text  # text, not outlines


def test_letters_that_the_font_lacks_are_drawn_as_boxes(frame: pd.DataFrame) -> None:
    cuneiform = frame.replace({"weapon": {"Sword / Axe": "a\U00012000"}})
    text = page.svg(critical_worth(cuneiform), outlines=False).decode()
    assert ">a□</text>" in text


def test_words_for_numbers() -> None:
    assert tell.span([0.0, 0.004]) == "0% to <1%"
    assert tell.span([0.9971, 0.9982]) == ">99%"
    assert tell.points(0.0127, 2) == "+1.27"
    assert tell.points(-1e-12) == "0"
    assert tell.points(0.00004, 2) == "<+0.01"
    assert tell.holding(1) == "with one blood marker"


def test_profiles_say_what_a_weapon_has(frame: pd.DataFrame) -> None:
    assert data.profiles(frame) == {
        "bolt-action-rifle": "plain",
        "submachine-gun": "2 shots",
        "sword-axe": "CRITICAL",
        "malebranche-sword": "3D6 injury roll",
        "anti-materiel-rifle": "+1 injury die, CRITICAL, ignores armour",
    }
    own = {key: frame[frame.printed & (frame.weapon_id == key)].critical.unique().tolist() for key in WEAPONS}
    assert own["sword-axe"] == [True]
    assert own["bolt-action-rifle"] == [False]
    unknown = data.described(
        frame.drop(columns=["printed", "profile"]).replace({"weapon_id": {"sword-axe": "my-own"}}), "1.6.3"
    )
    assert unknown[unknown.weapon_id == "my-own"].printed.equals(~unknown[unknown.weapon_id == "my-own"].critical)
