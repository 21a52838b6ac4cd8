"""The parameters, events, outputs and measures of an opposition inside the country."""

from __future__ import annotations

from breakrank.engine.codes import EV_WENT_OVER
from breakrank.engine.observed import level_of_fate
from breakrank.mechanisms.opposition_register import JOINS
from breakrank.mechanisms.routes import HABIT
from breakrank.outputs import Measure, MeasureSource, daily, stock
from breakrank.spec import Parameter, switch

DEATHS = Parameter(
    "opposition.deaths", "per year", 0, 20, 0.1,
    "rate at which those who are with the opposition die",
    "Kalyvas 2006", scope="national",
    assumed="one in ten a year, the order of magnitude of insurgents' losses in a slow civil war",
    prior=("triangular", 0, 0.1, 0.5),
)  # fmt: skip
TAKEN = Parameter(
    "opposition.taken", "fraction", 0, 1, 0.3,
    "share of those in an area that falls, or in a group that is broken up, who are taken",
    "Kalyvas 2006", scope="national",
    assumed="most get away before an area falls; three in ten is put for want of counts",
    prior=("triangular", 0, 0.3, 1),
)  # fmt: skip
WITH_UNIT = 1.0
"""Value of going over in the log, where somebody does it with his unit."""
REGISTERED = "put himself on the opposition's register"
TURNED_AWAY = "was turned away, for there was no room, and hid"
FLED = "got away when the opposition lost the place, and hid"
DIED = "died with the opposition"
PARAMETERS = (
    switch("opposition", "soldiers can go over to an opposition inside the country"),
    DEATHS,
    TAKEN,
    HABIT,
    JOINS,
)
EVENTS = (REGISTERED, TURNED_AWAY, FLED, DIED)
OUTPUTS = (
    daily("went_over", "Went over to an opposition at home", EV_WENT_OVER, measure=None),
    daily("went_over_rank", "Went over at home, by rank", by=("rank",), measure=None),
    daily("went_over_branch", "Went over at home, by branch", by=("branch",), measure=None),
    daily("went_over_route", "Went over at home, by destination", by=("route",), measure=None),
    daily("registered_at_home", "On the opposition's register at home", REGISTERED),
    daily("turned_away_at_home", "Turned away by an opposition at home", TURNED_AWAY),
    daily("died_with_opposition", "Died with the opposition", DIED),
    stock("with_opposition", "With the opposition, by place", by=("route",)),
)
MEASURES = (
    Measure(
        "went_over",
        "Went over to an opposition at home",
        "soldiers",
        "total",
        {
            "": MeasureSource("went_over"),
            "rank": MeasureSource("went_over_rank"),
            "branch": MeasureSource("went_over_branch"),
            "route": MeasureSource("went_over_route"),
        },
    ),
    level_of_fate("opposition", "With an opposition at home"),
)
