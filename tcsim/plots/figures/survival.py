"""How long a target lasts: a line for each policy or weapon, and the points that each gains over the first of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, signed
from tcsim.plots import frames, parts, style, tell
from tcsim.plots.data import SAME
from tcsim.plots.page import Sheet, Words, inner_width, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds; ``policy`` may be called ``weapon``, ``loadout`` or ``line``.
COLUMNS = {"policy": "name", "attacks": "whole", "p_out": "chance", "armour": "name?"}
#: Lines of a panel, and panels, at most.
MOST, MOST_PANELS = 6, 4

_LEFT, _PANEL, _GAIN, _HEAD, _FOOT, _BETWEEN, _VALUE = 0.52, 1.7, 1.3, 0.3, 0.48, 0.6, 0.56
_WIDEST = 1.75
_POLICIES = {
    "none": mark("spend none"), "bloodbath": mark("Bloodbath only"), "all": mark("all at once"),
    "greedy": mark("best for each roll"), "optimal": mark("best plan"),
}  # fmt: skip


@dataclass(frozen=True)
class _Curves:
    """What is drawn: chances to be out of action, by armour, then by line; and the line that gains are counted from."""

    attacks: tuple[int, ...]
    panels: dict[str, dict[str, NDArray[np.float64]]]
    called: dict[str, tuple[str, ...]]
    base: str | None
    left_out: int

    @property
    def labels(self) -> dict[str, str]:
        """What each line is called."""
        return {name: self.called[name][0] for name in next(iter(self.panels.values()))}

    def last(self, name: str) -> list[float]:
        """The chance of a line after the last attack, by panel."""
        return [float(lines[name][-1]) for lines in self.panels.values()]


def _curves(frame: pd.DataFrame) -> _Curves:
    rows = frames.tidy(
        frames.renamed(frame, "policy", "weapon", "loadout", "line"), COLUMNS, ("policy", "attacks", "armour")
    )
    armours = list(dict.fromkeys(rows["armour"])) if "armour" in rows else [""]
    if len(armours) > MOST_PANELS:
        raise InputError(f"there are {len(armours)}, the figure has room for {MOST_PANELS}", "armour")
    attacks = tuple(sorted(set(rows["attacks"].tolist())))
    panels: dict[str, dict[str, NDArray[np.float64]]] = {}
    for armour in armours:
        own = rows[rows["armour"] == armour] if "armour" in rows else rows
        panels[armour] = {}
        for name in dict.fromkeys(own["policy"]):
            line = own[own["policy"] == name].sort_values("attacks")
            if tuple(line["attacks"]) != attacks:
                raise InputError(f"{name} has not the same numbers of attacks as the others", "attacks")
            panels[armour][name] = line["p_out"].to_numpy()
    names = list(next(iter(panels.values())))
    if any(set(lines) != set(names) for lines in panels.values()):
        raise InputError("not every armour has the same lines", "policy")
    kept, labels = _apart(names, panels)
    shown = kept
    if len(kept) > MOST:
        shown = _telling(kept, panels)
    if all(name in parts.POLICY_LOOKS for name in names):
        shown.sort(key=list(reversed(parts.POLICY_LOOKS)).index)
    else:
        shown.sort(key=lambda name: -float(np.mean([lines[name][-1] for lines in panels.values()])))
    panels = {armour: {name: lines[name] for name in shown} for armour, lines in panels.items()}
    base = "none" if "none" in shown and len(shown) > 1 else None
    return _Curves(attacks, panels, labels, base, len(kept) - len(shown))


def _apart(
    names: Sequence[str], panels: Mapping[str, dict[str, NDArray[np.float64]]]
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """Lines that are the same everywhere are one, that of the simplest policy; and what they are called."""
    ranks = list(reversed(parts.POLICY_LOOKS))
    order = sorted(names, key=lambda name: ranks.index(name) if name in ranks else len(ranks))
    kept: dict[str, list[str]] = {}
    for name in order:
        same = next(
            (
                one
                for one in kept
                if all(np.allclose(lines[name], lines[one], rtol=0, atol=SAME) for lines in panels.values())
            ),
            None,
        )
        kept.setdefault(same if same is not None else name, []).append(name)
    labels = {one: tuple(tr(_POLICIES[name]) if name in _POLICIES else name for name in kept[one]) for one in kept}
    return list(kept), labels


def _telling(names: Sequence[str], panels: Mapping[str, dict[str, NDArray[np.float64]]]) -> list[str]:
    """The lines that differ most: the first, then always the one farthest from those chosen."""
    chosen, left = [names[0]], list(names[1:])
    while left and len(chosen) < MOST:
        far = [min(max(float(abs(a[one] - a[name]).max()) for a in panels.values()) for one in chosen) for name in left]
        chosen.append(left.pop(far.index(max(far))))
    return chosen


def survival_words(frame: pd.DataFrame, setting: str = "") -> Words:
    """Say what :func:`survival` shows.

    Parameters
    ----------
    frame : DataFrame
        As for :func:`survival`.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    found = _curves(frame)
    names, most = list(found.labels), tell.things(found.attacks[-1], "attack")
    mean = {name: float(np.mean(found.last(name))) for name in names}
    best, worst = max(names, key=lambda name: mean[name]), min(names, key=lambda name: mean[name])
    if len(names) == 1:
        told = mark("After {attacks} {span} of targets are still in the fight")
        title = tr(told, attacks=most, span=tell.span([1 - p for p in found.last(best)]))
    elif found.base is not None and best != found.base:
        gains = [a - b for a, b in zip(found.last(best), found.last(found.base), strict=True)]
        told = mark("{best}: {gain} points over {base} in {attacks}")
        span = tell.between(*(tell.points(gain) for gain in (min(gains), max(gains))))
        title = tr(told, best=found.labels[best], base=found.labels[found.base], gain=span, attacks=most)
    else:
        told = mark("After {attacks} {best} leaves {least} in the fight, {worst} {greatest}")
        spans = [tell.span([1 - p for p in found.last(name)]) for name in (best, worst)]
        title = tr(
            told, attacks=most, best=found.labels[best], worst=found.labels[worst], least=spans[0], greatest=spans[1]
        )
    subtitle = tr("Chance that the target is still in the fight, by attacks made")
    if found.base is not None:
        subtitle += tr("; below, what each policy gains")
    notes = [setting]
    for first, *alike in (found.called[name] for name in names):
        if alike:
            notes.append(tr("The same as {first}: {others}.", first=first, others=", ".join(alike)))
    if "optimal" in found.labels:
        notes.append(tr("Best plan: made anew for each number of attacks, so no policy is ever above it."))
    if found.left_out:
        told = mark("The {n} lines that differ most; {left_out} not drawn.")
        notes.append(tr(told, n=tell.counted(MOST), left_out=tell.counted(found.left_out)))
    return Words(title[0].upper() + title[1:], subtitle, " ".join(filter(None, [*notes, tr("Exact.")])))


