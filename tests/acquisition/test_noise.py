"""Noise: the right law, the same each time, and more even than chance."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import kstest

from ceopt.acquisition.noise import COMPONENTS, Noise

NOISE = Noise((3, 1), draws=256, fantasies=16)


def test_shapes_are_what_was_asked_for():
    z, errors = NOISE.normals(3, 40)
    assert z.shape == (3, 40, 256)
    assert errors.shape == (256,)
    assert NOISE.uniforms(5, 12, 9).shape == (12, 5)
    assert NOISE.uniforms(5, 1, 9).shape == (1, 5)


def test_uniforms_are_one_in_each_sixteenth():
    u = NOISE.uniforms(7, 16, 9)
    assert ((u > 0) & (u < 1)).all()
    for column in u.T:
        assert np.histogram(column, 16, (0, 1))[0].tolist() == [1] * 16


def test_the_leading_components_and_the_errors_are_stratified_and_the_others_normal():
    z, errors = NOISE.normals(2, COMPONENTS + 6)
    for one in (errors, *z[:, :COMPONENTS].reshape(-1, 256)):
        assert np.histogram(ndtr(one), 256, (0, 1))[0].max() == 1
    rest = z[:, COMPONENTS:].reshape(-1, 256)
    assert max(np.histogram(ndtr(one), 256, (0, 1))[0].max() for one in rest) > 1
    assert kstest(rest.ravel(), "norm").pvalue > 1e-3


def test_no_two_components_of_any_sets_and_no_error_are_alike():
    z, errors = NOISE.normals(3, 8)
    correlations = np.corrcoef(np.vstack([errors, z.reshape(-1, 256)])) - np.eye(25)
    assert np.abs(correlations).max() < 0.25
    assert np.abs(correlations[0]).max() < 0.15


def test_many_sets_share_the_sobol_dimensions_there_are():
    z, errors = Noise((0,), draws=8, fantasies=2).normals(300, 4)
    assert z.shape == (300, 4, 8)
    for one in (errors, *z[:, 0]):
        assert np.histogram(ndtr(one), 8, (0, 1))[0].tolist() == [1] * 8
    assert any(np.histogram(ndtr(one), 8, (0, 1))[0].max() > 1 for one in z[:, 1])  # there are no more
    assert np.isfinite(Noise((0,), draws=2, fantasies=2).normals(600, 2).z).all()


@pytest.mark.parametrize("other", [Noise((3, 2), 256, 16), Noise((4, 1), 256, 16)])
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(other):
    again = Noise((3, 1), draws=256, fantasies=16)
    assert (NOISE.normals(2, 30).z == again.normals(2, 30).z).all()
    assert (NOISE.uniforms(3, 8, 4) == again.uniforms(3, 8, 4)).all()
    assert (NOISE.normals(2, 30).z != other.normals(2, 30).z).any(axis=2).all()
    assert (NOISE.uniforms(3, 8, 4) != other.uniforms(3, 8, 4)).all()


def test_streams_are_different_numbers():
    assert (NOISE.uniforms(3, 8, 4) != NOISE.uniforms(3, 8, 5)).all()
