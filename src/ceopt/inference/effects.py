r"""E[Y | do(X_I = x)] under each graph, and how uncertain it is  [eq:prior_mean_int], [eq:prior_var_int].

Graphs that agree on all that matters share an effect key (ceopt.inference.keys).  By the laws of total mean
and variance, with w = P(G | D) by key,

    E^[Y | do(x)] = sum_g w_g E_g(x)
    V^[Y | do(x)] = sum_g w_g F_g(x)   the functions f_j are in doubt
                  + sum_g w_g N_g(x)   the outcome is noisy, even if they were known
                  + sum_g w_g E_g(x)^2 - (sum_g w_g E_g(x))^2   the graph is in doubt.

=======  ========  ========================================================
symbol   shape     meaning
=======  ========  ========================================================
E, F, N  (k, L)    the terms for some keys at each level, standardised units
w        (K,)      P(G | D) summed over the graphs of each key
P        (L,S,R,d) draws of Y's parents: levels, function draws, noise
=======  ========  ========================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference.mechanisms import Mechanism, Root
from ceopt.inference.simulation import Bank, Fitted, Simulator, expected_and_drawn
from ceopt.maths import gp
from ceopt.maths.gp import Floats

OWN_DRAWS = 4  # function draws at which the doubt about Y's own mechanism is worked out


class Model(NamedTuple):
    """What is simulated from."""

    mechanisms: Fitted
    bank: Bank
    target: str


class Moments(NamedTuple):
    """Mean of Y and the three parts of its variance, (L,) each, averaged over P(G | D)."""

    mean: Floats
    functions: Floats
    graphs: Floats
    noise: Floats


class Effects(NamedTuple):
    """The moments of Y for some keys, sorted, at each level."""

    keys: NDArray[np.intp]
    E: Floats
    F: Floats
    N: Floats

    def mean(self, w: Floats) -> Floats:
        """E^[Y | do(x)] [eq:prior_mean_int], (L,), for weights w (K,) that are 0 elsewhere."""
        return np.asarray(w[self.keys] @ self.E)

    def moments(self, w: Floats) -> Moments:
        """The mean and the parts of V^[Y | do(x)] [eq:prior_var_int], by the law of total variance."""
        w, mean = w[self.keys], self.mean(w)
        between = np.maximum(w @ self.E**2 - mean**2, 0.0)
        return Moments(mean, w @ self.F, between, w @ self.N)


def effects(
    model: Model, graphs: WeightedGraphs, examples: NDArray[np.intp], levels: Mapping[str, Floats]
) -> tuple[Floats, Floats, Floats]:
    """E, F and N of the model's target in the graphs `examples` (k,), at standardised levels {name: (L,)}."""
    L = len(next(iter(levels.values())))
    E, F, N = (np.empty((len(examples), L)) for _ in range(3))
    simulator = Simulator(model.mechanisms, model.bank, levels)
    for k, g in enumerate(examples if L else ()):
        parents = dict(graphs.graphs[g].pairs)
        mechanism = model.mechanisms[model.target, parents[model.target]]
        if isinstance(mechanism, Root):
            E[k], F[k], N[k] = _unmoved(mechanism)
        else:
            E[k], F[k], N[k] = _moved(mechanism, simulator.inputs(parents[model.target], parents))
    return E, F, N


def _unmoved(root: Root) -> tuple[float, float, float]:
    """Nothing causes Y in this graph."""
    v = root.values
    return float(v.mean()), float(v.var() / len(v)), float(v.var())


def _moved(f: Mechanism, P: Floats) -> tuple[Floats, Floats, Floats]:
    """E, F and N of Y, (L or 1,), from the draws of its parents."""
    means, deviations = expected_and_drawn(f, P)
    own = np.mean(
        [_own_doubt(f, P[:, s]) for s in range(0, P.shape[1], max(1, P.shape[1] // OWN_DRAWS))], axis=0
    )
    E_s = means.mean(axis=-1)
    noise = f.s2 + means.var(axis=-1).mean(axis=1) + deviations.var(axis=-1).mean(axis=1)
    return E_s.mean(axis=1), own + _mirrored_variance(E_s), noise


def _own_doubt(f: Mechanism, P: Floats) -> Floats:
    """Var of the average of f over the noise points P (L, R, d): f's own doubt about the effect, (L,)."""
    L, R, d = P.shape
    average = f.kernel.matrix(f.theta, P.reshape(-1, d), f.X).reshape(L, R, -1).mean(axis=1)
    if R == 1:
        prior = f.kernel.diagonal(f.theta, P[:, 0])
    else:
        prior = np.array([f.kernel.matrix(f.theta, p, p).mean() for p in P])
    return gp.variance(f.given, average, prior)


def _mirrored_variance(E_s: Floats) -> Floats:
    """Variance over function draws (L, S) that come in mirrored pairs, (L,)."""
    S = E_s.shape[1]
    if S == 1:
        return np.zeros(len(E_s))
    up, down = E_s[:, : S // 2], E_s[:, S // 2 :]
    shared = ((up + down) / 2).var(axis=1, ddof=1) if S > 2 else 0.0
    return np.asarray((((up - down) / 2) ** 2).mean(axis=1) + shared)
