"""What to spend on a hit of a plain attack, for targets in each armour: one page that teaches when to save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.lang import mark, tr
from tcsim.base.text import signed
from tcsim.plots import style
from tcsim.plots.figures.spending import BLOOD, Map, draw_legend, draw_map, left_words, maps_of
from tcsim.plots.page import Sheet, Words, measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tcsim.analysis.spending import Spending

_BAND, _LEGEND, _HEAD, _GUTTER, _ROW_HEIGHT = 0.3, 0.36, 0.3, 0.12, 0.27


def by_attack(found: Spending) -> dict[int, Map]:
    """Give the panel of every attack.

    Parameters
    ----------
    found : Spending
        Of plain attacks in turn.

    Returns
    -------
    dict of int to Map
        By attacks left.
    """
    panels = {}
    for number, one in enumerate(maps_of(found, together=False)):
        panels[len(found.grids) - number] = one
    return panels


def armour_page_words(found: Mapping[int, Spending]) -> Words:
    """Say what :func:`spending_by_armour` shows.

    Parameters
    ----------
    found : mapping of int to Spending
        By injury modifier of the armour, 0 or less.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    edition = next(iter(found.values())).resolved.problem.edition
    save = [signed(modifier) for modifier, one in found.items() if _saves(one)]
    spend = [signed(modifier) for modifier in found if signed(modifier) not in save]
    told = mark("Armour {light}: spend at once; armour {heavy}: sometimes save for a Bloodbath")
    title = tr(told, light=", ".join(spend), heavy=", ".join(save))
    if not spend or not save:
        title = tr("Sometimes save for a Bloodbath in any armour") if save else tr("Spend at once in any armour")
    subtitle = f"{edition} · {tr('What to spend on a hit, by blood markers on the target before it')}"
    caption = tr(
        "Rules {edition}. A plain ranged attack at 0 DICE, repeated; an ordinary target that does not stand up in "
        "between. Spent so that out of action in the end is most likely. Exact.",
        edition=edition,
    )
    return Words(title, subtitle, caption)


def _saves(found: Spending) -> bool:
    """Whether the best plan ever keeps a marker on a hit."""
    costs = found.grids[0].bath_costs
    for panel in by_attack(found).values():
        for index, row in enumerate(panel.cells):
            cost = costs[index >= len(panel.cells) // 2]  # standing first, then Down
            for blood, hits in zip(BLOOD, row, strict=True):
                if hits and sum(dice + bath * cost for dice, bath in hits) < blood:
                    return True
    return False


@style.styled
def spending_by_armour(
    found: Mapping[int, Spending],
    attacks: Sequence[int] = (3, 2, 1),
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw the advice for each armour: a band for each, a panel for each number of attacks left.

    Parameters
    ----------
    found : mapping of int to Spending
        By injury modifier of the armour, 0 or less.
    attacks : sequence of int, optional
        Numbers of attacks left.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        Shape (armours, attacks).

    Examples
    --------
    >>> import tcsim
    >>> question = {"target": {"blood": 3}, "attacks": [{"kind": "melee", "times": 2}]}
    >>> spending_by_armour({0: tcsim.spend(question)}, attacks=(2, 1), bare=True).shape
    (1, 2)
    """
    panels = {modifier: by_attack(one) for modifier, one in found.items()}
    names = max(panels[0][attacks[0]].rows, key=lambda name: measure(name, style.CAPTION))
    rows = len(panels[0][attacks[0]].rows)
    gutter = measure(names, style.CAPTION) + 0.1
    band = _BAND + rows * _ROW_HEIGHT + 0.06
    height = _LEGEND + _HEAD + band * len(found) + 0.24
    sheet = Sheet(armour_page_words(found), height, bare, ax)
    draw_legend(sheet, 0.0)
    width = (sheet.inner - gutter - _GUTTER * (len(attacks) - 1)) / len(attacks)
    drawn = np.empty((len(found), len(attacks)), dtype=object)
    for j, left in enumerate(attacks):
        place = gutter + j * (width + _GUTTER)
        sheet.text(place, _LEGEND + 0.02, left_words(left, left), style.CAPTION, bold=True, va="top")
    top = _LEGEND + _HEAD
    for i, modifier in enumerate(found):
        sheet.text(0.0, top + 0.02, tr("armour {n}", n=signed(modifier)), style.LABEL, bold=True, va="top")
        for j, left in enumerate(attacks):
            one = panels[modifier][left]
            shown = Map("", one.rows, one.cells)
            axes = draw_map(sheet, shown, (gutter + j * (width + _GUTTER), top + _BAND, width), j == 0)
            if i + 1 < len(found):
                axes.set_xticks([])
            drawn[i, j] = axes
        top += band
    return sheet.drawn(drawn)
