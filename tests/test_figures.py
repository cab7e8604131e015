"""Every figure of tcsim.plots: values read back, nothing cut off or covered, any Axes, hostile names, any eye."""

from __future__ import annotations

import io
import itertools
import re
import struct
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from figure_cases import (
    CASES,
    SETTING,
    editions,
    fought,
    front,
    kills,
    lasting,
    needing,
    pairs,
    planned,
    rounds,
)
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from test_plots import outside, overlaps, texts_of

import tcsim
import tcsim.plots
from tcsim.analysis.ends import ends
from tcsim.base.errors import InputError
from tcsim.plots import host, labels, page, style
from tcsim.plots.figures import pareto as pareto_module

NAMES = sorted(set(tcsim.plots.__all__) - {"png", "svg"})
#: Figures that are placed as others are: these are drawn into Axes before a release, the others always.
ALIKE = ("agreement", "attacks", "critical_worth", "outcomes", "policy_gain", "spending_by_armour")
#: Figures whose frames have names that somebody wrote, and the column of names.
NAMED = {
    "comparison": (pairs, "loadout"),
    "duel_curves": (rounds, "a"),
    "edition_difference": (editions, "weapon"),
    "heat": (kills, "weapon"),
    "kill_odds": (kills, "weapon"),
    "outcomes": (kills, "weapon"),
    "pareto": (front, "loadout"),
    "survival": (lambda: lasting().rename(columns={"policy": "weapon"}), "weapon"),
}


def draw(name: str, **how: Any) -> Any:
    case = CASES[name]
    more = {"setting": SETTING} if case.setting else {}
    return getattr(tcsim.plots, name)(case.given(), **more, **how)


@cache
def page_of(name: str) -> Any:
    """A figure as a page of its own; drawn once for all tests that only look."""
    return draw(name)


def panels(name: str) -> list[Axes]:
    return list(np.asarray(page_of(name), dtype=object).flat)


def seen(ax: Axes) -> list[tuple[str, Any]]:
    """Everything written on a figure, but for the ticks of Axes that are only a canvas."""
    for one in page.figure_of(ax).findobj(Axes):
        if not one.axison:
            one.tick_params(labelbottom=False, labelleft=False)
    return texts_of(ax)


# --- every figure ---------------------------------------------------------------------------------------------------


def test_every_figure_has_a_case_and_no_module_has_its_name() -> None:
    assert sorted(CASES) == NAMES
    assert set(NAMES) <= set(dir(tcsim.plots))
    code = "import sys, tcsim.plots; print(*(sys.modules.keys() & {'matplotlib', 'numpy', 'pandas', 'numba'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
    assert all(callable(getattr(tcsim.plots, name)) for name in tcsim.plots.__all__)
    with pytest.raises(AttributeError, match="no attribute 'pie'"):
        _ = tcsim.plots.pie


@pytest.mark.parametrize("name", NAMES)
def test_a_page_holds_all_that_is_written(name: str) -> None:
    axes = page_of(name)
    texts = texts_of(axes)
    assert overlaps(texts) == []
    assert outside(axes, texts) == []
    written = "".join("".join(text for text, _ in texts).split())
    assert not CASES[name].setting or "".join(SETTING.split()) in written
    sizes = [one.get_fontsize() for one in page.figure_of(axes).findobj(page.Text) if one.get_text()]
    assert min(sizes) >= style.CAPTION or name.startswith("spending")


