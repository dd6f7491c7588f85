r"""What the surrogates say at the acquisition points, ready to be moved by a fantasy.

At the points of a set, with w = P(G | D),

    E[f_I | D] = mean = w B + constant,   B[g] = E_g(points) - A E_g(told),
    A = k_I(points, told) (k_I(told, told) + s2 / N)^-1,

so that learning w' moves the mean, and every draw, by (w' - w) B.  Draws F are
joint over the points, from quasi-random normals along the eigenvectors of C, the largest first.

======  =========  =====================================================
symbol  shape      meaning
======  =========  =====================================================
levels  (S, d)     the points, in the user's units
mean    (S,)       posterior mean of f_I, standardised
C       (S, S)     posterior covariance
BG      (G, S)     B of each likely graph: how the mean depends on P(G | D)
F       (S, J)     joint draws of f_I
s2      ()         noise variance of one sample
======  =========  =====================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ceopt.acquisition.likely import Likely
from ceopt.inference.belief import Belief
from ceopt.inference.learnt import Targets
from ceopt.inference.scaling import unit_box
from ceopt.maths.gp import Floats


@dataclass(frozen=True, eq=False)
class Outlook:
    """One set: see the module."""

    targets: Targets
    levels: Floats
    mean: Floats
    C: Floats
    BG: Floats
    F: Floats
    s2: float

    @property
    def sd(self) -> Floats:
        """Posterior standard deviation at each point, (S,)."""
        return np.sqrt(np.maximum(np.diag(self.C), 0.0))


def outlook(belief: Belief, likely: Likely, targets: Targets, levels: Floats, z: Floats) -> Outlook:
    """The outlook of one set at levels (S, d), from normals z (S or more, J)."""
    f, effects = belief.surrogates[targets], belief.effects(targets, levels)
    place = unit_box(belief.problem, targets, levels)
    joint, A = f.joint(place, effects), f.smoother(place, effects)
    told = belief.learnt.effects(targets, f.told.levels, effects.keys)
    B = effects.E - told.E @ A.T
    of = belief.learnt.keys[targets].of[likely.places]
    known = np.isin(of, effects.keys)
    BG = np.where(known[:, None], B[np.searchsorted(effects.keys, np.where(known, of, effects.keys[0]))], 0.0)
    F = joint.mean[:, None] + square_root(joint.covariance) @ z[: len(levels)]
    return Outlook(targets, levels, joint.mean, joint.covariance, BG, F, f.s2)


def outlooks(belief: Belief, likely: Likely, points: Sequence[Floats], z: Floats) -> tuple[Outlook, ...]:
    """The outlook of every set of the problem, at its points, from normals z (sets, S or more, J)."""
    of_set = zip(belief.problem.sets, points, z, strict=True)
    return tuple(outlook(belief, likely, targets, levels, normals) for targets, levels, normals in of_set)


def square_root(C: Floats) -> Floats:
    """R with R R^T = C, its columns eigenvectors of C, the largest first; signs are those of their sums."""
    values, vectors = np.linalg.eigh(C)
    vectors = vectors * np.where(vectors.sum(axis=0) < 0, -1.0, 1.0)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1])
