"""Settings of the documentation site (`make docs`). Its pages are put together by docs/_make."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from _make import mathml, references

from tcsim import __version__

project = "tcsim"
version = release = __version__
html_title = f"tcsim {__version__}"
language = "en"
smartquotes = False  # --flags have two hyphens

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
nitpicky = True  # what a docstring refers to by a role has to be there

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4  # links to heads work as on a code host
myst_links_external_new_tab = False

autodoc_typehints = "none"  # types stand in the docstrings, in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = html_show_copyright = False
html_math_renderer = "mathml"  # the browser's own: no script from elsewhere
pygments_style = "friendly"


def setup(app):
    """Give Sphinx the writing of formulas, and the search for what is referred to."""
    app.add_html_math_renderer("mathml", (mathml.inline, None), (mathml.block, None))
    app.connect("missing-reference", references.looked_for)
