"""Numbers, mechanisms and outcomes in the words of an explanation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.outputs import YES_OR_NO
from breakrank.show import words
from breakrank.show.words import percent

if TYPE_CHECKING:
    from breakrank.questions.explain.effects import PairedEffect
    from breakrank.questions.explain.outcomes import ExplainedOutcome


def value(number: float, unit: str) -> str:
    """Return a mean with its unit.

    >>> value(1285.4, "soldiers"), value(2.375, "risings"), value(0.4, "share"), value(1, "1 or 0")
    ('1,285 soldiers', '2.4 risings', '40%', '100% of runs')
    """
    if unit == YES_OR_NO:
        return f"{percent(number)} of runs"
    return percent(number) if unit == "share" else f"{words.number(number)} {unit}".strip()


def signed(number: float, unit: str) -> str:
    """Return a difference with its sign and unit; of shares in percentage points.

    >>> signed(-34.25, "soldiers"), signed(0.031, "share"), signed(0.004, "soldiers")
    ('−34 soldiers', '+3.1 points', '+0.004 soldiers')
    """
    return words.signed(number, unit) + ("" if unit in words.PER_CENT else f" {unit}".rstrip())


def between(low: float, high: float, unit: str) -> str:
    """Return an interval of a difference in brackets, or nothing if there is none.

    >>> between(-3.2, 4.1, "soldiers"), between(0.02, 0.05, "share"), between(math.nan, math.nan, "")
    (' (95% interval −3.2 to +4.1)', ' (95% interval +2 to +5 points)', '')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f" (95% interval {words.interval(low, high, unit, sign=True)})"


def called(mechanism: str) -> str:
    """Return a mechanism in words.

    >>> called("ways_out")
    'ways out'
    """
    return mechanism.replace("_", " ")


def outcome(asked: ExplainedOutcome) -> str:
    """Return an outcome with its date, e.g. ``Crossed out of the country by 2019-03-23``."""
    return f"{asked.label} {asked.when}"


def changed(found: PairedEffect, asked: ExplainedOutcome) -> str:
    """Return what taking something out changes: after, before, difference, interval, sign."""
    return (
        f"{value(found.after, asked.unit)} instead of {value(found.before, asked.unit)}, a difference of "
        f"{signed(found.mean, asked.unit)}{between(found.low, found.high, asked.unit)} whose sign holds in "
        f"{percent(found.same_sign)} of {found.runs:,} pairs of runs"
    )
