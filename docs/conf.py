"""How Sphinx makes a book of these pages: `sphinx-build -W -b html docs out`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from mate import __version__

project = "matecore"
author = "The authors of matecore"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "command_help"]
exclude_patterns = ["README.md"]
# Docstrings write code in single backticks.
default_role = "code"
suppress_warnings = ["config.cache"]

myst_heading_anchors = 3
autodoc_default_options = {"members": True, "show-inheritance": False}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"matecore {version}"
html_copy_source = False
html_show_sourcelink = False
