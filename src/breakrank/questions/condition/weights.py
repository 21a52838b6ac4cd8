"""Weights of draws and paths, and which of them are taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import luck_key, uniform_each
from breakrank.questions.calibrate.free_parameters import purpose
from breakrank.questions.calibrate.inference import Weighted
from breakrank.questions.calibrate.regression import Array, effective


def shares(logs: Array) -> Array:
    """Return weights that add up to 1, of their logarithms (n,)."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def mean_of(logs: Array) -> float:
    """Return the logarithm of the mean of numbers, of their logarithms (n,)."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).mean()))


def softening(base: Array, logs: Array, least: float) -> float:
    """Return the largest power, up to 1, of weights beside others that leaves so many effective.

    Parameters
    ----------
    base, logs : logarithms of weights that stay, and of those that are softened (n,).
    """
    low, high = 0.0, 1.0
    if effective(shares(base + logs)) >= least:
        return high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if effective(shares(base + middle * logs)) >= least else (low, middle)
    return low


def density(drawn: Weighted, axes: Array) -> Array:
    """Return the logarithm of the density of draws over the prior's, by a normal fit along axes (n,)."""
    a = drawn.z @ axes
    centred = a - drawn.weights @ a
    spread = (drawn.weights * centred.T) @ centred
    root = np.linalg.cholesky(spread + 1e-9 * np.eye(len(spread)))
    solved = np.linalg.solve(root, centred.T)
    return np.asarray(0.5 * (a * a).sum(1) - 0.5 * (solved * solved).sum(0) - np.log(np.diag(root)).sum())


def systematic(weights: Array, number: int, start: float) -> NDArray[np.int64]:
    """Return which are taken (number,), ascending: each by its weight, up to rounding (Kitagawa 1996)."""
    edges = np.cumsum(weights)
    taken = np.searchsorted(edges / edges[-1], (np.arange(number) + start) / number, side="right")
    return np.asarray(np.minimum(taken, len(weights) - 1), np.int64)


def start(seed: int, what: str, number: int) -> float:
    """Return where systematic resampling starts, from (0, 1)."""
    one = np.zeros(1, np.uint32)
    key = luck_key(seed, f"worlds {what}", number)
    return float(uniform_each(key, purpose("resample"), one, np.zeros(1, np.int64))[0])
