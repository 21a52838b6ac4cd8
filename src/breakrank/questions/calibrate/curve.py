"""The naive forecast that a count of the record is scored beside: a saturating curve through earlier figures.

The curve is fitted to the figures of the same count before the target's date and to nothing else, so it has
seen neither this figure nor a later one. The posterior has seen them all; runs under it, on the other hand,
do not start from the earlier figures as the curve does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.calibrate.baselines import saturating_curve
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.calibrate.reported import alike, counts, cumulative, inside, origin

if TYPE_CHECKING:
    from breakrank.case import Case, Target


def curve_before(case: Case, target: Target) -> Array | None:
    """Return draws (400,) of a target by a curve through the earlier figures of its count.

    ``None`` for what is no cumulative count, and where the record has no earlier figure of it that began on
    the same day.
    """
    if not cumulative(target) or target.unit == "1 or 0":
        return None
    told = [t for t in alike(target, inside(case)) if t.date < target.date and t.start == target.start]
    if not told:
        return None
    return saturating_curve(counts(case, told), float((target.date - origin(case, told[0])).days))
