"""Hypothesis strategies for graphs, knowledge about them, data, domains and problems."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs

law = settings(deadline=None, max_examples=80)
"""How hard a law is tried; never by the clock."""

NAMES = ("X", "Y", "age", "beta-blocker", "blood pressure (mm Hg)", "dose=2", "π", "ŷ_1")
LEVELS = st.floats(-1e6, 1e6, allow_nan=False)


@st.composite
def variables(draw: st.DrawFn, least: int = 1, most: int = 5) -> tuple[str, ...]:
    """Distinct names, sorted."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=least, max_size=most, unique=True))
    return tuple(sorted(names))


@st.composite
def graphs(draw: st.DrawFn, names: Sequence[str] | None = None) -> Graph:
    """Any acyclic graph, over the given names if there are any."""
    order = draw(st.permutations(names or draw(variables())))
    edges = draw(st.sets(st.sampled_from(list(combinations(order, 2))))) if len(order) > 1 else set()
    return Graph(tuple(order), frozenset(edges))


@st.composite
def weighted_graphs(draw: st.DrawFn) -> WeightedGraphs:
    """A few distinct graphs over the same variables, some perhaps impossible."""
    names = draw(variables())
    found = draw(st.lists(graphs(names), min_size=1, max_size=6, unique=True))
    weights = draw(st.lists(st.floats(0, 1), min_size=len(found), max_size=len(found)))
    return WeightedGraphs.of(found, weights if sum(weights) > 1e-300 else None)


@st.composite
def knowledge(draw: st.DrawFn, names: Sequence[str]) -> dict[str, Any]:
    """Arguments of GraphPrior.from_knowledge: at most one declaration for each pair, then what rules out."""
    declared: dict[str, list[str]] = {"->": [], "-": [], "--": [], "?>": [], "": []}
    for a, b in combinations(names, 2):
        sign = draw(st.sampled_from(list(declared)))
        one, other = draw(st.permutations([a, b]))
        declared[sign].append(f"{one} {sign} {other}")
    known: dict[str, Any] = {"required": declared["->"]}
    if draw(st.booleans()):
        known["undecided"] = declared["-"] + declared["--"] + declared["?>"]
    starred = [*names, "*"]
    arrows = [f"{a} -> {b}" for a in starred for b in starred if a != b]
    known["forbidden"] = draw(st.lists(st.sampled_from(arrows), max_size=2))
    tier = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, None]), min_size=len(names), max_size=len(names)))
    known["tiers"] = [[v for v, t in zip(names, tier, strict=True) if t == level] for level in range(3)]
    known["target"] = draw(st.sampled_from([None, None, *names]))
    return known


@st.composite
def frames(draw: st.DrawFn, names: Sequence[str], most: int = 6) -> pd.DataFrame:
    """Two rows or more of finite numbers, columns in any order, none constant."""
    n = draw(st.integers(2, most))
    column = st.lists(LEVELS, min_size=n, max_size=n).filter(lambda cells: len(set(cells)) > 1)
    return pd.DataFrame({name: draw(column) for name in draw(st.permutations(names))})


@st.composite
def domains(draw: st.DrawFn) -> tuple[float, ...] | list[float]:
    """(low, high), (low, high, step) or a list of levels."""
    low, width = draw(st.floats(-1e3, 1e3)), draw(st.floats(0.01, 1e3))
    levels = st.lists(LEVELS, min_size=1, max_size=5, unique=True)
    step = st.floats(0.05, 1).map(lambda share: (low, low + width, share * width))
    return draw(st.one_of(st.just((low, low + width)), step, levels))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A problem in which some variable can move the target."""
    names = draw(variables(least=2))
    target, cause = draw(st.permutations(names))[:2]
    support = WeightedGraphs.of([Graph(names, frozenset({(cause, target)}))])
    direction = draw(st.sampled_from(["minimize", "maximize"]))
    return Problem(target=target, direction=direction, domains={cause: draw(domains())}, graphs=support)


@st.composite
def interventions(draw: st.DrawFn, problem: Problem) -> Intervention:
    """An allowed intervention on one of the problem's sets."""
    targets = draw(st.sampled_from(problem.sets))
    grids = [problem.domain(name).grid(5).tolist() for name in targets]
    return Intervention(targets, tuple(draw(st.sampled_from(grid)) for grid in grids))
