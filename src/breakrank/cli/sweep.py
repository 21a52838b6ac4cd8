"""``breakrank sweep``: how an outcome answers to one or two parameters, and where it tips."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change, values_of
from breakrank.cli.options import DatedOptions, OutputOptions, RunOptions, Whole
from breakrank.cli.progress import carried_out, code_of
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Study

Over = Annotated[tuple[str, ...], Parameter(name="--over", negative="")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What is read from the runs.

    Attributes
    ----------
    measure
        The measure that is read from each run.
    date
        The day at whose end it is read, e.g. 2019-06-30; by default the last.
    outcome
        The outcome whose probability is shown, as MEASURE, a sign and a number; regime_holds<1 means that the
        regime has fallen.
    """

    measure: str = "left_abroad"
    date: str | None = None
    outcome: str = "regime_holds<1"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PointOptions:
    """Where the runs are made.

    Attributes
    ----------
    design
        The first points: grid, latin (Latin hypercube) or sobol.
    points
        Number of points of the designs latin and sobol.
    refine
        How many times points are added where the response is steep.
    runs
        Number of runs of each point.
    """

    design: str = "grid"
    points: Whole | None = None
    refine: Whole = 2
    runs: Whole = 40


def sweep(
    case: str,
    /,
    *,
    over: Over,
    read: ReadOptions = ReadOptions(),
    points: PointOptions = PointOptions(),
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Vary one or two parameters over a range, and show how an outcome responds and where it tips.

    Prints for each point the measure's median and 90% interval and the probability of the outcome, and where
    that probability passes 5, 50 and 95%. Leaves the same as a table, and a chart. Points are added between
    neighbours that differ much. All points use the same random draws.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    over
        A parameter and its range, as NAME=LOW:HIGH or NAME=LOW:HIGH:STEPS. May be given twice.
    out
        Folder for sweep.csv, sweep.json and sweep.svg; by default breakrank-sweep-CASE.
    """
    from breakrank.questions.compare.compare import unselected
    from breakrank.questions.sweep import sweep as designs
    from breakrank.questions.sweep.sweep import SweepRequest, statement
    from breakrank.questions.sweep.sweep import sweep as swept
    from breakrank.questions.sweep.terminal import as_json, save, show
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study

    made = change(case, options, None, output.quiet, later=True)
    plain, values, seed = unselected(made.case), values_of(options.changes), options.seed
    axes = designs.axes(over, plain)
    if points.refine < 0:
        raise UsageError(f"--refine {points.refine}: 0 or more rounds are expected")
    start = designs.points(axes, points.design, points.points, seed)  # type: ignore[arg-type]
    date = None if read.date is None else plain.calendar.within(read.date, "--date")
    question = SweepRequest(read.measure, statement(read.outcome), date)
    folder = out if out is not None else Path(f"breakrank-sweep-{plain.id}")
    kept = where.opened(plain.id)

    def carry(study: Study, number: int) -> Account:
        what = f"Sweep of {plain.id}, {len(study.cells)} points" + (f", round {number}" if number > 1 else "")
        return carried_out(study, kept, what, where, output.quiet, again=number > 1)

    base = Scenario(plain, made.changes.name(values=values), values=tuple(values.items()))
    found = swept(Study((base,), points.runs, seed), axes, start, question, kept, carry, rounds=points.refine)
    content = as_json(found, plain, seed, points.runs)
    save(found, content, folder)
    output.tell(lambda: content, lambda: show(found), f"Table and chart  {folder}")
    return max(code_of(account) for account in found.accounts)
