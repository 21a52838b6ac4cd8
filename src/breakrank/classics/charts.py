"""Charts of the classic models of crowds: where they come to rest, and what a signal does."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from breakrank.classics.granovetter import NormalCrowd
from breakrank.classics.resting import STEEPEST_UNIQUE, cdf
from breakrank.show import vegalite as vl
from breakrank.show.number_axes import DASH, Name, NumberPlane, finished, palette
from breakrank.show.style import Theme

if TYPE_CHECKING:
    import altair as alt

    from breakrank.classics.granovetter import Cascade
    from breakrank.classics.kuran import Opposition, Spark
    from breakrank.classics.morris_shin import RegimeGame

FINE = 400
"""Points of a smooth curve."""
CLOSE = 10
"""Persons shown in a closer look at a large group."""


def _curve(
    f: Callable[[float], float], low: float, high: float, points: int = FINE
) -> list[tuple[float, float]]:
    xs = [low + (high - low) * i / points for i in range(points + 1)]
    return [(x, f(x)) for x in xs]


def _stairs(f: Callable[[float], float], edges: Sequence[float], top: float) -> list[tuple[float, float]]:
    """Return the corners of a step function that jumps at `edges`."""
    points = [(0.0, f(0))]
    for edge in sorted({e for e in edges if 0 < e <= top}):
        points += [(edge, points[-1][1]), (edge, f(edge))]
    return [*points, (top, points[-1][1])]


def _walk(path: Sequence[float]) -> list[tuple[float, float]]:
    """Return the way a crowd goes between curve and diagonal, round by round."""
    points = [(path[0], path[0])]
    for before, after in pairwise(path):
        points += [(before, after), (after, after)]
    return points


def cascade_chart(result: Cascade, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return a chart of how many act against how many did before, and a closer look at where it rests."""
    look, n, rest = palette(theme), result.size, result.acting
    rounds = len(result.path) - 1
    stairs = _stairs(result.willing, result.thresholds, n)
    field = NumberPlane(look, "acting before (persons)", "then acting (persons)", (0, n), (0, n))
    heading = f"{rest:,} of {n:,} act", f"after {rounds:,} round{'s' * (rounds != 1)}"

    def drawn(low: float, high: float, title: str, below: str) -> vl.Chart:
        near = replace(field, x=(low, high), y=(low, high))
        return near.layered(
            title,
            below,
            near.line([(low, low), (high, high)], look.muted, 1),
            near.line([p for p in stairs if low <= min(p) and max(p) <= high], look.baseline),
            near.dots([(rest, rest)], look.record),
        )

    whole = drawn(0, n, *heading)
    if n <= 2 * CLOSE:
        return finished(look, whole)
    low = min(max(0, rest - CLOSE // 2), n - CLOSE)
    return finished(look, whole, drawn(low, low + CLOSE, "Where it comes to rest", "the same, closer"))


def crowd_chart(crowd: NormalCrowd, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return the map of a crowd with its fixed points, and where each spread of thresholds leads."""
    look, n = palette(theme), float(crowd.size)
    path = [0.0]
    while len(path) < 200 and (step := crowd.willing(path[-1])) > path[-1] + n * 1e-4:
        path.append(step)
    field = NumberPlane(look, "acting before (persons)", "then acting (persons)", (0, n), (0, n))
    points = crowd.fixed_points
    left = field.layered(
        f"{crowd.acting:,.2f} of {crowd.size:,} act",
        f"thresholds normal: mean {crowd.mean:g}, sd {crowd.sd:g}",
        field.line([(0, 0), (n, n)], look.muted, 1),
        field.line(_curve(crowd.willing, 0, n), look.baseline),
        field.line(_walk(path), look.baseline, 0.7),
        field.dots([(p, p) for p in points], look.record, filled=[crowd.stable(p) for p in points]),
    )
    if not 0 < crowd.mean < n / 2:
        return finished(look, left)
    tip = crowd.critical
    widest = max(5 * tip.sd, 1.2 * crowd.sd)
    field = NumberPlane(
        look, "spread of thresholds (sd, persons)", "acting in the end (persons)", (0, widest), (0, n)
    )

    def ends(sd: float) -> float:
        return NormalCrowd(crowd.mean, sd, crowd.size).acting

    right = field.layered(
        f"The crowd tips at sd {tip.sd:,.6g}",
        "from nobody acting at first",
        field.line([(tip.sd, 0), (tip.sd, n)], look.muted, 1, dash=DASH),
        field.line(_curve(ends, tip.sd * 0.02, tip.sd * (1 - 1e-9), 100), look.baseline),
        field.line(_curve(ends, tip.sd * (1 + 1e-9), widest, 100), look.baseline),
        field.dots([(crowd.sd, crowd.acting)], look.record),
    )
    return finished(look, left, right)


def opposition_chart(society: Opposition, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return a chart of public opposition against what it was before, and where it rests."""
    look = palette(theme)
    field = _public(look)
    chart = field.layered(
        f"{society.public:g}% oppose openly",
        f"{len(society.thresholds):,} people",
        field.line([(0, 0), (100, 100)], look.muted, 1),
        field.line(_stairs(society.willing, society.thresholds, 100), look.baseline),
        field.dots([(society.public, society.public)], look.record),
    )
    return finished(look, chart)


def spark_chart(spark: Spark, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return a chart of a society before and, dashed, after one threshold changed."""
    look = palette(theme)
    field, before, after = _public(look), spark.before, spark.after
    old, new = before.thresholds[spark.person], after.thresholds[spark.person]
    low, high = min(old, new), max(old, new)  # elsewhere the two are the same
    changed = [p for p in _stairs(after.willing, after.thresholds, 100) if low <= p[0] <= high]
    chart = field.layered(
        f"From {before.public:g}% to {after.public:g}% in open opposition",
        f"one of {len(before.thresholds):,} has a threshold of {new:g} instead of {old:g}",
        field.line([(0, 0), (100, 100)], look.muted, 1),
        field.line(_stairs(before.willing, before.thresholds, 100), look.baseline),
        field.line(changed, look.counterfactual, dash=DASH),
        field.dots([(before.public, before.public)], look.baseline),
        field.dots([(after.public, after.public)], look.counterfactual),
        field.note(before.public, before.public, "before", look.baseline),
        field.note(after.public, after.public, "after", look.counterfactual_text),
    )
    return finished(look, chart)


def _public(look: Theme) -> NumberPlane:
    return NumberPlane(look, "openly opposed before (%)", "then openly opposed (%)", (0, 100), (0, 100))


def game_chart(game: RegimeGame, *, theme: Name = "light") -> alt.TopLevelMixin:
    """Return a chart of the strength below which the regime falls against what all see of it."""
    look = palette(theme)
    low, high = min(-0.5, game.seen - 0.5), max(1.5, game.seen + 0.5)
    field = NumberPlane(
        look, "public signal of the regime's strength (y)", "falls below (θ*)", (low, high), (0, 1)
    )
    alone = [(low, 1 - game.cost), (high, 1 - game.cost)]
    below = f"cost {game.cost:g}, "
    if game.public == 0:
        below += "no public signal: θ* = 1 − cost"
        layers = [field.line(alone, look.baseline)]
    else:
        below += f"α/√β = {game.slope:.2f}; dotted: no public signal"
        layers = [field.line(alone, look.muted, 1, dash=[2, 3])]
        turn = 0.0 if game.unique else math.sqrt(2 * math.log(game.slope / STEEPEST_UNIQUE))
        for a, b in ((-8.0, -turn), (-turn, turn), (turn, 8.0)):
            branch = [(game.seen_for(t), t) for _, t in _curve(cdf, a, b) if 0 < t < 1]
            dash = DASH if a == -turn and turn > 0 else None
            layers.append(field.line([p for p in branch if low <= p[0] <= high], look.baseline, dash=dash))
    found = game.equilibria
    layers.append(
        field.dots([(game.seen, e.strength) for e in found], look.record, filled=[e.stable for e in found])
    )
    several = "" if len(found) == 1 else f"{len(found)} equilibria: "
    title = several + ", ".join(
        f"θ* = {e.strength:.3f}" if i == 0 else f"{e.strength:.3f}" for i, e in enumerate(found)
    )
    return finished(look, field.layered(title, below, *layers))
