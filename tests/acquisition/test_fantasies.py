"""Fantasy rows: they follow a graph, and say of the graphs what telling them would."""

import numpy as np
import pytest

from ceopt.acquisition.fantasies import Rows
from ceopt.acquisition.likely import stratified
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import imagine
from tests.acquisition.worlds import CHAIN, alone, believed, chain, levels_of, likely, observed, row_of

S, Q, V = 2, 5, 4


def rows_of(belief, i, points=None):
    targets = belief.problem.sets[i]
    x = levels_of(belief)[i][:S] if points is None else points
    return Rows(belief, likely(belief), targets, belief.learnt.scale.levels(targets, x)), x


def said_of_graphs(belief, do, values):
    """Change of log P(G | D) by telling standardised rows (N, V)."""
    return imagine(belief, [do] * len(values), values).graphs.log_weights - belief.graphs.log_weights


@pytest.mark.parametrize("i", range(3))
@pytest.mark.parametrize("N", [1, 3])
@pytest.mark.parametrize("of_y", ["surrogate", "mechanism"])
def test_log_likelihoods_are_what_telling_the_rows_does_to_the_graphs(i, N, of_y, rng):
    belief = chain()
    rows, x = rows_of(belief, i)
    u = rng.uniform(size=(2 + V, Q, N))
    u[1, :, 0] = [0.95, 0.2, 0.6, 0.75, 0.45]  # a graph each, not in order, one twice
    y = rng.normal(size=(S, Q, N)) if of_y == "surrogate" else None
    received = rows.log_likelihoods(y, u)
    chosen = stratified(likely(belief).log_w, u[1, :, 0])
    assert chosen.tolist() == [3, 0, 1, 2, 1]
    for s, q in np.ndindex(S, Q):
        do, graph = Intervention(rows.targets, tuple(x[s])), belief.problem.graphs.graphs[chosen[q]]
        values = row_of(belief, do, graph, None if y is None else y[s, q], u[2:, q])
        gap = received[s, q] - said_of_graphs(belief, do, values)
        np.testing.assert_allclose(gap, gap[0], atol=1e-7)
        assert np.ptp(received[s, q]) > 1e-3


def test_the_graphs_are_the_likely_ones_in_their_order(rng):
    belief = believed(CHAIN, (1e-9, 0.3, 0.2, 0.5), observed())
    rows, x = rows_of(belief, 0)
    u, y = rng.uniform(size=(2 + V, 1, 1)), rng.normal(size=(S, 1, 1))
    received = rows.log_likelihoods(y, u)
    assert received.shape == (S, 1, 3)
    graph = belief.problem.graphs.graphs[1 + stratified(np.log([0.3, 0.2, 0.5]), u[1, :, 0])[0]]
    do = Intervention(rows.targets, tuple(x[0]))
    gap = received[0, 0] - said_of_graphs(belief, do, row_of(belief, do, graph, y[0, 0], u[2:, 0]))[1:]
    np.testing.assert_allclose(gap, gap[0], atol=1e-7)


def test_a_target_to_maximise_is_imagined_turned(rng):
    up = chain("maximize")
    rows, x = rows_of(up, 1)
    u, y = rng.uniform(size=(2 + V, 1, 1)), rng.normal(size=(S, 1, 1))
    do = Intervention(rows.targets, tuple(x[0]))
    graph = up.problem.graphs.graphs[stratified(likely(up).log_w, u[1, :, 0])[0]]
    gap = rows.log_likelihoods(y, u)[0, 0] - said_of_graphs(up, do, row_of(up, do, graph, y[0, 0], u[2:, 0]))
    np.testing.assert_allclose(gap, gap[0], atol=1e-7)


@pytest.mark.parametrize("g", range(4))
@pytest.mark.parametrize("N", [1, 3])
def test_a_whole_row_is_simulated_node_by_node(g, N, rng):
    belief = chain()
    rows, x = rows_of(belief, 0)
    graph, y, u = belief.problem.graphs.graphs[g], rng.normal(size=(S, Q, N)), rng.uniform(size=(V, Q, N))
    received = rows.whole(graph, y, u)
    assert received.shape == (S, Q, N, V)
    for s, q in np.ndindex(S, Q):
        expected = row_of(belief, Intervention(("A",), tuple(x[s])), graph, y[s, q], u[:, q])
        np.testing.assert_allclose(received[s, q], expected, atol=1e-9)


