"""What became of everyone, drawn: a strip in proportion, and below it those who left, enlarged, as a flow.

Since nearly all stay, one scale cannot show both. The strip shows the force as it is; its last sliver opens
into a flow of ribbons from rank to fate at a scale of its own. All widths are averages over runs, so that
they add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from breakrank.questions.run.last_day import Becoming, Fate
from breakrank.show import vegalite as vl
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import LIGHT, SMALL, TEXT, WIDE_WIDTH, Theme
from breakrank.show.words import average, interval, people, percent

STRIP = 26
"""Height of the strip, px."""
TOP = 84
"""Where the flow begins, px below the top of the strip."""
TALL = 190
"""Height of all ribbons together, px."""
APART = 31
"""Least distance between the middles of two labels, px."""
POINTS = 12
"""Steps in which a ribbon is drawn."""


@dataclass(frozen=True, slots=True)
class FlowCanvas:
    """What is drawn on: colours, the Vega expression of the plot's width, and the rows of data."""

    theme: Theme
    wide: str
    sheet: Sheet = field(default_factory=Sheet)


@dataclass(frozen=True, slots=True)
class Node:
    """A rank on the left or a fate on the right: its label, and its upper and lower edge, px."""

    label: str
    size: float
    top: float
    end: float


def stack(sizes: Sequence[float], names: Sequence[str], scale: float) -> list[Node]:
    """Place nodes below each other so that neither they nor their labels overlap."""
    nodes: list[Node] = []
    for size, name in zip(sizes, names, strict=True):
        height = max(size * scale, 1.5)
        top = float(TOP)
        if nodes:
            before = nodes[-1]
            middle = (before.top + before.end) / 2
            top = max(before.end + 6, middle + APART - height / 2)
        nodes.append(Node(name, size, top, top + height))
    return nodes


def centred(nodes: list[Node], end: float) -> list[Node]:
    """Move nodes down so that they stand in the middle of the room that ends at `end`."""
    shift = (end - nodes[-1].end) / 2 if nodes else 0
    return [Node(n.label, n.size, n.top + shift, n.end + shift) for n in nodes]


def ribbons(
    one: Becoming, left: list[Node], right: list[Node], ranks: list[int], scale: float
) -> list[dict[str, Any]]:
    """Return the points of all ribbons: along (0 to 1), edges (px), and what to say of each."""
    leave = [n.top for n in left]
    arrive = [n.top for n in right]
    rows: list[dict[str, Any]] = []
    for i, rank in enumerate(ranks):
        for j, fate in enumerate(one.fates):
            size = float(one.flow[rank, j])
            if size <= 0:
                continue
            thick = max(size * scale, 0.4)
            said = f"{one.ranks[rank]}, {fate.label.lower()}: {average(size)}"
            for k in range(POINTS + 1):
                t = k / POINTS
                y = leave[i] + (arrive[j] - leave[i]) * t * t * (3 - 2 * t)
                rows.append(
                    {
                        "ribbon": f"{i}-{j}",
                        "kind": fate.kind,
                        "along": round(t, 3),
                        "top": round(y, 1),
                        "end": round(y + thick, 2),
                        "said": said,
                    }
                )
            leave[i] += size * scale
            arrive[j] += size * scale
    return rows


def fates(one: Becoming, *, theme: Theme = LIGHT, width: Width = WIDE_WIDTH, titled: bool = True) -> Drawn:
    """Return the chart of what became of everyone; without its name where a page already gives it."""
    wide = "width" if width == "container" else str(width)
    canvas = FlowCanvas(theme, wide)
    layers = strip(one, canvas)
    height = float(STRIP)
    if one.fates and one.gone > 0:
        scale = TALL / float(one.flow.sum() or one.gone)
        ranks = [r for r in range(len(one.ranks)) if one.flow[r].sum() > 0]
        left = stack([float(one.flow[r].sum()) for r in ranks], [one.ranks[r] for r in ranks], scale)
        right = stack([f.mean for f in one.fates], [f.label for f in one.fates], scale)
        height = max(left[-1].end, right[-1].end) + 14
        left, right = centred(left, height - 14), centred(right, height - 14)
        layers += flow(one, ribbons(one, left, right, ranks, scale), left, right, canvas)
    said = f"{people(one.serving)} of {people(one.strength)} still serve on {one.date}"
    said += f" ({percent(one.serving / one.strength)})"
    title = vl.Title(
        text="What became of everyone" if titled else said,
        **({"subtitle": said} if titled else {}),
        fontSize=TEXT - 1,
        limit=vl.expr("width") if width == "container" else width,
        subtitleColor=theme.baseline,
        subtitleFontWeight=500,
    )
    return canvas.sheet.drawn(layers, width=width, height=round(height), title=title)


