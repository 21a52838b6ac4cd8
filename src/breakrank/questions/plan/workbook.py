"""A plan as one workbook: a sheet for each table, and what the numbers are on the first."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.questions.plan.persons import by_day
from breakrank.questions.plan.reading_notes import notes
from breakrank.questions.plan.tables import ROW, SHARE, TABLES, described, told
from breakrank.show.workbook import Workbook, workbook

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.data import PlanData
    from breakrank.questions.plan.scope import Period

_NEED = "Need and places"
"""Title of the sheet behind the chart."""
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
        sheets = [(TABLES[name].title, TABLES[name].about) for name in frames]
        sheets.insert([*frames].index("shelter") + 1, (_NEED, "a row for each day: the chart's numbers"))
        sheets = [(f"Sheet: {title}", about) for title, about in sheets]
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
    """Add the need for shelter day by day beside the places, with a chart of the world that leads."""
    import pandas as pd

    worlds = plan.worlds if len(plan.worlds) != 2 else plan.worlds[::-1]
    frame = pd.concat([_need(world, plan.period) for world in worlds], ignore_index=True)
    if len(worlds) == 1:
        frame = frame.drop(columns="scenario")
    sheet = _sheet(book, _NEED, frame)
    chart = book.book.add_chart({"type": "line"})
    last, dates = plan.period.days, list(frame.columns).index("date")
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
                "categories": [_NEED, 1, dates, last, dates],
                "values": [_NEED, 1, column, last, column],
                "line": {"color": colour, "width": 1.75, "dash_type": dash},
            }
        )
    of = f": {worlds[0].id}" if len(worlds) > 1 else ""
    chart.set_title({"name": f"People who need shelter, and places{of}", "name_font": {"size": 12}})
    chart.set_x_axis({"date_axis": True, "num_format": "d mmm yyyy", "major_gridlines": {"visible": False}})
    chart.set_y_axis({"name": "persons", "num_format": "#,##0", "major_gridlines": {"visible": True}})
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 820, "height": 380})
    sheet.insert_chart(1, len(frame.columns) + 1, chart)


def _need(world: PlanCourse, period: Period) -> pd.DataFrame:
    days = by_day(world, period)
    need = days[days["quantity"] == "need"]
    offered = days[days["quantity"] == "places_offered"]["median"].to_numpy()
    short = days[days["quantity"] == "short"]["median"].to_numpy()
    frame = need[["date", "q05", "q25", "median", "q75", "q95"]].assign(
        offered_most=offered, without_median=short
    )
    frame.insert(0, "scenario", world.id)
    return frame
