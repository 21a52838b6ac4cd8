"""The figures of a result, each defined once: its panels, its sentence, its table, and what it rests on.

A notebook lays the panels of a figure side by side (:mod:`breakrank.questions.run.charts`); a report puts
each in a column of the page (:mod:`breakrank.questions.run.report`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from breakrank.questions.run import last_day as became
from breakrank.questions.run.against_record import against, beside
from breakrank.questions.run.ground_map import on_the_map
from breakrank.questions.run.last_day import fates as drawn_fates
from breakrank.results.outcome import comparison_title
from breakrank.results.quantiles import FEW
from breakrank.show import vegalite as vl
from breakrank.show.fan import FanSize, bands, fan, pointer
from breakrank.show.figure import Builder, Figure, Panel
from breakrank.show.grid import band_table, group_sentence
from breakrank.show.look import Look, Size
from breakrank.show.marks import Dated, dated, numbered_rules
from breakrank.show.sheet import Drawn, Width
from breakrank.show.style import LIGHT, SMALL, SMALL_HEIGHT, TEXT, WIDE_HEIGHT, WIDE_WIDTH, Theme
from breakrank.show.tables import Group, SpreadSeries, field, leaving, share
from breakrank.show.time_axes import GUTTER, Plane, Span
from breakrank.show.words import between, interval, percent, sentence

if TYPE_CHECKING:
    from breakrank.results import Result

HEIGHT = 230
DASH = (6, 4)


def belief(
    opposed: SpreadSeries,
    believed: SpreadSeries,
    calendar: Span,
    *,
    theme: Theme = LIGHT,
    width: Width = WIDE_WIDTH,
    events: Sequence[Dated] = (),
) -> Drawn:
    """Return the chart of private opposition and of what comrades believe of it, both as shares of 0 to 1."""
    plane = Plane(calendar.start, calendar.end, 1.0, "share", theme, HEIGHT, raised=22 if events else 0)
    layers = numbered_rules(events, plane, width) if events else []
    layers += bands(believed, plane, theme.believed, dash=DASH, spans=False)
    layers += bands(opposed, plane, theme.opposed)
    layers += names(opposed, believed, plane, width)
    layers += pointer(opposed, plane, theme.opposed, len(opposed.frame), beside=believed)
    title = _title(opposed, believed, theme, width)
    return plane.sheet.drawn(layers, width=width, height=HEIGHT, title=title)


def names(opposed: SpreadSeries, believed: SpreadSeries, plane: Plane, width: Width) -> list[vl.Chart]:
    """Return the two lines' names, above the upper and below the lower, so that they cannot meet."""
    theme = plane.theme
    upper = opposed.last.median >= believed.last.median
    rows = []
    for one, name, colour, above in (
        (opposed, "Privately opposed", theme.opposed, upper),
        (believed, "Believed by their comrades", theme.believed, not upper),
    ):
        places = {}
        for column, part in (("wide", 0.33), ("narrow", 0.8)):
            # clear of the band over the stretch that the words cover, not only at its end
            tail = one.frame.iloc[-max(1, int(len(one.frame) * part)) :]
            row = (
                plane.row(float(tail["q95"].max())) - 9 if above else plane.row(float(tail["q05"].min())) + 11
            )
            places[column] = min(max(row, -2), plane.height - 8)
        text = f"{name} {between(one.last.median, one.last.q05, one.last.q95, 'share')}"
        if one.runs > 1:
            text += f" ({interval(one.last.q05, one.last.q95, 'share')})"
        rows.append({"text": text, "fill": colour, **places})
    wide = "width" if width == "container" else str(width)
    base = plane.sheet.on(rows).calculate(y=f"{wide} < 480 ? datum.narrow : datum.wide")
    where: dict[str, Any] = {
        "x": vl.value("width"),
        "y": vl.field("y:Q", scale=None, axis=None),
        "text": "text:N",
    }
    look: dict[str, Any] = {"align": "right", "fontSize": SMALL + 1, "fontWeight": 500}
    halo = base.mark("text", stroke=theme.paper, strokeWidth=3, strokeJoin="round", **look)
    return [
        halo.encode(**where),
        base.mark("text", **look).encode(**where, color=vl.field("fill:N", scale=None)),
    ]


