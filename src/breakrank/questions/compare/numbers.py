"""The numbers of one outcome of a comparison, as the terminal, the page and the files write them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.show.words import between, interval, mean, percent, unit_of, within

if TYPE_CHECKING:
    from breakrank.results.paired import Difference
    from breakrank.show.tables import SpreadSeries


def said(d: Difference) -> tuple[str, ...]:
    """Return as texts both means, their difference, its interval, and the share of runs of that sign."""
    return (
        mean(d.before, d.unit),
        mean(d.after, d.unit),
        between(d.mean, d.low, d.high, d.unit, sign=True),
        "" if math.isnan(d.low) else interval(d.low, d.high, d.unit, sign=True).removesuffix(" points"),
        percent(d.same_sign),
    )


def sentence(one: Difference, end: str) -> str:
    """Return what a change does to how many leave: the mean of the pairs and its 95% interval."""
    if one.more == one.less == 0:
        return f"By {end} as many leave as without the change, in every one of {one.runs:,} pairs of runs."
    middle, ends = of_mean(one)
    many = f"{middle.lstrip('+−')} {'fewer' if one.mean < 0 else 'more'}"
    how = f"mean of {one.runs:,} pair{'s' * (one.runs != 1)}"
    how += f", 95% interval {ends}{'' if one.told else '; no clear difference'}" if ends else ""
    return f"By {end} {many} leave with the change ({how})."


def of_mean(one: Difference) -> tuple[str, str]:
    """Return the mean of a paired difference and the ends of its 95% interval; one pair has none."""
    _, _, middle, ends, _ = said(one)
    return middle, ends


def spread_over_pairs(one: SpreadSeries) -> str:
    """Return the outer ends of the last day's differences, named as the spread that they are."""
    ends = interval(one.last.q05, one.last.q95, unit_of(one), sign=True)
    return f"spread over pairs, {of_pairs(one.runs)}: {ends}"


def of_pairs(runs: int) -> str:
    """Return how many pairs lie between the outer ends of a fan.

    >>> of_pairs(100), of_pairs(4)
    ('90%', 'all 4')
    """
    return within(runs).removesuffix(" of runs").removesuffix(" runs")
