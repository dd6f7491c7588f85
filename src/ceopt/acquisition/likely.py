"""The graphs that matter for what comes next: all but the least probable ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ceopt.inference.belief import Belief
from ceopt.maths.gp import Floats

MOST_GRAPHS = 1000
UNLIKELY = 1e-6  # of the most probable graph: left out of what a fantasy can teach


@dataclass(frozen=True, eq=False)
class Likely:
    """Their places in the support, sorted, and log P(g | D), normalised."""

    places: NDArray[np.intp]
    log_w: Floats

    @classmethod
    def of(cls, belief: Belief) -> Likely:
        """All but the least probable graphs."""
        log_w = belief.graphs.log_weights
        order = np.argsort(-log_w, kind="stable")[:MOST_GRAPHS]
        places = np.sort(order[log_w[order] > log_w[order[0]] + np.log(UNLIKELY)])
        kept = log_w[places]
        return cls(places, kept - np.logaddexp.reduce(kept))


def stratified(log_w: Floats, u: Floats) -> NDArray[np.intp]:
    """A graph for each uniform u, evenly spread uniforms giving shares close to P(G)."""
    edges = np.cumsum(np.exp(log_w))
    return np.minimum(np.searchsorted(edges / edges[-1], u), len(log_w) - 1)
