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
from breakrank.spec import Parameter, switch

INFORMERS = Parameter(
    "counterintelligence.informers", "fraction", 0, 1, 0.03,
    "share of soldiers who inform",
    "Greitens 2016", scope="national",
)  # fmt: skip
RELUCTANCE = Parameter(
    "counterintelligence.reluctance", "utility", 0, 30, 3.5, "what holds a soldier from reporting a comrade"
)
REWARD = Parameter(
    "counterintelligence.reward_weight", "utility", 0, 30, 1.0,
    "weight of the reward for a report",
    "Greitens 2016", scope="national",
)  # fmt: skip
INFORMER_BONUS = Parameter(
    "counterintelligence.informer_zeal", "utility", 0, 30, 4.0,
    "what makes an informer report beside the reward",
)  # fmt: skip
EFFORT = Parameter(
    "counterintelligence.effort", "probability", 0, 1, 0.4,
    "chance that a report leads to an arrest, at usual surveillance",
    scope="national",
)  # fmt: skip
DAYS_TO_ARREST = Parameter(
    "counterintelligence.days_to_arrest", "days", 0, 365, 3,
    "mean time from a suspicion to the arrest",
    scope="national",
)  # fmt: skip
CUSTODY = Parameter(
    "counterintelligence.custody_days", "days", 0.1, 365, 7,
    "mean time from arrest to verdict",
    scope="national",
)  # fmt: skip
ILL = Parameter(
    "counterintelligence.ill_treatment", "probability", 0, 1, 0.3,
    "chance of ill-treatment on arrest",
    scope="national",
)  # fmt: skip
DEATH = Parameter(
    "counterintelligence.death_in_custody", "probability", 0, 1, 0.005,
    "chance of dying in custody",
    scope="national",
)  # fmt: skip
PATRON = Parameter(
    "counterintelligence.patron", "probability", 0, 1, 0.35,
    "chance that a patron frees a suspect of the lowest rank",
    scope="national",
)  # fmt: skip
PATRON_TIER = Parameter(
    "counterintelligence.patron_tier", "probability per tier", 0, 0.2, 0.08,
    "by how much each tier of rank raises that chance",
    scope="national",
)  # fmt: skip
SENTENCE = Parameter(
    "counterintelligence.sentence_days", "days", 1, 36500, 250,
    "mean time that an imprisoned soldier is held",
    scope="national",
)  # fmt: skip
PRISONERS = Parameter(
    "counterintelligence.prisoners_at_start", "persons", 0, 1e6, 0,
    "soldiers held as political prisoners on the first day, beside the force",
    scope="national",
)  # fmt: skip
HUNT = Parameter(
    "counterintelligence.hunt_rate", "per year", 0, 100, 0.1,
    "rate at which a deserter in hiding is caught",
    scope="national",
)  # fmt: skip
REPRISALS = Parameter(
    "counterintelligence.reprisals", "probability per relative", 0, 1, 0.03,
    "chance of reprisals for each relative (and once for the rest of the family) left behind",
    "Talmadge 2015", scope="national",
)  # fmt: skip

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