@pytest.mark.parametrize(
    "name",
    [one for one in NAMES if one not in ALIKE] + [pytest.param(one, marks=pytest.mark.verification) for one in ALIKE],
)
def test_any_axes_will_do(name: str) -> None:
    """Drawn into a user's Axes, all stays in the box that these had, and they are what comes back."""
    figure = Figure(figsize=(7, 12))
    ax = figure.add_axes((0.05, 0.05, 0.9, 0.85))
    other = figure.add_axes((0.05, 0.93, 0.9, 0.05), xticks=[], yticks=[])
    box = ax.get_position()
    assert draw(name, ax=ax) is ax
    if CASES[name].single:
        assert ax.axison
        assert ax.has_data()
    else:
        assert not ax.axison
        assert len(ax.child_axes) >= 2
        assert all(child.has_data() for child in ax.child_axes)
    assert not other.lines
    assert not other.texts
    texts = seen(ax)
    assert overlaps(texts) == []
    width, height = figure.get_size_inches() * figure.dpi
    for text, extent in texts:
        assert box.x0 * width - 8 <= extent.x0, text
        assert extent.x1 <= box.x1 * width + 8, text
        assert box.y0 * height - 8 <= extent.y0, text
        assert extent.y1 <= box.y1 * height + 8, text


def test_axes_of_layouts_subfigures_and_other_rules() -> None:
    import matplotlib

    with matplotlib.rc_context({"font.size": 30, "axes.grid": True, "text.parse_math": True, "axes.facecolor": "red"}):
        figure = Figure(figsize=(12, 9), layout="constrained")
        left, right = figure.subfigures(1, 2)
        for part, name in ((left, "survival"), (right, "edition_difference")):
            ax = part.add_subplot()
            assert draw(name, ax=ax) is ax
            assert host.root_of(ax) is figure
        texts = seen(ax)
    assert overlaps(texts) == []
    assert outside(ax, texts) == []
    small = Figure(figsize=(3, 2)).add_subplot()
    with pytest.raises(InputError, match=r"ax: the Axes are 2\.3 inches wide, and figures need 3\.2"):
        draw("needed_curve", ax=small)
    flat = Figure(figsize=(8, 2)).add_subplot()
    with pytest.raises(InputError, match=r"ax: the Axes are 1\.5 inches high, and this figure needs \d"):
        draw("survival", ax=flat)
    with pytest.raises(InputError, match=r"ax: Figure is given; Axes of matplotlib are wanted"):
        draw("needed_curve", ax=Figure())


@pytest.mark.verification
@pytest.mark.parametrize("name", NAMES)
def test_the_same_bytes_every_time(name: str) -> None:
    first = page.png(draw(name))
    assert first == page.png(draw(name))
    assert page.svg(draw(name)) == page.svg(draw(name))
    assert len(first) <= page.LARGE
    assert struct.unpack(">I", first[16:20]) == (1200,)
    inline = page.inline_svg(draw(name, bare=True), "f", "a")
    assert inline == page.inline_svg(draw(name, bare=True), "f", "a")
    left = [light for _, light, _ in style.variables() if light in inline]
    assert left == []  # every colour has a variable, so a dark page can give it another value


@pytest.mark.verification
@pytest.mark.parametrize("name", NAMES)
def test_korean_has_all_its_letters(name: str) -> None:
    """Needs a font with Korean letters, and fails without one; a glyph that it lacks is a warning, so an error."""
    axes = draw(name, lang="ko")
    texts = texts_of(axes)
    assert overlaps(texts, 4) == []  # line boxes of Korean letters are taller than what is drawn
    assert outside(axes, texts) == []
    assert any("\uac00" <= letter <= "\ud7a3" for text, _ in texts for letter in text)
    assert page.png(axes)  # in English again
    assert not any("□" in text for text, _ in texts_of(axes))


# --- values, read back ------------------------------------------------------------------------------------------------


def ys(axes: Axes) -> list[list[float]]:
    """The heights of the lines that data made, in order."""
    return [
        np.asarray(line.get_ydata(), float).tolist() for line in axes.lines if line.get_marker() not in ("None", "")
    ]


