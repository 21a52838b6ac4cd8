"""The table of plots: who founded which, who belongs to it, and through whom.

Any number of plots of any size exist side by side, and a soldier may belong to several. A plot is a
tree: whoever joins knows the one who approached him and those he approaches himself, nobody else
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
DATE, SIGNAL, STRENGTH = 0, 1, 2
"""What a plot waits for: a date of its own, a public call, or enough strength."""


class Plots(Table):
    """Plots (one row each), memberships (one row each), and where to find them.

    Plots: ``founder`` int32 position, ``aim`` uint8, ``founded`` int16 day, ``waits`` uint8, ``target``
    float64 (strength wanted), ``date`` int32 (day it has set itself), ``largest`` int32, ``end`` uint8
    (ALIVE while it lives), ``known`` bool (the service knows of it), ``above`` int32 (promises from the
    high command), ``rows`` int32 (first membership row, the latest; -1 none). Room to note plots of today:
    ``launching``, and ``seeking`` promises from the high command, int32.
    Memberships: ``member`` int32 position, ``plot`` int32, ``via`` int32 (row of who recruited him, -1 for
    the founder), ``role`` uint8, ``cell`` int32 (how many he has recruited), ``next`` int32 (next row of
    the plot), ``also`` int32 (next row of the soldier).
    Per soldier: ``first`` int32 (his latest row, -1 none), ``plotter`` bool (in a living plot), ``asked``
    int32 (row of who has approached him, -1 nobody), ``ask`` uint8 (MEMBER or PLEDGED: for what), ``wary``
    int16 (until that day, having declined or lost a plot, he is not asked and plans nothing).
    ``used`` int64 (5,): plots, rows, what found no room, and how many launch and seek promises today.
    """

    founder: NDArray[np.int32]
    aim: NDArray[np.uint8]
    founded: NDArray[np.int16]
    waits: NDArray[np.uint8]
    target: NDArray[np.float64]
    date: NDArray[np.int32]
    largest: NDArray[np.int32]
    end: NDArray[np.uint8]
    known: NDArray[np.bool_]
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
    also: NDArray[np.int32]
    first: NDArray[np.int32]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    asked: NDArray[np.int32] = array("soldier", strided=True)
    ask: NDArray[np.uint8] = array("soldier", strided=True)
    wary: NDArray[np.int16] = array("soldier", strided=True)
    used: NDArray[np.int64]


class Launches(Table):
    """The plots that launch today: the first ``rising`` of ``plots`` rise."""

    plots: NDArray[np.int32]
    rising: int


OF_PLOT = (
    *("founder", "aim", "founded", "waits", "target", "date", "largest", "end", "known", "above", "rows"),
    *("launching", "seeking"),
)
OF_ROW = ("member", "plot", "via", "role", "cell", "next", "also")


def no_plots(run: Run, plots: int = 256, rows: int = 1024) -> Plots:
    """Return a run's table, without plots, with room for so many plots and rows."""

    def i32(size: int, fill: int = 0) -> NDArray[np.int32]:
        return np.full(size, fill, np.int32)

    return Plots(
        i32(plots),
        np.zeros(plots, np.uint8),
        np.zeros(plots, np.int16),
        np.zeros(plots, np.uint8),
        np.zeros(plots),
        i32(plots),
        i32(plots),
        np.full(plots, ALIVE, np.uint8),
        np.zeros(plots, np.bool_),
        i32(plots),
        i32(plots, -1),
        i32(plots),
        i32(plots),
        i32(rows),
        i32(rows),
        i32(rows, -1),
        np.zeros(rows, np.uint8),
        i32(rows),
        i32(rows, -1),
        i32(rows, -1),
        run.column("plots.first", np.int32, -1),
        run.hot("plots.plotter", np.bool_),
        run.hot("plots.asked", np.int32, -1),
        run.hot("plots.ask", np.uint8),
        run.hot("plots.wary", np.int16),
        np.zeros(5, np.int64),
    )


