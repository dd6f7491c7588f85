r"""What the best value may be, and which set may hold it  [eq:pystar].

    p(y* | D) = sum_I P(X_I = X*) p(y*_I | D),

y*_I the least value of a joint draw of f_I.  The belief over the best set is the paper's (appendix H, turned
for minimising, in standard deviations of Y)

    P(X_I = X*) ~ exp(-mu_I* + beta sigma_I*),

mu_I* and sigma_I* those of the surrogate's best point; or the share of joint draws in which the set holds the
best value, y* then being the best over all sets of each draw.

========  ============  ==========================================================
symbol    shape         meaning
========  ============  ==========================================================
Y         (b, I, J)     least values of J draws of each of I sets, b cases at once
mu, sd    (b, I)        mu_I*, sigma_I*
q         (b, I)        P(X_I = X*)
========  ============  ==========================================================
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import softmax

from ceopt.maths import kde
from ceopt.maths.gp import Floats

Weights: TypeAlias = Literal["softmax", "draws"]
WEIGHTS = ("softmax", "draws")


@dataclass(frozen=True, eq=False)
class Optimum:
    """The belief about the best value, b cases at once: see the module."""

    Y: Floats
    mu: Floats
    sd: Floats
    beta: float
    weights: Weights

    @property
    def q(self) -> Floats:
        """P(X_I = X*), (b, I)."""
        if self.weights == "softmax":
            return np.asarray(softmax(self.beta * self.sd - self.mu, axis=1))
        return shares(self.Y)

    def entropy(self) -> Floats:
        """H[p(y*)], (b,)."""
        b, sets, J = self.Y.shape
        if self.weights == "draws":
            return kde.entropies(self.Y.min(axis=1), np.full((1, J), 1 / J))
        return kde.entropies(self.Y.reshape(b, sets * J), np.repeat(self.q / J, J, axis=1))

    def of_draws(self, few: int) -> Floats:
        """The weight of each of the first few draws of each set in the mixture, (b, I, few)."""
        if self.weights == "softmax":
            return np.repeat(self.q[:, :, None] / few, few, axis=2)
        Y = self.Y[:, :, :few]
        return np.asarray((Y.argmin(axis=1)[:, None] == np.arange(Y.shape[1])[:, None]) / few)


def shares(Y: Floats) -> Floats:
    """In which share of the joint draws each set holds the best value, (b, I)."""
    holder = Y.argmin(axis=1)
    return np.stack([(holder == i).mean(axis=1) for i in range(Y.shape[1])], axis=1)
