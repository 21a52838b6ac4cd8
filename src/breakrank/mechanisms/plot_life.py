"""The life of a plot: whom its members ask, what they answer, and whether it goes, is given up or is lost.

Recruitment runs along trust ties (McAdam 1986): officers who plan an uprising ask classmates, everyone else
asks in their own unit. A public call lets plots that know nothing of each other launch on one day (Casper and
Tyson 2014). Any number of plots of any size exist side by side; a soldier is a member of one at a time. A
plot is a tree: whoever joins knows the one who approached them and those they approach themselves, nobody
else (compartmentation; for cells in clandestine networks Erickson 1981 and Baker and Faulkner 1993).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, exponential, uniform, uniforms
from breakrank.engine.codes import (
    BY_AIM,
    CROSS,
    DEFEATED,
    DETAINED,
    DUE_APPROACHED,
    DUE_WARNED,
    EV_APPROACHED_SOMEONE,
    EV_DECLINED,
    EV_FOUNDED,
    EV_JOINED,
    EV_LAUNCHED,
    EV_PLEDGED,
    EV_PLOT_BROKEN,
    EV_PLOT_DISSOLVED,
    EV_PLOT_SCATTERED,
    EV_WARNED,
    INVITED,
    JOIN,
    PLAN_CROSSING,
    PLAN_UPRISING,
    PLEDGE_ASKED,
    REPORT,
    RESIGNED,
    RISE,
    SERVING,
    TRAVELLING,
)
from breakrank.engine.moments import Moments, TrustTies
from breakrank.engine.records import RunRecords, longer, record, schedule
from breakrank.engine.run import Now, Run
from breakrank.engine.world import OFFICER
from breakrank.force.force import CLASSMATE, UNIT
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.comrades import OPPOSED, Expectations, learn
from breakrank.mechanisms.counterintelligence import Informing
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.table import Table, array, number
from breakrank.units import DAYS_A_YEAR

MEMBER, PLEDGED = 0, 1
"""What someone is in a plot: a member who recruits, or a commander who has only promised to come."""

BROKEN, SCATTERED, DISSOLVED, LAUNCHED, ALIVE = range(5)
ENDS = ("broken", "scattered", "dissolved", "launched", "alive")
END_EVENT = (EV_PLOT_BROKEN, EV_PLOT_SCATTERED, EV_PLOT_DISSOLVED, EV_LAUNCHED)
SIZES = 7
"""Size classes: 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64 and more."""


class Plots(Table):
    """Plots (one row each), memberships (one row each), and where to find them.

    Plots: ``founder`` position, ``aim``, ``founded`` day, ``date`` (day that it has set itself), ``largest``
    (members), ``end`` (ALIVE while it lives), ``leaks`` (how often the services have heard of it), ``above``
    (promises from the high command), ``rows`` (first membership row, the latest; -1 none). Room to note plots
    of today: ``launching``, and ``seeking`` promises from the high command.
    Memberships: ``member`` position, ``plot``, ``via`` (row of who recruited them, -1 for the founder),
    ``role``, ``cell`` (how many they have recruited), ``next`` (next row of the plot).
    Per soldier: ``first`` (row of their latest plot as a member, -1 none), ``plotter`` (member of a living
    plot), ``asked`` (row of who has approached them, -1 nobody), ``ask`` (MEMBER or PLEDGED: for what),
    ``wary`` (until that day, having declined or lost a plot, they are not asked and plans nothing).
    ``used`` (5,): plots, rows, what found no room, and how many launch and seek promises today.
    """

    founder: NDArray[np.int32] = array("plot")
    aim: NDArray[np.uint8] = array("plot")
    founded: NDArray[np.int16] = array("plot")
    date: NDArray[np.int32] = array("plot")
    largest: NDArray[np.int32] = array("plot")
    end: NDArray[np.uint8] = array("plot")
    leaks: NDArray[np.int32] = array("plot")
    above: NDArray[np.int32] = array("plot")
    rows: NDArray[np.int32] = array("plot")
    launching: NDArray[np.int32] = array("plot")
    seeking: NDArray[np.int32] = array("plot")
    member: NDArray[np.int32] = array("membership")
    plot: NDArray[np.int32] = array("membership")
    via: NDArray[np.int32] = array("membership")
    role: NDArray[np.uint8] = array("membership")
    cell: NDArray[np.int32] = array("membership")
    next: NDArray[np.int32] = array("membership")
    first: NDArray[np.int32]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    asked: NDArray[np.int32] = array("soldier", strided=True)
    ask: NDArray[np.uint8]
    wary: NDArray[np.int16]
    used: NDArray[np.int64]


_BLANK = {"end": ALIVE, "rows": -1, "via": -1, "role": MEMBER, "next": -1}
"""What stands in columns of plots and of memberships where nothing is written, if not 0."""


def no_plots(run: Run, plots: int = 256, rows: int = 1024) -> Plots:
    """Return a run's table, without plots, with room for a number of plots and rows."""
    room = {"plot": plots, "membership": rows}
    return Plots(
        **{
            name: np.full(room[axis], _BLANK.get(name, 0), kind)
            for name, kind, axis in Plots.declared()
            if axis in room
        },
        first=run.column("plots.first", np.int32, -1),
        plotter=run.hot("plots.plotter", np.bool_),
        asked=run.hot("plots.asked", np.int32, -1),
        ask=run.column("plots.ask", np.uint8),
        wary=run.column("plots.wary", np.int16),
        used=np.zeros(5, np.int64),
    )


