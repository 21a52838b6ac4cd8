"""Two ensembles side by side, and what pairing them run by run leaves: the fan of their differences.

The baseline is drawn in its own hue, the other case in another and dashed, their difference in a third. The
mean difference leads, with its 95% interval. Lines are means, and the fan of the difference is named as the
spread over pairs (see :mod:`breakrank.results.paired`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.outputs import CURRENCY
from breakrank.questions.compare.compare import of_mean, of_pairs, sentence, spread_over_pairs
from breakrank.results.measures import find, read
from breakrank.results.outcome_names import called
from breakrank.results.paired import Difference, pairs_of
from breakrank.results.paired import difference as paired
from breakrank.results.uncertainty import rows_of
from breakrank.show import vegalite as vl
from breakrank.show.fan import FEWER, HOVERED, bands, pointer
from breakrank.show.figure import Figure, Panel
from breakrank.show.grid import GridTable
from breakrank.show.look import Look
from breakrank.show.marks import dated, rules
from breakrank.show.sheet import Drawn
from breakrank.show.style import SMALL, SMALL_HEIGHT, TEXT
from breakrank.show.tables import POINTS, Kind, SpreadSeries, sampled, series
from breakrank.show.time_axes import GUTTER, Plane, round_up
from breakrank.show.words import day, people

if TYPE_CHECKING:
    from breakrank.results import Result

NAMED = 3
"""Events that are named at most."""
APART = 0.08
"""How far they lie apart at least, as a share of the width."""
ROW = 14
"""Height of a row of names, px."""


def line_names(base: SpreadSeries, other: SpreadSeries, plane: Plane) -> list[vl.Chart]:
    """Return the names of both lines at their ends, the higher one above its line."""
    up = other.end >= base.end
    theme = plane.theme
    found = []
    for text, one, colour, above in (
        ("changed", other, theme.counterfactual_text, up),
        ("baseline", base, theme.baseline, not up),
    ):
        row = {"date": str(one.frame["date"].iloc[-1])[:10], "value": one.end, "text": text}
        look = {"align": "right", "dx": -4, "dy": -8 if above else 12, "fontSize": SMALL, "fontWeight": 600}
        mark = plane.sheet.on([row]).mark("text", color=colour, **look)
        found.append(mark.encode(x=plane.x(), y=plane.y("value"), text="text:N"))
    return found


def event_names(result: Result, plane: Plane) -> list[vl.Chart]:
    """Return the events with most effects by name, each in a row of its own, so that none covers another."""
    calendar = result.case.calendar
    days = max(1, (calendar.end - calendar.start).days)
    chosen: list[tuple[float, str, str]] = []
    for event in sorted(result.case.events, key=lambda e: (-len(e.effects), e.date)):
        at = (event.date - calendar.start).days / days
        if event.effects and 0 <= at <= 1 and all(abs(at - other) >= APART for other, *_ in chosen):
            chosen.append((at, event.date.isoformat(), event.title))
    found = []
    for row, (at, date, title) in enumerate(sorted(chosen[:NAMED])):
        base, right = plane.sheet.on([{"date": date, "text": title}]), at <= 0.5
        rule = base.mark("rule", color=plane.theme.axis, strokeWidth=0.8)
        found.append(rule.encode(x=plane.x(), y=vl.value(4 + ROW * row), y2=vl.value(plane.height)))
        text = base.mark(
            "text",
            align="left" if right else "right",
            baseline="top",
            dx=4 if right else -4,
            color=plane.theme.muted,
            fontSize=SMALL,
            limit=vl.expr(f"{max(at, 1 - at):.3f} * width - 8"),
        )
        found.append(text.encode(x=plane.x(), y=vl.value(5 + ROW * row), text="text:N"))
    return found


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
Draw = npt.NDArray[np.int64] | None

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
    "uprisings",
    "cost",
)
"""Measures whose paired difference is drawn, where both results hold them by day."""


@dataclass(frozen=True)
class Apart:
    """What differs in one measure within pairs: day by day, and on the last day with its 95% interval."""

    series: SpreadSeries
    last: Difference

    @property
    def said(self) -> str:
        """The mean difference on the last day with its 95% interval."""
        middle, ends = of_mean(self.last)
        return f"{middle} (95% interval {ends})" if ends else middle


def figures(before: Result, after: Result, called: str, look: Look) -> list[Figure]:
    """Return the figures of a comparison: all who left, and the difference in each of :data:`DRAWN`.

    Only runs that finished in both are taken.

    Parameters
    ----------
    called : what the other case is called in headings.
    """
    runs, i, j = pairs_of(before, after)
    draw = rows_of(before.case, before.seed, runs)
    found = [_both(before, left(before)[i], left(after)[j], draw, called, look)]
    apart = [one for name in DRAWN if (one := _apart(before, after, name, i, j, draw)) is not None]
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


def _apart(
    before: Result,
    after: Result,
    name: str,
    i: Any,  # noqa: ANN401 (places of runs)
    j: Any,  # noqa: ANN401
    draw: Draw,
) -> Apart | None:
    one, other = by_day(before, name), by_day(after, name)
    if one is None or other is None:
        return None
    a, b = one[0][i], other[0][j]
    if not (b - a).any():
        return None
    unit = before.case.currency if one[2] == CURRENCY else one[2]
    days, each = before.data["day"].values, before.case.stands_for
    apart = _means(b - a, days, f"apart-{name}", called(name), one[1], unit, stands_for=each)
    return Apart(apart, paired(name, called(name), one[2], a[:, -1], b[:, -1], draw))


def _means(*values: Any, **more: Any) -> SpreadSeries:  # noqa: ANN401 (as `series` takes them)
    """Return a series whose line is the mean, as all that is said of differences is."""
    return replace(series(*values, **more), middle="mean")


def _both(result: Result, before: Values, after: Values, draw: Draw, called: str, look: Look) -> Figure:
    days, each = result.data["day"].values, result.case.stands_for
    base = _means(before, days, "left-before", "All who left", "stock", stands_for=each)
    other = _means(after, days, "left-after", called, "stock", stands_for=each)
    fan = _means(after - before, days, "left-apart", "Paired difference", "stock", stands_for=each)
    apart = Apart(fan, paired("left", "All who left", "people", before[:, -1], after[:, -1], draw))
    said = f"{sentence(apart.last, day(days[-1]))} Fan: {spread_over_pairs(fan)}."
    each_day = [paired("", "", "people", a, b, draw) for a, b in zip(before.T, after.T, strict=True)]
    return Figure(
        id="paired-left",
        short="Who leaves",
        title="How many leave, and what the change does",
        note=f"{called} beside the baseline; right: the paired difference; lines are means",
        sentence=said,
        panels=(
            Panel("paired-both", _overlay(base, other, result, look), _beside(base, other)),
            Panel("paired-left-apart", difference(apart, result, look, 200, "half"), said),
        ),
        table=_table(dict(zip(days, each_day, strict=True)), fan, called),
        size="half",
        rests_on=(6, 7, 12),
    )


def _others(result: Result, apart: Sequence[Apart], look: Look) -> Figure:
    runs = apart[0].series.runs
    told = "; ".join(f"{one.series.label} {one.said}" for one in apart[:4])
    return Figure(
        id="paired-others",
        short="What else differs",
        title="What else differs",
        note=f"paired differences; line: mean; fan: spread over pairs, {of_pairs(runs)}",
        sentence=f"Mean difference on the last day: {told}.",
        panels=tuple(
            Panel(one.series.id, difference(one, result, look, SMALL_HEIGHT, "small"), one.said)
            for one in apart
        ),
        table=GridTable(
            ("Of", "Mean difference", "95% interval"),
            tuple((one.series.label, *of_mean(one.last)) for one in apart),
            1,
        ),
        size="small",
        rests_on=(6, 7, 12),
    )


def difference(apart: Apart, result: Result, look: Look, height: int, size: Any) -> Drawn:  # noqa: ANN401
    """Return the mean of a difference about a line at zero, in the fan of its spread over pairs."""
    theme, one = look.theme, apart.series
    top, bottom = float(one.frame["q95"].max()), float(one.frame["q05"].min())
    calendar = result.case.calendar
    plane = Signed(
        calendar.start,
        calendar.end,
        max(top, one.frame["mean"].max(), 0.0),
        one.unit,
        theme,
        height,
        bottom=min(bottom, one.frame["mean"].min(), 0.0),
    )
    wide = size != "small"
    layers = rules(dated(result), plane)
    layers += bands(one, plane, theme.difference, most=POINTS if wide else FEWER)
    layers.append(plane.sheet.on([{"at": 0}]).mark("rule", color=theme.ink, strokeWidth=1).encode(y="at:Q"))
    layers += [] if look.still else pointer(one, plane, theme.difference, POINTS if wide else HOVERED)
    lines = [f"mean {apart.said}", f"fan: {spread_over_pairs(one)}"] if size == "half" else [apart.said]
    title = _title(one.label, lines, theme.difference, look, size)
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
    lines = [f"means: baseline {people(base.end)}, changed {people(other.end)} (dashed)"]
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


def _beside(base: SpreadSeries, other: SpreadSeries) -> str:
    end = day(base.frame["date"].iloc[-1])
    return (
        f"{base.label} by {end}: {people(base.end)} in the baseline, {people(other.end)} with {other.label}, "
        f"means of {base.runs:,} runs."
    )


def _table(each_day: Mapping[Any, Difference], fan: SpreadSeries, called: str) -> GridTable:
    rows = []
    for date in sampled(fan)["date"]:
        one = each_day[date.to_numpy()]
        middle, ends = of_mean(one)
        rows.append((day(date), people(one.before), people(one.after), middle, ends))
    columns = ("Date", "Baseline, mean", f"{called}, mean", "Mean difference", "95% interval")
    return GridTable(columns, tuple(rows), 1)
