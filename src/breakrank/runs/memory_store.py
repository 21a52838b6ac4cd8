"""A store in memory, for one study: what a call without a store keeps its runs in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.engine.replicate import Failure, Replicate
from breakrank.errors import BreakrankError
from breakrank.results.collect import Collector
from breakrank.results.result import Result
from breakrank.runs.identity import versions
from breakrank.runs.store import Aside, Store
from breakrank.runs.worker import Simulator, event_names

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study


class MemoryEnsemble:
    """The finished runs of one scenario.

    Parameters
    ----------
    collector : what they are put together in.
    only : names of the variables that are kept; ``None`` for all.
    """

    damaged: tuple[Aside, ...] = ()

    def __init__(self, collector: Collector, only: Collection[str] | None) -> None:
        self.collector = collector
        self.seconds = 0.0
        self._only = only
        self._logged: set[int] = set()
        self._failures: tuple[Failure, ...] = ()

    def keep(self, made: Replicate, seconds: float) -> None:
        """Take in a run, which took so long (s)."""
        if self._only is not None:
            made = replace(made, series={n: v for n, v in made.series.items() if n in self._only})
        self.collector.add(made)
        self.seconds += seconds
        if made.events is not None:
            self._logged.add(made.run)

    def finished(self, runs: Iterable[int], log_runs: int = 0) -> set[int]:
        """Return which of some runs are finished, with events of so many first ones."""
        done = self.collector.done
        return {r for r in runs if r < len(done) and done[r] and (r >= log_runs or r in self._logged)}

    def failures(self) -> tuple[Failure, ...]:
        """Return the runs that failed."""
        return self._failures

    def note_failures(self, failed: Iterable[tuple[Failure, str]], tried: Iterable[int]) -> None:  # noqa: ARG002
        """Note which of the runs that were tried failed."""
        self._failures = tuple(sorted((one for one, _ in failed), key=lambda one: one.run))


class MemoryStore:
    """Finished runs of one study, in the memory of this process.

    Parameters
    ----------
    only : names of the variables that are kept; by default all.
    """

    folder: Path | None = None
    token = ""

    def __init__(self, only: Collection[str] | None = None) -> None:
        self._only = None if only is None else frozenset(only)
        self._kept: dict[tuple[str, int], MemoryEnsemble] = {}

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> MemoryEnsemble:
        """Make room for the ensemble of a scenario."""
        collector = Collector(cell.case, study.runs, event_names(simulator, cell.case))
        made = MemoryEnsemble(collector, self._only)
        return self._kept.setdefault((cell.case.digest, study.seed), made)

    def stored(self, case: Case, seed: int) -> MemoryEnsemble:
        """Return an ensemble of the study; there is one version of the model in a process."""
        return self._kept[case.digest, seed]

    def result(
        self,
        case: Case,
        seed: int,
        runs: int,
        *,
        only: Collection[str] | None = None,  # noqa: ARG002 (said before the runs were made)
        log_runs: int = 0,  # noqa: ARG002
    ) -> Result:
        """Return the finished runs of an ensemble as a result.

        Raises
        ------
        BreakrankError
            if none of them is finished; it gives the first reason.
        """
        stored = self.stored(case, seed)
        if not stored.collector.done.any():
            why = f"; the first says: {stored.failures()[0]}" if stored.failures() else ""
            raise BreakrankError(f"none of {runs} runs finished{why}")
        return Result(
            data=stored.collector.dataset(),
            case=case,
            seed=seed,
            seconds=stored.seconds,
            command="",
            versions=versions(case),
            events=stored.collector.events(),
            failed=stored.failures(),
        )


AnyStore = Store | MemoryStore
"""Where finished runs are kept: in a folder, or in memory."""
