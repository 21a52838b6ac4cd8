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
    from breakrank.questions.explain.scales import Mean


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


def shares(mean: Mean) -> str:
    """Return a mean share with its interval, which ends at 0 and at 1.

    >>> from breakrank.questions.explain.scales import Mean
    >>> shares(Mean(0.8, 0.79, 0.81, 4)), shares(Mean(0.99, 0.97, 1.01, 4))
    ('80% (95% interval 79% to 81%)', '99% (95% interval 97% to 100%)')
    >>> shares(Mean(0.5, math.nan, math.nan, 1))
    '50% (one run)'
    """
    if not math.isfinite(mean.low):
        return f"{percent(mean.value)} (one run)"
    return share_between(mean.value, mean.low, mean.high)


def share_between(share: float, low: float, high: float) -> str:
    """Return a share with its interval in brackets, within 0 and 1.

    >>> share_between(-0.01, -0.02, 0.05), share_between(0.8, 0.791, 0.812)
    ('0% (95% interval 0% to 5%)', '80.0% (95% interval 79.1% to 81.2%)')
    """
    share, low, high = (min(max(x, 0.0), 1.0) if math.isfinite(x) else x for x in (share, low, high))
    if not (math.isfinite(low) and math.isfinite(high)):
        return percent(share)
    middle = words.between(share, low, high, "share")
    return f"{middle} (95% interval {words.interval(low, high, 'share')})"


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
