"""What an edition changed: the chance of each weapon before and after, sorted by the change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError, unknown
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import frames, style, tell
from tcsim.plots.data import SAME
from tcsim.plots.page import Sheet, Words, inner_width, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds; ``weapon`` may be called ``loadout``.
COLUMNS = {"weapon": "name", "edition": "name", "p": "chance", "profile_changed": "flag?"}
#: Weapons on one page at most.
MOST = 24

_ROW, _HEAD, _FOOT, _WIDEST = 0.285, 0.3, 0.26, 2.0


@dataclass(frozen=True)
class _Change:
    """One weapon: its chance before and after, and whether its own numbers changed (None: not known)."""

    weapon: str
    old: float
    new: float
    profile: bool | None

    @property
    def points(self) -> float:
        """What was gained, in [-1, 1]."""
        return self.new - self.old


@dataclass(frozen=True)
class _Found:
    """What is drawn: both editions, the changes from the largest gain to the largest loss, and those left out."""

    editions: tuple[str, str]
    changes: tuple[_Change, ...]
    shown: tuple[_Change, ...]
    alone: int


def _found(frame: pd.DataFrame, old: str | None) -> _Found:
    rows = frames.tidy(frames.renamed(frame, "weapon", "loadout"), COLUMNS, ("weapon", "edition"))
    there = list(dict.fromkeys(rows["edition"]))
    if len(there) != 2:
        raise InputError(f"there are {len(there)} editions ({', '.join(there[:5])}), two are compared", "edition")
    if old is not None and old not in there:
        raise unknown("edition", old, there, "old")
    first = old if old is not None else there[0]
    second = next(one for one in there if one != first)
    before, after = (
        {row["weapon"]: row for row in rows[rows["edition"] == one].to_dict("records")} for one in (first, second)
    )
    both = [name for name in dict.fromkeys(rows["weapon"]) if name in before and name in after]
    if not both:
        raise InputError(f"no weapon is in both editions, {first} and {second}", "weapon")
    changes = [
        _Change(
            name,
            before[name]["p"],
            after[name]["p"],
            before[name]["profile_changed"] or after[name]["profile_changed"] if "profile_changed" in rows else None,
        )
        for name in both
    ]
    changes.sort(key=lambda one: -round(one.points, 9))
    most = sorted(changes, key=lambda one: -abs(one.points))[:MOST]
    shown = tuple(one for one in changes if one in most)
    alone = len({*before, *after}) - len(both)
    return _Found((first, second), tuple(changes), shown, alone)


def edition_difference_words(frame: pd.DataFrame, old: str | None = None, setting: str = "") -> Words:
    """Say what :func:`edition_difference` shows.

    Parameters
    ----------
    frame : DataFrame
        As for :func:`edition_difference`.
    old : str, optional
        The edition from which is counted; default: the one that the frame has first.
    setting : str, optional
        Sentence on targets and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    found = _found(frame, old)
    gains = [one for one in found.changes if one.points > SAME]
    losses = [one for one in found.changes if one.points < -SAME]
    claims = []
    if gains:
        top = gains[0]
        claims.append(tr("{weapon} gains most ({points})", weapon=top.weapon, points=tell.points(top.points)))
    if losses:
        low = losses[-1]
        claims.append(tr("{weapon} loses most ({points})", weapon=low.weapon, points=tell.points(low.points)))
    if gains and losses and -losses[-1].points > gains[0].points:
        claims.reverse()
    told = mark("{old} to {new}: {claims}")
    title = tr(told, old=found.editions[0], new=found.editions[1], claims="; ".join(claims))
    if not claims:
        told = mark("{old} and {new} give every weapon the same chance")
        title = tr(told, old=found.editions[0], new=found.editions[1])
    subtitle = tr("Chance that the target is taken out of action in each edition, and the change in points")
    same = len(found.changes) - len(gains) - len(losses)
    told = mark("Of {all} weapons {gain} gain, {lose} lose, {same} stay.")
    if not same and (gains or losses):
        told = mark("Of {all} weapons {gain} gain, {lose} lose.")
    notes = [setting, tr(told, all=len(found.changes), gain=len(gains), lose=len(losses), same=same)]
    if len(found.shown) < len(found.changes):
        told = mark("Drawn: the {n} that change most.")
        notes.append(tr(told, n=len(found.shown)))
    if found.alone:
        notes.append(tr("In one edition only, so left out: {n}.", n=found.alone))
    if any(one.profile is not None for one in found.changes):
        notes.append(tr("Profile: the weapon's own numbers differ; rules: only those of the edition do."))
    return Words(title, subtitle, " ".join(filter(None, [*notes, tr("Exact.")])))


