"""How many beds suffice, with what assurance.

An assurance of 80% means: in 80% of the simulated runs so many beds are enough on every day of the stretch.
It is a quantile over runs of the highest need on any day. It holds their luck and, under draws of parameters,
what is not known of these; what the model leaves out or assumes wrongly is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.results.planning.course import Course
from breakrank.results.planning.persons import date_of
from breakrank.results.planning.spread import sufficient
from breakrank.results.planning.where import Window, months

if TYPE_CHECKING:
    import datetime as dt

    import pandas as pd

    from breakrank.results.planning.where import Period

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
    places_least, places_most : fewest and most places on a day of the stretch, medians over runs.
    """

    window: Window
    beds: tuple[float, ...]
    peak: dt.date
    earliest: dt.date
    latest: dt.date
    places_least: float
    places_most: float


def shelter(world: Course, period: Period, assurance: tuple[float, ...]) -> tuple[Shelter, ...]:
    """Return what suffices over the whole period, then month by month."""
    whole = Window(WHOLE, period.first, period.last)
    return tuple(_shelter(world, window, assurance) for window in (whole, *months(period)))


def _shelter(world: Course, window: Window, assurance: tuple[float, ...]) -> Shelter:
    days = slice(window.first, window.last + 1)
    need, open_places = world.persons["need"][:, days], np.median(world.places[:, days], axis=0)
    most, when = need.max(axis=1), window.first + need.argmax(axis=1)
    early, middle, late = (sufficient(when, share) for share in (0.05, 0.5, 0.95))
    return Shelter(
        window,
        tuple(sufficient(most, share) for share in assurance),
        date_of(world, middle),
        date_of(world, early),
        date_of(world, late),
        float(open_places.min()),
        float(open_places.max()),
    )


def enough(world: Course, period: Period) -> float:
    """Return the share of runs in which the places of the open sites suffice on every day of the period."""
    return float(np.mean((world.within("short", period) <= 0).all(axis=1)))


def table(world: Course, period: Period, assurance: tuple[float, ...]) -> pd.DataFrame:
    """Return :func:`shelter` as a table, one row a stretch and an assurance."""
    import pandas as pd

    rows = []
    for one in shelter(world, period, assurance):
        for share, beds in zip(assurance, one.beds, strict=True):
            rows.append(
                {
                    "stretch": one.window.label,
                    "from": date_of(world, one.window.first),
                    "to": date_of(world, one.window.last),
                    "assurance": share,
                    "beds": beds,
                    "places_least": one.places_least,
                    "places_most": one.places_most,
                    "peak_median": one.peak,
                    "peak_q05": one.earliest,
                    "peak_q95": one.latest,
                }
            )
    return pd.DataFrame(rows)
