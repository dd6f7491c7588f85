"""Where to look: the levels of a set at which effects are drawn and experiments compared."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from ceopt.domain.problem import Problem
from ceopt.domain.variable import Domain
from ceopt.inference.belief import Belief
from ceopt.inference.learnt import Targets
from ceopt.inference.scaling import unit_box
from ceopt.maths.gp import Floats
from ceopt.maths.quasi import lattice

MOST_CORNERS = 4  # one corner of the domain for so many points, at most
TOLD = 6  # likewise for levels that were told


def spread(problem: Problem, targets: Targets, count: int) -> Floats:
    """About `count` allowed levels (S, d) that fill the domain: corners, then a lattice; all if they are few.

    >>> from ceopt.problems import synthetic
    >>> spread(synthetic().problem, ("X",), 3).tolist()
    [[-5.0], [0.0], [5.0]]
    """
    domains = [problem.domain(v) for v in targets]
    few = prod(len(one.levels) if one.levels is not None else count + 1 for one in domains) <= count
    if few or len(domains) == 1:
        return np.array(list(product(*(one.grid(count) for one in domains))))
    ends = np.array(list(product((0.0, 1.0), repeat=len(domains)))) if 2 ** len(domains) <= count else None
    corners = np.zeros((0, len(domains))) if ends is None or len(ends) * MOST_CORNERS > count else ends
    unit = np.vstack([corners, lattice(count - len(corners), len(domains))])
    return np.unique(allowed(domains, unit), axis=0)


def allowed(domains: list[Domain], unit: Floats) -> Floats:
    """Places in the unit cube (S, d) as levels, each the nearest that is allowed."""
    columns = [one.low + (one.high - one.low) * x for one, x in zip(domains, unit.T, strict=True)]
    return np.stack([nearest(one, x) for one, x in zip(domains, columns, strict=True)], axis=1)


def nearest(domain: Domain, x: Floats) -> Floats:
    """The allowed level nearest to each x."""
    if domain.levels is None:
        return np.clip(x, domain.low, domain.high)
    levels = np.array(domain.levels)
    return np.asarray(levels[np.abs(x[:, None] - levels).argmin(axis=1)])


def candidates(belief: Belief, targets: Targets, count: int) -> Floats:
    """`spread`, and the told levels that look best, (S, d)."""
    problem, told = belief.problem, belief.surrogates[targets].told
    base = spread(problem, targets, count)
    inside = [
        all(problem.domain(v).contains(x) for v, x in zip(targets, level, strict=True))
        for level in told.levels.tolist()
    ]
    levels = told.levels[np.array(inside, dtype=np.bool_)]
    if len(levels) > count // TOLD:
        levels = levels[np.argsort(belief.marginals(targets, levels).mean, kind="stable")[: count // TOLD]]
    return np.vstack([base, without(levels, base)])


def without(levels: Floats, known: Floats) -> Floats:
    """The levels (S, d) that are not among the known ones."""
    seen = set(map(tuple, known.tolist()))
    return levels[np.array([tuple(x) not in seen for x in levels.tolist()], dtype=np.bool_)]


def around(problem: Problem, targets: Targets, centre: Floats, radius: float, count: int) -> Floats:
    """`count` allowed levels within `radius` of a level (d,), in widths of the domain, or fewer."""
    domains = [problem.domain(v) for v in targets]
    middle = unit_box(problem, targets, centre[None])
    shift = radius * (2 * lattice(count, len(targets)) - 1)
    return np.unique(allowed(domains, middle + shift), axis=0)