@style.styled
def edition_difference(
    frame: pd.DataFrame,
    old: str | None = None,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw what an edition changed: hollow is old, filled is new, a row for each weapon, sorted by the change.

    Parameters
    ----------
    frame : DataFrame
        A row for each weapon and edition: ``weapon``, ``edition``, ``p`` (probability in [0, 1]); where it is known
        ``profile_changed`` (whether its own numbers differ).
    old : str, optional
        The edition from which is counted; default: the one that the frame has first.
    setting : str, optional
        Sentence on targets and assumptions, for the caption.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        One panel.

    Raises
    ------
    InputError
        When the frame is empty, lacks a column, has not two editions, or no weapon is in both.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("Shotgun", "1.0.2", 0.25), ("Shotgun", "1.6.3", 0.24)]
    >>> edition_difference(pd.DataFrame(rows, columns=["weapon", "edition", "p"]), bare=True).shape
    (1,)
    """
    found = _found(frame, old)
    inner = inner_width(bare, ax)
    names = [frames.short(one.weapon, _WIDEST, style.TICK) for one in found.shown]
    first = max(measure(name, style.TICK) for name in names) + 0.12
    causes = [_cause(one) for one in found.shown]
    heads = (tr("points"), tr("cause") if any(causes) else "")
    points = [tell.points(one.points) for one in found.shown]
    room = max(measure(text, style.TICK, True) for text in (*points, heads[0])) + 0.12
    right = max(measure(text, style.TICK) for text in (*causes, heads[1])) + (0.12 if any(causes) else 0.0)
    width = inner - first - 0.16 - room - right
    tall = _ROW * len(found.shown)
    sheet = Sheet(edition_difference_words(frame, old, setting), _HEAD + tall + _FOOT, bare, ax)
    axes = sheet.axes(first, _HEAD, width, tall, only=True)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(found.shown) - 0.5, -0.5)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], [percent(0, 0), "", percent(0.5, 0), "", percent(1, 0)])
    axes.tick_params(axis="x", pad=5)
    axes.grid(axis="x", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for i, (one, name) in enumerate(zip(found.shown, names, strict=True)):
        y = _HEAD + (i + 0.5) * _ROW
        sheet.text(first - 0.1, y, name, style.TICK, ha="right", va="center_baseline")
        colour = style.PALE if abs(one.points) <= SAME else style.MAIN if one.points > 0 else style.CONTRAST
        axes.axhline(i, color=style.GRID, linewidth=0.6, zorder=1)
        axes.plot([one.old, one.new], [i, i], color=colour, linewidth=2.6, zorder=2, clip_on=False)
        _dot(axes, one.old, i, colour, style.PAPER, 6.8, 3)
        _dot(axes, one.new, i, colour, colour, 5.4, 4)
        sheet.text(
            first + width + 0.12 + room - 0.06, y, points[i], style.TICK, bold=True, ha="right", va="center_baseline"
        )
        sheet.text(first + width + 0.16 + room, y, causes[i], style.TICK, va="center_baseline", color=style.MUTED)
    sheet.text(
        first + width + 0.12 + room - 0.06,
        0.1,
        heads[0],
        style.TICK,
        ha="right",
        va="center_baseline",
        color=style.MUTED,
    )
    sheet.text(first + width + 0.16 + room, 0.1, heads[1], style.TICK, va="center_baseline", color=style.MUTED)
    _key(sheet, found.editions, first)
    return sheet.drawn([axes])


def _cause(one: _Change) -> str:
    if one.profile is None or abs(one.points) <= SAME:
        return ""
    return tr("profile") if one.profile else tr("rules")


def _dot(axes: Axes, x: float, y: float, edge: str, face: str, size: float, order: int) -> None:
    axes.plot(
        [x], [y], marker="o", linestyle="", markersize=size, markerfacecolor=face, markeredgecolor=edge,
        markeredgewidth=1.7, zorder=order, clip_on=False,
    )  # fmt: skip


def _key(sheet: Sheet, editions: tuple[str, str], left: float) -> None:
    """Say above the panel which dot is which edition."""
    for sign, edition in zip("○●", editions, strict=True):
        sheet.text(left, 0.1, sign, style.TICK, va="center_baseline", color=style.MUTED)
        name = frames.short(edition, 1.0, style.TICK)
        sheet.text(left + 0.17, 0.1, name, style.TICK, va="center_baseline", color=style.MUTED)
        left += 0.17 + measure(name, style.TICK) + 0.2
