"""Everything that is wrong with a problem.toml and its data, found at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ceopt.cli.complaints import Complaint, refusals
from ceopt.cli.spec_file import dotted, read_spec
from ceopt.errors import CeoptError, CeoptWarning, ProblemError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

    from ceopt.cli.spec import Spec
    from ceopt.domain.problem import Problem


@dataclass(frozen=True)
class Findings:
    """What is wrong, what is only worth saying, and, when nothing is wrong, what it amounts to."""

    path: Path
    problems: tuple[Complaint, ...]
    warnings: tuple[str, ...] = ()
    spec: Spec | None = None
    problem: Problem | None = None
    observations: pd.DataFrame | None = None


class SpecError(ProblemError):
    """A file that is refused, with everything that is wrong with it."""

    def __init__(self, found: Findings) -> None:
        n = len(found.problems)
        title = f"{found.path.name} has {n} problem{'' if n == 1 else 's'}:"
        super().__init__("\n".join([title, *(f"  {one.where}: {one.what}" for one in found.problems)]))
        listed = [{"where": one.where, "problem": one.what} for one in found.problems]
        self.details: dict[str, Any] = {"problems": listed, "warnings": list(found.warnings)}


def examine(path: Path) -> Findings:
    """Look at all of a file and its data."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", CeoptWarning)
        found = _examined(path)
    texts = [str(one.message) for one in said if issubclass(one.category, CeoptWarning)]
    return replace(found, warnings=(*dict.fromkeys(texts), *found.warnings))


def _examined(path: Path) -> Findings:
    try:
        spec, complaints = read_spec(path)
    except ProblemError as e:
        return Findings(path, (Complaint(path.name, str(e)),))
    if spec is None:
        return Findings(path, complaints)
    from ceopt.cli.data_findings import data_complaints, data_warnings, observations_of

    data = path.parent / spec.study.observations
    found, frame = [*complaints, *_spec_complaints(spec)], None
    read = refusals(data.name, lambda: observations_of(data))
    if not read:
        frame = observations_of(data)
        read = list(data_complaints(frame, spec, data.name))
    if found or read or frame is None:
        return Findings(path, (*found, *read), spec=spec)
    return _whole(Findings(path, (), tuple(data_warnings(frame, spec)), spec, None, frame), data.name)


def _whole(found: Findings, data: str) -> Findings:
    """The parts being sound, look at the problem and the data as a whole."""
    from ceopt.cli.posing import problem_of
    from ceopt.domain.frames import dataset_from

    assert found.spec is not None and found.observations is not None  # noqa: S101  (by the caller)
    try:
        problem = problem_of(found.spec)
    except CeoptError as e:
        return Findings(found.path, (Complaint(found.path.name, str(e)),), found.warnings)
    if wrong := refusals(data, lambda: dataset_from(found.observations, problem)):  # type: ignore[arg-type]
        return Findings(found.path, tuple(wrong), found.warnings)
    return Findings(found.path, (), found.warnings, found.spec, problem, found.observations)


def _spec_complaints(spec: Spec) -> Iterator[Complaint]:
    """What is wrong with one part of the file by itself."""
    from ceopt.cli.posing import mechanisms_in, method_in

    yield from _about_variables(spec)
    yield from _about_study(spec)
    yield from _about_graph(spec)
    yield from refusals("method", lambda: method_in(spec))
    yield from refusals("mechanisms", lambda: mechanisms_in(spec))


def _about_variables(spec: Spec) -> Iterator[Complaint]:
    from ceopt.cli.posing import domain_of
    from ceopt.domain.graph import check_name

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
    if target not in known:
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


def _about_graph(spec: Spec) -> Iterable[Complaint]:
    from ceopt.cli.posing import check_hypothesis, graphs_of
    from ceopt.graphs.claims import claims

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
    return found or refusals("graph", lambda: graphs_of(spec))
