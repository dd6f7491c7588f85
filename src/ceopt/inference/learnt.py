"""What D^O teaches, once and for good: mechanisms, units, shared noise, and which graphs share an effect."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph, Pair
from ceopt.domain.orientation import oriented
from ceopt.domain.problem import Problem
from ceopt.errors import CeoptWarning
from ceopt.inference.effects import Effects, Model, effects
from ceopt.inference.keys import Booleans, Keys, acting, effect_keys
from ceopt.inference.mechanisms import Mechanism, Root, learn_all
from ceopt.inference.memo import Memo
from ceopt.inference.scaling import Scale, scale_of
from ceopt.inference.settings import Mechanisms
from ceopt.inference.simulation import Bank, make_bank
from ceopt.inference.threads import one_blas_thread
from ceopt.maths.gp import Floats

Targets: TypeAlias = tuple[str, ...]
Question: TypeAlias = tuple[tuple[Graph, ...], tuple[Targets, ...]]
LEVELS_AT_ONCE = 256  # bounds the memory of an effect at very many levels
PADDED = 4  # levels are simulated in multiples of this, so that rounding does not depend on their number


@dataclass(frozen=True, eq=False)
class Learnt:
    """Mechanisms and all that depends on them alone; told outcomes do not change it."""

    problem: Problem
    scale: Scale
    mechanisms: Mapping[Pair, Root | Mechanism]
    bank: Bank
    keys: Mapping[Targets, Keys]
    settings: Mechanisms
    rows: Floats  # (n, V), the standardised observations that mechanisms are learnt from
    _memos: dict[Targets, Memo] = field(default_factory=dict, repr=False)
    _views: dict[Question, Learnt] = field(default_factory=dict, repr=False)
    _acting: dict[Targets, Booleans] = field(default_factory=dict, repr=False)

    def under(self, problem: Problem) -> Learnt:
        """The same observations for another P(G) over the same variables, or for other sets."""
        question = (problem.graphs.graphs, problem.sets)
        if question not in self._views:
            pairs = problem.graphs.pairs
            more = _learnt(
                problem, self.scale, self.rows, [p for p in pairs if p not in self.mechanisms], self.settings
            )
            known = {pair: self.mechanisms.get(pair) or more[pair] for pair in pairs}
            self._views[question] = replace(
                self, problem=problem, mechanisms=known, keys=_keys(problem), _memos={}, _views={}, _acting={}
            )
        return replace(self._views[question], problem=problem)  # the weights may be others

    def acting(self, targets: Targets) -> Booleans:
        """(G, V): which variables of a set act on the target in each graph."""
        if targets not in self._acting:
            self._acting[targets] = acting(self.problem.graphs, self.problem.target, targets)
        return self._acting[targets]

    def effects(self, targets: Targets, levels: Floats, keys: NDArray[np.intp] | None = None) -> Effects:
        """The moments of Y under some keys, or all, at levels (L, d) in the user's units."""
        count = len(self.keys[targets].example)
        keys = np.arange(count) if keys is None else keys
        memo = self._memos.setdefault(targets, Memo(count))
        return memo.effects(keys, levels, partial(self._simulated, targets))

    def _simulated(self, targets: Targets, keys: NDArray[np.intp], levels: Floats) -> Effects:
        """The same, worked out."""
        model = Model(self.mechanisms, self.bank, self.problem.target)
        standard = self.scale.levels(targets, levels)
        padded = np.pad(standard, ((0, -len(standard) % PADDED), (0, 0)), mode="edge")
        examples, blocks = self.keys[targets].example[keys], []
        with one_blas_thread():
            for block in np.split(padded, range(LEVELS_AT_ONCE, len(padded), LEVELS_AT_ONCE)):
                by_name = dict(zip(targets, block.T, strict=True))
                blocks.append(effects(model, self.problem.graphs, examples, by_name))
        return Effects(keys, *(np.hstack(parts)[:, : len(levels)] for parts in zip(*blocks, strict=True)))


def learn(problem: Problem, data: Dataset, settings: Mechanisms | None = None) -> Learnt:
    """From the observations; it can be used again as long as they stay the same."""
    settings, data = settings or Mechanisms(), oriented(problem, data)
    ordered = data.observations[
        np.lexsort(data.observations.T[::-1])
    ]  # so that the given order does not matter
    scale = scale_of(problem, data.variables, ordered)
    rows = scale.rows(at_most(settings.max_rows, ordered))
    mechanisms = _learnt(problem, scale, rows, problem.graphs.pairs, settings)
    return Learnt(
        problem, scale, mechanisms, make_bank(data.variables, settings), _keys(problem), settings, rows
    )


def _learnt(
    problem: Problem, scale: Scale, rows: Floats, pairs: Sequence[Pair], settings: Mechanisms
) -> Mapping[Pair, Root | Mechanism]:
    """The mechanisms of some pairs."""
    columns = {v: j for j, v in enumerate(scale.variables)}
    with one_blas_thread():
        return learn_all(pairs, rows, columns, _box(problem, scale, rows), settings)


def _keys(problem: Problem) -> dict[Targets, Keys]:
    """The effect keys of each set."""
    return {targets: effect_keys(problem.graphs, problem.target, targets) for targets in problem.sets}


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