def gap(opposed: SpreadSeries, believed: SpreadSeries) -> float:
    """Return the median share opposed less the median share believed, on the last day."""
    return opposed.last.median - believed.last.median


def gap_sentence(opposed: SpreadSeries, believed: SpreadSeries) -> str:
    """Return in a sentence what the chart shows."""
    first = opposed.frame["median"].iloc[0] - believed.frame["median"].iloc[0]
    last = gap(opposed, believed)
    if first * last < 0 and abs(last - first) > 0.005:
        change = "turns round,"
    else:
        change = (
            "widens"
            if abs(last) > abs(first) + 0.005
            else "narrows"
            if abs(last) < abs(first) - 0.005
            else "stays"
        )
    ends = f"from {100 * first:.0f} to {_points(last)}" if change != "stays" else f"at {_points(last)}"
    return (
        f"{percent(opposed.last.median)} of those serving are privately opposed at the end, while soldiers "
        f"believe it of {percent(believed.last.median)} of their comrades; over the period the gap {change} "
        f"{ends}."
    )


def _points(share: float) -> str:
    return f"{100 * share:.0f} percentage points".replace("-", "\u2212")


def _title(opposed: SpreadSeries, believed: SpreadSeries, theme: Theme, width: Width) -> vl.Title:
    return vl.Title(
        text="Private opposition, and what comrades believe of it",
        subtitle=f"a gap of {_points(gap(opposed, believed))} at the end",
        fontSize=TEXT - 1,
        limit=vl.expr(f"width + {GUTTER}") if width == "container" else width + GUTTER,
        subtitleColor=theme.muted,
    )


CREDIBILITY = "credibility"
"""The field drawn below the chart of belief, where a case has it."""


_TITLES: dict[Group, tuple[str, str, str, tuple[int, ...]]] = {
    "total": ("How many leave", "How many", "left", (6, 7)),
    "outcome": ("How they leave", "Kinds", "kinds", (6, 7, 12)),
    "rank": ("Who leaves, by rank", "Ranks", "ranks", (1, 2, 3, 6)),
    "branch": ("Who leaves, by branch", "Branches", "branches", (1, 2, 6)),
    "route": ("By which way", "Routes", "ways", (7,)),
}


def _note(result: Result) -> str:
    if result.runs < 2:
        return "the one run"
    spread = "the middle 50% and 90%" if result.runs >= FEW else f"the range of all {result.runs}"
    return f"median of the runs with {spread}"


def worth_drawing(group: Sequence[SpreadSeries], look: Look) -> list[SpreadSeries]:
    """Return the series that a report draws: those that reach one soldier in a twentieth of the runs."""
    return [s for s in group if s.top >= 1 or not look.page]


def _left_out(group: Sequence[SpreadSeries], drawn: Sequence[SpreadSeries]) -> str:
    few = len(group) - len(drawn)
    return f"; {few} of fewer than one soldier in the table only" if few else ""


def who(by: Group) -> Builder:
    """Return the builder of a figure of those who leave."""

    def build(result: Result, look: Look) -> Figure:
        title, short, name, rests_on = _TITLES[by]
        group, wide = leaving(result, by), by == "total"
        calendar, marks = result.case.calendar, dated(result)
        size: Size = "wide" if wide else "small"
        height = WIDE_HEIGHT if wide else SMALL_HEIGHT
        plot = FanSize(theme=look.theme, width=look.width(size), height=height, dense=wide)
        drawn = group if wide else worth_drawing(group, look)
        made = [fan(s, calendar, plot, events=marks, numbered=wide) for s in drawn]
        return Figure(
            id=name,
            short=short,
            title=title,
            note=_note(result) + _left_out(group, drawn),
            sentence=group_sentence(group),
            panels=tuple(Panel(f"{name}-{s.id}", c, sentence(s)) for s, c in zip(drawn, made, strict=True)),
            table=band_table(group),
            size=size,
            rests_on=rests_on,
        )

    return build


