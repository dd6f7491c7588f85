"""Early warnings: how surprising told rows are, which graphs they refute, and what is idle or far out."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.inference import local_scores
from ceopt.inference.belief import infer, update
from ceopt.inference.checks import BEYOND, REFUTED, extrapolated, plausibility, reaching, refuted, surprise
from ceopt.inference.learnt import learn
from ceopt.inference.predictive import expected
from ceopt.inference.settings import Mechanisms

TEXTS = ("A -> B; B -> Y", "A -> B; A -> Y", "B -> Y; A", "A -> Y; B -> Y")
DOMAINS = {"A": (-3, 3), "B": (-3, 3)}
DOS = [Intervention.of({"A": 1.0}), Intervention.of({"B": -0.5}), Intervention.of({"A": -1.0})]
ROWS = np.array([[1.0, 0.5, 0.3], [0.2, -0.5, -0.9], [-1.0, -1.2, -0.4]])


@pytest.fixture(scope="module")
def belief():
    A, B, Y = np.random.default_rng(4).normal(size=(3, 20))
    B = A + 0.4 * B
    rows = np.column_stack([A, B, np.sin(B) + 0.3 * Y])
    problem = Problem(
        target="Y",
        direction="minimize",
        domains=DOMAINS,
        graphs=WeightedGraphs.of([*map(parse_graph, TEXTS)]),
    )
    data = Dataset(("A", "B", "Y"), rows, np.empty((0, 3)), ())
    return infer(problem, data, learn(problem, data, Mechanisms(restarts=2, draws=2, points=8)))


def mahalanobis(belief, pair, which):
    """Of the told rows under one mechanism, given D^O."""
    rows = belief.learnt.scale.rows(ROWS)[which]
    columns = ["ABY".index(v) for v in pair[1]]
    m, C, s2 = expected(local_scores.start(belief.learnt.mechanisms[pair]), rows[:, columns][None, None])
    r = rows[:, "ABY".index(pair[0])] - m[0, 0]
    return r @ np.linalg.solve(C[0, 0] + s2 * np.eye(len(r)), r)


@pytest.mark.parametrize(
    ("pair", "which"),
    [(("Y", ("A",)), [0, 1, 2]), (("Y", ("A", "B")), [0, 1, 2]), (("B", ("A",)), [0, 2])],
)
def test_surprise_is_the_distance_of_told_rows_from_what_was_expected(belief, pair, which):
    found = surprise(update(belief, DOS, ROWS).evidence.scores[pair])
    assert found.values == len(which)
    assert found.squares == pytest.approx(mahalanobis(belief, pair, which), rel=1e-6)


def test_a_node_without_parents_is_no_surprise(belief):
    assert surprise(update(belief, DOS, ROWS).evidence.scores["A", ()]) == (0.0, 0)


def test_plausibility_is_the_tail_of_a_chi_square_over_the_nodes_of_each_graph(belief):
    of_B, of_Y = mahalanobis(belief, ("B", ("A",)), [0, 2]), {}
    for parents in (("A",), ("B",), ("A", "B")):
        of_Y[parents] = mahalanobis(belief, ("Y", parents), [0, 1, 2])
    expected_p = [
        chi2.sf(of_Y[("B",)] + of_B, 5),
        chi2.sf(of_Y[("A",)] + of_B, 5),
        chi2.sf(of_Y[("B",)], 3),
        chi2.sf(of_Y["A", "B"], 3),
    ]
    np.testing.assert_allclose(plausibility(update(belief, DOS, ROWS)), expected_p, rtol=1e-6)


def test_where_nothing_was_told_all_is_plausible(belief):
    assert plausibility(belief).tolist() == [1.0] * 4
    assert not refuted(belief)


def test_graphs_are_refuted_when_none_of_them_expected_such_rows(belief):
    assert not refuted(update(belief, DOS, ROWS))
    strange = update(belief, DOS, ROWS + np.array([0, 0, 40]))
    assert plausibility(strange).max() < REFUTED
    assert refuted(strange)


def test_one_graph_that_expected_them_is_enough(belief):
    do, row = [Intervention.of({"B": 1.5})], np.array([[-2.0, 1.5, 1.0]])  # Y as B says
    after = update(belief, do * 6, np.repeat(row, 6, axis=0))
    p = plausibility(after)
    assert p.min() < REFUTED < p.max()
    assert not refuted(after)


def test_a_variable_reaches_the_target_through_any_path(belief):
    graphs = belief.graphs.reweighted(np.log([0.1, 0.2, 0.3, 0.4]))
    found = reaching(replace(belief, graphs=graphs))
    assert found == pytest.approx({"A": 0.1 + 0.2 + 0.4, "B": 0.1 + 0.3 + 0.4})


def test_levels_far_outside_what_was_seen_extrapolate(belief):
    A = belief.data.observations[:, 0]
    low, high, slack = A.min(), A.max(), BEYOND * np.ptp(A)
    for level, far in [(low - 0.99 * slack, ()), (low - 1.01 * slack, ("A",)), (high + 0.99 * slack, ())]:
        assert extrapolated(belief, Intervention.of({"A": level})) == far
    assert extrapolated(belief, Intervention.of({"A": high + 1.01 * slack, "B": 0.0})) == ("A",)
    assert extrapolated(belief, Intervention.of({"A": high + 1.01 * slack, "B": -99.0})) == ("A", "B")


def test_levels_told_of_the_same_set_are_no_extrapolation_any_more(belief):
    far = belief.data.observations[:, 0].max() + 5
    row = np.array([[far, 0.0, 0.0]])
    after = update(belief, [Intervention.of({"A": far})], row)
    assert extrapolated(after, Intervention.of({"A": far - 1})) == ()
    assert extrapolated(after, Intervention.of({"A": far - 1, "B": 0.0})) == ("A",)
