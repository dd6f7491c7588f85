r"""What each variable does with its parents, learnt from D^O: X_j = f_j(Pa_j) + eps_j  [eq:our_sem_eq].

One mechanism for each distinct (node, parents) of the support, whatever the number of graphs that share it.
f_j ~ GP(0, k_j), eps_j ~ N(0, s2), everything in standardised units; see ceopt.maths.fit for the
hyperparameters. A parentless node is normal with conjugate priors in the likelihood, and replays its
observed values in simulations.

Joint draws of f_j come from weights W on a cover Z of inputs, those seen and more over their range and
domain.  With g_s a draw from the prior,

    f^(s)(x) = k(x, X) alpha + k(x, Z) W_s,   W_s = K_ZZ^-1 g_s - [K^-1 (g_s(X) + sqrt(s2) e_s); 0],

which is Matheron's rule; draws come in mirrored pairs, so that their mean is the posterior mean.

=======  ===========  =============================================
symbol   shape        meaning
=======  ===========  =============================================
X, v     (n, d) (n,)  parents and node in D^O
Z        (n + e, d)   the cover, X first
W        (n + e, S)   deviations of the S function draws
=======  ===========  =============================================
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np

from ceopt.domain.graph import Pair
from ceopt.errors import ProblemError
from ceopt.inference.settings import Mechanisms
from ceopt.inference.threads import one_blas_thread
from ceopt.maths import conjugate, fit, gp
from ceopt.maths.gp import Conditioned, Floats
from ceopt.maths.kernels import Kernel, kernel_for
from ceopt.maths.quasi import lattice

KERNEL_SD = 1.5  # weak priors of log hyperparameters: sd of the kernel's,
NOISE_CENTRE, NOISE_SD = np.log(0.1), 2.0  # and centre and sd of the log noise variance
SEARCH_ROWS = 250  # starts are compared on this many rows, the best is polished on all
WORTH_PROCESSES = 4e9  # sum of n^3: below it, starting processes takes longer than it saves
COVER = 64  # inputs added to those seen, for function draws


@dataclass(frozen=True, eq=False)
class Root:
    """A node without parents: its observed values, standardised and sorted."""

    values: Floats  # (n,)
    evidence: float  # log p(D^O_j)


@dataclass(frozen=True, eq=False)
class Mechanism:
    """f_j and its noise given D^O, at fitted hyperparameters."""

    kernel: Kernel
    theta: Floats  # log hyperparameters of the kernel
    s2: float  # noise variance
    X: Floats
    given: Conditioned
    alpha: Floats  # (n,)
    evidence: float  # log p(D^O_j | D^O_Pa_j), hyperparameters integrated out
    Z: Floats
    W: Floats

    def mean(self, P: Floats) -> Floats:
        """E[f(P) | D^O], (s,)."""
        return self.kernel.matrix(self.theta, P, self.X) @ self.alpha

    def variance(self, P: Floats) -> Floats:
        """Var[f(P) | D^O], (s,)."""
        K_sX = self.kernel.matrix(self.theta, P, self.X)
        return gp.variance(self.given, K_sX, self.kernel.diagonal(self.theta, P))


def learn(
    pair: Pair, rows: Floats, columns: dict[str, int], box: Floats, settings: Mechanisms
) -> Root | Mechanism:
    """The mechanism of a pair from standardised rows (n, V); box (2, V) is where draws must be right."""
    node, parents = pair
    v = rows[:, columns[node]]
    if not parents:
        return Root(np.sort(v), conjugate.log_evidence(v))
    chosen = [columns[parent] for parent in parents]
    X = np.ascontiguousarray(rows[:, chosen])
    kernel = usable_kernel(settings, pair, X)
    regression = fit.rows(kernel, X, v, settings.noise_floor)
    try:
        found = _fitted(regression, settings.restarts)
    except np.linalg.LinAlgError:
        raise ProblemError(_unusable(pair, "it gives no covariance")) from None
    theta, s2 = found.theta[:-1], fit.noise(regression, found.theta)
    K = kernel.matrix(theta, X, X)
    given = gp.condition(K + s2 * np.eye(len(X)), v)
    evidence = found.log_evidence if settings.score == "laplace" else gp.log_evidence(given)
    low, high = box[:, chosen]
    Z = np.vstack([X, low + (high - low) * lattice(COVER, len(parents))])
    rng = np.random.default_rng([settings.seed, crc32(repr(pair).encode())])
    W = _function_draws(
        kernel.matrix(theta, Z, Z), given, s2, rng.standard_normal((2, len(Z), settings.draws // 2))
    )
    return Mechanism(kernel, theta, s2, X, given, gp.weights(given), evidence, Z, W)


def learn_all(
    pairs: Sequence[Pair], rows: Floats, columns: dict[str, int], box: Floats, settings: Mechanisms
) -> dict[Pair, Root | Mechanism]:
    """The mechanism of each pair; they do not depend on each other, nor on the number of processes."""
    work = sum(len(rows) ** 3 for _, parents in pairs if parents)
    one = partial(learn_alone, rows=rows, columns=columns, box=box, settings=settings)
    if work < WORTH_PROCESSES or os.cpu_count() == 1:
        return dict(zip(pairs, map(one, pairs), strict=True))
    from joblib import Parallel, delayed  # here, as loading it takes a while

    return dict(zip(pairs, Parallel(n_jobs=-1)(delayed(one)(pair) for pair in pairs), strict=True))


def learn_alone(
    pair: Pair, rows: Floats, columns: dict[str, int], box: Floats, settings: Mechanisms
) -> Root | Mechanism:
    """`learn` on one BLAS thread, wherever it runs."""
    with one_blas_thread():
        return learn(pair, rows, columns, box, settings)


def usable_kernel(settings: Mechanisms, pair: Pair, X: Floats) -> Kernel:
    """The kernel of a pair, tried on a few rows of X: the gate of Mechanisms(kernel=...)."""
    try:
        kernel = kernel_for(settings.kernel, len(pair[1]))
        K = kernel.matrix(kernel.centre, X[:3], X[:3])
        variances = kernel.diagonal(kernel.centre, X[:3])
    except (AttributeError, TypeError, ValueError) as error:
        raise ProblemError(_unusable(pair, str(error))) from None
    if K.shape != 2 * variances.shape or not np.isfinite(K).all():
        raise ProblemError(_unusable(pair, "it gives no matrix of finite numbers"))
    if not np.allclose(np.diag(K), variances):
        raise ProblemError(
            _unusable(pair, "it has noise of its own; leave WhiteKernel out, as noise is added anyway")
        )
    return kernel


def _unusable(pair: Pair, reason: str) -> str:
    node, parents = pair
    return f"kernel= cannot be used for {node!r} given its {len(parents)} parent(s): {reason}"


def prior_of(kernel: Kernel) -> fit.Prior:
    """Weak normal priors over the log hyperparameters and the log noise."""
    centre = kernel.centre
    return fit.Prior(np.r_[centre, NOISE_CENTRE], np.r_[np.full(len(centre), KERNEL_SD), NOISE_SD])


def _fitted(regression: fit.Regression, restarts: int) -> fit.Fit:
    """MAP hyperparameters; with many rows the starts are compared on some of them only."""
    prior = prior_of(regression.kernel)
    candidates = fit.starts(prior, restarts)
    n = len(regression.r)
    if n > SEARCH_ROWS:
        some = np.linspace(0, n - 1, SEARCH_ROWS).astype(int)
        fewer = fit.rows(regression.kernel, regression.X[some], regression.r[some], regression.floor)
        candidates = fit.maximum(fewer, prior, candidates)[None]
    return fit.fit(regression, prior, candidates)


def _function_draws(K_ZZ: Floats, given: Conditioned, s2: float, z: Floats) -> Floats:
    """W from standard normals z (2, n + e, S/2)."""
    n = len(given.a)
    L = gp.cholesky(K_ZZ + 1e-9 * np.mean(np.diag(K_ZZ)) * np.eye(len(K_ZZ)))
    W = gp.solve_upper(L, z[0])
    seen = K_ZZ[:n] @ W + np.sqrt(s2) * z[1, :n]
    W[:n] -= gp.solve_upper(given.L, gp.solve_lower(given.L, seen))
    return np.concatenate([W, -W], axis=1)
