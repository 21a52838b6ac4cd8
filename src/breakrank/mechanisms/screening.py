"""Screening: weapons are handed in, infiltrators are sent and found, and innocents are taken for them.

The services send some of their own across for those who leave (Greitens 2016 on what coercive services are
for; Lankov 2013 on agents among defectors). The host's screening finds some and errs about others, both are
expelled or held. What an infiltrator learns is not followed up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniforms
from breakrank.engine.codes import (
    ABROAD,
    EV_DISARMED,
    EV_EXPELLED,
    EV_HELD,
    EV_LET_GO,
    EV_REGISTERED,
    EV_SENT,
    IMPRISONED,
    REGISTERED,
    SERVING,
    TAKEN,
)
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Run
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.exile_parameters import CAUGHT, MORALE
from breakrank.mechanisms.guest_table import EXPELLED as PUT_ACROSS
from breakrank.mechanisms.guest_table import HELD as IN_CUSTODY
from breakrank.mechanisms.guest_table import NOT_PLACED, Guests, add_guest, in_town, with_room
from breakrank.mechanisms.journeys import Journeys
from breakrank.mechanisms.lodging import Town, leave_site
from breakrank.mechanisms.screening_parameters import (
    ARMED,
    EXPELS,
    FOUND,
    HELD,
    KEEPS,
    OUTPUTS,
    SCREENING_PARAMETERS,
    SENT,
    WRONG,
)

_NOBODY = int(NOBODY)
_SEND = int(decision("screening.send"))
_ARMS = int(decision("screening.arms"))
_SUSPECT = int(decision("screening.suspect"))
_LONGEST = int(np.iinfo(np.int16).max) // 2  # days that can be added to a day, in columns of this type
_COUNTED = ("infiltrators_found", "wrongly_suspected", "expelled")


@lean
def _in_days(draw: float, chance: float) -> int:
    """Return after how many days (1 or more) something happens that has this chance every day; -1 never."""
    if chance <= 0.0:
        return -1
    if chance >= 1.0:
        return 1
    days = 1.0 + np.floor(np.log(draw) / np.log(1.0 - chance))
    return int(days) if days < _LONGEST else -1


@lean
def _register(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    g: Guests,
    armed: float,
    keeps: float,
    wrong: float,
) -> None:
    """Who registers today hands in the weapon he brought, or keeps it; some will be suspected in time."""
    for a in range(g.used[1]):
        k = g.here[a]
        if g.registered[k] != day or g.spy[k] or not in_town(g.stay[k]):
            continue
        i = g.who[k]
        brings, holds, suspected, _ = uniforms(key, name, g.identity[k], _NOBODY, day)
        wait = _in_days(suspected, wrong)
        g.suspect[k] = day + wait if wait > 0 else -1
        if brings < armed:
            g.armed[k] = holds < keeps
            if not g.armed[k]:
                record(records, day, i, EV_DISARMED, -1, -1, 0.0)


@lean
def _send(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    g: Guests,
    route: NDArray[np.int16],
    agents: NDArray[np.int64],
    names: NDArray[np.uint32],
    strength: float,
    sent: float,
    found: float,
    scheme: float,
    morale: float,
    arrived: NDArray[np.int32],
) -> None:
    """For some who register today the services send one of `agents` (positions; identities `names`)."""
    for a in range(g.used[1]):  # grows by those sent, who are sent after nobody
        k = g.here[a]
        if g.registered[k] != day or g.spy[k]:
            continue
        i = g.who[k]
        chance, which, suspected, _ = uniforms(key, name, g.identity[k], _NOBODY, day)
        if chance >= sent:
            continue
        # The next identity from a point on, so that a soldier more or less moves no other pick.
        at = np.searchsorted(names, np.uint32(which * strength))
        agent = agents[min(at, agents.shape[0] - 1)]
        if records.fate[agent] != SERVING:
            continue
        way = int(route[i])
        move(records, day, agent, ABROAD, EV_SENT, way, -1, 0.0)
        move(records, day, agent, REGISTERED, EV_REGISTERED, way, agent, scheme)
        row = add_guest(g, agent, records.identity[agent], day, 0, 0, True, morale)
        wait = _in_days(suspected, found)
        g.registered[row], g.suspect[row] = day, (day + wait if wait > 0 else -1)
        arrived[0] += 1


@lean
def _screen(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    g: Guests,
    town: Town,
    expels: float,
    held: int,
    caught: float,
    count: NDArray[np.int32],
) -> None:
    """Find infiltrators, take innocents for them, and let go or expel who has been held for long enough.

    ``count`` adds up those found, those wrongly suspected, and those expelled, which is an incident.
    """
    for a in range(g.used[1]):
        k = g.here[a]
        i = g.who[k]
        spy = bool(g.spy[k])
        told = 1.0 if spy else 0.0
        released = g.stay[k] == IN_CUSTODY and g.until[k] <= day
        if released and not spy:
            g.stay[k], g.since[k] = NOT_PLACED, day
            record(records, day, i, EV_LET_GO, -1, -1, 0.0)
            continue
        if not released and (g.suspect[k] != day or not in_town(g.stay[k])):
            continue
        outcome, over, _, _ = uniforms(key, name, g.identity[k], _NOBODY, day)
        if not released:
            count[0 if spy else 1] += 1
            leave_site(g, k, town)
            g.since[k] = day
            if outcome >= expels:
                g.stay[k], g.until[k] = IN_CUSTODY, day + held
                record(records, day, i, EV_HELD, -1, -1, told)
                continue
        count[2] += 1
        g.stay[k], g.since[k], g.lost[k] = PUT_ACROSS, day, True
        if spy:
            move(records, day, i, SERVING, EV_EXPELLED, -1, -1, told)
        else:
            taken = over < caught
            move(
                records, day, i, IMPRISONED if taken else ABROAD, EV_EXPELLED, -1, -1, TAKEN if taken else 0.0
            )
    town.incidents[0] += count[2] > 0


class Screening(Mechanism):
    """Arms, infiltrators and suspects. Off: nobody is sent across, armed, or suspected."""

    name = "screening"
    subsystem = 13
    parameters = SCREENING_PARAMETERS
    outputs = OUTPUTS

    def __init__(self, world: World) -> None:
        super().__init__(world)
        below = world.tier[world.force.rank] < OFFICER
        agents = np.flatnonzero(world.intelligence & below)
        self.agents = agents if len(agents) else np.flatnonzero(below)
        self.names = world.force.identity[self.agents]
        self.scheme = (world.daily("registration") >= 0.5).astype(np.float64).tolist()
        self.arms = world[ARMED.name], world[KEEPS.name], world[WRONG.name]
        self.sending = world["force.strength"], world[SENT.name], world[FOUND.name]
        self.finding = world[EXPELS.name], int(world[HELD.name]), world[CAUGHT.name]
        self.morale = world[MORALE.name]

    def begin(self, run: Run) -> None:
        """Nobody has been found."""
        self.count = np.zeros((len(_COUNTED), self.world.days), np.int32)
        self.sent = np.zeros(3, np.int32)
        run.tables |= dict(zip(_COUNTED, self.count, strict=True))

    def receive(self, run: Run) -> None:
        """Arms are handed in, infiltrators follow, and suspects are found."""
        guests = run.view(Guests)
        if not guests.used[0] or not len(self.agents):
            return
        town, day = run.view(Town), run.day
        if town.registered[0]:
            self._register(run)
        _screen(
            run.key,
            _SUSPECT,
            run.records,
            day,
            run.view(Guests),
            town,
            *self.finding,
            self.count[:, day],
        )

    def _register(self, run: Run) -> None:
        """See to those registered today, and send some after them."""
        key, records, day = run.key, run.records, run.day
        guests = with_room(run.view(Guests), int(run.view(Town).registered[0]))
        run.share(guests)
        _register(key, _ARMS, records, day, guests, *self.arms)
        self.sent[:] = 0
        _send(
            key,
            _SEND,
            records,
            day,
            guests,
            run.view(Journeys).route,
            self.agents,
            self.names,
            *self.sending,
            self.scheme[day],
            self.morale,
            self.sent,
        )
        run.tables["arrived_soldiers"][day] += self.sent[0]
