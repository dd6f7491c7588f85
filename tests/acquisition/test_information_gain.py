"""Information gain: closed forms, brute force on a toy, nothing where nothing can be learnt, and its dice."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import multivariate_normal, multivariate_t

from ceopt.acquisition import hypothetical, moves
from ceopt.acquisition.entropy_search import EntropySearch
from ceopt.acquisition.fantasies import Rows
from ceopt.acquisition.information_gain import after_fantasies, fantasies_of_y, information_gain, taught
from ceopt.acquisition.moves import Fantasies
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices
from ceopt.domain.dataset import Dataset
from ceopt.inference.surrogate import Held
from tests.acquisition.worlds import CHAIN, alone, believed, chain, levels_of, observed, stage

ABOUT = ("y*", "G", "y* and G")
AT = [np.arange(7), np.array([6, 2]), np.arange(0)]
CHOICES = [{"weights": w, "graph_aware": aware} for w in ("softmax", "draws") for aware in (True, False)]


def gains(belief, about, noise=None, at=AT, points=None, **choices):
    return information_gain(stage(belief, points, noise, **choices), about, at)


@cache
def toy():
    """Does A cause Y?  Two graphs, two variables, one set."""
    A, Y = np.random.default_rng(2).normal(size=(2, 12))
    data = Dataset(("A", "Y"), np.column_stack([A, 0.9 * A + 0.7 * Y]), np.empty((0, 2)), ())
    return believed(("A -> Y", "Y -> A"), (0.6, 0.4), data, domains={"A": (-2, 2)})


def binary(p):
    return -p * np.log(p) - (1 - p) * np.log(1 - p)


def mutual_information(belief, x, N, rng, draws=20_000):
    """I[G; Y_1..N under do(A = x)] and its standard error, from the two laws as they are written down."""
    root, f = belief.evidence.scores["Y", ()], belief.evidence.scores["Y", ("A",)]
    at = belief.learnt.scale.levels(("A",), np.array([[x]]))
    theta, k = f.mechanism.theta, f.mechanism.kernel.matrix
    A = k(theta, at, f.X) @ np.linalg.inv(f.given.L @ f.given.L.T)
    m, c = (A @ f.given.L @ f.given.a)[0], (k(theta, at, at) - A @ k(theta, f.X, at))[0, 0]
    linked = multivariate_normal(np.full(N, m), c + f.mechanism.s2 * np.eye(N))
    v, n = root.values, len(root.values)  # prior kappa = a = b = 1
    b = 1 + 0.5 * ((v - v.mean()) ** 2).sum() + 0.5 * n * v.mean() ** 2 / (n + 1)
    a, spread = 1 + n / 2, np.eye(N) + 1 / (n + 1)
    free = multivariate_t(np.full(N, v.sum() / (n + 1)), b / a * spread, df=2 * a)
    drops = []
    for share, y in (
        (0.6, linked.rvs(draws, random_state=rng).reshape(draws, N)),
        (0.4, rng.choice(v, size=(draws, N))),
    ):
        p = 1 / (1 + 0.4 / 0.6 * np.exp(free.logpdf(y) - linked.logpdf(y)))
        drops.append(share * (binary(0.6) - binary(np.clip(p, 1e-15, 1 - 1e-15))))
    return sum(d.mean() for d in drops), np.sqrt(sum(d.var() / draws for d in drops))


@pytest.mark.parametrize("N", [1, 3])
def test_what_is_learnt_of_the_graph_is_the_mutual_information(N, rng):
    x = np.array([[-1.9], [-0.6], [0.0], [1.5]])
    (gain,) = gains(toy(), "G", Noise((1,), 2, 1024, N), [np.arange(4)], [x])
    for s in range(4):
        expected, error = mutual_information(toy(), x[s, 0], N, rng)
        assert gain.graph[s] == pytest.approx(expected, abs=3 * error + 0.012)
    assert gain.optimum.tolist() == [0] * 4
    assert np.ptp(gain.graph) > 0.1


@pytest.mark.parametrize("world", [toy, chain])
@pytest.mark.parametrize("N", [1, 2])
def test_what_is_learnt_of_the_graph_is_not_negative_but_for_the_dice(world, N):
    belief = world()
    points = [np.array([[-1.7], [-0.2], [0.9]]).repeat(len(t), axis=1) for t in belief.problem.sets]
    at = [np.arange(3)] * len(points)
    each = np.array(
        [[g.graph for g in gains(belief, "G", Noise((seed,), 2, 8, N), at, points)] for seed in range(16)]
    )
    assert (each.mean(axis=0) + 3 * each.std(axis=0, ddof=1) / 4 >= 0).all()


@pytest.mark.parametrize("weights", ["softmax", "draws"])
@pytest.mark.parametrize("N", [1, 4])
def test_at_a_single_point_the_best_value_is_learnt_like_any_normal_value(weights, N):
    belief = believed(CHAIN[:1], (1.0,), observed(), sets=[("B",)])
    points = [np.array([[0.7]])]
    sd, f = belief.marginals(("B",), points[0]).sd[0], belief.surrogates[("B",)]
    (gain,) = gains(belief, "y*", Noise((3,), 4096, 8, N), [np.array([0])], points, weights=weights)
    assert gain.optimum[0] == pytest.approx(0.5 * np.log(1 + N * sd**2 / f.s2), abs=0.01)


@pytest.mark.parametrize("choices", CHOICES)
def test_with_one_graph_causal_entropy_search_is_max_value_entropy_search(choices):
    both, value = (gains(alone(), about, **choices) for about in ("y* and G", "y*"))
    for one, other in zip(both, value, strict=True):
        assert one.graph.tolist() == [0.0] * len(one.graph)
        np.testing.assert_allclose(one.optimum, other.optimum, atol=1e-12)


def test_the_part_about_the_best_value_is_max_value_entropy_search_unless_graphs_move_it():
    both, value = (gains(chain(), about, graph_aware=False) for about in ("y* and G", "y*"))
    aware = gains(chain(), "y* and G")
    for one, other, moved in zip(both[:2], value, aware, strict=False):
        np.testing.assert_allclose(one.optimum, other.optimum, atol=1e-12)
        assert np.abs(moved.optimum - other.optimum).max() > 1e-4


@pytest.mark.parametrize("about", ABOUT)
def test_only_what_is_asked_about_is_gained_and_the_total_is_the_sum(about):
    for gain, at in zip(gains(chain(), about), AT, strict=True):
        assert gain.optimum.shape == gain.graph.shape == (len(at),)
        assert np.isfinite(gain.total).all()
        np.testing.assert_array_equal(gain.total, gain.optimum + gain.graph)
        assert gain.optimum.any() == (about != "G" and len(at) > 0)
        assert gain.graph.any() == (about != "y*" and len(at) > 0)


@pytest.mark.parametrize("about", ABOUT)
def test_an_outcome_drowned_in_noise_tells_nothing(about):
    belief = alone()
    held = {t: Held(np.r_[f.held.theta[:-1], 25.0], f.held.w) for t, f in belief.surrogates.items()}
    deaf = believed(CHAIN[:1], (1.0,), observed(), held)
    for gain in gains(deaf, about):
        np.testing.assert_allclose(gain.total, 0.0, atol=1e-4)


def test_graphs_that_an_experiment_cannot_tell_apart_are_not_learnt():
    texts = ("B -> A; A -> Y; Y -> S", "A -> Y; Y -> S; B")
    belief = believed(texts, (0.5, 0.5), observed())
    by_A, by_B, _ = gains(belief, "G")
    np.testing.assert_allclose(by_A.graph, 0.0, atol=1e-12)
    assert (by_B.graph > 1e-4).all()


def test_next_to_nothing_is_learnt_of_a_graph_that_is_known():
    belief = believed(CHAIN, (1 - 3e-5, 1e-5, 1e-5, 1e-5), observed())
    for gain in gains(belief, "G"):
        np.testing.assert_allclose(gain.graph, 0.0, atol=1e-3)


@pytest.mark.parametrize("about", ABOUT)
def test_the_same_seed_gives_the_same_gains_to_the_last_bit(about):
    for one, other in zip(gains(chain(), about), gains(chain(), about), strict=True):
        assert one.total.tobytes() == other.total.tobytes()


@pytest.mark.parametrize("about", ABOUT)
def test_neither_chunks_nor_company_change_a_gain(about, monkeypatch):
    whole = gains(chain(), about)
    monkeypatch.setattr(hypothetical, "AT_ONCE", 1)
    fewer = gains(chain(), about, at=[np.array([4, 1]), np.arange(0), np.arange(0)])
    np.testing.assert_allclose(fewer[0].total, whole[0].total[[4, 1]], atol=1e-11)


@pytest.mark.parametrize("N", [1, 3])
def test_fantasies_of_the_target_have_the_law_of_the_surrogate(N):
    belief = chain()
    scene, places = stage(belief, noise=Noise((5,), 8, 4096, N)), np.array([3, 0])
    y, f = fantasies_of_y(scene, 2, places), belief.surrogates["A", "B"]
    law = belief.marginals(("A", "B"), scene.points[2][places])
    assert y.shape == (2, 4096, N)
    for s in range(2):
        np.testing.assert_allclose(y[s].mean(axis=0), law.mean[s], atol=0.01)
        expected = law.sd[s] ** 2 + f.s2 * np.eye(N)
        np.testing.assert_allclose(np.atleast_2d(np.cov(y[s].T)), expected, atol=0.02)


def test_what_is_taught_is_bayes_rule_on_the_rows():
    scene, places = stage(chain(), noise=Noise((5,), 8, 6, 2)), np.array([3, 0])
    y = fantasies_of_y(scene, 1, places)
    received = np.exp(taught(scene, 1, places, y))
    rows = scene.rows[1]
    ell = Rows(rows.belief, rows.likely, rows.targets, rows.x[places]).log_likelihoods(y, scene.row_noise)
    expected = chain().graphs.probabilities * np.exp(ell)
    np.testing.assert_allclose(received, expected / expected.sum(axis=-1, keepdims=True), atol=1e-10)


@pytest.mark.parametrize("aware", [True, False])
def test_after_each_fantasy_its_own_set_and_all_others_are_where_moves_puts_them(aware):
    scene, places, i = stage(chain(), noise=Noise((5,), 40, 3, 2)), np.array([3, 0]), 1
    y = fantasies_of_y(scene, i, places)
    log_w = taught(scene, i, places, y)
    received = after_fantasies(scene, i, places, y, log_w if aware else None)
    look = scene.looks[i]
    for b, (s, l) in enumerate(np.ndindex(2, 3)):
        dw = (np.exp(log_w[s, l]) - chain().graphs.probabilities)[None] if aware else None
        fantasies = Fantasies(int(places[s]), y[s, l].mean(keepdims=True), dw)
        for j, other in enumerate(scene.looks):
            if j == i:
                expected = moves.own(look, fantasies, scene.error(look), 32)
            else:
                expected = moves.other(other, dw, 32) if aware else moves.still(other, 32)
            for part, one in zip(received[j], expected, strict=True):
                np.testing.assert_allclose(part[b], one[0], atol=1e-9)


def test_the_error_of_a_mean_of_samples_shrinks_with_their_number():
    for N in (1, 4):
        scene = stage(chain(), noise=Noise((5,), 1024, 3, N))
        variance, eps = scene.error(scene.looks[0])
        assert variance == pytest.approx(scene.looks[0].s2 / N)
        assert eps.std() == pytest.approx(np.sqrt(variance), rel=1e-2)


def test_rows_have_noise_of_their_own_for_each_variable_and_sample():
    u = stage(chain(), noise=Noise((5,), 8, 256, 3)).row_noise
    assert u.shape == (6, 256, 3)
    columns = u.transpose(0, 2, 1).reshape(18, 256)
    assert np.abs(np.corrcoef(columns) - np.eye(18)).max() < 0.3
    for one in columns:
        assert np.histogram(one, 256, (0, 1))[0].tolist() == [1] * 256


def test_entropy_search_is_the_gain_on_a_scene_and_its_coarse_look_has_few_fantasies():
    noise = Noise((7,), 64, 8)
    score = EntropySearch("y* and G", noise, Choices(0.2, "softmax"))
    points = levels_of(chain())
    for one, other in zip(score(chain(), points, AT), gains(chain(), "y* and G", beta=0.2), strict=True):
        np.testing.assert_array_equal(one.total, other.total)
    coarse = score.coarse()
    assert (coarse.noise, coarse.about) == (Noise((7,), 64, 4), "y* and G")
    assert coarse.choices == Choices(0.2, "softmax", graph_aware=False)
    assert EntropySearch("G", Noise((7,), 2, 3), Choices()).coarse().noise.fantasies == 3
