"""What a validation looks like on the terminal: a table of scores for each hold-out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.validate.trial import figures_told
from breakrank.show.terminal import LABEL, NUMBER, say, say_table, title, width, wrapped
from breakrank.show.words import between, interval, number, percent

if TYPE_CHECKING:
    from breakrank.questions.validate.result import Validation
    from breakrank.questions.validate.trial import ForecastFigure, Trial

SHORT = {
    "calibrated": "fitted",
    "prior": "prior",
    "carried": "carried",
    "worlds": "worlds",
    "last value": "last",
    "constant rate": "rate",
    "saturating curve": "curve",
}
"""Heads of the columns of scores."""
SCORES = (
    "Model: its median, or the share of runs that say what the record says. Scores: CRPS in the unit of the "
    "figure, Brier (0 to 1) for yes or no and for bounds; lower is better, * is the best of a row. A range "
    "of the record is scored at its middle."
)
"""How the table is read."""
WIDE = 100
"""From so many columns on there is room for the model's 90% interval."""


def show(found: Validation) -> None:
    """Print the scores of every hold-out, and where a baseline wins."""
    for trial in found.trials:
        told = f"known until {trial.until}" if trial.until else f"told by {' and '.join(trial.sources)}"
        say(title(f"{trial.title}: {told}"))
        show_trial(trial)
    for line in found.skipped:
        say(wrapped(f"Skipped: {line}."))
    say(
        wrapped(
            f"{SCORES} "
            f"{found.simulations:,} simulations for each fit, {found.runs:,} runs of each forecast, seed "
            f"{found.seed}, {found.seconds:.0f} s."
        )
    )


def show_trial(trial: Trial) -> None:
    """Print one trial: its table, what follows from it, and what is left in."""
    _table(trial)
    for line in trial.verdict():
        say(wrapped(line))
    for line in trial.notes:
        say(wrapped(line))
    say()


def _table(trial: Trial) -> None:
    names = figures_told(trial.figures)
    told = 2 if width() >= WIDE else 1
    heads = ("record", *("model", "90%")[:told], *(SHORT[name] for name in names))
    rows = []
    for figure in trial.figures:
        cells = [figure.label, _record(figure), *_model(figure, trial.forecaster)[:told]]
        for name in names:
            forecast = figure.of(name)
            best = name in figure.best
            cells.append("" if forecast is None else f"{number(forecast.score)}{'*' if best else ' '}")
        rows.append(cells)
    say_table([("Figure", LABEL), *((head, NUMBER) for head in heads)], rows)


def _record(figure: ForecastFigure) -> str:
    if figure.kind == "yes or no":
        return "yes" if figure.low > 0 else "no"
    if figure.low == figure.high:
        return number(figure.low)
    if figure.low == float("-inf"):
        return f"≤ {number(figure.high)}"
    if figure.high == float("inf"):
        return f"≥ {number(figure.low)}"
    return interval(figure.low, figure.high)


def _model(figure: ForecastFigure, name: str) -> tuple[str, str]:
    forecast = figure.of(name)
    if forecast is None:
        return "", ""
    if figure.kind == "yes or no":
        return percent(forecast.chance), ""
    low, _, middle, _, high = forecast.quantiles
    return between(middle, low, high), interval(low, high)
