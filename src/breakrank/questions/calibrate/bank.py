"""The bank: simulations of a case under draws from its prior, or from a proposal, kept in a store.

A bank consists of portions, each a case with a table of draws of its own, run once under every row. A portion
of the prior always has :data:`PORTION` rows, of which as many are run as are asked for: more simulations
later go on where fewer ended. The case of a portion carries no targets and no counterfactuals: what one asks
of a simulation does not move it, so a record that is corrected, or one that is held back, uses the same bank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.free_parameters import Free
from breakrank.draws import luck_key
from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.runs.carry_out import Account
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Failure
    from breakrank.runs.store import Store

PORTION = 2000
"""Simulations in a portion of the prior."""

Carry = Callable[[Study], Account]
"""Carries out the study of one portion."""


@dataclass(frozen=True)
class Portion:
    """Simulations that are made together.

    Attributes
    ----------
    name : what it is called in the store.
    study : of one scenario, a case with draws, run once under each row.
    z : where its rows lie in z-space (rows, p).
    first : number of its first simulation among those of its round.
    """

    name: str
    study: Study
    z: Array
    first: int

    @property
    def case(self) -> Case:
        """The case with its draws."""
        return self.study.scenarios[0].made


@dataclass(frozen=True, eq=False)
class Bank:
    """Simulations that have finished.

    Attributes
    ----------
    z : parameters in z-space (n, p).
    counts : what each target counts, on its date and the days before it that its lag allows: (n, lag + 1)
    each. rounds, numbers : which round each simulation belongs to, from 0, and its number there (n,). lost :
    parameters in z-space of the simulations that failed (m, p). failures : what they said.
    """

    z: Array
    counts: list[Array]
    rounds: NDArray[np.int64]
    numbers: NDArray[np.int64]
    lost: Array
    failures: tuple[Failure, ...]

    def __len__(self) -> int:
        return len(self.z)

    def with_(self, other: Bank) -> Bank:
        """Return this bank with the simulations of another after its own."""
        return Bank(
            np.concatenate([self.z, other.z]),
            [np.concatenate([a, b]) for a, b in zip(self.counts, other.counts, strict=True)],
            np.concatenate([self.rounds, other.rounds]),
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.lost, other.lost]),
            (*self.failures, *other.failures),
        )

    def missed(self, record: TargetRecord) -> Array:
        """Return which share of the targets each simulation misses (n,), 0 to 1."""
        agree = [aim.agrees(c[:, 0]) for aim, c in zip(record.aims, self.counts, strict=True)]
        return np.asarray(1.0 - np.stack(agree, axis=1).mean(axis=1))

    def summaries(self, record: TargetRecord, seed: int) -> Array:
        """Return the summaries of all simulations (n, targets), the record at 0; gaps are not filled."""
        out = np.empty((len(self), len(record.aims)))
        for number in np.unique(self.rounds):
            here = np.flatnonzero(self.rounds == number)
            counts = [c[here] for c in self.counts]
            out[here] = record.summaries(counts, seed, f"round {number}", self.numbers[here])
        return out


def bare(case: Case) -> Case:
    """Return a case without what moves no run of it: targets, counterfactuals and draws."""
    content = replace(case.content, targets=(), counterfactuals=())
    return type(case)(content, case.catalogue)


def portions(case: Case, free: Free, simulations: int, seed: int) -> Iterator[Portion]:
    """Yield the portions of the prior that hold so many simulations."""
    plain = bare(case)
    for number, first in enumerate(range(0, simulations, PORTION)):
        z = free.drawn(seed, "prior", np.arange(first, first + PORTION))
        runs = min(PORTION, simulations - first)
        yield portion(plain, free, z, runs, seed, f"prior-{number}", first)


def portion(plain: Case, free: Free, z: Array, runs: int, seed: int, name: str, first: int = 0) -> Portion:
    """Return a portion of so many runs under rows of z-space; its luck is that of its name."""
    case = plain.with_draws(Draws(free.names, free.values(z)))
    luck = int(luck_key(seed, f"calibrate.{name}"))
    return Portion(name, Study((Scenario(case, name),), runs, luck), z, first)


def made(
    found: Sequence[Portion],
    number: int,
    record: TargetRecord,
    store: Store,
    carry: Carry,
    code: str | None = None,
) -> Bank:
    """Make the simulations of a round, or find them in the store, and read what the targets count.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped; what is finished is kept.
    BreakrankError
        if no simulation finished; it gives the first reason.
    """
    failures: list[Failure] = []
    for one in found:
        account = carry(one.study)
        failures += [lost.failure for lost in account.failed]
        if account.interrupted:
            raise KeyboardInterrupt
    parts = [_read(one, number, record, store, code) for one in found]
    whole = next((part for part in parts if len(part)), parts[0])
    for part in parts:
        if part is not whole:
            whole = whole.with_(part)
    if not len(whole):
        first = f"; the first says: {failures[0]}" if failures else ""
        raise BreakrankError(f"none of {sum(one.study.runs for one in found)} simulations finished{first}")
    return replace(whole, failures=tuple(failures))


def _read(one: Portion, number: int, record: TargetRecord, store: Store, code: str | None) -> Bank:
    """Read what the targets count in the finished simulations of a portion."""
    runs: list[NDArray[np.int64]] = []
    counts: list[list[Array]] = [[] for _ in record.aims]
    for data in store.blocks(one.case, one.study.seed, one.study.runs, only=record.variables, code=code):
        runs.append(data["run"].values.astype(np.int64))
        for kept, counted in zip(counts, record.counts(data), strict=True):
            kept.append(counted)
    taken = np.concatenate(runs) if runs else np.zeros(0, np.int64)
    lost = np.setdiff1d(np.arange(one.study.runs), taken)
    return Bank(
        one.z[taken],
        [np.concatenate(kept) if kept else np.zeros((0, record.width(k))) for k, kept in enumerate(counts)],
        np.full(len(taken), number),
        one.first + taken,
        one.z[lost],
        (),
    )