def test_survival_and_its_gains() -> None:
    frame = lasting()
    drawn = panels("survival")
    assert len(drawn) == 4
    for axes, below, armour in zip(drawn[:2], drawn[2:], (-2, -3), strict=True):
        own = frame[frame.armour == armour].pivot(index="attacks", columns="policy", values="p_out")
        order = ["none", "bloodbath", "all", "optimal"]  # greedy comes to the same as all
        assert (own.greedy == own["all"]).all()
        assert ys(axes) == [(1 - own[name]).tolist() for name in order]
        assert ys(below) == [(own[name] - own.none).tolist() for name in order[1:]]
        assert axes.get_ylim() == (0, 1)
        assert below.get_ylim()[0] == 0
    words = tcsim.plots.figures.survival.survival_words(frame)
    last = frame[frame.attacks == 4].set_index(["armour", "policy"]).p_out
    gains = sorted(100 * (last[armour, "optimal"] - last[armour, "none"]) for armour in (-2, -3))
    assert f"+{gains[0]:.1f} to +{gains[1]:.1f} points over spend none in four attacks" in words.title
    assert "The same as all at once: best for each roll." in words.caption


def test_survival_says_what_the_odds_say() -> None:
    """Against one question asked by itself, and the definition: nothing made, nobody out."""
    frame = lasting()
    asked = {"target": {"injury_modifier": -3}, "attacks": [{"times": 3}], "spend": {"blood_on_injury": "bloodbath"}}
    row = frame[(frame.armour == -3) & (frame.policy == "bloodbath") & (frame.attacks == 3)]
    assert row.p_out.item() == pytest.approx(tcsim.odds(asked).out_of_action, abs=1e-12)
    assert (frame[frame.attacks == 0].p_out == 0).all()
    best = frame.pivot(index=["armour", "attacks"], columns="policy", values="p_out")
    assert (best.optimal.to_numpy()[:, None] >= best.to_numpy() - 1e-12).all()
    for wrong in ({"attacks": 0}, {"attacks": True}, {"attacks": 13}):
        with pytest.raises(InputError, match="attacks: "):
            tcsim.analysis.survival.survival({"target": {}, "attacks": [{}]}, **wrong)
    with pytest.raises(InputError, match="scenario: "):
        tcsim.analysis.survival.survival([])  # type: ignore[arg-type]


def test_distribution_and_at_least() -> None:
    from figure_cases import QUESTION

    result = tcsim.odds(QUESTION)
    frame = ends(result)
    left, right = panels("distribution")
    bars = [patch.get_width() for patch in left.patches]
    # mild to severe, by hand: standing by markers, Down by markers, out of action
    wanted: dict[tuple[bool, int], float] = {}
    for state, p in result.states[1:]:
        assert state is not None
        key = (bool(state.down), state.blood)
        wanted[key] = wanted.get(key, 0.0) + p
    expected = [wanted[key] for key in sorted(wanted)] + [result.out_of_action]
    assert bars == pytest.approx(expected, abs=1e-15)
    at_least = [patch.get_width() for patch in right.patches]
    assert at_least == pytest.approx([sum(expected[i:]) for i in range(len(expected))], abs=1e-12)
    assert at_least[0] == 1.0
    [steps] = right.lines
    assert np.asarray(steps.get_xdata())[::2].tolist() == at_least
    title = tcsim.plots.figures.distribution.distribution_words(frame).title
    assert title == f"Out of action: {100 * expected[-1]:.1f}%; hurt: {100 * (1 - expected[0]):.1f}%"
    rolled = ends(tcsim.simulate(QUESTION, trials=400, seed=2))
    assert rolled["count"].sum() == 400
    assert (rolled.low <= rolled.p).all()
    assert (rolled.p <= rolled.high).all()
    axes = tcsim.plots.distribution(rolled)
    drawn = [np.asarray(line.get_xdata()).tolist() for line in axes[0].lines]
    assert drawn == rolled[["low", "high"]].to_numpy().tolist()
    texts = texts_of(axes)
    assert overlaps(texts) == []
    assert outside(axes, texts) == []


