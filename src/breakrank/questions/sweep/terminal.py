"""What a sweep looks like: a table of points and where the chance tips, or one JSON object, or files."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import breakrank
from breakrank.questions.sweep.charts import sweep_chart
from breakrank.results.json_files import json_ready
from breakrank.results.measures import find
from breakrank.runs.atomic_file import write_files
from breakrank.runs.versions import ensemble_version
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import NUMBER, say, say_table, title, wrapped
from breakrank.show.words import between, interval, percent

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.sweep.sweep import Sweep


def show(found: Sweep) -> None:
    """Print the table of points, and where the chance tips."""
    about = find(found.question.measure)
    when = "on the last day" if found.question.date is None else f"on {found.question.date}"
    say(title(f"{about.label}, {when}, in {about.unit}; chance of {found.question.outcome}"))
    heads = (*(a.name for a in found.axes), "runs", "median", "90% interval", "chance")
    rows = []
    for row in found.table().sort_values([a.name for a in found.axes]).to_dict("records"):
        cells = [f"{row[a.name]:g}" for a in found.axes]
        cells += [
            f"{row['runs']:,.0f}",
            between(row["median"], *(ends := (row["q05"], row["q95"]))),
            interval(*ends),
        ]
        rows.append([*cells, percent(row["chance"])])
    say_table([(head, NUMBER) for head in heads], rows)
    if sized := drawn_in_part(found.stands_for):
        say(wrapped(sized))
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
        f"The chance {'rises above' if t.rises else 'falls below'} {t.level:.0%} at {name} = "
        + between(t.value, t.low, t.high)
        + ("." if math.isnan(t.low) else f" (95%: {interval(t.low, t.high)}).")
        for t in tips
    ]


def as_json(found: Sweep, case: Case, seed: int, runs: int) -> dict[str, object]:
    """Return what is found, ready for JSON."""
    content: dict[str, object] = {
        "case": case.id,
        "version": breakrank.__version__,
        "ensemble": ensemble_version(case) or None,
        "seed": seed,
        "runs": runs,
        "measure": found.question.measure,
        "outcome": str(found.question.outcome),
        "date": None if found.question.date is None else str(found.question.date),
        "over": {a.name: {"low": a.low, "high": a.high, "unit": a.unit} for a in found.axes},
        "points": found.table().to_dict("records"),
    }
    if len(found.axes) == 1:
        content["tipping"] = [
            {"level": t.level, "at": t.value, "interval95": (t.low, t.high), "rises": t.rises}
            for t in found.tips()
        ]
    else:
        content["tipping"] = {f"{level:g}": pieces for level, pieces in found.lines().items()}
    return json_ready(content)


def save(found: Sweep, content: dict[str, object], folder: Path) -> None:
    """Write the table, the same as JSON, and the chart; whole files only."""
    chart = io.StringIO()
    sweep_chart(found).save(chart, format="svg")
    files = {
        "sweep.csv": found.table().to_csv(index=False, lineterminator="\n"),
        "sweep.json": json.dumps(content, indent=1, allow_nan=False) + "\n",
        "sweep.svg": chart.getvalue(),
    }
    write_files(folder, files)
