"""What the classic models share: how a result prints itself, and how a number out of range is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real

from breakrank.errors import UsageError


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