def test_pareto_front_is_that_of_the_definition() -> None:
    frame = front()
    cost, p = frame.cost.to_numpy(), frame.p.to_numpy()
    beaten = [
        any(c <= cost[i] and q >= p[i] and (c < cost[i] or q > p[i]) for c, q in zip(cost, p, strict=True))
        for i in range(len(frame))
    ]
    [axes] = panels("pareto")
    dots = {
        (float(line.get_xdata()[0]), float(line.get_ydata()[0])): line
        for line in axes.lines
        if line.get_marker() in ("o", "^")
    }
    assert set(dots) == set(zip(cost.astype(float), p, strict=True))
    for i, (place, kind) in enumerate(zip(zip(cost.astype(float), p, strict=True), frame.kind, strict=True)):
        assert (dots[place].get_markerfacecolor() == style.MAIN) is not beaten[i]
        assert dots[place].get_marker() == ("o" if kind == "melee" else "^")
    [step] = [line for line in axes.lines if line.get_drawstyle() == "steps-post"]
    own = sorted({(c, q) for c, q, lost in zip(cost, p, beaten, strict=True) if not lost})
    assert list(zip(step.get_xdata(), step.get_ydata(), strict=True))[:-1] == own
    [tint] = [one for one in axes.collections if isinstance(one, PolyCollection)]
    corners = tint.get_paths()[0].vertices
    assert corners[:, 1].max() == pytest.approx(axes.get_ylim()[1])
    words = pareto_module.pareto_words(frame)
    ends_ = [*(c for c, _ in own[1:]), cost.max()]
    gaps = [
        (end - c, frame[(frame.cost == c) & (frame.p == q)].loadout.iloc[0], c, end)
        for (c, q), end in zip(own, ends_, strict=True)
    ]
    _, name, low, high = max(gaps, key=lambda gap: gap[0])
    assert high == cost.max()  # the last step is the longest here
    assert words.title == f"Above {low} ducats nothing kills more often than {name}"
    few = frame[frame.cost <= 20]
    below = re.fullmatch(
        r"Below (\d+) ducats nothing kills more often than (.+) \((\d+)\)", pareto_module.pareto_words(few).title
    )
    assert below
    there = few[few.cost < int(below[1])]
    best = there[there.p == there.p.max()]
    assert below[2] in set(best.loadout)
    assert int(below[3]) == best.cost.min()
    assert few[few.cost == int(below[1])].p.max() > best.p.max()
    assert f"{len(frame)} loadouts, {beaten.count(False)} of them on the front" in words.caption


def test_names_beside_points_belong_to_them() -> None:
    """A name without a hairline is nearer to its own point than to any other, and covers none."""
    picture = pareto_module._picture(front(), (4.9, 4.0))
    points = {(name.x, name.y) for _, name, _ in picture.names}
    assert len(points) == len(picture.spots)
    shown = [(name, place) for _, name, place in picture.names if place is not None]
    assert len(shown) > 10
    for name, place in shown:
        wide, high = page.measure(name.text, name.size, name.bold), labels.height_of(name.size)
        far = {
            point: np.hypot(
                max(place.x - point[0], point[0] - place.x - wide, 0),
                max(place.y - point[1], point[1] - place.y - high, 0),
            )
            for point in points
        }
        assert min(far.values()) > 0.05
        assert place.led or min(far, key=lambda point: far[point]) == (name.x, name.y), name.text
    told = pareto_module.pareto_words(front()).caption
    for spot, name, place in picture.names:
        if spot.on_front:
            assert place is not None or spot.names[0] in told
            assert not name.text.isdigit() or f"{name.text}\u00a0{spot.names[0]}" in told
    assert "Plain 0 +2" not in told


