"""Names of version 0.1 that are called otherwise now: one table, which messages and draws read.

Decisions keep the names that they were declared with, since draws are keyed by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MECHANISMS: Mapping[str, str] = MappingProxyType(
    {"rising": "uprising", "ways_out": "routes", "word_home": "diaspora"}
)
"""Mechanisms by their old names. Their parameters begin with the name of the mechanism."""

NAMES: Mapping[str, str] = MappingProxyType(
    {
        # parameters
        "challenger.pull_weight": "challenger.credibility_weight",
        "counterintelligence.hunt_rate": "counterintelligence.capture_rate",
        "decision.habit_desert": "decision.baseline_desert",
        "decision.habit_leave": "decision.baseline_leave",
        "detection.taps": "detection.wiretaps",
        "dissolution.moments": "dissolution.opportunities",
        "exile.back": "exile.return_rate",
        "exile.back_caught": "exile.return_caught",
        "exile.runs": "exile.border_run",
        "fear.relatives_beside": "fear.relatives_at_home",
        "opposition.habit": "opposition.baseline",
        "plots.habit": "plots.baseline_plan",
        "plots.habit_join": "plots.baseline_join",
        "plots.wanted": "plots.planned_strength",
        "reception.desk": "reception.registration_desk",
        "regime.alarm_rising": "regime.alarm_uprising",
        "unit_defection.habit": "unit_defection.baseline",
        "war.moments": "war.opportunities",
        "ways_out.company": "routes.joint_exit_weight",
        # fields
        "host_word": "host_reputation",
        # measures and series
        "desk_waiting": "awaiting_registration",
        "moments": "decision_opportunities",
        "moved_on": "onward_movement",
        "pledges_above": "high_command_pledges",
        "put_out": "evicted",
        "rising_arrested": "uprising_arrested",
        "rising_size": "uprising_size",
        "risings": "uprisings",
        "risings_won": "uprisings_won",
        "tapped": "wiretapped",
        "watch": "surveillance_level",
        "went_back": "returned",
        "word_public": "expected_treatment",
        "word_sent": "diaspora_messages",
        # options and what the log says
        "after a failed rising": "after a failed uprising",
        "followed into a rising": "followed into an uprising",
        "joined a rising with his unit": "joined an uprising with his unit",
        "overheard by a tap": "overheard by a wiretap",
        "plan a rising": "plan an uprising",
        "put out of a site": "evicted from a site",
        "refused to march against a rising": "refused to march against an uprising",
        "rising collapsed": "uprising collapsed",
        "rising held out, then ended": "uprising held out, then ended",
        "rising succeeded": "uprising succeeded",
        "surrendered after a rising": "surrendered after an uprising",
        "took part in a rising": "took part in an uprising",
    }
)
"""Everything else whose name changed, by its old name."""

_FIRST = {new: old for old, new in (*NAMES.items(), *MECHANISMS.items())}


def new_name(name: str) -> str:
    """Return what an old name is called now; any other name as it is.

    >>> new_name("ways_out.risk_weight"), new_name("fear.on")
    ('routes.risk_weight', 'fear.on')
    """
    if name in NAMES:
        return NAMES[name]
    mechanism, dot, rest = name.partition(".")
    return MECHANISMS.get(mechanism, mechanism) + dot + rest


def first_name(name: str) -> str:
    """Return the name under which a parameter was first declared, by which draws of its prior are keyed.

    >>> first_name("routes.risk_weight"), first_name("exile.return_rate"), first_name("fear.reach")
    ('ways_out.risk_weight', 'exile.back', 'fear.reach')
    """
    if name in _FIRST:
        return _FIRST[name]
    mechanism, dot, rest = name.partition(".")
    return _FIRST.get(mechanism, mechanism) + dot + rest
