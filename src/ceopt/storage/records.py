"""Problems, methods, suggestions and outcomes as JSON, and back; what is not text is named.

Floats are written so that they read back to the last bit.  What was not measured is null; in the reasons of
a suggestion, what is not finite is a text.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, fields, is_dataclass
from typing import Any

import numpy as np

from ceopt.acquisition.consequences import Settled
from ceopt.answers.suggestion import RunnerUp, Suggestion, Why
from ceopt.answers.units import Interval
from ceopt.domain.dataset import Dataset
from ceopt.domain.graph import Graph
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Cost, Problem
from ceopt.domain.variable import Domain
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.errors import CeoptWarning, StudyError
from ceopt.graphs.text import parse_graph
from ceopt.inference.settings import Mechanisms
from ceopt.methods.method import Method
from ceopt.methods.registry import OWN, method_of, names

Record = dict[str, Any]
Rows = list[list[float | None]]


def of_problem(problem: Problem) -> Record:
    """A problem; a cost that is a function is left out."""
    cost = problem.cost
    text = None if callable(cost) else dict(cost) if not isinstance(cost, float | int) else cost
    return {
        "target": problem.target,
        "direction": problem.direction,
        "domains": {v: asdict(problem.domain(v)) for v in problem.manipulable},
        "graphs": [graph.text for graph in problem.graphs.graphs],
        "log_weights": [w if math.isfinite(w) else None for w in problem.graphs.log_weights.tolist()],
        "sets": [list(one) for one in problem.sets],
        "cost": text,
    }


def to_problem(record: Record, cost: Cost | None = None) -> Problem:
    """The problem, with the cost given again where it is a function."""
    weights = np.array([-np.inf if w is None else w for w in record["log_weights"]])
    graphs = WeightedGraphs(tuple(map(parse_graph, record["graphs"])), weights)
    weights.setflags(write=False)
    object.__setattr__(graphs, "log_weights", weights)  # as they were, to the last bit
    domains = {
        v: Domain(d["low"], d["high"], None if d["levels"] is None else tuple(d["levels"]))
        for v, d in record["domains"].items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CeoptWarning)  # it was said when the problem was posed
        return Problem(
            target=record["target"],
            direction=record["direction"],
            domains=domains,
            graphs=graphs,
            sets=[tuple(one) for one in record["sets"]],
            cost=record["cost"] if cost is None else cost,
        )


def of_data(data: Dataset) -> Record:
    """Observations and past interventions."""
    return {
        "variables": list(data.variables),
        "observations": data.observations.tolist(),
        "outcomes": of_rows(data.outcomes),
        "interventions": [do.do for do in data.interventions],
    }


def to_data(record: Record) -> Dataset:
    """The same data."""
    V = len(record["variables"])
    return Dataset(
        tuple(record["variables"]),
        np.array(record["observations"], dtype=np.float64).reshape(-1, V),
        to_rows(record["outcomes"], V),
        tuple(map(Intervention.of, record["interventions"])),
    )


def of_rows(rows: np.ndarray) -> Rows:
    """Rows (q, V), null where not measured."""
    return [[x if math.isfinite(x) else None for x in row] for row in rows.tolist()]


def to_rows(rows: Rows, V: int) -> np.ndarray:
    """The same rows."""
    return np.array([[np.nan if x is None else x for x in row] for row in rows], np.float64).reshape(-1, V)


def of_method(method: Method) -> Record:
    """A method by its name and options; one of somebody's own by its name only."""
    known = OWN.get(method.name) is type(method) and is_dataclass(method)
    return {"name": method.name, "options": _options(method) if known else None}


def to_method(record: Record, given: Method | str | None) -> Method:
    """The method; one of somebody's own is given again."""
    if record["options"] is None:
        if given is None and record["name"] in set(names()) - set(OWN):
            return method_of(record["name"])  # another package brings it
        if given is None:
            raise StudyError(f"the study's method {record['name']!r} is not text: give it again, method=...")
        return method_of(given)
    kinds = {"discovery": OWN["mi"], "search": OWN["cbo"]}
    try:
        options = {
            name: kinds[name](**value) if name in kinds else value
            for name, value in record["options"].items()
        }
        made = OWN[record["name"]](**options)
    except (KeyError, TypeError) as e:
        raise StudyError(f"this ceopt does not know the study's method {record!r}; upgrade it") from e
    if given is not None and method_of(given) != made:
        raise StudyError(f"the study's method is {made!r}, but got {given!r}; leave method= out")
    return made


def _options(method: Method) -> Record:
    found: Record = {}
    for field in fields(method):  # type: ignore[arg-type]  # checked by the caller
        value = getattr(method, field.name)
        if is_dataclass(value) and not isinstance(value, Graph):
            value = _options(value)  # type: ignore[arg-type]
        found[field.name] = value.text if isinstance(value, Graph) else value
    return found


def of_mechanisms(settings: Mechanisms) -> Record:
    """Settings; of a kernel only that there is one."""
    plain = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {**plain, "kernel": settings.kernel is not None}


def to_mechanisms(record: Record, kernel: Any) -> Mechanisms:
    """The settings, with the kernel given again."""
    if record["kernel"] and kernel is None:
        raise StudyError("the study's kernel is not text: give it again, kernel=...")
    if kernel is not None and not record["kernel"]:
        raise StudyError("the study has the default kernel, but got kernel=; leave it out, or start anew")
    return Mechanisms(**{**record, "kernel": kernel})


def of_suggestion(one: Suggestion) -> Record:
    """A suggestion with its reasons."""
    why = one.why
    return {
        "id": one.id,
        "do": one.do,
        "cost": one.cost,
        "gain": one.gain,
        "samples": one.samples,
        "why": {
            **{field.name: _out(getattr(why, field.name)) for field in fields(why)},
            "runners_up": [[runner.do, _out(runner.gain)] for runner in why.runners_up],
            "edges": [list(map(_out, edge)) for edge in why.edges],
            "predicted": None
            if why.predicted is None
            else [*map(_out, (why.predicted[0], *why.predicted[1]))],
            "warnings": list(why.warnings),
        },
    }


def to_suggestion(record: Record) -> Suggestion:
    """The same suggestion."""
    why = dict(record["why"])
    for name in ("optimum", "graph", "price"):
        why[name] = float(why[name])
    if why["improvement"] is not None:
        why["improvement"] = float(why["improvement"])
    why["runners_up"] = tuple(RunnerUp(do, float(gain)) for do, gain in why["runners_up"])
    why["edges"] = tuple(Settled(edge[0], edge[1], *map(float, edge[2:])) for edge in why["edges"])
    why["warnings"] = tuple(why["warnings"])
    if why["predicted"] is not None:
        mean, lower, upper = map(float, why["predicted"])
        why["predicted"] = (mean, Interval(lower, upper))
    do = Intervention.of(record["do"])
    return Suggestion(record["id"], do, record["cost"], record["gain"], Why(**why), record["samples"])


def _out(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
