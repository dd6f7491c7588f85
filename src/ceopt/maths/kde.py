r"""Entropy of a density that is known by weighted samples only.

    p(y) = sum_i w_i N(y; y_i, h^2),   H[p] = - integral p log p,

with Silverman's h = sd (4 / (3 n))^(1/5), n = 1 / sum w_i^2 the effective number of samples.  The samples are
shared out between the two nearest points of an even grid, smoothed by a Fourier transform, and the integral
is a sum over the grid: as good as summing kernels, and the same work for many densities at once.

=======  =======  ==================================================
symbol   shape    meaning
=======  =======  ==================================================
y, w     (b, n)   samples and weights, a density a row
h, step  (b, 1)   bandwidth, and width of a grid cell
p        (b, M)   density on the grid
=======  =======  ==================================================
"""

import numpy as np
from scipy.special import entr

from ceopt.maths.gp import Floats

M = 256
MARGIN = 4.5  # bandwidths between the outermost samples and the ends of the grid
WIDEST = 7.0  # standard deviations: samples farther out count as being there
NARROWEST = 1e-6  # the least standard deviation, where all samples agree


def entropies(y: Floats, w: Floats) -> Floats:
    """H[p] of each row, (b,), in nats; may be negative, as p is a density."""
    w = np.broadcast_to(w / w.sum(axis=1, keepdims=True), y.shape)
    mean = (w * y).sum(axis=1, keepdims=True)
    y = y - mean
    sd = np.maximum(np.sqrt((w * y**2).sum(axis=1, keepdims=True)), NARROWEST)
    h = sd * (4 / 3 * (w**2).sum(axis=1, keepdims=True)) ** 0.2
    y = np.clip(y, -WIDEST * sd, WIDEST * sd)
    low, high = y.min(axis=1, keepdims=True) - MARGIN * h, y.max(axis=1, keepdims=True) + MARGIN * h
    step = (high - low) / (M - 1)
    frequency = np.arange(M // 2 + 1) * (2 * np.pi / M)
    smoothing = np.exp(-0.5 * (frequency * h / step) ** 2)
    p = np.fft.irfft(np.fft.rfft(shared_out((y - low) / step, w), axis=1) * smoothing, M, axis=1)
    p = np.maximum(p, 0.0)
    p /= p.sum(axis=1, keepdims=True)
    return np.asarray(entr(p).sum(axis=1) + np.log(step[:, 0]))


def shared_out(place: Floats, w: Floats) -> Floats:
    """Weights w (b, n) at places in [0, M - 1], linearly shared out between the cells, (b, M)."""
    cell = np.minimum(place.astype(np.intp), M - 2)
    right = w * (place - cell)
    at = (cell + M * np.arange(len(cell))[:, None]).ravel()
    shared: Floats = np.bincount(at, (w - right).ravel(), minlength=M * len(cell) + 1).astype(np.float64)
    shared[1:] += np.bincount(at, right.ravel(), minlength=M * len(cell) + 1)[:-1]
    return shared[:-1].reshape(len(cell), M)
