"""The page a figure is drawn on: what was found, what was asked, the panels, and under which assumptions.

Everything is placed in inches and wrapped by measuring, so nothing shifts with the length of a weapon's name. A bare
page has the panels only: there the words are text of the web page around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from tcsim.plots import host, style

#: What a figure function returns: the panels of a page, or the Axes it was given.
Drawn: TypeAlias = NDArray[Any] | Axes
#: Inches around a page, and around a bare one.
MARGIN, BARE_MARGIN = 0.14, 0.03
#: Height of a line of type, in type sizes.
LEADING = 1.22
#: Bytes of a PNG above which it is written in 256 colours.
LARGE = 150_000


@dataclass(frozen=True)
class Words:
    """What a figure says.

    Parameters
    ----------
    title : str
        What was found; computed from the data.
    subtitle : str
        What was asked, with its unit.
    caption : str
        Edition, assumptions and method.
    """

    title: str
    subtitle: str
    caption: str


def inner_width(bare: bool, ax: Axes | None = None) -> float:
    """Give the width between the margins.

    Parameters
    ----------
    bare : bool
        Panels only.
    ax : Axes, optional
        Axes of somebody's own figure that it is drawn into.

    Returns
    -------
    float
        Inches.
    """
    if ax is not None:
        return host.settled(ax)[0]
    return style.BARE_WIDTH - 2 * BARE_MARGIN if bare else style.WIDTH - 2 * MARGIN


def measure(text: str, size: float, bold: bool = False) -> float:
    """Measure a line of text.

    Parameters
    ----------
    text : str
        One line.
    size : float
        Points.
    bold : bool, optional
        Whether it is bold.

    Returns
    -------
    float
        Its width in inches.
    """
    return _measured(style.drawable(text), size, bold, style.families())


@lru_cache(maxsize=4096)
def _measured(text: str, size: float, bold: bool, families: tuple[str, ...]) -> float:
    width, _, _ = _renderer().get_text_width_height_descent(text, style.font(size, bold), False)
    return float(width) / style.DPI


@lru_cache(maxsize=1)
def _renderer() -> Any:
    renderer: Any = RendererAgg  # carries no types
    return renderer(8, 8, style.DPI)


def line_height(size: float) -> float:
    """Give the height of a line of type.

    Parameters
    ----------
    size : float
        Points.

    Returns
    -------
    float
        Inches from one line to the next.
    """
    return LEADING * size / 72


def wrap(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Break a text into lines that fit; a word that is too long alone is broken, too.

    Parameters
    ----------
    text : str
        The text.
    width : float
        Inches.
    size : float
        Points.
    bold : bool, optional
        Whether it is bold.

    Returns
    -------
    list of str
        The lines.
    """
    lines: list[str] = []
    line = ""
    for word in filter(None, re.split(r"[ \n]", text)):  # not at a no-break space
        longer = f"{line} {word}" if line else word
        if measure(longer, size, bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        while measure(word, size, bold) > width and len(word) > 1:
            fit = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or measure(word[:n], size, bold) <= width)
            lines.append(word[:fit])
            word = word[fit:]
        line = word
    return [*lines, line] if line else lines


