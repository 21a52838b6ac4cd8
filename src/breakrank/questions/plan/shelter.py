"""How many beds suffice, with what assurance.

An assurance of 80% means: in 80% of the simulated runs so many beds are enough on every day of the stretch.
It is a quantile over runs of the highest need on any day. It holds their luck and, under draws of parameters,
what is not known of these; what the model leaves out or assumes wrongly is not in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.questions.plan.course import PlanCourse
from breakrank.questions.plan.persons import date_of
from breakrank.questions.plan.scope import Window, months
from breakrank.questions.plan.spread import Row, Spread, spread, sufficient
from breakrank.results.quantiles import MEDIAN_AND_ENDS

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.questions.plan.scope import Period

WHOLE = "Whole period"


@dataclass(frozen=True, slots=True)
class Shelter:
    """What suffices over a stretch of days.

    Attributes
    ----------
    window : the stretch; its label is that of a month, or :data:`WHOLE`.
    beds : by assurance, in its order: beds that suffice on every day of the stretch in so many runs.
    peak : day of the highest need: median over runs.
    earliest, latest : ends of the middle 90% of the runs' days of highest need.
    offered_least, offered_most : fewest and most places that open sites offer on a day of the stretch.
    rented_most : most rented rooms in use on a day of the stretch, median over runs.
    without : persons without a place on the worst day of the stretch, run by run.
    """

    window: Window
    beds: tuple[float, ...]
    peak: dt.date
    earliest: dt.date
    latest: dt.date
    offered_least: float
    offered_most: float
    rented_most: float
    without: Spread

    @property
    def places_most(self) -> float:
        """Most places on a day: those offered and the rented rooms in use."""
        return self.offered_most + self.rented_most


def shelter(
    world: PlanCourse,
    period: Period,
    assurance: tuple[float, ...],
    stretches: Callable[[Period], tuple[Window, ...]] = months,
) -> tuple[Shelter, ...]:
    """Return what suffices over the whole period, then stretch by stretch: month by month, or by week."""
    whole = Window(WHOLE, period.first, period.last)
    return tuple(_shelter(world, window, assurance) for window in (whole, *stretches(period)))


def _shelter(world: PlanCourse, window: Window, assurance: tuple[float, ...]) -> Shelter:
    days = slice(window.first, window.last + 1)
    need, offered = world.persons["need"][:, days], np.median(world.offered[:, days], axis=0)
    most, when = need.max(axis=1), window.first + need.argmax(axis=1)
    early, middle, late = (sufficient(when, share) for share in MEDIAN_AND_ENDS)
    return Shelter(
        window,
        tuple(sufficient(most, share) for share in assurance),
        date_of(world, middle),
        date_of(world, early),
        date_of(world, late),
        float(offered.min()),
        float(offered.max()),
        float(np.median(world.rented[:, days].max(axis=1))),
        spread(world.persons["short"][:, days].max(axis=1)),
    )


@dataclass(frozen=True, slots=True)
class Fall:
    """The day on which open sites offer most fewer places than the day before, and who is then without one.

    Attributes
    ----------
    date : the day. before, after : places offered on the day before and on it, medians over runs.
    without : persons without a place on the day.
    """

    date: dt.date
    before: float
    after: float
    without: Spread


def fall(world: PlanCourse, period: Period) -> Fall | None:
    """Return the largest fall of the places offered in a period; ``None`` where they never fall."""
    offered = np.median(world.offered[:, period.first : period.last + 1], axis=0)
    lost = -np.diff(offered)
    if not lost.size or lost.max() <= 0:
        return None
    day = int(lost.argmax()) + 1
    without = spread(world.within("short", period)[:, day])
    return Fall(date_of(world, period.first + day), float(offered[day - 1]), float(offered[day]), without)


def shelter_rows(world: PlanCourse, period: Period, assurance: tuple[float, ...]) -> list[Row]:
    """Return :func:`shelter` as rows of a table, one a stretch and an assurance."""
    return [
        {
            "stretch": one.window.label,
            "from": date_of(world, one.window.first),
            "to": date_of(world, one.window.last),
            "assurance": share,
            "beds": beds,
            "offered_least": one.offered_least,
            "offered_most": one.offered_most,
            "rented_most": one.rented_most,
            "without_q05": one.without.q05,
            "without_median": one.without.median,
            "without_q95": one.without.q95,
            "peak_median": one.peak,
            "peak_q05": one.earliest,
            "peak_q95": one.latest,
        }
        for one in shelter(world, period, assurance)
        for share, beds in zip(assurance, one.beds, strict=True)
    ]
