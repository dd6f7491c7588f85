"""The experiment farthest from all others: where to look when nothing else can be said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ceopt.acquisition.candidates import spread
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.inference.scaling import unit_box

POINTS = 40  # a set, and two more for each level tried


def space_filling(problem: Problem, done: Sequence[Intervention]) -> Intervention:
    """Of the sets tried least, the cheapest, at the level farthest from those tried."""
    tried = {targets: [do.levels for do in done if do.targets == targets] for targets in problem.sets}
    fewest = min(map(len, tried.values()))
    targets = min(
        (t for t in problem.sets if len(tried[t]) == fewest),
        key=lambda t: problem.price(middle(problem, t)),
    )
    points = spread(problem, targets, POINTS + 2 * len(tried[targets]))
    if not tried[targets]:
        return middle(problem, targets)
    x, known = (unit_box(problem, targets, np.array(levels)) for levels in (points, tried[targets]))
    distance = np.linalg.norm(x[:, None] - known, axis=2).min(axis=1)
    return Intervention(targets, tuple(points[int(distance.argmax())].tolist()))


def middle(problem: Problem, targets: tuple[str, ...]) -> Intervention:
    """The middle of the domain of a set."""
    return Intervention(targets, tuple(float(problem.domain(v).grid(1)[0]) for v in targets))
