"""What the tutorial and the README say of the truth about the clinic is true."""

import importlib.util
import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
MANY = 100_000


@pytest.fixture(scope="module")
def mean():
    """The true mean PSA at some doses."""
    spec = importlib.util.spec_from_file_location("make_data", ROOT / "examples/clinic/make_data.py")
    clinic = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(clinic)
    return lambda **doses: clinic.patients(MANY, 7, **doses)["psa"].mean()


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
def test_the_true_means_are_right(page, mean):
    text = " ".join((ROOT / page).read_text("utf-8").split())
    ((nothing,),) = [re.findall(r"(?:is|known:) ([\d.]+) when nothing is done", text)]
    assert float(nothing) == pytest.approx(mean(), abs=0.01)
    ((without,),) = [re.findall(r"(?:it would be ([\d.]+)\.|([\d.]+) without aspirin\.)", text)]
    assert float("".join(without)) == pytest.approx(mean(aspirin=0.0), abs=0.01)


def test_the_recommended_doses_of_the_tutorial_are_the_best(mean):
    both = {(a, s): mean(aspirin=a, statin=s) for a, s in product(LEVELS, LEVELS)}
    alone = [mean(aspirin=x) for x in LEVELS] + [mean(statin=x) for x in LEVELS]
    assert min(both, key=both.__getitem__) == (0.0, 1.0)
    assert min(both.values()) < min(alone) - 0.3
    text = (ROOT / "docs/tutorial.md").read_text("utf-8")
    (best,) = re.findall(r"and ([\d.]+) at the recommended doses", text)
    assert float(best) == pytest.approx(both[0.0, 1.0], abs=0.01)
    assert "Set aspirin = 0, statin = 1." in text
