"""What worlds count by the dates of the record: each is lived from the start, or found where it was kept.

A world is lived anew for each date, which needs no state to be kept or sent: whoever makes it gets the same
bits. What the record asks of it is all that is kept. Each life knows the case only as it was on its last day:
so a later event, series or figure leaves what is kept as it is.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.free_parameters import Free, as_written, purpose
from breakrank.case.prior import normal_quantiles
from breakrank.draws import luck_key, uniform_each
from breakrank.engine.replicate import Replicate
from breakrank.errors import BreakrankError
from breakrank.model import build
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.likelihood import log_likelihood, most_likely
from breakrank.questions.calibrate.proposal import identity
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.filter import (
    DAYS,
    FILTER,
    NUMBERS,
    ROOM,
    ArraysOfRow,
    FilteredDraw,
    KeptRows,
    Live,
    Lots,
    T,
    lived,
    replayed,
    told_on,
    with_lots,
)
from breakrank.questions.condition.weights import ALONE, AT_ONCE, LEAST, Strides
from breakrank.results.collect import Collector
from breakrank.results.folder import explain
from breakrank.results.json_files import UNREADABLE
from breakrank.runs.as_of import as_known
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.force import Force
    from breakrank.runs.carry_out import Account, Lost

OF_LUCK = 0.2
"""Share of the steps that change luck."""
STEP = 3
"""Draws of a step: whether it changes luck, whether it is taken, and what it changes."""
EDGE = 1e-12
"""How near to 0 or 1 the distribution function of a prior is taken."""
TRIFLE = 1e-9
"""What sums of logarithms may differ by in another order."""
APART = DAYS // 2
"""Keeps the numbers of luck of these steps apart from those of a filter: no calendar has so many days."""


@dataclass(frozen=True)
class Moves:
    """How worlds move.

    Attributes
    ----------
    free : the parameters that move.
    first : number of the first step. steps : how many, up to number 1,023 in all.
    strides : how far a step goes in each parameter, and how many it changes.
    """

    free: Free
    first: int
    steps: int
    strides: Strides

    def changed(self, key: np.uint64) -> NDArray[np.bool_]:
        """Return which parameters each step of a world changes; none where it changes luck (steps, p)."""
        out = np.zeros((self.steps, len(self.free.names)), np.bool_)
        for row, step in zip(out, range(self.first, self.first + self.steps), strict=True):
            luck, _, which = drawn(key, "step", step, STEP).tolist()
            if luck >= OF_LUCK:
                row[self.block(key, step, which)] = True
        return out

    def block(self, key: np.uint64, step: int, first: float) -> NDArray[np.int64]:
        """Return which parameters a step of a world changes, by a draw of the first."""
        return self.strides.block(first, drawn(key, "block", step, len(self.free.names)))


@dataclass(frozen=True)
class MovedWorld(ArraysOfRow):
    """Where a world has got to.

    Attributes
    ----------
    values : of its parameters (p,). numbers : of its path of luck (dates,).
    logs : logarithm of the likelihood before the first step, and after each (steps + 1,).
    taken : whether each step was taken (steps,).
    counts : what it counts by all figures (counts,).
    """

    values: Array
    numbers: NDArray[np.int64]
    logs: Array
    taken: NDArray[np.bool_]
    counts: Array

    def path(self, before: LuckPath) -> LuckPath:
        """Return its path of luck, whose days are those of its path before."""
        return _path(before, self.numbers)


class Steps:
    """Steps of one row of a case's draws, told of its targets."""

    def __init__(self, case: Case, live: Live, run: int, moves: Moves) -> None:
        draws = case.draws
        assert draws is not None
        assert draws.luck is not None
        self._case, self._live, self._run, self._moves = case, live, run, moves
        self._names, self._luck, self._before = draws.names, draws.luck, draws.luck.paths[run]
        self._days = [0, *((date - case.calendar.start).days for date, _ in self._before.turns)]
        self._key = key_of(draws.luck, run)
        record, eve = TargetRecord.of(case), case.calendar.start - dt.timedelta(days=1)
        self._told = [
            (date, here, replace(record, aims=tuple(record.aims[k] for k in here)))
            for date, here in told_on(record, eve, case.calendar.end)
        ]
        self._variables = frozenset(record.variables)
        self._most = [most_likely(aim, ROOM) for aim in record.aims]
        self._runs = Collector(case, 1, ())
        self._data: xr.Dataset | None = None

    def taken(self, values: Array) -> MovedWorld:
        """Return the world after its steps, from its values."""
        numbers = np.array([self._before.first, *(number for _, number in self._before.turns)], np.int64)
        here, counts = self._lived(values, numbers)
        logs, taken = [here], []
        for step in range(self._moves.first, self._moves.first + self._moves.steps):
            luck, accept, which = drawn(self._key, "step", step, STEP).tolist()
            if luck < OF_LUCK:
                to, on = values, self._other_luck(numbers, step, int(which * len(numbers)))
            else:
                to, on = self._other_values(values, step, self._moves.block(self._key, step, which)), numbers
            try:
                there, fresh = self._lived(to, on, here + math.log(accept))
            except MemoryError:
                raise
            except Exception:  # who cannot be lived is none of the posterior's
                there, fresh = -np.inf, counts
            taken.append(math.log(accept) < there - here)
            if taken[-1]:
                values, numbers, here, counts = to, on, there, fresh
            logs.append(here)
        return MovedWorld(values, numbers, np.array(logs), np.array(taken), counts)

    def _lived(
        self, values: Array, numbers: NDArray[np.int64], least: float = -np.inf
    ) -> tuple[float, Array]:
        """Return the logarithm of the likelihood of a world, and what it counts.

        Minus infinity and nothing where it falls below what is the least of use.
        """
        luck = Luck(self._luck.seed, (_path(self._before, numbers),), self._luck.until)
        case = self._case.with_draws(Draws(self._names, values[None], luck=luck))
        logs, counts = self._most.copy(), [np.empty(0)] * len(self._most)
        series = self._live(case, [date for date, *_ in self._told], self._variables)
        for (_, here, record), counted in zip(self._told, series, strict=True):
            self._runs.add(Replicate(0, counted))
            self._data = self._runs.dataset() if self._data is None else self._data
            for k, aim, count in zip(here, record.aims, record.counts(self._data), strict=True):
                logs[k], counts[k] = float(log_likelihood(aim, count, ROOM)[0]), count[0]
            if sum(logs) < least - TRIFLE:
                return -np.inf, np.empty(0)
        return sum(logs), np.concatenate(counts)

    def _other_luck(self, numbers: NDArray[np.int64], step: int, part: int) -> NDArray[np.int64]:
        """Return numbers of luck of which one is new."""
        on = numbers.copy()
        on[part] = (self._run * DAYS + APART + self._days[part]) * NUMBERS + step
        return on

    def _other_values(self, values: Array, step: int, block: NDArray[np.int64]) -> Array:
        """Return values of which some are drawn anew, as the prior would draw them after such strides."""
        free = self._moves.free
        far = self._moves.strides.far[block]
        below = np.array([free.priors[k].cdf(values[k]) for k in block])
        z = normal_quantiles(np.clip(below, EDGE, 1 - EDGE))
        fresh = normal_quantiles(drawn(self._key, "to", step, len(block)))
        z = np.sqrt(1 - far * far) * z + far * fresh
        there = Free(tuple(free.names[k] for k in block), tuple(free.priors[k] for k in block))
        to = values.copy()
        to[block] = as_written(there.values(z[None]), there.names, self._case)[0]
        return to


