"""Founding a plot: what it waits for, how much strength it wants, and those under way on the first day."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, exponential, normal, uniform
from breakrank.engine.codes import (
    CROSS,
    PLAN_CROSSING,
    PLAN_RISING,
    RISE,
)
from breakrank.engine.moments import Moments, TrustTies
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now
from breakrank.kernel import lean
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.plot_table import (
    DATE,
    MEMBER,
    SIGNAL,
    STRENGTH,
    Plots,
    belongs,
    found,
    take_in,
)
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.table import Table

_WAIT = int(decision("plots.wait"))


class Waiting(Table):
    """What plots wait for; see ``plots_parameters``.

    ``size`` and ``size_crossing`` median strength wanted, persons, ``spread`` in log units; ``signal`` and
    ``date`` chances to wait for a public call and to set a date, 0 to 1; ``patience`` mean time after which
    a plot loses heart, days, and for which a date is set ahead; ``least`` fewest persons that a plot wants.
    """

    size: float
    size_crossing: float
    spread: float
    signal: float
    date: float
    patience: float
    least: float


@lean
def found_plots(
    now: Now,
    moments: Moments,
    w: Waiting,
    p: Plots,
    records: RunRecords,
) -> None:
    """Found the plots planned today; each as :func:`plot_of` says."""
    who, choice = moments.who, moments.choice
    for j in range(who.shape[0]):
        if choice[j] != PLAN_CROSSING and choice[j] != PLAN_RISING:
            continue
        aim = RISE if choice[j] == PLAN_RISING else CROSS
        plot_of(now, w, p, records, who[j], aim)


@lean
def plot_of(
    now: Now,
    w: Waiting,
    p: Plots,
    records: RunRecords,
    i: int,
    aim: int,
) -> int:
    """Found a plot: draw what it waits for, and how much strength it wants. Return its index, -1: no room.

    Parameters
    ----------
    i, aim : position of the founder, CROSS or RISE.
    """
    key, day = now.key, now.day
    who = records.identity[i]
    how = uniform(key, _WAIT, who, day, 0)
    wanted = w.size if aim == RISE else w.size_crossing
    target = max(w.least, wanted * np.exp(w.spread * normal(key, _WAIT, who, day, 1)))
    waits, own_date = STRENGTH, 0
    if how < w.signal and aim == RISE:
        waits = SIGNAL
    elif how >= 1.0 - w.date:
        waits = DATE
        own_date = day + 1 + int(w.patience * exponential(key, _WAIT, who, day, 2))
    return found(p, records, day, i, aim, waits, target, own_date)


@lean
def plots_under_way(
    now: Now,
    w: Waiting,
    ties: TrustTies,
    p: Plots,
    records: RunRecords,
    who: NDArray[np.int64],
    pr: Preferences,
    g: Grievances,
    cell: int,
) -> None:
    """Found plots that are under way on the first day, each with a first cell.

    `who` int64, positions of the founders; of the opposed among their ties each is in, up to `cell`.
    """
    start, other = ties.start, ties.other
    for i in who:
        plot = plot_of(now, w, p, records, i, RISE)
        if plot < 0:
            return
        root = p.rows[plot]
        for t in range(start[i], start[i + 1]):
            friend = other[t]
            if p.cell[root] >= cell or margin_of(pr, g, now.day, friend) <= 0 or belongs(p, friend, plot):
                continue
            take_in(p, records, now.day, friend, root, MEMBER)
        # with what it wants it would have gone before
        p.target[plot] = max(p.target[plot], 1.0 + p.largest[plot])
