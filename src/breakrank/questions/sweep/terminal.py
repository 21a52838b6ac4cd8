"""What a sweep looks like: a table of points and where the chance tips, or one JSON object, or files."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.results.json_files import json_ready
from breakrank.results.measures import find
from breakrank.results.quantiles import LEVELS
from breakrank.runs.atomic_file import write_files
from breakrank.runs.versions import heading
from breakrank.show import vegalite as vl
from breakrank.show.number_axes import DASH, NumberPlane, finished, palette
from breakrank.show.provenance import drawn_in_part
from breakrank.show.style import SMALL, Theme
from breakrank.show.terminal import NUMBER, say, say_table, title, wrapped
from breakrank.show.words import between, interval, percent

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.sweep.sweep import Sweep

CELLS = 32
"""Cells of a map along each side."""
WIDE = 380
"""Width of a chart over one parameter, px."""
STROKES = {0.05: [1, 3], 0.5: [1, 0], 0.95: DASH}
"""How the lines of 5, 50 and 95% are drawn: dotted, solid, dashed."""


def sweep_chart(found: Sweep) -> vl.Chart:
    """Return the charts of a sweep over one or two parameters.

    Raises
    ------
    UsageError
        for two parameters, where the optional extra ``sweep`` is not installed.
    """
    look = palette("light")
    return _along(found, look) if len(found.axes) == 1 else _maps(found, look)


def _along(found: Sweep, look: Theme) -> vl.Chart:
    (axis,) = found.axes
    order = np.argsort(found.points[:, 0])
    x = found.points[order, 0]
    low, inner, middle, upper, high = found.quantile(*LEVELS)[:, order]
    known = np.isfinite(middle)
    about = find(found.question.measure)
    span = (axis.low, axis.high)
    top = float(np.nanmax(high)) or 1.0
    left = NumberPlane(
        look, _named(axis.name, axis.unit), about.unit, span, (min(0.0, float(np.nanmin(low))), top), WIDE
    )
    bands = [
        _band(left, x[known], low[known], high[known], look.baseline, 0.14),
        _band(left, x[known], inner[known], upper[known], look.baseline, 0.22),
    ]
    measured = left.layered(
        about.label,
        f"{_when(found)}; line: median, bands: 50% and 90% of {found.values.shape[1]} runs",
        *bands,
        left.line(_pairs(x[known], middle[known]), look.baseline),
        left.dots(_pairs(x[known], middle[known]), look.baseline),
    )
    right = NumberPlane(look, _named(axis.name, axis.unit), "share of runs", span, (0, 1), WIDE)
    chance = found.chance[order]
    marks = [
        right.line(_pairs(x[known], chance[known]), look.voice),
        right.dots(_pairs(x[known], chance[known]), look.voice),
    ]
    for tip in found.tips():
        marks.append(right.line([(tip.value, 0), (tip.value, 1)], look.ink, 1.0, STROKES[tip.level]))
        marks.append(right.note(tip.value, 1, f"{tip.level:.0%}", look.muted))
    return finished(look, measured, right.layered(_chance(found), _key(found), *marks))


def _maps(found: Sweep, look: Theme) -> vl.Chart:
    about, (across, up) = find(found.question.measure), found.axes
    names = (_named(across.name, across.unit), _named(up.name, up.unit))
    field = NumberPlane(look, *names, (across.low, across.high), (up.low, up.high))
    runs = f"{_when(found)}; median of {found.values.shape[1]} runs"
    median = _map(found, field, found.quantile(0.5)[0], look.baseline, about.unit)
    chance = _map(found, field, found.chance, look.voice, "share of runs", share=True)
    left, right = (
        field.layered(about.label, runs, *median),
        field.layered(_chance(found), _key(found), *chance),
    )
    return finished(look, left, right)


def _map(
    found: Sweep,
    field: NumberPlane,
    height: NDArray[np.float64],
    colour: str,
    unit: str,
    *,
    share: bool = False,
) -> list[vl.Chart]:
    """Return one surface: coloured cells, points that were run, tipping lines."""
    look, known = field.look, np.isfinite(height)
    least, most = (0.0, 1.0) if share else (float(height[known].min()), float(height[known].max()))
    ends = [least, most if most > least else least + 1]
    legend = vl.Legend(
        title=unit,
        orient="right",
        gradientLength=120,
        gradientThickness=8,
        labelColor=look.muted,
        titleColor=look.muted,
        labelFontSize=SMALL,
        titleFontSize=SMALL,
        titleFontWeight="normal",
        format=".0%" if share else "~s",
    )
    scale = vl.Scale(domain=ends, range=[look.paper, colour], interpolate="lab")
    hue = vl.field("z:Q", scale=scale, legend=legend)
    dots = [
        {"x": float(p[0]), "y": float(p[1]), "z": float(z)}
        for p, z in zip(found.points[known], height[known], strict=True)
    ]
    tips = [vl.field(f"{k}:Q", title=a.name, format=".4~g") for k, a in zip("xy", found.axes, strict=True)]
    tips.append(vl.field("z:Q", title=unit, format=".0%" if share else ",.4~g"))
    points = field.marks(dots).mark("point", size=14, filled=True, color=look.muted, opacity=0.7)
    layers = [
        field.marks(_cells(found, height)).mark("rect").encode(x2="x2:Q", y2="y2:Q", color=hue),
        points.encode(tooltip=tips),
    ]
    line = {"color": look.ink, "strokeWidth": 1.4, "strokeCap": "round"}
    for level, pieces in found.lines().items():
        rows = [dict(zip(("x", "y", "x2", "y2"), piece, strict=True)) for piece in pieces]
        if rows:
            rule = field.marks(rows).mark("rule", strokeDash=STROKES[level], **line)
            layers.append(rule.encode(x2="x2:Q", y2="y2:Q"))
    return layers


def _cells(found: Sweep, height: NDArray[np.float64]) -> list[dict[str, float]]:
    """Return the surface between the points as small rectangles; outside of them there is none."""
    middles = (np.arange(CELLS) + 0.5) / CELLS
    at = np.stack(np.meshgrid(middles, middles, indexing="ij"), -1).reshape(-1, 2)
    values = found.surface(height, at)
    one, two = found.axes

    def value(axis: Any, place: float) -> float:  # noqa: ANN401
        return float(axis.low + place * (axis.high - axis.low))

    half = 0.51 / CELLS  # with a little overlap, so that no seams show
    return [
        {
            "x": value(one, x - half),
            "x2": value(one, x + half),
            "y": value(two, y - half),
            "y2": value(two, y + half),
            "z": float(z),
        }
        for (x, y), z in zip(at.tolist(), values.tolist(), strict=True)
        if np.isfinite(z)
    ]


def _band(
    field: NumberPlane,
    x: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    colour: str,
    strength: float,
) -> vl.Chart:
    rows = [{"x": float(a), "y": float(b), "y2": float(c)} for a, b, c in zip(x, low, high, strict=True)]
    return field.marks(rows).mark("area", color=colour, opacity=strength).encode(y2="y2:Q")


def _pairs(x: Sequence[float] | NDArray[np.float64], y: NDArray[np.float64]) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


def _named(name: str, unit: str) -> str:
    return name if unit in ("", "switch") else f"{name} ({unit})"


def _when(found: Sweep) -> str:
    return "on the last day" if found.question.date is None else f"on {found.question.date}"


def _chance(found: Sweep) -> str:
    outcome = found.question.outcome
    if str(outcome) == "regime_holds<1":
        return "The regime has fallen"
    sign = {"<=": "≤", ">=": "≥"}.get(outcome.sign, outcome.sign)
    return f"{find(outcome.measure).label} {sign} {outcome.number:g}"


def _key(found: Sweep) -> str:
    return f"share of runs {_when(found)}; lines: 5% dotted, 50% solid, 95% dashed"


def show(found: Sweep) -> None:
    """Print the table of points, and where the chance tips."""
    about = find(found.question.measure)
    when = "on the last day" if found.question.date is None else f"on {found.question.date}"
    say(title(f"{about.label}, {when}, in {about.unit}; chance of {found.question.outcome}"))
    heads = (*(a.name for a in found.axes), "runs", "median", "90% interval", "chance")
    rows = []
    for row in found.table().sort_values([a.name for a in found.axes]).to_dict("records"):
        cells = [f"{row[a.name]:g}" for a in found.axes]
        cells += [
            f"{row['runs']:,.0f}",
            between(row["median"], *(ends := (row["q05"], row["q95"]))),
            interval(*ends),
        ]
        rows.append([*cells, percent(row["chance"])])
    say_table([(head, NUMBER) for head in heads], rows)
    if sized := drawn_in_part(found.stands_for):
        say(wrapped(sized))
    if len(found.axes) == 1:
        for line in _tips(found):
            say(wrapped(line))
    else:
        passed = ", ".join(f"{level:.0%}" for level, pieces in found.lines().items() if pieces)
        told = f"{passed}; the chart shows where" if passed else "neither 5, 50 nor 95%"
        say(wrapped(f"Within these ranges the chance of {found.question.outcome} passes {told}."))
    say()


def _tips(found: Sweep) -> list[str]:
    tips = found.tips()
    name = found.axes[0].name
    if not tips:
        return [f"Over this range the chance of {found.question.outcome} passes neither 5, 50 nor 95%."]
    return [
        f"The chance {'rises above' if t.rises else 'falls below'} {t.level:.0%} at {name} = "
        + between(t.value, t.low, t.high)
        + ("." if math.isnan(t.low) else f" (95%: {interval(t.low, t.high)}).")
        for t in tips
    ]


def as_json(found: Sweep, case: Case, seed: int, runs: int) -> dict[str, object]:
    """Return what is found, ready for JSON."""
    content: dict[str, object] = {
        **heading(case),
        "seed": seed,
        "runs": runs,
        "measure": found.question.measure,
        "outcome": str(found.question.outcome),
        "date": None if found.question.date is None else str(found.question.date),
        "over": {a.name: {"low": a.low, "high": a.high, "unit": a.unit} for a in found.axes},
        "points": found.table().to_dict("records"),
    }
    if len(found.axes) == 1:
        content["tipping"] = [
            {"level": t.level, "at": t.value, "interval95": (t.low, t.high), "rises": t.rises}
            for t in found.tips()
        ]
    else:
        content["tipping"] = {f"{level:g}": pieces for level, pieces in found.lines().items()}
    return json_ready(content)


def save(found: Sweep, content: dict[str, object], folder: Path) -> None:
    """Write the table, the same as JSON, and the chart; whole files only."""
    files = {
        "sweep.csv": found.table().to_csv(index=False, lineterminator="\n"),
        "sweep.json": json.dumps(content, indent=1, allow_nan=False) + "\n",
        "sweep.svg": sweep_chart(found).svg(),
    }
    write_files(folder, files)