def with_room(plots: Plots, more_plots: int, more_rows: int) -> Plots:
    """Return the table with room for so many more plots and rows (the same table if there is)."""
    of_plots, of_rows = int(plots.used[0]) + more_plots, int(plots.used[1]) + more_rows
    if of_plots <= len(plots.founder) and of_rows <= len(plots.member):
        return plots
    for names, used, more in ((OF_PLOT, plots.used[0], more_plots), (OF_ROW, plots.used[1], more_rows)):
        if used + more <= len(getattr(plots, names[0])):
            continue
        for name in names:
            old = getattr(plots, name)
            fill = ALIVE if name == "end" else -1 if name in ("rows", "via", "next", "also") else 0
            setattr(plots, name, longer(old, 2 * len(old) + more, fill))
    return plots


@lean
def anyone_asked(p: Plots, who: NDArray[np.int32]) -> bool:
    """Return whether anyone of `who` (positions) has been approached."""
    for i in who:  # noqa: SIM110 (compiled)
        if p.asked[i] >= 0:
            return True
    return False


@lean
def belongs(p: Plots, i: int, plot: int) -> bool:
    """Return whether soldier i belongs to a plot, in whatever role."""
    row = p.first[i]
    while row >= 0:
        if p.plot[row] == plot:
            return True
        row = p.also[row]
    return False


@lean
def enter(p: Plots, i: int, plot: int, via: int, role: int) -> int:
    """Write a membership of soldier i and return its row, -1 if there is no room.

    `via` is the row of who recruited him (-1: he is the founder), `role` MEMBER or PLEDGED.
    """
    row = p.used[1]
    if row >= p.member.shape[0]:
        p.used[2] += 1
        return -1
    p.used[1] = row + 1
    p.member[row], p.plot[row], p.via[row], p.role[row], p.cell[row] = i, plot, via, role, 0
    p.next[row], p.rows[plot] = p.rows[plot], row
    p.also[row], p.first[i] = p.first[i], row
    if role == MEMBER:
        p.plotter[i] = True
        p.largest[plot] += 1
    if via >= 0:
        p.cell[via] += 1
    return int(row)


@lean
def found(
    p: Plots, records: RunRecords, day: int, i: int, aim: int, waits: int, target: float, date: int
) -> int:
    """Open a plot founded by soldier i and return its index, -1 if there is no room.

    `waits` DATE, SIGNAL or STRENGTH; `target` strength wanted, persons; `date` the day it has set itself.
    """
    plot = p.used[0]
    if plot >= p.founder.shape[0]:
        p.used[2] += 1
        return -1
    p.used[0] = plot + 1
    p.founder[plot], p.aim[plot], p.founded[plot] = i, aim, day
    p.waits[plot], p.target[plot], p.date[plot] = waits, target, date
    p.largest[plot], p.end[plot], p.known[plot] = 0, ALIVE, False
    p.above[plot], p.rows[plot] = 0, -1
    enter(p, i, plot, -1, MEMBER)
    record(records, day, i, EV_FOUNDED, -1, -1, float(aim))
    return int(plot)


@lean
def take_in(p: Plots, records: RunRecords, day: int, i: int, via: int, role: int) -> None:
    """Let soldier i join, or pledge himself to, the plot of whoever approached him."""
    plot = p.plot[via]
    enter(p, i, plot, via, role)
    event = EV_JOINED if role == MEMBER else EV_PLEDGED
    other = p.member[via] if role == MEMBER else p.founder[plot]
    record(records, day, i, event, -1, other, float(p.aim[plot]))


@lean
def close(p: Plots, records: RunRecords, day: int, plot: int, end: int, value: float) -> None:
    """End a plot; its people are plotters no longer unless another plot still holds them."""
    p.end[plot] = end
    record(records, day, p.founder[plot], END_EVENT[end], -1, -1, value)
    row = p.rows[plot]
    while row >= 0:
        i = p.member[row]
        still = False
        other = p.first[i]
        while other >= 0:
            still = still or (p.end[p.plot[other]] == ALIVE and p.role[other] == MEMBER)
            other = p.also[other]
        p.plotter[i] = still
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
