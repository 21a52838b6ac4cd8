"""The parameters of the regime's reactions."""

from __future__ import annotations

from breakrank.engine.codes import EV_DISCHARGED
from breakrank.outputs import daily, level
from breakrank.spec import parameter, switch

ALARM_PLOT = parameter("regime.alarm_plot")
ALARM_RISING = parameter("regime.alarm_rising")
ALARM_MEMORY = parameter("regime.alarm_memory")
EFFORT_BUDGET = parameter("regime.effort_budget")
PAY_STEP = parameter("regime.pay_step")
PERK_STEP = parameter("regime.perk_step")
PAY_BUDGET = parameter("regime.pay_budget")
PAY_TRIGGER = parameter("regime.pay_trigger")
PURGE = parameter("regime.purge")
CLOSURE = parameter("regime.closure")
CLOSURE_DAYS = parameter("regime.closure_days")

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
