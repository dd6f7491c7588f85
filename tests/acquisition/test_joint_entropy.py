"""The joint entropy is a sum of two terms, on tables small enough to work out by hand."""

import numpy as np
import pytest

from ceopt.acquisition import joint_entropy
from ceopt.acquisition.hypothetical import VALUES, Table
from ceopt.acquisition.moves import Moved
from ceopt.acquisition.scene import Choices
from ceopt.maths import kde

LOG_W = np.log([[0.5, 0.5], [0.9, 0.1]])
SOFTMAX, DRAWS = Choices(weights="softmax"), Choices(weights="draws")


def entropy(*p):
    return -sum(one * np.log(one) for one in p if one)


def moved(rng, shift=0.0):
    """A set after b = 2 fantasies, J = 40 draws, places of K = 4 among 3 points."""
    return Moved(
        rng.normal(size=(2, 40)) + shift,
        rng.integers(0, 3, size=(2, 4)),
        rng.normal(size=2),
        rng.uniform(size=2),
    )


def flat(says):
    """A table in which any best value says the same of the graphs."""
    T = np.broadcast_to(np.log(says), (3, len(VALUES), 2, 2))
    return Table(T, np.zeros(3), np.ones(3))


def test_of_graph_is_the_entropy_of_the_graph_alone():
    optimum, graph = joint_entropy.of_graph(LOG_W)
    assert optimum.tolist() == [0, 0]
    np.testing.assert_allclose(graph, [entropy(0.5, 0.5), entropy(0.9, 0.1)])


@pytest.mark.parametrize("choices", [SOFTMAX, DRAWS])
def test_of_value_is_the_entropy_of_the_best_value_alone(choices, rng):
    sets = [moved(rng), moved(rng, 0.3)]
    optimum, graph = joint_entropy.of_value(sets, choices)
    assert graph.tolist() == [0, 0]
    Y = np.stack([one.Y for one in sets], axis=1)
    for b in range(2):
        if choices.weights == "draws":
            expected = kde.entropies(Y[b].min(axis=0)[None], np.ones((1, 40)))
        else:
            q = np.exp([0.1 * one.sd[b] - one.mu[b] for one in sets])
            expected = kde.entropies(Y[b].reshape(1, 80), np.repeat(q, 40)[None])
        assert optimum[b] == pytest.approx(expected[0], abs=1e-10)


@pytest.mark.parametrize("choices", [SOFTMAX, DRAWS])
def test_of_both_is_the_sum_of_the_best_values_and_of_the_graphs_given_it(choices, rng):
    sets = [moved(rng), moved(rng, 0.3)]
    found = joint_entropy.of_both(sets, LOG_W, [flat([0.3, 0.6])] * 2, 4, choices)
    np.testing.assert_allclose(found.optimum, joint_entropy.of_value(sets, choices).optimum, atol=1e-12)
    expected = [entropy(1 / 3, 2 / 3), entropy(27 / 33, 6 / 33)]  # whatever the weights: they sum to one
    np.testing.assert_allclose(found.graph, expected, atol=1e-12)
    np.testing.assert_allclose(found.joint, found.optimum + found.graph)


def test_each_set_has_its_table_and_its_weight():
    sets = [
        moved(np.random.default_rng(i))._replace(mu=np.full(2, m), sd=np.zeros(2))
        for i, m in enumerate((0, 1))
    ]
    q = 1 / (1 + np.exp(-1))
    tables = [flat([1.0, 1.0]), flat([1.0, 1e-200])]  # the second would settle the graph
    found = joint_entropy.of_both(sets, LOG_W, tables, 4, SOFTMAX)
    np.testing.assert_allclose(found.graph, [q * entropy(0.5, 0.5), q * entropy(0.9, 0.1)], atol=1e-10)


def test_the_first_draws_are_asked_with_their_own_values(rng):
    T = np.zeros((3, len(VALUES), 2, 2))
    T[:, 0, :, 1] = -500.0  # a very low value would settle the graph
    one = moved(rng)._replace(Y=np.where(np.arange(40) < 3, VALUES[0], VALUES[-1]) * np.ones((2, 1)))
    found = joint_entropy.of_both([one], LOG_W, [Table(T, np.zeros(3), np.ones(3))], 4, SOFTMAX)
    np.testing.assert_allclose(found.graph, [0.25 * entropy(0.5, 0.5), 0.25 * entropy(0.9, 0.1)], atol=1e-10)


def test_by_draws_only_the_winning_sets_table_is_asked():
    first, second = (moved(np.random.default_rng(i)) for i in range(2))
    second = second._replace(Y=first.Y + np.where(np.arange(40) % 4 == 0, -1.0, 1.0))
    tables = [flat([1.0, 1.0]), flat([1.0, 1e-200])]
    found = joint_entropy.of_both([first, second], LOG_W, tables, 4, DRAWS)
    np.testing.assert_allclose(found.graph, [0.75 * entropy(0.5, 0.5), 0.75 * entropy(0.9, 0.1)], atol=1e-10)


def test_beta_favours_the_set_in_doubt(rng):
    sets = [moved(rng)._replace(mu=np.zeros(2), sd=np.array([0.0, 2.0])) for _ in range(2)]
    sets[1] = sets[1]._replace(sd=np.array([3.0, 2.0]))
    q = joint_entropy.best_value(sets, Choices(beta=0.5, weights="softmax")).q
    np.testing.assert_allclose(q[0], [1 / (1 + np.exp(1.5)), np.exp(1.5) / (1 + np.exp(1.5))])
    np.testing.assert_allclose(q[1], [0.5, 0.5])
