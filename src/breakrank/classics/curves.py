"""Curves of crowds as points: smooth, in steps, and the way a crowd goes round by round."""

from __future__ import annotations

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
