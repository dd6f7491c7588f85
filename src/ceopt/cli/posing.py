"""From a Spec to the values that ceopt works with."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ceopt.domain.problem import Problem
from ceopt.domain.variable import Domain
from ceopt.errors import MethodError, ProblemError, did_you_mean
from ceopt.graphs.prior import GraphPrior
from ceopt.graphs.text import parse_graph
from ceopt.inference.settings import Mechanisms
from ceopt.methods.method import Method
from ceopt.methods.registry import OWN, method_of

if TYPE_CHECKING:
    from ceopt.cli.spec import Spec, VariableTable
    from ceopt.domain.weighted_graphs import WeightedGraphs

INNER = {"discovery": "mi", "search": "cbo"}  # options of methods that are methods


def problem_of(spec: Spec) -> Problem:
    """The problem; refused where it cannot be posed."""
    set_ = {name: one for name, one in spec.variables.items() if one.is_set}
    return Problem(
        target=spec.study.target,
        direction=spec.study.direction,
        domains={name: domain_of(name, one) for name, one in set_.items()},
        graphs=graphs_of(spec),
        sets=None if spec.study.sets is None else [tuple(one) for one in spec.study.sets],
        cost={name: 1.0 if one.cost is None else one.cost for name, one in set_.items()},
    )


def domain_of(name: str, variable: VariableTable) -> Domain:
    """The levels that a variable may be set to."""
    if variable.levels is not None:
        if variable.domain is not None:
            raise ProblemError("has a domain and levels; keep one")
        return Domain.of(name, list(variable.levels))
    given = variable.domain
    if isinstance(given, list):
        return Domain.of(name, tuple(given))
    if given is None:
        raise ProblemError("has no domain")
    step = () if given.step is None else (given.step,)
    return Domain.of(name, (given.low, given.high, *step))


def graphs_of(spec: Spec) -> WeightedGraphs:
    """P(G), from statements or from hypotheses."""
    graph, names = spec.graph, sorted(spec.variables)
    if graph.hypotheses is None:
        return GraphPrior.from_knowledge(
            names,
            required=graph.required or (),
            undecided=graph.undecided,
            forbidden=graph.forbidden or (),
            tiers=graph.tiers,
            edge_probabilities=graph.edge_probabilities,
            limit=graph.limit,
        )
    found = GraphPrior.from_graphs(graph.hypotheses, graph.weights)
    if absent := sorted(set(names) - set(found.variables)):
        named = ", ".join(map(repr, absent))
        raise ProblemError(
            f"{named} in no hypothesis: add the bare name to one of them, as in 'a -> b; {absent[0]}'"
        )
    return found


def check_hypothesis(text: str, spec: Spec) -> None:
    """One hypothesis is a graph over variables of the file."""
    for name in parse_graph(text).variables:
        if name not in spec.variables:
            hint = did_you_mean(name, spec.variables)
            raise ProblemError(f"{text!r} names {name!r}, which has no table [variables.{name}]{hint}")


def method_in(spec: Spec) -> Method:
    """The method with its options."""
    options = dict(spec.method.model_extra or {})
    return _method(spec.method.name, options) if options else method_of(spec.method.name)


def _method(name: str, options: dict[str, Any]) -> Method:
    plain = method_of(name)
    if name not in OWN or not is_dataclass(plain):
        raise MethodError(f"the method {name!r} takes no options here")
    known = [field.name for field in fields(plain)]
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known) or f"; there are {', '.join(known)}"
            raise MethodError(f"the method {name!r} has no option {option!r}{hint}")
    given = {
        option: _method(INNER[option], value) if option in INNER and isinstance(value, dict) else value
        for option, value in options.items()
    }
    return OWN[name](**given)


def mechanisms_in(spec: Spec) -> Mechanisms:
    """How mechanisms are learnt."""
    given = spec.mechanisms.model_dump(exclude_none=True)
    return Mechanisms(**given, seed=spec.study.seed)
