"""What a method is: Algorithm 1 with two places left open.

    infer    the belief given all data                        ceopt.inference.belief.infer, the same for all
    believe  the belief as this method holds it               a method's own
    propose  the next experiment, from what is believed       a method's own
    update   the belief after its outcome                     ceopt.inference.belief.update, the same for all

A method is any value with a `name` and those two pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from ceopt.acquisition.choice import Ranked
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief


class Asking(NamedTuple):
    """What a proposal depends on besides the belief: the dice, and the samples planned for the experiment."""

    seed: tuple[int, ...]
    samples: int = 1


class Proposal(NamedTuple):
    """The next experiment, what it is expected to bring, and what came after it."""

    intervention: Intervention
    optimum: float = 0.0  # the part of the gain that is about the best value
    graph: float = 0.0  # and the part that is about the graph
    worth: float = 0.0  # their sum for each unit of cost
    unit: str = ""  # of the gain: "nats", or that of the target
    runners_up: tuple[Ranked, ...] = ()
    reason: str = ""  # in words, where it was not the largest gain that decided


@runtime_checkable
class Method(Protocol):
    """A way to choose the next experiment."""

    @property
    def name(self) -> str:
        """What `create_study(method=...)` calls it."""

    def believe(self, belief: Belief) -> Belief:
        """The belief as this method holds it, from the full one; also what it recommends by."""

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """The next experiment, from equally likely beliefs: one for each world of open experiments."""
