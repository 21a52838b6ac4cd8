"""Founding a plot: what it waits for, how much strength it wants, and those under way on the first day."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import exponential, normal, uniform
from breakrank.engine.codes import (
    CROSS,
    PLAN_CROSSING,
    PLAN_RISING,
    RISE,
)
from breakrank.engine.records import RunRecords
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


@lean
def found_plots(
    key: np.uint64,
    name: int,
    p: Plots,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    choice: NDArray[np.uint8],
    size: float,
    size_crossing: float,
    spread: float,
    signal: float,
    date: float,
    patience: float,
    least: float,
) -> None:
    """Found the plots planned today; `who` and `choice` are by decider, the rest as in :func:`plot_of`."""
    for j in range(who.shape[0]):
        if choice[j] != PLAN_CROSSING and choice[j] != PLAN_RISING:
            continue
        aim = RISE if choice[j] == PLAN_RISING else CROSS
        plot_of(
            key,
            name,
            p,
            records,
            day,
            who[j],
            aim,
            size,
            size_crossing,
            spread,
            signal,
            date,
            patience,
            least,
        )


@lean
def plot_of(
    key: np.uint64,
    name: int,
    p: Plots,
    records: RunRecords,
    day: int,
    i: int,
    aim: int,
    size: float,
    size_crossing: float,
    spread: float,
    signal: float,
    date: float,
    patience: float,
    least: float,
) -> int:
    """Found a plot: draw what it waits for, and how much strength it wants. Return its index, -1: no room.

    Parameters
    ----------
    i, aim : position of the founder, CROSS or RISE.
    size, size_crossing : median strength wanted, persons; ``spread`` in log units.
    signal, date : chances to wait for a public call, and to set a date, 0 to 1.
    patience : mean time after which a plot loses heart, days, and for which a date is set ahead.
    least : fewest persons that a plot wants.
    """
    who = records.identity[i]
    how = uniform(key, name, who, day, 0)
    wanted = size if aim == RISE else size_crossing
    target = max(least, wanted * np.exp(spread * normal(key, name, who, day, 1)))
    waits, own_date = STRENGTH, 0
    if how < signal and aim == RISE:
        waits = SIGNAL
    elif how >= 1.0 - date:
        waits = DATE
        own_date = day + 1 + int(patience * exponential(key, name, who, day, 2))
    return found(p, records, day, i, aim, waits, target, own_date)


@lean
def plots_under_way(
    key: np.uint64,
    wait_name: int,
    p: Plots,
    records: RunRecords,
    who: NDArray[np.int64],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    pr: Preferences,
    g: Grievances,
    cell: int,
    size: float,
    size_crossing: float,
    spread: float,
    signal: float,
    date: float,
    patience: float,
    least: float,
) -> None:
    """Found plots that are under way on the first day, each with a first cell.

    `who` int64, positions of the founders; of the opposed among their ties (`start`, `other`, see
    :class:`breakrank.force.columns.Ties`) each is in, up to `cell`. The rest as in
    :func:`plot_of`.
    """
    for i in who:
        plot = plot_of(
            key, wait_name, p, records, 0, i, RISE, size, size_crossing, spread, signal, date, patience, least
        )
        if plot < 0:
            return
        root = p.rows[plot]
        for t in range(start[i], start[i + 1]):
            friend = other[t]
            if p.cell[root] >= cell or margin_of(pr, g, 0, friend) <= 0 or belongs(p, friend, plot):
                continue
            take_in(p, records, 0, friend, root, MEMBER)
        # with what it wants it would have gone before
        p.target[plot] = max(p.target[plot], 1.0 + p.largest[plot])
