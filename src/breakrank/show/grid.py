"""Tables and sentences for a group of series: the same numbers as their charts, for reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.labels import KINDS, WHERE
from breakrank.results.quantiles import FEW
from breakrank.show.tables import sampled
from breakrank.show.words import between, day, ends_of, interval, unit_of, within

if TYPE_CHECKING:
    from breakrank.show.tables import SpreadSeries

ROWS = 13
"""Rows of the table of a single series; groups have fewer each."""
ROWS_EACH = 5
_COMMON = {"All who left", *KINDS.values(), *WHERE.values()}
TOLD = 4
"""Most members of a group that its sentence names."""


@dataclass(frozen=True, slots=True)
class GridTable:
    """A table of texts; columns from `numbers` on hold numbers.

    Columns in `refs` hold numbers of rows of another table, in which they stand in the column `anchor`.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 2
    refs: tuple[int, ...] = ()
    anchor: int | None = None


def band_table(group: Sequence[SpreadSeries]) -> GridTable:
    """Return dates and quantiles of a group of series as texts, in units of each series."""
    runs = max((s.runs for s in group), default=1)
    half, most = runs >= FEW, runs > 1
    columns: tuple[str, ...] = ("Of", "Date", "Median" if most else "Value")
    columns += (("50% of runs",) if half else ()) + ((within(runs),) if most else ())
    rows = []
    for s in group:
        unit = unit_of(s)
        for _, r in sampled(s, ROWS if len(group) == 1 else ROWS_EACH).iterrows():
            low, high = float(r["q05"]), float(r["q95"])
            cells = [s.label, day(r["date"]), between(float(r["median"]), low, high, unit)]
            if half:
                cells += [interval(float(r["q25"]), float(r["q75"]), unit)] if s.runs > 1 else [""]
            if most:
                cells += [interval(low, high, unit)] if s.runs > 1 else [""]
            rows.append(tuple(cells))
    if len(group) == 1:
        return GridTable(columns[1:], tuple(row[1:] for row in rows), 1)
    return GridTable(columns, tuple(rows))


def group_sentence(group: Sequence[SpreadSeries]) -> str:
    """Return in a sentence how a group of series ends; largest first."""
    if not group:
        return "Nothing to show."
    runs = group[0].runs
    over = f"the median of {runs:,} runs" if runs > 1 else "the one run"
    end = day(group[0].frame["date"].iloc[-1])
    if all(s.empty for s in group):
        return f"None by {end}, in {'any run' if runs > 1 else 'the one run'}."
    order = sorted(group, key=lambda s: -s.last.median)
    bracket = f" (in brackets the {ends_of(runs)})" if runs > 1 else ""
    told = [_end(s) for s in order[:TOLD]]
    rest = len(order) - TOLD
    more = f"; and {rest} more" if rest > 0 else ""
    return f"By {end}, in {over}{bracket}: {'; '.join(told)}{more}."


def _end(one: SpreadSeries) -> str:
    unit, last = unit_of(one), one.last
    middle = between(last.median, last.q05, last.q95, unit)
    ends = interval(last.q05, last.q95, unit)
    return f"{_name(one)} {middle} ({ends})" if one.runs > 1 and ends != middle else f"{_name(one)} {middle}"


def _name(one: SpreadSeries) -> str:
    """Return a label as it stands within a sentence; labels of a case may be names and keep theirs."""
    return one.label[0].lower() + one.label[1:] if one.label in _COMMON else one.label
