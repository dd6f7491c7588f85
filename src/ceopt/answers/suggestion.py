"""A suggestion: what to do next, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

from ceopt.acquisition.consequences import Settled, consequences
from ceopt.answers.units import Interval, Target
from ceopt.answers.warning_signs import about_belief, about_point
from ceopt.answers.words import percent, said
from ceopt.domain.intervention import Intervention
from ceopt.errors import StudyError
from ceopt.inference.belief import Belief
from ceopt.methods.compare import NATS
from ceopt.methods.method import Asking, Proposal

SETTLED, MOST_EDGES = 0.05, 3  # edges are named that lose so much of their doubt, and so many of them
IN_DOUBT = 0.02  # and that are there with a probability so far from 0 and from 1


@dataclass(frozen=True)
class RunnerUp:
    """The best experiment of another set, and its gain for each unit of cost."""

    do: dict[str, float]
    gain: float


@dataclass(frozen=True)
class Why:
    """Why this experiment; `print` it to read it.

    optimum, graph  the gain before costs, in `unit`: the part about the best value, and about the graph
    runners_up      the best experiment of other sets
    edges           (cause, effect, probability, share of the doubt about it that is expected to go)
    predicted       the mean of the outcome's samples, and its 90 % interval
    improvement     by how much it is expected to better the recommendation, in the target's unit
    price           what that costs
    target          the name of what is predicted
    warnings        what puts all this in question
    reason          in words, where it was not the gain that decided
    """

    optimum: float
    graph: float
    unit: str
    runners_up: tuple[RunnerUp, ...] = ()
    edges: tuple[Settled, ...] = ()
    predicted: tuple[float, Interval] | None = None
    improvement: float | None = None
    price: float = 0.0
    target: str = ""
    warnings: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        unit, doubt = "" if not self.unit else f" {self.unit}", "of the doubt about"
        lines = [f"{self.reason[0].upper()}{self.reason[1:]}."] if self.reason else []
        if unit:
            kind = "Information" if self.unit == NATS else "Improvement"
            parts = f" ({self.optimum:.3g} about the best value, {self.graph:.3g} about the graph)"
            gain = f"{self.optimum + self.graph:.3g}{unit} for a cost of {self.price:g}"
            lines.append(f"{kind} expected: {gain}{parts if self.graph else ''}.")
        lines += [
            f"Next best: {_named(one.do)}, {one.gain:.3g}{unit} a unit of cost." for one in self.runners_up
        ]
        for edge in self.edges:
            likely = f"{edge.cause} -> {edge.effect} ({percent(edge.probability)} likely)"
            lines.append(f"It would settle {percent(edge.share)} {doubt} {likely}.")
        if self.predicted is not None:
            mean, interval = self.predicted
            lines.append(f"Predicted {self.target}: {mean:.4g} ({interval} with probability 0.9).")
        if self.improvement is not None:
            better = f"by {self.improvement:.3g} on average, for a cost of {self.price:g}"
            lines.append(f"The recommendation is expected to get better {better}.")
        return "\n".join([*lines, *(f"Warning: {one}." for one in self.warnings)])


@dataclass(frozen=True)
class Suggestion:
    """What to do next. Do it, then `study.tell(suggestion, outcome)`."""

    id: int
    intervention: Intervention
    cost: float
    gain: float  # expected, for each unit of cost
    why: Why
    samples: int = 1

    @property
    def do(self) -> dict[str, float]:
        """Variable -> level."""
        return self.intervention.do

    def __str__(self) -> str:
        rows = f", {self.samples} samples" if self.samples > 1 else ""
        return f"suggestion {self.id}: set {said(self.intervention)}{rows}\n{self.why}"

    def __repr__(self) -> str:
        return f"<Suggestion {self.id}: {said(self.intervention)}; cost {self.cost:g}, gain {self.gain:.3g}>"


def still_open(which: object, waiting: Mapping[int, Suggestion], told: Collection[int]) -> Suggestion:
    """The open suggestion that is meant, by itself or by its id."""
    number = which.id if isinstance(which, Suggestion) else which
    if not isinstance(number, Integral) or isinstance(number, bool):
        raise StudyError(f"tell wants a suggestion or its id first, but got {which!r}; or tell do={{...}}")
    found = waiting.get(int(number))
    if found is not None and not (isinstance(which, Suggestion) and which.do != found.do):
        return found
    is_open = ", ".join(map(str, waiting)) or "none"
    why = "has been told already" if number in told else "is not one of this study"
    raise StudyError(f"suggestion {number} {why}; open: {is_open}; for another experiment tell do={{...}}")


def _named(do: dict[str, float]) -> str:
    return said(Intervention.of(do))


def explained(full: Belief, own: Belief, proposal: Proposal, asking: Asking) -> Why:
    """The reasons for a proposal: edges by the full belief, and the rest by the method's own."""
    do, target = proposal.intervention, Target(own)
    found = consequences(own, do, asking.seed, asking.samples)
    teaches = found if own is full else consequences(full, do, asking.seed, asking.samples)
    return Why(
        proposal.optimum,
        proposal.graph,
        proposal.unit,
        tuple(RunnerUp(one.intervention.do, one.worth) for one in proposal.runners_up),
        _worth_naming(teaches.edges),
        (target.value(found.mean), target.interval(found.mean, found.sd)),
        target.amount(found.improvement),
        full.problem.price(do),
        full.problem.target,
        (*about_belief(full), *about_point(full, do)),
        proposal.reason,
    )


def unexplained(reason: str, price: float) -> Why:
    """A reason, and nothing that was worked out."""
    return Why(0.0, 0.0, "", price=price, reason=reason)


def _worth_naming(edges: Sequence[Settled]) -> tuple[Settled, ...]:
    in_doubt = (edge for edge in edges if IN_DOUBT <= edge.probability <= 1 - IN_DOUBT)
    return tuple(edge for edge in in_doubt if edge.share >= SETTLED)[:MOST_EDGES]
