"""How Sphinx builds these pages: `make docs`."""

from multiplane import __version__

project = "multiplane"
author = "The multiplane authors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx wants this name
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"multiplane {version}"

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
