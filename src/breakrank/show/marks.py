"""What stands on a chart beside the model's bands: numbered events, and what was counted in the world."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from breakrank.results.outcome import assimilation
from breakrank.show import words
from breakrank.show.sheet import Width
from breakrank.show.time_axes import Plane, milliseconds

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.results import Result

MARK = 15
"""Least distance between the centres of two numbered marks, px."""
TOGETHER = 26
"""Events no further apart than this share a mark where a plot is too narrow for all, px."""
WIDTHS = (200, 300, 420, 600, 820)
"""Widths of the plot for which places of marks are worked out; between two of them the smaller's serve."""


@dataclass(frozen=True, slots=True)
class Dated:
    """One dated event: its number on the charts, and its date and title."""

    number: int
    id: str
    date: dt.date
    title: str


@dataclass(frozen=True, slots=True)
class RecordMark:
    """One figure of the record, to be drawn on the fan of the same measure.

    Attributes
    ----------
    date : day of the figure.
    low, high : its ends, equal for a single number; ``None`` is open (at least, at most).
    label : what was counted. source : who says so.
    link : address of the evidence in a report, ``""`` where there is none.
    unit : ``"share"`` for shares of 0 to 1, ``""`` for counts.
    used : whether the runs were conditioned on it; ``None`` where they were on no figure.
    """

    date: dt.date
    low: float | None
    high: float | None
    label: str
    source: str
    link: str = ""
    unit: str = ""
    used: bool | None = None

    def unlinked(self) -> RecordMark:
        """The same figure without its link, for where there is no page to lead to."""
        return replace(self, link="")

    @property
    def text(self) -> str:
        """The figure in words."""
        low, high = (
            -math.inf if self.low is None else self.low,
            math.inf if self.high is None else self.high,
        )
        return words.span(low, high, self.unit)

    @property
    def marked(self) -> str:
        """The figure in words, with a plus if it was assimilated, as in the table of a run."""
        return f"{self.text} +" if self.used else self.text

    @property
    def how_used(self) -> str:
        """Whether the runs were conditioned on it, in words."""
        return assimilation(self.used)


def dated(result: Result) -> list[Dated]:
    """Return the case's events that fall within its calendar, in order of date, numbered from 1."""
    start, end = result.case.calendar.start, result.case.calendar.end
    inside = sorted((e for e in result.case.events if start <= e.date <= end), key=lambda e: e.date)
    return [Dated(n, e.id, e.date, e.title) for n, e in enumerate(inside, 1)]


def earlier(result: Result) -> list[str]:
    """Return the dates and titles of events before the first day, which stand on no chart."""
    start = result.case.calendar.start
    before = sorted((e for e in result.case.events if e.date < start), key=lambda e: e.date)
    return [f"{words.day(e.date)}, {e.title}" for e in before]


def spaced(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places (ascending) as little as needed so that neighbours keep `gap` and all stay in [low, high].

    Least squares: places pushed together move as one block, set at the mean of what they want. Where even
    the whole width is too narrow, the places share it evenly.

    >>> spaced([10, 11, 50], 4, 0, 100)
    [8.5, 12.5, 50.0]
    """
    n = len(places)
    if n and gap * (n - 1) > high - low:
        even = (high - low) / max(1, n - 1)
        return [low + even * i for i in range(n)]
    blocks: list[tuple[float, int]] = []  # (sum of wanted first places, members)
    for place in places:
        block = (place, 1)
        while blocks and _end(blocks[-1], low, high, gap) > _first(block, low, high, gap):
            before, count = blocks.pop()
            block = (before + block[0] - gap * count * block[1], count + block[1])
        blocks.append(block)
    out: list[float] = []
    for block in blocks:
        first = _first(block, low, high, gap)
        out += [first + gap * k for k in range(block[1])]
    return out


def _first(block: tuple[float, int], low: float, high: float, gap: float) -> float:
    wanted, members = block
    return min(max(wanted / members, low), high - gap * (members - 1))


def _end(block: tuple[float, int], low: float, high: float, gap: float) -> float:
    return _first(block, low, high, gap) + gap * block[1]


def event_rows(events: Sequence[Dated], plane: Plane) -> list[dict[str, Any]]:
    """Return one row for each event: its date, title, and its mark for each width of :data:`WIDTHS`.

    Columns ``x0``, ``x1``, ... are places as fractions of the width, ``t0``, ``t1``, ... the texts there.
    Where a plot is too narrow for all numbers, neighbours share one mark such as ``3\u20135``; the first of
    them carries the text.
    """
    first, last = plane.time
    true = [(milliseconds(e.date) - first) / (last - first) for e in events]
    rows: list[dict[str, Any]] = [
        {"date": e.date.isoformat(), "number": str(e.number), "title": e.title} for e in events
    ]
    for i, width in enumerate(WIDTHS):
        crowded = len(events) * MARK > 0.75 * width
        groups = grouped(true, TOGETHER / width) if crowded else [[k] for k in range(len(events))]
        edge = 6 / width
        wanted = [sum(true[k] for k in group) / len(group) for group in groups]
        moved = spaced(wanted, (2 * MARK if crowded else MARK) / width, -edge, 1 + edge)
        for group, place in zip(groups, moved, strict=True):
            for k in group:
                rows[k][f"x{i}"] = round(place, 4)
                rows[k][f"t{i}"] = _span(events, group) if k == group[0] else ""
    return rows


def grouped(places: Sequence[float], span: float) -> list[list[int]]:
    """Return neighbours (by index, places ascending) in groups no wider than `span`.

    >>> grouped([0.1, 0.15, 0.3], 0.1)
    [[0, 1], [2]]
    """
    groups: list[list[int]] = []
    for k, place in enumerate(places):
        if groups and place - places[groups[-1][0]] <= span:
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups


def _span(events: Sequence[Dated], group: list[int]) -> str:
    first, last = events[group[0]].number, events[group[-1]].number
    return str(first) if first == last else f"{first}\u2013{last}"


def place_expression(width: Width, field: str = "x") -> str:
    """Return the Vega expression that picks the column of :func:`event_rows` for the width of the plot.

    >>> place_expression(500)
    'datum.x2'
    """
    if width != "container":
        return f"datum.{field}{max([i for i, w in enumerate(WIDTHS) if w <= width], default=0)}"
    picked = f"datum.{field}0"
    for i, least in enumerate(WIDTHS[1:], 1):
        picked = f"(width >= {least} ? datum.{field}{i} : {picked})"
    return picked
