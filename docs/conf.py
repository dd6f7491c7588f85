"""How the documentation is built; see `make docs`."""

import re
from importlib import metadata
from itertools import groupby

project = "ceopt"
author = "the ceopt authors"
copyright = "2026, the ceopt authors"  # noqa: A001  (the name that sphinx reads)
release = metadata.version("ceopt")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["paper"]
default_role = "code"
smartquotes = False

html_theme = "furo"
html_title = f"ceopt {release}"
html_show_sourcelink = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"


def as_typed(lines):
    """A docstring is plain text: what is laid out in columns stays so, and * | _ are only themselves."""
    shown, announced = [], False  # announced: the paragraph before ends in "::"
    for blank, group in groupby(lines, key=lambda line: not line.strip()):
        paragraph = list(group)
        if blank or announced or paragraph[0].startswith((">>>", "..", "==")):
            shown += paragraph
        elif any(re.search(r"^ |[^ .:;?!]  +\S", line) for line in paragraph):
            shown += ["::", "", *("    " + line for line in paragraph)]
        else:
            shown += [re.sub(r"`[^`]*`|[*|]|(?<=\w)_(?!\w)", escaped, line) for line in paragraph]
        announced = announced if blank else paragraph[-1].endswith("::")
    return shown


def escaped(match):
    """Code stays as it is; any other match loses its meaning to docutils."""
    return match[0] if match[0].startswith("`") else "\\" + match[0]


def rewrite(app, what, name, obj, options, lines):  # noqa: PLR0913  (sphinx calls it so)
    """Show a docstring as it was typed."""
    lines[:] = as_typed(lines)


def setup(app):
    """Tell sphinx."""
    app.connect("autodoc-process-docstring", rewrite)