def with_room(plots: Plots, more_plots: int, more_rows: int) -> Plots:
    """Return the table with room for that many more plots and memberships."""
    rows = {"plot": plots.used[0] + more_plots, "membership": plots.used[1] + more_rows}
    for name, _, axis in Plots.declared():
        if axis in rows and rows[axis] > len(old := getattr(plots, name)):
            more = more_plots if axis == "plot" else more_rows
            setattr(plots, name, longer(old, 2 * len(old) + more, _BLANK.get(name, 0)))
    return plots


@lean
def belongs(p: Plots, i: int, plot: int) -> bool:
    """Return whether soldier i belongs to a plot, in whatever role."""
    row = p.rows[plot]
    while row >= 0:
        if p.member[row] == i:
            return True
        row = p.next[row]
    return False


@lean
def enter(p: Plots, i: int, plot: int, via: int, role: int) -> int:
    """Write a membership of soldier i and return its row, -1 if there is no room.

    `via` is the row of who recruited them (-1: they are the founder), `role` MEMBER or PLEDGED.
    """
    row = p.used[1]
    if row >= p.member.shape[0]:
        p.used[2] += 1
        return -1
    p.used[1] = row + 1
    p.member[row], p.plot[row], p.via[row], p.role[row], p.cell[row] = i, plot, via, role, 0
    p.next[row], p.rows[plot] = p.rows[plot], row
    if role == MEMBER:
        p.first[i], p.plotter[i] = row, True
        p.largest[plot] += 1
    if via >= 0:
        p.cell[via] += 1
    return int(row)


@lean
def found(p: Plots, records: RunRecords, day: int, i: int, aim: int, date: int) -> int:
    """Open a plot founded by soldier i for a `date` (day), and return its index, -1 if there is no room."""
    plot = p.used[0]
    if plot >= p.founder.shape[0]:
        p.used[2] += 1
        return -1
    p.used[0] = plot + 1
    p.founder[plot], p.aim[plot], p.founded[plot], p.date[plot] = i, aim, day, date
    p.largest[plot], p.end[plot], p.leaks[plot], p.above[plot], p.rows[plot] = 0, ALIVE, 0, 0, -1
    enter(p, i, plot, -1, MEMBER)
    record(records, day, i, EV_FOUNDED, -1, -1, float(aim))
    return int(plot)


@lean
def take_in(p: Plots, records: RunRecords, day: int, i: int, via: int, role: int) -> None:
    """Let soldier i join, or pledge themselves to, the plot of whoever approached them."""
    plot = p.plot[via]
    enter(p, i, plot, via, role)
    event = EV_JOINED if role == MEMBER else EV_PLEDGED
    other = p.member[via] if role == MEMBER else p.founder[plot]
    record(records, day, i, event, -1, other, float(p.aim[plot]))


@lean
def close(p: Plots, records: RunRecords, day: int, plot: int, end: int, value: float) -> None:
    """End a plot; its members are plotters no longer."""
    p.end[plot] = end
    record(records, day, p.founder[plot], END_EVENT[end], -1, -1, value)
    row = p.rows[plot]
    while row >= 0:
        if p.role[row] == MEMBER:
            p.plotter[p.member[row]] = False
        row = p.next[row]


