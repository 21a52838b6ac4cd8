"""Paths of luck: which luck a run lives with, from which day on.

A world is a row of parameter values and a path of luck, such as ``17 2019-03-01:402``: luck number 17 from
the first day on, and number 402 from 1 March. Whatever was drawn before that day stays, also what was drawn
for later: who will be on leave when, whose verdict is due. Numbers count under a seed that all paths share,
or under the path's own: ``5/17`` is number 17 under seed 5.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import UsageError

FOLDER = "worlds"
"""Folder of a case that holds the worlds that come with it."""
Turn = tuple[dt.date, int]
"""The day from which a luck number holds, and the number."""


@dataclass(frozen=True)
class LuckPath:
    """Numbers of luck by the days from which they hold.

    Attributes
    ----------
    first : the number that holds from the first day on. turns : later ones, by rising date.
    seed : that the numbers count under; ``None`` for that of all paths.

    Raises
    ------
    UsageError
        for numbers below 0 or above 64 bits, or dates that do not rise.
    """

    first: int
    turns: tuple[Turn, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        dates = [date for date, _ in self.turns]
        if any(a >= b for a, b in pairwise(dates)):
            raise UsageError(f"the dates of a path of luck have to rise: {self}")
        numbers = (self.first, *(n for _, n in self.turns), self.seed or 0)
        if min(numbers) < 0 or max(numbers) >= 2**64:
            raise UsageError(f"a number of luck is at least 0 and below 2**64: {self}"[:200])

    def branched(self, date: dt.date, number: int) -> LuckPath:
        """Return the same path before a day, and another number from that day on."""
        return replace(self, turns=(*(t for t in self.turns if t[0] < date), (date, number)))

    def __str__(self) -> str:
        under = "" if self.seed is None else f"{self.seed}/"
        return " ".join([f"{under}{self.first}", *(f"{date}:{number}" for date, number in self.turns)])

    @classmethod
    def read(cls, text: str) -> LuckPath:
        """Return the path that a text says; UsageError for another text."""
        try:
            first, *later = text.split(" ")
            turns = [turn.split(":") for turn in later]
            *under, first = first.split("/", 1)
            seed = int(under[0]) if under else None
            return cls(int(first), tuple((dt.date.fromisoformat(date), int(n)) for date, n in turns), seed)
        except ValueError:
            raise UsageError(f"{text!r:.60} is no path of luck; write it like '17 2019-03-01:402'") from None


@dataclass(frozen=True)
class Luck:
    """The luck of the rows of a table of draws.

    Attributes
    ----------
    seed : what the numbers of paths count under that have none of their own.
    paths : one for each row.
    until : last day of which the paths speak; from the next day on each run has luck of its own.
    informed : whether any figure was told by then; without, rows are draws of the prior.
    model : digest of the model's code that the paths were found with; empty where that is not known, as when
        they were written with a case. It is no part of the draws' digest.
    """

    seed: int
    paths: tuple[LuckPath, ...]
    until: dt.date
    informed: bool = True
    model: str = field(default="", compare=False)

    def told(self) -> list[Any]:
        """Return all of it in plain words and numbers."""
        prior = [] if self.informed else ["prior"]
        return [self.seed, str(self.until), [str(path) for path in self.paths], *prior]

    def packed(self) -> NDArray[np.uint8]:
        """Return it as bytes, for an archive of arrays."""
        return np.frombuffer(json.dumps(self.told()).encode(), np.uint8)

    @classmethod
    def unpacked(cls, packed: NDArray[np.uint8]) -> Luck:
        """Return what :meth:`packed` made; UsageError for anything else."""
        try:
            seed, until, paths, *prior = json.loads(packed.tobytes())
            read = tuple(LuckPath.read(path) for path in paths)
            return cls(int(seed), read, dt.date.fromisoformat(until), not prior)
        except (ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"these paths of luck cannot be read ({error})") from None

    def under(self, row: int) -> int:
        """Return the seed that the numbers of a row's path count under."""
        seed = self.paths[row].seed
        return self.seed if seed is None else seed

    def lived(self, row: int, seed: int, run: int) -> Sequence[tuple[dt.date, int, int]]:
        """Return the days from which a seed and a number of luck hold, the first first.

        Parameters
        ----------
        row : of the draws. seed, run : what a run is called that lives under it.
        """
        path = self.paths[row]
        told = [(dt.date.min, path.first), *path.turns]
        own = (self.until + dt.timedelta(days=1), seed, run)
        under = self.under(row)
        return [*((date, under, number) for date, number in told if date <= self.until), own]
