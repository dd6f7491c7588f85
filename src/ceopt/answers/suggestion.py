"""A suggestion: what to do next, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ceopt.acquisition.consequences import Settled, consequences
from ceopt.answers.units import Interval, Target
from ceopt.answers.warning_signs import about_belief, about_point
from ceopt.answers.words import percent, said
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief
from ceopt.methods.method import Asking, Proposal

SETTLED, MOST_EDGES = 0.05, 3  # edges are named that lose so much of their doubt, and so many of them


@dataclass(frozen=True)
class RunnerUp:
    """The best experiment of another set, and its gain for each unit of cost."""

    do: dict[str, float]
    gain: float


@dataclass(frozen=True)
class Why:
    """Why this experiment; `print` it to read it.

    optimum, graph  the gain before costs, in `unit`: the part about the best value, and about the graph
    runners_up      the best experiment of other sets edges           (cause, effect, probability, share of
    the doubt about it that is expected to go) predicted       the mean of the outcome's samples, and its 90 %
    interval improvement     by how much one more experiment is expected to better the recommendation, in the
    target's unit price           what that costs warnings        what puts all this in question reason
    in words, where it was not the gain that decided
    """

    optimum: float
    graph: float
    unit: str
    runners_up: tuple[RunnerUp, ...] = ()
    edges: tuple[Settled, ...] = ()
    predicted: tuple[float, Interval] | None = None
    improvement: float | None = None
    price: float = 0.0
    warnings: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        lines = [f"{self.reason}."] if self.reason else []
        if self.unit:
            parts = f"{self.optimum:.3g} about the optimum and {self.graph:.3g} about the graph"
            lines.append(f"Expected gain, in {self.unit}: {parts}.")
        lines += [f"Then {_named(one.do)}: {one.gain:.3g} for each unit of cost." for one in self.runners_up]
        for edge in self.edges:
            settled = f"would settle {percent(edge.share)} of the doubt about it"
            lines.append(
                f"{edge.cause} -> {edge.effect} ({percent(edge.probability)} likely): this {settled}."
            )
        if self.predicted is not None:
            lines.append(f"Predicted outcome: {self.predicted[0]:.4g} ({self.predicted[1]}).")
        if self.improvement is not None:
            better = f"{self.improvement:.3g} better on average"
            lines.append(
                f"With it the recommendation is expected to be {better}, at a cost of {self.price:g}."
            )
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
        return f"suggestion {self.id}: set {said(self.intervention)}\n{self.why}"


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
        (*about_belief(full), *about_point(full, do)),
        proposal.reason,
    )


def unexplained(reason: str, price: float) -> Why:
    """A reason, and nothing that was worked out."""
    return Why(0.0, 0.0, "", price=price, reason=reason)


def _worth_naming(edges: Sequence[Settled]) -> tuple[Settled, ...]:
    return tuple(edge for edge in edges if edge.share >= SETTLED)[:MOST_EDGES]
