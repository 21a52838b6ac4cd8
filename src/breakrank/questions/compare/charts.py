"""Two ensembles side by side, and what pairing them run by run leaves: the fan of their differences.

The baseline is drawn in its own hue, the other case in another and dashed, their difference in a third. The
difference of two runs that share their luck is what the change does; its fan is much narrower than the two
fans beside it (see :mod:`breakrank.results.paired`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.outputs import CURRENCY
from breakrank.questions.compare.named import event_names, line_names
from breakrank.results.measures import find, read
from breakrank.results.outcome_names import called
from breakrank.results.paired import pairs_of
from breakrank.show import vegalite as vl
from breakrank.show.fan import FEWER, HOVERED, bands, pointer
from breakrank.show.figure import Figure, Panel
from breakrank.show.grid import GridTable
from breakrank.show.look import Look
from breakrank.show.marks import dated
from breakrank.show.overlays import rules
from breakrank.show.sheet import Drawn
from breakrank.show.style import SMALL, SMALL_HEIGHT, TEXT
from breakrank.show.tables import POINTS, Kind, SpreadSeries, sampled, series
from breakrank.show.time_axes import GUTTER, Plane, round_up
from breakrank.show.words import between, day, ends_of, interval, people, signed, unit_of, within

if TYPE_CHECKING:
    from breakrank.results import Result


@dataclass(frozen=True)
class Signed(Plane):
    """A plane whose values lie on both sides of zero.

    Attributes
    ----------
    bottom : smallest value to be drawn, at most 0.
    """

    bottom: float = 0.0

    @cached_property
    def floor(self) -> float:
        """The lower end of the axis: a round number no more than the smallest value."""
        return -round_up(-self.bottom) if self.bottom < 0 else 0.0

    @cached_property
    def ceiling(self) -> float:
        """The upper end of the axis; 0 where every difference is negative."""
        if self.top <= 0:
            return 0.0 if self.bottom < 0 else 1.0
        return round_up(self.top)

    @property
    def pattern(self) -> str:
        """How differences are written: with their sign."""
        size = max(self.ceiling, -self.floor)
        if self.share:
            return f"+.{max(0, math.ceil(-1 - math.log10(size)))}%"
        return "+,.0f" if size > 4 else "+,.1f"

    def y(self, name: str, spans: bool = False) -> vl.Channel:
        """Return the encoding of a value field; one layer of a chart `spans` both axes for all."""
        if not spans:
            return vl.field(f"{name}:Q")
        scale = vl.Scale(domain=[self.floor, self.ceiling], nice=False, zero=True)
        axis = self._value_axis() | {"tickMinStep": 0.0001 if self.share else 0.1, "tickCount": 4}
        axis["labelExpr"] = "datum.value ? datum.label : '0'"
        if not self.share and max(self.ceiling, -self.floor) >= 10_000:
            axis["format"] = "+~s"  # +40k: more digits and a sign do not fit beside a small chart
        return vl.field(f"{name}:Q", scale=scale, axis=axis)


Values = npt.NDArray[np.float64]

DASHED = (6, 3)
"""Dashes of whatever is not the baseline."""
DRAWN = (
    "registered",
    "left_abroad",
    "quiet_desertion",
    "open_defection",
    "opposed",
    "arrested",
    "plots_founded",
    "risings",
    "cost",
)
"""Measures whose paired difference is drawn, where both results hold them by day."""


def figures(before: Result, after: Result, called: str, look: Look) -> list[Figure]:
    """Return the figures of a comparison: all who left, and the difference in each of :data:`DRAWN`.

    Only runs that finished in both are taken.

    Parameters
    ----------
    called : what the other case is called in headings.
    """
    _, i, j = pairs_of(before, after)
    gone = (left(before)[i], left(after)[j])
    found = [_both(before, gone[0], gone[1], called, look)]
    apart = [one for name in DRAWN if (one := _apart(before, after, name, i, j)) is not None]
    if apart:
        found.append(_others(before, apart, look))
    return found


def by_day(result: Result, name: str) -> tuple[Values, Kind, str] | None:
    """Return a measure by day, (run, day), how it is drawn and its unit; ``None`` where it has no days."""
    about = find(name)
    if about.kind not in ("total", "level") or any(v not in result.data for v in about.sources[""].variables):
        return None
    array = read(result.whole.data, about.sources[""], {})
    if "day" not in array.dims:
        return None
    values = array.transpose("run", "day").values.astype(np.float64)
    if about.kind == "total":
        return np.cumsum(values, axis=1), "stock", about.unit
    return values, "share" if about.unit == "share" else "stock", about.unit


def left(result: Result) -> Values:
    """Return all who left by day, (run, day)."""
    array = result.whole.data["exits_rank"].sum(["outcome", "rank"]).transpose("run", "day")
    return np.asarray(np.cumsum(array.values, axis=1), np.float64)


def _apart(before: Result, after: Result, name: str, i: Any, j: Any) -> SpreadSeries | None:  # noqa: ANN401
    one, other = by_day(before, name), by_day(after, name)
    if one is None or other is None:
        return None
    apart = other[0][j] - one[0][i]
    if not apart.any():
        return None
    unit = before.case.currency if one[2] == CURRENCY else one[2]
    days, each = before.data["day"].values, before.case.stands_for
    return series(apart, days, f"apart-{name}", called(name), one[1], unit, stands_for=each)


def _both(result: Result, before: Values, after: Values, called: str, look: Look) -> Figure:
    days, each = result.data["day"].values, result.case.stands_for
    base = series(before, days, "left-before", "All who left", "stock", stands_for=each)
    other = series(after, days, "left-after", called, "stock", stands_for=each)
    apart = series(after - before, days, "left-apart", "Paired difference", "stock", stands_for=each)
    said = sentence(apart, after[:, -1] - before[:, -1])
    return Figure(
        id="paired-left",
        short="Who leaves",
        title="How many leave, and what the change does",
        note=f"{called} beside the baseline; right: the paired difference, with the same random draws",
        sentence=said,
        panels=(
            Panel("paired-both", _overlay(base, other, result, look), _beside(base, other)),
            Panel("paired-left-apart", difference(apart, result, look, 200, "half"), said),
        ),
        table=_table(base, other, apart),
        size="half",
        rests_on=(6, 7, 12),
    )


def _others(result: Result, apart: Sequence[SpreadSeries], look: Look) -> Figure:
    runs = apart[0].runs
    told = "; ".join(f"{one.label} {_ends(one)}" for one in apart[:4])
    return Figure(
        id="paired-others",
        short="What else differs",
        title="What else differs",
        note=f"paired difference, run by run; median with {within(runs)}",
        sentence=f"Median difference on the last day, with the {ends_of(runs)}: {told}.",
        panels=tuple(
            Panel(one.id, difference(one, result, look, SMALL_HEIGHT, "small"), _ends(one)) for one in apart
        ),
        table=GridTable(
            ("Of", "Median difference", within(runs).capitalize()),
            tuple((one.label, _ends(one).partition(" (")[0], signed_interval(one)) for one in apart),
            1,
        ),
        size="small",
        rests_on=(6, 7, 12),
    )


def difference(one: SpreadSeries, result: Result, look: Look, height: int, size: Any) -> Drawn:  # noqa: ANN401
    """Return the fan of a difference about a line at zero."""
    theme = look.theme
    top, bottom = float(one.frame["q95"].max()), float(one.frame["q05"].min())
    calendar = result.case.calendar
    plane = Signed(
        calendar.start, calendar.end, max(top, 0.0), one.unit, theme, height, bottom=min(bottom, 0.0)
    )
    wide = size != "small"
    layers = rules(dated(result), plane)
    layers += bands(one, plane, theme.difference, most=POINTS if wide else FEWER)
    layers.append(plane.sheet.on([{"at": 0}]).mark("rule", color=theme.ink, strokeWidth=1).encode(y="at:Q"))
    layers += [] if look.still else pointer(one, plane, theme.difference, POINTS if wide else HOVERED)
    said = (
        f"median of the pairs {_ends(one)}, not the difference of the medians"
        if size == "half"
        else _ends(one)
    )
    title = _title(one.label, [said], theme.difference, look, size)
    return plane.sheet.drawn(layers, width=look.width(size), height=height, title=title)


def _overlay(base: SpreadSeries, other: SpreadSeries, result: Result, look: Look) -> Drawn:
    theme, calendar = look.theme, result.case.calendar
    plane = Plane(calendar.start, calendar.end, max(base.top, other.top), base.unit, theme, 200)
    layers = rules(dated(result), plane)
    layers += bands(base, plane, theme.baseline)
    layers += bands(other, plane, theme.counterfactual, dash=DASHED, spans=False)
    layers += line_names(base, other, plane)
    layers += event_names(result, plane)
    layers += [] if look.still else pointer(base, plane, theme.baseline, POINTS, beside=other)
    lines = [f"medians: baseline {people(base.last.median)}, changed {people(other.last.median)} (dashed)"]
    title = _title(base.label, lines, theme.counterfactual_text, look, "half")
    return plane.sheet.drawn(layers, width=look.width("half"), height=200, title=title)


def _title(text: str, lines: Sequence[str], colour: str, look: Look, size: Any) -> vl.Title:  # noqa: ANN401
    width = look.width(size)
    limit: Any = vl.expr(f"width + {GUTTER}") if width == "container" else width + GUTTER
    return vl.Title(
        text=text,
        subtitle=list(lines),
        fontSize=TEXT - 1,
        subtitleFontSize=SMALL + 1,
        limit=limit,
        subtitleColor=colour,
        subtitleFontWeight=500,
    )


def sentence(apart: SpreadSeries, last: Values) -> str:
    """Return in a sentence what a change does to how many leave, and in how many pairs it has that sign."""
    end, runs = day(apart.frame["date"].iloc[-1]), len(last)
    middle = apart.last.median
    if not last.any():
        return f"By {end} as many leave as before, in every one of {runs:,} pairs of runs."
    more = middle >= 0
    agree = int((last > 0).sum() if more else (last < 0).sum())
    word = "more" if more else "fewer"
    ends = f" ({ends_of(runs)} {signed_interval(apart)})" if runs > 1 else ""
    return (
        f"In the median pair of {runs:,}, {people(abs(middle))} {word} leave by {end}{ends}; "
        f"in {agree:,} of {runs:,} pairs the total is {'higher' if more else 'lower'}."
    )


def signed_interval(one: SpreadSeries) -> str:
    """Return the outer ends of the last day's difference, with their signs."""
    return interval(one.last.q05, one.last.q95, unit_of(one), sign=True)


def _ends(one: SpreadSeries) -> str:
    last = one.last
    middle = between(last.median, last.q05, last.q95, unit_of(one), sign=True)
    return f"{middle} ({signed_interval(one)})"


def _beside(base: SpreadSeries, other: SpreadSeries) -> str:
    end = day(base.frame["date"].iloc[-1])
    return (
        f"{base.label} by {end}: {people(base.last.median)} in the baseline, {people(other.last.median)} "
        f"with {other.label}, medians of {base.runs:,} runs."
    )


def _table(base: SpreadSeries, other: SpreadSeries, apart: SpreadSeries) -> GridTable:
    rows = []
    for kept in sampled(apart).index:
        a, b, d = (s.frame.loc[kept] for s in (base, other, apart))
        rows.append(
            (
                day(d["date"]),
                people(float(a["median"])),
                people(float(b["median"])),
                signed(float(d["median"]), "people"),
                interval(float(d["q05"]), float(d["q95"]), "people", sign=True),
            )
        )
    columns = ("Date", "Baseline", other.label, "Median difference", within(apart.runs).capitalize())
    return GridTable(columns, tuple(rows), 1)