class PlotCount(Table):
    """Living plots and their members by aim, and all plots by end, size class and aim."""

    alive: NDArray[np.int32]
    members: NDArray[np.int32]
    ends: NDArray[np.int32] = array("end", "size class", "aim")


@lean
def count_plots(p: Plots, count: PlotCount) -> None:
    """Count plots and plotters."""
    count.alive[:] = 0
    count.members[:] = 0
    count.ends[:] = 0
    for plot in range(p.used[0]):
        aim = p.aim[plot]
        size = 0
        while size < SIZES - 1 and p.largest[plot] >= 2 << size:
            size += 1
        count.ends[p.end[plot], size, aim] += 1
        if p.end[plot] == ALIVE:
            count.alive[aim] += 1
            row = p.rows[plot]
            while row >= 0:
                count.members[aim] += p.role[row] == MEMBER
                row = p.next[row]


CELL = 3
"""Most people one member recruits, and fewest with whom a plot goes, unless someone of rank has given their
word: a compartmented conspiracy. Theory only: Erickson 1981; Singh 2014; size assumed."""
DISCERNMENT = 0.8
"""Chance that a recruiter tells a loyal friend: old friends know each other's minds most of the time."""
OF_COMMANDERS = 0.3
"""Share of an officer's approaches for an uprising that seek a commander's promise instead of a member."""
ABOVE = 1 / DAYS_A_YEAR
"""Chance a day that an officer's plot to rise seeks a promise of the high command: one a year."""
PLEDGE_WORTH = 4.0
"""Members that a promise counts for in a plot's strength, as plotters reckon: a promised unit."""
PATIENCE = 90.0
"""Mean time from founding to the date that a plot sets itself, days: Venezuela's took two to four months."""
READY = 0.5
"""Part of the strength wanted with which a plot goes on a call, or sets out for abroad: April's column was
smaller than its makers had counted on."""

_NOBODY = int(NOBODY)
_APPROACH = int(decision("plots.approach"))
_REVIEW = int(decision("plots.review"))
_DATE = int(decision("plots.date"))


class Plotting(Table):
    """What plotting weighs, how plots grow and end, and who is where in the order of battle.

    ``approaches`` a member and ``above`` promises that a plot seeks, chances a day; ``wanted`` persons;
    ``warned`` chance; ``wary`` days; ``call`` (day,) how loud a public call is, 0 to 1. ``kind`` of each tie
    of trust; ``formation`` (soldier,); ``first_unit`` (formation + 1,), formation f has the units from
    first_unit[f] to first_unit[f + 1]; (unit,) ``leader`` position of the commander, -1 none, ``full`` how
    much of a full unit it is, 0 to 1, and whether it is of an ``intelligence`` service. ``tier`` (rank,);
    ``leads`` (rank,) most soldiers each can lead out; ``abroad`` whether ways lead abroad at all. Utility:
    ``nearness`` (state,); ``baseline_plan`` and ``baseline_join`` against founding and joining; ``hunted``
    (rank,) what flight is worth to who is about to be taken.
    """

    approaches: float
    above: float
    wanted: float = number("plots.planned_strength")
    warned: float = number("detection.warned")
    wary: int
    call: NDArray[np.float64] = array("day")
    kind: NDArray[np.uint8]
    formation: NDArray[np.int32]
    first_unit: NDArray[np.int64]
    leader: NDArray[np.int32]
    full: NDArray[np.float64]
    intelligence: NDArray[np.bool_]
    tier: NDArray[np.float64]
    leads: NDArray[np.int64]
    nearness: NDArray[np.float64]
    abroad: bool
    baseline_plan: float = number("plots.baseline_plan")
    baseline_join: float = number("plots.baseline_join")
    hunted: NDArray[np.float64]


@lean
def circle(x: Plotting, records: RunRecords, aim: int, i: int) -> int:
    """Return among whom soldier i recruits for an aim, a kind of tie."""
    return CLASSMATE if aim == RISE and x.tier[records.rank[i]] >= OFFICER else UNIT


