"""The recommendation: the best posterior mean, how sure it is, and the cheaper of two equals."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from ceopt.acquisition import recommendation
from ceopt.acquisition.recommendation import NEXT_TO_NOTHING, doing_nothing, recommend
from ceopt.domain.dataset import Dataset
from ceopt.inference import nested
from ceopt.inference.scaling import unit_box
from tests.acquisition.worlds import CHAIN, P_CHAIN, believed, chain, observed

SEED = (2,)


def grid(belief, targets, n):
    axes = [np.linspace(*belief.problem.domains[v], n) for v in targets]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(targets))


@pytest.mark.parametrize("outcomes", [True, False])
@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_no_level_on_a_fine_grid_is_better(outcomes, direction):
    belief = chain(direction, outcomes)
    answer = recommend(belief, SEED)
    for one in answer.each:
        targets = one.intervention.targets
        size, hair = {1: (801, 2e-4), 2: (41, 5e-3)}[len(targets)]
        least = belief.marginals(targets, grid(belief, targets, size)).mean.min()
        promising = one.mean - 2 * one.sd < answer.best.mean
        assert one.mean <= least + (hair if promising else 0.1)
        assert belief.problem.inside(one.intervention)


def test_each_set_has_its_best_and_the_best_of_all_is_next_to_the_least():
    belief = chain()
    answer = recommend(belief, SEED)
    assert tuple(one.intervention.targets for one in answer.each) == belief.problem.sets
    for one in answer.each:
        f = belief.marginals(one.intervention.targets, np.array([one.intervention.levels]))
        assert (one.mean, one.sd) == pytest.approx((f.mean[0], f.sd[0]), abs=1e-9)
    least = min(one.mean for one in answer.each)
    assert answer.best in answer.each
    assert least <= answer.best.mean <= least + NEXT_TO_NOTHING


def test_the_luckiest_outcome_is_not_the_answer():
    belief = chain()
    assert recommend(belief, SEED).best.mean > belief.learnt.scale.rows(belief.data.outcomes)[:, 3].min()


def test_shares_are_those_of_joint_draws(rng):
    belief = chain()
    answer = recommend(belief, SEED)
    least = []
    for targets in belief.problem.sets:
        levels = grid(belief, targets, 41 if len(targets) == 1 else 9)
        place = unit_box(belief.problem, targets, levels)
        mean, C = belief.surrogates[targets].joint(place, belief.effects(targets, levels))
        least.append(rng.multivariate_normal(mean, C, size=2000, method="eigh").min(axis=1))
    expected = np.bincount(np.argmin(least, axis=0), minlength=3) / 2000
    assert answer.shares.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(answer.shares, expected, atol=0.06)


LISTED = {"A": [-1, 0, 1.5], "B": [-2, -0.5, 1]}


@pytest.mark.parametrize(("cheap", "dear"), [(("B",), ("A", "B")), (("A", "B"), ("B",))])
def test_of_two_that_are_as_good_the_cheaper_is_taken(cheap, dear, monkeypatch):
    monkeypatch.setattr(nested, "SURE", 1.0)

    def cost(do):
        return {cheap: 1.0, dear: 2.0, ("A",): 3.0}[tuple(sorted(do))]

    belief = believed(CHAIN[:1], (1.0,), observed(outcomes=False), domains=LISTED, cost=cost)
    answer = recommend(belief, SEED)
    first, second = (next(one for one in answer.each if one.intervention.targets == t) for t in (cheap, dear))
    assert first.mean == pytest.approx(second.mean, abs=1e-9)  # do(B) makes A idle in A -> B -> Y
    assert answer.best.intervention.targets == cheap

    same = np.linspace(-1, 1, 1024)[None]
    monkeypatch.setattr(recommendation, "outlook", lambda *_: SimpleNamespace(F=same))
    shares = dict(zip(belief.problem.sets, recommend(belief, SEED).shares, strict=True))
    assert shares == {cheap: 1.0, dear: 0.0, ("A",): 0.0}


@pytest.mark.parametrize("gap", [-1e-3, 1e-3])
def test_a_costlier_set_must_gain_more_than_next_to_nothing(gap, monkeypatch):
    first, second = sorted(recommend(chain(), SEED).each, key=lambda one: one.mean)[:2]
    monkeypatch.setattr(recommendation, "NEXT_TO_NOTHING", second.mean - first.mean + gap)
    dear = first.intervention.targets
    belief = believed(
        CHAIN, P_CHAIN, observed(), cost=lambda do: 1000.0 if tuple(sorted(do)) == dear else 1.0
    )
    expected = second if gap > 0 else first
    assert recommend(belief, SEED).best.intervention.targets == expected.intervention.targets


def test_of_several_that_cost_the_same_the_least_mean_is_taken(monkeypatch):
    monkeypatch.setattr(recommendation, "NEXT_TO_NOTHING", 1e3)
    belief = believed(CHAIN, P_CHAIN, observed(), cost=lambda do: 1.0)
    answer = recommend(belief, SEED)
    assert answer.best == min(answer.each, key=lambda one: one.mean)


def test_better_is_the_chance_of_beating_doing_nothing():
    belief = chain()
    answer = recommend(belief, SEED)
    y = belief.data.observations[:, 3]
    standard = (y - y.mean()) / y.std()
    error = standard.std(ddof=1) / np.sqrt(14)
    expected = norm.cdf(standard.mean() - answer.best.mean, scale=np.hypot(answer.best.sd, error))
    assert answer.better == pytest.approx(expected, abs=1e-9)
    assert 0.5 < answer.better < 1


def test_doing_nothing_is_the_mean_of_the_observations_and_its_standard_error():
    mean, error = doing_nothing(chain())
    assert (mean, error) == pytest.approx((0.0, 1 / np.sqrt(13)), abs=1e-9)  # standardised by themselves


def test_a_single_observation_says_nothing_about_doing_nothing():
    belief = chain()
    one = Dataset(belief.data.variables, belief.data.observations[:1], np.empty((0, 4)), ())
    assert doing_nothing(replace(belief, data=one))[1] == np.inf


@pytest.mark.parametrize("seed", [SEED, (3,)])
def test_the_seed_moves_the_shares_only(seed):
    one, other = recommend(chain(), SEED), recommend(chain(), seed)
    assert one[:2] == other[:2] and one.better == other.better
    assert (one.shares.tobytes() == other.shares.tobytes()) == (seed == SEED)
