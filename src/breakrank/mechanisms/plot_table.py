"""The table of plots: who founded which, who belongs to it, and through whom.

Any number of plots of any size exist side by side; a soldier is a member of one at a time. A plot is a
tree: whoever joins knows the one who approached them and those they approach themselves, nobody else
(compartmentation; for cells in clandestine networks Erickson 1981 and Baker and Faulkner 1993).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    EV_FOUNDED,
    EV_JOINED,
    EV_LAUNCHED,
    EV_PLEDGED,
    EV_PLOT_BROKEN,
    EV_PLOT_DISSOLVED,
    EV_PLOT_SCATTERED,
)
from breakrank.engine.columns import longer
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Run
from breakrank.kernel import lean
from breakrank.table import Table, array

MEMBER, PLEDGED = 0, 1
"""What someone is in a plot: a member who recruits, or a commander who has only promised to come."""

BROKEN, SCATTERED, DISSOLVED, LAUNCHED, ALIVE = range(5)
ENDS = ("broken", "scattered", "dissolved", "launched", "alive")
END_EVENT = (EV_PLOT_BROKEN, EV_PLOT_SCATTERED, EV_PLOT_DISSOLVED, EV_LAUNCHED)
SIZES = 7
"""Size classes: 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64 and more."""


class Plots(Table):
    """Plots (one row each), memberships (one row each), and where to find them.

    Plots: ``founder`` int32 position, ``aim`` uint8, ``founded`` int16 day, ``date`` int32 (day that it has
    set itself), ``largest`` int32 (members), ``end`` uint8 (ALIVE while it lives), ``leaks`` int32 (how often
    the services have heard of it), ``above`` int32 (promises from the high command), ``rows`` int32 (first
    membership row, the latest; -1 none). Room to note plots of today: ``launching``, and ``seeking``
    promises from the high command, int32.
    Memberships: ``member`` int32 position, ``plot`` int32, ``via`` int32 (row of who recruited them, -1 for
    the founder), ``role`` uint8, ``cell`` int32 (how many they have recruited), ``next`` int32 (next row of
    the plot).
    Per soldier: ``first`` int32 (row of their latest plot as a member, -1 none), ``plotter`` bool (member of
    a living plot), ``asked`` int32 (row of who has approached them, -1 nobody), ``ask`` uint8 (MEMBER or
    PLEDGED: for what), ``wary`` int16 (until that day, having declined or lost a plot, they are not asked and
    plans nothing).
    ``used`` int64 (5,): plots, rows, what found no room, and how many launch and seek promises today.
    """

    founder: NDArray[np.int32]
    aim: NDArray[np.uint8]
    founded: NDArray[np.int16]
    date: NDArray[np.int32]
    largest: NDArray[np.int32]
    end: NDArray[np.uint8]
    leaks: NDArray[np.int32]
    above: NDArray[np.int32]
    rows: NDArray[np.int32]
    launching: NDArray[np.int32]
    seeking: NDArray[np.int32]
    member: NDArray[np.int32]
    plot: NDArray[np.int32]
    via: NDArray[np.int32]
    role: NDArray[np.uint8]
    cell: NDArray[np.int32]
    next: NDArray[np.int32]
    first: NDArray[np.int32]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    asked: NDArray[np.int32] = array("soldier", strided=True)
    ask: NDArray[np.uint8]
    wary: NDArray[np.int16]
    used: NDArray[np.int64]


class Launches(Table):
    """The plots that launch today: the first ``uprising`` of ``plots`` rise."""

    plots: NDArray[np.int32]
    uprising: int


OF_PLOT = {
    "founder": (np.int32, 0),
    "aim": (np.uint8, 0),
    "founded": (np.int16, 0),
    "date": (np.int32, 0),
    "largest": (np.int32, 0),
    "end": (np.uint8, ALIVE),
    "leaks": (np.int32, 0),
    "above": (np.int32, 0),
    "rows": (np.int32, -1),
    "launching": (np.int32, 0),
    "seeking": (np.int32, 0),
}
OF_ROW = {
    "member": (np.int32, 0),
    "plot": (np.int32, 0),
    "via": (np.int32, -1),
    "role": (np.uint8, MEMBER),
    "cell": (np.int32, 0),
    "next": (np.int32, -1),
}
"""Columns of plots and of memberships, with their type and what stands where nothing is written."""


def no_plots(run: Run, plots: int = 256, rows: int = 1024) -> Plots:
    """Return a run's table, without plots, with room for a number of plots and rows."""
    return Plots(
        **{name: np.full(plots, fill, kind) for name, (kind, fill) in OF_PLOT.items()},
        **{name: np.full(rows, fill, kind) for name, (kind, fill) in OF_ROW.items()},
        first=run.column("plots.first", np.int32, -1),
        plotter=run.hot("plots.plotter", np.bool_),
        asked=run.hot("plots.asked", np.int32, -1),
        ask=run.column("plots.ask", np.uint8),
        wary=run.column("plots.wary", np.int16),
        used=np.zeros(5, np.int64),
    )


def with_room(plots: Plots, more_plots: int, more_rows: int) -> Plots:
    """Return the table with room for that many more plots and memberships."""
    for columns, used, more in ((OF_PLOT, plots.used[0], more_plots), (OF_ROW, plots.used[1], more_rows)):
        for name, (_, fill) in columns.items():
            old = getattr(plots, name)
            if used + more > len(old):
                setattr(plots, name, longer(old, 2 * len(old) + more, fill))
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