@lean
def friend_of(ties: TrustTies, x: Plotting, i: int, kind: int, draw: float) -> int:
    """Return the position of a friend of soldier i by ties of a kind, drawn from (0, 1); -1: none."""
    first, known = ties.start[i], ties.start[i + 1] - ties.start[i]
    of_kind = 0
    for t in range(first, first + known):
        of_kind += x.kind[t] == kind
    left = int(draw * of_kind)
    for t in range(first, first + known):
        if x.kind[t] == kind:
            if left == 0:
                return int(ties.other[t])
            left -= 1
    return -1


@lean
def commander_near(x: Plotting, i: int, draw: float) -> int:
    """Return the position of who commands a unit of soldier i's formation, drawn from (0, 1); -1: nobody."""
    first, last = x.first_unit[x.formation[i]], x.first_unit[x.formation[i] + 1]
    return int(x.leader[min(first + int(draw * (last - first)), last - 1)]) if last > first else -1


@lean
def approach(
    now: Now,
    x: Plotting,
    ties: TrustTies,
    p: Plots,
    records: RunRecords,
    pr: Preferences,
    g: Grievances,
    informing: Informing,
) -> None:
    """Members with room in their cell approach a comrade each, now and then, who answers tomorrow.

    Who has declined lately is not asked again. Who is asked could report it: they become a confidant.
    """
    key, day = now.key, now.day
    for plot in range(p.used[0]):
        founder, aim = p.founder[plot], p.aim[plot]
        if p.end[plot] != ALIVE or records.fate[founder] != SERVING:
            continue
        row = p.rows[plot]
        while row >= 0:
            at, i = row, p.member[row]
            row = p.next[row]
            if p.role[at] != MEMBER or p.cell[at] >= CELL or records.fate[i] != SERVING:
                continue
            dares, whom, sees, what = uniforms(
                key, _APPROACH, records.identity[i], records.identity[founder], day
            )
            if dares >= x.approaches:
                continue
            kind = circle(x, records, aim, i)
            role = PLEDGED if kind == CLASSMATE and what < OF_COMMANDERS else MEMBER
            friend = commander_near(x, i, whom) if role == PLEDGED else friend_of(ties, x, i, kind, whom)
            if friend < 0 or records.fate[friend] != SERVING or p.asked[friend] >= 0:
                continue
            if p.plotter[friend] or day < p.wary[friend] or belongs(p, friend, plot):
                continue
            if margin_of(pr, g, day, friend) <= 0 and sees < DISCERNMENT:
                continue
            p.asked[friend], p.ask[friend] = at, role
            informing.confidant[friend] = i
            value = float(aim) + (PLEDGE_ASKED if role == PLEDGED else 0)
            record(records, day, i, EV_APPROACHED_SOMEONE, -1, friend, value)
            schedule(records, day + 1, DUE_APPROACHED, friend)


@lean
def answer(now: Now, moments: Moments, x: Plotting, p: Plots, m: Expectations, records: RunRecords) -> None:
    """Write who joined and who declined, and found the plots planned today.

    The approached counts one opposed comrade more; the recruiter one opposed, one loyal, or, where they are
    reported, nobody. Who does not join is not asked again for ``wary`` days.
    """
    day, who, occasion, choice = now.day, moments.who, moments.occasion, moments.choice
    for j in range(who.shape[0]):
        i = who[j]
        if choice[j] == PLAN_CROSSING or choice[j] == PLAN_UPRISING:
            plan(now, p, records, i, RISE if choice[j] == PLAN_UPRISING else CROSS)
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
        p.wary[i] = day + x.wary
        if choice[j] == REPORT:
            p.leaks[p.plot[row]] += 1
        else:
            record(records, day, i, EV_DECLINED, -1, recruiter, float(p.aim[p.plot[row]]))
            learn(m, OPPOSED, day, recruiter, 0.0, 1.0)


@lean
def plan(now: Now, p: Plots, records: RunRecords, i: int, aim: int) -> int:
    """Let soldier i found a plot for a date that is as likely on one day as on the next; return its index."""
    return found(p, records, now.day, i, aim, next_date(now, records, i))


@lean
def next_date(now: Now, records: RunRecords, i: int) -> int:
    """Return the date that soldier i sets for their plot, a day."""
    ahead = PATIENCE * exponential(now.key, _DATE, records.identity[i], _NOBODY, now.day)
    return now.day + 1 + int(ahead)


