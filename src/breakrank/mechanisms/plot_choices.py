"""The inner loops of planning: who may found a plot, what joining weighs, and what comes of it.

Arrays of deciders have one entry for each of today's; weights are in utility units. What each weight
means and rests on stands with its parameter (:mod:`breakrank.mechanisms.plots_parameters`).
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
    PLAN_CROSSING,
    PLAN_RISING,
    REPORT,
    RISE,
    SERVING,
    WARNED,
)
from breakrank.engine.records import RunRecords, record
from breakrank.kernel import lean
from breakrank.mechanisms.learning import OPPOSED, Expectations, learn
from breakrank.mechanisms.plot_table import (
    ALIVE,
    PLEDGED,
    Plots,
    take_in,
)


@lean
def weigh_plans(
    p: Plots,
    day: int,
    who: NDArray[np.int32],
    rank: NDArray[np.uint8],
    occasion: NDArray[np.uint8],
    margin: NDArray[np.float64],
    tier: NDArray[np.float64],
    leads: NDArray[np.int64],
    state: NDArray[np.uint8],
    distance: NDArray[np.float64],
    dealings: NDArray[np.bool_],
    commanded: NDArray[np.float64],
    abroad: bool,
    weights: NDArray[np.float64],
    habit_crossing: NDArray[np.float64],
    habit_rising: NDArray[np.float64],
    standing: NDArray[np.float64],
    command: NDArray[np.float64],
    contacts: NDArray[np.float64],
    nearness: NDArray[np.float64],
    call: NDArray[np.float64],
    available: NDArray[np.bool_],
) -> None:
    """Open planning to those with cause and standing, and weigh it; not to who is in a plot, or wary.

    Parameters
    ----------
    who, rank, occasion, margin, state : (decider,) position, codes, and how far on the opposed side.
    tier : (rank,); ``leads`` (rank,) most soldiers each can lead out.
    distance : (state,) days by road to the capital; ``dealings`` (soldier,) with the challenger's side.
    commanded : (soldier,) how much of a full unit he commands, 0 to 1.
    abroad : whether ways lead out of the country at all.
    weights : what holds from a crossing and from a rising, each tier, contacts, each day of distance,
        today's call, and commanding a unit.
    habit_crossing ... call : (decider,) out, the terms of the plan.
    available : (option, decider) out, bool.
    """
    for j in range(who.shape[0]):
        i = who[j]
        level = tier[rank[j]]
        busy = p.plotter[i] or day < p.wary[i]
        if margin[j] <= 0 or level < 1 or occasion[j] >= INVITED or busy:
            continue
        habit_crossing[j], habit_rising[j] = -weights[0], -weights[1]
        standing[j] = weights[2] * level
        command[j] = weights[6] * commanded[i]
        contacts[j] = weights[3] if dealings[i] else 0.0
        nearness[j] = -weights[4] * distance[state[j]]
        call[j] = weights[5]
        available[PLAN_CROSSING, j] = abroad and leads[rank[j]] > 1 and occasion[j] != CONFIDED_TO
        available[PLAN_RISING, j] = True


@lean
def anyone_pressed(occasion: NDArray[np.uint8]) -> bool:
    """Return whether anyone decides on an occasion that does not wait: invited, warned or defeated."""
    for why in occasion:  # noqa: SIM110 (compiled)
        if why >= INVITED:
            return True
    return False


@lean
def weigh_joining(
    p: Plots,
    records: RunRecords,
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    leader: NDArray[np.int32],
    weights: NDArray[np.float64],
    called: float,
    call: NDArray[np.float64],
    habit: NDArray[np.float64],
    ease: NDArray[np.float64],
    backing: NDArray[np.float64],
    hunted: NDArray[np.float64],
    committed: NDArray[np.float64],
    available: NDArray[np.bool_],
) -> None:
    """Open joining to those who were approached; weigh it, and what hunted and committed people weigh.

    Parameters
    ----------
    who, occasion : (decider,) position and code; ``leader`` (decider,) who asks him along, -1 nobody.
    weights : of habit, of the ease of a promise, of backing, of being hunted, and of one's word.
    habit ... committed : (decider,) out, the terms; backing is its weight times k / (1 + k) for the k
        pledges and promises of the plot.
    available : (option, decider) out, bool.
    """
    for j in range(who.shape[0]):
        i = who[j]
        if occasion[j] == WARNED or occasion[j] == DEFEATED:
            hunted[j] = weights[3]
        elif occasion[j] == INVITED and leader[j] >= 0:
            row = p.first[i]
            while row >= 0:
                if p.founder[p.plot[row]] == leader[j]:
                    committed[j] = weights[4]
                row = p.also[row]
        row = p.asked[i]
        if row < 0 or occasion[j] >= INVITED:
            continue
        plot = p.plot[row]
        if p.end[plot] != ALIVE or records.fate[p.member[row]] != SERVING:
            continue
        available[JOIN, j] = True
        habit[j] = -weights[0]
        call[j] = called if p.aim[plot] == RISE else 0.0
        if p.ask[i] == PLEDGED:
            ease[j] = weights[1]
        pledged = int(p.above[plot])
        k = p.rows[plot]
        while k >= 0:
            pledged += p.role[k] == PLEDGED
            k = p.next[k]
        backing[j] = weights[2] * pledged / (1.0 + pledged)


@lean
def take_answers(
    p: Plots,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    choice: NDArray[np.uint8],
    m: Expectations,
    wary: int,
) -> None:
    """Write who joined and who declined; the approached and the recruiter learn about each other.

    Whoever does not join is not asked again for `wary` days.

    The approached counts one opposed comrade more; the recruiter one opposed, one loyal, or, where he
    is reported, nobody. `who`, `occasion` and `choice` are by decider.
    """
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