class Sheet:
    """A figure whose panels are placed in inches from the left and from the top.

    Parameters
    ----------
    words : Words
        What it says; a bare one does not say it.
    height : float
        Inches that the panels take, all together.
    bare : bool, optional
        Panels only, on a figure of their own.
    ax : Axes, optional
        Panels only, into these Axes of somebody's own figure (see :class:`tcsim.plots.host.Host`).

    Attributes
    ----------
    inner : float
        Inches between the margins.

    Raises
    ------
    InputError
        When ``ax`` is too small.
    """

    def __init__(self, words: Words, height: float, bare: bool = False, ax: Axes | None = None) -> None:
        self._host = host.Host(ax, height) if ax is not None else None
        self._texts: list[tuple[Text, float, float]] = []
        if self._host is not None:
            self.inner = self._host.width
            return
        self._margin = BARE_MARGIN if bare else MARGIN
        width = style.BARE_WIDTH if bare else style.WIDTH
        self.inner = inner_width(bare)
        blocks = [] if bare else [(words.title, style.TITLE, True), (words.subtitle, style.SUBTITLE, False)]
        lines = [
            (line, size, bold) for text, size, bold in blocks for line in wrap(text, self.inner, size, bold) or [""]
        ]
        foot = [] if bare else wrap(words.caption, self.inner, style.CAPTION)
        self._top = self._margin + sum(line_height(size) for _, size, _ in lines) + (0.0 if bare else 0.22)
        below = self._margin + line_height(style.CAPTION) * len(foot) + (0.13 if foot else 0.0)
        self._size = (width, round(self._top + height + below, 2))
        self.figure = Figure(figsize=self._size, dpi=style.DPI, facecolor="none" if bare else style.PAPER)
        FigureCanvasAgg(self.figure)
        y = self._margin
        for line, size, bold in lines:
            self._line(y, line, size, bold, style.INK if bold else style.MUTED)
            y += line_height(size)
            if bold and (line, size, bold) == [one for one in lines if one[2]][-1]:
                y += 0.05
        self._top += 0.0 if bare else 0.05
        y = self._size[1] - self._margin - line_height(style.CAPTION) * len(foot)
        for line in foot:
            self._line(y, line, style.CAPTION, False, style.MUTED)
            y += line_height(style.CAPTION)

    def _line(self, y: float, text: str, size: float, bold: bool, colour: str) -> None:
        self.figure.text(
            self._margin / self._size[0],
            1 - y / self._size[1],
            text,
            fontproperties=style.font(size, bold),
            color=colour,
            va="top",
            ha="left",
        )

    def axes(self, left: float, top: float, width: float, height: float, only: bool = False) -> Axes:
        """Add a panel.

        Parameters
        ----------
        left, top : float
            Inches of its upper left corner, from that of the space for panels.
        width, height : float
            Inches.
        only : bool, optional
            Whether it is the one panel of the figure, and so drawn on the Axes that were given.

        Returns
        -------
        Axes
            Without frame, grid and ticks.
        """
        if self._host is not None:
            axes = (self._host.alone if only else self._host.child)(left, top, width, height)
            host.dress(axes)
            for text, x, y in self._texts if only else ():
                text.set_position(self._host.share(x, y))
        else:
            across, up = self._size
            box = (
                (self._margin + left) / across,
                1 - (self._top + top + height) / up,
                width / across,
                height / up,
            )
            axes = self.figure.add_axes(box, facecolor="none")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        axes.set_xticks([])
        axes.set_yticks([])
        return axes

    def text(self, left: float, top: float, text: str, size: float = style.TICK, **how: Any) -> Text:
        """Write beside the panels.

        Parameters
        ----------
        left, top : float
            Inches from the upper left corner of the space for panels.
        text : str
            What to write.
        size : float, optional
            Points.
        **how
            ``bold``, and whatever a text artist takes (``ha``, ``va``, ``color``).

        Returns
        -------
        Text
            The artist.
        """
        how = {"color": style.INK} | how | {"linespacing": style.linespacing()}
        how["fontproperties"] = style.font(size, how.pop("bold", False))
        if self._host is not None:
            x, y = self._host.share(left, top)
            written = self._host.ax.text(x, y, text, transform=self._host.ax.transAxes, **how)
            self._texts.append((written, left, top))
            return written
        across, up = self._size
        return self.figure.text((self._margin + left) / across, 1 - (self._top + top) / up, text, **how)

    def drawn(self, panels: Any) -> Any:
        """Give what a figure function returns.

        Parameters
        ----------
        panels : array or sequence of Axes
            The panels.

        Returns
        -------
        array of Axes, or Axes
            The panels of a page; the Axes that were given, where some were.
        """
        return np.array(panels, dtype=object) if self._host is None else self._host.ax


def figure_of(axes: Drawn) -> Figure:
    """Give the figure that some panels are of.

    Parameters
    ----------
    axes : array of Axes, or Axes
        As a figure function returns them.

    Returns
    -------
    Figure
        Their figure.
    """
    return host.root_of(axes if isinstance(axes, Axes) else axes.flat[0])


def _drawable(axes: Drawn) -> Figure:
    """The figure, with nothing in it that cannot be drawn."""
    figure = figure_of(axes)
    for text in figure.findobj(Text):
        if isinstance(text, Text):  # which may be written in another language than that of the moment
            shown = style.drawable(text.get_text(), tuple(text.get_fontfamily()))
            if shown != text.get_text():
                text.set_text(shown)
    for axis in (axis for one in figure.axes for axis in (one.xaxis, one.yaxis)):
        formatter, labels = axis.get_major_formatter(), axis.get_ticklabels()
        if isinstance(formatter, FuncFormatter) and labels:  # as `set_yticks` makes it; labels are made of it anew
            families = tuple(labels[0].get_fontfamily())
            axis.set_major_formatter(FuncFormatter(partial(_label, formatter, families)))
    return figure