def test_editions_are_sorted_by_change() -> None:
    [axes] = panels("edition_difference")
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    hollow = [float(line.get_xdata()[0]) for line in dots if line.get_markerfacecolor() == style.PAPER]
    filled = [float(line.get_xdata()[0]) for line in dots if line.get_markerfacecolor() != style.PAPER]
    assert (hollow, filled) == ([0.4, 0.1, 0.3, 0.5], [0.55, 0.104, 0.3, 0.247])
    written = [text for text, _ in texts_of(page_of("edition_difference"))]
    assert [text for text in written if text in ("+15.0", "+0.4", "0", "−25.3")] == ["+15.0", "+0.4", "0", "−25.3"]
    assert written.count("profile") == 1
    assert written.count("rules") == 2
    words = tcsim.plots.figures.edition_difference.edition_difference_words(editions())
    assert words.title == "1.0.2 to 1.6.3: Automatic Pistol loses most (−25.3); Flamethrower gains most (+15.0)"
    assert "Of 4 weapons 2 gain, 1 lose, 1 stay." in words.caption
    back = tcsim.plots.figures.edition_difference.edition_difference_words(editions(), old="1.6.3")
    assert back.title == "1.6.3 to 1.0.2: Automatic Pistol gains most (+25.3); Flamethrower loses most (−15.0)"


def written_cells(axes: Axes) -> dict[tuple[int, int], str]:
    return {(round(t.get_position()[1]), round(t.get_position()[0])): t.get_text() for t in axes.texts}


def test_comparison_writes_every_chance() -> None:
    [axes] = panels("comparison")
    assert written_cells(axes) == {
        (0, 0): "20", (0, 1): "10", (1, 0): "15", (1, 1): "15", (1, 2): "15", (2, 0): "5", (2, 1): "<1", (2, 2): "0",
    }  # fmt: skip
    shades = {(round(p.get_y()), round(p.get_x())): style.step_of for p in axes.patches}
    assert len(shades) == 8
    words = tcsim.plots.figures.comparison.comparison_words(pairs())
    assert words.title == "No loadout is best throughout: Flamethrower against 2 of 3 targets"
    assert "Empty: it cannot attack that target." in words.caption
    whole = pairs().assign(p_out=[0.9] * 3 + [0.1] * 6)
    title = tcsim.plots.figures.comparison.comparison_words(whole).title
    assert title == "No loadout does better than Rifle against any of the targets"


def test_needed_is_drawn_as_it_is() -> None:
    """The tornado and the lines of equal chance are read back in test_exchange.py."""
    [axes] = panels("needed_curve")
    assert ys(axes)[0] == [point.p for point in needing().ways[0].curve]


def test_duels_of_frames() -> None:
    [axes] = panels("duel_curves")
    frame = rounds()
    assert ys(axes)[:2] == [frame.a_wins.tolist(), frame.b_wins.tolist()]
    assert ys(axes)[2] == pytest.approx((1 - frame.a_wins - frame.b_wins).tolist())
    found = fought()
    rows = pd.DataFrame(found.rows()).assign(
        a=[name for name in found.names[0] for _ in found.names[1]], b=list(found.names[1]) * len(found.names[0])
    )
    [mine], [theirs] = tcsim.plots.duel_matrix(rows[["a", "b", "a_wins"]]), page_of("duel_matrix")
    assert written_cells(mine) == written_cells(theirs)
    assert len(written_cells(mine)) == found.chances().size


def test_kill_odds_figures_show_the_frame() -> None:
    frame = kills()
    own = frame[frame.printed & ~frame.shield]
    for axes, tough in ((page_of("kill_odds")[:, 0], False), (page_of("kill_odds")[:, 1], True)):
        drawn = {round(y, 12) for one in axes for line in ys(one) for y in line}
        assert drawn <= {round(p, 12) for p in own[(own.tough == tough) & (own.attacks == 2)].p_out}
    for bars, tough in zip(panels("outcomes"), (False, True), strict=True):
        part = own[(own.tough == tough) & (own.attacks == 2) & (own.blood == 0) & (own.armour == "standard")]
        widths = sorted(round(patch.get_width(), 12) for patch in bars.patches)
        chances = [*part.p_out, *part.p_down, *(1 - part.p_out - part.p_down)]
        assert widths == sorted(round(p, 12) for p in chances if p > 0)
    gains = [patch.get_width() for axes in panels("critical_worth") for patch in axes.patches]
    once = own.iloc[0:0]
    once = frame[~frame.shield & ~frame.tough & (frame.blood == 0) & (frame.attacks == 1)]
    both = once.pivot(index=["weapon_id", "armour"], columns="critical", values="p_out")
    assert sorted(gains) == pytest.approx(sorted(both[True] - both[False]))
    lines = [line for axes in panels("attacks") for line in ys(axes)]
    part = own[(own.armour == "standard") & (own.blood == 0)].sort_values("attacks")
    wanted = [g.p_out.tolist() for _, g in part.groupby(["weapon_id", "tough"])]
    assert sorted(lines) == sorted(wanted)
    assert sum(bar.get_height() for bar in panels("agreement")[0].patches) > 100


