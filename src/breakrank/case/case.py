"""A case: a country's force under strain as data, and the cases that can be made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.case_data import CaseData
from breakrank.case.changes import (
    EventsLike,
    counterfactual,
    drawn,
    lived,
    selection,
    until,
    with_draws,
    with_events,
    with_values,
    without_event,
)
from breakrank.case.dates import DateLike
from breakrank.case.draws import Draws
from breakrank.case.files import write_case
from breakrank.case.posterior import FOLDER, Posterior, files_of_posterior
from breakrank.errors import UsageError
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case.ensemble import PosteriorEnsemble
    from breakrank.case.force_spec import Listing


def tree(case: CaseData) -> str:
    """Return a case as a tree of a few lines."""
    c = case.content
    calendar, force = case.calendar, case.force
    branches = ", ".join(f"{b.label} {b.strength:,}" for b in force.branches)
    backed = sum(bool(p.evidence) for p in case.parameters.values())
    closed = sum(any(not s.open for s in x.schedule) for x in case.crossings)
    ranks, regions = counted(len(force.ranks), "rank"), counted(len(force.regions), "region")
    crossings = counted(len(case.crossings), "crossing")
    command = f", {counted(len(case.command), 'position')} of command" if case.command else ""
    beds = sum(s.capacity for s in case.sites)
    paid = f", {counted(len(case.payers), 'payer')}" if case.payers else ""
    lodged = f"{counted(len(case.sites), 'site')} for {counted(beds, 'person')}{paid}"
    drawn = [f"draws       {case.draws!r}"] if case.draws is not None else []
    if case.draws is None and case.posterior is not None:
        drawn = [f"posterior   {case.posterior.draws!r}, not used here"]
    lines = [
        f"calendar    {calendar.start} to {calendar.end} ({counted(calendar.days, 'day')})",
        f"force       {force.strength:,}: {branches}",
        f"            {ranks}, {counted(len(force.states), 'state')} in {regions}{command}",
        f"routes      {crossings} ({closed} closed at times), {counted(len(case.roads), 'road')}",
        f"fields      {len(c.fields)} given",
        f"events      {_named(case.events, 'event')}",
        f"parameters  {len(case.parameters)}, {backed} with evidence, the others assumed",
        *drawn,
        f"reception   {lodged if case.sites else 'no site'}",
        f"record      {counted(len(case.targets), 'target')}",
        *([f"what if     {_named(case.counterfactuals, 'counterfactual')}"] if case.counterfactuals else []),
        f"evidence    {counted(len(c.observations), 'observation')} from {counted(len(c.sources), 'source')}",
    ]
    marks = ["   " if line.startswith(" ") else "├─ " for line in lines]
    marks[-1] = "└─ "
    marks = ["│  " if m == "   " else m for m in marks]
    body = "\n".join(mark + line for mark, line in zip(marks, lines, strict=True))
    return f"Case {case.id}: {case.title}\n{body}"


def _named(things: Listing[Any], noun: str) -> str:
    """Return how many there are, and how ``ids`` calls the first."""
    first = ", ".join(things.ids[:3]) + ", ..." * (len(things) > 3)
    return f"{counted(len(things), noun)}{f' (ids: {first})' if things else ''}"


@dataclass(frozen=True, eq=False, repr=False)
class Case(CaseData):
    """A country as data, as :func:`breakrank.case.load_case` returns it.

    A case never changes: :meth:`set`, :meth:`with_events`, :meth:`without_event`, :meth:`counterfactual`
    and :meth:`until` return another one. Two cases are equal when their :attr:`digest` is.

    Where its runs are members, selected to match the record, a change that acts before the last figure leaves
    them aside: runs then have parameters of the posterior, or the fixed values of a case without one.
    """

    def set(self, values: Mapping[str, float] | None = None, **more: float) -> Case:
        """Return a case with other parameter values, e.g. ``case.set({"fear.on": 0})``.

        Setting ``force.strength`` rescales the branches in proportion (largest remainder, so that
        they add up exactly). A value beyond the case's own range but within the model's widens the former.
        What is set is no longer drawn.

        Raises
        ------
        UsageError
            for an unknown name, or a value that is no finite number within the range of the model.
        """
        given: Any = values or {}
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
            raise UsageError(f"names with values are expected, as in {{'fear.on': 0}}, not {given!r:.60}")
        return with_values(self, {**given, **more})

    def with_draws(self, draws: Draws | None) -> Case:
        """Return a case whose runs are run under draws of some parameters; ``None`` takes draws away.

        Raises
        ------
        UsageError
            for a parameter that there is not, or a value out of the range of the model.
        """
        return with_draws(self, draws)

    def with_ensemble(self, ensemble: str | PathLike[str] | Posterior | PosteriorEnsemble) -> Case:
        """Return a case whose runs have parameters, or parameters and random seeds, of an ensemble.

        Parameters
        ----------
        ensemble : ``"posterior"``: parameters of the posterior that comes with it; ``"prior"``: of the
            priors; ``"point"``: its fixed values; a posterior or a posterior ensemble, or the folder of one
            or of a calibration.

        Raises
        ------
        UsageError
            when it has no posterior and that is asked, or there is no such folder.
        BreakrankError
            for an ensemble that cannot be used.
        """
        from breakrank.case.ensemble import with_ensemble

        return with_ensemble(self, ensemble)

    def drawn(self, seed: int, run: int) -> Case:
        """Return the case as run number `run` under a seed has it: its row of the draws set, none left."""
        return drawn(self, seed, run)

    def lived(self, seed: int, run: int) -> list[tuple[int, int, int]]:
        """Return the seed path of run number `run` under a seed: (day from which it holds, seed, number)."""
        return lived(self, seed, run)

    def with_events(self, events: EventsLike) -> Case:
        """Return a case with more events; one with the id of an event there replaces it.

        Parameters
        ----------
        events : a YAML file in the format of events.yaml, or a list of events or mappings of that format.

        Raises
        ------
        CaseError
            for an event that cannot be used, with file and line where it comes from a file.
        """
        return with_events(self, events)

    def without_event(self, id: str) -> Case:  # noqa: A002 (the word of the case files)
        """Return a case without one event; UsageError (with the nearest id) when there is none."""
        return without_event(self, id)

    def counterfactual(self, id: str) -> Case:  # noqa: A002
        """Return the case as one of its :attr:`counterfactuals` has it.

        UsageError (with the nearest id) when there is none of this id.
        """
        return counterfactual(self, self.counterfactuals.named(id))

    def until(self, date: DateLike) -> Case:
        """Return a case whose calendar ends on `date` (included); UsageError when that lies outside it."""
        return until(self, date)

    def write(self, folder: str | Path) -> Path:
        """Write the case as used into a new or empty folder that loads to the same digest, and return it.

        Comments of the original files are not kept. Where runs are members, the posterior is written too: it
        is what a change leaves of them.

        Raises
        ------
        UsageError
            when the folder exists and is not empty, or cannot be written.
        """
        left = self.posterior if selection(self) is not None else None
        files = {} if left is None else files_of_posterior(left)
        posterior = {f"{FOLDER}/{name}": text for name, text in files.items()}
        return write_case(self.content, Path(folder), self.draws, posterior)

    def __repr__(self) -> str:
        return tree(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Case, (self.content, self.catalogue, self.draws)  # workers need no posterior
