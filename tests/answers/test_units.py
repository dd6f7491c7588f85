"""From the standardised, oriented target to the target as measured."""

import numpy as np
import pytest
from scipy.special import ndtri

from ceopt.answers.units import INTERVAL, Interval, Target
from tests.methods.worlds import mirrored, seen

Y = seen()["Y"]


@pytest.fixture(scope="module")
def targets():
    down, up = mirrored("random")
    return Target(down.belief), Target(up.belief)


def test_an_interval_holds_90_percent_of_a_normal():
    assert pytest.approx(ndtri(0.95)) == INTERVAL


def test_the_mean_of_the_data_is_0_and_their_spread_is_1(targets):
    minimised, maximised = targets
    assert minimised.value(0.0) == pytest.approx(Y.mean())
    assert maximised.value(0.0) == pytest.approx(-Y.mean())
    assert minimised.value(1.0) == pytest.approx(Y.mean() + Y.std(ddof=0))
    assert maximised.value(1.0) == pytest.approx(-Y.mean() - Y.std(ddof=0))


def test_an_amount_has_no_sign_and_no_centre(targets):
    for target in targets:
        assert target.amount(2.0) == pytest.approx(2 * Y.std(ddof=0))
        np.testing.assert_allclose(target.sd(np.array([0.0, 2.0])), [0.0, 2 * Y.std(ddof=0)])


def test_an_interval_runs_upwards_whatever_the_direction(targets):
    for target in targets:
        found = target.interval(0.3, 0.5)
        half = INTERVAL * target.amount(0.5)
        assert found == pytest.approx((target.value(0.3) - half, target.value(0.3) + half))
        assert found.lower < found.upper


def test_many_means_are_turned_as_one_is(targets):
    for target in targets:
        each = [target.value(x) for x in (-1.0, 0.2)]
        np.testing.assert_array_equal(target.mean(np.array([-1.0, 0.2])), each)


def test_an_interval_reads_well():
    assert str(Interval(1.0, 2.345678)) == "1 to 2.346"