def test_answers_are_drawn_as_they_are() -> None:
    from figure_cases import battle, game

    outcomes = list(battle().outcomes.values())
    for axes, one in zip(panels("firefight_ends"), outcomes, strict=True):
        heights = [patch.get_height() for patch in axes.patches]
        assert heights == [float(p) for p in one.out_pmf[: len(heights)]]
    [axes] = panels("wins_by_turn")
    course = game().course
    assert ys(axes)[:2] == [[0.0, *map(float, course.wins[:, side])] for side in (0, 1)]
    curves = panels("spending_map")[-1]
    worth = planned().worth
    low, high = 0.0, max(worth.value)
    for line in ys(curves):
        assert any(
            np.argsort(line).tolist() == np.argsort(rows.value.to_numpy()).tolist()
            for _, rows in worth.groupby("policy")
        )
    assert low < high
    for cells in panels("spending_by_armour"):
        assert len(cells.texts) == 6 * (len(cells.texts) // 6)


# --- what nobody should draw ------------------------------------------------------------------------------------------

HOSTILE = {
    "long": "W" * 10_000,
    "words": "very long name of a weapon " * 400,
    "right to left": "\u05d7\u05e8\u05d1 \u0633\u064a\u0641",
    "html": "<b onclick=\"alert('x')\">&amp;</b>",
    "math": r"$\frac{1}{0}$ $x^2$ \alpha_",
    "control": "a\u202eb\x00c\nd\te",
    "comma": '=1+2,"x"',
}


@pytest.mark.parametrize("name", ["comparison", "edition_difference", "pareto", "survival"])
def test_hostile_names_are_only_names(name: str) -> None:
    make, column = NAMED[name]
    frame = make()
    names = list(dict.fromkeys(frame[column]))
    many = pd.concat([frame.replace({column: {names[0]: text}}) for text in HOSTILE.values()])
    if name == "survival":  # where six lines have room
        many = many[many[column].isin(list(HOSTILE.values())[:6])]
    many = many.drop_duplicates([one for one in many if one not in ("p", "p_out", "cost", "profile_changed")])
    axes = getattr(tcsim.plots, name)(many)
    texts = texts_of(axes, 200)
    assert overlaps(texts, 3) == []
    assert outside(axes, texts, 3) == []
    assert page.figure_of(axes).get_figheight() < 12
    assert not any(text.get_parse_math() for text in page.figure_of(axes).findobj(page.Text))
    inline = page.inline_svg(axes, "f", "a")
    assert "<b" not in inline
    assert "&lt;b" in inline or name == "pareto"  # where there is no room for it


@pytest.mark.verification
@pytest.mark.parametrize("name", ["duel_curves", "heat", "kill_odds", "outcomes"])
def test_a_name_of_10000_letters_has_room(name: str) -> None:
    make, column = NAMED[name]
    frame = make().replace({column: {make()[column].iloc[0]: "$x$ " + "W" * 10_000}})
    axes = getattr(tcsim.plots, name)(frame)
    texts = texts_of(axes)
    assert overlaps(texts) == []
    assert outside(axes, texts) == []


@pytest.mark.verification
@pytest.mark.parametrize("count", [1, 60])
def test_one_and_sixty(count: int) -> None:
    rng = np.random.default_rng(count)
    names = [f"Weapon number {i}" for i in range(count)]
    chances = rng.uniform(0, 1, (count, 2)).round(3)
    frames = {
        "pareto": pd.DataFrame({"loadout": names, "cost": rng.integers(0, 9, count), "p": chances[:, 0]}),
        "comparison": pd.DataFrame(
            [
                {"loadout": n, "target": t, "p_out": p}
                for n, row in zip(names, chances, strict=True)
                for t, p in zip("ab", row, strict=True)
            ]
        ),
        "edition_difference": pd.DataFrame(
            [
                {"weapon": n, "edition": e, "p": p}
                for n, row in zip(names, chances, strict=True)
                for e, p in zip("ab", row, strict=True)
            ]
        ),
        "survival": pd.DataFrame(
            [
                {"weapon": n, "attacks": k, "p_out": 1 - (1 - row[0]) ** k}
                for n, row in zip(names, chances, strict=True)
                for k in range(4)
            ]
        ),
    }
    for name, frame in frames.items():
        axes = getattr(tcsim.plots, name)(frame)
        texts = texts_of(axes, 200)
        assert overlaps(texts, 3) == [], name
        assert outside(axes, texts, 3) == [], name
        assert page.figure_of(axes).get_figheight() < 16, name


TIDY = {
    "agreement": kills,
    "attacks": kills,
    "comparison": pairs,
    "critical_worth": kills,
    "distribution": lambda: pd.DataFrame({"outcome": ["a", "b"], "p": [0.5, 0.5]}),
    "duel_curves": rounds,
    "duel_matrix": lambda: pd.DataFrame({"a": ["x"], "b": ["y"], "a_wins": [0.5]}),
    "edition_difference": editions,
    "heat": kills,
    "kill_odds": kills,
    "outcomes": kills,
    "pareto": front,
    "survival": lasting,
}
CHANCE = {
    "pareto": "p",
    "edition_difference": "p",
    "distribution": "p",
    "duel_curves": "a_wins",
    "duel_matrix": "a_wins",
}


@pytest.mark.parametrize("name", TIDY)
def test_what_cannot_be_drawn_is_said_in_a_sentence(name: str) -> None:
    function, frame = getattr(tcsim.plots, name), TIDY[name]()
    chance = CHANCE.get(name, "p_out")
    with pytest.raises(InputError, match="frame: it has no rows"):
        function(frame.iloc[0:0])
    with pytest.raises(InputError, match=r"frame: .* is given, a DataFrame is wanted"):
        function([1, 2])
    with pytest.raises(InputError, match=f'frame: it has no column "{chance}"'):
        function(frame.drop(columns=chance))
    for wrong in (2.0, -0.5, float("inf"), "many", True):
        bad = frame.astype({chance: object})
        bad.iloc[-1, list(bad.columns).index(chance)] = wrong
        with pytest.raises(InputError, match=f"{chance}: .* a probability from 0 to 1 is wanted"):
            function(bad)
    if name not in ("comparison", "duel_matrix"):  # where a missing chance is a pair that does not fight
        bad = frame.copy()
        bad.loc[bad.index[-1], chance] = float("nan")
        with pytest.raises(InputError, match=f"{chance}: .* a probability from 0 to 1 is wanted"):
            function(bad)


def test_rows_that_contradict_each_other() -> None:
    with pytest.raises(InputError, match='frame: it has two rows for "Rifle", "Yeoman"'):
        tcsim.plots.comparison(pd.concat([pairs(), pairs().head(1)]))
    with pytest.raises(InputError, match=r"p: its chances add up to 0\.9"):
        tcsim.plots.distribution(pd.DataFrame({"outcome": ["a", "b"], "p": [0.5, 0.4]}))
    with pytest.raises(InputError, match="edition: there are 1 editions"):
        tcsim.plots.edition_difference(editions().iloc[[0]])
    with pytest.raises(InputError, match=r'old: there is no edition "1\.6"; did you mean "1\.6\.3"'):
        tcsim.plots.edition_difference(editions(), old="1.6")
    with pytest.raises(InputError, match="cost: -1 in row 1, a number, 0 or more, is wanted"):
        tcsim.plots.pareto(front().assign(cost=-1))
    with pytest.raises(InputError, match="a_wins, b_wins: both together"):
        tcsim.plots.duel_curves(rounds().assign(a_wins=0.9))
    with pytest.raises(InputError, match="attacks: x has not the same numbers"):
        tcsim.plots.survival(pd.DataFrame({"weapon": ["y", "y", "x"], "attacks": [0, 1, 0], "p_out": [0.0, 0.5, 0.0]}))
    assert page.figure_of(tcsim.plots.pareto(front().assign(cost=0, p=0.0)))  # all in one point, that of nothing


# --- colours, for every eye -------------------------------------------------------------------------------------------

#: What eyes without one kind of cone see of linear light (Machado, Oliveira, Fernandes 2009, severity 1).
EYES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}


