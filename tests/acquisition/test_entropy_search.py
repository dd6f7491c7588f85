"""When the graph counts as known: by entropy and experience, whichever graph it is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceopt.acquisition.entropy_search import graph_is_known
from tests.acquisition.worlds import chain
from tests.strategies import law

DIFFERENT = 4  # of the five interventions told, one was done twice
WEIGHTS = st.lists(st.floats(1e-6, 1), min_size=4, max_size=4)


def weighing(P):
    return replace(chain(), graphs=chain().graphs.reweighted(np.log(P)))


@law
@given(WEIGHTS, st.permutations(range(4)), st.floats(0, 2), st.integers(0, 8))
def test_it_is_judged_on_the_entropy_and_the_number_of_different_interventions_only(
    weights, order, entropy, least
):
    P = np.array(weights) / sum(weights)
    expected = -(P * np.log(P)).sum() < entropy and least <= DIFFERENT
    assert graph_is_known(weighing(P), entropy, least) == expected
    assert graph_is_known(weighing(P[order]), entropy, least) == expected


@pytest.mark.parametrize("g", range(4))
def test_any_graph_may_be_the_known_one(g):
    P = np.full(4, 1e-9)
    P[g] = 1.0
    assert graph_is_known(weighing(P), 0.01, DIFFERENT)
    assert not graph_is_known(weighing(P), 0.01, DIFFERENT + 1)
    assert not graph_is_known(replace(weighing(P), data=chain(outcomes=False).data), 0.01, 1)
