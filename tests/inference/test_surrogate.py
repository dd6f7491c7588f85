"""f_I given D: the textbook formula, replicates, and what moves when P(G | D) does."""

import numpy as np
import pytest

from ceopt.inference import surrogate
from ceopt.inference.causal_kernel import beside
from ceopt.inference.effects import Effects
from ceopt.inference.settings import Mechanisms
from ceopt.inference.surrogate import Held, gather, kernel_of, make

W, OTHER = np.array([0.7, 0.3]), np.array([0.2, 0.8])
THETA = np.log([0.4, 0.3, 0.2, 0.15])


def effects_at(x):
    """Two keys' moments, smooth in x (s, 2)."""
    E = np.stack([np.sin(3 * x[:, 0]) + x[:, 1], x[:, 0] - x[:, 1] ** 2])
    F = np.stack([0.05 + 0.1 * x[:, 0], 0.02 + 0.2 * x[:, 1]])
    return Effects(np.arange(2), E, F, np.full_like(E, 0.3))


@pytest.fixture
def rows(rng):
    x = np.repeat(rng.uniform(size=(5, 2)), [1, 3, 2, 1, 4], axis=0)
    return x, rng.normal(size=len(x))


def made(rows, w=W, **settings):
    told = gather(*rows, lambda x: x)
    return make(told, effects_at(told.x), w, Held(THETA, W), Mechanisms(**settings))


@pytest.mark.parametrize("coupling", ["covariance", "product"])
@pytest.mark.parametrize("band", ["knowledge", "total"])
def test_the_posterior_is_the_textbook_formula_on_every_single_row(band, coupling, rows, rng):
    x, y = rows
    new = rng.uniform(size=(6, 2))
    everything = np.concatenate([new, x])
    effects = effects_at(everything)
    functions = W @ effects.F + (W @ effects.N if band == "total" else 0)
    between = np.einsum("g,gi,gj->ij", W, effects.E, effects.E) - np.outer(W @ effects.E, W @ effects.E)
    distance = ((everything[:, None] - everything) / np.exp(THETA[1:3])) ** 2
    r, s = np.exp(-0.5 * distance.sum(axis=-1)), np.sqrt(functions)
    k = (np.exp(THETA[0]) + np.outer(s, s)) * r + between
    if coupling == "product":
        s = np.sqrt(functions + np.diag(between))
        k = np.exp(THETA[0]) * r + np.outer(s, s)
    m, s2 = W @ effects.E, surrogate.NOISE_FLOOR + np.exp(THETA[-1])
    A = k[:6, 6:] @ np.linalg.inv(k[6:, 6:] + s2 * np.eye(len(x)))
    received = made(rows, band=band, coupling=coupling).joint(new, effects_at(new))
    np.testing.assert_allclose(received.mean, m[:6] + A @ (y - m[6:]), atol=1e-9)
    np.testing.assert_allclose(received.covariance, k[:6, :6] - A @ k[6:, :6], atol=1e-9)


def test_marginals_are_those_of_the_joint(rows, rng):
    new = rng.uniform(size=(4, 2))
    f = made(rows)
    one_by_one, together = f.marginals(new, effects_at(new)), f.joint(new, effects_at(new))
    np.testing.assert_allclose(one_by_one.mean, together.mean)
    np.testing.assert_allclose(one_by_one.sd**2, np.diag(together.covariance), atol=1e-10)


def test_another_graph_posterior_moves_the_mean_only_and_linearly(rows, rng):
    new = rng.uniform(size=(4, 2))
    before, after = made(rows), surrogate.reweighted(made(rows), OTHER)
    expected = made(rows, w=OTHER)
    for part in (0, 1):
        np.testing.assert_allclose(
            after.joint(new, effects_at(new))[part], expected.joint(new, effects_at(new))[part], atol=1e-10
        )
    # METHOD: the posterior mean is B w + constant, B[g] = E_g(new) - A E_g(told)
    at, told = (
        beside(x, e, W, Mechanisms()) for x, e in ((new, effects_at(new)), (before.told.x, before.effects))
    )
    K_sX = kernel_of(2).matrix(THETA[:-1], at, told)
    A = K_sX @ np.linalg.inv(before.given.L @ before.given.L.T)
    B = effects_at(new).E - before.effects.E @ A.T
    shift = after.joint(new, effects_at(new)).mean - before.joint(new, effects_at(new)).mean
    np.testing.assert_allclose(shift, (OTHER - W) @ B, atol=1e-9)


def test_gathering_keeps_count_mean_and_spread(rows):
    x, y = rows
    told = gather(x, y, lambda levels: 2 * levels)
    assert told.N.sum() == len(y)
    for level, place, mean, N, SS in zip(*told, strict=True):
        mine = y[(x == level).all(axis=1)]
        assert (place == 2 * level).all()
        assert (N, mean, SS) == pytest.approx((len(mine), mine.mean(), ((mine - mine.mean()) ** 2).sum()))


def test_without_outcomes_the_prior_is_all_there_is():
    told = gather(np.empty((0, 2)), np.empty(0), lambda x: x)
    effects, new = effects_at(told.x), np.array([[0.3, 0.6]])
    held = surrogate.fitted(told, effects, W, 0.5, Mechanisms())
    assert np.exp(held.theta[-1]) == pytest.approx(0.5)
    f, m = make(told, effects, W, held, Mechanisms()), effects_at(new).moments(W)
    received = f.joint(new, effects_at(new))
    assert received.mean == pytest.approx(W @ effects_at(new).E)
    assert received.covariance[0, 0] == pytest.approx(surrogate.VARIANCE + m.functions[0] + m.graphs[0])


def test_noise_is_inferred_from_replicates(rng):
    x = np.repeat(rng.uniform(size=(8, 2)), 30, axis=0)
    y = effects_at(x).E.T @ W + 0.2 * rng.normal(size=len(x))
    told = gather(x, y, lambda x: x)
    held = surrogate.fitted(told, effects_at(told.x), W, 1.0, Mechanisms())
    assert np.exp(held.theta[-1]) == pytest.approx(0.04, rel=0.25)
