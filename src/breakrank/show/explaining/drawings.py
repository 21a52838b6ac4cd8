"""The charts of an explanation: removals, pairs, shares of variance, and what is on the scales.

More is orange and less is blue in every chart; what cannot be told from zero is grey and hollow. A number
stands beside every mark, so that no chart needs colour vision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from breakrank.engine.codes import LEAVE
from breakrank.results.variables import YES_OR_NO
from breakrank.show.explaining.axis import Linear, Squeezed, squeeze
from breakrank.show.explaining.phrases import called, percent, signed
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL, TEXT, Theme
from breakrank.study.explaining.groups import OTHERS
from breakrank.study.explaining.sobol import LUCK, TOGETHER

if TYPE_CHECKING:
    from breakrank.study.explaining.asked import Asked
    from breakrank.study.explaining.explanation import Explanation

STEP = 19
"""Height of a row, px."""
WIDE, NARROW = 740, 340
"""Widths of whole charts with their labels, px."""
FEW_TERMS = 0.02
"""Log-odds below which a term is not drawn."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a chart is drawn: its theme, its width with labels, and more room for names, px."""

    theme: Theme
    width: int = WIDE
    more: int = 0

    @property
    def names(self) -> int:
        """Room for names on the left, px."""
        return (196 if self.width >= WIDE else 128) + self.more

    @property
    def values(self) -> int:
        """Room for numbers on the right, px."""
        return 76 if self.width >= WIDE else 52

    @property
    def plot(self) -> int:
        """Width of the plot, px."""
        return self.width - self.names - self.values

    def sign(self, value: float, told: bool = True) -> str:
        """Return the hue of more or less."""
        return (
            self.theme.muted if not told else self.theme.counterfactual if value > 0 else self.theme.baseline
        )


def removals(found: Explanation, asked: Asked, look: Look) -> Drawn | None:
    """Return what taking out each mechanism does to an outcome: difference with its 90 and 95% intervals."""
    effects = [e for e in found.removal.effects(asked.measure) if e.runs]
    if not any(e.mean for e in effects):
        return None
    points = asked.unit in ("share", YES_OR_NO)
    scale = 100.0 if points else 1.0
    unit = "points" if points else asked.unit
    ends = np.array([[e.mean, e.low, e.high] for e in effects]) * scale
    axis = squeeze(ends, [e.told for e in effects])
    rows: list[dict[str, Any]] = []
    for e in effects:
        low, high = (e.mean if math.isnan(x) else x for x in (e.low, e.high))
        low90, high90 = (e.mean if math.isnan(x) else x for x in (e.low90, e.high90))
        colour = look.sign(e.mean, e.told)
        rows.append(
            {
                "name": called(e.without[0]),
                "x": axis.to(e.mean * scale),
                "low": axis.to(low * scale),
                "high": axis.to(high * scale),
                "low90": axis.to(low90 * scale),
                "high90": axis.to(high90 * scale),
                "colour": colour,
                "fill": colour if e.told else look.theme.paper,
                "text": signed(e.mean, asked.unit).partition(" ")[0],
            }
        )
    sheet = Sheet()
    values = [r["name"] for r in rows]
    lines = _lines(sheet, rows, axis, f"difference, {unit}", look)
    lines += [
        _at(sheet.on(rows), values, look)
        .mark_rule(strokeWidth=1.2)
        .encode(x=_x(axis), x2="high:Q", color=_as("colour"))
        .transform_calculate(x="datum.low"),
        _at(sheet.on(rows), values, look)
        .mark_rule(strokeWidth=3.2)
        .encode(x=_x(axis), x2="high90:Q", color=_as("colour"))
        .transform_calculate(x="datum.low90"),
        _at(sheet.on(rows), values, look)
        .mark_point(size=52, strokeWidth=1.6, opacity=1, filled=True)
        .encode(x=_x(axis), fill=alt.Fill("fill:N", scale=None), stroke=alt.Stroke("colour:N", scale=None)),
        _numbers(sheet, rows, values, look),
    ]
    said = "dot: mean, bars: 90% and 95%; hollow: not told from zero"
    said += "; axis compressed" if axis.bent else ""
    title = _title(f"{asked.label} {asked.when}: what taking out a mechanism changes", said, look)
    return sheet.drawn(lines, look.plot, STEP * len(rows), title)


