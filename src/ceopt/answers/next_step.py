"""One step of Algorithm 1: from what is believed to the next experiment, whatever the numbers do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ceopt.acquisition.pending import Open, worlds
from ceopt.acquisition.space_filling import space_filling
from ceopt.answers.limits import FAILURES, numbers
from ceopt.answers.suggestion import Suggestion, Why, explained, unexplained
from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.errors import MethodError, NumericsError
from ceopt.inference.belief import Belief
from ceopt.methods.method import Asking, Method, Proposal


class Moment(NamedTuple):
    """Where a study stands: its question, how to work out its belief, what was done, and what is open."""

    problem: Problem
    belief: Callable[[], Belief]
    done: tuple[Intervention, ...]
    waiting: tuple[Suggestion, ...]


class Step(NamedTuple):
    """What is proposed, what it costs, and why; a suggestion, but for its number."""

    proposal: Proposal
    cost: float
    why: Why
    samples: int

    def suggestion(self, number: int) -> Suggestion:
        """With its number."""
        proposal = self.proposal
        return Suggestion(number, proposal.intervention, self.cost, proposal.worth, self.why, self.samples)


def next_step(method: Method, moment: Moment, seed: tuple[int, ...], samples: int) -> Step:
    """What the method proposes and why; where its numbers fail, the experiment farthest from all others."""
    waiting = [Open(one.intervention, one.samples) for one in moment.waiting]
    problem, asking = moment.problem, Asking(seed, samples)
    try:
        with numbers():
            full = moment.belief()
            own = method.believe(full)
            if not isinstance(own, Belief):
                raise MethodError(f"the method {method.name!r} believes {own!r}, but a belief is wanted")
            proposal = checked(method.propose(worlds(own, waiting, seed), asking), method, problem)
    except NumericsError as e:
        far = space_filling(problem, (*moment.done, *(one.intervention for one in moment.waiting)))
        failed = e.__cause__ or e
        said = f"the numbers failed ({type(failed).__name__}: {failed})"
        reason = f"{said}, so this experiment is only one far from those done"
        price = problem.price(far)
        return Step(Proposal(far, reason=reason), price, unexplained(reason, price), samples)
    again = [one.id for one in moment.waiting if one.intervention == proposal.intervention]
    if again and not proposal.reason:
        same = f"the same as suggestion {again[0]}, which is open: measured twice, it still promises most"
        proposal = proposal._replace(reason=same)
    price = problem.price(proposal.intervention)
    try:
        why = explained(full, own, proposal, asking)
    except FAILURES as e:
        why = unexplained(f"the reasons could not be worked out ({type(e).__name__}: {e})", price)
    return Step(proposal, price, why, samples)


def checked(proposal: Proposal, method: Method, problem: Problem) -> Proposal:
    """A proposal that can be carried out."""
    if not isinstance(proposal, Proposal):
        raise MethodError(
            f"the method {method.name!r} proposed {proposal!r}, but a ceopt.methods.Proposal is wanted"
        )
    do = proposal.intervention
    if not isinstance(do, Intervention):
        raise MethodError(f"the method {method.name!r} proposed {do!r}, but an Intervention is wanted")
    if not np.isfinite(proposal.worth):
        raise FloatingPointError(f"the method {method.name!r} found a gain of {proposal.worth}")
    if do.targets not in problem.sets:
        known = "; ".join(", ".join(one) for one in problem.sets)
        raise MethodError(
            f"the method {method.name!r} proposed to set {', '.join(do.targets)}; the sets are {known}"
        )
    if not problem.inside(do):
        raise MethodError(f"the method {method.name!r} proposed {do}, which lies outside the domain")
    return proposal
