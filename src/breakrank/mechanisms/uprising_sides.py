"""The inner loops of an uprising: who is in from the first hour, what commanders weigh, who goes along.

Units are rows of the force's table of units; `rose` is a bool (soldier,) column of who takes part.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, uniform
from breakrank.engine.codes import (
    DEFEATED,
    DETAINED,
    EV_ARRESTED,
    EV_FOLLOWED,
    EV_REFUSED,
    EV_RENEGED,
    EV_ROSE,
    EV_SURRENDERED,
    REPORT,
    SERVING,
    STAY,
)
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.learning import OPPOSED, Expectations, expected
from breakrank.mechanisms.plot_table import MEMBER, Plots
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.mechanisms.regime_change import threshold_of
from breakrank.table import Table

_NOBODY = int(NOBODY)


class Sides(Table):
    """Where every unit stands; arrays (unit,).

    ``leader`` int32 position (-1 none), ``joined`` int16 hour (-1 not), ``refused`` int16 hour,
    ``pledged`` bool, ``plotters`` int32 plotters who do not command it, ``first`` int32 one of them.
    """

    leader: NDArray[np.int32]
    joined: NDArray[np.int16]
    refused: NDArray[np.int16]
    pledged: NDArray[np.bool_]
    plotters: NDArray[np.int32]
    first: NDArray[np.int32]


@lean
def those_who_launch(
    p: Plots,
    records: RunRecords,
    day: int,
    plots: NDArray[np.int32],
    chief: int,
    unit: NDArray[np.int32],
    sides: Sides,
    rose: NDArray[np.bool_],
) -> None:
    """Put the members of the launching plots on the street; units that members command rise with them.

    `plots` int32, indices; `chief` position of the leader; `unit` int32 (soldier,). Fills `sides` and `rose`.
    """
    for plot in plots:
        row = p.rows[plot]
        while row >= 0:
            i = p.member[row]
            u = unit[i]
            if records.fate[i] == SERVING:
                leads = sides.leader[u] == i
                if p.role[row] == MEMBER and not rose[i]:
                    rose[i] = True
                    if leads:
                        sides.joined[u] = 0
                        record(records, day, i, EV_ROSE, -1, chief, 0.0)
                    else:
                        sides.plotters[u] += 1
                        sides.first[u] = i
                        if i != chief:
                            record(records, day, i, EV_FOLLOWED, -1, chief, 0.0)
                elif p.role[row] != MEMBER and leads:
                    sides.pledged[u] = True
            row = p.next[row]


@lean
def weigh_joining_in(
    records: RunRecords,
    day: int,
    sides: Sides,
    pr: Preferences,
    g: Grievances,
    m: Expectations,
    loss: NDArray[np.float64],
    gain: float,
    threshold: NDArray[np.float64],
    belief: NDArray[np.float64],
) -> None:
    """Write each commander's threshold (1: never) and belief, float64 (unit,), 0 to 1.

    Parameters
    ----------
    loss : (rank,) utility that a failure costs, without what rents add.
    gain : utility of having been on the side that wins, beside how far they are on the opposed side (below 0:
        on the other; they come to a success that is worth more to them than their loyalty).
    """
    for u in range(sides.leader.shape[0]):
        c = sides.leader[u]
        threshold[u], belief[u] = 1.0, 0.0
        if c < 0 or records.fate[c] != SERVING:
            continue
        belief[u] = expected(m, OPPOSED, day, c)
        wins = max(gain + margin_of(pr, g, day, c), 0.0)
        threshold[u] = threshold_of(loss[records.rank[c]] + pr.rents[records.rank[c]], wins)


@lean
def tell_sides(records: RunRecords, day: int, chief: int, hours: int, sides: Sides) -> None:
    """Write who joined after the first hour, who refused to march, and who did not keep a pledge."""
    for u in range(sides.leader.shape[0]):
        c = sides.leader[u]
        if sides.joined[u] > 0:
            record(records, day, c, EV_ROSE, -1, chief, float(sides.joined[u]))
        elif sides.refused[u] > 0:
            record(records, day, c, EV_REFUSED, -1, chief, float(sides.refused[u]))
        if sides.pledged[u] and sides.joined[u] < 0 and c >= 0 and records.fate[c] == SERVING:
            record(records, day, c, EV_RENEGED, -1, chief, float(hours))


@lean
def bring_along(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    sides: Sides,
    start: NDArray[np.int64],
    pr: Preferences,
    g: Grievances,
    follow: float,
    company: float,
    rose: NDArray[np.bool_],
) -> None:
    """Let the opposed of a unit follow their commander, or a plotter among them.

    With a commander who joined each follows with chance `follow`; with k plotters and no commander, with
    chance 1 - (1 - `company`) ** k. `start` int64 (units + 1,): unit u stands at start[u]:start[u + 1].
    """
    for u in range(sides.leader.shape[0]):
        head = sides.leader[u] if sides.joined[u] >= 0 else sides.first[u]
        if sides.joined[u] > 0:
            rose[head] = True
        if sides.joined[u] < 0 and sides.plotters[u] == 0:
            continue
        chance = follow if sides.joined[u] >= 0 else 1.0 - (1.0 - company) ** sides.plotters[u]
        for i in range(start[u], start[u + 1]):
            opposed = not rose[i] and records.fate[i] == SERVING and margin_of(pr, g, day, i) > 0
            if opposed and uniform(key, name, records.identity[i], _NOBODY, day) < chance:
                rose[i] = True
                record(records, day, i, EV_FOLLOWED, -1, head, float(max(sides.joined[u], 0)))


@kernel
def take_prisoners(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    rose: NDArray[np.int32],
    taken: float,
    hunted: NDArray[np.bool_],
) -> NDArray[np.int32]:
    """Arrest part of those who rose where they stand, and return the others: all of them are hunted.

    `rose` are positions, ascending; so are the others. `taken` is each one's chance of being arrested.
    """
    free = np.empty(rose.shape[0], np.int32)
    n = 0
    for i in rose:
        if records.fate[i] == SERVING:
            hunted[i] = True
            if uniform(key, name, records.identity[i], _NOBODY, day) < taken:
                move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, 0.0)
            else:
                free[n] = i
                n += 1
    return free[:n]


@lean
def surrender(now: Now, moments: Moments, records: RunRecords) -> None:
    """Detain those who neither ran nor hid after a failed uprising."""
    for j in range(moments.who.shape[0]):
        if moments.occasion[j] == DEFEATED and moments.choice[j] in (STAY, REPORT):
            move(records, now.day, moments.who[j], DETAINED, EV_SURRENDERED, -1, -1, 0.0)
