"""The plan: what a place has to provide over a period, from the runs of a case and of scenarios beside it."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError, nearest
from breakrank.questions.plan.data import PlanData
from breakrank.questions.plan.drawings import drawn
from breakrank.questions.plan.folder import save
from breakrank.questions.plan.money import fundings
from breakrank.questions.plan.reading_notes import too_few
from breakrank.questions.plan.shelter import shelter
from breakrank.questions.plan.tables import TABLES, as_json, told
from breakrank.questions.plan.texts import costs
from breakrank.results.uncertainty import chance_note

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.show.vegalite import Chart


def tree(plan: PlanData) -> str:
    """Return a plan as a tree of a few lines: what it is for, what suffices, what it holds."""
    runs = f"{plan.runs} run{'s' * (plan.runs != 1)}"
    lines = [f"Plan of {plan.case.id}: {plan.where.label}, {runs}, seed {plan.seed}{chance_note(plan.case)}"]
    lines.append(f"├── period: {plan.period.start} to {plan.period.end}, {plan.period.days} days")
    whole = shelter(plan.base, plan.period, plan.assurance)[0]
    beds = ", ".join(
        f"{100 * share:g}%: {bed:,.0f}" for share, bed in zip(plan.assurance, whole.beds, strict=True)
    )
    places = f"{whole.offered_least:,.0f} to {whole.offered_most:,.0f}"
    lines.append(f"├── beds that suffice on every day, by assurance: {beds}; places offered: {places}")
    if too_few(plan.assurance, plan.runs):
        lines.append(f"├── {too_few(plan.assurance, plan.runs)}")
    lines += [f"├── {text.strip()}" for text in ["".join(part for part, _ in costs(plan))] if text]
    for one in fundings(plan.base, plan.period, plan.assurance):
        ends = "without a limit"
        if one.limited:
            given = " assumed" if one.assumed else ""
            ends = f"{one.given:,.0f}{given}, runs out in {one.share:.0%} of runs"
            ends += f", median {one.median}" if one.median else ""
        lines.append(
            f"├── {one.label}: cost of sites {one.cost.median:,.0f} {plan.case.currency} (median), "
            f"funds {ends}"
        )
    if len(plan.worlds) > 1:
        lines.append(f"├── scenarios: {', '.join(w.id for w in plan.worlds[1:])}")
    lines.append(f"├── tables: {', '.join(told(plan))}")
    if plan.failed:
        lines.append(f"├── failed: {len(plan.failed)}; first: {plan.failed[0]}")
    if plan.interrupted:
        lines.append("├── interrupted: the runs above had finished")
    lines.append(f"└── made in {plan.seconds:.1f} s by {plan.command or 'an unknown call'}")
    return "\n".join(lines)


class Plan(PlanData):
    """What a host or a site has to provide from a day to a day, with its spread over runs.

    Attributes
    ----------
    case : as used; its calendar ends with the period.
    where, period : what it is made for.
    assurance : shares of runs for which beds have to suffice, e.g. ``(0.5, 0.8, 0.95)``.
    worlds : the case itself first, then the scenarios, each with its runs day by day.
    staffings : for each world, what numbers of caseworkers would do; empty where nobody can decide.
    differences : for each scenario by id, paired differences from the case, run by run.
    rules : how the case's asylum queue works; ``None`` where it has none.
    seed : the seed that all worlds share, so that run k of each has the same luck.
    seconds : wall time, s. command : the call that makes the plan again. versions : of what made it.
    failed : runs that did not finish, with where and why.
    interrupted : whether it was stopped before all runs were done.
    missing : names of the scenarios that were asked for and of which no run finished.
    """

    def table(self, name: str = "summary") -> pd.DataFrame:
        """Return one table by name.

        Names are ``summary``, ``shelter``, ``sites``, ``days``, ``needs``, ``asylum``, ``staff``, ``care``,
        ``costs``, ``funds``, ``scenarios``, ``columns`` and ``notes``.

        Numbers are quantiles over runs, in the units of the column ``unit``; with scenarios the first column
        says which.

        Raises
        ------
        UsageError
            for a name that is none of these.
        """
        if name not in TABLES:
            raise UsageError(f"no table {name!r}{nearest(name, TABLES)} (known: {', '.join(TABLES)})")
        return TABLES[name].build(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables that have something to tell, by name."""
        return told(self)

    def plot(self, name: str | None = None, *, theme: Literal["light", "dark"] = "light") -> Chart:
        """Return a chart by name, or an overview.

        Names are ``beds``, ``months``, ``persons``, ``asylum``, ``staff``, ``money`` and ``scenarios``.
        """
        return drawn(self, name, theme)

    def save(
        self,
        folder: str | PathLike[str],
        formats: Sequence[str] | None = None,
        *,
        paper: Literal["a4", "letter"] = "a4",
    ) -> tuple[Path, ...]:
        """Write the plan into a folder and return the files written.

        Parameters
        ----------
        folder : new, empty, or with an earlier plan, which is replaced.
        formats : of ``"html"``, ``"pdf"``, ``"xlsx"``, ``"csv"``, ``"svg"`` and ``"png"``; by default the
            first four, as far as their libraries are installed.
        paper : size of the PDF's pages.

        Raises
        ------
        UsageError
            for a format that there is not, or whose library is not installed.
        BreakrankError
            if the folder holds something else, or the disk is full or not writable.
        """
        return save(self, Path(folder), formats, paper)

    def as_json(self) -> dict[str, Any]:
        """Return the plan's numbers as one object ready for JSON."""
        return as_json(self)

    def __repr__(self) -> str:
        return tree(self)
