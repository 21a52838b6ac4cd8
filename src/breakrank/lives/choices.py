"""Occasions and options in words: when it was, what was weighed, what was chosen, what the log calls it."""

from __future__ import annotations

from typing import Final

from breakrank.engine import codes

WHEN: Final = {
    codes.LEAVE_PASS: "on leave",
    codes.ERRAND: "on an errand outside the base",
    codes.FAMILY_SHOCK: "with that loss on his mind",
    codes.CONFIDED_TO: "with what a comrade had confided in him",
    codes.POSTING: "posted at the border",
    codes.INVITED: "asked to come along",
    codes.APPROACHED: "asked to join a plot",
    codes.WARNED: "warned that the plot was found out",
    codes.DEFEATED: "after the rising had failed",
}
ASKED: Final = {
    codes.INVITED: "asked by soldier {} to come along",
    codes.APPROACHED: "asked by soldier {} to join a plot",
}
WEIGHED: Final = {
    codes.DESERT: "deserting quietly",
    codes.LEAVE: "leaving the country alone",
    codes.LEAVE_WITH_FAMILY: "leaving with his family",
    codes.REPORT: "reporting the comrade",
    codes.JOIN: "joining the plot",
    codes.PLAN_CROSSING: "planning a crossing with comrades",
    codes.PLAN_RISING: "planning a rising",
}
CHOSE: Final = {
    codes.STAY: "he stayed",
    codes.DESERT: "he deserted",
    codes.LEAVE: "he left",
    codes.LEAVE_WITH_FAMILY: "he left with his family",
    codes.REPORT: "he reported the comrade",
    codes.JOIN: "he joined the plot",
    codes.PLAN_CROSSING: "he began to plan a crossing with comrades",
    codes.PLAN_RISING: "he began to plan a rising",
}
LED_TO: Final = {
    codes.DESERT: (codes.EV_DESERTED, codes.EV_LEFT),
    codes.LEAVE: (codes.EV_LEFT,),
    codes.LEAVE_WITH_FAMILY: (codes.EV_LEFT,),
    codes.REPORT: (codes.EV_REPORTED,),
    codes.JOIN: (codes.EV_JOINED, codes.EV_PLEDGED),
    codes.PLAN_CROSSING: (codes.EV_FOUNDED,),
    codes.PLAN_RISING: (codes.EV_FOUNDED,),
}
"""Events of the log that follow from an option at once, and tell the same."""
STAYED: Final = {
    codes.APPROACHED: "he would not join and stayed",
    codes.WARNED: "he stayed, come what may",
    codes.DEFEATED: "he stayed where he was",
}
