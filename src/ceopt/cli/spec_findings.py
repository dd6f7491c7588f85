"""What is wrong with a problem.toml, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ceopt.cli.complaints import Complaint, refusals
from ceopt.cli.posing import check_hypothesis, domain_of, graphs_of, mechanisms_in, method_in
from ceopt.cli.spec import Spec
from ceopt.cli.spec_file import NOT_SAID, dotted
from ceopt.domain.graph import check_name
from ceopt.errors import did_you_mean
from ceopt.graphs.claims import claims


def spec_complaints(spec: Spec, whole: bool) -> Iterator[Complaint]:
    """What is wrong with parts of the file by themselves; the graphs are listed when it can be read whole."""
    yield from _about_variables(spec)
    yield from _about_study(spec)
    yield from _about_graph(spec, whole)
    yield from refusals("method", lambda: method_in(spec))
    yield from refusals("mechanisms", lambda: mechanisms_in(spec))


def _about_variables(spec: Spec) -> Iterator[Complaint]:
    for name, one in spec.variables.items():
        where = dotted(("variables", name))
        yield from refusals(where, lambda name=name: check_name(name))  # type: ignore[misc]
        if one.is_set:
            yield from refusals(where, lambda name=name, one=one: domain_of(name, one))  # type: ignore[misc]
        elif one.cost is not None:
            yield Complaint(where, "has a cost and no domain; add domain = [low, high], or drop the cost")
        if one.cost is not None and one.cost <= 0:
            yield Complaint(f"{where}.cost", f"wants a number above 0, but got {one.cost:g}")
    if not any(one.is_set for one in spec.variables.values()):
        yield Complaint(
            "variables", "none has a domain, so nothing can be set; give one domain = [low, high]"
        )


def _about_study(spec: Spec) -> Iterator[Complaint]:
    known, target = spec.variables, spec.study.target
    if target == NOT_SAID:
        pass  # that has been said
    elif target not in known:
        yield Complaint(
            "study.target", f"{target!r} has no table [variables.{target}]{did_you_mean(target, known)}"
        )
    elif known[target].is_set:
        yield Complaint(
            dotted(("variables", target)), "is the target and cannot be set as well; drop its domain"
        )
    can_be_set = [name for name, one in known.items() if one.is_set]
    for place, names in enumerate(spec.study.sets or ()):
        where = f"study.sets[{place}]"
        if not names or len(set(names)) < len(names):
            yield Complaint(where, f"names one variable or more, each once, but got {names}")
        for name in names:
            if name not in can_be_set:
                yield Complaint(where, f"{name!r} cannot be set{did_you_mean(name, can_be_set)}")


def _about_graph(spec: Spec, whole: bool) -> Iterable[Complaint]:
    graph, names, found = spec.graph, sorted(spec.variables), list[Complaint]()
    for argument in ("required", "undecided", "forbidden", "edge_probabilities"):
        for text in getattr(graph, argument) or ():
            where = f"graph.{argument}"
            found += refusals(where, lambda a=argument, t=text: list(claims(a, [t], names)))  # type: ignore[misc]
    for text in graph.hypotheses or ():
        found += refusals("graph.hypotheses", lambda t=text: check_hypothesis(t, spec))  # type: ignore[misc]
    if graph.hypotheses is None and graph.weights is not None:
        found.append(Complaint("graph.weights", "belong to hypotheses, and there are none"))
    stated = graph.required or graph.undecided or graph.forbidden or graph.tiers or graph.edge_probabilities
    if graph.hypotheses is not None and stated:
        found.append(Complaint("graph", "has hypotheses and statements about edges; keep one of the two"))
    return found if found or not whole else refusals("graph", lambda: graphs_of(spec))
