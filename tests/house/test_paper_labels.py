"""Equations are cited by the paper's own labels."""

import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
LABELS = (ROOT / "docs/paper/labels.txt").read_text("utf-8").split()
WORDS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def citations(source):
    """The labels in a file's comments and strings: [eq_surrogate], or several in one pair of brackets."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    brackets = [
        found for t in tokens if t.type in WORDS for found in re.findall(r"\[(eq[_:][^\]]*)\]", t.string)
    ]
    return {label for text in brackets for label in re.findall(r"eq[_:]\w+", text)}


def cited():
    return {path: citations(path.read_text("utf-8")) for path in (ROOT / "src").rglob("*.py")}


def test_a_citation_is_seen_in_comments_and_docstrings_only():
    source = '"""Paper [eq_surrogate]."""\nx[eq_mask]  # [eq:prior_mean_int, eq:prior_var_int]\n'
    assert citations(source) == {"eq_surrogate", "eq:prior_mean_int", "eq:prior_var_int"}


def test_the_labels_are_listed_once():
    assert len(LABELS) == len(set(LABELS)) == 11


def test_source_cites_only_labels_of_the_paper():
    assert {str(path): wrong for path, labels in cited().items() if (wrong := labels - set(LABELS))} == {}


def test_the_labels_not_yet_cited_are_listed_in_the_order_of_the_paper():
    received = (ROOT / "docs/paper/not_yet_cited.txt").read_text("utf-8").split()
    found = set().union(*cited().values())
    assert received == [label for label in LABELS if label not in found]
