"""The parameters of life abroad: morale, moving on, work, return, and taking up arms."""

from __future__ import annotations

from breakrank.engine.codes import EV_ENLISTED, EV_MOVED_ON, EV_RAN, EV_SETTLED, EV_STOOD_DOWN, EV_WENT_BACK
from breakrank.outputs import daily
from breakrank.spec import Parameter, switch

KIN = Parameter(
    "exile.onward_kin", "per day", 0, 1, 0.02,
    "daily chance to move on for those who have kin abroad",
    "Massey and others 1993",
)  # fmt: skip
OTHER = Parameter(
    "exile.onward_other", "per day", 0, 1, 0.004,
    "daily chance to move on for those who have none, when hope is gone",
    "Massey and others 1993",
)  # fmt: skip
HELPED = Parameter(
    "exile.onward_helped", "ratio", 0, 100, 2.0,
    "by how much full help with moving on (the field onward_help) adds to both",
    scope="national",
)  # fmt: skip
SETTLE = Parameter(
    "exile.settle", "per day", 0, 1, 0.015,
    "daily chance to find work and a home of their own where work is allowed",
    scope="national",
)  # fmt: skip
BACK = Parameter(
    "exile.back", "per day", 0, 1, 0.0008,
    "daily chance to go back home, when hope is gone",
)  # fmt: skip
CAUGHT = Parameter(
    "exile.back_caught", "probability", 0, 1, 0.5,
    "chance that who goes back, or joins a rising under arms, is caught",
    scope="national",
)  # fmt: skip
WILLING = Parameter(
    "exile.willing", "probability", 0, 1, 0.6,
    "share who would take up arms against the regime at full morale",
)  # fmt: skip
RUNS = Parameter(
    "exile.runs", "probability", 0, 1, 0.3,
    "chance that a willing exile runs to the border on the day of a rising that everyone hears of",
)  # fmt: skip
MORALE = Parameter(
    "exile.morale", "fraction", 0, 1, 0.8,
    "morale on arrival",
)  # fmt: skip
MORALE_DAYS = Parameter(
    "exile.morale_days", "days", 1, 3650, 25,
    "time in which morale follows its causes to 63%",
)  # fmt: skip
IDLE = Parameter(
    "exile.idle", "fraction", 0, 2, 0.5,
    "morale lost to two months without anything to do",
    "Jahoda, Lazarsfeld and Zeisel 1933",
)  # fmt: skip
IDLE_DAYS = Parameter(
    "exile.idle_days", "days", 1, 3650, 60, "days without anything to do after which idleness is full"
)
FOOD = Parameter(
    "exile.food", "fraction", 0, 2, 0.2,
    "morale lost where there is nothing to eat",
)  # fmt: skip
NEWS = Parameter(
    "exile.news", "fraction", 0, 2, 0.5,
    "morale lost when the challenger has no credit left",
)  # fmt: skip
ARMY = Parameter(
    "exile.army", "credibility", 0, 1, 0.1,
    "credibility that a thousand armed exiles give the challenger, where the host allows them",
    "Salehyan 2009", scope="national",
)  # fmt: skip
EXILE_PARAMETERS = (
    switch("exile", "those abroad hope, move on, settle, go back or want to fight"),
    KIN,
    OTHER,
    HELPED,
    SETTLE,
    BACK,
    CAUGHT,
    WILLING,
    RUNS,
    MORALE,
    MORALE_DAYS,
    IDLE,
    IDLE_DAYS,
    FOOD,
    NEWS,
    ARMY,
)


OUTPUTS = (
    daily("moved_on", "Moved on", EV_MOVED_ON, primary=13),
    daily("settled", "Settled and work", EV_SETTLED),
    daily("went_back", "Went back", EV_WENT_BACK),
    daily("enlisted", "Enlisted abroad", EV_ENLISTED),
    daily("stood_down", "Stood down by the host", EV_STOOD_DOWN),
    daily("ran_to_border", "Ran to the border", EV_RAN),
)
"""What it hands back, day by day."""
