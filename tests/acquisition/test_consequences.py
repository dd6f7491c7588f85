"""What one experiment is likely to change: its outcome, the recommendation, the doubt about edges."""

import numpy as np
import pytest
from scipy.special import ndtri

from ceopt.acquisition import consequences as module
from ceopt.acquisition.candidates import candidates
from ceopt.acquisition.consequences import POINTS, consequences
from ceopt.acquisition.information_gain import fantasies_of_y, taught
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import scene
from ceopt.domain.intervention import Intervention
from ceopt.inference.scaling import unit_box
from tests.acquisition.worlds import P_CHAIN, alone, believed, chain, observed

SEED = (6,)
DOS = [Intervention.of(do) for do in ({"A": -1.7}, {"A": 1.0}, {"B": 1.9}, {"A": 0.3, "B": -1.1})]


@pytest.mark.parametrize("do", DOS, ids=str)
@pytest.mark.parametrize("N", [1, 5])
def test_the_outcome_expected_is_that_of_the_surrogate(do, N):
    found = consequences(chain(), do, SEED, N)
    f, s2 = chain().marginals(do.targets, np.array([do.levels])), chain().surrogates[do.targets].s2
    assert (found.mean, found.sd) == pytest.approx((f.mean[0], np.sqrt(f.sd[0] ** 2 + s2 / N)))


def imagined_outcomes(belief, do, N, count=64):
    """The scene of the experiment alone, with its set's place, and its mean outcomes (L,)."""
    i = belief.problem.sets.index(do.targets)
    points = [np.zeros((1, len(targets))) for targets in belief.problem.sets]
    points[i] = np.array([do.levels])
    stage = scene(belief, points, Noise(SEED, 2, count, N))
    return stage, i, fantasies_of_y(stage, i, np.array([0]))


def gradient(belief, do, N, ybar):
    """What is gained at the best mean, over outcomes ybar, at held hyperparameters; one graph."""
    levels = np.vstack([[do.levels], candidates(belief, do.targets, POINTS)])
    place = unit_box(belief.problem, do.targets, levels)
    mean, C = belief.surrogates[do.targets].joint(place, belief.effects(do.targets, levels))
    rest = [t for t in belief.problem.sets if t != do.targets]
    others = min(belief.marginals(t, candidates(belief, t, POINTS)).mean.min() for t in rest)
    h = C[0] / (C[0, 0] + belief.surrogates[do.targets].s2 / N)
    after = mean + np.outer(ybar - mean[0], h)
    today_s_best = after[:, mean.argmin()] if mean.min() < others else others
    return (today_s_best - np.minimum(after.min(axis=1), others)).mean()


@pytest.mark.parametrize("do", DOS, ids=str)
@pytest.mark.parametrize("N", [1, 8])
def test_with_one_graph_the_improvement_is_what_each_imagined_outcome_gains(do, N):
    ybar = imagined_outcomes(alone(), do, N)[2][0].mean(axis=-1)
    expected = gradient(alone(), do, N, ybar)
    assert consequences(alone(), do, SEED, N).improvement == pytest.approx(expected, abs=1e-9)


def test_the_improvement_is_the_knowledge_gradient(monkeypatch):
    monkeypatch.setattr(module, "FANTASIES", 8192)
    belief, do, N = alone(), DOS[0], 8
    f, s2 = belief.marginals(do.targets, np.array([do.levels])), belief.surrogates[do.targets].s2
    ybar = f.mean + np.sqrt(f.sd**2 + s2 / N) * ndtri((np.arange(2000) + 0.5) / 2000)
    expected = gradient(belief, do, N, ybar)
    assert consequences(belief, do, SEED, N).improvement == pytest.approx(expected, rel=0.08)
    assert expected > 0.01


@pytest.mark.parametrize("do", DOS, ids=str)
def test_no_improvement_is_negative_and_no_settled_share_is_outside_0_and_1(do):
    found = consequences(chain(), do, SEED)
    assert found.improvement >= 0
    assert found.edges
    assert all(0 < one.share <= 1 and 0 < one.probability < 1 for one in found.edges)


def doubt(p):
    return -p * np.log(p) - (1 - p) * np.log(1 - p)


def test_edges_are_sorted_by_the_doubt_that_goes_and_have_their_probability():
    edges = chain().graphs.edge_probabilities()
    for do in DOS:
        found = consequences(chain(), do, SEED).edges
        gone = [one.share * doubt(one.probability) for one in found]
        assert (np.diff(gone) < 1e-12).all()
        for one in found:
            i, j = "ABSY".index(one.cause), "ABSY".index(one.effect)
            assert one.probability == pytest.approx(edges[i, j], abs=1e-6)


def test_a_share_is_the_expected_drop_of_the_entropy_of_an_edge():
    belief, do = chain(), DOS[0]
    stage, i, _ = imagined_outcomes(belief, do, 1)
    P = np.exp(taught(stage, i, np.array([0]), None))[0]
    for one in consequences(belief, do, SEED).edges:
        has = np.array([(one.cause, one.effect) in g.edges for g in belief.problem.graphs.graphs])
        left = np.mean([doubt(np.clip(p[has].sum(), 1e-15, 1 - 1e-15)) for p in P])
        assert one.share == pytest.approx(1 - left / doubt(np.array(P_CHAIN)[has].sum()), abs=1e-6)


def test_an_edge_that_is_certain_is_not_in_doubt():
    assert consequences(alone(), DOS[0], SEED).edges == ()


def test_an_edge_into_what_is_set_is_not_settled():
    belief = believed(("B -> A; A -> Y; Y -> S", "A -> Y; Y -> S; B"), (0.5, 0.5), observed())
    assert all(one.share < 1e-9 for one in consequences(belief, DOS[0], SEED).edges)
    (edge,) = consequences(belief, DOS[2], SEED).edges
    assert (edge.cause, edge.effect, edge.probability) == ("B", "A", pytest.approx(0.5))


def test_more_samples_improve_and_settle_more():
    few, many = (consequences(chain(), DOS[0], SEED, N) for N in (1, 10))
    assert many.improvement > few.improvement
    settled = {(one.cause, one.effect): one.share for one in few.edges}
    assert sum(one.share for one in many.edges) > sum(settled.values())


def test_the_same_seed_gives_the_same_consequences():
    assert consequences(chain(), DOS[1], SEED, 2) == consequences(chain(), DOS[1], SEED, 2)
    assert consequences(chain(), DOS[1], SEED).improvement != consequences(chain(), DOS[1], (7,)).improvement


def test_a_maximised_target_is_turned():
    up = consequences(chain("maximize"), DOS[0], SEED)
    f = chain("maximize").marginals(("A",), np.array([DOS[0].levels]))
    assert up.mean == pytest.approx(f.mean[0])
