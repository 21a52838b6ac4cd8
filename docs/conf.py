"""How the documentation is built: Markdown, executed tutorials, and a reference generated from the code."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "_ext"), str(Path(__file__).parents[1])]

project = "Breakrank"
author = "The Breakrank contributors"
copyright = author  # noqa: A001 (the name Sphinx reads)
release = version = installed_version("breakrank")

extensions = [
    "docstrings",
    "figures",
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "generated",
]
exclude_patterns = ["_build", "_ext", "reference/generated/*.inc.md"]

# Fields of different classes share plain names such as "rank"; types in signatures are found without them.
# Pages that are not executed (as when only their examples are checked) have no lexer for their cells.
suppress_warnings = ["ref.python", "myst-nb.lexer"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_title = f"Breakrank {release}"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f99", "color-brand-content": "#1f5f99"},
    "dark_css_variables": {"color-brand-primary": "#7fb2e5", "color-brand-content": "#7fb2e5"},
}

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

doctest_test_doctest_blocks = ""  # examples in docstrings are run by the test suite

autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = False
napoleon_use_rtype = False
