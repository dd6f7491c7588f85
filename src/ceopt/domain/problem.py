"""The question: which variables to set, to what, for the best expected target, at what cost."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import TypeAlias

from ceopt.domain.intervention import Intervention
from ceopt.domain.variable import Domain, DomainSpec, as_number
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import CeoptWarning, OutcomeError, ProblemError, did_you_mean

Cost: TypeAlias = float | Mapping[str, float] | Callable[[dict[str, float]], float]
DIRECTIONS = ("minimize", "maximize")
MOST_SETS = 4096
TRIED_SETS = 64  # a cost function is tried on this many sets before it is believed


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Problem:
    """A target, the variables that may be set, and P(G); checked whole at birth.

    >>> from ceopt.domain.graph import Graph
    >>> graphs = WeightedGraphs.of([Graph.from_edges([("dose", "bmi"), ("bmi", "psa")])])
    >>> problem = Problem(target="psa", direction="minimize", domains={"dose": (0, 1)}, graphs=graphs)
    >>> problem.sets, problem.variables, problem.price(Intervention.of({"dose": 0.3}))
    ((('dose',),), ('bmi', 'dose', 'psa'), 1.0)
    """

    target: str
    direction: str
    domains: Mapping[str, tuple[float, ...]]  # name -> (low, high) or its levels
    graphs: WeightedGraphs
    sets: tuple[tuple[str, ...], ...]  # the sets explored, each sorted
    cost: Cost  # a number for each variable set, a number by name, or a function of {name: level}

    def __init__(  # noqa: PLR0913  (these names are promised)
        self,
        *,
        target: str,
        direction: str = "",
        domains: Mapping[str, DomainSpec],
        graphs: WeightedGraphs,
        sets: Iterable[Iterable[str]] | None = None,
        cost: Cost = 1.0,
    ) -> None:
        _check_graphs(graphs)
        _check_target(target, direction, graphs)
        _check_manipulable(domains, target, graphs)
        checked = {name: Domain.of(name, domains[name]) for name in sorted(domains)}
        _check_effect(tuple(checked), target, graphs)
        put = object.__setattr__
        put(self, "target", target)
        put(self, "direction", direction)
        put(self, "domains", MappingProxyType({name: d.spec for name, d in checked.items()}))
        put(self, "graphs", graphs)
        put(self, "sets", _all_sets(checked) if sets is None else _given_sets(sets, checked))
        put(self, "cost", cost if callable(cost) else _checked_cost(cost, checked))
        for targets in self.sets[:TRIED_SETS]:
            self.price(Intervention(targets, tuple(float(checked[v].grid(1)[0]) for v in targets)))

    @property
    def variables(self) -> tuple[str, ...]:
        """Every variable of the graphs, sorted: the columns of the data."""
        return self.graphs.variables

    @property
    def manipulable(self) -> tuple[str, ...]:
        """The variables that may be set, sorted (paper: X)."""
        return tuple(self.domains)

    def domain(self, name: str) -> Domain:
        """The levels that a manipulable variable may be set to."""
        return Domain.of(name, self.domains[name])

    def __repr__(self) -> str:
        by = ", ".join(self.manipulable)
        return f"<Problem: {self.direction} {self.target} by {by}; {len(self.graphs)} graphs>"

    def seen_with(self, graphs: WeightedGraphs, sets: tuple[tuple[str, ...], ...] | None = None) -> Problem:
        """The same question under another P(G), or for some of the sets; nothing is checked again."""
        other = copy(self)
        object.__setattr__(other, "graphs", graphs)
        object.__setattr__(other, "sets", self.sets if sets is None else sets)
        return other

    def price(self, intervention: Intervention) -> float:
        """Co(X_I, x_I) > 0: what this intervention costs."""
        if isinstance(self.cost, Mapping):
            return math.fsum(self.cost[name] for name in intervention.targets)
        if not callable(self.cost):
            return self.cost * len(intervention.targets)
        try:
            price = self.cost(intervention.do)
        except Exception as e:
            raise ProblemError(f"the cost function raised {type(e).__name__} at {intervention}: {e}") from e
        return _positive(price, f"the cost of {intervention}")

    def check(self, intervention: Intervention) -> None:
        """Refuse to set what is no manipulable variable."""
        for name in intervention.targets:
            if name not in self.domains:
                raise OutcomeError(f"cannot set {_not_manipulable(name, self.domains, self.variables)}")

    def inside(self, intervention: Intervention) -> bool:
        """Whether every level lies in its variable's domain."""
        return all(self.domain(name).contains(level) for name, level in intervention.do.items())


def _check_graphs(graphs: object) -> None:
    if not isinstance(graphs, WeightedGraphs):
        raise ProblemError(
            f"graphs= wants a prior over graphs, but got {type(graphs).__name__};"
            " write GraphPrior.from_graphs([...]) or GraphPrior.from_knowledge(...)"
        )


