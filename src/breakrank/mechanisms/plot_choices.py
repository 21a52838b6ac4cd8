"""Who may found a plot, what founding and joining weigh, and what comes of an approach.

What each weight means and rests on stands with its parameter (:mod:`breakrank.mechanisms.plots_parameters`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    CONFIDED_TO,
    DEFEATED,
    EV_DECLINED,
    INVITED,
    JOIN,
    REPORT,
    RISE,
    SERVING,
    WARNED,
)
from breakrank.engine.moments import Moment, Moments, Soldiers
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now
from breakrank.force.columns import GUARDS_POLITICIAN
from breakrank.kernel import lean
from breakrank.mechanisms.learning import OPPOSED, Expectations, learn
from breakrank.mechanisms.plot_table import (
    ALIVE,
    PLEDGED,
    Plots,
    take_in,
)
from breakrank.table import Table, array


class Planning(Table):
    """What founding, joining and keeping one's word to a plot weigh, utility units.

    ``tier`` (rank,); ``leads`` (rank,) most soldiers each can lead out; ``distance`` (state,) days by road
    to the capital; (unit,) ``leader`` position, ``full`` how much of a full unit it is, 0 to 1, and whether
    it is of an ``intelligence`` service; ``call`` (day,) a public call; ``abroad`` whether ways lead abroad
    at all. The others are weights: see ``plots_parameters``.
    """

    tier: NDArray[np.float64]
    leads: NDArray[np.int64]
    distance: NDArray[np.float64]
    leader: NDArray[np.int32]
    full: NDArray[np.float64]
    intelligence: NDArray[np.bool_]
    call: NDArray[np.float64] = array("day")
    abroad: bool
    habit_crossing: float
    habit_rising: float
    standing: float
    contact: float
    nearness: float
    command: float
    habit_join: float
    ease: float
    backing: float
    hunted: float
    commitment: float


@lean
def may_plan_rising(at: Moment, w: Planning, p: Plots) -> bool:
    """Who is opposed, has standing and time, is in no plot and not wary may plan a rising."""
    may = at.margin > 0 and w.tier[at.rank] >= 1 and at.occasion < INVITED
    return may and not p.plotter[at.who] and at.day >= p.wary[at.who]


@lean
def may_plan_crossing(at: Moment, w: Planning, p: Plots) -> bool:
    """Who may plan a rising may plan a crossing, if he leads some and nobody has just confided in him."""
    can = w.abroad and w.leads[at.rank] > 1 and at.occasion != CONFIDED_TO
    return can and may_plan_rising(at, w, p)


@lean
def is_approached(at: Moment, p: Plots, records: RunRecords) -> bool:
    """Whether a member who still serves of a plot that still lives has asked him."""
    row = p.asked[at.who]
    if row < 0 or at.occasion >= INVITED:
        return False
    return p.end[p.plot[row]] == ALIVE and records.fate[p.member[row]] == SERVING


@lean
def habit_crossing(w: Planning) -> float:
    """The log-odds of planning a crossing without cause, fear or ties."""
    return -w.habit_crossing


@lean
def habit_rising(w: Planning) -> float:
    """The log-odds of planning a rising without cause, fear or ties."""
    return -w.habit_rising


@lean
def standing(at: Moment, w: Planning) -> float:
    """Each tier of rank."""
    return w.standing * w.tier[at.rank]


@lean
def command(at: Moment, w: Planning) -> float:
    """The unit that he commands."""
    return w.command * w.full[at.unit] if w.leader[at.unit] == at.who else 0.0


@lean
def contact(at: Moment, w: Planning, soldiers: Soldiers) -> float:
    """Dealings with the challenger's side: guards of its politicians and intelligence services have them."""
    guards = soldiers.access[at.who] & GUARDS_POLITICIAN
    return w.contact if guards or w.intelligence[at.unit] else 0.0


@lean
def nearness(at: Moment, w: Planning) -> float:
    """Less for each day by road to the seat of power."""
    return -w.nearness * w.distance[at.state]


@lean
def public_call(at: Moment, w: Planning, p: Plots, records: RunRecords) -> float:
    """A public call to rise; it says nothing to who was asked to cross."""
    if is_approached(at, p, records) and p.aim[p.plot[p.asked[at.who]]] != RISE:
        return 0.0
    return w.call[at.day]


@lean
def habit_join(w: Planning) -> float:
    """The log-odds of joining a plot without cause, fear or ties."""
    return -w.habit_join


@lean
def pledge_ease(at: Moment, w: Planning, p: Plots) -> float:
    """A promise is easier than a deed."""
    return w.ease if p.ask[at.who] == PLEDGED else 0.0


@lean
def backing(at: Moment, w: Planning, p: Plots, records: RunRecords) -> float:
    """With k pledges and promises to the plot, k / (1 + k)."""
    if not is_approached(at, p, records):
        return 0.0
    plot = p.plot[p.asked[at.who]]
    pledged = int(p.above[plot])
    row = p.rows[plot]
    while row >= 0:
        pledged += p.role[row] == PLEDGED
        row = p.next[row]
    return w.backing * pledged / (1.0 + pledged)


@lean
def hunted(at: Moment, w: Planning) -> float:
    """About to be taken: he was warned, or a rising has failed."""
    return w.hunted if at.occasion == WARNED or at.occasion == DEFEATED else 0.0


@lean
def commitment(at: Moment, w: Planning, p: Plots) -> float:
    """His word to a plot whose founder asks him along."""
    if at.occasion == INVITED and at.leader >= 0:
        row = p.first[at.who]
        while row >= 0:
            if p.founder[p.plot[row]] == at.leader:
                return w.commitment
            row = p.also[row]
    return 0.0


@lean
def take_answers(
    p: Plots,
    records: RunRecords,
    now: Now,
    moments: Moments,
    m: Expectations,
    wary: int,
) -> None:
    """Write who joined and who declined; the approached and the recruiter learn about each other.

    Whoever does not join is not asked again for `wary` days.

    The approached counts one opposed comrade more; the recruiter one opposed, one loyal, or, where he
    is reported, nobody.
    """
    day, who, occasion, choice = now.day, moments.who, moments.occasion, moments.choice
    for j in range(who.shape[0]):
        i = who[j]
        row = p.asked[i]
        if row < 0 or occasion[j] == INVITED or occasion[j] == DEFEATED:
            continue
        p.asked[i] = -1
        recruiter = p.member[row]
        learn(m, OPPOSED, day, i, 1.0, 0.0)
        if choice[j] == JOIN:
            take_in(p, records, day, i, row, p.ask[i])
            learn(m, OPPOSED, day, recruiter, 1.0, 0.0)
            continue
        p.wary[i] = day + wary
        if choice[j] == REPORT:
            p.known[p.plot[row]] = True
        else:
            record(records, day, i, EV_DECLINED, -1, recruiter, float(p.aim[p.plot[row]]))
            learn(m, OPPOSED, day, recruiter, 0.0, 1.0)
