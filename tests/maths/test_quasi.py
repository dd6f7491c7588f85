"""Point sets fill the cube evenly and come again."""

import numpy as np
import pytest

from ceopt.maths.quasi import lattice, sobol


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_a_lattice_fills_the_cube_better_than_chance(dimension):
    points = lattice(256, dimension)
    assert points.shape == (256, dimension)
    assert ((points >= 0) & (points < 1)).all()
    for x in points.T:  # 16 points are expected in each sixteenth
        assert np.histogram(x, 16, (0, 1))[0].min() >= 12


def test_sobol_points_are_stratified_and_inside():
    points = sobol(64, 3, np.random.default_rng(3))
    assert ((points > 0) & (points < 1)).all()
    for x in points.T:
        assert np.histogram(x, 64, (0, 1))[0].tolist() == [1] * 64


def test_sobol_points_follow_their_generator():
    a, b, c = (sobol(8, 2, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (a == b).all()
    assert (a != c).any()
