"""What an import adds to a case, and the observations that all of it rests on."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from breakrank.case.counts import short_id
from breakrank.case.datasets.rows import DataRow
from breakrank.case.figures.numbers import short
from breakrank.errors import UsageError, gathered

if TYPE_CHECKING:
    from breakrank.case.case import Case

Entry = dict[str, Any]
"""An entry of a file as plain values."""


@dataclass(frozen=True)
class Request:
    """What an import is asked for, beside the rows.

    Attributes
    ----------
    source : id of the data set in the ledger.
    accessed : the day on which the file was taken from its publisher.
    hosts : names of host countries as the file writes them; by default those of the case's crossings.
    measure : what figures of one's own table count; empty where they are not compared with runs.
    unit : unit of figures of one's own table that are no measure.
    goods : the goods of a basket and how much of each a family needs a month, as ``Rice=12 KG``.
    level : what a family needs a month when an index of prices sets in, in `money`.
    money : name of the money of prices and rates.
    """

    source: str
    accessed: dt.date
    hosts: tuple[str, ...] = ()
    measure: str = ""
    unit: str = ""
    goods: tuple[str, ...] = ()
    level: float | None = None
    money: str = ""


@dataclass
class Additions:
    """Entries by file. Fields and the strength take the place of what stands there; `tables` are files."""

    observations: list[Entry] = field(default_factory=list)
    events: list[Entry] = field(default_factory=list)
    targets: list[Entry] = field(default_factory=list)
    rates: list[Entry] = field(default_factory=list)
    fields: dict[str, Entry] = field(default_factory=dict)
    strength: Entry = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def observed(row: DataRow, request: Request, name: str, when: str, **more: Any) -> Entry:  # noqa: ANN401
    """Return an observation that a row is: what it says in `more`, where, and how sure."""
    layout = row.layout
    place = row.text("place") or row.text("region")
    return {
        "id": ledger_id(request.source, name),
        "source": request.source,
        "says": (row.text("says") or layout.publisher)[:300],
        **more,
        "date": when,
        **({"place": place[:300]} if place else {}),
        "paragraph": f"row {row.text('id') or row.number}",
        "confidence": "low" if row.is_coarse() else "medium",
    }


def ledger_id(*parts: str) -> str:
    """Return an id made of parts, without the letters that an id may not have."""
    return short_id(re.sub(r"[^A-Za-z0-9_.]+", "-", "-".join(parts)).strip("-."))


def within(rows: Sequence[DataRow], case: Case, made: Additions) -> list[tuple[DataRow, str, dt.date]]:
    """Return the rows whose day lies in the calendar, each with its date as the ledger has it and its day."""
    calendar, found, outside = case.calendar, [], 0
    with gathered() as wrong:
        for row in rows:
            with wrong.kept():
                when, day = row.when(), row.exact_day()
                if calendar.start <= day <= calendar.end:
                    found.append((row, when, day))
                else:
                    outside += 1
    if outside:
        made.remarks.append(
            f"Rows outside the calendar ({calendar.start} to {calendar.end}), left out: {outside:,}."
        )
    if not found:
        raise UsageError(
            f"no row lies within the calendar, {calendar.start} to {calendar.end}\n"
            "  Name other rows with --where or --country, or change the calendar in case.yaml."
        )
    return found


def figures_of(low: float, high: float, unit: str) -> Entry:
    """Return a figure as the ledger states it: a value, or a range where its ends differ."""
    known = {"value": short(low)} if low == high else {"range": [short(low), short(high)]}
    return {**known, "unit": unit}
