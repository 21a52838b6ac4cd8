"""Joint draws of parameters, row by row, one row for a run or for several; and seed paths.

A case with draws is run under another row of them in every run, so that what comes out is spread by what is
not known of its parameters as well as by luck.

A world is a row of parameter values and a path of luck, such as ``17 2019-03-01:402``: luck number 17 from
the first day on, and number 402 from 1 March. Whatever was drawn before that day stays, also what was drawn
for later: who will be on leave when, whose verdict is due. Numbers count under a seed that all paths share,
or under the path's own: ``5/17`` is number 17 under seed 5.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from breakrank.case.models_parameters import OF_EVENTS, STRENGTH
from breakrank.errors import UsageError, nearest
from breakrank.spec import Parameter

ENSEMBLE, MEMBERS = "ensemble", "members.csv"
"""Folder of a case that holds the posterior ensemble that comes with it, and the file of its members."""
Turn = tuple[dt.date, int]
"""The day from which a luck number holds, and the number."""


@dataclass(frozen=True)
class LuckPath:
    """Random seeds by the days from which they hold.

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
            raise UsageError(f"the dates of a seed path must increase: {self}")
        numbers = (self.first, *(n for _, n in self.turns), self.seed or 0)
        if min(numbers) < 0 or max(numbers) >= 2**64:
            raise UsageError(f"a random seed is at least 0 and below 2**64: {self}"[:200])

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
            raise UsageError(f"{text!r:.60} is no seed path; write it like '17 2019-03-01:402'") from None


