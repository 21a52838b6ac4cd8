"""The parameters of the regime's reactions."""

from __future__ import annotations

from breakrank.engine.codes import EV_DISCHARGED
from breakrank.outputs import daily, level
from breakrank.spec import Parameter, switch

ALARM_PLOT = Parameter(
    "regime.alarm_plot", "ratio to usual", 0, 5, 0.02,
    "by how much a plot found out raises surveillance",
    "Greitens 2016", scope="national",
)  # fmt: skip
ALARM_RISING = Parameter(
    "regime.alarm_rising", "ratio to usual", 0, 10, 0.15,
    "by how much a rising raises surveillance",
    "Sudduth 2017", scope="national",
)  # fmt: skip
ALARM_MEMORY = Parameter(
    "regime.alarm_memory", "days", 1, 3650, 45, "time in which the alarm fades to 37%", scope="national"
)
EFFORT_BUDGET = Parameter(
    "regime.effort_budget", "ratio to usual", 0, 20, 1.0,
    "most surveillance beyond the usual that the services can sustain",
    "Greitens 2016", scope="national",
)  # fmt: skip
PAY_STEP = Parameter(
    "regime.pay_step", "fraction", 0, 5, 0.1,
    "pay rise of low and middle ranks after a rising or a month of many exits",
    "Svolik 2012", scope="national",
)  # fmt: skip
PERK_STEP = Parameter(
    "regime.perk_step", "fraction", 0, 1, 0.02,
    "perks added to senior ranks on the same occasions",
    "Quinlivan 1999", scope="national",
)  # fmt: skip
PAY_BUDGET = Parameter(
    "regime.pay_budget", "fraction of the wage bill", 0, 10, 0.2,
    "what the regime can add to pay and perks within a year",
    "Svolik 2012", scope="national",
)  # fmt: skip
PAY_TRIGGER = Parameter(
    "regime.pay_trigger", "per thousand soldiers a month", 0, 1000, 3.0,
    "exits in thirty days at which the regime raises pay",
    scope="national",
)  # fmt: skip
PURGE = Parameter(
    "regime.purge", "probability", 0, 1, 0.05,
    "chance that an officer tied to someone who rose is discharged",
    "Sudduth 2017", scope="national",
)  # fmt: skip
CLOSURE = Parameter(
    "regime.closure", "persons a week", 1, 1e6, 400,
    "crossings of one way out in a week at which the regime closes or guards it",
    scope="national",
)  # fmt: skip
CLOSURE_DAYS = Parameter(
    "regime.closure_days", "days", 0, 3650, 14, "how long such a closure lasts", scope="national"
)

PARAMETERS = (
    switch("regime", "the regime reacts: surveillance, pay and perks, purges, closures"),
    ALARM_PLOT,
    ALARM_RISING,
    ALARM_MEMORY,
    EFFORT_BUDGET,
    PAY_STEP,
    PERK_STEP,
    PAY_BUDGET,
    PAY_TRIGGER,
    PURGE,
    CLOSURE,
    CLOSURE_DAYS,
)


OUTPUTS = (
    daily("discharged", "Discharged in a purge", EV_DISCHARGED),
    level("watch", "Surveillance in force", "fraction"),
)
"""What it hands back, day by day."""
