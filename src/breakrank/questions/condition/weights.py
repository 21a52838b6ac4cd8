"""Weights of draws and paths, and which of them are taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import purpose
from breakrank.draws import luck_key, uniform_each
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
        return 1.0
    for _ in range(50):
        power = (low + high) / 2
        low, high = (power, high) if effective(shares(base + power * logs)) >= least else (low, power)
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


def worth(values: Array, families: NDArray[np.int64]) -> float:
    """Return how many independent rows some are worth of which families descend from the same.

    Relatives resemble each other by the mean over columns of the intraclass correlation of ranks
    (Fisher 1925); rows are worth fewer by its design effect (Kish 1965).

    Parameters
    ----------
    values : (n, p). families : of each row (n,), numbered from 0.
    """
    n, sizes = len(values), np.bincount(families)
    sizes = sizes[sizes > 0]
    groups, pairs = len(sizes), float((sizes**2).sum()) - n
    if pairs == 0:
        return float(n)
    if groups == 1:
        return 1.0
    ranks = np.stack([np.unique(column, return_inverse=True)[1] for column in values.T], axis=1)
    ranks = ranks[:, ranks.max(axis=0) > 0].astype(float)
    _, mine = np.unique(families, return_inverse=True)
    means = np.stack([np.bincount(mine, column) / sizes for column in ranks.T], axis=1)
    between = (sizes[:, None] * (means - ranks.mean(axis=0)) ** 2).sum(axis=0) / (groups - 1)
    within = ((ranks - means[mine]) ** 2).sum(axis=0) / (n - groups)
    usual = (n - (pairs + n) / n) / (groups - 1)
    alike = float(np.clip(np.mean((between - within) / (between + (usual - 1) * within)), 0.0, 1.0))
    return n * n / (n + alike * pairs)


def start(seed: int, what: str, number: int) -> float:
    """Return where systematic resampling starts, from (0, 1)."""
    one = np.zeros(1, np.uint32)
    key = luck_key(seed, f"worlds {what}", number)
    return float(uniform_each(key, purpose("resample"), one, np.zeros(1, np.int64))[0])
