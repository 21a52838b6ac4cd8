"""The inner loops of plots: whom a member approaches, and when a plot dissolves or launches.

Recruitment runs along trust ties (McAdam 1986) in cells (Erickson 1981); a public call lets plots that
know nothing of each other launch on one day (Casper and Tyson 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform, uniforms
from breakrank.engine.codes import (
    BY_AIM,
    DETAINED,
    DUE_WARNED,
    EV_WARNED,
    RISE,
    SERVING,
    TRAVELLING,
)
from breakrank.engine.records import RunRecords, record, schedule
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.plot_recruiting import PlotNumbers, Ranks
from breakrank.mechanisms.plot_table import (
    ALIVE,
    BROKEN,
    DATE,
    DISSOLVED,
    LAUNCHED,
    MEMBER,
    SCATTERED,
    SIGNAL,
    Plots,
    close,
)

_NOBODY = int(NOBODY)
_REVIEW = int(decision("plots.review"))
_ABOVE = int(decision("plots.above"))


@lean
def strength_of(p: Plots, records: RunRecords, plot: int, worth: float) -> tuple[int, float]:
    """Return a plot's serving members, and its strength in persons: a pledge counts as `worth` members."""
    members = 0
    strength = worth * p.above[plot]
    row = p.rows[plot]
    while row >= 0:
        if records.fate[p.member[row]] == SERVING:
            if p.role[row] == MEMBER:
                members += 1
                strength += 1.0
            else:
                strength += worth
        row = p.next[row]
    return members, strength


@kernel
def members_of(p: Plots, records: RunRecords, plot: int) -> NDArray[np.int32]:
    """Return the serving members of a plot but its founder, ascending."""
    out = np.empty(p.largest[plot], np.int32)
    n = 0
    row = p.rows[plot]
    while row >= 0:
        i = p.member[row]
        if p.role[row] == MEMBER and i != p.founder[plot] and records.fate[i] == SERVING:
            out[n] = i
            n += 1
        row = p.next[row]
    return np.sort(out[:n])


@lean
def warn(
    p: Plots,
    records: RunRecords,
    now: Now,
    plot: int,
    chance: float,
) -> None:
    """Warn the members of a plot, each with some chance; whoever is warned decides tomorrow."""
    key, day = now.key, now.day
    row = p.rows[plot]
    while row >= 0:
        i = p.member[row]
        founder = p.founder[plot]
        member = records.fate[i] == SERVING and p.role[row] == MEMBER and i != founder
        if member and uniform(key, _REVIEW, records.identity[i], records.identity[founder], day) < chance:
            record(records, day, i, EV_WARNED, -1, founder, 0.0)
            schedule(records, day + 1, DUE_WARNED, i)
        row = p.next[row]


@lean
def review(
    now: Now,
    x: PlotNumbers,
    p: Plots,
    records: RunRecords,
) -> int:
    """End plots whose founder is gone or who lose heart; note, and count, those that launch today.

    Parameters
    ----------
    x : `patience` is the mean time after which a plot loses heart; `ready` the part of the strength that it
        wants with which it goes on a call or on its date; `pledge_worth` members that a pledge counts for;
        `warned` the chance that a member hears that all is lost; `wary` days for which the founder of a plot
        that ended plans nothing new; `cell` the fewest members with whom a plot goes, unless someone of rank
        has pledged himself; of `call` the chance that a ready plot waiting for one takes it up.

    A founder in custody is waited for as long as the service does not know of the plot.
    """
    key, day, call = now.key, now.day, x.call[now.day]
    n = 0
    for plot in range(p.used[0]):
        if p.end[plot] != ALIVE:
            continue
        founder = p.founder[plot]
        fate = records.fate[founder]
        if fate == DETAINED and not p.known[plot]:
            continue  # held for something else: it waits for him
        if fate != SERVING:
            out = fate >= TRAVELLING and fate < DETAINED
            warn(p, records, now, plot, x.warned)
            size = float(p.largest[plot])
            left = SCATTERED if p.known[plot] else DISSOLVED  # or he went of his own accord
            close(p, records, day, plot, left if out else BROKEN, size)
            p.wary[founder] = day + x.wary
            continue
        members, strength = strength_of(p, records, plot, x.pledge_worth)
        tires, answers, _, _ = uniforms(key, _REVIEW, records.identity[founder], _NOBODY, day)
        if p.waits[plot] == SIGNAL:
            goes = answers < call and strength >= x.ready * p.target[plot]
        elif p.waits[plot] == DATE:
            goes = day >= p.date[plot] and strength >= x.ready * p.target[plot]
        else:
            goes = strength >= p.target[plot]
        if goes and day > p.founded[plot] and (members >= x.cell or strength > members):
            close(p, records, day, plot, LAUNCHED, float(members + BY_AIM * p.aim[plot]))
            p.launching[n] = plot
            n += 1
        elif tires < 1.0 / x.patience or (p.waits[plot] == DATE and day >= p.date[plot]):
            close(p, records, day, plot, DISSOLVED, float(p.largest[plot]))
            p.wary[founder] = day + x.wary
    return n


@lean
def carry_on(
    now: Now,
    x: PlotNumbers,
    ranks: Ranks,
    p: Plots,
    records: RunRecords,
) -> int:
    """End and launch plots; note those that launch today or seek word above, and return how many do."""
    launched = review(now, x, p, records)
    n = 0
    for plot in range(p.used[0]):
        i = p.founder[plot]
        lives = p.end[plot] == ALIVE and p.aim[plot] == RISE and records.fate[i] == SERVING
        heard = lives and ranks.officer[records.rank[i]]
        if heard and uniform(now.key, _ABOVE, records.identity[i], _NOBODY, now.day) < x.above:
            p.seeking[n] = plot
            n += 1
    p.used[3], p.used[4] = launched, n
    return launched + n
