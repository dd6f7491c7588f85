"""README, changelog, notation and pages say what is true: their Python runs, and prints what they show."""

import dataclasses
import io
import re
import tomllib
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", flags=re.MULTILINE | re.DOTALL)
PAGES = sorted(p for p in (ROOT / "docs").rglob("*.md") if BLOCK.search(p.read_text("utf-8")))
NAMES = sorted(set(re.findall(r"`(ceopt(?:\.\w+)+)`", (ROOT / "docs/NOTATION.md").read_text("utf-8"))))


def resolve(dotted):
    """The thing a dotted name stands for: a module, what is in one, or a field of a dataclass."""
    found, path = None, dotted.split(".")
    for i, part in enumerate(path):
        if dataclasses.is_dataclass(found) and part in {f.name for f in dataclasses.fields(found)}:
            return found
        try:
            found = getattr(found, part)
        except AttributeError:
            found = import_module(".".join(path[: i + 1]))
    return found


@pytest.mark.parametrize("dotted", NAMES)
def test_every_name_in_the_notation_exists(dotted):
    assert resolve(dotted) is not None


@pytest.mark.parametrize(
    "dotted", ["ceopt.domain.graph.Graph.parent", "ceopt.domain.graf", "ceopt.errors.Oops"]
)
def test_a_name_that_does_not_exist_is_noticed(dotted):
    with pytest.raises(ModuleNotFoundError):
        resolve(dotted)


def test_the_notation_names_something():
    assert len(NAMES) > 20


def run(text, name):
    """What is defined once every Python block has run; a text block right after one is what it prints."""
    names = {"__name__": name}
    for match in BLOCK.finditer(text):
        block, shown = match.groups()
        above = "\n" * text.count("\n", 0, match.start(1))  # so that a traceback has the line of the page
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(above + block, name, "exec"), names)
        if shown is not None:
            assert printed.getvalue() == shown
    return names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs_and_prints_what_is_shown(page):
    run(page.read_text("utf-8"), page.name)


def test_the_pages_have_python():
    assert {page.stem for page in PAGES} >= {"knowledge", "data", "002-missing-values"}


def test_an_output_that_differs_from_the_page_is_noticed():
    run("```python\nx = 1\n```\n\n```python\nprint(x)\n```\n\n```text\n1\n```\n", "good.md")
    with pytest.raises(AssertionError):
        run("```python\nprint(2)\n```\n\n```text\n1\n```\n", "bad.md")


@pytest.fixture(scope="module")
def readme():
    """What is defined after every Python block of the README has run."""
    assert BLOCK.search(README)
    return run(README, "readme")


def test_the_readme_counts_its_graphs_rightly(readme):
    assert "six graphs" in README
    assert len(readme["study"].graph_posterior()) == 6


def test_the_experiments_of_the_readme_find_the_graph_it_says(readme):
    posterior = readme["study"].graph_posterior()
    assert posterior.sum() == pytest.approx(1)
    assert posterior.index[0] == "pressure -> defects; temperature -> pressure"


def test_every_make_target_in_the_documents_exists():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    named = {
        target
        for page in [
            ROOT / "README.md",
            ROOT / "CONTRIBUTING.md",
            ROOT / "CHANGELOG.md",
            *(ROOT / "docs").rglob("*.md"),
        ]
        for target in re.findall(r"(?:`|^)make ([a-z]+)", page.read_text("utf-8"), flags=re.MULTILINE)
    }
    assert named >= {"demo", "test"}
    assert named <= targets


def test_every_local_link_leads_somewhere():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, link) for page in pages for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    ]
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_the_changelog_knows_the_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] in (ROOT / "CHANGELOG.md").read_text("utf-8")
