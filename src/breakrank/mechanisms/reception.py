"""Reception: who came over is registered, lodged and fed, as far as places and money go.

Households stay together and are lodged in the order of their coming at the first site that has room for
them and admits them; who finds none is taken in privately or is on the street. Sites cost money for each
person and day; when a payer's funds have run out, bills stay open and the sites put people out by and by.
Tension with the town grows with the numbers in its care, their idleness, and incidents (on natives' concern
about numbers and amenities: Card, Dustmann and Preston 2012), and may have the authorities move people
elsewhere.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniforms
from breakrank.engine.codes import (
    EV_CROSSED,
    EV_EMBASSY,
    EV_REGISTERED,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_SLIPPED,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, room_left
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.exile_parameters import MORALE
from breakrank.mechanisms.guest_table import STAYS, Guests, add_guest, in_town, no_guests, with_room
from breakrank.mechanisms.journeys import FAMILY, Journeys
from breakrank.mechanisms.lodging import Sites, Town, clear_out, find_places, quiet_town
from breakrank.mechanisms.reception_accounts import ReceptionAccount, Temper, close_day
from breakrank.mechanisms.reception_parameters import (
    CHILDREN,
    EVICTION,
    FUNDING,
    MEASURES,
    OFFER,
    OUTPUTS,
    PRIVATE,
    RECEPTION_PARAMETERS,
    RELATIVES,
    TENSE,
    TENSION_DAYS,
    TENSION_INCIDENT,
    TENSION_NUMBERS,
)
from breakrank.mechanisms.sites import embassies, find_sites, funds_by_day
from breakrank.spec import Field
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_ARRIVE = int(decision("reception.arrive"))
_ROWS, _ROWS_A_GUEST = 1 << 12, 8
"""Rows of the log that an evening may fill: so many, and some for each guest."""
_SPARE = 256
_ARRIVED = ("arrived_soldiers", "arrived_relatives", "arrived_children")


class Host(Table):
    """Who is taken in, and what may move people out of their sites; see ``reception_parameters``.

    ``host`` and ``embassy`` (route,); of a family ``along`` come, and of these ``children`` are, shares;
    ``morale`` on coming. By day: ``offer`` and ``dispersal`` daily chances; ``eviction`` and ``private``
    chances. ``arrived`` (soldiers relatives children) today; ``house`` (site,) room to reckon in.
    """

    host: NDArray[np.bool_]
    embassy: NDArray[np.bool_]
    along: float
    children: float
    morale: float
    offer: NDArray[np.float64] = array("day")
    dispersal: NDArray[np.float64] = array("day")
    eviction: float
    private: float
    arrived: NDArray[np.int32]
    house: NDArray[np.int64]


@lean
def _needs_room(now: Now, g: Guests, records: RunRecords) -> bool:
    """Return whether there is too little room for those who come today, and for what they will do."""
    full = g.used[0] + records.cursor[0] - now.first > g.here.shape[0]
    return full or room_left(records) < _ROWS + _ROWS_A_GUEST * g.used[1]


@lean
def _take_in(
    now: Now,
    h: Host,
    g: Guests,
    journeys: Journeys,
    soldiers: Soldiers,
    town: Town,
    records: RunRecords,
) -> None:
    """Those who crossed today come in with their relatives, and who was registered is on record.

    Today's log tells it, and who is in an embassy, and who rose in vain. Who leaves with his family brings
    at least one of them.
    """
    day, arrived = now.day, h.arrived
    arrived[:] = 0
    town.registered[0] = town.incidents[0] = 0
    town.risen[0] = town.neglected[0] = 0.0
    for row in range(now.first, records.cursor[0]):
        event = records.event[row]
        i = records.who[row]
        if event == EV_EMBASSY:
            town.inside[records.place[row]] += 1
        elif event in (EV_RISING_COLLAPSED, EV_RISING_STALEMATE):
            town.risen[0] = max(town.risen[0], records.value[row])
        elif event == EV_REGISTERED:
            if g.row[i] > 0 and in_town(g.stay[g.row[i] - 1]):
                g.registered[g.row[i] - 1] = day
                town.registered[0] += 1
        elif event == EV_CROSSED:
            place = records.place[row]
            if h.embassy[place]:
                town.inside[place] -= 1
            slips = row + 1 < records.cursor[0] and records.event[row + 1] == EV_SLIPPED
            if not h.host[place] or (slips and records.who[row + 1] == i):
                continue
            come, young, _, _ = uniforms(now.key, _ARRIVE, records.identity[i], _NOBODY, day)
            family = int(soldiers.dependants[i]) if journeys.mode[i] == FAMILY else 0
            relatives = min(max(int(family * h.along + come), min(family, 1)), family)
            small = min(int(relatives * h.children + young), relatives)
            add_guest(g, i, records.identity[i], day, relatives, small, False, h.morale)
            arrived[0] += 1
            arrived[1] += relatives
            arrived[2] += small


@lean
def _lodge(
    now: Now, h: Host, g: Guests, journeys: Journeys, sites: Sites, town: Town, records: RunRecords
) -> None:
    """Some have to leave their site or want to; everyone without a place looks for one."""
    if g.used[0] == 0:
        return
    dispersal = h.dispersal[now.day] if town.tension[0] > TENSE else 0.0
    clear_out(now, records, g, sites, town, h.eviction, h.offer[now.day], dispersal)
    find_places(now, records, g, journeys, sites, town, h.private)


@lean
def _close_day(
    now: Now, h: Host, g: Guests, sites: Sites, town: Town, account: ReceptionAccount, temper: Temper
) -> None:
    """Count who is where, reckon up what the day cost, and see how the town takes it."""
    close_day(now.day, g, sites, town, account, temper, h.arrived, h.house)


class Reception(Mechanism):
    """Registration, lodging, rations, money and the town. Off: nobody is received, and no one counts."""

    name = "reception"
    subsystem = 13
    parameters = RECEPTION_PARAMETERS
    outputs = OUTPUTS
    measures = MEASURES
    fields = (
        Field(
            "departure_offer", "currency", 0, 100_000, "sum offered to those who leave their site", (), 0.0
        ),
        Field(
            "dispersal",
            "per day",
            0,
            1,
            "share of a site's people moved elsewhere each day while tension with the town is high",
            (),
            0.0,
        ),
    )

    steps = (
        Step("travel", _needs_room, then="_make_room"),
        Step("travel", _take_in),
        Step("receive", _lodge),
        Step("dusk", _close_day),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        case = world.case
        self.sites: Sites = find_sites(world)
        embassies_of, self.covered = embassies(world)
        self.crossing = np.full(len(self.sites.places), -1, np.int64)
        for site, (crossing,) in embassies_of:
            self.crossing[site] = crossing
        self.funds = funds_by_day(world, world[FUNDING.name])
        chance = 1 - (1 - world[OFFER.name]) ** (world.daily("departure_offer") / 100)
        crossings = case.crossings
        self.host = Host(
            host=np.array([c.host for c in crossings], np.bool_),
            embassy=np.array([c.kind == "embassy" for c in crossings], np.bool_),
            along=world[RELATIVES.name],
            children=world[CHILDREN.name],
            morale=world[MORALE.name],
            offer=chance,
            dispersal=world.daily("dispersal"),
            eviction=world[EVICTION.name],
            private=world[PRIVATE.name],
            arrived=np.zeros(3, np.int32),
            house=np.zeros(len(self.sites.places), np.int64),
        )
        self.temper = Temper(
            world[TENSION_NUMBERS.name] / world.scale,
            world["exile.idle_days"],
            world[TENSION_INCIDENT.name],
            1 - math.exp(-1 / world[TENSION_DAYS.name]),
        )
        self.given = (self.sites, self.temper)

    def begin(self, run: Run) -> None:
        """Nobody has come, and nothing is spent."""
        days, sites, payers = self.world.days, len(self.sites.places), self.funds.shape[1]
        self.guests = no_guests(run.column("reception.row", np.int32))
        run.share(self.guests)
        self.town = quiet_town(sites, payers, len(self.host.host))
        run.share(self.town)
        run.share(self.host.copy())
        self.account = account = ReceptionAccount(
            arrived=np.zeros((3, days), np.int32),
            cost=np.zeros((days, payers), np.float32),
            unpaid=np.zeros((days, payers), np.float32),
            meals=np.zeros(days, np.int32),
            morale=run.gauge("morale"),
            tension=run.gauge("tension"),
            stays=np.zeros((2, len(STAYS)), np.int32),
            at_site=np.zeros((3, sites), np.int32),
            enrolled=np.zeros(2, np.int32),
            waiting=np.zeros(2, np.int32),
            funds=self.funds,
            covered=self.covered,
            crossing=self.crossing,
        )
        account.tension[:] = 0.0
        run.share(account)
        run.tables |= dict(zip(_ARRIVED, account.arrived, strict=True))
        run.tables |= {"meals": account.meals, "cost": account.cost, "unpaid": account.unpaid}
        # Counted every evening; the arrays stay the same and their contents change.
        for k, name in enumerate(("desk_waiting", "families")):
            run.stocks[name] = account.waiting[k : k + 1].reshape(())
        run.stocks["stay_soldiers"], run.stocks["stay_relatives"] = account.stays
        for k, name in enumerate(("site_soldiers", "site_relatives", "site_children")):
            run.stocks[name] = account.at_site[k]
        for k, name in enumerate(("programme_soldiers", "programme_relatives")):
            run.stocks[name] = account.enrolled[k : k + 1].reshape(())

    def _make_room(self, run: Run) -> None:
        with_room(run.view(Guests), int(run.records.cursor[0]) - run.mark + _SPARE)
        run.make_room(2 * _ROWS + 2 * _ROWS_A_GUEST * int(self.guests.used[1]))
