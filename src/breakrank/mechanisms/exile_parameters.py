"""The parameters of life abroad: morale, moving on, work, return, and taking up arms."""

from __future__ import annotations

from breakrank.engine.codes import EV_ENLISTED, EV_MOVED_ON, EV_RAN, EV_SETTLED, EV_STOOD_DOWN, EV_WENT_BACK
from breakrank.outputs import daily
from breakrank.spec import parameter, switch

KIN = parameter("exile.onward_kin")
OTHER = parameter("exile.onward_other")
HELPED = parameter("exile.onward_helped")
SETTLE = parameter("exile.settle")
BACK = parameter("exile.back")
CAUGHT = parameter("exile.back_caught")
WILLING = parameter("exile.willing")
RUNS = parameter("exile.runs")
MORALE = parameter("exile.morale")
MORALE_DAYS = parameter("exile.morale_days")
IDLE = parameter("exile.idle")
IDLE_DAYS = parameter("exile.idle_days")
FOOD = parameter("exile.food")
NEWS = parameter("exile.news")
ARMY = parameter("exile.army")
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
