"""``breakrank validate``: forecasts of what the model was not told, scored beside naive baselines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.options import DONE, FAILED, Backend, Flag, Mechanisms, Whole
from breakrank.cli.output_folder import refuse_early
from breakrank.cli.studies import carried_out
from breakrank.errors import UsageError
from breakrank.show.terminal import say, say_json, say_table, title, width, wrapped

if TYPE_CHECKING:
    from breakrank.questions.validate.forecast import ForecastFigure
    from breakrank.questions.validate.result import Trial, Validation
    from breakrank.runs.carry_out import Account
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study

Announced = Annotated[tuple[str, ...], Parameter(name="--announced", negative="", show_default=False)]
FILES = ("validation.csv", "validation.json")
SHORT = {
    "calibrated": "fitted",
    "prior": "prior",
    "carried": "carried",
    "last value": "last",
    "constant rate": "rate",
    "saturating curve": "curve",
}
"""Heads of the columns of scores."""
WIDE = 100
"""From so many columns on there is room for the model's 90% interval."""


def validate(
    *cases: str,
    known_until: str | None = None,
    announced: Announced = (),
    hindsight: Flag = False,
    mechanisms: Mechanisms = (),
    simulations: Whole = 1000,
    runs: Whole = 200,
    seed: Whole = 0,
    workers: Whole | None = None,
    store: Path | None = None,
    backend: Backend = None,
    out: Path | None = None,
    json: Flag = False,
    quiet: Flag = False,
) -> int:
    """Forecast held-out figures, and score the forecasts against simple baselines.

    Each case is fitted to the figures known on a day, and forecasts the later ones. With several cases, or
    none named (all built-in ones), each is also forecast with psychological parameters from the others.
    Prints the score of every forecast (lower is better) and where a baseline wins. Leaves the same as tables,
    and a chart.

    Parameters
    ----------
    cases
        Names of built-in cases, or case folders; by default all built-in cases.
    known_until
        Last known day, e.g. 2019-02-28; by default the day of the first figure of a count that the record
        continues.
    announced
        An event after that day which was known to come. May be given several times.
    hindsight
        Keep what came after that day: events, series, sites.
    simulations
        Number of simulations of the prior for each fit.
    runs
        Number of runs of each forecast, two for each parameter draw.
    seed
        Random seed.
    workers
        Number of processes; the default is chosen from this machine's cores and the number of runs.
    store
        Folder that keeps every finished run; by default breakrank-validation.store in the current directory.
    backend
        What makes the runs: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    out
        Folder for validation.csv, validation.json and a chart of each hold-out; by default
        breakrank-validation.
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
    """
    from breakrank.questions.validate.validate import default_store
    from breakrank.questions.validate.validate import validate as validated
    from breakrank.runs.cases import list_cases, load_case
    from breakrank.runs.store import Store

    folder = out if out is not None else Path("breakrank-validation")
    refuse_early(folder, lambda path: any((path / name).is_file() for name in FILES), "no validation")
    kept = Store(store if store is not None else default_store())
    lost = 0

    def carry(study: Study, stored: Store, what: str) -> Account:
        nonlocal lost
        account = carried_out(study, stored, what[:1].upper() + what[1:], backend, workers, quiet)
        lost += len(account.failed)
        return account

    found = validated(
        tuple(load_case(case, None, mechanisms) for case in cases or list_cases()),
        known_until=known_until,
        announced=announced,
        hindsight=hindsight,
        simulations=simulations,
        runs=runs,
        seed=seed,
        store=kept,
        backend=backend,
        workers=workers,
        carry=carry,
    )
    _save(found, folder)
    if json:
        say_json(found.as_json())
    elif not quiet:
        _tell(found)
        say(f"Tables and charts  {folder}")
    return FAILED if lost else DONE


def _tell(found: Validation) -> None:
    for trial in found.trials:
        told = f"known until {trial.until}" if trial.until else f"told by {' and '.join(trial.sources)}"
        say(title(f"{trial.title}: {told}"))
        _table(trial)
        for line in trial.verdict():
            say(wrapped(line))
        for line in trial.notes:
            say(wrapped(line))
        say()
    for line in found.skipped:
        say(wrapped(f"Skipped: {line}."))
    say(
        wrapped(
            "Model: its median, or the share of runs that say what the record says. Scores: CRPS in the unit "
            "of the figure, Brier (0 to 1) for yes or no and for bounds; lower is better, * is the best of a "
            "row. A range of the record is scored at its middle. "
            f"{found.simulations:,} simulations for each fit, {found.runs:,} runs of each forecast, seed "
            f"{found.seed}, {found.seconds:.0f} s."
        )
    )


def _table(trial: Trial) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from breakrank.questions.validate.result import figures_told

    names = figures_told(trial.figures)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("ForecastFigure", ratio=1)
    told = 2 if width() >= WIDE else 1
    for head in ("record", *("model", "90%")[:told], *(SHORT[name] for name in names)):
        table.add_column(head, justify="right")
    for figure in trial.figures:
        cells = [figure.label, _record(figure), *_model(figure, trial.forecaster)[:told]]
        for name in names:
            forecast = figure.of(name)
            best = name in figure.best
            cells.append("" if forecast is None else f"{_short(forecast.score)}{'*' if best else ' '}")
        table.add_row(*(Text(cell) for cell in cells))
    say_table(table)


def _record(figure: ForecastFigure) -> str:
    if figure.kind == "yes or no":
        return "yes" if figure.low > 0 else "no"
    if figure.low == figure.high:
        return _short(figure.low)
    if figure.low == float("-inf"):
        return f"≤ {_short(figure.high)}"
    if figure.high == float("inf"):
        return f"≥ {_short(figure.low)}"
    return f"{_short(figure.low)} to {_short(figure.high)}"


def _model(figure: ForecastFigure, name: str) -> tuple[str, str]:
    forecast = figure.of(name)
    if forecast is None:
        return "", ""
    if figure.kind == "yes or no":
        return f"{100 * forecast.chance:.0f}%", ""
    low, _, middle, _, high = forecast.quantiles
    return _short(middle), f"{_short(low)} to {_short(high)}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def _save(found: Validation, folder: Path) -> None:
    """Write the tables, and a chart of each hold-out; whole files only."""
    import json

    from breakrank.results.folder import explain
    from breakrank.runs.atomic_file import write_whole

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / FILES[0], found.table().to_csv(index=False, lineterminator="\n"))
        write_whole(folder / FILES[1], json.dumps(found.as_json(), indent=1, allow_nan=False) + "\n")
        for name, drawn in _drawn(found).items():
            write_whole(folder / name, drawn)
    except OSError as error:
        raise UsageError(explain(error, folder)) from error


def _drawn(found: Validation) -> dict[str, str]:
    import io

    from breakrank.questions.validate.chart import forecast_chart

    out = {}
    for trial in found.trials:
        if trial.course is None:
            continue
        file = io.StringIO()
        forecast_chart(trial).save(file, format="svg")
        out[f"forecast-{trial.case}.svg"] = file.getvalue()
    return out