@style.styled
def survival(
    frame: pd.DataFrame, setting: str = "", bare: bool = False, ax: Axes | None = None, lang: str | None = None
) -> Any:
    """Draw the chance to be still in the fight over the number of attacks, and what each policy gains.

    Parameters
    ----------
    frame : DataFrame
        A row for each line and number of attacks: ``policy`` (or ``weapon``, ``loadout``), ``attacks``, ``p_out``
        (probability in [0, 1]); where there are several, ``armour``: a panel for each. As
        :func:`tcsim.analysis.survival.survival` gives it.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        The panels of what is left; then, where a policy is called ``none``, those of what is gained over it.

    Raises
    ------
    InputError
        When the frame is empty, lacks a column, a row is there twice, or lines do not go equally far.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("none", 1, 0.2), ("none", 2, 0.35), ("all", 1, 0.2), ("all", 2, 0.5)]
    >>> survival(pd.DataFrame(rows, columns=["policy", "attacks", "p_out"]), bare=True).shape
    (2,)
    """
    found = _curves(frame)
    across = min(2, len(found.panels))
    gains = found.base is not None
    inner = inner_width(bare, ax)
    labels = [frames.short(f"100% {label}", _WIDEST, style.TICK, True) for label in found.labels.values()]
    named = max(measure(label, style.TICK, True) for label in labels) + 0.32
    width = (inner - _LEFT - (across - 1) * (_VALUE + 0.1) - named) / across
    rows = -(-len(found.panels) // across)
    one_row = _HEAD + _PANEL + (_BETWEEN + _GAIN if gains else 0.0)
    sheet = Sheet(survival_words(frame, setting), rows * one_row + (rows - 1) * 0.2 + _FOOT, bare, ax)
    panels, below = [], []
    scale = _scale(found) if gains else (0.0, 1.0, 0.5)
    for number, (armour, lines) in enumerate(found.panels.items()):
        i, j = divmod(number, across)
        left, top = _LEFT + j * (width + _VALUE + 0.1), i * (one_row + 0.2) + _HEAD
        last = j == across - 1 or number == len(found.panels) - 1
        lowest = number + across >= len(found.panels)
        if armour:
            sheet.text(left, top - 0.06, _head(armour), style.HEAD, bold=True, va="bottom")
        axes = sheet.axes(left, top, width, _PANEL, only=len(found.panels) == 1 and not gains)
        parts.percent_axis(axes, ticks=j == 0)
        parts.number_axis(axes, found.attacks, tr("Attacks made") if lowest and not gains else "")
        left_in = {name: (1 - chances) for name, chances in lines.items()}
        _draw(axes, found, left_in, lambda value: percent(value, 0), last)
        panels.append(axes)
        if gains and found.base is not None:
            base = lines[found.base]
            top += _PANEL + _BETWEEN
            if not j:
                sheet.text(
                    left,
                    top - 0.07,
                    tr("Points gained over {base}", base=found.labels[found.base]),
                    style.TICK,
                    va="bottom",
                )
            axes = sheet.axes(left, top, width, _GAIN)
            _gain_axis(axes, scale, ticks=j == 0)
            parts.number_axis(axes, found.attacks, tr("Attacks made") if lowest else "")
            more = {name: chances - base for name, chances in lines.items() if name != found.base}
            _draw(axes, found, more, lambda value: tell.points(value, 0), last)
            below.append(axes)
    return sheet.drawn([*panels, *below])


def _head(armour: str) -> str:
    try:
        return tr("Armour {n}", n=signed(int(armour)))
    except ValueError:
        return armour


def _scale(found: _Curves) -> tuple[float, float, float]:
    """The scale of gains, the same in every panel: low, high and step."""
    assert found.base is not None
    gains = [
        float(value) for lines in found.panels.values() for one in lines.values() for value in one - lines[found.base]
    ]
    reach = max(0.001, *map(abs, gains))
    step = next(step for step in (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if reach <= 5 * step)
    high = max(1, -int(-max(gains) / step // 1)) * step
    low = int(min(0.0, *gains) / step // 1) * step if min(gains) < -SAME else 0.0
    return low, high * 1.02, step


def _gain_axis(axes: Axes, scale: tuple[float, float, float], ticks: bool) -> None:
    low, high, step = scale
    axes.set_ylim(low, high)
    levels = [round(low / step) * step + i * step for i in range(int((high - low) / step + 1e-9) + 1)]
    decimals = 0 if step >= 0.01 else 1 if step >= 0.001 else 2
    written = [tell.points(level, decimals) if abs(level) > SAME else "0" for level in levels]
    axes.set_yticks(levels, written if ticks else [""] * len(levels))
    axes.tick_params(axis="y", pad=4)
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    parts.baseline(axes)


def _draw(axes: Axes, found: _Curves, lines: Mapping[str, NDArray[np.float64]], write: Any, named: bool) -> None:
    ends = []
    for rank, (name, values) in enumerate(lines.items()):
        colour, marker, dashed = parts.LINE_LOOKS[rank % len(parts.LINE_LOOKS)]
        if name in parts.POLICY_LOOKS:
            (colour, marker), dashed = parts.POLICY_LOOKS[name], name in ("none", "bloodbath")
        parts.line(axes, found.attacks, values.tolist(), colour, marker, dashed)
        text = write(float(values[-1]))
        label = frames.short(f"{text} {found.labels[name]}", _WIDEST, style.TICK, True) if named else text
        ends.append(parts.End(float(values[-1]), label, name == "optimal" or not named))
    parts.end_labels(axes, ends, found.attacks[-1])
