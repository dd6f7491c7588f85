"""From gains to a proposal."""

import numpy as np
import pytest

from ceopt.acquisition.gain import Gain
from ceopt.methods import compare
from tests.methods.worlds import study_of


class Known:
    """A score that is known everywhere: so much at the level of each set, before its cost."""

    def __init__(self, **heights):
        self.heights = heights

    def __call__(self, belief, points, at):
        gains = []
        for targets, x, s in zip(belief.problem.sets, points, at, strict=True):
            height = self.heights["".join(targets)]
            gains.append(Gain(height * np.exp(-np.abs(x[s] - 0.5).sum(axis=1)), np.zeros(len(s))))
        return tuple(gains)

    def coarse(self):
        return self


@pytest.fixture(scope="module")
def belief():
    return study_of().belief


def test_the_largest_gain_for_its_cost_wins_and_other_sets_follow(belief):
    found = compare.most_informative([belief], Known(X=3.0, Z=2.0, XZ=5.0), 60)
    assert found.intervention.targets == ("X",)
    assert found.intervention.levels == (pytest.approx(0.5, abs=0.05),)
    assert found.worth == pytest.approx(3.0, rel=0.05)
    assert [one.intervention.targets for one in found.runners_up] == [("X", "Z"), ("Z",)]
    assert found.worth >= found.runners_up[0].worth >= found.runners_up[1].worth
    assert found.runners_up[0].worth <= 2.5


@pytest.mark.parametrize(
    ("propose", "unit"), [(compare.most_informative, "nats"), (compare.most_improving, "sd of the target")]
)
def test_the_unit_is_said(belief, propose, unit):
    assert propose([belief], Known(X=1.0, Z=2.0, XZ=0.0), 12).unit == unit


@pytest.mark.parametrize("height", [0.0, -1.0, np.nan, np.inf])
def test_where_nothing_is_gained_it_spreads_out_and_says_so(belief, height):
    found = compare.most_informative([belief], Known(X=height, Z=height, XZ=height), 12)
    reason = "no experiment promises any gain, so this one is far from those done"
    assert found == compare.spread_out([belief], reason)
    assert (found.unit, found.worth, found.reason) == ("", 0.0, reason)


def test_gains_are_averaged_over_worlds(belief):
    class Turns(Known):
        def __init__(self):
            super().__init__()
            self.turn = 0

        def __call__(self, belief, points, at):
            self.turn += 1
            self.heights = {"X": 4.0, "Z": 3.0, "XZ": 0.0} if self.turn % 2 else {"X": 0, "Z": 3.0, "XZ": 0}
            return super().__call__(belief, points, at)

    assert compare.most_improving([belief, belief], Turns(), 12).intervention.targets == ("Z",)