def strip(one: Becoming, canvas: FlowCanvas) -> list[vl.Chart]:
    """Return the strip: loyal, privately opposed, gone, in proportion."""
    theme, wide = canvas.theme, canvas.wide
    parts = [("Serving", one.serving, theme.loyal, theme.ink)]
    if one.opposed is not None:
        parts = [
            ("Loyal", one.serving * (1 - one.opposed), theme.loyal, theme.ink),
            ("Privately opposed", one.serving * one.opposed, theme.opposed, theme.paper),
        ]
    parts.append(("", one.gone, theme.hidden, theme.ink))
    rows: list[dict[str, Any]] = []
    start = 0.0
    for name, size, fill, ink in parts:
        share = size / one.strength
        said = f"{name or 'No longer serving'}: {average(size)} ({percent(share)})"
        amount = people(size) if name else ""
        look = {"fill": fill, "ink": ink, "said": said, "long": f"{name} {amount}", "short": amount}
        rows.append({"from": start, "to": start + share, **look})
        start += share
    base = canvas.sheet.on([r for r in rows if r["to"] > r["from"]]).calculate(
        a=f"datum.from * {wide}",
        b=f"max(datum.to * {wide}, datum.from * {wide} + 1.5)",
        shown=f"(datum.to - datum.from) * {wide} > 6.6 * length(datum.long) + 12 ? datum.long"
        f" : (datum.to - datum.from) * {wide} > 7 * length(datum.short) + 14 ? datum.short : ''",
    )
    tip = [vl.field("said:N", title=" ")]
    x, x2 = vl.field("a:Q", scale=None, axis=None), vl.field("b:Q")
    bars = base.mark("rect", opacity=1).encode(
        x=x, x2=x2, y=vl.value(0), y2=vl.value(STRIP), color=vl.field("fill:N", scale=None), tooltip=tip
    )
    words = base.mark("text", align="left", dx=8, fontSize=SMALL + 1, fontWeight=500).encode(
        x=x,
        y=vl.value(STRIP / 2),
        text="shown:N",
        color=vl.field("ink:N", scale=None),
        tooltip=tip,
    )
    return [bars, words]


def flow(
    one: Becoming, rows: list[dict[str, Any]], left: list[Node], right: list[Node], canvas: FlowCanvas
) -> list[vl.Chart]:
    """Return the sliver opened out, the ribbons, and the ranks and fates at their ends."""
    theme, wide, sheet = canvas.theme, canvas.wide, canvas.sheet
    a, b = f"({wide} < 480 ? 116 : 190)", f"({wide} < 480 ? 156 : 250)"
    fills = {"out": theme.out, "hidden": theme.hidden, "caught": theme.caught}
    x = vl.field("x:Q", scale=None, axis=None)
    edge = 1 - one.gone / one.strength
    opening = (
        sheet.on([{"y": STRIP, "from": edge, "to": 1}, {"y": TOP - 30, "from": 0, "to": 1}])
        .calculate(x=f"datum.from * {wide}", x2=f"datum.to * {wide}")
        .mark("area", orient="horizontal", color=theme.hidden, opacity=0.13)
        .encode(x=x, x2="x2:Q", y=vl.field("y:Q", scale=None, axis=None))
    )
    spread = f" ({interval(one.gone_band.q05, one.gone_band.q95, 'people')})" if one.runs > 1 else ""
    said = f"No longer serving: {average(one.gone)}{spread}, enlarged"
    caption = sheet.on([{"said": said}]).mark(
        "text", align="left", fontSize=SMALL + 1, fontWeight=600, color=theme.ink
    )
    bands = (
        sheet.on([r | {"fill": fills[r["kind"]]} for r in rows])
        .calculate(x=f"{a} + datum.along * ({wide} - {a} - {b})")
        .mark("area", opacity=0.55, interpolate="monotone")
        .encode(
            x=x,
            y=vl.field("top:Q", scale=None, axis=None),
            y2="end:Q",
            detail="ribbon:N",
            color=vl.field("fill:N", scale=None),
            tooltip=[vl.field("said:N", title=" ")],
        )
    )
    ranks = [_node(n, average(n.size), theme.muted) for n in left]
    ends = [_node(n, _amount(f, one.runs), fills[f.kind]) for n, f in zip(right, one.fates, strict=True)]
    return [
        opening,
        caption.encode(x=vl.value(0), y=vl.value(TOP - 20), text="said:N"),
        bands,
        *_ends(ranks, canvas, a, "right"),
        *_ends(ends, canvas, f"({wide} - {b})", "left"),
    ]


def _amount(fate: Fate, runs: int) -> str:
    mean, ends = average(fate.mean), interval(fate.band.q05, fate.band.q95, "people")
    return f"{mean} ({ends})" if runs > 1 and ends != mean else mean


def _node(node: Node, amount: str, fill: str) -> dict[str, Any]:
    middle = (node.top + node.end) / 2
    return {"name": node.label, "amount": amount, "top": node.top, "end": node.end, "y": middle, "fill": fill}


def _ends(
    rows: list[dict[str, Any]], canvas: FlowCanvas, at: str, align: Literal["left", "right"]
) -> list[vl.Chart]:
    base = canvas.sheet.on(rows).calculate(x=at, x2=f"{at} {'-' if align == 'right' else '+'} 5")
    x, y = vl.field("x:Q", scale=None, axis=None), vl.field("y:Q", scale=None, axis=None)
    bars = base.mark("rect", opacity=1).encode(
        x=x,
        x2="x2:Q",
        y=vl.field("top:Q", scale=None, axis=None),
        y2="end:Q",
        color=vl.field("fill:N", scale=None),
    )
    away = -12 if align == "right" else 12
    room = vl.expr(f"{canvas.wide} < 480 ? 106 : 178") if align == "right" else 236
    name = base.mark(
        "text",
        align=align,
        dx=away,
        dy=-7,
        fontSize=SMALL,
        fontWeight=500,
        color=canvas.theme.ink,
        limit=room,
    )
    amount = base.mark("text", align=align, dx=away, dy=7, fontSize=SMALL, color=canvas.theme.muted)
    return [
        bars,
        name.encode(x=x, y=y, text="name:N"),
        amount.encode(x=x, y=y, text="amount:N"),
    ]
