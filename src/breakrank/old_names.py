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

OPTIONS: Mapping[str, str] = MappingProxyType({"--report": "--out FILE.html"})
"""Options of the command line that are gone, and what to write instead."""

_NO_MORE = """
asylum.files asylum.filing_days asylum.first_paper_days belief.prior_strength challenger.amnesty_weight
challenger.host_weight challenger.recovers challenger.rising_memory challenger.rising_revelation
comrades.half comrades.proof_weight counterintelligence.informer_zeal decision.blocked decision.ceiling
detection.both_ends detection.interrogation detection.pass_on detection.tradecraft dissolution.leaderless
dissolution.memory exile.family exile.fighter_lost exile.food exile.idle_days exile.morale exile.morale_days
exile.working_day fear.punished_weight fear.unwatched force.capital_duty force.family_years
force.leader_vehicle force.post_manning grievance.injury_half grievance.injury_memory grievance.shock_memory
high_command.arrest high_command.asked high_command.credibility_weight high_command.defecting
high_command.fear_weight high_command.guarantees_weight high_command.hedging high_command.others_weight
high_command.pact_rounds high_command.pledging high_command.punishment high_command.rents_weight
high_command.sanctions_weight high_command.sight high_command.word plots.above plots.backing plots.call
plots.cell plots.command plots.commitment plots.contact plots.habit_crossing plots.habit_rising plots.hunted
plots.joined_before plots.least plots.nearness plots.patience plots.pledge_ease plots.pledge_worth
plots.pledges plots.ready plots.standing plots.wanted_crossing plots.wanted_spread reception.grace
reception.tension_idle reception.tension_limit rising.hours rising.noise_far rising.promise rising.sight
rising.strength_memory screening.on unit_defection.comrades_weight unit_defection.needed war.danger_half
war.danger_memory war.injury ways_out.declare ways_out.family_hardship ways_out.group_weight
ways_out.hardship_weight ways_out.kin_help ways_out.lead ways_out.vehicle_help ways_out.violence_weight
word_home.bread word_home.feedback word_home.free_hours word_home.freedom word_home.memory
word_home.private_home word_home.public_counts word_home.public_days word_home.roof word_home.seen
word_home.work
"""
GONE_OF_COUNTRIES: Mapping[str, float] = MappingProxyType(
    {
        "asylum.paper_days": 30,
        "asylum.renewed": 0.95,
        "asylum.uptake": 0.05,
        "detection.intelligence_background": 0.05,
        "dissolution.warning": 0.3,
        "exile.army": 0.1,
        "high_command.exposure": 0.5,
        "high_command.hedged": 0.5,
        "high_command.moments": 12,
        "high_command.pact_quorum": 0.4,
        "high_command.pact_strength": 0.5,
        "opportunity.errand_access": 3,
        "opportunity.errands": 1.2,
        "opportunity.leave_passes": 1.6,
        "plots.discernment": 0.8,
        "plots.old_school": 0.5,
        "plots.wait_date": 0.2,
        "plots.wait_signal": 0.5,
        "reception.children": 0.55,
        "reception.eviction": 0.15,
        "reception.tension_days": 30,
        "regime.alarm_memory": 45,
        "regime.alarm_plot": 0.02,
        "regime.closure": 400,
        "regime.closure_days": 14,
        "regime.effort_budget": 1,
        "regime.pay_budget": 0.2,
        "regime.pay_trigger": 3,
        "regime.perk_step": 0.02,
        "rising.command": 0.3,
        "rising.company": 0.1,
        "rising.ordered": 10,
        "rising.reach": 0.5,
        "rising.refusal": 0.6,
        "rising.stalemate": 0.5,
        "screening.armed": 0.1,
        "screening.expels": 0.7,
        "screening.held_days": 30,
        "screening.keeps_arms": 0.02,
        "ways_out.parties": 4,
        "ways_out.shot_dies": 0.3,
    }
)
"""Those of them that differed by country, with the value that a new case had: another one was chosen."""
GONE = frozenset({*_NO_MORE.split(), *GONE_OF_COUNTRIES})
"""Parameters that there are no more, by the names that they had last."""

SUMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"opportunity.rate": ("opportunity.leave_passes", "opportunity.errands")}
)
"""Parameters that are the sum of several which are gone."""

UNITS: Mapping[str, str] = MappingProxyType(
    {
        "challenger.recognition_weight": "credibility per state",
        "challenger.spent_by_failure": "fraction",
        "challenger.spent_by_neglect": "fraction",
    }
)
"""What the unit of a parameter was called before; the values stayed what they were."""

_FIRST = {new: old for old, new in (*NAMES.items(), *MECHANISMS.items())}


def what_became_of(name: str) -> str:
    """Return what became of a parameter that there is no more, as the end of a message; else an empty text.

    >>> what_became_of("opportunity.errands"), what_became_of("fear.on")
    ("; it is part of 'opportunity.rate' now", '')
    """
    if name not in GONE:
        return ""
    whole = next((new for new, parts in SUMS.items() if name in parts), "")
    return f"; it is part of {whole!r} now" if whole else "; it is gone, and nothing stands in its place"


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
