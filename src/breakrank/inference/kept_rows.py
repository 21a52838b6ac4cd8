"""Rows of a study whose results are arrays instead of series, each kept as soon as it is finished."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.replicate import Replicate
from breakrank.errors import BreakrankError
from breakrank.results.collect import Collector
from breakrank.results.folder import explain
from breakrank.results.json_files import UNREADABLE
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.event_logs import NOTHING, Log
from breakrank.runs.memory_store import MemoryEnsemble, MemoryStore
from breakrank.runs.worker import Simulator

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study


class ArraysOfRow:
    """What is found for a row: a dataclass of arrays."""

    @classmethod
    def of(cls, series: Mapping[str, NDArray[Any]]) -> Self:
        """Return the values of :attr:`series`."""
        return cls(**{field.name: series[field.name] for field in fields(cls)})  # type: ignore[arg-type]

    @property
    def series(self) -> dict[str, NDArray[Any]]:
        """All of it, by name."""
        return dict(vars(self))


T = TypeVar("T", bound=ArraysOfRow)


class KeptEnsemble(MemoryEnsemble):
    """What is found for the rows of a case, each written into a folder at once, if there is one."""

    def __init__(self, case: Case, rows: KeptRows[Any]) -> None:
        super().__init__(Collector(case, 0, ()), None)
        self._rows = rows

    def keep(self, made: Replicate, seconds: float) -> None:
        """Take in finished rows."""
        self.seconds += seconds
        self._rows.keep(made.run, made.series)

    def finished(self, runs: Iterable[int], log: Log = NOTHING) -> set[int]:  # noqa: ARG002
        """Return which of some rows are finished."""
        return {run for run in runs if run in self._rows.found}


class KeptRows(MemoryStore, Generic[T]):
    """A store of one study whose runs find something for each row.

    Parameters
    ----------
    kind : of what is found.
    folder : keeps each, and those that it holds are finished; ``None`` keeps them in memory.
    rows : how many there are.

    Attributes
    ----------
    found : what was found, by row; rows that failed lack.
    """

    def __init__(self, kind: type[T], folder: Folder | None, rows: int) -> None:
        super().__init__()
        self._kind, self._folder = kind, folder
        self.found: dict[int, T] = {}
        if folder is not None and folder.is_dir():
            read = {row: self._read(folder / f"{row}.json") for row in range(rows)}
            self.found = {row: one for row, one in read.items() if one is not None}

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> MemoryEnsemble:  # noqa: ARG002
        """Make room for the rows of a case."""
        return KeptEnsemble(cell.made, self)

    def keep(self, row: int, series: Mapping[str, NDArray[Any]]) -> None:
        """Take in the result of a row; BreakrankError if it cannot be written."""
        self.found[row] = self._kind.of(series)
        if self._folder is not None:
            path = self._folder / f"{row}.json"
            told = {name: values.tolist() for name, values in series.items()}
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, json.dumps(told) + "\n")
            except OSError as error:
                raise BreakrankError(explain(error, path)) from error

    def _read(self, path: Folder) -> T | None:
        try:
            told = json.loads(path.read_text("utf-8"))
            return self._kind.of({name: np.array(values) for name, values in told.items()})
        except UNREADABLE:
            return None
