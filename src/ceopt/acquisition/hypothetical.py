r"""P(G | y*, D): what the graphs would be, had the best value been seen at its place  [eq:jointeentr].

A draw of [eq:pystar] comes with its place x*; a hypothetical row there has Y = y* and the rest simulated, in
the topological order of a graph drawn from P(G | D), given that y*.  What such rows say of the graphs is
worked out beforehand, at every acquisition point, for a few values of y; a draw's y* lies between two of
them.

======  ==============  =====================================================================
symbol  shape           meaning
======  ==============  =====================================================================
T       (S, R, M, G)    log p(row | g, D): S points, R values of y, M simulated rows
p       (b, K)          the point of the least value of each draw
y       (b, K)          that value
log_w   (b, G)          log P(g | D), or after a fantasy
======  ==============  =====================================================================
"""

from dataclasses import dataclass

import numpy as np

from ceopt.acquisition.fantasies import Rows
from ceopt.acquisition.gain import Places
from ceopt.acquisition.outlook import Outlook
from ceopt.maths.gp import Floats

VALUES = np.array([-4.0, -2.5, -1.25, 0.0, 1.5])  # of y at a point: its mean and so many standard deviations
ROWS = 2  # M
AT_ONCE = 2_000_000  # numbers worked out together: bounds memory


@dataclass(frozen=True, eq=False)
class Table:
    """Hypothetical rows of one set: see the module."""

    T: Floats
    mean: Floats  # (S,)
    sd: Floats  # (S,)

    def expected_entropy(self, log_w: Floats, p: Places, y: Floats, weights: Floats) -> Floats:
        """sum_k weights_k H[P(G | y*_k)] of each case, (b,)."""
        b, K = p.shape
        at_once = max(1, AT_ONCE // (K * self.T.shape[-1]))
        cuts = range(at_once, b, at_once)
        blocks = zip(*(np.split(part, cuts) for part in (log_w, p, y, weights)), strict=True)
        return np.concatenate([self._block(*block) for block in blocks])

    def _block(self, log_w: Floats, p: Places, y: Floats, weights: Floats) -> Floats:
        where = np.interp((y - self.mean[p]) / self.sd[p], VALUES, np.arange(len(VALUES)))
        r = np.minimum(where.astype(np.intp), len(VALUES) - 2)
        m = np.broadcast_to(np.arange(p.shape[1]) % self.T.shape[2], p.shape)
        share = (where - r)[..., None]
        ell = self.T[p, r, m] * (1 - share) + self.T[p, r + 1, m] * share
        return np.asarray((weights * entropy(log_w[:, None, :] + ell)).sum(axis=1))


def table(look: Outlook, rows: Rows, u: Floats) -> Table:
    """The table of one set, from noise u (2 + V, M, 1)."""
    sd = np.maximum(look.sd, 1e-3 * max(1e-6, float(look.sd.max())))
    y = look.mean[:, None] + sd[:, None] * VALUES  # (S, R)
    R, M = len(VALUES), u.shape[1]
    ell = rows.log_likelihoods(np.repeat(y, M, axis=1)[..., None], np.tile(u, (1, R, 1)))
    return Table(ell.reshape(len(sd), R, M, -1), look.mean, sd)


def entropy(a: Floats) -> Floats:
    """H of the softmax of a over its last axis."""
    a = a - a.max(axis=-1, keepdims=True)
    e = np.exp(a)
    Z = e.sum(axis=-1)
    return np.asarray(np.log(Z) - np.einsum("...g,...g->...", e, a) / Z)
