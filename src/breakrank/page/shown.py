"""An answer as a view of the page shows it: sentence, chart, doubt, and tables as texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import grid, made, pages
from breakrank.answer.charts import drawn_figures
from breakrank.errors import UsageError, nearest
from breakrank.show.axes import Look
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer, Figure
    from breakrank.answer.charts import Panel

MOST = 60
"""Rows of the table behind a chart that the page shows; the workbook holds all."""
NAMES = ("outcomes", "left", "belief", "kinds", "ranks", "branches", "ways", "record", "fates", "map")
"""Figures that an answer to some runs may have."""


def shown(answer: Answer, draws: Collection[str] | None = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (what a view adds)
    """Return an answer ready for JSON, its charts drawn for a page that decides their widths.

    Parameters
    ----------
    draws : names of the figures that are drawn; by default all.
    more : what a view needs beside it, such as numbers for a chart that answers to a click.
    """
    return {
        "question": answer.question,
        "title": answer.title,
        "finding": answer.finding,
        "doubt": answer.doubt,
        "figures": drawn(answer, draws),
        "tables": [
            {
                "name": table.name,
                "title": table.title,
                "note": note,
                "parts": [{"heading": heading, "grid": asdict(some)} for heading, some in parts],
            }
            for table, parts, note in pages(answer)
        ],
        "notes": list(answer.notes),
        "evidence": [asdict(one) for one in answer.evidence],
        "made": list(made(answer.provenance)),
        "command": answer.provenance.command,
        **more,
    }


def drawn(answer: Answer, names: Collection[str] | None) -> list[dict[str, Any]]:
    """Return figures of an answer by name ready for JSON, with the numbers behind them; those it lacks go."""
    look = Look(PAGE, page=True)
    return [_figure(answer, one, plots) for one, plots in drawn_figures(answer, look, names)]


def check_names(names: Collection[str]) -> None:
    """Check names of figures; UsageError for one that no answer to some runs has."""
    for name in names:
        if name not in NAMES:
            raise UsageError(f"no figure {name!r:.60}{nearest(name[:60], NAMES)} (known: {', '.join(NAMES)})")


def _figure(answer: Answer, figure: Figure, plots: tuple[Panel, ...]) -> dict[str, Any]:
    """Return a figure with the table behind it, which holds the last of many days."""
    table = answer[figure.table]
    rows = table.rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    if figure.x == "date" and len(rows) > MOST:
        rows = rows[rows["date"] == rows["date"].iloc[-1]]
    return {
        "id": figure.name,
        "title": figure.title,
        "note": figure.note,
        "sentence": figure.title,
        "size": "half" if len(plots) > 1 else "wide",
        "panels": [_panel(one) for one in plots],
        "table": asdict(replace(grid(replace(table, across="", cell=""), rows.head(MOST)), numbers=1)),
    }


def _panel(plot: Panel) -> dict[str, Any]:
    """Return one chart: its specification, whose rows stand by column, and what it shows."""
    spec = plot.drawn.spec()
    spec["datasets"] = {name: _packed(found) for name, found in spec["datasets"].items()}
    return {"id": plot.id, "spec": spec, "alt": plot.sentence}


def _packed(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rows by column; dates that follow each other evenly as the first and the step in days.

    >>> _packed([{"date": "2019-01-01", "n": 1}, {"date": "2019-01-08", "n": 2}])
    {'n': 2, 'columns': {'date': {'from': '2019-01-01', 'step': 7}, 'n': [1, 2]}}
    """
    keys = dict.fromkeys(k for row in rows for k in row)
    columns: dict[str, Any] = {key: [row.get(key) for row in rows] for key in keys}
    if "date" in columns:
        columns["date"] = _even(columns["date"])
    return {"n": len(rows), "columns": columns}


def _even(dates: list[str]) -> list[str] | dict[str, Any]:
    days = [dt.date.fromisoformat(d).toordinal() for d in dates]
    steps = {b - a for a, b in pairwise(days)}
    return {"from": dates[0], "step": steps.pop()} if len(steps) == 1 else dates
