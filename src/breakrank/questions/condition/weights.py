"""Weights of draws and paths, and which of them are taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import purpose
from breakrank.draws import luck_key, uniform_each
from breakrank.questions.calibrate.methods import Weighted
from breakrank.questions.calibrate.regression import Array, effective

PRIOR = (1.0, 2.5)
"""Stops and strides that every parameter has before any step: a resistance of 0.4."""
MEMORY = 0.8
"""Weight of a round's steps in the next round."""
AT_ONCE = 1.0
"""Resistance that a step takes on: a share ``exp(-c)`` passes `c`, and ``c exp(-c)`` is highest here."""
ALONE = 2.0
"""Resistance of one parameter that a step takes on: ``s s exp(-h s)`` is highest at ``h s = 2``."""
LEAST = 0.05
"""Resistance that a parameter counts for at least, where it is drawn which one a step changes first."""


@dataclass(frozen=True)
class Strides:
    """What is known of each parameter.

    Attributes
    ----------
    stops : how many steps it has stopped, by expectation (p,).
    strides : how far these and others went in it, up to where it stopped them (p,).
    """

    stops: Array
    strides: Array

    @classmethod
    def unknown(cls, number: int) -> Self:
        """Return what is known of so many parameters before any step."""
        return cls(np.zeros(number), np.zeros(number))

    @cached_property
    def resistance(self) -> Array:
        """Of each parameter, for a stride of 1 (p,)."""
        return np.asarray((self.stops + PRIOR[0]) / (self.strides + PRIOR[1]))

    @cached_property
    def far(self) -> Array:
        """How far a step goes in each parameter, above 0 and up to 1, which draws it from the prior (p,)."""
        return np.minimum(1.0, ALONE / self.resistance)

    def block(self, first: float, others: Array) -> NDArray[np.int64]:
        """Return which parameters a step changes.

        One is drawn by the square root of its resistance, so that those which rarely pass come up more often.
        Others join it in random order, as far as their resistance leaves room.

        Parameters
        ----------
        first, others : draws from (0, 1), of the first parameter and of the order (p,).
        """
        weights = np.sqrt(np.maximum(self.resistance, LEAST))
        begin = int(systematic(weights, 1, first)[0])
        cost = self.far * self.resistance
        block, room = [begin], AT_ONCE - cost[begin]
        for k in np.argsort(others, kind="stable").tolist():
            if k != begin and cost[k] <= room:
                block.append(k)
                room -= cost[k]
        return np.array(block)

    def after(self, changed: NDArray[np.bool_], taken: NDArray[np.bool_]) -> Self:
        """Return what is known after the steps of a round.

        Parameters
        ----------
        changed : parameters that each step changed (n, p). taken : whether it was taken (n,).
        """
        reach = self.resistance * self.far
        stop = np.where(changed, -np.expm1(-reach), 0.0)
        share = stop / np.maximum(-np.expm1(-(changed * reach).sum(axis=1)), 1e-300)[:, None]
        stopped = np.where(taken[:, None], 0.0, share)
        until = self.far * (1 / reach - 1 / np.expm1(reach))
        went = changed * ((1 - stopped) * self.far + stopped * until)
        return replace(
            self,
            stops=MEMORY * self.stops + stopped.sum(axis=0),
            strides=MEMORY * self.strides + went.sum(axis=0),
        )


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
