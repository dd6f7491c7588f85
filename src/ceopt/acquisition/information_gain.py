r"""One information gain, about different variables (the paper's Table 1).

    I[about; outcome of do(x) | D] = H[about | D] - E_{outcome} H[about | D, outcome]

==============  ====================  =========================================================
about           who asks              variables
==============  ====================  =========================================================
y* and G        CEO                   the best value and the graph: causal entropy search
y*              MES, CEO at the end   the best value: max-value entropy search
G               MI, CD-CBO            the graph: causal discovery
==============  ====================  =========================================================

The outcome is a fantasy row.  Where y* matters, Y comes from the surrogate, and the row moves the draws of
every set; for the graph alone, Y comes from its own mechanism like any other node.

========  =============  ==============================================
symbol    shape          meaning
========  =============  ==============================================
y         (S, L, N)      fantasies of Y: S points, L at each, N rows
ell       (S, L, G)      log p(rows | g, D)
log_w     (b, G)         log P(g | D) after each of b = S L fantasies
========  =============  ==============================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import ndtri

from ceopt.acquisition import joint_entropy, moves
from ceopt.acquisition.fantasies import Rows
from ceopt.acquisition.gain import Gain, Places
from ceopt.acquisition.joint_entropy import Entropy
from ceopt.acquisition.moves import Fantasies, Moved
from ceopt.acquisition.outlook import Outlook
from ceopt.acquisition.scene import Scene
from ceopt.inference.threads import one_blas_thread
from ceopt.maths import gp
from ceopt.maths.gp import Floats

About: TypeAlias = Literal["y*", "G", "y* and G"]


def information_gain(scene: Scene, about: About, at: Sequence[Places]) -> tuple[Gain, ...]:
    """The gain at the chosen points of each set."""
    with one_blas_thread():
        before = _before(scene, about)
        return tuple(_gain(scene, about, i, places, before) for i, places in enumerate(at))


def _before(scene: Scene, about: About) -> Entropy:
    log_w = scene.likely.log_w[None]
    if about == "G":
        return joint_entropy.of_graph(log_w)
    if about == "y*":
        return joint_entropy.of_value(scene.now, scene.choices)
    return joint_entropy.of_both(scene.now, log_w, scene.tables, scene.few, scene.choices)


def _gain(scene: Scene, about: About, i: int, places: Places, before: Entropy) -> Gain:
    """The gain at some points of set i."""
    if not len(places):
        return Gain(np.zeros(0), np.zeros(0))
    y = fantasies_of_y(scene, i, places)
    if about == "y*":
        after = joint_entropy.of_value(after_fantasies(scene, i, places, y, None), scene.choices)
    else:
        log_w = taught(scene, i, places, None if about == "G" else y)
        flat = log_w.reshape(-1, log_w.shape[-1])
        if about == "G":
            after = joint_entropy.of_graph(flat)
        else:
            moved = after_fantasies(scene, i, places, y, log_w if scene.choices.graph_aware else None)
            after = joint_entropy.of_both(moved, flat, scene.tables, scene.few, scene.choices)
    drops = (b - a.reshape(len(places), -1).mean(axis=1) for b, a in zip(before, after, strict=True))
    return Gain(*drops)


def fantasies_of_y(scene: Scene, i: int, places: Places) -> Floats:
    """Y of the fantasies, from the surrogate: N rows with the variance of f in common, (S, L, N)."""
    look = scene.looks[i]
    variance = look.sd[places, None, None] ** 2
    return gp.samples(look.mean[places, None, None], variance, look.s2, ndtri(scene.row_noise[0]))


def taught(scene: Scene, i: int, places: Places, y: Floats | None) -> Floats:
    """log P(g | D, fantasy), (S, L, G), normalised."""
    of_set = scene.rows[i]
    rows = Rows(of_set.belief, of_set.likely, of_set.targets, of_set.x[places])
    log_w = scene.likely.log_w + rows.log_likelihoods(y, scene.row_noise)
    return np.asarray(log_w - np.logaddexp.reduce(log_w, axis=-1, keepdims=True))


def after_fantasies(
    scene: Scene, i: int, places: Places, y: Floats, log_w: Floats | None
) -> tuple[Moved, ...]:
    """Every set after each fantasy, b = S L of them; without log_w only the fantasy's own set moves."""
    ybar, L = y.mean(axis=-1), y.shape[1]
    dw = None if log_w is None else np.exp(log_w) - np.exp(scene.likely.log_w)
    return tuple(
        _own(scene, look, places, ybar, dw)
        if j == i
        else _repeated(scene.now[j], len(places) * L)
        if dw is None
        else _joined([moves.other(look, each, scene.few) for each in dw])
        for j, look in enumerate(scene.looks)
    )


def _own(scene: Scene, look: Outlook, places: Places, ybar: Floats, dw: Floats | None) -> Moved:
    """The set that the fantasies are about."""
    error, each = scene.error(look), [None] * len(places) if dw is None else dw
    at = map(Fantasies, places.tolist(), ybar, each)
    return _joined([moves.own(look, fantasies, error, scene.few) for fantasies in at])


def _joined(parts: Sequence[Moved]) -> Moved:
    return Moved(
        np.concatenate([one.Y for one in parts]),
        np.concatenate([one.p for one in parts]),
        np.concatenate([one.mu for one in parts]),
        np.concatenate([one.sd for one in parts]),
    )


def _repeated(one: Moved, times: int) -> Moved:
    return _joined([one] * times)