def _check_target(target: str, direction: str, graphs: WeightedGraphs) -> None:
    if target not in graphs.variables:
        hint = did_you_mean(target, graphs.variables)
        raise ProblemError(
            f"the target {target!r} is in no graph; they have {_listed(graphs.variables)}{hint}"
        )
    if direction not in DIRECTIONS:
        hint = did_you_mean(direction, DIRECTIONS)
        got = repr(direction) if direction else "none"
        raise ProblemError(f"direction= is 'minimize' or 'maximize', but got {got}{hint}")


def _check_manipulable(domains: object, target: str, graphs: WeightedGraphs) -> None:
    """Every name with a domain is a variable of the graphs, and not the target."""
    if not isinstance(domains, Mapping) or not domains:
        raise ProblemError(f"domains= names what can be set, as {{'name': (low, high)}}, but got {domains!r}")
    if target in domains:
        raise ProblemError(f"the target {target!r} cannot be set as well; take it out of the domains")
    for name in domains:
        if name not in graphs.variables:
            hint = did_you_mean(name, graphs.variables)
            known = _listed(graphs.variables)
            raise ProblemError(f"{name!r} has a domain but is in no graph; they have {known}{hint}")


def _check_effect(manipulable: tuple[str, ...], target: str, graphs: WeightedGraphs) -> None:
    """Some variable can move the target in some graph; one that never can is named."""
    possible = graphs.log_weights > -math.inf
    likely = [g for g, p in zip(graphs.graphs, possible, strict=True) if p]
    causes = frozenset[str]().union(*(g.ancestors(target) for g in likely))
    idle = [name for name in manipulable if name not in causes]
    if len(idle) == len(manipulable):
        raise ProblemError(
            f"no path leads from {_listed(manipulable)} to the target {target!r} in any graph;"
            " check the edges, or give a domain to a variable that may cause the target"
        )
    if idle:
        said = f"{_listed(idle)} cannot change {target!r} in any graph; setting it alone only costs"
        warnings.warn(said, CeoptWarning, stacklevel=4)


def _all_sets(domains: Mapping[str, Domain]) -> tuple[tuple[str, ...], ...]:
    """Every non-empty subset, small ones first."""
    _check_set_count(2 ** len(domains) - 1)
    return tuple(s for size in range(1, len(domains) + 1) for s in combinations(domains, size))


def _check_set_count(count: int) -> None:
    if count > MOST_SETS:
        raise ProblemError(
            f"{count:,} sets of variables are too many to explore (at most {MOST_SETS:,});"
            " name those that can be carried out with sets=[...], or give fewer variables a domain"
        )


def _given_sets(sets: Iterable[Iterable[str]], domains: Mapping[str, Domain]) -> tuple[tuple[str, ...], ...]:
    given = [_given_set(one, domains) for one in sets]
    if not given:
        raise ProblemError("sets= lists at least one set, but got none; leave it out for all subsets")
    twice = [one for i, one in enumerate(given) if one in given[:i]] if len(given) <= MOST_SETS else []
    if twice:
        raise ProblemError(f"sets= names {twice[0]} more than once; name it once")
    _check_set_count(len(given))
    return tuple(given)


def _given_set(one: Iterable[str], domains: Mapping[str, Domain]) -> tuple[str, ...]:
    if isinstance(one, str):
        raise ProblemError(f"each of sets= is a tuple of names, but got the text {one!r}; write ({one!r},)")
    names = tuple(one)
    if not names:
        raise ProblemError("sets= has an empty set; doing nothing is always compared with, so leave it out")
    for name in names:
        if name not in domains:
            raise ProblemError(f"sets= has {names}, but cannot set {_not_manipulable(name, domains, ())}")
        if names.count(name) > 1:
            raise ProblemError(f"sets= has {names}, which names {name!r} more than once")
    return tuple(sorted(names))


def _checked_cost(cost: object, domains: Mapping[str, Domain]) -> float | Mapping[str, float]:
    if not isinstance(cost, Mapping):
        return _positive(cost, "cost=")
    for name in cost:
        if name not in domains:
            raise ProblemError(f"cost= has a price for {_not_manipulable(name, domains, ())}")
    missing = [name for name in domains if name not in cost]
    if missing:
        raise ProblemError(f"cost= has no price for {_listed(missing)}; give each manipulable variable one")
    return MappingProxyType({name: _positive(cost[name], f"the cost of {name!r}") for name in domains})


def _positive(price: object, what: str) -> float:
    number = as_number(price)
    if number is None or not 0 < number < math.inf:
        raise ProblemError(f"{what} is a finite number above 0, but got {price!r}")
    return number


def _not_manipulable(name: str, domains: Collection[str], observed: Collection[str]) -> str:
    """The name and why it cannot be set: the second half of several messages."""
    if name in observed:
        return f"{name!r}: it has no domain, so it is only observed; one can set {_listed(domains)}"
    hint = did_you_mean(name, domains)
    return f"{name!r}: it has no domain; one can set {_listed(domains)}{hint}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
