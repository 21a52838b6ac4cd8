"""The inner loops of plots: whom a member approaches, and when a plot dissolves or launches.

Recruitment runs along trust ties (McAdam 1986) in cells (Erickson 1981); a public call lets plots that
know nothing of each other launch on one day (Casper and Tyson 2014).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, uniform, uniforms
from breakrank.engine.codes import (
    BY_AIM,
    CROSS,
    DETAINED,
    DUE_APPROACHED,
    DUE_WARNED,
    EV_APPROACHED_SOMEONE,
    EV_WARNED,
    PLEDGE_ASKED,
    RISE,
    SERVING,
    TRAVELLING,
)
from breakrank.engine.records import RunRecords, record, schedule
from breakrank.force.columns import CLASSMATE
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.plot_table import (
    ALIVE,
    BROKEN,
    DATE,
    DISSOLVED,
    LAUNCHED,
    MEMBER,
    PLEDGED,
    SCATTERED,
    SIGNAL,
    Plots,
    belongs,
    close,
)
from breakrank.mechanisms.preference import Preferences, margin_of

_NOBODY = int(NOBODY)


class Numbers(NamedTuple):
    """What drives plots; see ``plots_parameters``.

    ``approaches``, ``pledges``, ``above`` chances a day; ``cell`` persons; ``old_school``,
    ``discernment``, ``ready``, ``warned`` fractions 0 to 1; ``patience`` and ``wary`` days; ``pledge_worth``
    persons.
    """

    approaches: float
    cell: int
    old_school: float
    discernment: float
    pledges: float
    patience: float
    ready: float
    pledge_worth: float
    warned: float
    above: float
    wary: int


@lean
def ask(
    p: Plots, records: RunRecords, day: int, row: int, friend: int, role: int, confidant: NDArray[np.int32]
) -> None:
    """Have the member of a row approach a friend (a position), who answers tomorrow; `role` is what for.

    The friend could report him: he becomes his confidant (`confidant` int32 (soldier,), positions).
    """
    i = p.member[row]
    p.asked[friend], p.ask[friend] = row, role
    confidant[friend] = i
    kind = float(p.aim[p.plot[row]]) + (PLEDGE_ASKED if role == PLEDGED else 0)
    record(records, day, i, EV_APPROACHED_SOMEONE, -1, friend, kind)
    schedule(records, day + 1, DUE_APPROACHED, friend)


@lean
def approach(
    key: np.uint64,
    name: int,
    p: Plots,
    records: RunRecords,
    day: int,
    rate: float,
    cell: int,
    old_school: float,
    discernment: float,
    unit: NDArray[np.int32],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    kind: NDArray[np.uint8],
    pr: Preferences,
    g: Grievances,
    confidant: NDArray[np.int32],
) -> None:
    """Let members with room in their cell approach one trusted comrade each, now and then.

    Whoever has declined lately is not asked again.
    """
    for plot in range(p.used[0]):
        if p.end[plot] != ALIVE or records.fate[p.founder[plot]] != SERVING:
            continue
        row = p.rows[plot]
        while row >= 0:
            i = p.member[row]
            if p.role[row] == MEMBER and p.cell[row] < cell and records.fate[i] == SERVING:
                dares, whom, sees, whence = uniforms(
                    key, name, records.identity[i], records.identity[p.founder[plot]], day
                )
                ties = start[i + 1] - start[i]
                if dares < rate and ties > 0:
                    t = start[i] + int(whom * ties)
                    if p.aim[plot] == RISE and whence < old_school:
                        for ahead in range(ties):  # the next classmate from there on, if he has any
                            at = start[i] + (t - start[i] + ahead) % ties
                            if kind[at] == CLASSMATE:
                                t = at
                                break
                    friend = other[t]
                    fit = records.fate[friend] == SERVING and p.asked[friend] < 0 and day >= p.wary[friend]
                    if p.aim[plot] == CROSS:
                        fit = fit and unit[friend] == unit[i]
                    if fit and not belongs(p, friend, plot):
                        loyal = margin_of(pr, g, day, friend) <= 0
                        if not (loyal and sees < discernment):
                            ask(p, records, day, row, friend, MEMBER, confidant)
            row = p.next[row]


@lean
def first_from(ascending: NDArray[np.int32], value: int) -> int:
    """Return the first index from which on numbers are at least `value`."""
    low, high = 0, ascending.shape[0]
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@lean
def seek_pledges(
    key: np.uint64,
    name: int,
    p: Plots,
    records: RunRecords,
    day: int,
    rate: float,
    discernment: float,
    formation: NDArray[np.int32],
    unit_formation: NDArray[np.int32],
    leader: NDArray[np.int32],
    pr: Preferences,
    g: Grievances,
    confidant: NDArray[np.int32],
) -> None:
    """Let plots to rise ask commanders of the units around a member for a pledge, now and then.

    `rate` is the chance a day of each plot. A member is drawn, then a unit of his formation: `formation`
    int32 (soldier,), `unit_formation` int32 (unit,) ascending, `leader` int32 (unit,) position of the
    commander, -1 none. A loyal one is left alone with chance `discernment`.
    """
    for plot in range(p.used[0]):
        founder = p.founder[plot]
        if p.end[plot] != ALIVE or p.aim[plot] != RISE or records.fate[founder] != SERVING:
            continue
        dares, through, whom, sees = uniforms(key, name, records.identity[founder], _NOBODY, day)
        if dares >= rate:
            continue
        row = p.rows[plot]
        for _ in range(int(through * p.largest[plot])):
            if p.next[row] >= 0:
                row = p.next[row]
        home = formation[p.member[row]]
        first = first_from(unit_formation, home)
        units = first_from(unit_formation, home + 1) - first
        commander = leader[first + min(int(whom * units), units - 1)]
        if commander < 0 or records.fate[commander] != SERVING or p.asked[commander] >= 0:
            continue
        if day < p.wary[commander]:
            continue
        if belongs(p, commander, plot) or p.role[row] != MEMBER or records.fate[p.member[row]] != SERVING:
            continue
        if margin_of(pr, g, day, commander) <= 0 and sees < discernment:
            continue
        ask(p, records, day, row, commander, PLEDGED, confidant)


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
    p: Plots, records: RunRecords, day: int, plot: int, key: np.uint64, name: int, chance: float
) -> None:
    """Warn the members of a plot, each with some chance; whoever is warned decides tomorrow."""
    row = p.rows[plot]
    while row >= 0:
        i = p.member[row]
        founder = p.founder[plot]
        member = records.fate[i] == SERVING and p.role[row] == MEMBER and i != founder
        if member and uniform(key, name, records.identity[i], records.identity[founder], day) < chance:
            record(records, day, i, EV_WARNED, -1, founder, 0.0)
            schedule(records, day + 1, DUE_WARNED, i)
        row = p.next[row]


@lean
def review(
    key: np.uint64,
    name: int,
    p: Plots,
    records: RunRecords,
    day: int,
    call: float,
    patience: float,
    ready: float,
    worth: float,
    warned: float,
    wary: int,
    cell: int,
    launching: NDArray[np.int32],
) -> int:
    """End plots whose founder is gone or who lose heart; write those that launch and return how many do.

    Parameters
    ----------
    call : today's public call, the chance that a ready plot waiting for one takes it up, 0 to 1.
    patience : mean time after which a plot loses heart, days.
    ready : part of the strength it wants with which a plot goes on a call or on its date, 0 to 1.
    worth : members that a pledge counts for; ``warned`` chance that a member hears that all is lost.
    wary : days for which the founder of a plot that ended plans nothing new.
    cell : fewest members with whom a plot goes, unless someone of rank has pledged himself.
    launching : (plot,) out, with room for all.

    A founder in custody is waited for as long as the service does not know of the plot.
    """
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
            warn(p, records, day, plot, key, name, warned)
            size = float(p.largest[plot])
            left = SCATTERED if p.known[plot] else DISSOLVED  # or he went of his own accord
            close(p, records, day, plot, left if out else BROKEN, size)
            p.wary[founder] = day + wary
            continue
        members, strength = strength_of(p, records, plot, worth)
        tires, answers, _, _ = uniforms(key, name, records.identity[founder], _NOBODY, day)
        if p.waits[plot] == SIGNAL:
            goes = answers < call and strength >= ready * p.target[plot]
        elif p.waits[plot] == DATE:
            goes = day >= p.date[plot] and strength >= ready * p.target[plot]
        else:
            goes = strength >= p.target[plot]
        if goes and day > p.founded[plot] and (members >= cell or strength > members):
            close(p, records, day, plot, LAUNCHED, float(members + BY_AIM * p.aim[plot]))
            launching[n] = plot
            n += 1
        elif tires < 1.0 / patience or (p.waits[plot] == DATE and day >= p.date[plot]):
            close(p, records, day, plot, DISSOLVED, float(p.largest[plot]))
            p.wary[founder] = day + wary
    return n


@lean
def carry_on(
    key: np.uint64,
    names: tuple[int, int, int, int],
    p: Plots,
    records: RunRecords,
    day: int,
    numbers: Numbers,
    call: float,
    unit: NDArray[np.int32],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    kind: NDArray[np.uint8],
    formation: NDArray[np.int32],
    unit_formation: NDArray[np.int32],
    leader: NDArray[np.int32],
    officer: NDArray[np.bool_],
    pr: Preferences,
    g: Grievances,
    confidant: NDArray[np.int32],
    launching: NDArray[np.int32],
    seeking: NDArray[np.int32],
) -> tuple[int, int]:
    """Let plots approach comrades and commanders; write, and count, those that launch or seek word above.

    `names` are those of the draws; `officer` says which ranks the high command listens to. `launching` and
    `seeking` are room for all plots.
    """
    x = numbers
    approach(
        key,
        names[0],
        p,
        records,
        day,
        x.approaches,
        x.cell,
        x.old_school,
        x.discernment,
        unit,
        start,
        other,
        kind,
        pr,
        g,
        confidant,
    )
    seek_pledges(
        key,
        names[1],
        p,
        records,
        day,
        x.pledges,
        x.discernment,
        formation,
        unit_formation,
        leader,
        pr,
        g,
        confidant,
    )
    worth = x.pledge_worth
    launched = review(
        key,
        names[2],
        p,
        records,
        day,
        call,
        x.patience,
        x.ready,
        worth,
        x.warned,
        x.wary,
        x.cell,
        launching,
    )
    n = 0
    for plot in range(p.used[0]):
        i = p.founder[plot]
        lives = p.end[plot] == ALIVE and p.aim[plot] == RISE and records.fate[i] == SERVING
        heard = lives and officer[records.rank[i]]
        if heard and uniform(key, names[3], records.identity[i], _NOBODY, day) < x.above:
            seeking[n] = plot
            n += 1
    return launched, n
