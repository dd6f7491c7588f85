"""The stage on which experiments are compared: one world, its points, its draws, and the dice.

Everything here is worked out once for a suggestion, however many experiments are compared on it
(Algorithm 2, lines 3-11 of the paper).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ceopt.acquisition import hypothetical, moves
from ceopt.acquisition.fantasies import Rows
from ceopt.acquisition.hypothetical import Table
from ceopt.acquisition.likely import Likely
from ceopt.acquisition.moves import Error, Moved
from ceopt.acquisition.noise import Noise, Normals
from ceopt.acquisition.optimum import Weights
from ceopt.acquisition.outlook import Outlook, outlooks
from ceopt.inference.belief import Belief
from ceopt.inference.threads import one_blas_thread
from ceopt.maths.gp import Floats

FEW = 32  # draws of each set behind E H[P(G | y*)]
ROW_NOISE, TABLE_NOISE = 4, 5  # streams of random numbers


@dataclass(frozen=True)
class Choices:
    """How the belief about y* is made: see ceopt.acquisition.optimum, and METHOD 3.4 for graph_aware."""

    beta: float = 0.1
    weights: Weights = "draws"
    graph_aware: bool = True  # what a fantasy teaches of the graph moves every set


@dataclass(frozen=True, eq=False)
class Scene:
    """A belief, the points (S, d) of each of its sets, and random numbers."""

    belief: Belief
    points: tuple[Floats, ...]
    noise: Noise
    choices: Choices

    @cached_property
    def likely(self) -> Likely:
        """The graphs that matter."""
        return Likely.of(self.belief)

    @cached_property
    def looks(self) -> tuple[Outlook, ...]:
        """What the surrogates say at the points."""
        with one_blas_thread():
            return outlooks(self.belief, self.likely, self.points, self.normals.z)

    @cached_property
    def normals(self) -> Normals:
        """The noise of the draws."""
        return self.noise.normals(len(self.points), max(map(len, self.points)))

    @cached_property
    def rows(self) -> tuple[Rows, ...]:
        """What rows under each set are made from."""
        scale = self.belief.learnt.scale
        of_set = zip(self.belief.problem.sets, self.points, strict=True)
        return tuple(Rows(self.belief, self.likely, t, scale.levels(t, x)) for t, x in of_set)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """What the best value, seen at each point, would say of the graphs."""
        u = self.uniforms(hypothetical.ROWS, TABLE_NOISE)[..., :1]
        return tuple(
            hypothetical.table(look, rows, u) for look, rows in zip(self.looks, self.rows, strict=True)
        )

    @cached_property
    def now(self) -> tuple[Moved, ...]:
        """Each set as it is."""
        return tuple(moves.still(look, self.few) for look in self.looks)

    @property
    def few(self) -> int:
        """Draws behind E H[P(G | y*)]."""
        return min(FEW, self.noise.draws)

    def error(self, look: Outlook) -> Error:
        """Of the mean of the samples of one experiment."""
        variance = look.s2 / self.noise.samples
        return Error(variance, np.sqrt(variance) * self.normals.errors)

    @cached_property
    def row_noise(self) -> Floats:
        """Uniform noise of the fantasies, (2 + V, L, N): for y, for the graph, for each variable."""
        return self.uniforms(self.noise.fantasies, ROW_NOISE)

    def uniforms(self, count: int, stream: int) -> Floats:
        """Evenly spread uniforms (2 + V, count, N)."""
        V, N = len(self.belief.problem.variables), self.noise.samples
        u = self.noise.uniforms((2 + V) * N, count, stream)
        return np.ascontiguousarray(u.reshape(count, N, 2 + V).transpose(2, 0, 1))


def scene(belief: Belief, points: Sequence[Floats], noise: Noise, choices: Choices | None = None) -> Scene:
    """The stage for a belief."""
    return Scene(belief, tuple(points), noise, choices or Choices())
