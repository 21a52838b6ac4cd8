"""Weights of particles and members: normalised, tempered, resampled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import purpose
from breakrank.draws import luck_key, uniform_each
from breakrank.inference.regression import effective
from breakrank.inference.reported import Array


def normalise(logs: Array) -> Array:
    """Return weights that add up to 1, of their logarithms (n,)."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def log_mean_exp(logs: Array) -> float:
    """Return the logarithm of the mean of numbers, of their logarithms (n,)."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).mean()))


def temper(logs: Array, target_ess: float) -> float:
    """Return the largest power of weights, up to 1, with an effective sample size of `target_ess` or more.

    Parameters
    ----------
    logs : logarithms of the weights (n,).
    """
    low, high = 0.0, 1.0
    if effective(normalise(logs)) >= target_ess:
        return 1.0
    for _ in range(50):
        power = (low + high) / 2
        low, high = (power, high) if effective(normalise(power * logs)) >= target_ess else (low, power)
    return low


def resample(weights: Array, number: int, start: float) -> NDArray[np.int64]:
    """Return systematically resampled positions (number,), ascending (Kitagawa 1996).

    Parameters
    ----------
    weights : of each position (n,). start : a number from (0, 1).
    """
    edges = np.cumsum(weights)
    taken = np.searchsorted(edges / edges[-1], (np.arange(number) + start) / number, side="right")
    return np.asarray(np.minimum(taken, len(weights) - 1), np.int64)


def start_of(seed: int, what: str, number: int) -> float:
    """Return where systematic resampling starts, from (0, 1)."""
    one = np.zeros(1, np.uint32)
    key = luck_key(seed, f"worlds {what}", number)
    return float(uniform_each(key, purpose("resample"), one, np.zeros(1, np.int64))[0])
