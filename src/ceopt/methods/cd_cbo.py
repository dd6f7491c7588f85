"""First the graph, then the optimum: causal discovery until one graph has 0.9, then CBO on it.

The paper's comparison (its section 5.2): what a joint approach is held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ceopt.errors import MethodError
from ceopt.inference.belief import Belief
from ceopt.inference.nested import without_superfluous
from ceopt.methods.cbo import CBO, knowing, most_probable
from ceopt.methods.method import Asking, Proposal
from ceopt.methods.mi import MI
from ceopt.methods.options import check_share


@dataclass(frozen=True)
class CDCBO:
    """MI while the graph is in doubt, CBO when it is not; judged anew at each step, and all data are kept.

    found      P(G | D) above which the leading graph counts as found
    discovery  how it is looked for
    search     what is done then; its graph is the one found
    """

    found: float = 0.9
    discovery: MI = field(default_factory=MI)
    search: CBO = field(default_factory=CBO)

    name = "cd-cbo"

    def __post_init__(self) -> None:
        check_share("found", self.found)
        if self.found >= 1:
            raise MethodError(f"found= is a probability below 1, but got {self.found!r}")
        for option, kind in (("discovery", MI), ("search", CBO)):
            if not isinstance(getattr(self, option), kind):
                wanted = f"{option}= is a ceopt.methods.{kind.__name__}(...)"
                raise MethodError(f"{wanted}, but got {getattr(self, option)!r}")

    def believe(self, belief: Belief) -> Belief:
        """All of it, or as if the graph that was found were known."""
        if belief.graphs.probabilities.max() > self.found:
            return without_superfluous(knowing(belief, most_probable(belief.graphs)))
        return belief

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """By the graph, or by the optimum."""
        found = len(beliefs[0].graphs) == 1
        return (self.search if found else self.discovery).propose(beliefs, asking)
