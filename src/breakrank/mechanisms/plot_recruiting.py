"""The inner loops of recruiting: whom a member approaches, and which commanders a plot asks for a pledge.

Recruitment runs along trust ties (McAdam 1986) in cells (Erickson 1981).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniforms
from breakrank.engine.codes import (
    CROSS,
    DUE_APPROACHED,
    EV_APPROACHED_SOMEONE,
    PLEDGE_ASKED,
    RISE,
    SERVING,
)
from breakrank.engine.moments import Soldiers, TrustTies
from breakrank.engine.records import RunRecords, record, schedule
from breakrank.engine.run import Now
from breakrank.force.columns import CLASSMATE
from breakrank.kernel import lean
from breakrank.mechanisms.counterintelligence import Informing
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.plot_table import (
    ALIVE,
    MEMBER,
    PLEDGED,
    Plots,
    belongs,
)
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_APPROACH = int(decision("plots.approach"))
_PLEDGE = int(decision("plots.pledge"))


class PlotNumbers(Table):
    """What drives plots; see ``plots_parameters``.

    ``approaches``, ``pledges``, ``above`` chances a day; ``cell`` persons; ``old_school``,
    ``discernment``, ``ready``, ``warned`` fractions 0 to 1; ``patience`` and ``wary`` days; ``pledge_worth``
    persons; ``call`` (day,) how loud a public call is, 0 to 1.
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
    call: NDArray[np.float64] = array("day")


class Ranks(Table):
    """Who is where in the order of battle, as plotters see it.

    ``kind`` of each tie of trust; ``formation`` (soldier,); ``unit_formation`` (unit,) ascending; ``leader``
    (unit,) position of the commander, -1 none; ``officer`` (rank,) whether the high command listens to that
    rank.
    """

    kind: NDArray[np.uint8]
    formation: NDArray[np.int32]
    unit_formation: NDArray[np.int32]
    leader: NDArray[np.int32]
    officer: NDArray[np.bool_]


@lean
def ask(
    now: Now,
    p: Plots,
    records: RunRecords,
    row: int,
    friend: int,
    role: int,
    informing: Informing,
) -> None:
    """Have the member of a row approach a friend (a position), who answers tomorrow; `role` is what for.

    The friend could report him: he becomes his confidant (see :class:`Informing`).
    """
    day = now.day
    i = p.member[row]
    p.asked[friend], p.ask[friend] = row, role
    informing.confidant[friend] = i
    kind = float(p.aim[p.plot[row]]) + (PLEDGE_ASKED if role == PLEDGED else 0)
    record(records, day, i, EV_APPROACHED_SOMEONE, -1, friend, kind)
    schedule(records, day + 1, DUE_APPROACHED, friend)


@lean
def approach(
    now: Now,
    x: PlotNumbers,
    soldiers: Soldiers,
    ties: TrustTies,
    ranks: Ranks,
    p: Plots,
    records: RunRecords,
    pr: Preferences,
    g: Grievances,
    informing: Informing,
) -> None:
    """Let members with room in their cell approach one trusted comrade each, now and then.

    Whoever has declined lately is not asked again.
    """
    key, day = now.key, now.day
    start, other, kind, unit = ties.start, ties.other, ranks.kind, soldiers.unit
    for plot in range(p.used[0]):
        if p.end[plot] != ALIVE or records.fate[p.founder[plot]] != SERVING:
            continue
        row = p.rows[plot]
        while row >= 0:
            i = p.member[row]
            if p.role[row] == MEMBER and p.cell[row] < x.cell and records.fate[i] == SERVING:
                dares, whom, sees, whence = uniforms(
                    key, _APPROACH, records.identity[i], records.identity[p.founder[plot]], day
                )
                known = start[i + 1] - start[i]
                if dares < x.approaches and known > 0:
                    t = start[i] + int(whom * known)
                    if p.aim[plot] == RISE and whence < x.old_school:
                        for ahead in range(known):  # the next classmate from there on, if he has any
                            at = start[i] + (t - start[i] + ahead) % known
                            if kind[at] == CLASSMATE:
                                t = at
                                break
                    friend = other[t]
                    fit = records.fate[friend] == SERVING and p.asked[friend] < 0 and day >= p.wary[friend]
                    if p.aim[plot] == CROSS:
                        fit = fit and unit[friend] == unit[i]
                    if fit and not belongs(p, friend, plot):
                        loyal = margin_of(pr, g, day, friend) <= 0
                        if not (loyal and sees < x.discernment):
                            ask(now, p, records, row, friend, MEMBER, informing)
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
    now: Now,
    x: PlotNumbers,
    ranks: Ranks,
    p: Plots,
    records: RunRecords,
    pr: Preferences,
    g: Grievances,
    informing: Informing,
) -> None:
    """Let plots to rise ask commanders of the units around a member for a pledge, now and then.

    A member is drawn, then a unit of his formation. A loyal commander is left alone with chance
    ``discernment``.
    """
    key, day = now.key, now.day
    formation, unit_formation, leader = ranks.formation, ranks.unit_formation, ranks.leader
    for plot in range(p.used[0]):
        founder = p.founder[plot]
        if p.end[plot] != ALIVE or p.aim[plot] != RISE or records.fate[founder] != SERVING:
            continue
        dares, through, whom, sees = uniforms(key, _PLEDGE, records.identity[founder], _NOBODY, day)
        if dares >= x.pledges:
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
        if margin_of(pr, g, day, commander) <= 0 and sees < x.discernment:
            continue
        ask(now, p, records, row, commander, PLEDGED, informing)