def shares(found: Explanation, asked: Asked, look: Look) -> Drawn | None:
    """Return the shares of variance of an outcome: first-order and total, with their intervals."""
    given = () if found.variance is None else found.variance.shares.get(asked.measure, ())
    known = {s.group: s for s in given if math.isfinite(s.total)}
    if not known:
        return None
    own = sorted((g for g in known if g not in (LUCK, TOGETHER, OTHERS)), key=lambda g: -known[g].total)
    order = [LUCK, *own, *([OTHERS] if OTHERS in known else [])]
    plain = Linear(0.0, 1.0)
    rows: list[dict[str, Any]] = []
    for group in order:
        s = known[group]
        ends = [
            min(max(x, 0.0), 1.0)
            for x in (s.first, s.first_low, s.first_high, s.total, s.total_low, s.total_high)
        ]
        colour = look.theme.muted if group == LUCK else look.theme.difference
        names = ("first", "first_low", "first_high", "x", "low", "high")
        rows.append(
            dict(zip(names, ends, strict=True))
            | {"name": called(group), "colour": colour, "text": percent(ends[3])}
        )
    sheet = Sheet()
    values = [r["name"] for r in rows]
    lines = _lines(sheet, rows, plain, "share of variance", look)
    lines += [
        _at(sheet.on(rows), values, look)
        .mark_rule(yOffset=-3, strokeWidth=1.2)
        .encode(x=_x(plain), x2="high:Q", color=_as("colour"))
        .transform_calculate(x="datum.low"),
        _at(sheet.on(rows), values, look)
        .mark_point(size=46, strokeWidth=1.6, opacity=1, filled=True, fill=look.theme.paper, yOffset=-3)
        .encode(x=_x(plain), stroke=alt.Stroke("colour:N", scale=None)),
        _at(sheet.on(rows), values, look)
        .mark_rule(yOffset=4, strokeWidth=1.2)
        .encode(x=_x(plain), x2="first_high:Q", color=_as("colour"))
        .transform_calculate(x="datum.first_low"),
        _at(sheet.on(rows), values, look)
        .mark_point(size=34, opacity=1, filled=True, yOffset=4)
        .encode(x=_x(plain), color=_as("colour"))
        .transform_calculate(x="datum.first"),
        _numbers(sheet, rows, values, look),
    ]
    what = "its logarithm's variance" if asked.counted else "its variance"
    title = _title(
        f"{asked.label} {asked.when}: what {what} goes back to",
        "full: alone (first order), hollow and number: with all it interacts with (total); 95% intervals",
        look,
    )
    return sheet.drawn(lines, look.plot, (STEP + 3) * len(rows), title)


def scales(found: Explanation, asked: Asked, look: Look) -> Drawn | None:  # noqa: ARG001 (all charts are called alike)
    """Return the terms for and against leaving the country of those who stayed though opposed."""
    if found.scales is None:
        return None
    weights = [w for w in found.scales.weights if w.option == LEAVE and abs(w.value.value) >= FEW_TERMS]
    if not weights:
        return None
    look = replace(look, more=32 if look.width < WIDE else 0)  # terms have longer names than mechanisms
    rows: list[dict[str, Any]] = []
    for w in sorted(weights, key=lambda w: w.value.value):
        low, high = (w.value.value if math.isnan(x) else x for x in (w.value.low, w.value.high))
        rows.append(
            {
                "name": w.about.partition(",")[0],
                "zero": 0.0,
                "x": w.value.value,
                "low": low,
                "high": high,
                "colour": look.sign(w.value.value),
                "text": signed(w.value.value, ""),
            }
        )
    sheet = Sheet()
    values = [r["name"] for r in rows]
    ends = [v for r in rows for v in (r["low"], r["high"], 0.0)]
    plain = Linear(min(ends), max(ends))
    lines = _lines(sheet, rows, plain, "log-odds against staying", look)
    lines += [
        _at(sheet.on(rows), values, look)
        .mark_rule(strokeWidth=9, opacity=0.55)
        .encode(x=_x(plain), x2="zero:Q", color=_as("colour")),
        _at(sheet.on(rows), values, look)
        .mark_rule(strokeWidth=1.2)
        .encode(x=_x(plain), x2="high:Q", color=alt.value(look.theme.ink))
        .transform_calculate(x="datum.low"),
        _numbers(sheet, rows, values, look),
    ]
    title = _title(
        "What was on the scales of those who stayed though opposed",
        "leaving the country: means over their moments of decision, 95% intervals over runs",
        look,
    )
    return sheet.drawn(lines, look.plot, STEP * len(rows), title)


