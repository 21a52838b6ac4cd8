"""An answer as a view of the page shows it: sentence, chart, doubt, and tables as texts."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import grid, pages
from breakrank.answer.charts import drawn_figures
from breakrank.answer.terminal import made
from breakrank.page.figures import drawn
from breakrank.show.figure import Figure as Drawing
from breakrank.show.look import Look
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer, Figure
    from breakrank.case import Case
    from breakrank.show.figure import Panel

MOST = 60
"""Rows of the table behind a chart that the page shows; the workbook holds all."""


def shown(answer: Answer, case: Case, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (what a view adds)
    """Return an answer ready for JSON, its charts drawn for a page that decides their widths.

    Parameters
    ----------
    more : what a view needs beside it, such as numbers for a chart that answers to a click.
    """
    look = Look(PAGE, page=True).of(case)
    return {
        "question": answer.question,
        "title": answer.title,
        "finding": answer.finding,
        "doubt": answer.doubt,
        "figures": [_figure(answer, one, plots) for one, plots in drawn_figures(answer, look)],
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


def _figure(answer: Answer, figure: Figure, plots: tuple[Panel, ...]) -> dict[str, Any]:
    table = answer[figure.table]
    rows = table.rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    if "date" in rows and figure.x == "date" and len(rows) > MOST:
        rows = rows[rows["date"] == rows["date"].iloc[-1]]
    note = figure.note
    texts = replace(grid(replace(table, across="", cell=""), rows.head(MOST)), numbers=1)
    size: Any = "small" if figure.by else "wide"
    return drawn(Drawing(figure.name, figure.title, note, answer.finding, plots, texts, size))
