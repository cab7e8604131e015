"""Two renderers over the same blocks: one HTML file that loads nothing, and Markdown with links to the pictures."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import speaking, tr
from tcsim.base.text import printable
from tcsim.plots import style
from tcsim.plots.page import inline_svg
from tcsim.report.blocks import Cell, Code, Column, Figure, Report, Rich, Strong

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

#: Folder of the pictures, beside the report.
FIGURES = "figures"

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~$&])")
#: What makes GitHub's Markdown a link without brackets: an address, or a mailbox.
_LINK = re.compile(r"((?:https?|ftp)(?=://)|www(?=\.)|(?<=\w)(?=@))([:.@])", re.IGNORECASE)


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("tcsim.report")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.finalize = lambda value: printable(value) if type(value) is str else value
    made.filters |= {
        "rich": rich_html,
        "md": markdown,
        "rich_md": rich_markdown,
        "indented": _indented,
        "sort_value": sort_value,
    }
    made.globals |= {"figures_folder": FIGURES, "tr": tr}
    return made


def rich_html(text: Rich) -> Markup:
    """Write a sentence as HTML.

    Parameters
    ----------
    text : tuple of str, Strong and Code
        The sentence.

    Returns
    -------
    Markup
        Escaped.

    Examples
    --------
    >>> str(rich_html(("a < b: ", Strong("5%"))))
    'a &lt; b: <strong>5%</strong>'
    """
    from markupsafe import Markup, escape

    tags = {Strong: "strong", Code: "code"}
    parts = []
    for part in text:
        if isinstance(part, str):
            parts.append(escape(printable(part)))
        else:
            tag = tags[type(part)]
            parts.append(Markup(f"<{tag}>") + escape(printable(part.text)) + Markup(f"</{tag}>"))
    return Markup("").join(parts)


def markdown(text: str) -> Markup:
    r"""Write a text so that Markdown shows it as it is.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    Markup
        On one line, with every sign that means something in Markdown or HTML escaped.

    Examples
    --------
    >>> str(markdown("a|b <i>"))
    'a\\|b &lt;i&gt;'
    """
    from markupsafe import Markup

    entities = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    line = _MARKDOWN.sub(lambda found: entities.get(found[1], "\\" + found[1]), " ".join(printable(text).split()))
    return Markup(_LINK.sub(lambda found: f"{found[1]}&#{ord(found[2])};", line))


def rich_markdown(text: Rich) -> Markup:
    """Write a sentence as Markdown.

    Parameters
    ----------
    text : tuple of str, Strong and Code
        The sentence.

    Returns
    -------
    Markup
        Escaped.

    Examples
    --------
    >>> str(rich_markdown(("about ", Strong("5%"), " in ", Code("cells.csv"))))
    'about **5%** in `cells.csv`'
    """
    from markupsafe import Markup

    parts = []
    for part in text:
        if isinstance(part, Code):
            parts.append(Markup("`" + printable(part.text).replace("`", "'") + "`"))
        elif isinstance(part, Strong):
            parts.append(Markup("**") + markdown(part.text) + Markup("**"))
        else:  # a space at either end belongs to the sentence
            inner = markdown(part)
            before, after = part[:1].isspace() * " ", part[-1:].isspace() * " "
            parts.append(Markup(before) + inner + Markup(after) if inner else Markup(before))
    return Markup("").join(parts)


_NUMBER = re.compile(r"[<>~≈ ]*([+−-]?[0-9][0-9,]*(?:\.[0-9]+)?)")


def sort_value(cell: Cell, column: Column) -> float | None:
    """Give the number by which a cell is sorted.

    Parameters
    ----------
    cell : Cell
        The cell.
    column : Column
        Its column.

    Returns
    -------
    float or None
        None in a column of words, and where there is no number.

    Examples
    --------
    >>> sort_value(Cell("−1,234.5 points"), Column("gain")), sort_value(Cell("x"), Column("gain"))
    (-1234.5, None)
    """
    if not column.number:
        return None
    if cell.value is not None:
        return cell.value if cell.value == cell.value else None  # NaN has no place in an order
    found = _NUMBER.match(cell.text)
    return float(found[1].replace(",", "").replace("−", "-")) if found else None


def _indented(text: str) -> Markup:
    """A command as an indented code block, in which no sign has a meaning."""
    from markupsafe import Markup

    return Markup("\n".join("    " + line for line in printable(text).splitlines()))


def colours_css(dark: bool) -> str:
    """Give the palette of the figures as CSS declarations.

    Parameters
    ----------
    dark : bool
        For a dark page.

    Returns
    -------
    str
        As ``--ink: #1b1f23; ...``.
    """
    return " ".join(f"--{name}: {at_night if dark else by_day};" for name, by_day, at_night in style.variables())


def render_html(report: Report) -> str:
    """Render a report as one HTML file that loads nothing from anywhere.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    str
        The file; its links to data and pictures are relative.
    """
    from markupsafe import Markup

    environment = _environment()
    css, js = (_source(environment, name) for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(js.encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    drawn = _inline(report.figures())
    with speaking(report.lang):
        return environment.get_template("report.html.jinja").render(
            report=report,
            policy=policy,
            css=Markup(css),
            js=Markup(js),
            light=Markup(colours_css(dark=False)),
            dark=Markup(colours_css(dark=True)),
            drawn=drawn,
        )


def _inline(figures: Iterable[Figure]) -> dict[str, Any]:
    from markupsafe import Markup

    drawn = {}
    for figure in figures:
        label = printable(f"{figure.words.title}. {figure.words.subtitle}.")
        drawn[figure.name] = Markup(inline_svg(figure.draw(True), f"f-{figure.name}", label))
    return drawn


def _source(environment: Environment, name: str) -> str:
    if environment.loader is None:
        raise ValueError("this environment loads no templates")
    return environment.loader.get_source(environment, name)[0]


def render_markdown(report: Report) -> str:
    """Render a report as Markdown, with links to the pictures.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    str
        The file.
    """
    text = _environment().get_template("report.md.jinja").render(report=report)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
