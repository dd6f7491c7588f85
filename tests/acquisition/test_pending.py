"""Open experiments: worlds in which they were told, which on average believe what is believed now."""

import numpy as np
import pytest
from scipy.special import ndtri

from ceopt.acquisition import pending
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.pending import PENDING_NOISE, WORLDS, Open, outcomes, worlds
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import imagine
from tests.acquisition.worlds import alone, chain, levels_of, row_of

SEED = (9,)
BY_A, BY_B = Intervention.of({"A": 1.3}), Intervention.of({"B": -0.4})
GRAPHS_OF_WORLDS = (0, 0, 1, 2)  # at .125, .375, .625 and .875 of .4, .3, .2, .1


def test_where_nothing_is_open_there_is_one_world():
    belief = chain()
    assert worlds(belief, [], SEED) == (belief,)


def test_an_experiment_on_a_set_that_is_not_explored_is_left_out():
    belief = chain()
    strange = Open(Intervention.of({"S": 1.0}))
    assert worlds(belief, [strange], SEED) == (belief,)
    both = worlds(belief, [strange, Open(BY_A)], SEED)
    assert [len(one.data.outcomes) for one in both] == [len(belief.data.outcomes) + 1] * WORLDS


@pytest.mark.parametrize("N", [1, 3])
def test_each_world_was_told_rows_of_one_likely_graph(N):
    belief = chain()
    found = worlds(belief, [Open(BY_A, N), Open(BY_B)], SEED)
    assert len(found) == WORLDS
    for r, (world, g) in enumerate(zip(found, GRAPHS_OF_WORLDS, strict=True)):
        graph, so_far = belief.problem.graphs.graphs[g], belief
        for k, (do, n) in enumerate([(BY_A, N), (BY_B, 1)]):
            u = Noise(SEED, 1, WORLDS).uniforms(5 * n, WORLDS, PENDING_NOISE + k)[r].reshape(5, n)
            values = row_of(so_far, do, graph, outcomes(so_far, do, u[0]), u[1:])
            so_far = imagine(so_far, [do] * n, values)
        assert world.data.interventions == so_far.data.interventions
        np.testing.assert_allclose(world.data.outcomes, so_far.data.outcomes, atol=1e-9)
        np.testing.assert_allclose(world.graphs.log_weights, so_far.graphs.log_weights, atol=1e-7)


@pytest.mark.parametrize("N", [1, 4])
def test_outcomes_of_an_experiment_share_its_effect(N, rng):
    belief, u = chain(), rng.uniform(size=N)
    f, s2, z = belief.marginals(("A",), np.array([[1.3]])), belief.surrogates[("A",)].s2, ndtri(u)
    y = outcomes(belief, BY_A, u)
    assert y.shape == (N,)
    assert y.mean() == pytest.approx(f.mean[0] + np.sqrt(s2 + N * f.sd[0] ** 2) * z.mean())
    np.testing.assert_allclose(y - y.mean(), np.sqrt(s2) * (z - z.mean()), atol=1e-12)


def moments(believed, i=0):
    points = levels_of(alone())[i]
    found = [one.marginals(alone().problem.sets[i], points) for one in believed]
    return np.stack([f.mean for f in found]), np.stack([f.sd for f in found])


@pytest.mark.parametrize("N", [1, 3])
def test_over_worlds_means_stay_and_variance_is_total(N, monkeypatch):
    monkeypatch.setattr(pending, "WORLDS", 64)
    do = Intervention(("A",), tuple(levels_of(alone())[0][3]))
    mean, sd = moments(worlds(alone(), [Open(do, N)], SEED))
    (now,), (doubt,) = moments([alone()])
    np.testing.assert_allclose(mean.mean(axis=0), now, atol=0.01)
    np.testing.assert_allclose((sd**2).mean(axis=0) + mean.var(axis=0), doubt**2, rtol=0.05)
    s2 = alone().surrogates[("A",)].s2 / N
    np.testing.assert_allclose(sd[:, 3], np.sqrt(doubt[3] ** 2 * s2 / (doubt[3] ** 2 + s2)), atol=1e-9)
    assert (sd <= doubt + 1e-12).all()


def test_with_graphs_in_doubt_worlds_still_know_more_about_the_open_point():
    do = Intervention(("A",), tuple(levels_of(chain())[0][3]))
    before = chain().marginals(("A",), np.array([do.levels])).sd[0]
    for world in worlds(chain(), [Open(do)], SEED):
        assert world.marginals(("A",), np.array([do.levels])).sd[0] < 0.99 * before


def test_the_same_seed_gives_the_same_worlds_and_another_seed_others():
    one, again, other = (worlds(chain(), [Open(BY_A)], seed) for seed in (SEED, SEED, (10,)))
    for a, b, c in zip(one, again, other, strict=True):
        assert a.data.outcomes.tobytes() == b.data.outcomes.tobytes()
        assert (a.data.outcomes[-1, [1, 3]] != c.data.outcomes[-1, [1, 3]]).all()