@lean
def under_way(
    now: Now,
    x: Plotting,
    ties: TrustTies,
    p: Plots,
    records: RunRecords,
    pr: Preferences,
    g: Grievances,
    founders: NDArray[np.int64],
) -> None:
    """Found the plots to rise that are under way on the first day, each with a first cell of the opposed."""
    for i in founders:
        if p.plotter[i]:
            continue  # he is in the first cell of another
        plot = plan(now, p, records, i, RISE)
        root, kind = p.rows[plot], circle(x, records, RISE, i)
        for t in range(ties.start[i], ties.start[i + 1]):
            friend = ties.other[t]
            fits = x.kind[t] == kind and p.cell[root] < CELL and not p.plotter[friend]
            if fits and margin_of(pr, g, now.day, friend) > 0:
                take_in(p, records, now.day, friend, root, MEMBER)


@lean
def strength_of(p: Plots, records: RunRecords, plot: int) -> tuple[int, float]:
    """Return a plot's serving members, and its strength in persons: they and the promises to it."""
    members = 0
    strength = PLEDGE_WORTH * p.above[plot]
    row = p.rows[plot]
    while row >= 0:
        if records.fate[p.member[row]] == SERVING:
            members += p.role[row] == MEMBER
            strength += 1.0 if p.role[row] == MEMBER else PLEDGE_WORTH
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
def warn_one(records: RunRecords, day: int, i: int, founder: int) -> None:
    """Warn soldier i that the plot of a founder is known; they decide tomorrow."""
    record(records, day, i, EV_WARNED, -1, founder, 0.0)
    schedule(records, day + 1, DUE_WARNED, i)


@lean
def warn(p: Plots, records: RunRecords, now: Now, plot: int, chance: float) -> None:
    """Warn the members of a plot, each with some chance."""
    founder = p.founder[plot]
    row = p.rows[plot]
    while row >= 0:
        i = p.member[row]
        member = records.fate[i] == SERVING and p.role[row] == MEMBER and i != founder
        draw = uniform(now.key, _REVIEW, records.identity[i], records.identity[founder], now.day)
        if member and draw < chance:
            warn_one(records, now.day, i, founder)
        row = p.next[row]


@lean
def review(now: Now, x: Plotting, p: Plots, records: RunRecords) -> bool:
    """Plots launch on their date or on a public call, if they are strong enough; those that are lost end.

    One that is too weak on its date sets another, unless its founder is still alone. A founder in custody
    is waited for as long as the service does not know of the plot. Notes which plots launch, and which seek
    a promise of the high command; returns whether any does.
    """
    key, day = now.key, now.day
    p.used[3], p.used[4] = 0, 0
    for plot in range(p.used[0]):
        if p.end[plot] != ALIVE:
            continue
        founder = p.founder[plot]
        fate = records.fate[founder]
        if fate == DETAINED and p.leaks[plot] == 0:
            continue  # held for something else: it waits for him
        rises = p.aim[plot] == RISE
        hears, seeks, _, _ = uniforms(key, _REVIEW, records.identity[founder], _NOBODY, day)
        called, due = rises and hears < x.call[day], day >= p.date[plot]
        members, strength = strength_of(p, records, plot)
        enough = strength >= x.wanted * (READY if called or not rises else 1.0)
        goes = enough and (called or due) and (members >= CELL or strength > members)
        if fate != SERVING:
            warn(p, records, now, plot, x.warned)
            out = (fate >= TRAVELLING and fate < DETAINED) or fate == RESIGNED
            left = SCATTERED if p.leaks[plot] else DISSOLVED  # or he went of his own accord
            close(p, records, day, plot, left if out else BROKEN, float(p.largest[plot]))
        elif goes:
            close(p, records, day, plot, LAUNCHED, float(members + BY_AIM * p.aim[plot]))
            p.launching[p.used[3]] = plot
            p.used[3] += 1
        elif due and strength <= 1.0:
            close(p, records, day, plot, DISSOLVED, float(p.largest[plot]))
        elif due:
            p.date[plot] = next_date(now, records, founder)
        elif rises and x.tier[records.rank[founder]] >= OFFICER and seeks < x.above:
            p.seeking[p.used[4]] = plot
            p.used[4] += 1
        if p.end[plot] != ALIVE and p.end[plot] != LAUNCHED:
            p.wary[founder] = day + x.wary
    return p.used[3] + p.used[4] > 0