def record(result: Result, look: Look) -> Figure:
    """Return the figure of the record beside the model."""
    found = against(result)
    panels = []
    for a in found:
        chart = fan(
            a.series,
            result.case.calendar,
            FanSize(theme=look.theme, width=look.width("half"), height=180),
            events=dated(result),
            records=a.counted if look.page else [c.unlinked() for c in a.counted],
            named=True,
            below=beside(a),
        )
        told = "; ".join(f"{c.label}: {c.marked}" for c in a.counted)
        panels.append(Panel(f"record-{a.series.id}", chart, f"{sentence(a.series)} The record says: {told}."))
    used = [c.used for a in found for c in a.counted]
    known = ", + where assimilated" if any(used) else ""
    n = sum(len(a.counted) for a in found)
    told = f"{n} figure{'s' * (n != 1)} of the record, each on the fan of what it counts."
    return Figure(
        id="record",
        short="Record",
        title=comparison_title(used),
        note=f"ink: what was counted in the world{known}; bands: the model",
        sentence=told if n else "The case names no figure of the record that has a value by day.",
        panels=tuple(panels),
        table=band_table([a.series for a in found]),
        size="half",
        rests_on=(7, 13),
        targets=tuple(t for a in found for t in a.targets),
    )


def fate(result: Result, look: Look) -> Figure:
    """Return the figure of what became of everyone."""
    one = became.becoming(result)
    chart = drawn_fates(one, theme=look.theme, width=look.width("wide"), titled=not look.page)
    return Figure(
        id="fates",
        short="Fates",
        title="What became of everyone",
        note="average of the runs, so that the parts add up" if one.runs > 1 else "the one run",
        sentence=became.sentence(one),
        panels=(Panel("fates", chart, became.sentence(one)),),
        table=became.table(one),
        size="wide",
        rests_on=(4, 5, 7, 9),
    )


def beliefs(result: Result, look: Look) -> Figure:
    """Return the figure of private opposition, what comrades believe of it, and the challenger's standing."""
    opposed = share(result, "opposed", "Privately opposed")
    believed = share(result, "belief", "Believed by their comrades")
    calendar, marks, width = result.case.calendar, dated(result), look.width("wide")
    chart = belief(opposed, believed, calendar, theme=look.theme, width=width, events=marks)
    panels = [Panel("belief", chart, gap_sentence(opposed, believed))]
    group = [opposed, believed]
    standing = field(result, CREDIBILITY, "Challenger's credibility, as the case gives it")
    if standing is not None:
        size = FanSize(theme=look.theme, width=width, height=90, dense=True, colour=look.theme.given)
        given = fan(standing, calendar, size, events=marks)
        panels.append(Panel("credibility", given, sentence(standing)))
        group.append(standing)
    return Figure(
        id="belief",
        short="Beliefs",
        title="What they think, and what they think of each other",
        note=f"shares of those serving; {_note(result)}",
        sentence=gap_sentence(opposed, believed),
        panels=tuple(panels),
        table=band_table(group),
        size="wide",
        rests_on=(4, 12),
    )


FIGURES: Mapping[str, Builder] = MappingProxyType(
    {
        "left": who("total"),
        "kinds": who("outcome"),
        "record": record,
        "ranks": who("rank"),
        "branches": who("branch"),
        "ways": who("route"),
        "map": on_the_map,
        "fates": fate,
        "belief": beliefs,
    }
)
"""Every figure by name, in the order of the report."""
