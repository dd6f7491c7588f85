r"""What a fantasy does to the draws: a rank-one update, no refit, no copy of a model.

With c the posterior covariance of a set's points with the imagined one, s, and h = c / (c_s + s2 / N),

    F' = F + (ybar - F_s - eps) h + (w' - w) (B - B_s h)      the fantasy's own set
    F' = F + (w' - w) B                                       every other set

eps ~ N(0, s2 / N), one for each draw (Matheron's rule); means and variances likewise.  So F' is a draw from
the posterior that a real outcome ybar of N samples would give, at held hyperparameters and V^.

========  =========  ===================================================
symbol    shape      meaning
========  =========  ===================================================
ybar      (L,)       mean outcome of each fantasy
dw        (L, G)     w' - w: what the fantasy's rows say of the graphs
BG        (G, S)     B by graph
Y         (L, J)     least value of each moved draw
p         (L, K)     the place of the least value, of the first K draws
========  =========  ===================================================
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceopt.acquisition.outlook import Outlook
from ceopt.maths.gp import Floats


class Moved(NamedTuple):
    """One set after each of L fantasies: least values of draws, where, and the surrogate's best point."""

    Y: Floats  # (L, J)
    p: NDArray[np.intp]  # (L, K)
    mu: Floats  # (L,)
    sd: Floats  # (L,)


class Error(NamedTuple):
    """Of the mean of a fantasy's samples: s2 / N, and one draw of it for each draw of f_I, (J,)."""

    variance: float
    eps: Floats


def still(look: Outlook, K: int) -> Moved:
    """The set as it is now, L = 1."""
    best = look.mean.argmin()
    return Moved(
        look.F.min(axis=0)[None],
        look.F[:, :K].argmin(axis=0)[None],
        look.mean[best][None],
        look.sd[best][None],
    )


class Fantasies(NamedTuple):
    """L outcomes imagined at point s, and what they say of the graphs, if that is asked."""

    s: int
    ybar: Floats  # (L,)
    dw: Floats | None  # (L, G)


def own(look: Outlook, fantasies: Fantasies, error: Error, K: int) -> Moved:
    """The set that the fantasies are about."""
    s, ybar, dw = fantasies
    h = look.C[:, s] / (look.C[s, s] + error.variance)
    off = ybar[:, None] - look.F[s] - error.eps
    F = np.multiply(h[:, None, None], off)
    F += look.F[:, None, :]
    mean = look.mean[:, None] + h[:, None] * (ybar - look.mean[s])
    if dw is not None:
        shift = (dw @ (look.BG - np.outer(look.BG[:, s], h))).T
        F += shift[:, :, None]
        mean = mean + shift
    variance = np.maximum(np.diag(look.C) - h * look.C[:, s], 0.0)
    return _least(F, mean, np.sqrt(variance), K)


def other(look: Outlook, dw: Floats, K: int) -> Moved:
    """A set that the fantasy is not about."""
    shift = (dw @ look.BG).T
    return _least(look.F[:, None, :] + shift[:, :, None], look.mean[:, None] + shift, look.sd, K)


def _least(F: Floats, mean: Floats, sd: Floats, K: int) -> Moved:
    """From draws (S, L, J), means (S, L) and standard deviations (S,)."""
    best = mean.argmin(axis=0)
    mu = mean[best, np.arange(len(best))]
    return Moved(np.minimum.reduce(F, axis=0), F[:, :, :K].argmin(axis=0), mu, sd[best])
