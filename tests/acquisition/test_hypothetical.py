"""P(G | y*): entropies, and a table of what hypothetical rows would say."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ceopt.acquisition import hypothetical
from ceopt.acquisition.hypothetical import VALUES, Table, entropy, table
from ceopt.acquisition.likely import stratified
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import imagine
from tests.acquisition.worlds import chain, likely, row_of, stage
from tests.strategies import law

LOGS = arrays(float, (3, 4), elements=st.floats(-30, 30))


@law
@given(LOGS, st.floats(-1e4, 1e4))
def test_entropy_is_that_of_the_softmax_and_a_shift_changes_nothing(a, shift):
    p = np.exp(a) / np.exp(a).sum(axis=1, keepdims=True)
    expected = -(p * np.log(p)).sum(axis=1)
    np.testing.assert_allclose(entropy(a), expected, atol=1e-9)
    np.testing.assert_allclose(entropy(a + shift), expected, atol=1e-9)


def test_entropy_at_its_ends():
    np.testing.assert_allclose(entropy(np.zeros((2, 8))), np.log(8))
    assert entropy(np.array([[0.0, -1e5, -1e5]]))[0] == 0.0
    assert entropy(np.zeros((3, 1))).tolist() == [0, 0, 0]


@pytest.fixture
def tabulated(rng):
    S, R, M, G = 4, len(VALUES), 2, 3
    one = Table(rng.normal(size=(S, R, M, G)), rng.normal(size=S), rng.uniform(0.5, 2, size=S))
    b, K = 3, 6
    log_w = np.log(rng.dirichlet(np.ones(G), size=b))
    return one, log_w, rng.integers(0, S, size=(b, K)), rng.uniform(size=(b, K)), rng


def summed(one, log_w, p, weights, T_of):
    """sum_k weights_k H[P(G | y*_k)], draw by draw; `T_of(s, m, b, k)` is what the row says of the graphs."""
    found = []
    for b in range(len(p)):
        total = 0.0
        for k in range(p.shape[1]):
            P = np.exp(log_w[b] + T_of(p[b, k], k % one.T.shape[2], b, k))
            P /= P.sum()
            total -= weights[b, k] * (P * np.log(P)).sum()
        found.append(total)
    return found


def test_at_tabulated_values_the_table_is_looked_up(tabulated):
    one, log_w, p, weights, rng = tabulated
    r = rng.integers(0, len(VALUES), size=p.shape)
    received = one.expected_entropy(log_w, p, one.mean[p] + VALUES[r] * one.sd[p], weights)
    expected = summed(one, log_w, p, weights, lambda s, m, b, k: one.T[s, r[b, k], m])
    np.testing.assert_allclose(received, expected, atol=1e-10)


@pytest.mark.parametrize(
    ("z", "low", "high", "share"),
    [(-3.25, 0, 1, 0.5), (-0.3125, 2, 3, 0.75), (0.3, 3, 4, 0.2), (-9.0, 0, 0, 0.0), (7.0, 4, 4, 0.0)],
)
def test_between_tabulated_values_it_is_interpolated_and_beyond_them_held(tabulated, z, low, high, share):
    one, log_w, p, weights, _ = tabulated
    received = one.expected_entropy(log_w, p, one.mean[p] + z * one.sd[p], weights)
    between = (1 - share) * one.T[:, low] + share * one.T[:, high]
    expected = summed(one, log_w, p, weights, lambda s, m, b, k: between[s, m])
    np.testing.assert_allclose(received, expected, atol=1e-10)


@pytest.mark.parametrize("at_once", [1, 20, 40])
def test_how_many_are_worked_out_at_once_does_not_matter(tabulated, at_once, monkeypatch):
    one, log_w, p, weights, rng = tabulated
    y = rng.normal(size=p.shape)
    expected = one.expected_entropy(log_w, p, y, weights)
    monkeypatch.setattr(hypothetical, "AT_ONCE", at_once)
    np.testing.assert_allclose(one.expected_entropy(log_w, p, y, weights), expected, atol=1e-13)


@pytest.mark.parametrize("i", range(3))
def test_a_table_holds_what_telling_the_best_value_would_do_to_the_graphs(i, rng):
    belief = chain()
    scene = stage(belief)
    look, rows, M = scene.looks[i], scene.rows[i], 2
    u = rng.uniform(size=(2 + 4, M, 1))
    u[1, :, 0] = 0.2, 0.75  # two graphs
    found = table(look, rows, u)
    np.testing.assert_allclose(found.mean, look.mean)
    np.testing.assert_allclose(found.sd, look.sd)
    assert found.T.shape == (7, len(VALUES), M, 4)
    chosen = stratified(likely(belief).log_w, u[1, :, 0])
    for s, r, m in [(0, 0, 0), (2, 1, 1), (5, 4, 0), (6, 2, 1)]:
        do = Intervention(look.targets, tuple(look.levels[s]))
        y = look.mean[s] + VALUES[r] * look.sd[s]
        values = row_of(belief, do, belief.problem.graphs.graphs[chosen[m]], np.array([y]), u[2:, m])
        gap = found.T[s, r, m] - (
            imagine(belief, [do], values).graphs.log_weights - belief.graphs.log_weights
        )
        np.testing.assert_allclose(gap, gap[0], atol=1e-7)


def test_where_the_value_is_certain_the_table_is_finite():
    scene = stage(chain())
    look, rows = scene.looks[0], scene.rows[0]
    found = table(replace(look, C=np.zeros_like(look.C)), rows, scene.uniforms(2, 1)[..., :1])
    assert np.isfinite(found.T).all()
    assert (found.sd > 0).all()
