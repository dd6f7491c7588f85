"""Likely graphs: the probable ones, renormalised; and graphs drawn evenly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.acquisition import likely as module
from ceopt.acquisition.likely import UNLIKELY, Likely, stratified
from tests.acquisition.worlds import CHAIN, P_CHAIN, believed, chain, observed
from tests.strategies import law


def test_when_all_matter_they_are_all_there_in_their_order():
    found = Likely.of(chain())
    assert found.places.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(np.exp(found.log_w), P_CHAIN, atol=1e-9)


def test_graphs_a_million_times_less_probable_than_the_first_are_left_out():
    found = Likely.of(believed(CHAIN, (0.8 * UNLIKELY / 2, 0.2, 0.8, 0.8 * UNLIKELY * 2), observed()))
    assert found.places.tolist() == [1, 2, 3]
    assert np.exp(found.log_w).sum() == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(np.exp(found.log_w), [0.2, 0.8, 1.6e-6], rtol=1e-5)


def test_of_too_many_the_most_probable_are_kept(monkeypatch):
    monkeypatch.setattr(module, "MOST_GRAPHS", 2)
    found = Likely.of(believed(CHAIN, (0.1, 0.4, 0.2, 0.3), observed()))
    assert found.places.tolist() == [1, 3]
    np.testing.assert_allclose(np.exp(found.log_w), [4 / 7, 3 / 7])


@law
@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=6), st.integers(1, 64))
def test_evenly_spread_uniforms_give_each_graph_its_share(weights, n):
    P = np.array(weights) / sum(weights)
    chosen = stratified(np.log(P), (np.arange(n) + 0.5) / n)
    assert (np.diff(chosen) >= 0).all()
    np.testing.assert_array_less(np.abs(np.bincount(chosen, minlength=len(P)) - n * P), 1 + 1e-6)


def test_the_graph_is_the_first_whose_cumulated_probability_reaches_u():
    u = np.array([0.0, 0.19, 0.21, 0.49, 0.51, 1.0])
    assert stratified(np.log([0.2, 0.3, 0.5]), u).tolist() == [0, 0, 1, 1, 2, 2]
    assert stratified(np.log([0.5, 0.5]), np.array([0.5])).tolist() == [0]
