"""Outlook: the surrogate's own moments, and how they answer to P(G | D)."""

import numpy as np
import pytest

from ceopt.acquisition.noise import Noise
from ceopt.acquisition.outlook import outlook, outlooks, square_root
from ceopt.inference.scaling import unit_box
from tests.acquisition.worlds import CHAIN, believed, chain, levels_of, likely, observed

SETS = range(3)


def look_at(belief, i, draws=4):
    points = levels_of(belief)
    z = Noise((1,), draws, 1).normals(len(points), len(points[0])).z
    return outlook(belief, likely(belief), belief.problem.sets[i], points[i], z[i])


@pytest.mark.parametrize("i", SETS)
def test_mean_and_sd_are_those_of_the_surrogate(i):
    look = look_at(chain(), i)
    expected = chain().marginals(look.targets, look.levels)
    np.testing.assert_allclose(look.mean, expected.mean, atol=1e-10)
    np.testing.assert_allclose(look.sd, expected.sd, atol=1e-8)
    assert look.s2 == chain().surrogates[look.targets].s2


@pytest.mark.parametrize("i", SETS)
@pytest.mark.parametrize("P", [(0.1, 0.2, 0.3, 0.4), (0.02, 0.9, 0.03, 0.05)])
def test_the_mean_is_linear_in_the_graph_posterior(i, P):
    belief, look = chain(), look_at(chain(), i)
    other = believed(CHAIN, P, observed(), held=belief.held)
    shift = (other.graphs.probabilities - belief.graphs.probabilities) @ look.BG
    expected = other.marginals(look.targets, look.levels)
    np.testing.assert_allclose(look.mean + shift, expected.mean, atol=1e-8)
    np.testing.assert_allclose(look.sd, expected.sd, atol=1e-7)
    assert np.abs(shift).max() > 1e-3


def test_a_likely_graph_with_a_key_that_weighs_nothing_moves_nothing():
    belief = believed(CHAIN, (0.5, 6e-7, 0.5, 1e-10), observed())
    look = look_at(belief, 0)
    assert likely(belief).places.tolist() == [0, 1, 2]
    assert look.BG[1].tolist() == [0] * len(look.levels)
    np.testing.assert_array_equal(look.BG[0], look.BG[2])  # the same effect under do(A)
    assert look.BG[0].any()


@pytest.mark.parametrize("i", SETS)
def test_draws_have_the_mean_and_the_covariance_of_the_surrogate(i):
    belief, look = chain(), look_at(chain(), i, draws=4096)
    place = unit_box(belief.problem, look.targets, look.levels)
    joint = belief.surrogates[look.targets].joint(place, belief.effects(look.targets, look.levels))
    np.testing.assert_allclose(look.C, joint.covariance, atol=1e-10)
    np.testing.assert_allclose(look.F.mean(axis=1), joint.mean, atol=3e-3)
    np.testing.assert_allclose(np.cov(look.F), joint.covariance, atol=6e-3)


def test_each_set_has_its_points_and_its_own_normals():
    belief, points = chain(), levels_of(chain())
    z = Noise((1,), 16, 1).normals(3, 7).z
    found = outlooks(belief, likely(belief), points, z)
    assert tuple(look.targets for look in found) == belief.problem.sets
    for i, look in enumerate(found):
        np.testing.assert_array_equal(look.levels, points[i])
        np.testing.assert_array_equal(
            look.F, outlook(belief, likely(belief), look.targets, points[i], z[i]).F
        )


def test_a_square_root_squares_to_its_matrix_the_largest_direction_first(rng):
    A = rng.normal(size=(6, 4))
    R = square_root(A @ A.T)  # singular: two directions have no length
    np.testing.assert_allclose(R @ R.T, A @ A.T, atol=1e-12)
    lengths = np.linalg.norm(R, axis=0)
    np.testing.assert_allclose(lengths**2, np.r_[np.linalg.svd(A)[1] ** 2, 0, 0], atol=1e-9)
    assert (R.sum(axis=0) > -1e-9).all()
