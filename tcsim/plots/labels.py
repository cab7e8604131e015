"""Names beside points: where each has room, and is nearer to its own point than to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot

import numpy as np
from numpy.typing import NDArray

from tcsim.plots.page import line_height, measure

#: Left, bottom, right and top in inches, or the two ends of a line.
Box = tuple[float, float, float, float]
#: Inches between a point and its name: the places that are tried, near ones first.
_DISTANCES = (0.07, 0.12, 0.2, 0.3, 0.42)
#: Directions that are tried: to the right and upwards, the handiest first.
_DIRECTIONS = (
    *((1.0, 0.0), (-1.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (0.0, 1.0), (0.0, -1.0)),
    *((1.0, 0.5), (-1.0, 0.5), (1.0, -0.5), (-1.0, -0.5), (0.35, 1.0), (0.15, 1.0), (-0.35, 1.0), (0.6, 1.0)),
)
#: Inches kept free around a point, and around a name.
_POINT, _PAD = 0.055, 0.05
#: From this distance on, a hairline leads back to the point.
_FAR = 0.16


@dataclass(frozen=True)
class Name:
    """What is written beside a point: ``x`` and ``y`` in inches from the panel's lower left corner."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False


@dataclass(frozen=True)
class Place:
    """Where a name stands: its lower left corner in inches, and whether a hairline leads to its point."""

    x: float
    y: float
    led: bool


def height_of(size: float) -> float:
    """Give the height of the box of a name.

    Parameters
    ----------
    size : float
        Points.

    Returns
    -------
    float
        Inches.
    """
    return line_height(size) * 0.86


def placed(
    names: Sequence[Name],
    points: NDArray[np.float64],
    lines: Sequence[Box],
    size: tuple[float, float],
) -> list[Place | None]:
    """Find a place for each name, in the order given, where it covers no name, point or line.

    Parameters
    ----------
    names : sequence of Name
        Those that matter most first.
    points : array
        Shape (n, 2): every point of the panel, in inches.
    lines : sequence of (x0, y0, x1, y1)
        Lines that are not crossed, in inches.
    size : tuple of float
        Inches of the panel.

    Returns
    -------
    list of Place or None
        None for a name that has no room: every place would cover something, leave the panel, or lie nearer to a point
        that it does not name.
    """
    taken = _Taken(points, tuple(lines), size)
    found: list[Place | None] = []
    for name in names:
        best: tuple[float, Place, Box] | None = None
        wide, high = measure(name.text, name.size, name.bold), height_of(name.size)
        for distance in _DISTANCES:
            for rank, way in enumerate(_DIRECTIONS):
                cost = distance * 10 + rank * 0.06
                if best is not None and best[0] <= cost:
                    continue
                box = _box(name, wide, high, way, distance)
                far = _distance(box, name)
                place = Place(box[0], box[1], far > _FAR)
                if taken.leaves_free(box, name, far) and (not place.led or taken.can_lead(leader(name, place))):
                    best = (cost, place, box)
        found.append(best[1] if best is not None else None)
        if best is not None:
            taken.boxes.append(best[2])
            if best[1].led:
                taken.leaders.append(leader(name, best[1]))
    return found


def _box(name: Name, wide: float, high: float, way: tuple[float, float], distance: float) -> Box:
    """The box of a name that stands that far from its point: left, bottom, right, top."""
    right, up = way
    slant = 1.0 if not right or not up else 0.72
    x = name.x + right * distance * slant - (wide if right < 0 else wide / 2 if not right else 0.0)
    middle = name.y + up * (distance * slant + high / 2)
    return x, middle - high / 2, x + wide, middle + high / 2


def _distance(box: Box, name: Name) -> float:
    """How far the point of a name is from a box."""
    across = max(box[0] - name.x, name.x - box[2], 0.0)
    return hypot(across, max(box[1] - name.y, name.y - box[3], 0.0))


def _gap(box: Box, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far points are from a box; 0 inside."""
    x, y = points[:, 0], points[:, 1]
    across = np.maximum(np.maximum(box[0] - x, x - box[2]), 0.0)
    along = np.maximum(np.maximum(box[1] - y, y - box[3]), 0.0)
    return np.asarray(np.hypot(across, along), float)


@dataclass
class _Taken:
    """What stands in a panel already."""

    points: NDArray[np.float64]
    lines: tuple[Box, ...]
    size: tuple[float, float]
    boxes: list[Box] = field(default_factory=list)
    leaders: list[Box] = field(default_factory=list)

    def leaves_free(self, box: Box, name: Name, far: float) -> bool:
        """Whether a name so far from its point covers nothing and is nearer to no other point, or has a hairline."""
        if box[0] < 0.02 or box[1] < 0.02 or box[2] > self.size[0] - 0.02 or box[3] > self.size[1] - 0.02:
            return False
        if any(_meet(box, other) for other in self.boxes):
            return False
        if any(_through(line, box) for line in (*self.lines, *self.leaders)):
            return False
        gaps = _gap(box, self.points)
        strangers = np.hypot(self.points[:, 0] - name.x, self.points[:, 1] - name.y) > 1e-9
        nearest = float(gaps[strangers].min()) if strangers.any() else float("inf")
        return bool((gaps >= _POINT).all()) and (nearest > far or (name.bold and far > _FAR))

    def can_lead(self, line: Box) -> bool:
        """Whether a hairline crosses neither name nor line nor hairline, and passes no point."""
        x0, y0, x1, y1 = line
        if any(_through(line, box) for box in self.boxes):
            return False
        if any(_cross(line, other) for other in (*self.lines, *self.leaders)):
            return False
        steps = np.linspace(0, 1, 24)
        x, y = x0 + (x1 - x0) * steps, y0 + (y1 - y0) * steps
        gaps = np.hypot(self.points[:, :1] - x, self.points[:, 1:] - y).min(axis=1)
        return int((gaps < _POINT).sum()) <= 1  # its own


def _meet(box: Box, other: Box) -> bool:
    level = box[0] < other[2] + _PAD and other[0] < box[2] + _PAD
    return level and box[1] < other[3] and other[1] < box[3]


def _through(line: Box, box: Box) -> bool:
    """Whether a line runs through a box: what of it lies between left and right also lies between bottom and top."""
    first, last = 0.0, 1.0
    for start, end, low, high in ((line[0], line[2], box[0], box[2]), (line[1], line[3], box[1], box[3])):
        long = end - start
        if not long:
            if not low <= start <= high:
                return False
            continue
        enters, leaves = sorted(((low - start) / long, (high - start) / long))
        first, last = max(first, enters), min(last, leaves)
    return first <= last


def _cross(line: Box, other: Box) -> bool:
    """Whether two lines cross."""

    def side(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    a, b, c, d = line[:2], line[2:], other[:2], other[2:]
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def leader(name: Name, place: Place) -> Box:
    """Give the hairline from a name to its point.

    Parameters
    ----------
    name : Name
        The name.
    place : Place
        Where it stands.

    Returns
    -------
    tuple of float
        x and y of the nearest spot of the name, and of the edge of the point, in inches.
    """
    wide, high = measure(name.text, name.size, name.bold), height_of(name.size)
    x = min(max(name.x, place.x), place.x + wide)
    y = min(max(name.y, place.y), place.y + high)
    long = hypot(x - name.x, y - name.y) or 1.0
    return x, y, name.x + (x - name.x) * _POINT / long, name.y + (y - name.y) * _POINT / long