def key_of(luck: Luck, run: int) -> np.uint64:
    """Return the key of what the steps of a world draw."""
    return luck_key(luck.under(run), "moves", run)


def drawn(key: np.uint64, what: str, step: int, number: int) -> Array:
    """Return so many draws from (0, 1) of one step."""
    who, when = np.arange(number, dtype=np.uint32), np.full(number, step, np.int64)
    return uniform_each(key, purpose(what), who, when)


def _path(before: LuckPath, numbers: NDArray[np.int64]) -> LuckPath:
    first, *later = numbers.tolist()
    turns = tuple((date, n) for (date, _), n in zip(before.turns, later, strict=True))
    return replace(before, first=first, turns=turns)


def _moved(
    case: Case,
    force: Force | None,  # noqa: ARG001
    seed: int,  # noqa: ARG001
    run: int,
    /,
    *,
    log: bool,  # noqa: ARG001
    live: Live,
    moves: Moves,
) -> Replicate:
    assert case.draws is not None
    return Replicate(run, Steps(case, live, run, moves).taken(case.draws.values[run]).series)


def mover(model: Simulator | None, moves: Moves) -> Simulator:
    """Return what moves worlds that a simulator makes, ``None`` for the model, in place of it."""
    live = lived if model is None else partial(replayed, model)
    return Simulator(build, partial(_moved, live=live, moves=moves), ())


class Carry(Protocol):
    """Carries out a study; the text says what it is, and the simulator what makes a run, if not the model."""

    def __call__(
        self, study: Study, store: MemoryStore, what: str, /, *, simulator: Simulator | None = None
    ) -> Account:
        """Return what came of it."""
        ...


