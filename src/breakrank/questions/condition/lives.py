"""What worlds count by the dates of the record: each is lived from the start, or found where it was kept.

A world is lived anew for each date, which needs no state to be kept or sent: whoever makes it gets the same
bits. What the record asks of it is all that is kept. Each life knows the case only as it was on its last day:
so a later event, series or figure leaves what is kept as it is.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.draws import Draws
from breakrank.case.luck import Luck, LuckPath
from breakrank.draws import luck_key
from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.free_parameters import Free
from breakrank.questions.calibrate.proposal import identity
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.validate.known_then import as_known
from breakrank.results.folder import explain
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.carry_out import Account

Carry = Callable[[Study, MemoryStore, str], "Account"]
"""Carries out a study; the text says what it is."""


@dataclass(frozen=True)
class LivedWorlds:
    """How worlds of a case are lived.

    Attributes
    ----------
    case : without draws. free : its parameters that are drawn. seed : of the worlds.
    carry : carries out a study. folder : keeps what they count; ``None`` keeps nothing.
    code : what stands for the code that makes them.
    """

    case: Case
    free: Free
    seed: int
    carry: Carry
    folder: Folder | None
    code: str

    def draws(self, z: Array, paths: Sequence[LuckPath], until: dt.date) -> Draws:
        """Return worlds as draws with paths of luck up to a day; values have six digits, as in a table."""
        values = self.free.values(z)
        told = np.array([[float(f"{x:.6g}") for x in row] for row in values.tolist()]).reshape(values.shape)
        declared = [self.case.catalogue.parameters[name] for name in self.free.names]
        told = np.clip(told, [p.low for p in declared], [p.high for p in declared])
        return Draws(self.free.names, told, luck=Luck(self.luck_seed, tuple(paths), until))

    @property
    def luck_seed(self) -> int:
        """What the numbers of luck count under."""
        return int(luck_key(self.seed, "worlds"))

    def counts(
        self, z: Array, paths: Sequence[LuckPath], until: dt.date, record: TargetRecord, what: str
    ) -> list[Array]:
        """Return what each target of a record counts, (n, lag + 1) each; not a number where a run failed.

        Raises
        ------
        KeyboardInterrupt
            where the work was stopped.
        BreakrankError
            if no run finished, or what they count cannot be kept.
        """
        made = bare(self._known(until)).until(until).with_draws(self.draws(z, paths, until))
        path = None
        if self.folder is not None:
            path = self.folder / "worlds" / f"{identity(self.code, made.digest, record.digest)}.json"
            found = _kept(path)
            if found is not None:
                return found
        study = Study((Scenario(made, what),), len(paths), self.seed)
        store = MemoryStore(record.variables)
        account = self.carry(study, store, what)
        if account.interrupted:
            raise KeyboardInterrupt
        data = store.result(made, study.seed, study.runs).data
        out = []
        for counted in record.counts(data):
            column = np.full((len(paths), counted.shape[1]), np.nan)
            column[data["run"].values] = counted
            out.append(column)
        if path is not None:
            _keep(path, out)
        return out

    def _known(self, until: dt.date) -> Case:
        """Return the case without what came after a day, so that what is kept serves whatever comes then."""
        return as_known(self.case, until).case if until < self.case.calendar.end else self.case


def _kept(path: Folder) -> list[Array] | None:
    try:
        told: list[Any] = json.loads(path.read_text("utf-8"))
        return [np.array(column, np.float64) for column in told]
    except (OSError, ValueError, TypeError):
        return None


def _keep(path: Folder, counts: list[Array]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps([column.tolist() for column in counts]) + "\n")
    except OSError as error:
        raise BreakrankError(explain(error, path)) from error


def upto(record: TargetRecord, known: Callable[[int], bool]) -> TargetRecord:
    """Return the targets of a record that are known."""
    return replace(record, aims=tuple(aim for k, aim in enumerate(record.aims) if known(k)))