def lab(colour: str, eye: str) -> Any:
    """A colour as an eye sees it, in CIE L*a*b* (D65)."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(EYES[eye]) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
    )
    xyz = to_xyz @ seen / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one: str, other: str, eye: str) -> float:
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("dark", [False, True])
def test_colours_are_told_apart_by_every_eye(eye: str, dark: bool) -> None:
    """A difference (CIE76) of 2.3 can just be seen, one of 10 at a glance. In grey, shapes help besides."""

    def shade(colour: str) -> str:
        return style.DARK.get(colour, colour) if dark else colour

    ordered = [shade(colour) for colour in style.ARMOUR]
    light = [float(lab(colour, eye)[0]) for colour in ordered]
    assert (sorted(light, reverse=not dark)) == light
    assert min(apart(a, b, eye) for a, b in itertools.pairwise(ordered)) > 9
    outcome = [shade(colour) for colour in style.OUTCOME]
    assert min(apart(a, b, eye) for a, b in itertools.combinations(outcome, 2)) > 14
    if eye != "grey":
        assert apart(shade(style.MAIN), shade(style.CONTRAST), eye) > 35
    steps = [float(lab(colour, eye)[0]) for colour in style.sequential(dark)]
    assert all((b - a > 0) is dark for a, b in itertools.pairwise(steps))
    for name in (style.MAIN, style.CONTRAST, style.INK, style.MUTED):
        assert apart(shade(name), shade(style.PAPER), eye) > 35


def test_lines_differ_by_more_than_colour() -> None:
    """Lines of one panel have shapes or dashes of their own, so that black and white is enough."""
    for name in ("survival", "kill_odds", "duel_curves", "wins_by_turn", "attacks"):
        for axes in panels(name):
            looks = [(line.get_marker(), line.get_linestyle()) for line in axes.lines if line.get_marker() != "None"]
            assert len(set(looks)) == len(looks), name


def test_grey_on_a_phone_still_tells_the_front() -> None:
    """Reduced to 390 px and in grey, filled dots are darker than hollow ones, and the tint than the paper."""
    from PIL import Image

    with Image.open(io.BytesIO(page.png(page_of("pareto")))) as picture:
        small = picture.convert("L").resize(
            (390, round(picture.height * 390 / picture.width)), Image.Resampling.LANCZOS
        )
    assert np.asarray(small).min() < 110
    figure = page.figure_of(page_of("pareto"))
    [axes] = panels("pareto")
    dots = [line for line in axes.lines if line.get_marker() in ("o", "^")]
    pixels = np.asarray(small, float)

    def around(line: Any) -> float:
        x, y = axes.transData.transform((line.get_xdata()[0], line.get_ydata()[0])) / figure.dpi
        column, row = x * 390 / style.WIDTH, (figure.get_figheight() - y) * 390 / style.WIDTH
        return float(pixels[round(row) - 1 : round(row) + 1, round(column) - 1 : round(column) + 1].mean())

    filled = [around(line) for line in dots if line.get_markerfacecolor() == style.MAIN]
    hollow = [around(line) for line in dots if line.get_markerfacecolor() != style.MAIN]
    assert np.mean(filled) < np.mean(hollow) - 40
