"""Experiments that were proposed and not yet told: what may have become of them.

Each world is the belief after one fantasy row (or N) of every open experiment, from one graph drawn from P(G
| D).  An acquisition averaged over a few worlds no longer pays for what the open experiments will tell, so a
batch spreads out; it repeats itself only where a second measurement is worth more than anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from ceopt.acquisition.fantasies import Rows
from ceopt.acquisition.likely import Likely, stratified
from ceopt.acquisition.noise import MOST_ROWS, Noise
from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief, imagine
from ceopt.inference.threads import one_blas_thread
from ceopt.maths import gp
from ceopt.maths.gp import Floats

WORLDS = 4
PENDING_NOISE = 6  # stream of random numbers; one more for each open experiment


class Open(NamedTuple):
    """An experiment on its way, and the samples planned for it."""

    intervention: Intervention
    samples: int = 1


def worlds(belief: Belief, experiments: Sequence[Open], seed: tuple[int, ...]) -> tuple[Belief, ...]:
    """Equally likely beliefs once the open experiments are told; the belief itself where none is."""
    experiments = [one for one in experiments if one.intervention.targets in belief.surrogates]
    if not experiments:
        return (belief,)
    likely = Likely.of(belief)
    noise = Noise(seed, draws=1, fantasies=WORLDS)
    graphs = stratified(likely.log_w, (np.arange(WORLDS) + 0.5) / WORLDS)
    with one_blas_thread():
        return tuple(
            _world(belief, experiments, noise, r, int(likely.places[graphs[r]])) for r in range(WORLDS)
        )


def _world(belief: Belief, experiments: Sequence[Open], noise: Noise, r: int, g: int) -> Belief:
    """What is believed after the r-th fantasy of each experiment, all from one graph."""
    graph, V = belief.problem.graphs.graphs[g], len(belief.problem.variables)
    for stream, (do, samples) in enumerate(experiments, start=PENDING_NOISE):
        N = min(samples, MOST_ROWS)
        u = noise.uniforms((1 + V) * N, WORLDS, stream)[r].reshape(1 + V, 1, N)
        levels = np.array([do.levels])
        rows = Rows(belief, Likely.of(belief), do.targets, belief.learnt.scale.levels(do.targets, levels))
        values = rows.whole(graph, outcomes(belief, do, u[0, 0])[None, None], u[1:])
        belief = imagine(belief, [do] * N, values[0, 0])
    return belief


def outcomes(belief: Belief, do: Intervention, u: Floats) -> Floats:
    """Outcomes of an experiment from the surrogate, (N,), by uniform noise u: they share one f_I(x)."""
    f, s2 = belief.marginals(do.targets, np.array([do.levels])), belief.surrogates[do.targets].s2
    return gp.samples(f.mean, f.sd**2, s2, ndtri(u))
