"""``breakrank sweep``: how an outcome answers to one or two parameters, and where it tips."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change, values_of
from breakrank.cli.options import Backend, Changes, Flag, Mechanisms, Under, Whole
from breakrank.cli.studies import carried_out, code_of
from breakrank.errors import UsageError
from breakrank.show.terminal import say, say_json, say_table, title, wrapped

if TYPE_CHECKING:
    from breakrank.questions.sweep.sweep import Sweep
    from breakrank.questions.sweep.tipping import Tip
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Study

Over = Annotated[tuple[str, ...], Parameter(name="--over", negative="")]


def sweep(
    case: str,
    /,
    *,
    over: Over,
    measure: str = "left_abroad",
    date: str | None = None,
    outcome: str = "regime_holds<1",
    design: str = "grid",
    points: Whole | None = None,
    refine: Whole = 2,
    changes: Changes = (),
    runs: Whole = 40,
    seed: Whole = 0,
    until: str | None = None,
    parameters: Under = None,
    mechanisms: Mechanisms = (),
    workers: Whole | None = None,
    store: Path | None = None,
    backend: Backend = None,
    out: Path | None = None,
    json: Flag = False,
    quiet: Flag = False,
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
    measure
        The measure that is read from each run.
    date
        The day at whose end it is read, e.g. 2019-06-30; by default the last.
    outcome
        The outcome whose probability is shown, as MEASURE, a sign and a number; regime_holds<1 means that the
        regime has fallen.
    design
        The first points: grid, latin (Latin hypercube) or sobol.
    points
        Number of points of the designs latin and sobol.
    refine
        How many times points are added where the response is steep.
    changes
        Set another parameter for all points, as NAME=VALUE. May be given several times.
    runs
        Number of runs of each point.
    parameters
        posterior: each run uses parameters drawn from the case's posterior, so that intervals include
        parameter uncertainty. values: each run uses the parameters' values. The default is the posterior, if
        there is one.
    seed
        Random seed: the same case and seed give the same numbers.
    until
        Last day, e.g. 2019-06-30; by default the case's last day.
    workers
        Number of processes; the default is chosen from this machine's cores and the number of runs.
    store
        Folder that keeps every finished run; by default breakrank-CASE.store in the current directory.
    backend
        What makes the runs: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    out
        Folder for sweep.csv, sweep.json and sweep.svg; by default breakrank-sweep-CASE.
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
    """
    from breakrank.questions.sweep import design as designs
    from breakrank.questions.sweep.sweep import SweepRequest
    from breakrank.questions.sweep.sweep import sweep as swept
    from breakrank.questions.sweep.tipping import statement
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.store import Store

    made = change(case, (), None, until, quiet, parameters, mechanisms)
    plain, values = made.case, values_of(changes)
    axes = designs.axes(over, plain)
    if refine < 0:
        raise UsageError(f"--refine {refine}: 0 or more rounds are expected")
    start = designs.points(axes, design, points, seed)  # type: ignore[arg-type]
    question = SweepRequest(measure, statement(outcome), _day(date))
    folder = out if out is not None else Path(f"breakrank-sweep-{plain.id}")
    kept = Store(store if store is not None else Path(f"breakrank-{plain.id}.store"))

    def carry(study: Study, number: int) -> Account:
        what = f"Sweep of {plain.id}, {len(study.cells)} points" + (f", round {number}" if number > 1 else "")
        return carried_out(study, kept, what, backend, workers, quiet, again=number > 1)

    base = Scenario(plain, made.changes.name(values=values), values=tuple(values.items()))
    found = swept(base, axes, start, question, kept, carry, runs=runs, seed=seed, rounds=refine)
    content = _as_json(found, plain.id, seed, runs)
    _save(found, content, folder)
    if json:
        say_json(content)
    elif not quiet:
        _tell(found)
        say(f"Table and chart  {folder}")
    return max(code_of(account) for account in found.accounts)


