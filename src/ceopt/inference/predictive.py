r"""What a mechanism expects of N further rows, given all that was seen: D^O and the rows told so far.

A block is N rows under one intervention.  Given the parents' values its law is

    v ~ N(m(P), C(P, P) + s2 I)                  (a node with parents)
    v_i | mu, s2 ~ N(mu, s2), conjugate prior    (a node without)

jointly, so that a block counts for what its rows have in common once; for N = 1 it is the predictive density
of [eq:lik_dataI].  Adding the block to a local score changes that score by exactly this log density.

========  =============  ==============================================================
symbol    shape          meaning
========  =============  ==============================================================
P         (S, Q, N, d)   parents of the rows: S points, Q blocks at each; 1 where shared
v         (S, Q, N)      values of the node
u         (Q, N)         uniform noise
m, C      (S, Q, N)      mean; and (S, Q, N, N) covariance of the function
========  =============  ==============================================================
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from ceopt.inference.local_scores import LocalScore, MechanismScore, RootScore
from ceopt.inference.simulation import replay
from ceopt.maths import conjugate, gp
from ceopt.maths.gp import LOG_2PI, Floats


class Expected(NamedTuple):
    """The law of a block, but for noise: mean, (.., N or 1), and covariance of the function there.

    A shared input has the one-by-one covariance that its rows have in common.
    """

    m: Floats
    C: Floats
    s2: float


def expected(score: MechanismScore, P: Floats) -> Expected:
    """The function at parents P."""
    f, (S, Q, N, d) = score.mechanism, P.shape
    flat = P.reshape(-1, d)
    K = f.kernel.matrix(f.theta, flat, score.X)
    m = gp.mean(score.given, K).reshape(S, Q, N)
    if N == 1:
        c = gp.variance(score.given, K, f.kernel.diagonal(f.theta, flat))
        return Expected(m, c.reshape(S, Q, 1, 1), f.s2)
    A = gp.solve_lower(score.given.L, K.T).reshape(-1, S * Q, N).transpose(1, 2, 0)
    prior = np.array([f.kernel.matrix(f.theta, p, p) for p in P.reshape(-1, N, d)])
    return Expected(m, (prior - A @ A.transpose(0, 2, 1)).reshape(S, Q, N, N), f.s2)


def log_density(score: LocalScore, P: Floats, v: Floats) -> Floats:
    """log p(v | P, D) of each block, (S, Q)."""
    if isinstance(score, RootScore):
        return conjugate.log_predictive(score.values, v)
    m, C, s2 = expected(score, P)
    r, N = v - m, v.shape[-1]
    if C.shape[-1] == N:
        L = np.linalg.cholesky(C + s2 * np.eye(N)) if N > 1 else np.sqrt(np.maximum(C, 0.0) + s2)
        z = np.linalg.solve(L, r[..., None])[..., 0] if N > 1 else r / L[..., 0]
        log_det = np.log(np.diagonal(L, axis1=-2, axis2=-1)).sum(axis=-1)
        return np.asarray(-0.5 * (z**2).sum(axis=-1) - log_det - 0.5 * N * LOG_2PI)
    c = np.maximum(C[..., 0, 0], 0.0)
    along = s2 + N * c  # the variance along the rows' mean; s2 in every other direction
    mean = r.mean(axis=-1)
    spread = ((r - mean[..., None]) ** 2).sum(axis=-1)
    value = -0.5 * (spread / s2 + N * mean**2 / along)
    return np.asarray(value - 0.5 * ((N - 1) * np.log(s2) + np.log(along) + N * LOG_2PI))


def simulated(score: LocalScore, P: Floats, u: Floats) -> Floats:
    """Blocks drawn from that law by noise u, (S, Q, N) or what broadcasts to it."""
    if isinstance(score, RootScore):
        return replay(score.values, u)[None]
    m, C, s2 = expected(score, P)
    z, N = ndtri(u), u.shape[-1]
    if N == 1:
        return np.asarray(m + np.sqrt(np.maximum(C[..., 0], 0.0) + s2) * z)
    if C.shape[-1] == N:
        L = np.linalg.cholesky(C + s2 * np.eye(N))
        return np.asarray(m + (L @ np.broadcast_to(z, m.shape)[..., None])[..., 0])
    return gp.samples(m, np.maximum(C[..., 0], 0.0), s2, z)