@dataclass(frozen=True)
class Luck:
    """The seed paths of the rows of a table of draws.

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

    @classmethod
    def of_told(cls, told: list[Any]) -> Luck:
        """Return what :meth:`told` said; UsageError for anything else."""
        try:
            seed, until, paths, *prior = told
            read = tuple(LuckPath.read(path) for path in paths)
            return cls(int(seed), read, dt.date.fromisoformat(until), not prior)
        except (ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"these seed paths cannot be read ({error})") from None

    def under(self, row: int) -> int:
        """Return the seed that the numbers of a row's path count under."""
        seed = self.paths[row].seed
        return self.seed if seed is None else seed

    def lived(self, row: int, seed: int, run: int) -> Sequence[tuple[dt.date, int, int]]:
        """Return the days from which each seed of a path holds, the first first.

        Parameters
        ----------
        row : of the draws. seed, run : what a run is called that lives under it.
        """
        path = self.paths[row]
        told = [(dt.date.min, path.first), *path.turns]
        own = (self.until + dt.timedelta(days=1), seed, run)
        under = self.under(row)
        return [*((date, under, number) for date, number in told if date <= self.until), own]


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """A table of parameter values.

    Run number k is run under the row at place ``(k // each) % rows``. Places are the rows in order, or with
    `shuffled` in an order that the seed chooses, so that a few runs of another seed are of other rows; none
    comes again before all have been used. With `each` = 2, runs 2j and 2j + 1 differ by luck alone.

    Attributes
    ----------
    names : parameters, no one twice.
    values : float64 (rows, parameters), read-only.
    each : runs to a row, at least 1.
    shuffled : whether the seed chooses the order of the rows, as suits a sample; not a design.
    luck : paths of luck that go with the rows; without, each run has luck of its own.

    Raises
    ------
    UsageError
        for names twice, no row, values that are no finite numbers, another shape, or another number of paths.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    each: int = 1
    shuffled: bool = False
    luck: Luck | None = None

    def __post_init__(self) -> None:
        names = tuple(str(name) for name in self.names)
        values = np.array(self.values, np.float64)
        if len(set(names)) < len(names) or not (names or self.luck):
            raise UsageError("draws name at least one parameter, and none twice")
        if values.ndim != 2 or values.shape[1] != len(names) or not len(values):
            raise UsageError(
                f"draws of {len(names)} parameters have the shape (rows, {len(names)}) and at least one row, "
                f"not {values.shape}"
            )
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            raise UsageError(f"draw {row} of {names[column]} is no finite number")
        if type(self.each) is not int or self.each < 1:
            raise UsageError(f"each has to be a whole number of at least 1, not {self.each!r}")
        if self.luck is not None and len(self.luck.paths) != len(values):
            raise UsageError(f"{len(values)} draws go with {len(self.luck.paths)} seed paths")
        values.setflags(write=False)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)

    def rows(self, seed: int, runs: ArrayLike) -> NDArray[np.int64]:
        """Return which row each of some runs under a seed is run under."""
        places = np.asarray(runs, np.int64) // self.each % len(self.values)
        return _order(seed, len(self.values))[places] if self.shuffled else places

    def of(self, seed: int, run: int) -> dict[str, float]:
        """Return the values that run number `run` under a seed is run under, by parameter."""
        return dict(zip(self.names, self.values[self.rows(seed, run)].tolist(), strict=True))

    def without(self, names: Collection[str]) -> Draws | None:
        """Return the draws of the other parameters; ``None`` if there is none left."""
        kept = [k for k, name in enumerate(self.names) if name not in names]
        if len(kept) == len(self.names):
            return self
        if not kept and self.luck is None:
            return None
        names = tuple(self.names[k] for k in kept)
        return Draws(names, self.values[:, kept], self.each, self.shuffled, self.luck)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of all of it, the same on every machine."""
        head = json.dumps([*self.names, self.each, self.shuffled, *self.values.shape]).encode()
        luck = b"" if self.luck is None else json.dumps(self.luck.told()).encode()
        return hashlib.sha256(head + self.values.astype("<f8").tobytes() + luck).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Draws) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[type[Draws], tuple[object, ...]]:
        return Draws, (self.names, self.values, self.each, self.shuffled, self.luck)

    def __repr__(self) -> str:
        shared = f", {self.each} runs to each" if self.each > 1 else ""
        what = f"{len(self.names)} parameter{'s' * (len(self.names) != 1)}{shared}"
        if self.luck is None:
            return f"{len(self):,} draws of {what}"
        if not self.luck.informed:
            return f"{len(self):,} draws of the prior, as nothing was published by {self.luck.until}: {what}"
        return f"{len(self):,} members that agree with the figures up to {self.luck.until}: draws of {what}"


@lru_cache(maxsize=16)
def _order(seed: int, rows: int) -> NDArray[np.int64]:
    """Return the order of some rows under a seed: each row's place is drawn by its number."""
    from breakrank.draws import luck_key

    order = np.argsort(
        np.array([luck_key(seed, "place of a row", row) for row in range(rows)]), kind="stable"
    )
    order.setflags(write=False)
    return order


def checked(draws: Draws, declared_as: Mapping[str, Parameter]) -> Draws:
    """Return draws that a case can be run under whose parameters are declared so.

    What is declared of events that are not there cannot be checked; a case leaves it aside.

    Raises
    ------
    UsageError
        for a parameter that there is not, a value out of its range, or draws of the strength of
        the force, which is the same in every run.
    """
    for k, name in enumerate(draws.names):
        declared = declared_as.get(name)
        if declared is None:
            if name.startswith(OF_EVENTS):
                continue
            raise UsageError(f"there is no parameter {name!r}{nearest(name, declared_as)}")
        if name == STRENGTH:
            raise UsageError(f"{STRENGTH} is the same in every run of an ensemble, so it cannot be drawn")
        column = draws.values[:, k]
        wrong = (column < declared.low) | (column > declared.high)
        if declared.unit == "switch":
            wrong |= (column != 0) & (column != 1)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise UsageError(
                f"draw {row} of {name} is {column[row]:g}; "
                f"a number from {declared.low:g} to {declared.high:g} {declared.unit} is expected"
            )
    return draws
