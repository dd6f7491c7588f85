r"""What to do for good: the best posterior mean, never the luckiest outcome  [eq_objective].

    (X_I*, x_I*) = arg min over sets and levels of E[f_I(x) | D],

and how sure that is: P(X_I = X*), the share of joint draws of all f_I in which a set holds the best value.
Of what is as good to within next to nothing, the cheaper is taken.

======  ==========  ====================================================
symbol  shape       meaning
======  ==========  ====================================================
F       (S, J)      joint draws of one f_I at its points
Y       (I, J)      the least value of each draw, set by set
======  ==========  ====================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ceopt.acquisition.candidates import around, candidates, without
from ceopt.acquisition.likely import Likely
from ceopt.acquisition.noise import Noise
from ceopt.acquisition.outlook import outlook
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief
from ceopt.inference.learnt import Targets
from ceopt.inference.nested import without_superfluous
from ceopt.inference.threads import one_blas_thread
from ceopt.maths.gp import Floats

POINTS = 60  # a set, compared first
ROUNDS, BEST, NEAR = 3, 2, 6  # refinements, the points refined, and levels near each for each variable
PROMISING = 2.0  # standard deviations from the best mean within which a set is refined
DRAWS = 1024
HAIR = 1e-6  # standard deviations of Y
NEXT_TO_NOTHING = 0.01  # likewise: what a costlier set must gain to be recommended


class Candidate(NamedTuple):
    """The best level of a set: mean and standard deviation of f_I there, standardised."""

    intervention: Intervention
    mean: float
    sd: float


class Answer(NamedTuple):
    """The best of all, the best of each set with its chance of being best, and the chance of beating E[Y]."""

    best: Candidate
    each: tuple[Candidate, ...]
    shares: Floats  # P(X_I = X*), (I,)
    better: float


def recommend(belief: Belief, seed: tuple[int, ...]) -> Answer:
    """The answer, of the sets that bring something of their own; the seed is that of the joint draws."""
    belief = without_superfluous(belief)
    sets = belief.problem.sets
    with one_blas_thread():
        points = [candidates(belief, targets, POINTS) for targets in sets]
        least = min(float(belief.marginals(t, x).mean.min()) for t, x in zip(sets, points, strict=True))
        points = [_refined(belief, t, x, least) for t, x in zip(sets, points, strict=True)]
        each = tuple(_best(belief, t, x) for t, x in zip(sets, points, strict=True))
        return Answer(
            _cheapest(belief, each), each, _shares(belief, points, each, seed), _better(belief, each)
        )


def doing_nothing(belief: Belief) -> tuple[float, float]:
    """E[Y] when nothing is set, standardised, and its standard error: from the observations alone."""
    j = belief.data.column(belief.problem.target)
    y = belief.learnt.scale.rows(belief.data.observations)[:, j]
    return float(y.mean()), float(y.std(ddof=1) / np.sqrt(len(y))) if len(y) > 1 else float("inf")


def _refined(belief: Belief, targets: Targets, points: Floats, least: float) -> Floats:
    """More points near the best, closer and closer, if the set may hold the best value."""
    radius = len(points) ** (-1 / len(targets))
    for _ in range(ROUNDS):
        found = belief.marginals(targets, points)
        if (found.mean - PROMISING * found.sd).min() > least:
            return points
        for s in np.argsort(found.mean, kind="stable")[:BEST]:
            near = around(belief.problem, targets, points[s], radius, NEAR * len(targets))
            points = np.vstack([points, without(near, points)])
        radius /= NEAR / 2
    return points


def _best(belief: Belief, targets: Targets, points: Floats) -> Candidate:
    found = belief.marginals(targets, points)
    s = int(found.mean.argmin())
    return Candidate(
        Intervention(targets, tuple(points[s].tolist())), float(found.mean[s]), float(found.sd[s])
    )


def _cheapest(belief: Belief, each: Sequence[Candidate]) -> Candidate:
    """The least mean; of several that differ by next to nothing, the cheapest, then the least."""
    least = min(one.mean for one in each)
    level = [one for one in each if one.mean <= least + NEXT_TO_NOTHING]
    return min(level, key=lambda one: (belief.problem.price(one.intervention), one.mean))


def _shares(
    belief: Belief, points: Sequence[Floats], each: Sequence[Candidate], seed: tuple[int, ...]
) -> Floats:
    """P(X_I = X*), (I,); a tie goes to the set whose best level is cheaper."""
    likely, sets = Likely.of(belief), belief.problem.sets
    z = Noise(seed, DRAWS, 1).normals(len(sets), max(map(len, points))).z
    looks = (outlook(belief, likely, t, x, normals) for t, x, normals in zip(sets, points, z, strict=True))
    Y = np.stack([look.F.min(axis=0) for look in looks])
    cheap_first = np.argsort([belief.problem.price(one.intervention) for one in each], kind="stable")
    as_good = Y[cheap_first] <= Y.min(axis=0) + HAIR
    holder = cheap_first[as_good.argmax(axis=0)]
    return np.bincount(holder, minlength=len(sets)) / DRAWS


def _better(belief: Belief, each: Sequence[Candidate]) -> float:
    """P(f_I*(x_I*) < E[Y])."""
    best = _cheapest(belief, each)
    mean, error = doing_nothing(belief)
    spread = np.hypot(best.sd, error)
    return float(ndtr((mean - best.mean) / spread)) if spread > 0 else float(best.mean < mean)
