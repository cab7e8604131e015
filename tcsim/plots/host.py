"""Axes of a user's own figure that a figure of ours stands on."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from tcsim.base.errors import InputError
from tcsim.plots import style

#: Inches that Axes must be wide, and the share of a figure's own height that they must have.
NARROWEST, LOWEST = 3.2, 0.85
#: Times its own height that small multiples are drawn at most; a single panel fills any height.
TALLEST = 1.3


def root_of(axes: Axes) -> Figure:
    """Give the figure that Axes belong to, be it by way of subfigures.

    Parameters
    ----------
    axes : Axes
        Any Axes.

    Returns
    -------
    Figure
        The whole figure.

    Raises
    ------
    TypeError
        When they are of no figure any more.
    """
    figure = axes.figure
    while isinstance(figure, SubFigure):
        figure = figure.figure
    if not isinstance(figure, Figure):
        raise TypeError("these Axes belong to no Figure")
    return figure


def inches(axes: Axes) -> tuple[float, float]:
    """Measure Axes.

    Parameters
    ----------
    axes : Axes
        Any Axes.

    Returns
    -------
    float, float
        Width and height in inches.
    """
    share, root = axes.get_position(), root_of(axes)
    if isinstance(axes.figure, SubFigure):
        whole = axes.figure.bbox
        return float(share.width * whole.width / root.dpi), float(share.height * whole.height / root.dpi)
    across, up = root.get_size_inches()
    return float(share.width * across), float(share.height * up)


class Host:
    """A place for a figure on somebody's Axes: inches from the upper left corner become shares of those Axes.

    A single panel is drawn on the Axes themselves, which are made smaller by what stands beside it, so that all stays
    within the box that they had. Several panels become children of the Axes, which are then but an invisible canvas.

    Parameters
    ----------
    ax : Axes
        The Axes.
    height : float
        Inches that the figure takes by itself.

    Attributes
    ----------
    width : float
        Inches from left to right.

    Raises
    ------
    InputError
        When the Axes are too small for what would be written on them.
    """

    def __init__(self, ax: Axes, height: float) -> None:
        self.ax = ax
        self._height = height
        self.width, self._high = settled(ax)
        if self._high < LOWEST * height:
            raise InputError(
                f"the Axes are {self._high:.1f} inches high, and this figure needs {LOWEST * height:.1f}", "ax"
            )
        self._stretch = min(self._high / height, TALLEST)
        #: Left, top, width and height in inches of what shares are shares of, and of the panel as it would be alone.
        self._frame = (0.0, 0.0, self.width, self._high)
        self._alone: tuple[float, float] | None = None

    def alone(self, left: float, top: float, width: float, height: float) -> Axes:
        """Make the Axes themselves the one panel.

        Parameters
        ----------
        left, top, width, height : float
            Inches; the height is what the figure has by itself, and gives or takes what the Axes are higher or lower.

        Returns
        -------
        Axes
            The Axes.
        """
        box = self.ax.get_position()
        tall = self._high - (self._height - height)
        self._alone, self._frame = (top, height), (left, top, width, tall)
        self.ax.set_position(
            (
                box.x0 + box.width * left / self.width,
                box.y1 - box.height * (top + tall) / self._high,
                box.width * width / self.width,
                box.height * tall / self._high,
            )
        )
        self.ax.set_facecolor("none")
        self.ax.grid(False)
        return self.ax

    def child(self, left: float, top: float, width: float, height: float) -> Axes:
        """Add a panel.

        Parameters
        ----------
        left, top, width, height : float
            Inches.

        Returns
        -------
        Axes
            New Axes, which move with the host.
        """
        if self._alone is None:
            self.ax.set_axis_off()
        (x, y), (right, lower) = self.share(left, top), self.share(left + width, top + height)
        return self.ax.inset_axes((x, lower, right - x, y - lower), facecolor="none")

    def share(self, left: float, top: float) -> tuple[float, float]:
        """Turn a place into shares of the Axes.

        Parameters
        ----------
        left, top : float
            Inches from the upper left corner of the figure as it is by itself.

        Returns
        -------
        float, float
            To the right and upwards.
        """
        if self._alone is None:
            down = top * self._stretch
        else:
            begins, height = self._alone
            inside = min(max(top - begins, 0.0), height)
            down = top - inside + inside * self._frame[3] / height
        x, y, width, tall = self._frame
        return (left - x) / width, 1 - (down - y) / tall


def settled(ax: Axes) -> tuple[float, float]:
    """Measure Axes after the layout of their figure, if it has one, has been worked out.

    Parameters
    ----------
    ax : Axes
        Any Axes.

    Returns
    -------
    float, float
        Width and height in inches.

    Raises
    ------
    InputError
        When they are no Axes, or too narrow for what would be written on them.
    """
    if not isinstance(ax, Axes):
        raise InputError(f"{type(ax).__name__} is given; Axes of matplotlib are wanted", "ax")
    root = root_of(ax)
    engine = root.get_layout_engine()
    if engine is not None:
        engine.execute(root)
    width, height = inches(ax)
    if width < NARROWEST:
        raise InputError(f"the Axes are {width:.1f} inches wide, and figures need {NARROWEST}", "ax")
    return width, height


def dress(axes: Axes) -> None:
    """Give Axes that were made by other rules the type of ours.

    Parameters
    ----------
    axes : Axes
        The Axes.
    """
    axes.tick_params(
        labelsize=style.TICK,
        labelcolor=style.INK,
        labelfontfamily=list(style.families()),
        which="both",
        color=style.INK,
    )
    for one in (axes.xaxis.label, axes.yaxis.label):
        one.set_color(style.INK)
    for spine in axes.spines.values():
        spine.set_color(style.MUTED)
