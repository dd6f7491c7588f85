r"""Draw the ancestors of a node in a mutilated graph  [eq:markov_fact_trun], from the fitted mechanisms.

Every array is (L, S, R): levels x function draws x noise points, with 1 where a value does not vary.  All
graphs, sets and levels share the noise (common random numbers), so their differences are not blurred by it;
Sobol points, one scramble for each mirrored pair of function draws, make its averages sharp.  Values that
graphs share are drawn once.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import ndtri

from ceopt.domain.graph import Pair
from ceopt.inference.mechanisms import Mechanism, Root
from ceopt.inference.settings import Mechanisms
from ceopt.maths.gp import Floats
from ceopt.maths.quasi import sobol

Fitted: TypeAlias = Mapping[Pair, Root | Mechanism]
Ancestry: TypeAlias = frozenset[Pair]
"""The (v, Pa_v) of a node and its ancestors: all that its distribution depends on."""


class Bank(NamedTuple):
    """Uniform noise for each variable, (V, S, R); mirrored draws share theirs, s with s + S / 2."""

    columns: Mapping[str, int]
    U: Floats

    def distinct(self, v: str) -> Floats:
        """Noise of a variable without the repetition, (S / 2, R)."""
        return self.U[self.columns[v], : self.U.shape[1] // 2]


def make_bank(variables: tuple[str, ...], settings: Mechanisms) -> Bank:
    """The noise that all simulations share."""
    half, R, V = settings.draws // 2, settings.points, len(variables)
    rng = np.random.default_rng([settings.seed, V])
    U = np.stack([sobol(R, V, rng).T for _ in range(half)], axis=1)
    return Bank({v: j for j, v in enumerate(variables)}, np.concatenate([U, U], axis=1))


class Simulator:
    """Values of nodes under one intervention set at given levels; remembers what it has drawn."""

    def __init__(self, learnt: Fitted, bank: Bank, levels: Mapping[str, Floats]) -> None:
        self.learnt, self.bank = learnt, bank
        self.levels = {v: x[:, None, None] for v, x in levels.items()}  # standardised, (L, 1, 1)
        self._drawn: dict[tuple[str, Ancestry], Floats] = {}

    def ancestry(self, v: str, parents: Mapping[str, tuple[str, ...]]) -> Ancestry:
        """The pairs that v depends on; none when it is set."""
        if v in self.levels:
            return frozenset()
        return frozenset({(v, parents[v])}).union(*(self.ancestry(u, parents) for u in parents[v]))

    def inputs(self, names: tuple[str, ...], parents: Mapping[str, tuple[str, ...]]) -> Floats:
        """The values of several nodes side by side, (L, S, R, d)."""
        return np.stack(np.broadcast_arrays(*(self.value(u, parents) for u in names)), axis=-1)

    def value(self, v: str, parents: Mapping[str, tuple[str, ...]]) -> Floats:
        """Draws of v given the graph's parents, (L, S, R)."""
        if v in self.levels:
            return self.levels[v]
        key = (v, self.ancestry(v, parents))
        if key not in self._drawn:
            self._drawn[key] = self._draw(v, parents)
        return self._drawn[key]

    def _draw(self, v: str, parents: Mapping[str, tuple[str, ...]]) -> Floats:
        mechanism, u = self.learnt[v, parents[v]], self.bank.U[self.bank.columns[v]]
        if isinstance(mechanism, Root):
            return replayed(mechanism, u)[None]
        mean, deviations = expected_and_drawn(mechanism, self.inputs(parents[v], parents))
        return np.asarray(mean + deviations + np.sqrt(mechanism.s2) * ndtri(u))


def replayed(root: Root, u: Floats) -> Floats:
    """Observed values of a root, picked by uniform noise u of any shape."""
    return replay(root.values, u)


def replay(values: Floats, u: Floats) -> Floats:
    """Some of the values, picked by uniform noise u."""
    return np.asarray(values[(u * len(values)).astype(np.intp)])


def expected_and_drawn(f: Mechanism, P: Floats) -> tuple[Floats, Floats]:
    """Posterior mean of f at inputs P (L, S or 1, R or 1, d), and the deviations of its S draws from it."""
    n, (L, S, R, d) = len(f.alpha), P.shape
    K = [f.kernel.matrix(f.theta, P[:, s].reshape(-1, d), f.Z) for s in range(S)]
    mean = np.stack([(K_s[:, :n] @ f.alpha).reshape(L, R) for K_s in K], axis=1)
    if S == 1:
        return mean, (K[0] @ f.W).reshape(L, R, -1).transpose(0, 2, 1)
    return mean, np.stack([(K_s @ f.W[:, s]).reshape(L, R) for s, K_s in enumerate(K)], axis=1)
