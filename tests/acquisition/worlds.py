"""Small worlds of which all is known: beliefs with a chosen P(G | D), and what rows do to them."""

from functools import cache

import numpy as np

from ceopt.acquisition.likely import Likely
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices, scene
from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.graphs.text import parse_graph
from ceopt.inference.belief import imagine, infer
from ceopt.inference.learnt import learn
from ceopt.inference.predictive import simulated
from ceopt.inference.settings import Mechanisms

SETTINGS = Mechanisms(restarts=2, draws=4, points=8)
CHAIN = (
    "A -> B; B -> Y; Y -> S",
    "A -> B; A -> Y; Y -> S",
    "A -> B; B -> Y; B -> S",
    "B -> A; A -> Y; Y -> S",
)
P_CHAIN = (0.4, 0.3, 0.2, 0.1)
DOMAINS = {"A": (-2, 2), "B": (-2, 2)}
TOLD = (
    {"A": 1.0, "B": 0.4, "S": 0.6, "Y": -0.7},
    {"A": -1.5, "B": -0.9, "S": 0.3, "Y": 0.4},
    {"A": 0.2, "B": 0.5, "S": 0.1, "Y": -0.2},
    {"A": 1.0, "B": 0.8, "S": 0.2, "Y": -0.5},
    {"A": 0.5, "B": -1.0, "S": -0.6, "Y": 0.9},
)
SET = ("A", "A", "B", "A", "AB")  # what was set in each of these rows


def question(texts, weights=None, **more):
    graphs = WeightedGraphs.of([parse_graph(text) for text in texts], weights)
    return Problem(**{"target": "Y", "direction": "minimize", "domains": DOMAINS, "graphs": graphs} | more)


def told():
    """Interventions on A, B and both, one level of A twice, and their outcomes (q, V)."""
    dos = [Intervention.of({v: row[v] for v in names}) for row, names in zip(TOLD, SET, strict=True)]
    return dos, np.array([[row[v] for v in sorted(row)] for row in TOLD])


def observed(n=14, outcomes=True):
    """A -> B -> Y -> S, curved, and perhaps what was told."""
    A, B, Y, S = np.random.default_rng(3).normal(size=(4, n))
    B = 0.7 * A + 0.6 * B
    Y = np.sin(B) - 0.2 * A + 0.5 * Y
    data = Dataset(tuple("ABSY"), np.column_stack([A, B, 0.8 * Y + 0.6 * S, Y]), np.empty((0, 4)), ())
    return data.with_rows(*told()) if outcomes else data


def believed(texts, P, data, held=None, settings=SETTINGS, **more):
    """The belief whose P(G | D) is P: the prior makes up for what the data say."""
    flat = question(texts, **more)
    first = infer(flat, data, learn(flat, data, settings))
    problem = question(texts, np.exp(np.log(P) - first.graphs.log_weights), **more)
    return infer(problem, data, learn(problem, data, settings), held)


@cache
def chain(direction="minimize", outcomes=True):
    """Four graphs of four variables; S is an effect of Y in three of them."""
    return believed(CHAIN, P_CHAIN, observed(outcomes=outcomes), direction=direction)


@cache
def alone(outcomes=True):
    """The first of these graphs, and no other."""
    return believed(CHAIN[:1], (1.0,), observed(outcomes=outcomes))


def levels_of(belief, count=7):
    """Points (S, d) of each set; the first are told ones."""
    rng = np.random.default_rng(5)
    found = []
    for targets in belief.problem.sets:
        first = belief.surrogates[targets].told.levels[:2]
        found.append(np.vstack([first, rng.uniform(-2, 2, size=(count - len(first), len(targets)))]))
    return found


def stage(belief, points=None, noise=None, weights="softmax", **choices):
    """A scene, small unless more is asked for."""
    noise = noise or Noise((7,), 64, 8)
    return scene(belief, points or levels_of(belief), noise, Choices(weights=weights, **choices))


def row_of(belief, do, graph, y, u):
    """Standardised rows (N, V) of one graph, node by node: y where it is given, u (V, N) for the rest."""
    variables, scale = belief.problem.variables, belief.learnt.scale
    N, values = u.shape[1], {}
    for v, level in do.do.items():
        values[v] = scale.levels((v,), np.array([[level]]))[0]
    if y is not None:
        values["Y"] = y
    for v in graph.order:
        if v not in values:
            parents = graph.parents(v)
            causes = np.broadcast_arrays(*(values[p] for p in parents))  # (1,) each where all were set
            P = np.stack(causes, axis=-1) if parents else np.zeros((N, 0))
            noise = u[variables.index(v)][None]
            values[v] = simulated(belief.evidence.scores[v, parents], P[None, None], noise)[0, 0]
    return np.column_stack([np.broadcast_to(values[v], N) for v in variables])


def imagined(belief, do, y, g=0):
    """The belief after rows under `do` whose outcomes are y (N,), the rest from one of the graphs."""
    u = np.random.default_rng(17).uniform(0.05, 0.95, size=(len(belief.problem.variables), len(y)))
    values = row_of(belief, do, belief.problem.graphs.graphs[g], y, u)
    return imagine(belief, [do] * len(y), values)


def likely(belief):
    return Likely.of(belief)
