"""Evenly spread points of the unit cube: deterministic lattices, and randomised Sobol points."""

import numpy as np
from numpy.random import Generator
from scipy.stats import qmc

from ceopt.maths.gp import Floats


def lattice(count: int, dimension: int) -> Floats:
    """The first points of the additive recurrence on the generalised golden ratio, (count, dimension).

    With phi the positive root of x^(d+1) = x + 1, point i is (1/2 + i / phi^j) mod 1, j = 1..d.
    """
    phi = 2.0
    for _ in range(60):
        phi = (1 + phi) ** (1 / (dimension + 1))
    steps = phi ** -np.arange(1.0, dimension + 1)
    return np.asarray((0.5 + np.arange(1, count + 1)[:, None] * steps) % 1.0)


def sobol(count: int, dimension: int, rng: Generator) -> Floats:
    """`count` (a power of 2) scrambled Sobol points strictly inside the cube, (count, dimension)."""
    points = qmc.Sobol(dimension, scramble=True, rng=rng).random(count)
    return np.clip(points, 1e-9, 1 - 1e-9)
