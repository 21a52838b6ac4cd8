"""Infiltrators among those who come: some are sent and found, and innocents are taken for them.

The services send some of their own across for those who leave (Greitens 2016 on what coercive services are
for; Lankov 2013 on agents among defectors). The host's screening finds some and errs about others; it expels
whomever it suspects. What an infiltrator learns is not followed up. These are inner loops of
:mod:`breakrank.mechanisms.asylum`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniforms
from breakrank.engine.codes import (
    ABROAD,
    EV_EXPELLED,
    EV_REGISTERED,
    EV_SENT,
    IMPRISONED,
    REGISTERED,
    SERVING,
    TAKEN,
)
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now
from breakrank.kernel import lean
from breakrank.mechanisms.guest_table import EXPELLED, Guests, add_guest, in_town
from breakrank.mechanisms.journeys import Journeys
from breakrank.mechanisms.lodging import Town, leave_site
from breakrank.mechanisms.reception import ReceptionAccount
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_SEND = int(decision("screening.send"))
_SUSPECT = int(decision("screening.suspect"))


class Screen(Table):
    """Whom the services send, and what the host's screening finds.

    ``agents`` positions of those who can be sent, ``identities`` theirs, in a force of ``strength``;
    ``scheme`` (day,) whether the host registers; ``count`` (found wrongly suspected expelled, day). ``sent``
    a soldier who registers, ``found`` and ``wrong`` a day; ``caught`` chance that an innocent who is put
    across falls into the services' hands.
    """

    agents: NDArray[np.int64]
    identities: NDArray[np.uint32]
    strength: float
    scheme: NDArray[np.float64] = array("day")
    count: NDArray[np.int32] = array("outcome", "day")
    sent: float
    found: float
    wrong: float
    caught: float


@lean
def screen(
    now: Now,
    s: Screen,
    g: Guests,
    town: Town,
    account: ReceptionAccount,
    journeys: Journeys,
    records: RunRecords,
) -> None:
    """Infiltrators follow those who register, and suspects are expelled."""
    if g.used[0] == 0 or s.agents.shape[0] == 0:
        return
    if town.registered[0]:
        account.arrived[0, now.day] += _send(now, s, g, journeys, records)
    _expel(now, s, g, town, records)


@lean
def _send(now: Now, s: Screen, g: Guests, journeys: Journeys, records: RunRecords) -> int:
    """For some who register today the services send one of their own; return how many they send."""
    day, arrived = now.day, 0
    for a in range(g.used[1]):  # grows by those sent, who are sent after nobody
        k = g.here[a]
        if g.registered[k] != day or g.spy[k]:
            continue
        i = g.who[k]
        chance, which, _, _ = uniforms(now.key, _SEND, g.identity[k], _NOBODY, day)
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
        g.registered[add_guest(g, agent, records.identity[agent], day, 0, 0, True)] = day
        arrived += 1
    return arrived


@lean
def _expel(now: Now, s: Screen, g: Guests, town: Town, records: RunRecords) -> None:
    """Expel those who are suspected today, infiltrators and innocents. That it happens is an incident."""
    day = now.day
    for a in range(g.used[1]):
        k = g.here[a]
        if not in_town(g.stay[k]) or not 0 <= g.registered[k] < day:
            continue
        i, spy = g.who[k], bool(g.spy[k])
        suspected, taken, _, _ = uniforms(now.key, _SUSPECT, g.identity[k], _NOBODY, day)
        if suspected >= (s.found if spy else s.wrong):
            continue
        s.count[0 if spy else 1, day] += 1
        s.count[2, day] += 1
        leave_site(g, k, town)
        g.stay[k], g.since[k] = EXPELLED, day
        if spy:
            move(records, day, i, SERVING, EV_EXPELLED, -1, -1, 1.0)
        elif taken < s.caught:
            move(records, day, i, IMPRISONED, EV_EXPELLED, -1, -1, TAKEN)
        else:
            move(records, day, i, ABROAD, EV_EXPELLED, -1, -1, 0.0)
    town.incidents[0] += s.count[2, day] > 0
