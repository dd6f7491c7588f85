"""Which way is better: the only file that knows that maximising is minimising the negated target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ceopt.domain.dataset import Dataset
from ceopt.domain.problem import Problem


def sign(problem: Problem) -> float:
    """+1 to minimise, -1 to maximise; multiplying twice gives back the user's own target."""
    return 1.0 if problem.direction == "minimize" else -1.0


def oriented(problem: Problem, dataset: Dataset) -> Dataset:
    """The data with the target turned so that smaller is better."""
    turn = np.ones(len(dataset.variables))
    turn[dataset.column(problem.target)] = sign(problem)
    return replace(dataset, observations=dataset.observations * turn, outcomes=dataset.outcomes * turn)
