"""Occasions and options in words: when it was, what was weighed, what was chosen, what the log calls it."""

from __future__ import annotations

from typing import Final

from breakrank.engine.codes import (
    APPROACHED,
    CONFIDED_TO,
    DEFEATED,
    DESERT,
    ERRAND,
    EV_DESERTED,
    EV_FOUNDED,
    EV_JOINED,
    EV_LEFT,
    EV_PLEDGED,
    EV_REPORTED,
    FAMILY_SHOCK,
    INVITED,
    JOIN,
    LEAVE,
    LEAVE_PASS,
    LEAVE_WITH_FAMILY,
    PLAN_CROSSING,
    PLAN_RISING,
    POSTING,
    REPORT,
    STAY,
    WARNED,
)

WHEN: Final = {
    LEAVE_PASS: "on leave",
    ERRAND: "on an errand outside the base",
    FAMILY_SHOCK: "with that loss on his mind",
    CONFIDED_TO: "with what a comrade had confided in him",
    POSTING: "posted at the border",
    INVITED: "asked to come along",
    APPROACHED: "asked to join a plot",
    WARNED: "warned that the plot was found out",
    DEFEATED: "after the rising had failed",
}
ASKED: Final = {
    INVITED: "asked by soldier {} to come along",
    APPROACHED: "asked by soldier {} to join a plot",
}
WEIGHED: Final = {
    DESERT: "deserting quietly",
    LEAVE: "leaving the country alone",
    LEAVE_WITH_FAMILY: "leaving with his family",
    REPORT: "reporting the comrade",
    JOIN: "joining the plot",
    PLAN_CROSSING: "planning a crossing with comrades",
    PLAN_RISING: "planning a rising",
}
CHOSE: Final = {
    STAY: "he stayed",
    DESERT: "he deserted",
    LEAVE: "he left",
    LEAVE_WITH_FAMILY: "he left with his family",
    REPORT: "he reported the comrade",
    JOIN: "he joined the plot",
    PLAN_CROSSING: "he began to plan a crossing with comrades",
    PLAN_RISING: "he began to plan a rising",
}
LED_TO: Final = {
    DESERT: (EV_DESERTED, EV_LEFT),
    LEAVE: (EV_LEFT,),
    LEAVE_WITH_FAMILY: (EV_LEFT,),
    REPORT: (EV_REPORTED,),
    JOIN: (EV_JOINED, EV_PLEDGED),
    PLAN_CROSSING: (EV_FOUNDED,),
    PLAN_RISING: (EV_FOUNDED,),
}
"""Events of the log that follow from an option at once, and tell the same."""
STAYED: Final = {
    APPROACHED: "he would not join and stayed",
    WARNED: "he stayed, come what may",
    DEFEATED: "he stayed where he was",
}
