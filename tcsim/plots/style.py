"""One look for every figure: palette, type, sizes, and the state in which matplotlib draws.

Colours are named once. A bare figure on a web page has each of them replaced by a CSS variable of the same name, so the
page can give it another value in the dark: :data:`DARK` holds those.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import matplotlib
from matplotlib.font_manager import FontProperties, findfont, findSystemFonts, fontManager, get_font

from tcsim.base.errors import InputError, show
from tcsim.base.lang import LANGUAGES, current, speaking

#: Families in the order in which a glyph is looked for. DejaVu Sans comes with matplotlib.
FONTS = ("DejaVu Sans",)

#: Families with Korean letters; the first one that is installed is taken. Of a collection of fonts matplotlib reads
#: only the first, so that of Noto may go by its Japanese or Chinese name; the Korean letters are in it all the same.
KOREAN_FONTS = (
    *("Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans KR", "Source Han Sans K"),
    *("Malgun Gothic", "Apple SD Gothic Neo", "AppleGothic", "NanumGothic", "NanumBarunGothic"),
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Baekmuk Dotum", "UnDotum", "Baekmuk Gulim", "UnBatang"),
)

#: Canvas: a page is 6 inches wide at 200 dots per inch; on a web page a narrower drawing keeps its type readable.
WIDTH, BARE_WIDTH, DPI = 6.0, 5.2, 200

#: Type sizes in points.
TITLE, SUBTITLE, HEAD, LABEL, TICK, CAPTION = 15.0, 11.0, 11.5, 11.0, 10.5, 9.5

INK, MUTED, GRID, PALE, PAPER = "#1b1f23", "#565f69", "#dfe3e7", "#8a939c", "#ffffff"
MAIN, CONTRAST = "#0b4f8a", "#d55e00"
#: Armour 0, −1, −2, −3.
ARMOUR = ("#6fb1e4", "#2f86cc", "#135b99", "#0a2f57")
#: Out of action, Down, standing; and text upon them.
OUTCOME, ON_OUTCOME = ("#0b4f8b", "#8fc0e6", "#e3ebf2"), ("#fefefe", "#1b1f22", "#1b1f21")
BAR, BAND, WASH = "#8ec0e6", "#cfe2f3", "#eef3f8"
#: Text on a cell of the sequential map, on light and on deep ones.
ON_TINT, ON_DEEP = "#1b1f24", "#fdfdfd"

#: Steps of the sequential map.
STEPS = 20
_LIGHT_MAP = ("#f4f8fb", "#cfe3f4", "#8fc0e6", "#4a92cd", "#1b64a5", "#0a3763")
_DARK_MAP = ("#1b232b", "#1c3a53", "#215177", "#28689c", "#6aabde", "#cfe6fa")
#: From this step on, a cell is deep in the light (its text white) and bright in the dark (its text dark).
TURN = 13

#: What each colour is in the dark, where it is another one.
DARK = {
    INK: "#e8ecef",
    MUTED: "#a3adb7",
    GRID: "#323a42",
    PALE: "#76818c",
    PAPER: "#14181c",
    MAIN: "#7fbcf0",
    CONTRAST: "#ff9a4d",
    ARMOUR[0]: "#3c7db5",
    ARMOUR[1]: "#5fa3dc",
    ARMOUR[2]: "#94c6f2",
    ARMOUR[3]: "#d6eafc",
    OUTCOME[0]: "#8cc4f3",
    OUTCOME[1]: "#2c638f",
    OUTCOME[2]: "#29323b",
    ON_OUTCOME[0]: "#11161b",
    ON_OUTCOME[1]: "#f2f6f9",
    ON_OUTCOME[2]: "#e8ecee",
    BAR: "#3a78ac",
    BAND: "#24466a",
    WASH: "#1c252e",
    ON_TINT: "#e8ecf0",
    ON_DEEP: "#10151a",
}

_NAMES = {
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
    "pale": PALE,
    "paper": PAPER,
    "main": MAIN,
    "contrast": CONTRAST,
    **{f"armour-{i}": colour for i, colour in enumerate(ARMOUR)},
    **{f"outcome-{i}": colour for i, colour in enumerate(OUTCOME)},
    **{f"on-outcome-{i}": colour for i, colour in enumerate(ON_OUTCOME)},
    "bar": BAR,
    "band": BAND,
    "wash": WASH,
    "on-tint": ON_TINT,
    "on-deep": ON_DEEP,
}

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _between(colours: tuple[str, ...], share: float) -> str:
    place = share * (len(colours) - 1)
    first = min(int(place), len(colours) - 2)
    pairs = zip(_channels(colours[first]), _channels(colours[first + 1]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (place - first)):02x}" for a, b in pairs)


@cache
def sequential(dark: bool = False) -> tuple[str, ...]:
    """Give the colours of the sequential map, from small to large.

    Parameters
    ----------
    dark : bool, optional
        For a dark page, where larger is lighter.

    Returns
    -------
    tuple of str
        ``STEPS`` colours.
    """
    return tuple(_between(_DARK_MAP if dark else _LIGHT_MAP, i / (STEPS - 1)) for i in range(STEPS))


def step_of(p: float) -> int:
    """Give the step of the sequential map that a probability is drawn in.

    Parameters
    ----------
    p : float
        Probability in [0, 1].

    Returns
    -------
    int
        0 to ``STEPS`` - 1.

    Examples
    --------
    >>> step_of(0.0), step_of(0.5), step_of(1.0)
    (0, 10, 19)
    """
    return min(STEPS - 1, max(0, int(p * STEPS)))


def luminance(colour: str) -> float:
    """Give the relative luminance of a colour, as contrast is computed from it.

    Parameters
    ----------
    colour : str
        As ``#0b4f8a``.

    Returns
    -------
    float
        0 (black) to 1 (white).

    Examples
    --------
    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    linear = []
    for channel in _channels(colour):
        share = channel / 255
        linear.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Give the contrast of two colours.

    Parameters
    ----------
    one, other : str
        As ``#0b4f8a``.

    Returns
    -------
    float
        1 (the same) to 21 (black on white).

    Examples
    --------
    >>> round(contrast("#ffffff", "#000000"), 1)
    21.0
    """
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@cache
def variables() -> tuple[tuple[str, str, str], ...]:
    """Give every colour as a CSS variable.

    Returns
    -------
    tuple of (str, str, str)
        Name without the dashes, the colour on a light page, and on a dark one.
    """
    named = [(name, colour, DARK.get(colour, colour)) for name, colour in _NAMES.items()]
    steps = zip(sequential(), sequential(dark=True), strict=True)
    return (*named, *((f"map-{i}", light, dark) for i, (light, dark) in enumerate(steps)))


def armour_colour(modifier: int) -> str:
    """Give the colour of an armour by what it takes off the injury roll.

    Parameters
    ----------
    modifier : int
        0 or less.

    Returns
    -------
    str
        A colour of the palette; everything below −3 shares the last.
    """
    return ARMOUR[min(-min(modifier, 0), len(ARMOUR) - 1)]


def installed() -> set[str]:
    """Name the font families there are.

    Returns
    -------
    set of str
        Those that matplotlib remembers, and those that were installed since.
    """
    known = {font.fname for font in fontManager.ttflist}
    for path in findSystemFonts():
        if path not in known:
            try:
                fontManager.addfont(path)
            except (OSError, RuntimeError):  # a file that is no font, or of a kind that matplotlib cannot read
                continue
    return {font.name for font in fontManager.ttflist}


@cache
def korean_font() -> str:
    """Choose a font with Korean letters.

    Returns
    -------
    str
        A family that is installed.

    Raises
    ------
    InputError
        When there is none; it names a package to install.
    """
    there = {font.name for font in fontManager.ttflist}
    if there.isdisjoint(KOREAN_FONTS):
        there = installed()
    found = next((name for name in KOREAN_FONTS if name in there), None)
    if found is None:
        raise InputError(
            "no Korean font is installed, and figures in Korean need one; install the package fonts-noto-cjk or "
            "fonts-nanum (Debian, Ubuntu)"
        )
    return found


def families() -> tuple[str, ...]:
    """Give the families in which a glyph is looked for, in the language of the moment.

    Returns
    -------
    tuple of str
        In order.

    Raises
    ------
    InputError
        When no font has the letters of that language.

    Examples
    --------
    >>> families()
    ('DejaVu Sans',)
    """
    return (korean_font(), *FONTS) if current() == "ko" else FONTS


#: Stands for a letter that no font here has, or that cannot be drawn.
NO_LETTER = "□"


def drawable(text: str, names: tuple[str, ...] | None = None) -> str:
    r"""Write a text so that every sign of it can be drawn: a name that a user gave may hold anything.

    Parameters
    ----------
    text : str
        Any text.
    names : tuple of str, optional
        Families that it is drawn in; default: :func:`families`.

    Returns
    -------
    str
        The same, with ``□`` for what none of them has, and for control signs.

    Examples
    --------
    >>> drawable("Sword / Axe"), drawable("a\x1b漢")
    ('Sword / Axe', 'a□□')
    """
    if text.isascii() and text.isprintable():
        return text
    known = _letters(names or families())

    def can(sign: str) -> bool:
        return sign in "\n\xa0" or (sign.isprintable() and ord(sign) in known)

    return "".join(sign if can(sign) else NO_LETTER for sign in text)


@cache
def _letters(names: tuple[str, ...]) -> frozenset[int]:
    """Code points that one of some families has."""
    found: set[int] = set()
    for name in names:
        found.update(get_font(findfont(FontProperties(family=name))).get_charmap())
    return frozenset(found)


def linespacing() -> float:
    """Give the distance of lines within one text, in heights of Latin letters: Korean ones are taller.

    Returns
    -------
    float
        As a text artist takes it.
    """
    return 1.5 if current() == "ko" else 1.2


def font(size: float, bold: bool = False) -> FontProperties:
    """Give the one typeface in a size.

    Parameters
    ----------
    size : float
        Points.
    bold : bool, optional
        For titles and values.

    Returns
    -------
    FontProperties
        For a text artist.
    """
    return FontProperties(family=list(families()), size=size, weight="bold" if bold else "normal")


@cache
def _settings() -> dict[str, Any]:
    own = {
        "font.size": TICK,
        "text.parse_math": False,
        "text.color": INK,
        "axes.edgecolor": MUTED,
        "axes.labelcolor": INK,
        "axes.unicode_minus": True,
        "xtick.color": INK,
        "ytick.color": INK,
        "xtick.labelsize": TICK,
        "ytick.labelsize": TICK,
        "svg.hashsalt": "tcsim",
        "path.simplify": False,
    }
    # a user's own matplotlibrc must not change a figure; how windows are opened is none of its business
    apart = ("backend", "interactive", "toolbar", "timezone", "webagg", "tk.", "macosx", "savefig.directory", "date.")
    defaults = dict(dict.items(matplotlib.rcParamsDefault))
    return {key: value for key, value in defaults.items() if not key.startswith(apart)} | own


@contextmanager
def rules() -> Iterator[None]:
    """Draw by the rules of this module, whatever is set outside.

    Yields
    ------
    None
        Inside, matplotlib has the defaults it came with and the type of this module.
    """
    context: Any = matplotlib.rc_context  # newer stubs want every key as a literal
    log = logging.getLogger("matplotlib.font_manager")  # says at length that one font's bold is another's semibold
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with context(_settings() | {"font.family": list(families())}):
            yield
    finally:
        log.setLevel(level)


#: Longest caption that a user gives.
_CAPTION = 1000


def _check(given: Mapping[str, Any]) -> None:
    """Look at the arguments that many figures have."""
    setting, weapons, lang = given.get("setting", ""), given.get("weapons"), given.get("lang")
    if not isinstance(setting, str) or len(setting) > _CAPTION:
        what = f"text of {len(setting):,} characters" if isinstance(setting, str) else show(setting)
        raise InputError(f"{what} is given, text of at most {_CAPTION:,} characters is allowed", "setting")
    if weapons is not None and not (
        isinstance(weapons, (list, tuple)) and weapons and all(isinstance(one, str) for one in weapons)
    ):
        raise InputError(f"{show(weapons)} is given, a list of weapon ids is allowed", "weapons")
    if lang is not None and not isinstance(lang, str):
        raise InputError(f"{show(lang)} is given, {' or '.join(LANGUAGES)} is allowed", "lang")


def styled(figure: Callable[_P, _R]) -> Callable[_P, _R]:
    """Make a function draw by :func:`rules`, in the language that its keyword argument ``lang`` names.

    Parameters
    ----------
    figure : callable
        A figure function.

    Returns
    -------
    callable
        The same, drawing by the rules.
    """
    parameters = signature(figure)

    @wraps(figure)
    def inside(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        _check(parameters.bind(*args, **kwargs).arguments)
        lang = kwargs.get("lang")
        with speaking(lang if isinstance(lang, str) else None), rules():
            return figure(*args, **kwargs)

    return inside
