"""What D^O teaches, once and for good: mechanisms, units, shared noise, and which graphs share an effect."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Pair
from ceopt.domain.orientation import oriented
from ceopt.domain.problem import Problem
from ceopt.errors import CeoptWarning
from ceopt.inference.effects import Effects, Model, effects
from ceopt.inference.keys import Keys, effect_keys
from ceopt.inference.mechanisms import Mechanism, Root, learn_all
from ceopt.inference.scaling import Scale, scale_of
from ceopt.inference.settings import Mechanisms
from ceopt.inference.simulation import Bank, make_bank
from ceopt.inference.threads import one_blas_thread
from ceopt.maths.gp import Floats

Targets = tuple[str, ...]
LEVELS_AT_ONCE = 256  # bounds the memory of an effect at very many levels


@dataclass(frozen=True, eq=False)
class Learnt:
    """Mechanisms and all that depends on them alone; told outcomes do not change it."""

    problem: Problem
    scale: Scale
    mechanisms: Mapping[Pair, Root | Mechanism]
    bank: Bank
    keys: Mapping[Targets, Keys]
    settings: Mechanisms

    def effects(self, targets: Targets, levels: Floats, keys: NDArray[np.intp] | None = None) -> Effects:
        """The moments of Y under some keys, or all, at levels (L, d) in the user's units."""
        of_set = self.keys[targets]
        keys = np.arange(len(of_set.example)) if keys is None else keys
        model = Model(self.mechanisms, self.bank, self.problem.target)
        standard = self.scale.levels(targets, levels)
        blocks = []
        with one_blas_thread():
            for block in np.split(standard, range(LEVELS_AT_ONCE, len(standard), LEVELS_AT_ONCE)):
                by_name = dict(zip(targets, block.T, strict=True))
                blocks.append(effects(model, self.problem.graphs, of_set.example[keys], by_name))
        return Effects(keys, *(np.hstack(parts) for parts in zip(*blocks, strict=True)))


def learn(problem: Problem, data: Dataset, settings: Mechanisms | None = None) -> Learnt:
    """From the observations; it can be used again as long as they stay the same."""
    settings, data = settings or Mechanisms(), oriented(problem, data)
    ordered = data.observations[
        np.lexsort(data.observations.T[::-1])
    ]  # so that the given order does not matter
    scale = scale_of(problem, data.variables, ordered)
    rows = scale.rows(at_most(settings.max_rows, ordered))
    columns = {v: j for j, v in enumerate(data.variables)}
    with one_blas_thread():
        mechanisms = learn_all(problem.graphs.pairs, rows, columns, _box(problem, scale, rows), settings)
    keys = {targets: effect_keys(problem.graphs, problem.target, targets) for targets in problem.sets}
    return Learnt(problem, scale, mechanisms, make_bank(data.variables, settings), keys, settings)


def at_most(most: int, rows: Floats) -> Floats:
    """All rows, or as many of them, picked at random, the same each time."""
    if len(rows) <= most:
        return rows
    said = f"{len(rows):,} observational rows: mechanisms are learnt from {most:,} picked at random"
    warnings.warn(f"{said}; Mechanisms(max_rows=...) changes that", CeoptWarning, stacklevel=2)
    chosen = np.random.default_rng(0).permutation(len(rows))[:most]
    return rows[np.sort(chosen)]


def _box(problem: Problem, scale: Scale, rows: Floats) -> Floats:
    """(2, V): the least and the largest standardised value of each variable, seen or allowed."""
    box = np.stack([rows.min(axis=0), rows.max(axis=0)])
    for v in problem.manipulable:
        domain, j = problem.domain(v), scale.variables.index(v)
        ends = scale.levels((v,), np.array([[domain.low], [domain.high]]))
        box[:, j] = min(box[0, j], ends.min()), max(box[1, j], ends.max())
    return box
