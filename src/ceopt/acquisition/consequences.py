r"""What one experiment is likely to change: the outcome, the recommendation, the doubt about each edge.

    improvement = E_fantasy[m'(today's best) - min over sets and points of m']  >= 0,

m' the posterior mean after a fantasy, is what a decision gains by it, before anything is paid: the knowledge
gradient.  The doubt about an edge is
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
ROUNDING = 1e-9


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
        taught_by_y = taught(stage, i, place, y)
        moved = after_fantasies(stage, i, place, y, taught_by_y)
        log_w = taught(stage, i, place, None)  # Y by its mechanism: wide guesses of Y would overstate it
    gained = _mean_of_today_s_best(stage, i, y, taught_by_y) - np.min([one.mu for one in moved], axis=0)
    sd = float(np.hypot(look.sd[0], np.sqrt(look.s2 / samples)))
    return Consequences(
        float(look.mean[0]), sd, _worth_saying(float(gained.mean())), _edges(stage, np.exp(log_w[0]))
    )


def _mean_of_today_s_best(stage: Scene, i: int, y: Floats, log_w: Floats) -> Floats:
    """Its posterior mean after each fantasy about the first point of set i, (L,)."""
    best = int(np.argmin([look.mean.min() for look in stage.looks]))
    look = stage.looks[best]
    s = int(look.mean.argmin())
    dw = np.exp(log_w[0]) - np.exp(stage.likely.log_w)
    shift, ybar = dw @ look.BG[:, s], y[0].mean(axis=-1)
    if best != i:
        return np.asarray(look.mean[s] + shift)
    h = look.C[s, 0] / (look.C[0, 0] + stage.error(look).variance)
    return np.asarray(look.mean[s] + h * (ybar - look.mean[0]) + shift - h * (dw @ look.BG[:, 0]))


def _worth_saying(improvement: float) -> float:
    """0 where it is only rounding."""
    return improvement if improvement > ROUNDING else 0.0


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
        if doubt[e] > left[e] + ROUNDING
    )


def _doubt(p: Floats) -> Floats:
    """Entropy of something that is there with probability p."""
    p = np.clip(p, 0.0, 1.0)
    return np.asarray(entr(p) + entr(1 - p))
