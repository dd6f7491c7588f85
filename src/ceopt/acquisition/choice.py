"""The best experiment: the largest gain for each unit of cost, over all sets and the whole domain.

A score is compared at the acquisition points of every set, then near the best of them (the paper stops at the
points).  Of very many points, a coarse comparison finds those that are compared well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ceopt.acquisition.candidates import around, candidates, without
from ceopt.acquisition.gain import Places, Score
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.inference.belief import Belief
from ceopt.maths.gp import Floats

COMPARED = 240  # points compared well, over all sets
POLISHED, NEIGHBOURS = 2, 8  # the best points that are refined, and the levels tried near each
NOTHING = 1e-9  # a gain below it is none


class Ranked(NamedTuple):
    """An experiment that was compared, and its gain: the two parts, and their sum for each unit of cost."""

    intervention: Intervention
    optimum: float
    graph: float
    worth: float


class Stage(NamedTuple):
    """What is compared, on what: equally likely beliefs, and points (S, d) of each set."""

    beliefs: Sequence[Belief]
    points: tuple[Floats, ...]
    score: Score

    @property
    def problem(self) -> Problem:
        """The question."""
        return self.beliefs[0].problem

    def ranked(self, at: Sequence[Places]) -> list[Ranked]:
        """The points at these places of each set, the best first; gains are averaged over the beliefs."""
        each = [self.score(belief, self.points, at) for belief in self.beliefs]
        found = []
        for i, targets in enumerate(self.problem.sets):
            optimum, graph = np.mean([gains[i] for gains in each], axis=0)
            for x, a, b in zip(self.points[i][at[i]].tolist(), optimum, graph, strict=True):
                do = Intervention(targets, tuple(x))
                found.append(Ranked(do, float(a), float(b), float(a + b) / self.problem.price(do)))
        return sorted(found, key=lambda one: -one.worth)


def ranking(beliefs: Sequence[Belief], score: Score, count: int) -> list[Ranked]:
    """Experiments with about `count` points a set compared; of those near the best, the best first."""
    points = tuple(candidates(beliefs[0], targets, count) for targets in beliefs[0].problem.sets)
    stage = Stage(beliefs, points, score)
    first = stage.ranked(_worth_comparing(stage))
    return _near(stage, first) or first


def runners_up(ranked: Sequence[Ranked], most: int = 3) -> tuple[Ranked, ...]:
    """The best experiment of each other set, the best first, if it promises anything."""
    return tuple(one for one in best_of_each(ranked)[1 : 1 + most] if one.worth > NOTHING)


def best_of_each(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best experiment of each set, the best first."""
    best: dict[tuple[str, ...], Ranked] = {}
    for one in ranked:
        best.setdefault(one.intervention.targets, one)
    return list(best.values())


def is_nothing(ranked: Sequence[Ranked]) -> bool:
    """Whether no experiment promises anything, or that cannot be told."""
    worth = np.array([one.worth for one in ranked])
    return not np.isfinite(worth).all() or float(worth.max()) < NOTHING


def _worth_comparing(stage: Stage) -> list[Places]:
    """All places, or the best by a coarse comparison."""
    every = [np.arange(len(x)) for x in stage.points]
    if sum(map(len, every)) <= COMPARED:
        return every
    order = stage._replace(score=stage.score.coarse()).ranked(every)[:COMPARED]
    return _places(stage, [one.intervention for one in order])


def _near(stage: Stage, first: Sequence[Ranked]) -> list[Ranked]:
    """The best points and the best of each set, all compared again beside levels near the best."""
    best = [one.intervention for one in first[:POLISHED]]
    more, wanted = list(stage.points), [one.intervention for one in best_of_each(first)]
    wanted += [do for do in best if do not in wanted]
    for do in best:
        i = stage.problem.sets.index(do.targets)
        radius = len(stage.points[i]) ** (-1 / len(do.targets))
        near = around(stage.problem, do.targets, np.array(do.levels), radius, NEIGHBOURS * len(do.targets))
        fresh = without(near, more[i])
        more[i] = np.vstack([more[i], fresh])
        wanted += [Intervention(do.targets, tuple(x)) for x in fresh.tolist()]
    if all(len(new) == len(old) for new, old in zip(more, stage.points, strict=True)):
        return []
    finer = stage._replace(points=tuple(more))
    return finer.ranked(_places(finer, wanted))


def _places(stage: Stage, wanted: Sequence[Intervention]) -> list[Places]:
    """Where these interventions are among the points of each set."""
    place = [{tuple(x): s for s, x in enumerate(points.tolist())} for points in stage.points]
    found: list[list[int]] = [[] for _ in stage.points]
    for do in wanted:
        i = stage.problem.sets.index(do.targets)
        found[i].append(place[i][do.levels])
    return [np.array(sorted(places), dtype=np.intp) for places in found]
