"""The largest rising among the logged runs, hour by hour: who came out, stayed away, would not march."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.questions.run.voice import FAINT, OUTCOMES, across, boxes, down, fill, tip
from breakrank.results.conspiracies import Plot, RisingRecord
from breakrank.results.whole_force import stands_for
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.words import day, interval, number, people
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result

BARS = 110
"""Height of the bars, px."""
FIRST, SECOND, STRIP = BARS + 70, BARS + 116, BARS + 160
"""Middles of the two lanes of marks, and the top of the strip, px."""
TALL = STRIP + 26
RARE = 0.1
"""Share of the runs up to which a rising that is larger than usual is called rare."""

ENDINGS = {"collapsed": "collapsed", "stalemate": "held out, then ended", "won": "succeeded"}


def largest(told: dict[int, tuple[list[Plot], list[RisingRecord]]]) -> tuple[int, RisingRecord] | None:
    """Return the rising with most participants, and its run; ``None`` where no logged run has one."""
    found = [(one.size, -run, one) for run, (_, risings) in told.items() for one in risings]
    if not found:
        return None
    best = max(found, key=lambda f: f[:2])
    return -best[1], best[2]


def typical(result: Result, size: int) -> str:
    """Say whether a rising of this size, in simulated soldiers, is usual beside the largest day of each run.

    Empty where the runs did not count who took part.
    """
    if "rising_size" not in result.data:
        return ""
    most = result.data["rising_size"].transpose("run", "day").values.max(axis=1)
    every = np.rint(most / stands_for(result.data))
    there = every[every > 0]
    if result.runs < 2 or not len(there):
        return ""
    low, middle, high = (float(v) for v in np.quantile(there, (0.25, 0.5, 0.75)))
    as_large = int((every >= size).sum())
    kind = "a typical one" if low <= size <= high else "a small one" if size < low else "a large one"
    if size > high and as_large <= RARE * result.runs:
        kind = "a rare one"
    return (
        f"It is {kind}: {as_large:,} of {result.runs:,} runs have a day of rising with as many. In the "
        f"{len(there):,} runs with a rising, the largest day has {interval(low, high, 'people')} in half "
        f"of them, {people(middle)} in the median."
    )


def became(one: RisingRecord) -> list[tuple[str, str, int]]:
    """Return what became of those who took part: role, words and number."""
    fled = len(one.fled - one.taken - one.surrendered)
    known = len(one.taken) + len(one.surrendered - one.taken) + fled
    return [
        ("caught", "taken on the spot", len(one.taken)),
        ("hidden", "surrendered", len(one.surrendered - one.taken)),
        ("out", "fled", fled),
        ("loyal", "others", max(0, len(one.participants) - known)),
    ]


def sentence(one: RisingRecord, run: int, case: Case, name: Callable[[int], str]) -> str:
    """Return how the rising went."""
    above = sum(p >= 0 for *_, p in one.reneged)
    high = f" ({above} of the high command)" if above else ""
    away = len(one.reneged)
    units = _n(len(one.units), "unit") if one.units else "no unit"
    text = (
        f"The largest rising in the logged runs is that of {day(case.calendar.date(one.day))} in run {run}"
        f" (leader: {name(one.leader)}): {number(one.size)} took part,"
        f" {units} came out {'under their commanders' if len(one.units) > 1 else 'under its commander'},"
        f" {_n(away, 'pledge')}{high} {'was' if away == 1 else 'were'} not kept,"
        f" {_n(len(one.refused), 'commander')} would not march against it; it {ENDINGS[one.outcome]}."
    )
    fates = [
        f"{n} {'were ' * (role == 'caught')}{words}"
        for role, words, n in became(one)
        if role != "loyal" and n
    ]
    return f"{text} Of those who took part, {listed(fates)}." if fates else text


def table(one: RisingRecord) -> GridTable:
    """Return the hours as texts."""
    rows = []
    joined, away, refused = _counts(one)
    out, total = _out(one), 0
    for h in range(one.hours):
        total += out[h]
        cells = (joined[h], out[h], total, away[h], refused[h])
        rows.append((f"Hour {h + 1}", *(str(c) for c in cells)))
    columns = ("", "Units that came out", "Soldiers", "Soldiers out", "Pledges not kept", "Would not march")
    return GridTable(columns, tuple(rows), 1)


def chart(one: RisingRecord, theme: Theme, width: Width) -> Drawn:
    """Return the hours: units out as bars, and below them those who stayed away or would not march."""
    sheet = Sheet()
    hours, (joined, away, refused) = one.hours, _counts(one)
    step = f"min(120, {'width' if width == 'container' else width} / {hours})"
    out = _out(one)
    top = max(1, sum(out.values()))
    bars, heads, feet, units = [], [], [], []
    total = 0
    for h in range(hours):
        before, total = total, total + out[h]
        for low, high, opacity, what in ((0, before, FAINT, "already out"), (before, total, 1.0, "came out")):
            if high > low:
                edges = {"top": BARS * (1 - high / top), "end": BARS * (1 - low / top)}
                said = f"Hour {h + 1}: {_n(high - low, 'soldier')} {what}, {_n(joined[h], 'unit')} with them"
                said = said if what == "came out" else f"Hour {h + 1}: {_n(high - low, 'soldier')} {what}"
                bars.append({"at": h, **edges, "opacity": opacity, "said": said})
        heads.append({"at": h, "y": BARS * (1 - total / top) - 8, "text": f"{total}" if total else ""})
        feet.append({"at": h, "text": f"hour {h + 1}" if h == 0 else str(h + 1)})
        units.append({"at": h, "text": f"+{_n(joined[h], 'unit')}" if joined[h] else ""})
    base = sheet.on(bars).calculate(x=f"datum.at * {step} + 3", x2=f"(datum.at + 1) * {step} - 3")
    layers = [
        boxes(base.mark("rect", stroke=theme.paper, strokeWidth=1), color=vl.value(theme.voice)),
        _text(sheet, heads, step, theme.ink, bold=True).encode(y=down("y")),
        _text(sheet, feet, step, theme.muted).encode(y=vl.value(BARS + 12)),
        _text(sheet, units, step, theme.ink).encode(y=vl.value(BARS + 26)),
    ]
    above = sum(p >= 0 for *_, p in one.reneged)
    also = f" ({above} of the high command)" if above else ""
    layers += _lane(sheet, away, FIRST, f"Pledged, but stayed away{also}", theme.caught, step, theme)
    layers += _lane(sheet, refused, SECOND, "Sent against it, but would not march", theme.voice, step, theme)
    layers += _strip(sheet, one, theme, width)
    _, outcome = OUTCOMES[one.outcome]
    said = f"{number(one.size)} took part; {outcome[0].lower()}{outcome[1:]}"
    title = vl.Title(text="Soldiers out, hour by hour", subtitle=said, offset=22)
    return sheet.drawn(layers, width=width, height=TALL, title=title)


def _counts(one: RisingRecord) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """Return by hour who came out, stayed away (the high command in the first hour), would not march."""
    joined = Counter(one.units.values())
    away = Counter(max(0, hour) for _, hour, _ in one.reneged)
    return joined, away, Counter(hour for _, hour in one.refused)


def _out(one: RisingRecord) -> Counter[int]:
    """Return by hour how many soldiers came out, with a commander or with the plot that began it."""
    hours = Counter(one.units.values()) + Counter(one.units.get(whom, 0) for whom in one.followers.values())
    hours[0] += one.leader not in one.units and one.leader not in one.followers
    return hours


def _text(sheet: Sheet, rows: list[dict[str, Any]], step: str, colour: str, bold: bool = False) -> vl.Chart:
    base = sheet.on(rows).calculate(x=f"(datum.at + 0.5) * {step}")
    mark: vl.Chart = base.mark("text", color=colour, fontSize=SMALL, fontWeight=600 if bold else 400).encode(
        x=across("x"), text="text:N"
    )
    return mark


def _lane(
    sheet: Sheet, counts: Counter[int], y: int, label: str, colour: str, step: str, theme: Theme
) -> list[vl.Chart]:
    """Return a lane of discs, the number of the hour inside each; hollow, since these did not come out."""
    told = label if counts else f"{label}: nobody"
    name = sheet.on([{"text": told}]).mark("text", align="left", color=theme.muted, fontSize=SMALL)
    layers = [name.encode(x=vl.value(0), y=vl.value(y - 18), text="text:N")]
    rows = [
        {"at": h, "text": str(n), "said": f"Hour {h + 1}: {label}: {n}"} for h, n in sorted(counts.items())
    ]
    if rows:
        base = sheet.on(rows).calculate(x=f"(datum.at + 0.5) * {step}")
        where: dict[str, Any] = {"x": across("x"), "y": vl.value(y), "tooltip": tip()}
        disc = base.mark(
            "point", shape="circle", size=300, stroke=colour, fill=theme.paper, strokeWidth=1.8, opacity=1
        )
        layers += [disc.encode(**where)]
        layers += [
            base.mark("text", color=theme.ink, fontSize=SMALL, fontWeight=600).encode(text="text:N", **where)
        ]
    return layers


def _strip(sheet: Sheet, one: RisingRecord, theme: Theme, width: Width) -> list[vl.Chart]:
    """Return what became of those who took part, in proportion."""
    wide = "width" if width == "container" else str(width)
    whole = max(1, sum(n for *_, n in became(one)))
    rows, start = [], 0.0
    for role, words, n in became(one):
        if n:
            ink = theme.paper if role in ("caught", "hidden") else theme.ink
            look = {"fill": getattr(theme, role), "ink": ink, "long": f"{n} {words}", "short": str(n)}
            look |= {"top": STRIP, "end": STRIP + 22, "opacity": 1}
            rows.append({"from": start, "to": start + n / whole, "said": f"{n} {words}", **look})
            start += n / whole
    base = sheet.on(rows).calculate(
        x=f"datum.from * {wide}",
        x2=f"datum.to * {wide}",
        shown=f"(datum.to - datum.from) * {wide} > 6.4 * length(datum.long) + 14 ? datum.long"
        f" : (datum.to - datum.from) * {wide} > 7 * length(datum.short) + 12 ? datum.short : ''",
    )
    bars = boxes(base.mark("rect", stroke=theme.paper, strokeWidth=1))
    texts = base.mark("text", align="left", dx=7, fontSize=SMALL, fontWeight=500).encode(
        x=across("x"),
        y=vl.value(STRIP + 11),
        text="shown:N",
        color=fill("ink"),
        tooltip=tip(),
    )
    name = sheet.on([{"text": "What became of those who took part"}])
    head = name.mark("text", align="left", color=theme.muted, fontSize=SMALL)
    return [head.encode(x=vl.value(0), y=vl.value(STRIP - 9), text="text:N"), bars, texts]


def _n(many: int, noun: str) -> str:
    return f"{many} {noun}{'s' * (many != 1)}"
