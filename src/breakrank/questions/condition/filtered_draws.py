"""What filters found, each kept in a file as soon as it is there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path as Folder
from typing import TYPE_CHECKING

import numpy as np

from breakrank.errors import BreakrankError
from breakrank.questions.condition.filter import FilteredDraw
from breakrank.results.collect import Collector
from breakrank.results.folder import explain
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.event_logs import NOTHING, Log
from breakrank.runs.memory_store import MemoryEnsemble, MemoryStore

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study
    from breakrank.runs.worker import Simulator


class FilteredEnsemble(MemoryEnsemble):
    """Filters of the rows of a case, each written into a folder at once, if there is one."""

    def __init__(self, case: Case, draws: dict[int, FilteredDraw], folder: Folder | None) -> None:
        super().__init__(Collector(case, 0, ()), None)
        self.draws, self._folder = draws, folder

    def keep(self, made: Replicate, seconds: float) -> None:
        """Take in what a filter found."""
        self.seconds += seconds
        found = self.draws[made.run] = FilteredDraw.of(made.series)
        if self._folder is not None:
            path = self._folder / f"{made.run}.json"
            told = {name: values.tolist() for name, values in found.series.items()}
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, json.dumps(told) + "\n")
            except OSError as error:
                raise BreakrankError(explain(error, path)) from error

    def finished(self, runs: Iterable[int], log: Log = NOTHING) -> set[int]:  # noqa: ARG002
        """Return which of some rows are finished."""
        return {run for run in runs if run in self.draws}


class FilteredDraws(MemoryStore):
    """A store of one study of filters.

    Parameters
    ----------
    folder : keeps each, and those that it holds are finished; ``None`` keeps them in memory.
    rows : how many there are.
    """

    def __init__(self, folder: Folder | None, rows: int) -> None:
        super().__init__()
        self._where = folder
        self.draws: dict[int, FilteredDraw] = {}
        if folder is not None and folder.is_dir():
            found = {row: _read(folder / f"{row}.json") for row in range(rows)}
            self.draws = {row: one for row, one in found.items() if one is not None}

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> MemoryEnsemble:  # noqa: ARG002
        """Make room for the filters of a case."""
        return FilteredEnsemble(cell.made, self.draws, self._where)


def _read(path: Folder) -> FilteredDraw | None:
    try:
        told = json.loads(path.read_text("utf-8"))
        return FilteredDraw.of({name: np.array(values) for name, values in told.items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
