r"""The belief about one effect, f_I(x) = E[Y | do(X_I = x)]: a causal Gaussian process  [eq_surrogate].

    f_I ~ GP(m_I, k_I),   m_I(x) = E^[Y | do(x)],   k_I as in ceopt.inference.causal_kernel

A told y is f_I(x) + nu with nu ~ N(0, s2); rows at the same x enter as their mean, with s2 / N, which is
exact.  m_I moves with P(G | D); theta, s2 and V^ are held until they are `fitted` again, so that one more row
costs one more row.

==========  ========  ===============================================================
symbol      shape     meaning
==========  ========  ===============================================================
levels      (n, d)    distinct levels told, in the user's units
x           (n, d)    the same, as places in the unit cube of the domain
ybar        (n,)      mean outcome at each, standardised
N, SS       (n,)      how many rows, and their sum of squares about the mean
theta       (p,)      log hyperparameters of k_I, then log noise
w           (K,)      P(G | D) by effect key; w_held: the one that V^ was made with
effects               at the levels told, see ceopt.inference.effects
==========  ========  ===============================================================
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ceopt.inference.causal_kernel import CausalKernel, beside
from ceopt.inference.effects import Effects
from ceopt.inference.settings import Mechanisms
from ceopt.maths import fit, gp
from ceopt.maths.gp import Conditioned, Floats
from ceopt.maths.kernels import Rbf

VARIANCE, LENGTHSCALE = 0.1, 0.25  # centre of the priors of k: in variances of Y, in widths of the domain
KERNEL_SD, NOISE_SD = 1.0, 0.7  # sd of the priors of the log hyperparameters, and of the log noise
NOISE_FLOOR = 1e-6
RESTARTS = 2


class Told(NamedTuple):
    """Outcomes at the distinct levels of a set."""

    levels: Floats
    x: Floats
    ybar: Floats
    N: Floats
    SS: Floats


class Held(NamedTuple):
    """What is fitted, and kept while rows come in one by one."""

    theta: Floats
    w: Floats


class Joint(NamedTuple):
    """The belief about f_I at some levels together: mean (s,), covariance (s, s)."""

    mean: Floats
    covariance: Floats


class Marginals(NamedTuple):
    """The belief about f_I at some levels one by one: mean and standard deviation, (s,)."""

    mean: Floats
    sd: Floats


@dataclass(frozen=True, eq=False)
class Surrogate:
    """f_I given D: see the module."""

    told: Told
    effects: Effects  # at told.x
    w: Floats
    held: Held
    settings: Mechanisms
    given: Conditioned

    @property
    def kernel(self) -> CausalKernel:
        """k_I of [eq_surrogate]."""
        return kernel_of(self.told.x.shape[1])

    @property
    def s2(self) -> float:
        """Noise variance of one row."""
        return float(NOISE_FLOOR + np.exp(self.held.theta[-1]))

    def joint(self, x: Floats, effects: Effects) -> Joint:
        """Posterior mean and covariance at x (s, d), where the effects (K, s) are as given."""
        at, K_sX = self._prior(x, effects)
        K_ss = self.kernel.matrix(self.held.theta[:-1], at, at)
        return Joint(effects.mean(self.w) + gp.mean(self.given, K_sX), gp.covariance(self.given, K_sX, K_ss))

    def smoother(self, x: Floats, effects: Effects) -> Floats:
        """A, (s, n): how the posterior mean at x answers to what was told."""
        _, K_sX = self._prior(x, effects)
        n = len(self.told.ybar)
        return gp.solve_upper(self.given.L, gp.solve_lower(self.given.L, K_sX.T)).T if n else K_sX

    def marginals(self, x: Floats, effects: Effects) -> Marginals:
        """Posterior mean and standard deviation at each x (s, d)."""
        at, K_sX = self._prior(x, effects)
        k_ss = self.kernel.diagonal(self.held.theta[:-1], at)
        return Marginals(
            effects.mean(self.w) + gp.mean(self.given, K_sX), np.sqrt(gp.variance(self.given, K_sX, k_ss))
        )

    def _prior(self, x: Floats, effects: Effects) -> tuple[Floats, Floats]:
        """x with its doubt beside it, and k_I between x and what was told, (s, n)."""
        at = beside(x, effects, self.held.w, self.settings)
        told = beside(self.told.x, self.effects, self.held.w, self.settings)
        return at, self.kernel.matrix(self.held.theta[:-1], at, told)


def kernel_of(dimension: int) -> CausalKernel:
    """k_I of [eq_surrogate]."""
    return CausalKernel(Rbf(dimension, VARIANCE, LENGTHSCALE))


def gather(levels: Floats, y: Floats, to_unit: Callable[[Floats], Floats]) -> Told:
    """Rows (q, d), (q,) brought together by equal levels."""
    distinct, place = np.unique(levels, axis=0, return_inverse=True)
    place = place.reshape(-1)
    N = np.bincount(place, minlength=len(distinct)).astype(np.float64)
    ybar = np.bincount(place, weights=y, minlength=len(distinct)) / np.maximum(N, 1)
    SS = np.bincount(place, weights=(y - ybar[place]) ** 2, minlength=len(distinct)).astype(np.float64)
    return Told(distinct, to_unit(distinct), ybar, N, SS)


def make(told: Told, effects: Effects, w: Floats, held: Held, settings: Mechanisms) -> Surrogate:
    """f_I given what was told, at held hyperparameters and V^."""
    kernel, at = kernel_of(told.x.shape[1]), beside(told.x, effects, held.w, settings)
    s2 = NOISE_FLOOR + np.exp(held.theta[-1])
    K = kernel.matrix(held.theta[:-1], at, at) + np.diag(s2 / told.N)
    return Surrogate(told, effects, w, held, settings, gp.condition(K, told.ybar - effects.mean(w)))


def reweighted(surrogate: Surrogate, w: Floats) -> Surrogate:
    """The same data under another P(G | D): only the prior mean moves."""
    r = surrogate.told.ybar - surrogate.effects.mean(w)
    a = gp.solve_lower(surrogate.given.L, r) if len(r) else r
    return replace(surrogate, w=w, given=Conditioned(surrogate.given.L, a))


def fitted(told: Told, effects: Effects, w: Floats, noise: float, settings: Mechanisms) -> Held:
    """MAP hyperparameters and the V^ of now; `noise` centres the prior of s2 (shared in form by all sets)."""
    kernel = kernel_of(told.x.shape[1])
    p = len(kernel.centre)
    prior = fit.Prior(np.r_[kernel.centre, np.log(noise)], np.r_[np.full(p, KERNEL_SD), NOISE_SD])
    if not len(told.ybar):
        return Held(prior.mean, w)
    at, r = beside(told.x, effects, w, settings), told.ybar - effects.mean(w)
    regression = fit.Regression(kernel, at, r, told.N, told.SS, NOISE_FLOOR)
    return Held(fit.maximum(regression, prior, fit.starts(prior, RESTARTS)), w)
