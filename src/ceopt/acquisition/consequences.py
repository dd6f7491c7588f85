r"""What one experiment is likely to change: the outcome, the recommendation, the doubt about each edge.

    improvement = min over sets and points of E[f_I | D] - E_fantasy[the same given D and the fantasy]  >= 0

is what a decision gains by it, before anything is paid: the knowledge gradient.  The doubt about an edge is
the entropy of its presence; what is settled of it is the expected drop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import entr

from ceopt.acquisition.candidates import candidates, without
from ceopt.acquisition.information_gain import after_fantasies, fantasies_of_y, taught
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.scene import Choices, Scene, scene
from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief
from ceopt.inference.threads import one_blas_thread
from ceopt.maths.gp import Floats

POINTS = 60  # a set, among which the recommendation is looked for
FANTASIES = 64


class Settled(NamedTuple):
    """An edge: the probability that it is there, and which share of that doubt is expected to go."""

    cause: str
    effect: str
    probability: float
    share: float


class Consequences(NamedTuple):
    """Of one experiment, standardised: the mean of its samples, its sd, and see the module."""

    mean: float
    sd: float
    improvement: float
    edges: tuple[Settled, ...]


def consequences(belief: Belief, do: Intervention, seed: tuple[int, ...], samples: int = 1) -> Consequences:
    """What doing it, with so many samples, is likely to bring."""
    problem, here = belief.problem, np.array([do.levels])
    i = problem.sets.index(do.targets)
    points = [candidates(belief, targets, POINTS) for targets in problem.sets]
    points[i] = np.vstack([here, without(points[i], here)])
    stage = scene(belief, points, Noise(seed, 2, FANTASIES, samples), Choices())
    with one_blas_thread():
        look, place = stage.looks[i], np.array([0])
        y = fantasies_of_y(stage, i, place)
        log_w = taught(stage, i, place, y)
        moved = after_fantasies(stage, i, place, y, log_w)
    now = min(float(one.mu[0]) for one in stage.now)
    after = np.min([one.mu for one in moved], axis=0).mean()
    sd = float(np.hypot(look.sd[0], np.sqrt(look.s2 / samples)))
    return Consequences(
        float(look.mean[0]), sd, max(now - float(after), 0.0), _edges(stage, np.exp(log_w[0]))
    )


def _edges(stage: Scene, after: Floats) -> tuple[Settled, ...]:
    """Every edge that is in doubt, the most settled first; P(G | D, fantasy) is (L, G)."""
    likely = stage.likely
    graphs: list[Graph] = [stage.belief.problem.graphs.graphs[g] for g in likely.places]
    edges = sorted(set[tuple[str, str]]().union(*(g.edges for g in graphs)))
    if not edges:
        return ()
    has = np.array([[edge in g.edges for edge in edges] for g in graphs], dtype=np.float64).reshape(
        -1, len(edges)
    )
    p = np.exp(likely.log_w) @ has
    doubt, left = _doubt(p), _doubt(after @ has).mean(axis=0)
    share = np.where(doubt > 0, 1 - left / np.maximum(doubt, 1e-300), 0.0)
    order = np.argsort(left - doubt, kind="stable")
    return tuple(
        Settled(cause, effect, float(p[e]), float(share[e]))
        for e, (cause, effect) in ((e, edges[e]) for e in order)
        if doubt[e] > left[e]
    )


def _doubt(p: Floats) -> Floats:
    """Entropy of something that is there with probability p."""
    p = np.clip(p, 0.0, 1.0)
    return np.asarray(entr(p) + entr(1 - p))
