r"""Early warnings: signs that what is believed cannot be trusted.

Given all rows before it, a node's value in a told row is normal under its mechanism; whitened, such values
are the last entries of the vector a of ceopt.maths.gp.  Under a true graph their squares add up to a
chi-square:

    p(g) = P(chi2_m > sum of a_j^2 over the nodes of g that have parents and were not set)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

from ceopt.domain.graph import Pair
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief
from ceopt.inference.local_scores import LocalScore, MechanismScore
from ceopt.maths.gp import Floats

REFUTED = 1e-4  # a graph under which the told rows are less likely to be so surprising
IDLE = 0.05  # a variable less likely than this to be a cause of the target
BEYOND = 0.1  # of the range seen: how far outside it counts as extrapolation


class Surprise(NamedTuple):
    """Sum of squares of a pair's whitened values, and their number."""

    squares: float
    values: int


def surprise(score: LocalScore) -> Surprise:
    """Of the rows told, under one mechanism; a node without parents says nothing here."""
    if not isinstance(score, MechanismScore):
        return Surprise(0.0, 0)
    a = score.given.a[len(score.mechanism.X) :]
    return Surprise(float(a @ a), len(a))


def plausibility(belief: Belief) -> Floats:
    """p(g) of each graph, (G,); 1 where nothing was told."""
    graphs = belief.problem.graphs
    each: dict[Pair, Surprise] = {pair: surprise(belief.evidence.scores[pair]) for pair in graphs.pairs}
    table = np.array([each[pair] for pair in graphs.pairs])[graphs.pair_index].sum(axis=1)
    return np.where(table[:, 1] > 0, chi2.sf(table[:, 0], np.maximum(table[:, 1], 1)), 1.0)


def refuted(belief: Belief) -> bool:
    """Whether the told rows would be very surprising under every graph stated."""
    return bool(plausibility(belief).max() < REFUTED)


def reaching(belief: Belief) -> dict[str, float]:
    """P(v is a cause of the target, near or far), for each manipulable variable."""
    target, graphs = belief.problem.target, belief.graphs
    causes = [g.ancestors(target) for g in graphs.graphs]
    return {
        v: float(sum(p for p, of in zip(graphs.probabilities, causes, strict=True) if v in of))
        for v in belief.problem.manipulable
    }


def extrapolated(belief: Belief, do: Intervention) -> tuple[str, ...]:
    """The variables set far outside what was observed, at levels far from any told of the same set."""
    seen = belief.data.observations
    found = []
    for v, level in do.do.items():
        x = seen[:, belief.data.column(v)]
        tried = [one.do[v] for one in belief.data.interventions if one.targets == do.targets]
        both = np.r_[x, tried]
        slack = BEYOND * float(np.ptp(x))
        if level < both.min() - slack or level > both.max() + slack:
            found.append(v)
    return tuple(found)
