"""What the classic models share: how results print and draw themselves, and how numbers are refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from breakrank.show.axes import SQUARE, NumberPlane
from breakrank.show.style import DARK, LIGHT, Theme, config

DASH = [5, 3]
"""Dashes of a second line."""


def tree(title: str, rows: Mapping[str, object]) -> str:
    """Return a title and its rows as a small tree.

    >>> print(tree("Cascade", {"people": 100, "acting": 1}))
    Cascade
    ├── people: 100
    └── acting: 1
    """
    lines = [f"{name}: {value}" for name, value in rows.items()]
    forks = ["├── "] * (len(lines) - 1) + ["└── "]
    return "\n".join([title, *(fork + line for fork, line in zip(forks, lines, strict=True))])


def listed(numbers: tuple[float, ...], places: int) -> str:
    """Return numbers side by side, rounded."""
    return ", ".join(f"{x:.{places}f}" for x in numbers) or "none"


def within(
    name: str, value: object, low: float = -math.inf, high: float = math.inf, *, ends: bool = True
) -> float:
    """Return `value` as a float if it is a finite number in [low, high], or (low, high) without the `ends`.

    Raises
    ------
    UsageError
        otherwise, naming the argument and what it may be.
    """
    # a truth value is a number to Python, but never what somebody means here
    number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    inside = low <= number <= high if ends else low < number < high
    if not (math.isfinite(number) and inside):
        raise UsageError(f"{name} is {value!r}; it must be {_range('a number', low, high, ends)}")
    return number


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number in [low, high].

    Raises
    ------
    UsageError
        otherwise, naming the argument and what it may be.
    """
    if not isinstance(value, bool) and isinstance(value, Integral) and low <= int(value) <= high:
        return int(value)
    raise UsageError(f"{name} is {value!r}; it must be {_range('a whole number', low, high, True)}")


def _range(kind: str, low: float, high: float, ends: bool) -> str:
    if math.isinf(low) and math.isinf(high):
        return f"{kind}, finite"
    if math.isinf(high):
        return f"{kind}, {'at least' if ends else 'above'} {low:g}"
    return f"{kind} from {low:g} to {high:g}" if ends else f"{kind} between {low:g} and {high:g}"


def palette(theme: str) -> Theme:
    """Return the colours of a theme by name.

    Raises
    ------
    UsageError
        for an unknown name.
    """
    if theme not in ("light", "dark"):
        raise UsageError(f"theme is {theme!r}; it must be 'light' or 'dark'")
    return LIGHT if theme == "light" else DARK


def finished(look: Theme, *charts: vl.Chart) -> vl.Chart:
    """Return charts side by side in the look of the project."""
    # room for the axis title below, which has no tick marks to keep it off the edge
    look_of_all = config(look) | {"padding": {"left": 4, "top": 4, "right": 8, "bottom": 10}}
    apart = {"scale": {"color": "independent"}}
    return vl.Chart(hconcat=list(charts), resolve=apart, config=look_of_all)


class Field(NumberPlane):
    """A plane that becomes a chart with its heading."""

    def layered(self, title: str, below: str, *layers: vl.Chart) -> vl.Chart:
        """Return the marks as one chart with its heading; the first layer brings the axes."""
        heading = vl.Title(text=title, subtitle=below)
        return vl.layered(layers, width=self.width, height=SQUARE, title=heading)
