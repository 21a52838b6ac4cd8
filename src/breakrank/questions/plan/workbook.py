"""A plan as one workbook: a sheet for each table, and what the numbers are on the first."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.questions.plan.columns import ROW, SHARE, described
from breakrank.questions.plan.persons import by_day
from breakrank.questions.plan.reading_notes import notes
from breakrank.questions.plan.tables import TABLES, told
from breakrank.show.workbook import Workbook, workbook

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.plan.data import PlanData

_SHARES = ("share", "assurance")
"""Parts of names of columns whose numbers are shares of 0 to 1."""


def write(plan: PlanData, path: Path | BytesIO) -> None:
    """Write the workbook of a plan to a file or into memory; the same plan gives the same bytes.

    Raises
    ------
    UsageError, OSError
        as :func:`~breakrank.show.workbook.workbook`.
    """
    title = f"Reception plan: {plan.where.label}"
    frames = told(plan)
    frames.pop("notes")
    with workbook(path, title) as book:
        sheets = [(f"Sheet: {TABLES[name].title}", TABLES[name].about) for name in frames]
        book.notes(title, (*notes(plan), ("", ""), *sheets))
        for name, frame in frames.items():
            _sheet(book, TABLES[name].title, frame)
            if name == "shelter":
                _beds(book, plan)


def _sheet(book: Workbook, title: str, frame: pd.DataFrame) -> Any:  # noqa: ANN401
    units = set(frame["unit"]) if "unit" in frame.columns else set()
    return book.sheet(title, frame, [_head(str(c), units) for c in frame.columns], _is_share)


def _is_share(column: str, unit: str) -> bool:
    return (unit == "share" and column != "staff") or any(part in column for part in _SHARES)


def _head(name: str, units: set[str]) -> str:
    """Return the head of a column with its unit, where all rows have the same."""
    one = described(name)
    unit = next(iter(units)) if one.unit == ROW and len(units) == 1 else one.unit
    return f"{one.head}, {unit}" if unit and unit not in _PLAIN else one.head


_PLAIN = (ROW, SHARE, "day")
"""Units that the cells themselves make plain."""


def _beds(book: Workbook, plan: PlanData) -> None:
    """Add the need for shelter of the case day by day beside the places, with a chart of the two."""
    import pandas as pd

    days = by_day(plan.base, plan.period)
    need = days[days["quantity"] == "need"]
    offered = days[days["quantity"] == "places_offered"]["median"].to_numpy()
    short = days[days["quantity"] == "short"]["median"].to_numpy()
    columns = ["date", "q05", "q25", "median", "q75", "q95"]
    frame = pd.DataFrame(need[columns].assign(offered_most=offered, without_median=short))
    sheet = _sheet(book, "Need and places", frame)
    chart = book.book.add_chart({"type": "line"})
    last = len(frame)
    for name, title, colour, dash in (
        ("q95", "Need, 95%", "#8fafcc", "solid"),
        ("median", "Need, median", "#1f5f99", "solid"),
        ("q05", "Need, 5%", "#8fafcc", "solid"),
        ("offered_most", "Places offered", "#3f4b57", "dash"),
    ):
        column = list(frame.columns).index(name)
        chart.add_series(
            {
                "name": title,
                "categories": ["Need and places", 1, 0, last, 0],
                "values": ["Need and places", 1, column, last, column],
                "line": {"color": colour, "width": 1.75, "dash_type": dash},
            }
        )
    chart.set_title({"name": "People who need shelter, and places", "name_font": {"size": 12}})
    chart.set_x_axis({"date_axis": True, "num_format": "d mmm yyyy", "major_gridlines": {"visible": False}})
    chart.set_y_axis({"name": "persons", "num_format": "#,##0", "major_gridlines": {"visible": True}})
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 820, "height": 380})
    sheet.insert_chart(1, len(frame.columns) + 1, chart)
