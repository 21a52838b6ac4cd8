"""Where expectations come to rest: the fixed points of t = Φ(slope·t − offset) on [0, 1].

Φ is the standard normal distribution. Two of the classics are this one equation. In a crowd with normal
thresholds (Granovetter 1978), t is the share that acts, the slope 1 / sd and the offset mean / sd, both in
shares. In the regime-change game with a public signal (Morris and Shin 2003), t is the strength below which
the regime falls and the slope α / √β. A slope of at most √(2π) gives one fixed point whatever the offset;
above it there can be three, of which the middle one is unstable.

The curve is steepest where its argument is 0 and turns twice at most, at points known in closed form: between
them plain bisection finds every fixed point there is, to the last bit, and needs no numerical library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

FINE = 400
"""Points of a smooth curve."""


def curve(
    f: Callable[[float], float], low: float, high: float, points: int = FINE
) -> list[tuple[float, float]]:
    """Return the points of a smooth curve."""
    xs = [low + (high - low) * i / points for i in range(points + 1)]
    return [(x, f(x)) for x in xs]


def stairs(f: Callable[[float], float], edges: Sequence[float], top: float) -> list[tuple[float, float]]:
    """Return the corners of a step function that jumps at `edges`."""
    points = [(0.0, f(0))]
    for edge in sorted({e for e in edges if 0 < e <= top}):
        points += [(edge, points[-1][1]), (edge, f(edge))]
    return [*points, (top, points[-1][1])]


def walk(path: Sequence[float]) -> list[tuple[float, float]]:
    """Return the way a crowd goes between curve and diagonal, round by round."""
    points = [(path[0], path[0])]
    for before, after in pairwise(path):
        points += [(before, after), (after, after)]
    return points


STEEPEST_UNIQUE = math.sqrt(2 * math.pi)
"""The largest slope with one fixed point for every offset."""


def cdf(z: float) -> float:
    """Return the standard normal distribution function, accurate in the lower tail as well."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def density(z: float) -> float:
    """Return the standard normal density."""
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def bisect(above: Callable[[float], bool], low: float, high: float, steps: int = 200) -> float:
    """Return where `above` turns from true (at `low`) to false (at `high`), if need be to the last bits."""
    for _ in range(steps):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if above(middle) else (low, middle)
    return (low + high) / 2


def resting_points(slope: float, offset: float) -> tuple[float, ...]:
    """Return every fixed point of t = Φ(slope·t − offset), ascending: one or three of them.

    Parameters
    ----------
    slope : at least 0.
    offset : any finite number.
    """

    def above(t: float) -> bool:
        return cdf(slope * t - offset) > t

    turns: list[float] = []
    if slope > STEEPEST_UNIQUE:
        reach = math.sqrt(2 * math.log(slope / STEEPEST_UNIQUE))
        turns = [t for t in ((offset - reach) / slope, (offset + reach) / slope) if 0 < t < 1]
    # 0 < Φ < 1 settles both ends, also where it rounds to 0 or 1
    knots = [(0.0, True), *((t, above(t)) for t in turns), (1.0, False)]
    found = []
    for (low, up), (high, still_up) in pairwise(knots):
        if up and not still_up:
            found.append(bisect(above, low, high))
        elif still_up and not up:
            found.append(bisect(lambda t: not above(t), low, high))
    return tuple(found)


def stable(slope: float, offset: float, t: float) -> bool:
    """Return whether small departures from the fixed point t die out (the curve crosses from above)."""
    return slope * density(slope * t - offset) < 1
