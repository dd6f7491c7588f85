"""Units: the only file that goes from the user's numbers to standardised ones and back.

A variable is centred and scaled by its mean and standard deviation in D^O, once and for good.
"""

from typing import NamedTuple

import numpy as np

from ceopt.domain.problem import Problem
from ceopt.maths.gp import Floats


class Scale(NamedTuple):
    """Centre and width of each variable, (V,), in the order of `variables`."""

    variables: tuple[str, ...]
    centre: Floats
    width: Floats

    def rows(self, rows: Floats) -> Floats:
        """Standardised rows (., V)."""
        return (rows - self.centre) / self.width

    def rows_back(self, values: Floats) -> Floats:
        """Standardised rows (., V) in the user's units."""
        return self.centre + self.width * values

    def levels(self, targets: tuple[str, ...], levels: Floats) -> Floats:
        """Standardised levels (., d) of the variables of a set."""
        columns = [self.variables.index(v) for v in targets]
        return (levels - self.centre[columns]) / self.width[columns]

    def mean_back(self, name: str, mean: Floats) -> Floats:
        """A standardised mean in the user's unit."""
        j = self.variables.index(name)
        return np.asarray(self.centre[j] + self.width[j] * mean)

    def sd_back(self, name: str, sd: Floats) -> Floats:
        """A standardised standard deviation in the user's unit."""
        return np.asarray(self.width[self.variables.index(name)] * sd)


def scale_of(problem: Problem, variables: tuple[str, ...], observations: Floats) -> Scale:
    """Means and standard deviations of D^O; a constant column is scaled by its domain, or by its size."""
    centre, width = observations.mean(axis=0), observations.std(axis=0)
    for j, name in enumerate(variables):
        if width[j] <= 1e-12 * abs(centre[j]):
            known = problem.domains.get(name, ())
            width[j] = (max(known) - min(known)) / 2 if known else 0.0
            width[j] = width[j] or abs(centre[j]) or 1.0
    return Scale(variables, centre, width)


def unit_box(problem: Problem, targets: tuple[str, ...], levels: Floats) -> Floats:
    """Levels (., d) as places in the unit cube that spans the domain."""
    domains = [problem.domain(v) for v in targets]
    low = np.array([domain.low for domain in domains])
    span = np.array([domain.high - domain.low or 1.0 for domain in domains])
    return np.asarray((levels - low) / span)
