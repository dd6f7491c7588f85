"""Moves: a fantasy changes draws and moments as telling its rows would."""

from dataclasses import replace

import numpy as np
import pytest

from ceopt.acquisition import moves
from ceopt.acquisition.moves import Error, Fantasies
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.outlook import outlooks
from ceopt.domain.intervention import Intervention
from ceopt.inference.scaling import unit_box
from tests.acquisition.worlds import alone, chain, imagined, levels_of, likely

PLACE = 3  # of the fantasy; 0 is a level that was told twice
FAR = 50.0  # lifts every other point out of the way


def looks_of(belief, draws=8):
    points = levels_of(belief)
    normals = Noise((4,), draws, 1).normals(len(points), len(points[0]))
    return outlooks(belief, likely(belief), points, normals.z), normals.errors


def each_point(look, move):
    """What `move(look, lift)` gives at each single point: Y (S, L, J), mu (S, L), sd (S, L)."""
    found = []
    for t in range(len(look.mean)):
        lift = FAR * (np.arange(len(look.mean)) != t)
        moved = move(replace(look, mean=look.mean + lift, F=look.F + lift[:, None]), lift)
        assert (moved.p == t).all()
        found.append((moved.Y, moved.mu, moved.sd))
    return tuple(np.stack(part) for part in zip(*found, strict=True))


def each_of_its_own(look, fantasies, error):
    s, ybar, dw = fantasies
    return each_point(look, lambda one, lift: moves.own(one, Fantasies(s, ybar + lift[s], dw), error, 4))


def each_of_another(look, dw):
    return each_point(look, lambda one, _: moves.other(one, dw, 4))


def fantasy(belief, look, y, s=PLACE, g=0):
    """The belief after it, and what it said of the graphs, (1, G)."""
    after = imagined(belief, Intervention(look.targets, tuple(look.levels[s])), y, g)
    return after, (after.graphs.probabilities - belief.graphs.probabilities)[None]


@pytest.mark.parametrize("i", range(3))
@pytest.mark.parametrize("s", [0, PLACE])
@pytest.mark.parametrize("y", [[-1.3], [0.4, -0.8, 0.1]], ids=["one sample", "three samples"])
def test_the_moments_of_every_set_are_those_after_telling_the_rows(i, s, y):
    belief, y = chain(), np.array(y)
    looks, eps = looks_of(belief)
    after, dw = fantasy(belief, looks[i], y, s)
    assert np.abs(dw).max() > 1e-3
    error = Error(looks[i].s2 / len(y), eps)
    for j, look in enumerate(looks):
        if i == j:
            _, mu, sd = each_of_its_own(look, Fantasies(s, y.mean(keepdims=True), dw), error)
        else:
            _, mu, sd = each_of_another(look, dw)
        expected = after.marginals(look.targets, look.levels)
        np.testing.assert_allclose(mu[:, 0], expected.mean, atol=1e-8)
        np.testing.assert_allclose(sd.reshape(len(mu)), expected.sd, atol=1e-7)


def test_with_one_graph_the_rank_one_update_is_all():
    belief = alone()
    looks, eps = looks_of(belief)
    ybar, look = np.array([-2.0, 0.0, 0.7]), looks[0]
    _, mu, sd = each_of_its_own(look, Fantasies(PLACE, ybar, None), Error(look.s2, eps))
    for l, y in enumerate(ybar):
        after, _ = fantasy(belief, look, y[None])
        expected = after.marginals(look.targets, look.levels)
        np.testing.assert_allclose(mu[:, l], expected.mean, atol=1e-8)
        np.testing.assert_allclose(sd[:, l], expected.sd, atol=1e-7)


@pytest.mark.parametrize("i", [0, 2])
def test_moved_draws_have_the_law_after_telling_the_rows(i):
    belief, y = chain(), np.array([-0.9, -0.2])
    looks, eps = looks_of(belief, draws=8192)
    after, dw = fantasy(belief, looks[i], y)
    error = Error(looks[i].s2 / 2, np.sqrt(looks[i].s2 / 2) * eps)
    for j in (i, 1):
        look, own = looks[j], Fantasies(PLACE, y.mean(keepdims=True), dw)
        F, *_ = each_of_its_own(look, own, error) if i == j else each_of_another(look, dw)
        place = unit_box(belief.problem, look.targets, look.levels)
        joint = after.surrogates[look.targets].joint(place, after.effects(look.targets, look.levels))
        np.testing.assert_allclose(F[:, 0].mean(axis=1), joint.mean, atol=5e-3)
        np.testing.assert_allclose(np.cov(F[:, 0]), joint.covariance, atol=8e-3)


def test_an_update_is_that_of_matheron_draw_by_draw():
    looks, eps = looks_of(chain())
    look, s, y, K = looks[2], PLACE, np.array([-0.4, 1.1]), 5
    dw = np.array([[0.1, -0.2, 0.05, 0.05], [-0.3, 0.1, 0.1, 0.1]])
    error = Error(look.s2 / 2, np.sqrt(look.s2 / 2) * eps)
    h = look.C[:, s] / (look.C[s, s] + look.s2 / 2)
    received = moves.own(look, Fantasies(s, y, dw), error, K)
    for l in range(2):
        shift = dw[l] @ look.BG
        F = look.F + np.outer(h, y[l] - look.F[s] - error.eps) + (shift - shift[s] * h)[:, None]
        mean = look.mean + h * (y[l] - look.mean[s]) + shift - shift[s] * h
        np.testing.assert_allclose(received.Y[l], F.min(axis=0), atol=1e-12)
        np.testing.assert_array_equal(received.p[l], F[:, :K].argmin(axis=0))
        best = mean.argmin()
        assert received.mu[l] == pytest.approx(mean[best])
        assert received.sd[l] == pytest.approx(np.sqrt(look.C[best, best] - h[best] * look.C[best, s]))


def test_other_sets_shift_as_a_whole():
    looks, _ = looks_of(chain())
    look, dw = looks[1], np.array([[0.2, -0.1, -0.05, -0.05], [0.0, 0.0, 0.0, 0.0]])
    received = moves.other(look, dw, 3)
    F = look.F + (dw[0] @ look.BG)[:, None]
    np.testing.assert_allclose(received.Y[0], F.min(axis=0), atol=1e-12)
    np.testing.assert_array_equal(received.p[0], F[:, :3].argmin(axis=0))
    for moved, stood in zip(received, moves.still(look, 3), strict=True):
        np.testing.assert_array_equal(moved[1], stood[0])


def test_what_stands_still_is_described_as_it_is():
    look = looks_of(chain())[0][2]
    Y, p, mu, sd = moves.still(look, 3)
    assert Y.shape == (1, 8) and p.shape == (1, 3)
    for j in range(8):
        assert Y[0, j] == min(look.F[:, j])
    assert all(look.F[p[0, k], k] == Y[0, k] for k in range(3))
    assert mu[0] == min(look.mean)
    assert sd[0] == look.sd[list(look.mean).index(mu[0])]


def test_an_outcome_without_error_is_believed():
    look = looks_of(alone())[0][0]
    fantasies = Fantasies(PLACE, np.array([0.3]), None)
    Y, mu, sd = each_of_its_own(look, fantasies, Error(0.0, np.zeros(8)))
    np.testing.assert_allclose(Y[PLACE], 0.3, atol=1e-10)
    assert (mu[PLACE, 0], sd[PLACE, 0]) == pytest.approx((0.3, 0.0), abs=1e-7)