@dataclass(frozen=True)
class LivedWorlds:
    """How worlds of a case are lived.

    Attributes
    ----------
    case : without draws. free : its parameters that are drawn. seed : of the worlds.
    carry : carries out a study. folder : keeps what they count; ``None`` keeps nothing.
    code : what stands for the code that makes them.
    filter : what finds luck that agrees with a record. model : what makes runs; ``None`` for the model.
    """

    case: Case
    free: Free
    seed: int
    carry: Carry
    folder: Folder | None
    code: str
    filter: Simulator = FILTER
    model: Simulator | None = None

    def draws(self, z: Array, paths: Sequence[LuckPath], until: dt.date) -> Draws:
        """Return worlds as draws with paths of luck up to a day; values have six digits, as in a table."""
        told = as_written(self.free.values(z), self.free.names, self.case)
        return Draws(self.free.names, told, luck=Luck(self.luck_seed, tuple(paths), until))

    @property
    def luck_seed(self) -> int:
        """What the numbers of luck count under."""
        return int(luck_key(self.seed, "worlds"))

    def counts(self, draws: Draws, record: TargetRecord, what: str) -> list[Array]:
        """Return what each target of a record counts in worlds by their last day, (n, lag + 1) each.

        Not a number where a run failed.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped.
        BreakrankError
            if no run finished, or what they count cannot be kept.
        """
        assert draws.luck is not None
        until = draws.luck.until
        made = bare(self._known(until)).until(until).with_draws(draws)
        path = None
        if self.folder is not None:
            path = self.folder / "worlds" / f"{identity(self.code, made.digest, record.digest)}.json"
            found = _kept(path)
            if found is not None:
                return found
        study = Study((Scenario(made, what),), len(draws), self.seed)
        store = MemoryStore(record.variables)
        account = self.carry(study, store, what)
        if account.interrupted:
            raise KeyboardInterrupt
        data = store.result(made, study.seed, study.runs).data
        out = []
        for counted in record.counts(data):
            column = np.full((len(draws), counted.shape[1]), np.nan)
            column[data["run"].values] = counted
            out.append(column)
        if path is not None:
            _keep(path, out)
        return out

    def filtered(
        self, draws: Draws, until: dt.date, record: TargetRecord, what: str, lots: Lots
    ) -> dict[int, FilteredDraw]:
        """Return by row what a filter finds that goes on from worlds to a later day; rows that failed lack.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped.
        BreakrankError
            if what is found cannot be kept.
        """
        simulator = with_lots(self.filter, lots)
        return self._found(FilteredDraw, simulator, draws, until, record, what, str(lots))[0]

    def moved(self, draws: Draws, record: TargetRecord, what: str, moves: Moves) -> dict[int, MovedWorld]:
        """Return by row where worlds get to in some steps.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped.
        BreakrankError
            if one could not be lived again, or what is found cannot be kept.
        """
        assert draws.luck is not None
        simulator = mover(self.model, moves)
        how = (moves.first, moves.steps, OF_LUCK, AT_ONCE, ALONE, LEAST)
        told = f"{how} {moves.strides.resistance.tobytes().hex()}"
        found, lost = self._found(MovedWorld, simulator, draws, draws.luck.until, record, what, told)
        if lost:
            raise BreakrankError(f"{len(lost)} of {len(draws)} worlds could not go on: {lost[0]}")
        return found

    def _found(
        self,
        kind: type[T],
        simulator: Simulator,
        draws: Draws,
        until: dt.date,
        record: TargetRecord,
        what: str,
        how: str,
    ) -> tuple[dict[int, T], tuple[Lost, ...]]:
        case = bare(self._known(until)).until(until)
        content = replace(case.content, targets=tuple(aim.target for aim in record.aims))
        made = type(case)(content, case.catalogue).with_draws(draws)
        folder = None
        if self.folder is not None:
            folder = self.folder / "worlds" / identity(self.code, made.digest, record.digest, ROOM, how)
        study = Study((Scenario(made, what),), len(draws), self.seed)
        store = KeptRows(kind, folder, len(draws))
        if len(store.found) == len(draws):
            return store.found, ()
        account = self.carry(study, store, what, simulator=simulator)
        if account.interrupted:
            raise KeyboardInterrupt
        return store.found, account.failed

    def _known(self, until: dt.date) -> Case:
        """Return the case without what came after a day, so that what is kept serves whatever comes then."""
        return as_known(self.case, until).case if until < self.case.calendar.end else self.case


def _kept(path: Folder) -> list[Array] | None:
    try:
        told: list[Any] = json.loads(path.read_text("utf-8"))
        return [np.array(column, np.float64) for column in told]
    except UNREADABLE:
        return None


def _keep(path: Folder, counts: list[Array]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps([column.tolist() for column in counts]) + "\n")
    except OSError as error:
        raise BreakrankError(explain(error, path)) from error
