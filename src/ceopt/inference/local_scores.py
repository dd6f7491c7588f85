r"""How well each (node, parents) explains its node: the terms of the graph likelihood  [eq:lik_dataI].

    score = tempering * log p(D^O_j | D^O_Pa_j) + log p(v_j of the rows in which j was not set | Pa_j, D^O)

The second term is the chain rule over rows (each given D^O and all earlier rows), so their order does not
matter; with the hyperparameters held it is the difference of two log evidences.  A row counts for a pair
when the node was measured and not set, and all its parents were measured or set; see
ceopt.inference.incomplete for the other rows.

======  ============  ==========================================================
symbol  shape         meaning
======  ============  ==========================================================
v       (q,)          values of the node
P       (q, d)        values of its parents
X       (n + q, d)    parents of every row seen so far, D^O first
======  ============  ==========================================================
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.graph import Pair
from ceopt.inference.mechanisms import Mechanism, Root
from ceopt.maths import conjugate, gp
from ceopt.maths.gp import Conditioned, Floats


class Rows(NamedTuple):
    """Standardised outcomes: values (q, V) with NaN for what was not measured, and which of them were set."""

    columns: dict[str, int]
    values: Floats
    was_set: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RootScore:
    """A node without parents: D^O and the further values."""

    values: Floats
    before: float  # log p(D^O_j)

    @property
    def gained(self) -> float:
        """log p(further values | D^O)."""
        return conjugate.log_evidence(self.values) - self.before

    def see(self, P: Floats, v: Floats) -> "RootScore":
        """The score after further values."""
        return replace(self, values=np.concatenate([self.values, v]))


@dataclass(frozen=True, eq=False)
class MechanismScore:
    """A node with parents: the process conditioned on D^O and the further rows."""

    mechanism: Mechanism
    X: Floats
    given: Conditioned
    before: float  # log p(D^O_j | D^O_Pa_j) at the fitted hyperparameters

    @property
    def gained(self) -> float:
        """log p(further rows | D^O)."""
        return gp.log_evidence(self.given) - self.before

    def see(self, P: Floats, v: Floats) -> "MechanismScore":
        """The score after further rows."""
        f = self.mechanism
        K_nn = f.kernel.matrix(f.theta, P, P) + f.s2 * np.eye(len(P))
        given = gp.extend(self.given, f.kernel.matrix(f.theta, P, self.X), K_nn, v)
        return replace(self, X=np.concatenate([self.X, P]), given=given)


LocalScore = RootScore | MechanismScore


def start(mechanism: Root | Mechanism) -> LocalScore:
    """The score of D^O alone."""
    if isinstance(mechanism, Root):
        return RootScore(mechanism.values, conjugate.log_evidence(mechanism.values))
    return MechanismScore(mechanism, mechanism.X, mechanism.given, gp.log_evidence(mechanism.given))


def countable(pair: Pair, rows: Rows) -> NDArray[np.bool_]:
    """(q,) the rows that count for the pair."""
    node, parents = pair
    j, chosen = rows.columns[node], [rows.columns[parent] for parent in parents]
    measured = np.isfinite(rows.values)
    return np.asarray(measured[:, j] & ~rows.was_set[:, j] & measured[:, chosen].all(axis=1))


def see(pair: Pair, score: LocalScore, rows: Rows) -> LocalScore:
    """The score of the pair after those of the rows that count for it."""
    use = countable(pair, rows)
    if not use.any():
        return score
    chosen = [rows.columns[parent] for parent in pair[1]]
    return score.see(rows.values[use][:, chosen], rows.values[use, rows.columns[pair[0]]])


def value(mechanism: Root | Mechanism, score: LocalScore, tempering: float) -> float:
    """The score itself, in nats."""
    return tempering * mechanism.evidence + score.gained