def pairs(found: Explanation, asked: Asked, look: Look) -> Drawn | None:
    """Return the interactions of pairs of mechanisms, as a triangle."""
    effects = [e for e in found.removal.interactions(asked.measure) if e.runs]
    if not effects:
        return None
    names = list(dict.fromkeys(m for e in effects for m in e.without))
    across, up = [called(n) for n in names[:-1]], [called(n) for n in names[1:]]
    largest = max((abs(e.mean) for e in effects if e.told), default=0.0) or 1.0
    rows: list[dict[str, Any]] = []
    for e in effects:
        strength = abs(e.mean) / largest if e.told else 0.0
        text = signed(e.mean, asked.unit).partition(" ")[0] if e.told else "not told"
        rows.append(
            {
                "across": called(e.without[0]),
                "up": called(e.without[1]),
                "colour": look.sign(e.mean, e.told),
                "strength": 0.15 + 0.55 * strength if e.told else 0.07,
                "text": text,
                "ink": look.theme.ink if e.told else look.theme.muted,
            }
        )
    sheet = Sheet()
    small = look.width < WIDE
    x = alt.X(
        "across:N",
        sort=across,
        scale=alt.Scale(domain=across),
        axis=alt.Axis(
            title=None, labelAngle=-35 if small else 0, domain=False, labelLimit=110, orient="bottom"
        ),
    )
    y = alt.Y(
        "up:N",
        sort=up,
        scale=alt.Scale(domain=up),
        axis=alt.Axis(
            title=None, grid=False, labelLimit=look.names - 8, minExtent=look.names, maxExtent=look.names
        ),
    )
    cell = sheet.on(rows).mark_rect(stroke=look.theme.paper, strokeWidth=2)
    opacity = alt.Opacity("strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None)
    marks = [
        cell.encode(x=x, y=y, color=_as("colour"), opacity=opacity),
        sheet.on(rows)
        .mark_text(fontSize=SMALL if not small else SMALL - 2)
        .encode(x=x, y=y, text="text:N", color=_as("ink")),
    ]
    unit = "points" if asked.unit in ("share", YES_OR_NO) else asked.unit
    title = _title(
        f"{asked.label} {asked.when}: pairs of mechanisms",
        f"effect of taking out both, less the two effects alone ({unit})",
        look,
    )
    return sheet.drawn(marks, look.width - look.names - 10, 34 * len(up), title)


Builder = Callable[["Explanation", "Asked", Look], Drawn | None]
CHARTS: Mapping[str, Builder] = MappingProxyType(
    {"removals": removals, "pairs": pairs, "scales": scales, "shares": shares}
)
"""The charts by name."""


def _x(axis: Linear | Squeezed) -> alt.X:
    return alt.X("x:Q", scale=alt.Scale(domain=axis.domain(), nice=False, zero=False), axis=None)


def _y(values: Sequence[str], look: Look) -> alt.Y:
    return alt.Y(
        "name:N",
        sort=list(values),
        scale=alt.Scale(domain=list(values)),
        axis=alt.Axis(
            title=None,
            grid=False,
            labelLimit=look.names - 8,
            minExtent=look.names,
            maxExtent=look.names,
            labelColor=look.theme.ink,
            labelFontSize=SMALL,
        ),
    )


def _at(chart: alt.Chart, values: Sequence[str], look: Look) -> alt.Chart:
    placed: alt.Chart = chart.encode(y=_y(values, look))
    return placed


def _as(field: str) -> alt.Color:
    return alt.Color(f"{field}:N", scale=None, legend=None)


def _lines(
    sheet: Sheet,
    rows: Sequence[Mapping[str, Any]],
    axis: Linear | Squeezed,
    name: str,
    look: Look,
) -> list[Any]:
    """Return the ground: lines at round numbers, their labels below, the zero line, and the axis title."""
    wide = 60 if look.width >= WIDE else 44
    span = axis.domain()[1] - axis.domain()[0]
    kept: list[float] = []
    for t in sorted(axis.ticks(), key=abs):  # labels that would run into one nearer to 0 are left out
        if all(abs(axis.to(t) - axis.to(k)) / span * look.plot >= wide * 0.8 for k in kept):
            kept.append(t)
    share = name.startswith("share")
    ticks = [
        {
            "x": axis.to(t),
            "label": percent(t) if share else signed(t, "") if t else "0",
            "colour": look.theme.axis if t == 0 else look.theme.hairline,
        }
        for t in kept
    ]
    ground = sheet.on(ticks).mark_rule(strokeWidth=1).encode(x=_x(axis), color=_as("colour"))
    below = sheet.on(ticks).mark_text(baseline="top", dy=6, fontSize=SMALL, color=look.theme.muted)
    height = alt.value((STEP + 3 if share else STEP) * len(rows))
    labels = below.encode(x=_x(axis), y=height, text="label:N")
    called_ = (
        sheet.on([{"text": name}])
        .mark_text(align="left", baseline="top", dy=21, fontSize=SMALL, color=look.theme.muted)
        .encode(x=alt.value(0), y=height, text="text:N")
    )
    return [ground, labels, called_]


def _numbers(sheet: Sheet, rows: Sequence[Mapping[str, Any]], values: Sequence[str], look: Look) -> alt.Chart:
    drawn = sheet.on([{"name": r["name"], "text": r["text"]} for r in rows])
    text = drawn.mark_text(align="left", dx=8, fontSize=SMALL, color=look.theme.ink)
    placed: alt.Chart = _at(text, values, look).encode(x=alt.value(look.plot), text="text:N")
    return placed


def _title(text: str, below: str, look: Look) -> alt.TitleParams:
    """Return the heading of a chart, broken where it would run out of it."""
    most = int(look.width / (TEXT * 0.5))
    return alt.TitleParams(
        text=_broken(text, most), subtitle=_broken(below, int(look.width / (SMALL * 0.52)))
    )


def _broken(text: str, most: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, most)
