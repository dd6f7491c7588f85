"""What N more rows will be: the density is what telling them adds to the score, and draws have that law."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import multivariate_normal, qmc

from ceopt.inference import local_scores
from ceopt.inference.local_scores import Rows
from ceopt.inference.mechanisms import learn
from ceopt.inference.predictive import expected, log_density, simulated
from ceopt.inference.settings import Mechanisms
from tests.inference.linear import KERNEL

COLUMNS = {"A": 0, "B": 1, "Y": 2}
PAIRS = {"root": ("Y", ()), "one parent": ("Y", ("A",)), "two parents": ("Y", ("A", "B"))}
S, Q = 3, 2


def score_of(name, kernel=None):
    """Given 15 observations and two rows told."""
    eps = np.random.default_rng(8).normal(size=(3, 17))
    A, B = eps[0], 0.5 * eps[0] + eps[1]
    values = np.column_stack([A, B, np.sin(A) - 0.4 * B + 0.5 * eps[2]])
    box = np.array([[-3.0] * 3, [3.0] * 3])
    settings = Mechanisms(restarts=2, draws=2, kernel=kernel)
    score = local_scores.start(learn(PAIRS[name], values[:15], COLUMNS, box, settings))
    return local_scores.see(PAIRS[name], score, Rows(COLUMNS, values[15:], np.zeros((2, 3), dtype=bool)))


def parents(name, rng, N):
    return rng.normal(size=(S, Q, N, len(PAIRS[name][1])))


@pytest.mark.parametrize("N", [1, 4])
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("kernel", [None, KERNEL], ids=["curved", "linear"])
def test_the_log_density_of_rows_is_what_telling_them_adds_to_the_score(name, N, kernel, rng):
    score, P, v = score_of(name, kernel), parents(name, rng, N), rng.normal(size=(S, Q, N))
    received = log_density(score, P, v)
    assert received.shape == (S, Q)
    for s, q in np.ndindex(S, Q):
        assert received[s, q] == pytest.approx(score.see(P[s, q], v[s, q]).gained - score.gained, abs=1e-8)


@pytest.mark.parametrize("N", [1, 2, 5])
@pytest.mark.parametrize("name", ["one parent", "two parents"])
def test_parents_that_rows_share_are_as_good_as_repeated(name, N, rng):
    score, P, v = score_of(name), parents(name, rng, 1), rng.normal(size=(S, Q, N))
    expected_value = log_density(score, np.repeat(P, N, axis=2), v)
    np.testing.assert_allclose(log_density(score, P, v), expected_value, atol=1e-8)
    one_for_all = log_density(score, P[:, :1], v)
    np.testing.assert_allclose(one_for_all[:, 0], expected_value[:, 0], atol=1e-8)
    np.testing.assert_allclose(
        one_for_all[:, 1], log_density(score, np.repeat(P[:, :1], N, axis=2), v[:, 1:])[:, 0], atol=1e-8
    )


@pytest.mark.parametrize("name", ["one parent", "two parents"])
def test_the_law_is_the_posterior_of_the_mechanism(name, rng):
    score, N = score_of(name), 3
    P = parents(name, rng, N)
    f, (m, C, s2) = score.mechanism, expected(score, P)
    v = rng.normal(size=(S, Q, N))
    for s, q in np.ndindex(S, Q):
        K = f.kernel.matrix(f.theta, np.vstack([score.X, P[s, q]]), np.vstack([score.X, P[s, q]]))
        A = K[17:, :17] @ np.linalg.inv(K[:17, :17] + f.s2 * np.eye(17))
        seen = score.given.L @ score.given.a
        np.testing.assert_allclose(m[s, q], A @ seen, atol=1e-7)
        np.testing.assert_allclose(C[s, q], K[17:, 17:] - A @ K[:17, 17:], atol=1e-7)
        law = multivariate_normal(m[s, q], C[s, q] + s2 * np.eye(N))
        assert log_density(score, P, v)[s, q] == pytest.approx(law.logpdf(v[s, q]), abs=1e-7)
    assert s2 == f.s2


def uniforms(N, count=4096):
    return np.clip(qmc.Sobol(N, rng=np.random.default_rng(0)).random(count), 1e-9, 1 - 1e-9)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("N", [1, 3])
def test_simulated_rows_have_that_mean_and_covariance(N, shared, rng):
    score, P = score_of("two parents"), parents("two parents", rng, 1 if shared else N)[:, :1]
    v = simulated(score, P if shared or N == 1 else np.repeat(P, 4096, axis=1), uniforms(N))
    m, C, s2 = expected(score, P if not shared else np.repeat(P, N, axis=2))
    assert v.shape == (S, 4096, N)
    for s in range(S):
        np.testing.assert_allclose(v[s].mean(axis=0), m[s, 0], atol=2e-3)
        covariance = np.atleast_2d(np.cov(v[s].T))
        np.testing.assert_allclose(covariance, C[s, 0] + s2 * np.eye(N), atol=1e-2)


def test_one_simulated_row_is_the_quantile_of_its_law(rng):
    score, P, u = score_of("one parent"), parents("one parent", rng, 1), rng.uniform(size=(Q, 1))
    m, C, s2 = expected(score, P)
    np.testing.assert_allclose(simulated(score, P, u), m + np.sqrt(C[..., 0] + s2) * ndtri(u), atol=1e-12)


def test_a_root_repeats_the_values_seen_each_as_often():
    score = score_of("root")
    received = simulated(score, np.zeros((1, 1, 1, 0)), (np.arange(34).reshape(2, 17) + 0.5) / 34)
    assert received.shape == (1, 2, 17)
    assert np.sort(received.ravel()).tolist() == np.sort(np.repeat(score.values, 2)).tolist()
    assert len(score.values) == 17  # those told are among them