@pytest.mark.parametrize(("g", "follows"), [(0, True), (1, True), (2, False), (3, True)])
def test_effects_of_the_target_follow_the_value_imposed_and_nothing_else_does(g, follows, rng):
    belief = chain()
    rows, _ = rows_of(belief, 0)
    u = np.repeat(rng.uniform(size=(V, 1, 1)), 9, axis=1)
    y = np.broadcast_to(np.linspace(-1.5, 1.5, 9)[:, None], (S, 9, 1))
    A, B, S_, Y = np.moveaxis(rows.whole(belief.problem.graphs.graphs[g], y, u), -1, 0)
    np.testing.assert_array_equal(Y, y)
    np.testing.assert_array_equal(A, np.broadcast_to(rows.x[:, :, None], A.shape))
    assert np.ptp(B, axis=1).max() < 1e-10
    if follows:
        assert np.corrcoef(S_[0, :, 0], y[0, :, 0])[0, 1] > 0.9
    else:
        assert np.ptp(S_, axis=1).max() < 1e-10


def test_effects_of_the_target_regress_on_it_as_their_mechanism_does():
    belief = chain()
    rows, _ = rows_of(belief, 0)
    u = np.broadcast_to((np.arange(512)[:, None] + 0.5) / 512, (V, 512, 1))
    score = belief.evidence.scores["S", ("Y",)]
    for y in (-1.0, 0.5):
        whole = rows.whole(belief.problem.graphs.graphs[0], np.full((S, 512, 1), y), u)
        K = score.mechanism.kernel.matrix(score.mechanism.theta, np.array([[y]]), score.X)
        m = K @ np.linalg.solve(score.given.L @ score.given.L.T, score.given.L @ score.given.a)
        assert whole[0, :, 0, 2].mean() == pytest.approx(m[0], abs=5e-3)


@pytest.mark.parametrize(
    ("i", "disputed", "needed"), [(0, "BSY", "ABSY"), (1, "ASY", "ABSY"), (2, "SY", "ABSY")]
)
def test_only_what_graphs_explain_differently_is_worked_out(i, disputed, needed):
    rows, _ = rows_of(chain(), i)
    assert rows.disputed == frozenset(disputed)
    assert rows.needed == frozenset(needed)


def test_what_is_neither_disputed_nor_a_cause_of_it_is_not_simulated(rng):
    belief = believed(("A -> B; A -> Y; Y -> S", "A -> B; B -> Y; Y -> S"), (0.5, 0.5), observed())
    rows, _ = rows_of(belief, 0)
    assert rows.disputed == {"Y"}
    assert rows.needed == {"A", "B", "Y"}
    u = rng.uniform(size=(2 + V, Q, 1))
    other = u.copy()
    other[2 + 2] = rng.uniform(size=(Q, 1))  # S
    y = rng.normal(size=(S, Q, 1))
    assert (rows.log_likelihoods(y, u) == rows.log_likelihoods(y, other)).all()


def test_causes_of_what_was_set_are_not_needed():
    belief = believed(("B -> A; A -> Y; Y -> S", "B -> A; S -> Y"), (0.5, 0.5), observed())
    rows, _ = rows_of(belief, 0)
    assert rows.needed == {"A", "S", "Y"}


@pytest.mark.parametrize("y", [None, np.zeros((S, Q, 2))])
def test_one_graph_learns_nothing(y, rng):
    rows, _ = rows_of(alone(), 0)
    assert rows.needed == frozenset()
    assert (rows.log_likelihoods(y, rng.uniform(size=(2 + V, Q, 2))) == np.zeros((S, Q, 1))).all()


def test_graphs_that_differ_only_in_what_was_set_are_not_told_apart(rng):
    belief = believed(("B -> A; A -> Y; Y -> S", "A -> Y; Y -> S; B"), (0.5, 0.5), observed())
    rows, _ = rows_of(belief, 0)
    assert (rows.log_likelihoods(None, rng.uniform(size=(2 + V, Q, 1))) == np.zeros((S, Q, 2))).all()


def test_points_are_told_apart(rng):
    belief = chain()
    both, x = rows_of(belief, 2)
    u, y = rng.uniform(size=(2 + V, Q, 1)), rng.normal(size=(S, Q, 1))
    received = both.log_likelihoods(y, u)
    for s in range(S):
        one, _ = rows_of(belief, 2, x[s : s + 1])
        np.testing.assert_allclose(one.log_likelihoods(y[s : s + 1], u)[0], received[s], atol=1e-10)
