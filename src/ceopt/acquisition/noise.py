"""The random numbers of one suggestion: quasi-random, and the same for everything that is compared.

A sum over scrambled Sobol points is far less noisy than one over plain draws, and shared numbers cancel in
differences.  So the arg max follows what is believed, not the dice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from ceopt.maths.gp import Floats
from ceopt.maths.quasi import sobol

MOST_ROWS = 32  # an experiment of more samples is imagined as one of so many
COMPONENTS = 24  # directions of a set's covariance that get Sobol points of their own; others get plain draws
MOST_DIMENSIONS = 512


class Normals(NamedTuple):
    """Standard normals behind joint draws."""

    z: Floats  # (sets, points, J): row c of a set drives the c-th component of its covariance
    errors: Floats  # (J,): the noise of Matheron's rule, one for each draw


@dataclass(frozen=True)
class Noise:
    """`draws` joint draws of every surrogate, `fantasies` at each point, `samples` rows each, or the most."""

    seed: tuple[int, ...]
    draws: int
    fantasies: int
    samples: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", min(self.samples, MOST_ROWS))

    def normals(self, sets: int, points: int) -> Normals:
        """For that many sets with at most so many points; the first coordinates are Sobol points.

        The errors are the first coordinate of all, so that they hardly correlate with any draw: a correlation
        by chance would weigh more than what a noisy experiment tells.
        """
        own = min(points, COMPONENTS, (MOST_DIMENSIONS - 1) // sets)
        z = np.random.default_rng([*self.seed, 2]).standard_normal((sets, points, self.draws))
        quasi = ndtri(self.uniforms(1 + sets * own, self.draws, 1))
        z[:, :own] = quasi[:, 1:].T.reshape(own, sets, self.draws).transpose(1, 0, 2)
        return Normals(z, np.ascontiguousarray(quasi[:, 0]))

    def uniforms(self, dimensions: int, count: int, stream: int) -> Floats:
        """Evenly spread points of the unit cube, (count, dimensions)."""
        power = 1 << (count - 1).bit_length()
        return sobol(power, dimensions, np.random.default_rng([*self.seed, stream]))[:count]