def _label(formatter: FuncFormatter, families: tuple[str, ...], value: float, place: int | None = None) -> str:
    return style.drawable(formatter(value, place), families)


def png(axes: Drawn) -> bytes:
    """Draw a figure as PNG, the same bytes every time.

    Parameters
    ----------
    axes : array of Axes, or Axes
        As a figure function returns them.

    Returns
    -------
    bytes
        The file.

    Examples
    --------
    >>> import pandas as pd
    >>> from tcsim.plots import duel_curves
    >>> png(duel_curves(pd.DataFrame({"round": [1, 2], "a_wins": [0.3, 0.6], "b_wins": [0.1, 0.2]}), bare=True))[1:4]
    b'PNG'
    """
    out = BytesIO()
    with style.rules():
        _drawable(axes).savefig(out, format="png", dpi=style.DPI, metadata={"Software": None})
    return out.getvalue() if len(out.getvalue()) <= LARGE else _fewer_colours(out)


def _fewer_colours(file: BytesIO) -> bytes:
    """The same picture in 256 colours that cover all of its colours, the rare ones too."""
    from PIL import Image

    small = BytesIO()
    with Image.open(file) as picture:
        flat = picture.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        flat.save(small, "PNG", optimize=True, dpi=(style.DPI, style.DPI))
    return small.getvalue()


def svg(axes: Drawn, outlines: bool = True) -> bytes:
    """Draw a figure as SVG, the same bytes every time.

    Parameters
    ----------
    axes : array of Axes, or Axes
        As a figure function returns them.
    outlines : bool, optional
        Type as outlines, the same on every machine; without, as text that can be selected.

    Returns
    -------
    bytes
        The file.

    Examples
    --------
    >>> import pandas as pd
    >>> from tcsim.plots import duel_curves
    >>> rounds = pd.DataFrame({"round": [1, 2], "a_wins": [0.3, 0.6], "b_wins": [0.1, 0.2]})
    >>> b"</svg>" in svg(duel_curves(rounds, bare=True))
    True
    """
    import matplotlib

    out = BytesIO()
    with style.rules(), matplotlib.rc_context({"svg.fonttype": "path" if outlines else "none"}):
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        _drawable(axes).savefig(out, format="svg", metadata=nothing)
    return out.getvalue()


_ROOT = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_FAMILY = re.compile(r"(font(?:-family)?:[^;\"']*)(?:'[^';\"]+', )*'DejaVu Sans'[^;\"]*")


def inline_svg(axes: Drawn, prefix: str, label: str) -> str:
    """Draw a bare figure as part of a web page: text as text, colours as CSS variables, ids of its own.

    Parameters
    ----------
    axes : array of Axes, or Axes
        As a figure function returns them, drawn bare.
    prefix : str
        What every id begins with: letters, digits and dashes.
    label : str
        What a screen reader says.

    Returns
    -------
    str
        One ``svg`` element.
    """
    from html import escape

    text = svg(axes, outlines=False).decode()
    root = _ROOT.search(text)
    box = re.search(r'viewBox="([^"]+)"', root[0]) if root else None
    if root is None or box is None:
        raise ValueError("matplotlib drew no svg element with a viewBox")
    body = re.sub(r"<metadata>.*?</metadata>", "", text[root.end() :], flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    body = re.sub(r"<[^<>]+>", lambda tag: _own(tag[0], prefix), body)  # never the text between: it can be a name
    body = re.sub(r"\s*\n\s*", "\n", body)
    head = f'<svg viewBox="{box[1]}" role="img" aria-label="{escape(label, quote=True)}">'
    return head + body.strip()


def _own(tag: str, prefix: str) -> str:
    """One tag of a drawing with ids, colours and type of the page around it."""
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', tag)
    tag = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", tag)
    tag = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{prefix}-\1"', tag)
    names = {colour: name for name, colour, _ in style.variables()}
    tag = re.sub(r"#[0-9a-f]{6}\b", lambda found: _variable(found[0], names), tag)
    return _FAMILY.sub(r"\1var(--sans)", tag)


def _variable(colour: str, names: dict[str, str]) -> str:
    return f"var(--{names[colour]})" if colour in names else colour
