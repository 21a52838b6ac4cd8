"""Simulations of a case under draws of its parameters, and what the observed targets count in them.

Only counts are kept. Each batch is written as soon as it is finished, so that an interrupted call goes on
from there. A simulation knows its case only as it was on the last day: a later event, series or figure leaves
what is kept as it is.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.ensemble import Free, as_written
from breakrank.draws import luck_key
from breakrank.inference.observed import DISCREPANCY, ObservedTargets, fill_gaps, with_targets
from breakrank.inference.particle_filter import FILTER, Batches, FilterResult, KeptRows, with_batches
from breakrank.inference.regression import Array
from breakrank.results.files import UNREADABLE, read_sealed, write_sealed
from breakrank.runs.as_of import as_known
from breakrank.runs.store import MemoryStore
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Scenario, Study


BATCH = 200
"""Simulations that are kept together."""


Carry = Callable[..., "Account"]
"""Carries out a study in a store; a text says what it is, `simulator` what makes a run, if not the model."""


@dataclass(frozen=True, eq=False)
class Simulations:
    """Simulations that have finished.

    Attributes
    ----------
    z : parameters in z-space (n, p).
    counts : of each target, on its date and the days before it that its lag allows: (n, lag + 1) each.
    numbers : seed number of each, which names the draws of its report (n,).
    lost : parameters in z-space of the simulations that failed (m, p). reasons : what they said, in order.
    """

    z: Array
    counts: list[Array]
    numbers: NDArray[np.int64]
    lost: Array
    reasons: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.z)

    def __add__(self, other: Self) -> Simulations:
        """Return these simulations with those of another wave after them."""
        return Simulations(
            np.concatenate([self.z, other.z]),
            [np.concatenate([a, b]) for a, b in zip(self.counts, other.counts, strict=True)],
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.lost, other.lost]),
            (*self.reasons, *other.reasons),
        )

    def first(self, number: int) -> Simulations:
        """Return the first `number` of them."""
        counts = [c[:number] for c in self.counts]
        return replace(self, z=self.z[:number], counts=counts, numbers=self.numbers[:number])

    def counted(self, targets: ObservedTargets, seed: int) -> Array:
        """Return counts of the targets, on their scales (n, targets)."""
        return targets.counted(self.counts, seed, "simulation", self.numbers)

    def summaries(self, targets: ObservedTargets, seed: int) -> tuple[Array, Array]:
        """Return the summaries (n, targets) with gaps filled, and the number of gaps (targets,)."""
        return fill_gaps(targets.summaries(self.counts, seed, "simulation", self.numbers))


@dataclass(frozen=True)
class Work:
    """How a case is simulated for an inference.

    Attributes
    ----------
    case : without draws. free : its parameters that are drawn.
    targets : the observed figures. until : last day that is simulated.
    seed : of all that is drawn. carry : carries out a study.
    folder : keeps what is finished; ``None`` keeps nothing. code : stands for the code that simulates.
    filter : what filters random seeds. model : what makes runs; ``None`` for the model.
    """

    case: Case
    free: Free
    targets: ObservedTargets
    until: dt.date
    seed: int
    carry: Carry
    folder: Folder | None
    code: str
    filter: Simulator = FILTER
    model: Simulator | None = None

    @cached_property
    def plain(self) -> Case:
        """The case until the last day, without what moves no run of it: targets, counterfactuals, draws."""
        ends = self.until < self.case.calendar.end
        case = as_known(self.case, self.until).case if ends else self.case
        return bare(case).until(self.until)

    def draws(self, z: Array, paths: Sequence[LuckPath], until: dt.date) -> Draws:
        """Return draws with seed paths up to a day; values have six digits, as in a table."""
        values = as_written(self.free.values(z), self.free.names, self.case)
        under = int(luck_key(self.seed, "worlds"))  # seed under which seed numbers count
        return Draws(self.free.names, values, luck=Luck(under, tuple(paths), until))

    def simulate(self, z: Array, first: int, what: str) -> Simulations:
        """Return simulations under parameters in z-space (n, p), with seed numbers from `first` on.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped; finished batches are kept.
        BreakrankError
            if they cannot be kept.
        """
        parts = []
        for begin in range(0, len(z), BATCH):
            here = z[begin : begin + BATCH]
            numbers = first + begin + np.arange(len(here))
            label = f"{what}, {begin + 1:,} to {begin + len(here):,} of {len(z):,}"
            draws = self.draws(here, [LuckPath(int(k)) for k in numbers], self.until)
            counts, reasons = self.counts(draws, label)
            finished = ~np.all([np.isnan(c).all(axis=1) for c in counts], axis=0)
            kept = [c[finished] for c in counts]
            parts.append(Simulations(here[finished], kept, numbers[finished], here[~finished], reasons))
        whole = parts[0]
        for part in parts[1:]:
            whole = whole + part
        return whole

    def counts(self, draws: Draws, what: str) -> tuple[list[Array], tuple[str, ...]]:
        """Return counts of each target in runs under draws, (n, lag + 1) each, and why runs failed.

        Counts of a run that failed are not a number.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped.
        BreakrankError
            if what they count cannot be kept.
        """
        made = self.plain.with_draws(draws)
        name = identity(self.code, made.digest, self.targets.digest)
        kept = self.recall("simulations", name, lambda: self._counted(made, len(draws), what))
        return [np.array(column, np.float64) for column in kept["counts"]], tuple(kept["reasons"])

    def _counted(self, made: Case, runs: int, what: str) -> dict[str, Any]:
        """Return what the targets count in so many runs, and why runs failed, as plain values."""
        study = Study((Scenario(made, what),), runs, self.seed)
        store = MemoryStore(self.targets.variables)
        account = self.carry(study, store, what, simulator=self.model)
        if account.interrupted:
            raise KeyboardInterrupt
        counts = [np.full((runs, self.targets.width(k)), np.nan) for k in range(len(self.targets.targets))]
        if account.finished:
            data = store.result(made, study.seed, study.runs).data
            for column, counted in zip(counts, self.targets.counts(data), strict=True):
                column[data["run"].values] = counted
        reasons = [f"{one.failure.where}: {one.failure.why}".splitlines()[0] for one in account.failed]
        return {"counts": [column.tolist() for column in counts], "reasons": reasons}

    def run_filters(self, draws: Draws, what: str, batches: Batches) -> dict[int, FilterResult]:
        """Return by row what particle filters leave that go on from draws to the last day.

        Rows that failed lack.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped; finished filters are kept.
        BreakrankError
            if what is found cannot be kept.
        """
        made = with_targets(self.plain, (one.target for one in self.targets.targets)).with_draws(draws)
        folder = None
        if self.folder is not None:
            name = identity(self.code, made.digest, self.targets.digest, DISCREPANCY, str(batches))
            folder = self.folder / "filters" / name
        study = Study((Scenario(made, what),), len(draws), self.seed)
        store = KeptRows(folder, len(draws))
        missing = len(store.found) < len(draws)
        simulator = with_batches(self.filter, batches)
        if missing and self.carry(study, store, what, simulator=simulator).interrupted:
            raise KeyboardInterrupt
        return store.found

    def remember(self, z: Array, *of: str | int | float) -> Array:
        """Return drawn parameters (n, p), those that were written down if the same were drawn before.

        Another machine may round differently and so draw others; what goes on there goes on with these.
        """
        name = identity(self.code, self.plain.digest, self.free.digest, self.targets.digest, self.seed, *of)
        return np.array(self.recall("draws", name, z.tolist), np.float64).reshape(z.shape)

    def recall(self, kind: str, name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 (plain values)
        """Return plain values that were kept under a name, or those that are made now and kept.

        Raises
        ------
        BreakrankError
            if they cannot be kept.
        """
        if self.folder is None:
            return make()
        path = self.folder / kind / f"{name}.json"
        try:
            return read_sealed(path)
        except UNREADABLE:
            made = make()
            write_sealed(path, made)
            return made


def bare(case: Case) -> Case:
    """Return a case without what moves no run of it: targets, counterfactuals and draws."""
    content = replace(case.content, targets=(), counterfactuals=())
    return type(case)(content, case.catalogue)


def identity(*parts: str | int | float) -> str:
    """Return a short name of everything that something kept follows from."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]
