"""Maximising is minimising the negated target, and nothing else changes."""

import numpy as np
from hypothesis import given
from numpy.testing import assert_array_equal

from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.orientation import oriented, sign
from tests.strategies import law, problems


@law
@given(problems())
def test_only_the_target_is_turned_and_only_to_maximise(problem):
    V = len(problem.variables)
    rows = np.arange(2.0 * V).reshape(2, V)
    told = np.full((1, V), np.nan)
    told[0, problem.variables.index(problem.target)] = 3.0
    data = Dataset(problem.variables, rows, told, (Intervention.of({problem.manipulable[0]: 1}),))
    turned, column = oriented(problem, data), data.column(problem.target)
    assert sign(problem) == (1 if problem.direction == "minimize" else -1)
    assert turned.outcomes[0, column] == 3 * sign(problem)
    assert_array_equal(turned.observations[:, column], rows[:, column] * sign(problem))
    others = np.delete(np.arange(V), column)
    assert_array_equal(turned.observations[:, others], rows[:, others])
    assert_array_equal(oriented(problem, turned).outcomes, data.outcomes)