def _day(date: str | None) -> dt.date | None:
    if date is None:
        return None
    try:
        return dt.date.fromisoformat(date)
    except ValueError:
        raise UsageError(f"--date {date!r} is no date; write it like 2019-06-30") from None


def _tell(found: Sweep) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from breakrank.results.measures import find

    about = find(found.question.measure)
    when = "on the last day" if found.question.date is None else f"on {found.question.date}"
    say(title(f"{about.label}, {when}, in {about.unit}; chance of {found.question.outcome}"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for head in (*(a.name for a in found.axes), "runs", "median", "90% interval", "chance"):
        table.add_column(head, justify="right")
    rows = found.table().sort_values([a.name for a in found.axes])
    for row in rows.to_dict("records"):
        cells = [f"{row[a.name]:g}" for a in found.axes]
        cells += [f"{row['runs']:,.0f}", f"{row['median']:,.4g}", f"{row['q05']:,.4g} to {row['q95']:,.4g}"]
        table.add_row(*(Text(cell) for cell in [*cells, f"{100 * row['chance']:.0f}%"]))
    say_table(table)
    if len(found.axes) == 1:
        for line in _tips(found):
            say(wrapped(line))
    else:
        passed = ", ".join(f"{level:.0%}" for level, pieces in found.lines().items() if pieces)
        told = f"{passed}; the chart shows where" if passed else "neither 5, 50 nor 95%"
        say(wrapped(f"Within these ranges the chance of {found.question.outcome} passes {told}."))
    say()


def _tips(found: Sweep) -> list[str]:
    tips = found.tips()
    name = found.axes[0].name
    if not tips:
        return [f"Over this range the chance of {found.question.outcome} passes neither 5, 50 nor 95%."]
    return [
        f"The chance {'rises above' if t.rises else 'falls below'} {t.level:.0%} at {name} = {t.value:.4g}"
        + ("." if math.isnan(t.low) else f" (95%: {t.low:.4g} to {t.high:.4g}).")
        for t in tips
    ]


def _as_json(found: Sweep, case: str, seed: int, runs: int) -> dict[str, object]:
    import breakrank

    table = found.table().astype(object).where(lambda t: t.notna(), None)
    content: dict[str, object] = {
        "case": case,
        "version": breakrank.__version__,
        "seed": seed,
        "runs": runs,
        "measure": found.question.measure,
        "outcome": str(found.question.outcome),
        "date": None if found.question.date is None else str(found.question.date),
        "over": {a.name: {"low": a.low, "high": a.high, "unit": a.unit} for a in found.axes},
        "points": table.to_dict("records"),
    }
    if len(found.axes) == 1:
        content["tipping"] = [
            {"level": t.level, "at": t.value, "interval95": _interval(t), "rises": t.rises}
            for t in found.tips()
        ]
    else:
        content["tipping"] = {f"{level:g}": pieces for level, pieces in found.lines().items()}
    return content


def _interval(tip: Tip) -> list[float | None]:
    return [None if math.isnan(end) else end for end in (tip.low, tip.high)]


def _save(found: Sweep, content: dict[str, object], folder: Path) -> None:
    """Write the table, the same as JSON, and the chart; whole files only."""
    import json

    from breakrank.results.folder import explain
    from breakrank.runs.atomic_file import write_whole

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "sweep.csv", found.table().to_csv(index=False, lineterminator="\n"))
        write_whole(folder / "sweep.json", json.dumps(content, indent=1, allow_nan=False) + "\n")
        drawn = _drawn(found)
        if drawn:
            write_whole(folder / "sweep.svg", drawn)
    except OSError as error:
        raise UsageError(explain(error, folder)) from error


def _drawn(found: Sweep) -> str:
    import io

    from breakrank.questions.sweep.charts import sweep_chart

    file = io.StringIO()
    sweep_chart(found).save(file, format="svg")
    return file.getvalue()
