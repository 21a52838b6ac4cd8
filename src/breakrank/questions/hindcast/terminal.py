"""What hindcasts and scored forecasts look like on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from breakrank.questions.hindcast.forecasters import FORECASTERS, MODEL, NULL, POOL
from breakrank.questions.hindcast.scoring import Rows, best
from breakrank.show.terminal import LABEL, NUMBER, say, say_table, title, wrapped
from breakrank.show.words import between, interval, number, percent

if TYPE_CHECKING:
    from breakrank.questions.hindcast.result import Hindcast

SHORT = {
    POOL: "pool",
    MODEL: "model",
    NULL: "null",
    "last value": "last",
    "constant rate": "rate",
    "logarithmic curve": "curve",
}
"""Heads of the columns of scores."""
SCORES = (
    "Scores: CRPS in the unit of the figure, Brier (0 to 1) for yes or no and for bounds; lower is better, * "
    "is the best of a row. A range is scored at its middle. The pool is the mixture of the others, with "
    "equal weights."
)
"""How a table of scores is read."""


def show(found: Hindcast) -> None:
    """Print who carries the forecasts, and the scores of each forecaster for each case."""
    say(title(f"Hindcasts of {', '.join(dict.fromkeys(row['case'] for row in found.rows)) or 'no case'}"))
    lead, *rest = found.verdict()
    say(wrapped(lead))
    say()
    if found.rows:
        show_summary(found.summary())
    for line in (*rest, *(f"Skipped: {one}." for one in found.skipped)):
        say(wrapped(line))
    say()
    say(
        wrapped(
            "CRPS as a share of the pool's: geometric mean over figures and days at which the two differ, "
            f"which are not independent. {found.draws:,} draws of the prior as of each day, "
            f"seed {found.seed}, {found.seconds:.0f} s."
        )
    )


def show_summary(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print a row for each case and forecaster."""
    heads = ("figures", "compared", "CRPS / pool", "in 50%", "in 90%", "yes or no", "Brier")
    order = {name: k for k, name in enumerate(FORECASTERS)}
    cells, last = [], ""
    for row in sorted(rows, key=lambda one: (one["case"], order[one["forecaster"]])):
        counted = row["figures"] > 0
        cells.append(
            [
                "" if row["case"] == last else row["case"],
                row["forecaster"],
                str(row["figures"]),
                str(row["compared"]),
                f"{row['crps']:.2f}" if row["crps"] == row["crps"] else "",
                percent(row["in50"]) if counted else "",
                percent(row["in90"]) if counted else "",
                str(row["chances"]),
                f"{row['brier']:.3f}" if row["chances"] else "",
            ]
        )
        last = row["case"]
    say_table([("Case", LABEL), ("forecaster", LABEL), *((head, NUMBER) for head in heads)], cells)
    say()


def show_figures(rows: Rows) -> None:
    """Print a row for each figure: what was observed, what the pool said, and the scores."""
    used = {row["forecaster"] for row in rows}
    names = [name for name in SHORT if name in used]
    cells = []
    for target in dict.fromkeys(row["target"] for row in rows):
        by_name = {row["forecaster"]: row for row in rows if row["target"] == target}
        winners = best([row for name, row in by_name.items() if name in SHORT])
        scores = {
            name: f"{number(by_name[name]['score'])}{'*' if name in winners else ' '}" for name in by_name
        }
        pool = by_name[POOL]
        middle_cell, ends = percent(pool["chance"] or 0.0), ""
        if pool["kind"] != "yes or no":
            low, middle, high = pool["q05"], pool["median"], pool["q95"]
            middle_cell, ends = between(middle, low, high), interval(low, high)
        cells.append(
            [pool["label"], _observed(pool), middle_cell, ends, *(scores.get(name, "") for name in names)]
        )
    heads = ("observed", "pool", "90%", *(SHORT[name] for name in names))
    say_table([("Figure", LABEL), *((head, NUMBER) for head in heads)], cells)


def _observed(figure: Mapping[str, Any]) -> str:
    low, high = figure["observed_low"], figure["observed_high"]
    if figure["kind"] == "yes or no":
        return "yes" if low > 0 else "no"
    if low == high:
        return number(low)
    if low == float("-inf"):
        return f"≤ {number(high)}"
    return f"≥ {number(low)}" if high == float("inf") else interval(low, high)
