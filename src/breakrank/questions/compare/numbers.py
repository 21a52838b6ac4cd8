"""The numbers of one outcome of a comparison, as the terminal, the page and the files write them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.show.words import between, interval, mean, percent

if TYPE_CHECKING:
    from breakrank.results.paired import Difference


def said(d: Difference) -> tuple[str, ...]:
    """Return as texts both means, their difference, its interval, and the share of runs of that sign."""
    return (
        mean(d.before, d.unit),
        mean(d.after, d.unit),
        between(d.mean, d.low, d.high, d.unit, sign=True),
        "" if math.isnan(d.low) else interval(d.low, d.high, d.unit, sign=True).removesuffix(" points"),
        percent(d.same_sign),
    )
