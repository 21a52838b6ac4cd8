"""Whole numbers that a user gives."""

from __future__ import annotations

import numpy as np

from breakrank.errors import UsageError


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`; UsageError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise UsageError(f"{name} must be a whole number, not {value!r}")
    if not low <= value <= high:
        raise UsageError(f"{name} must be from {low} to {high}, not {value}")
    return int(value)
