r"""How unsure are we, jointly, about the best value and the graph?

Paper [eq:joint_entropy], [eq:jointeentr], everything conditional on D and in nats:

    H[p(y*, G)] = E_{p(y*)} H[P(G | y*)] + H[p(y*)]

The first term is a sum over draws of y*, each with its place x* (ceopt.acquisition.hypothetical); the second
is the entropy of a smoothed mixture (ceopt.acquisition.optimum).

=====  =======  ==============================================
symbol shape    meaning
=====  =======  ==============================================
log_w  (b, G)   log P(g | D) in each of b cases
=====  =======  ==============================================
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ceopt.acquisition.hypothetical import Table, entropy
from ceopt.acquisition.moves import Moved
from ceopt.acquisition.optimum import Optimum
from ceopt.acquisition.scene import Choices
from ceopt.maths.gp import Floats


class Entropy(NamedTuple):
    """The two terms, (b,) each; a part that is not asked for is 0."""

    optimum: Floats  # H[p(y*)]
    graph: Floats  # E H[P(G | y*)], or H[P(G)] where y* is not asked for

    @property
    def joint(self) -> Floats:
        """H[p(y*, G)]."""
        return self.optimum + self.graph


def best_value(moved: Sequence[Moved], choices: Choices) -> Optimum:
    """The belief about y* from what each set may reach."""
    Y = np.stack([one.Y for one in moved], axis=1)
    mu, sd = (np.stack([getattr(one, name) for one in moved], axis=1) for name in ("mu", "sd"))
    return Optimum(Y, mu, sd, choices.beta, choices.weights)


def of_value(moved: Sequence[Moved], choices: Choices) -> Entropy:
    """H[p(y*)] alone: nothing is asked about the graph."""
    value = best_value(moved, choices).entropy()
    return Entropy(value, np.zeros_like(value))


def of_graph(log_w: Floats) -> Entropy:
    """H[P(G)] alone: nothing is asked about the best value."""
    value = entropy(log_w)
    return Entropy(np.zeros_like(value), value)


def of_both(
    moved: Sequence[Moved], log_w: Floats, tables: Sequence[Table], few: int, choices: Choices
) -> Entropy:
    """H[p(y*, G)], [eq:jointeentr]."""
    best = best_value(moved, choices)
    weights = best.of_draws(few)
    each = [
        table.expected_entropy(log_w, one.p, one.Y[:, :few], weights[:, i])
        for i, (table, one) in enumerate(zip(tables, moved, strict=True))
    ]
    return Entropy(best.entropy(), np.sum(each, axis=0))
