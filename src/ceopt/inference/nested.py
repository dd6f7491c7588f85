r"""Sets that bring nothing over a smaller one: setting more costs more, and moves the target no further.

Under a graph g, only those of X_I act on Y that Y, or a cause of it, listens to in the mutilated graph; call
them I(g).  A smaller set X_S that holds them all does the same: E[Y | do(X_I), g] = E[Y | do(X_S), g].  So
X_I is superfluous if some smaller set is explored, costs no more, and has

    P(I(g) within X_S | D)  >  SURE.

Two surrogates that model one effect would be told apart by their errors alone: of many untried levels of the
larger set, some look better by chance.
"""

from __future__ import annotations

from dataclasses import replace

from ceopt.domain.intervention import Intervention
from ceopt.domain.problem import Problem
from ceopt.inference.belief import Belief
from ceopt.inference.learnt import Targets

SURE = 0.95


def superfluous(belief: Belief, targets: Targets) -> float:
    """The probability that a smaller set does the same, for the likeliest one."""
    problem, most = belief.problem, _price(belief.problem, targets)
    smaller = [one for one in problem.sets if set(one) < set(targets) and _price(problem, one) <= most]
    if not smaller:
        return 0.0
    acting, P = belief.learnt.acting(targets), belief.graphs.probabilities
    within = (~acting[:, [v not in one for v in problem.variables]].any(axis=1) for one in smaller)
    return max(float(P @ same) for same in within)


def without_superfluous(belief: Belief) -> Belief:
    """The same belief, for the sets that may bring something of their own."""
    sets = tuple(t for t in belief.problem.sets if superfluous(belief, t) <= SURE)
    if sets == belief.problem.sets:
        return belief
    problem = belief.problem.seen_with(belief.problem.graphs, sets)
    return replace(belief, problem=problem, surrogates={t: belief.surrogates[t] for t in sets})


def _price(problem: Problem, targets: Targets) -> float:
    """In the middle of the domain."""
    return problem.price(Intervention(targets, tuple(float(problem.domain(v).grid(1)[0]) for v in targets)))
