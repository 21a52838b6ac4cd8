"""What worlds count by the dates of the record: each is lived from the start, or found where it was kept.

A world is lived anew for each date, which needs no state to be kept or sent: whoever makes it gets the same
bits. What the record asks of it is all that is kept. Each life knows the case only as it was on its last day:
so a later event, series or figure leaves what is kept as it is.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from breakrank.case.draws import Draws
from breakrank.case.free_parameters import Free
from breakrank.case.later_events import as_written
from breakrank.case.luck import Luck, LuckPath
from breakrank.draws import luck_key
from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.proposal import identity
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.filter import FILTER, ROOM, FilteredDraw, KeptRows, Lots, T, with_lots
from breakrank.questions.condition.moves import OF_LUCK, MovedWorld, Moves, mover
from breakrank.questions.condition.weights import ALONE, AT_ONCE, LEAST
from breakrank.questions.validate.known_then import as_known
from breakrank.results.folder import explain
from breakrank.results.json_files import UNREADABLE
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.carry_out import Account, Lost
    from breakrank.runs.worker import Simulator


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
