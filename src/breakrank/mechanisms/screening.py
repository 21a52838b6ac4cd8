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
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.exile_parameters import CAUGHT, MORALE
from breakrank.mechanisms.guest_table import EXPELLED as PUT_ACROSS
from breakrank.mechanisms.guest_table import HELD as IN_CUSTODY
from breakrank.mechanisms.guest_table import NOT_PLACED, Guests, add_guest, in_town
from breakrank.mechanisms.journeys import Journeys
from breakrank.mechanisms.lodging import Town, leave_site
from breakrank.mechanisms.reception_accounts import ReceptionAccount
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
from breakrank.table import Table, array

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


class Screen(Table):
    """Whom the services send, and what the host's screening finds; see ``screening_parameters``.

    ``agents`` positions of those who can be sent, ``identities`` theirs, in a force of ``strength``;
    ``scheme`` (day,) whether the host registers; ``count`` (found wrongly suspected expelled, day).
    """

    agents: NDArray[np.int64]
    identities: NDArray[np.uint32]
    strength: float
    scheme: NDArray[np.float64] = array("day")
    count: NDArray[np.int32] = array("outcome", "day")
    armed: float
    keeps: float
    wrong: float
    sent: float
    found: float
    expels: float
    held: int
    caught: float
    morale: float


@lean
def _receive(
    now: Now,
    s: Screen,
    g: Guests,
    town: Town,
    account: ReceptionAccount,
    journeys: Journeys,
    records: RunRecords,
) -> None:
    """Arms are handed in, infiltrators follow, and suspects are found."""
    if g.used[0] == 0 or s.agents.shape[0] == 0:
        return
    if town.registered[0]:
        _register(now, s, g, records)
        account.arrived[0, now.day] += _send(now, s, g, journeys, records)
    _find(now, s, g, town, records)


@lean
def _register(now: Now, s: Screen, g: Guests, records: RunRecords) -> None:
    """Who registers today hands in the weapon he brought, or keeps it; some will be suspected in time."""
    for a in range(g.used[1]):
        k = g.here[a]
        if g.registered[k] != now.day or g.spy[k] or not in_town(g.stay[k]):
            continue
        i = g.who[k]
        brings, holds, suspected, _ = uniforms(now.key, _ARMS, g.identity[k], _NOBODY, now.day)
        wait = _in_days(suspected, s.wrong)
        g.suspect[k] = now.day + wait if wait > 0 else -1
        if brings < s.armed:
            g.armed[k] = holds < s.keeps
            if not g.armed[k]:
                record(records, now.day, i, EV_DISARMED, -1, -1, 0.0)


@lean
def _send(now: Now, s: Screen, g: Guests, journeys: Journeys, records: RunRecords) -> int:
    """For some who register today the services send one of their own; return how many they send."""
    day, arrived = now.day, 0
    for a in range(g.used[1]):  # grows by those sent, who are sent after nobody
        k = g.here[a]
        if g.registered[k] != day or g.spy[k]:
            continue
        i = g.who[k]
        chance, which, suspected, _ = uniforms(now.key, _SEND, g.identity[k], _NOBODY, day)
        if chance >= s.sent:
            continue
        # The next identity from a point on, so that a soldier more or less moves no other pick.
        at = np.searchsorted(s.identities, np.uint32(which * s.strength))
        agent = s.agents[min(at, s.agents.shape[0] - 1)]
        if records.fate[agent] != SERVING:
            continue
        way = int(journeys.route[i])
        journeys.route[agent] = way
        move(records, day, agent, ABROAD, EV_SENT, way, -1, 0.0)
        move(records, day, agent, REGISTERED, EV_REGISTERED, way, agent, s.scheme[day])
        row = add_guest(g, agent, records.identity[agent], day, 0, 0, True, s.morale)
        wait = _in_days(suspected, s.found)
        g.registered[row], g.suspect[row] = day, (day + wait if wait > 0 else -1)
        arrived += 1
    return arrived


@lean
def _find(now: Now, s: Screen, g: Guests, town: Town, records: RunRecords) -> None:
    """Find infiltrators, take innocents for them, and let go or expel who has been held for long enough.

    That somebody is expelled is an incident.
    """
    day = now.day
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
        outcome, over, _, _ = uniforms(now.key, _SUSPECT, g.identity[k], _NOBODY, day)
        if not released:
            s.count[0 if spy else 1, day] += 1
            leave_site(g, k, town)
            g.since[k] = day
            if outcome >= s.expels:
                g.stay[k], g.until[k] = IN_CUSTODY, day + s.held
                record(records, day, i, EV_HELD, -1, -1, told)
                continue
        s.count[2, day] += 1
        g.stay[k], g.since[k], g.lost[k] = PUT_ACROSS, day, True
        if spy:
            move(records, day, i, SERVING, EV_EXPELLED, -1, -1, told)
        else:
            taken = over < s.caught
            move(
                records, day, i, IMPRISONED if taken else ABROAD, EV_EXPELLED, -1, -1, TAKEN if taken else 0.0
            )
    town.incidents[0] += s.count[2, day] > 0


class Screening(Mechanism):
    """Arms, infiltrators and suspects. Off: nobody is sent across, armed, or suspected."""

    name = "screening"
    subsystem = 13
    parameters = SCREENING_PARAMETERS
    outputs = OUTPUTS

    steps = (Step("receive", _receive),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        below = world.tier[world.force.rank] < OFFICER
        agents = np.flatnonzero(world.intelligence & below)
        self.agents = agents if len(agents) else np.flatnonzero(below)
        self.names = world.force.identity[self.agents]
        self.scheme = (world.daily("registration") >= 0.5).astype(np.float64)

    def begin(self, run: Run) -> None:
        """Nobody has been found."""
        world = self.world
        screen = Screen(
            agents=self.agents,
            identities=self.names,
            strength=world["force.strength"],
            scheme=self.scheme,
            count=np.zeros((len(_COUNTED), world.days), np.int32),
            armed=world[ARMED.name],
            keeps=world[KEEPS.name],
            wrong=world[WRONG.name],
            sent=world[SENT.name],
            found=world[FOUND.name],
            expels=world[EXPELS.name],
            held=int(world[HELD.name]),
            caught=world[CAUGHT.name],
            morale=world[MORALE.name],
        )
        run.share(screen)
        run.tables |= dict(zip(_COUNTED, screen.count, strict=True))
