"""Counter-intelligence against plots: taps, interrogation, and the warning that comes in time or not.

Talk between plotters is overheard at a rate that grows with surveillance; whoever was trained in intelligence
gives less away. Who was overheard is arrested some days later, and the talk may give away who recruited him;
the arrested may name the next in the chain. Some hear of it first and run (informers and taps in
coup-proofing: Greitens 2016; on cells and what one arrest reveals Baker and Faulkner 1993).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, uniform_each, uniforms
from breakrank.engine.codes import (
    DUE_ARREST,
    DUE_WARNED,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_NAMED,
    EV_RELEASED,
    EV_SURRENDERED,
    EV_TAPPED,
    EV_WARNED,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, record, schedule, schedule_after
from breakrank.engine.run import Now, Run
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.detection_parameters import (
    BACKGROUND,
    CHAIN,
    OUTPUTS,
    PARAMETERS,
    TAPS,
    TRADECRAFT,
    WARNED,
)
from breakrank.mechanisms.plot_table import ALIVE, MEMBER, Plots
from breakrank.mechanisms.regime import Watch
from breakrank.table import Table
from breakrank.units import DAYS_A_YEAR

_TAP = int(decision("detection.tap"))
_SUSPECT = int(decision("detection.suspect"))
_NAME = int(decision("detection.name"))
_TRAINED = int(decision("detection.trained"))


class Taps(Table):
    """What the services hear, and whom they seek; see ``detection_parameters``.

    ``trained`` (soldier,) in intelligence; ``hunted`` (soldier,) already sought; ``rate`` a day at usual
    surveillance; ``tradecraft`` ratio; ``chain`` and ``warned`` chances; ``days`` to an arrest.
    """

    trained: NDArray[np.bool_]
    hunted: NDArray[np.bool_]
    rate: float
    tradecraft: float
    chain: float
    warned: float
    days: float


@lean
def _suspect(
    now: Now,
    t: Taps,
    p: Plots,
    records: RunRecords,
    i: int,
    plot: int,
    fresh: NDArray[np.int32],
    n: int,
) -> int:
    """Put soldier i on the list, once: he is arrested in a few days, unless he is warned and runs.

    Whoever is warned decides tomorrow; nobody is taken before that.

    `fresh` are those whom this search has put there, `n` how many; return how many they are now.
    """
    key, day = now.key, now.day
    p.known[plot] = True
    if t.hunted[i]:
        return n
    t.hunted[i] = True
    fresh[n] = i
    founder = p.founder[plot]
    hears, wait, _, _ = uniforms(key, _SUSPECT, records.identity[i], records.identity[founder], day)
    tomorrow = day + 1
    if hears < t.warned:
        record(records, day, i, EV_WARNED, -1, founder, 0.0)
        schedule(records, tomorrow, DUE_WARNED, i)
    schedule_after(records, tomorrow + 1, -t.days * np.log(wait), DUE_ARREST, i)
    return n + 1


@lean
def _may_be_found(i: int, hunted: NDArray[np.bool_], fresh: NDArray[np.int32], n: int) -> bool:
    """Return whether soldier i was free of suspicion when this search began."""
    found = not hunted[i]
    for k in range(n):
        found = found or fresh[k] == i
    return found


@kernel
def _overhear(now: Now, t: Taps, watch: Watch, p: Plots, soldiers: Soldiers, records: RunRecords) -> None:
    """Overhear members of living plots; the talk may give away who recruited them, too.

    Whoever came under suspicion today may be overheard as well, so that more taps never spare anybody.
    """
    if p.used[0] == 0:
        return
    fresh = np.empty(p.used[1], np.int32)  # as many as have ever been members
    key, day = now.key, now.day
    rate, hunted = t.rate * watch.today[0], t.hunted
    n = 0
    for plot in range(p.used[0]):
        if p.end[plot] != ALIVE:
            continue
        row = p.rows[plot]
        while row >= 0:
            i = p.member[row]
            talks = p.role[row] == MEMBER and records.fate[i] == SERVING and p.largest[plot] > 1
            if talks and _may_be_found(i, hunted, fresh, n):
                chance = rate * (t.tradecraft if t.trained[i] else 1.0) * watch.here[soldiers.unit[i]]
                heard, both, _, _ = uniforms(
                    key, _TAP, records.identity[i], records.identity[p.founder[plot]], day
                )
                if heard < chance:
                    record(records, day, i, EV_TAPPED, -1, p.founder[plot], 0.0)
                    n = _suspect(now, t, p, records, i, plot, fresh, n)
                    via = p.via[row]
                    if via >= 0 and both < t.chain:
                        friend = p.member[via]
                        if records.fate[friend] == SERVING:
                            n = _suspect(now, t, p, records, friend, plot, fresh, n)
            row = p.next[row]


@kernel
def _interrogate(now: Now, t: Taps, p: Plots, records: RunRecords) -> None:
    """Plotters taken today may name those next to them: who recruited them and whom they recruited."""
    last = records.cursor[0]
    fresh = np.empty(p.used[1] + last - now.first, np.int32)  # whoever is released may be put there again
    key, day = now.key, now.day
    hunted = t.hunted
    n = 0
    for k in range(now.first, last):
        e = records.event[k]
        if e == EV_RELEASED:
            hunted[records.who[k]] = False
        if e not in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED):
            continue
        i = records.who[k]
        mine = p.first[i]
        while mine >= 0:
            plot = p.plot[mine]
            row = p.rows[plot]
            while row >= 0:
                j = p.member[row]
                next_to = p.via[row] == mine or p.via[mine] == row
                if next_to and records.fate[j] == SERVING and _may_be_found(j, hunted, fresh, n):
                    names, _, _, _ = uniforms(key, _NAME, records.identity[i], records.identity[j], day)
                    if names < t.chain:
                        record(records, day, j, EV_NAMED, -1, i, 0.0)
                        n = _suspect(now, t, p, records, j, plot, fresh, n)
                row = p.next[row]
            mine = p.also[mine]


class Detection(Mechanism):
    """Taps and interrogation. Off: plots are lost only through informers and chance arrests."""

    name = "detection"
    subsystem = 5
    parameters = PARAMETERS
    outputs = OUTPUTS
    steps = (Step("conspire", _overhear), Step("dusk", _interrogate))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.officer = world.tier[world.force.rank] >= OFFICER

    def begin(self, run: Run) -> None:
        """Draw who has a background in intelligence."""
        draws = uniform_each(
            run.key, _TRAINED, self.world.force.identity, np.zeros(self.world.force.n, np.int64)
        )
        world = self.world
        taps = Taps(
            world.intelligence | (self.officer & (draws < world[BACKGROUND.name])),
            run.column("ways_out.hunted", np.bool_),
            world[TAPS.name] / DAYS_A_YEAR,
            world[TRADECRAFT.name],
            world[CHAIN.name],
            world[WARNED.name],
            world["counterintelligence.days_to_arrest"],
        )
        run.share(taps)
