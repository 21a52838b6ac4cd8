"""The parameters of counter-intelligence."""

from __future__ import annotations

from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_DIED,
    EV_RELEASED,
    EV_REPORTED,
    EV_REPRISAL,
    EV_SHOT,
)
from breakrank.outputs import daily, stock
from breakrank.spec import parameter, switch

INFORMERS = parameter("counterintelligence.informers")
RELUCTANCE = parameter("counterintelligence.reluctance")
REWARD = parameter("counterintelligence.reward_weight")
INFORMER_BONUS = parameter("counterintelligence.informer_zeal")
EFFORT = parameter("counterintelligence.effort")
DAYS_TO_ARREST = parameter("counterintelligence.days_to_arrest")
CUSTODY = parameter("counterintelligence.custody_days")
ILL = parameter("counterintelligence.ill_treatment")
DEATH = parameter("counterintelligence.death_in_custody")
PATRON = parameter("counterintelligence.patron")
PATRON_TIER = parameter("counterintelligence.patron_tier")
SENTENCE = parameter("counterintelligence.sentence_days")
PRISONERS = parameter("counterintelligence.prisoners_at_start")
HUNT = parameter("counterintelligence.hunt_rate")
REPRISALS = parameter("counterintelligence.reprisals")

PARAMETERS = (
    switch("counterintelligence", "informers, arrests, custody, hunts and reprisals"),
    INFORMERS,
    RELUCTANCE,
    REWARD,
    INFORMER_BONUS,
    EFFORT,
    DAYS_TO_ARREST,
    CUSTODY,
    ILL,
    DEATH,
    PATRON,
    PATRON_TIER,
    SENTENCE,
    PRISONERS,
    HUNT,
    REPRISALS,
)


OUTPUTS = (
    daily("arrested", "Arrested", EV_ARRESTED, primary=5),
    daily("released", "Released by a patron", EV_RELEASED),
    daily("captured", "Captured on the way or in hiding", EV_CAPTURED, EV_CAUGHT_HIDING),
    daily("shot", "Shot", EV_SHOT),
    daily("died_in_custody", "Died in custody", EV_DIED),
    daily("reprisals", "Reprisals on relatives", EV_REPRISAL),
    daily("reported", "Reported by someone", EV_REPORTED),
    stock("political_prisoners", "Soldiers held as political prisoners"),
    stock("held_for_leaving", "Soldiers held for leaving"),
)
"""What it hands back, day by day."""
