"""Particles: worlds under way, each a point of z-space and a path of luck, with weights."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from breakrank.case.luck import LuckPath
from breakrank.draws import luck_key, uniform_each
from breakrank.questions.calibrate.free_parameters import purpose
from breakrank.questions.calibrate.regression import Array, effective


@dataclass(frozen=True)
class Particles:
    """Worlds under way.

    Attributes
    ----------
    z : parameters in z-space (n, p).
    paths : of their luck (n).
    likelihood : logarithm of the likelihood of what they were told of, figure by figure (n, figures).
    weights : logarithms of their weights (n,), 0 where all weigh the same.
    roots : from which of the first particles each descends (n,).
    """

    z: Array
    paths: tuple[LuckPath, ...]
    likelihood: Array
    weights: Array
    roots: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.paths)

    @classmethod
    def begun(cls, z: Array) -> Particles:
        """Return particles at these points of z-space, each with the luck of its number."""
        n = len(z)
        return cls(z, tuple(map(LuckPath, range(n))), np.zeros((n, 0)), np.zeros(n), np.arange(n))

    def told(self, likelihood: Array) -> Particles:
        """Return them with the likelihood of further figures (n, more)."""
        return replace(self, likelihood=np.concatenate([self.likelihood, likelihood], axis=1))

    def weighed(self, more: Array) -> Particles:
        """Return them with so much added to the logarithm of their weights (n,)."""
        return replace(self, weights=self.weights + more)

    def taken(self, which: NDArray[np.int64]) -> Particles:
        """Return these of them (m,), all of one weight."""
        paths = tuple(self.paths[k] for k in which)
        return Particles(
            self.z[which], paths, self.likelihood[which], np.zeros(len(which)), self.roots[which]
        )

    def resampled(self, seed: int, step: int) -> Particles:
        """Return as many, all of one weight: systematic resampling (Kitagawa 1996)."""
        return self.taken(systematic(shares(self.weights), _start(seed, step)))

    def where(self, moved: NDArray[np.bool_], other: Particles) -> Particles:
        """Return the particles of `other` where they were moved, and these elsewhere."""
        paths = tuple(b if yes else a for yes, a, b in zip(moved, self.paths, other.paths, strict=True))
        column = moved[:, None]
        return replace(
            self,
            z=np.where(column, other.z, self.z),
            paths=paths,
            likelihood=np.where(column, other.likelihood, self.likelihood),
        )

    def apart(self, date: dt.date, first: int) -> Particles:
        """Return them with luck of its own from a day on for each copy; numbers up to `first` are used."""
        seen: set[tuple[bytes, LuckPath]] = set()
        paths = []
        for k, (z, path) in enumerate(zip(self.z, self.paths, strict=True)):
            mine = (z.tobytes(), path)
            paths.append(path.branched(date, first + k) if mine in seen else path)
            seen.add(mine)
        return replace(self, paths=tuple(paths))

    @property
    def distinct(self) -> int:
        """How many of them are no copy of another."""
        return len({(z.tobytes(), path) for z, path in zip(self.z, self.paths, strict=True)})


def shares(logs: Array) -> Array:
    """Return weights that add up to 1, of their logarithms (n,)."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def step_to(logs: Array, more: Array, least: float, most: float) -> float:
    """Return the largest part of `more`, up to `most`, that leaves at least so many effective particles."""
    if effective(shares(logs + most * more)) >= least:
        return most
    low, high = 0.0, most
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if effective(shares(logs + middle * more)) >= least else (low, middle)
    return low


def systematic(weights: Array, start: float) -> NDArray[np.int64]:
    """Return which particles are taken (n,), ascending: each as often as n times its weight, rounded."""
    edges = np.cumsum(weights)
    n = len(weights)
    taken = np.searchsorted(edges / edges[-1], (np.arange(n) + start) / n, side="right")
    return np.asarray(np.minimum(taken, n - 1), np.int64)


def uniforms(seed: int, what: str, step: int, n: int) -> Array:
    """Return draws from (0, 1) of so many particles in a step (n,)."""
    who = np.arange(n, dtype=np.uint32)
    return uniform_each(luck_key(seed, "worlds"), purpose(what), who, np.full(n, step, np.int64))


def _start(seed: int, step: int) -> float:
    return float(uniforms(seed, "resample", step, 1)[0])
