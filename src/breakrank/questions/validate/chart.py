"""The chart of a hold-out: what the model forecast from a day on, what came, and what the baselines said."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from breakrank.show.number_axes import Name, palette
from breakrank.show.style import SMALL, TEXT, Theme, config
from breakrank.show.words import interval

if TYPE_CHECKING:
    from breakrank.questions.validate.trial import ForecastCourse, Trial

WIDTH, HEIGHT = 620, 300
DASHES = {"last value": [2, 3], "constant rate": [6, 3], "saturating curve": [1, 0]}
"""How the baselines' medians are drawn; their names stand at the right end."""
ROOM = 1.6
"""The axis ends at most at so many times the highest of record and medians; a band that is cut is told."""
MARGIN = 1.08
"""What stays free above the highest of all that is drawn."""


def forecast_chart(trial: Trial, *, theme: Name = "light") -> vl.Chart:
    """Return the forecast of the count that the record goes on with, beside what came and the baselines.

    Raises
    ------
    UsageError
        for a trial without such a count, or an unknown theme.
    """
    look = palette(theme)
    if trial.course is None:
        raise UsageError(f"there is no count before and after in {trial.case}, so there is nothing to draw")
    course = trial.course
    last = max(date for date, _, _ in course.later)
    first = _first(course)
    middle = course.bands[trial.forecaster][2]
    days = [d for d in course.days if first <= d <= last]
    start = course.days.index(days[0])
    heights = [float(middle[start : start + len(days)].max())]
    heights += [high for _, _, high in (*course.known, *course.later)]
    heights += [points[-1][2] for points in course.naive.values()]
    bands = course.bands[trial.forecaster]
    highest = float(bands[4, start : start + len(days)].max())
    top = min(ROOM * max(heights), MARGIN * max(*heights, highest))
    cut = highest > top
    rows = [
        {"date": d, "q05": a, "q25": b, "q50": c, "q75": e, "q95": f}
        for d, (a, b, c, e, f) in zip(days, bands[:, start : start + len(days)].T.tolist(), strict=True)
    ]
    x = _across(days[0], last)
    scale = vl.Scale(domain=[0, top], nice=False, clamp=True)

    def up(name: str) -> vl.Channel:
        axis = vl.Axis(title=course.unit, titleAngle=0, titleAnchor="start", titleX=-44, titleY=-10,
                        titleAlign="left", tickCount=5, format=",d")  # fmt: skip
        return vl.field(f"{name}:Q", scale=scale, axis=axis)

    base = vl.rows_of(rows)
    layers: list[Any] = [
        base.mark("area", color=look.baseline, opacity=0.16).encode(x=x, y=up("q05"), y2="q95:Q"),
        base.mark("area", color=look.baseline, opacity=0.28).encode(x=x, y=up("q25"), y2="q75:Q"),
        base.mark("line", color=look.baseline, strokeWidth=2).encode(x=x, y=up("q50")),
        *_naive(course, x, up, look, top),
        *_day(course, x, look),
        *_record(course, x, up, look),
    ]
    told = f"Blue: the model fitted to what was known on {course.until} (median, 50% and 90% of runs)."
    lines = [told, "Filled: known then; hollow: came later. Grey: medians of the naive forecasts."]
    if cut:
        lines.append(f"The 90% band goes on above the chart, to {bands[4, start + len(days) - 1]:,.0f}.")
    heading = vl.Title(text=f"{course.label}: {trial.title}", subtitle=lines, fontSize=TEXT)
    look_of_all = config(look) | {"padding": {"left": 4, "top": 4, "right": 8, "bottom": 8}}
    return vl.layered(layers, width=WIDTH, height=HEIGHT, title=heading, config=look_of_all)


def _first(course: ForecastCourse) -> str:
    """Return a day some weeks before the split, or the first of the calendar."""
    at = course.days.index(course.until) if course.until in course.days else 0
    return course.days[max(0, at - 20)]


def _across(first: str, last: str) -> vl.Channel:
    scale = vl.Scale(type="utc", domain=[_time(first), _time(last)])
    return vl.field("date:T", scale=scale, axis=vl.Axis(title=None, format="%-d %b", tickCount=7))


def _time(day: str) -> int:
    return int(dt.datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp() * 1000)


def _naive(course: ForecastCourse, x: Any, up: Any, look: Theme, top: float) -> list[Any]:  # noqa: ANN401
    layers = []
    for name, points in course.naive.items():
        start = course.known[-1]
        rows = [{"date": start[0], "q50": (start[1] + start[2]) / 2}]
        rows += [{"date": date, "q50": middle} for date, _, middle, _ in points]
        base = vl.rows_of(rows)
        mark = base.mark("line", color=look.muted, strokeWidth=1.4, strokeDash=DASHES[name], clip=True)
        layers.append(mark.encode(x=x, y=up("q50")))
        end = [{"date": points[-1][0], "q50": min(points[-1][2], top), "name": name}]
        label = vl.rows_of(end).mark("text", align="left", dx=6, color=look.muted, fontSize=SMALL)
        layers.append(label.encode(x=x, y=up("q50"), text="name:N"))
    return layers


def _day(course: ForecastCourse, x: Any, look: Theme) -> list[Any]:  # noqa: ANN401
    base = vl.rows_of([{"date": course.until, "text": "known until here"}])
    return [
        base.mark("rule", color=look.muted, strokeDash=[3, 3]).encode(x=x),
        base.mark("text", color=look.muted, fontSize=SMALL, align="right", dx=-5, y=8).encode(
            x=x, text="text:N"
        ),
    ]


def _record(course: ForecastCourse, x: Any, up: Any, look: Theme) -> list[Any]:  # noqa: ANN401
    layers = []
    for points, fill in ((course.known, look.record), (course.later, look.paper)):
        rows = [
            {"date": date, "low": low, "high": high, "mid": (low + high) / 2, "text": _words(low, high)}
            for date, low, high in points
        ]
        base = vl.rows_of(rows)
        layers += [
            base.mark("rule", color=look.record, strokeWidth=2).encode(x=x, y=up("low"), y2="high:Q"),
            base.mark(
                "point", shape="circle", size=64, fill=fill, stroke=look.record, strokeWidth=1.8, opacity=1
            ).encode(x=x, y=up("mid")),
            base.mark("text", align="right", dx=-8, dy=-9, color=look.ink, fontSize=SMALL).encode(
                x=x, y=up("mid"), text="text:N"
            ),
        ]
    return layers


def _words(low: float, high: float) -> str:
    return interval(low, high, "people")
