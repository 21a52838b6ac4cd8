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
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.exile_parameters import MORALE
from breakrank.mechanisms.guest_table import STAYS, Guests, add_guest, in_town, no_guests, with_room
from breakrank.mechanisms.journeys import FAMILY, Journeys
from breakrank.mechanisms.lodging import Sites, Town, lodge, quiet_town
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

_NOBODY = int(NOBODY)
_ARRIVE = int(decision("reception.arrive"))
_LODGE = int(decision("reception.lodge"))
_ARRIVED = ("arrived_soldiers", "arrived_relatives", "arrived_children")


@lean
def _take_in(
    key: np.uint64,
    name: int,
    records: RunRecords,
    first: int,
    day: int,
    g: Guests,
    mode: NDArray[np.uint8],
    dependants: NDArray[np.uint8],
    host: NDArray[np.bool_],
    embassy: NDArray[np.bool_],
    town: Town,
    along: float,
    children: float,
    morale: float,
    arrived: NDArray[np.int32],
) -> None:
    """Read today's log: who crossed to the host or was registered, who is in an embassy, who rose in vain.

    Who leaves with his family brings at least one of them.
    """
    for row in range(first, records.cursor[0]):
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
            if embassy[place]:
                town.inside[place] -= 1
            slips = row + 1 < records.cursor[0] and records.event[row + 1] == EV_SLIPPED
            if not host[place] or (slips and records.who[row + 1] == i):
                continue
            come, young, _, _ = uniforms(key, name, records.identity[i], _NOBODY, day)
            family = int(dependants[i]) if mode[i] == FAMILY else 0
            relatives = min(max(int(family * along + come), min(family, 1)), family)
            small = min(int(relatives * children + young), relatives)
            add_guest(g, i, records.identity[i], day, relatives, small, False, morale)
            arrived[0] += 1
            arrived[1] += relatives
            arrived[2] += small


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

    def __init__(self, world: World) -> None:
        super().__init__(world)
        case = world.case
        self.host = np.array([c.host for c in case.crossings], np.bool_)
        self.embassy = np.array([c.kind == "embassy" for c in case.crossings], np.bool_)
        self.sites: Sites = find_sites(world)
        embassies_of, self.covered = embassies(world)
        self.crossing = np.full(len(self.sites.places), -1, np.int64)
        for site, (crossing,) in embassies_of:
            self.crossing[site] = crossing
        self.funds = funds_by_day(world, world[FUNDING.name])
        chance = 1 - (1 - world[OFFER.name]) ** (world.daily("departure_offer") / 100)
        self.offer = chance.tolist()
        self.dispersal = world.daily("dispersal").tolist()
        self.eviction = world[EVICTION.name]
        self.private = world[PRIVATE.name]
        self.family = world[RELATIVES.name], world[CHILDREN.name], world[MORALE.name]
        ease = 1 - math.exp(-1 / world[TENSION_DAYS.name])
        self.temper = Temper(
            world[TENSION_NUMBERS.name] / world.scale,
            world["exile.idle_days"],
            world[TENSION_INCIDENT.name],
            ease,
        )

    def begin(self, run: Run) -> None:
        """Nobody has come, and nothing is spent."""
        days, sites, payers = self.world.days, len(self.sites.places), self.funds.shape[1]
        self.guests = no_guests(run.column("reception.row", np.int32))
        run.share(self.guests)
        self.town = quiet_town(sites, payers, len(self.host))
        run.share(self.town)
        run.share(self.sites)
        self.arrived = np.zeros(3, np.int32)
        self.waiting, self.families = np.zeros((), np.int32), np.zeros((), np.int32)
        self.house = np.zeros(sites, np.int64)
        self.account = account = ReceptionAccount(
            arrived=np.zeros((3, days), np.int32),
            cost=np.zeros((days, payers), np.float32),
            unpaid=np.zeros((days, payers), np.float32),
            stays=np.zeros((2, len(STAYS)), np.int32),
            at_site=np.zeros((3, sites), np.int32),
            enrolled=np.zeros(2, np.int32),
            funds=self.funds,
            covered=self.covered,
            crossing=self.crossing,
        )
        run.tables |= dict(zip(_ARRIVED, account.arrived, strict=True))
        run.tables |= {"meals": np.zeros(days, np.int32), "cost": account.cost, "unpaid": account.unpaid}
        # Counted every evening; the arrays stay the same and their contents change.
        run.stocks["desk_waiting"], run.stocks["families"] = self.waiting, self.families
        run.stocks["stay_soldiers"], run.stocks["stay_relatives"] = account.stays
        for k, name in enumerate(("site_soldiers", "site_relatives", "site_children")):
            run.stocks[name] = account.at_site[k]
        for k, name in enumerate(("programme_soldiers", "programme_relatives")):
            run.stocks[name] = account.enrolled[k : k + 1].reshape(())
        run.gauge("morale", float("nan"))
        run.gauge("tension", 0.0)

    def travel(self, run: Run) -> None:
        """Those who crossed today come in with their relatives, and who was registered is on record."""
        self.guests = with_room(run.view(Guests), int(run.records.cursor[0]) - run.mark + 256)
        run.share(self.guests)
        run.make_room(8 * int(self.guests.used[1]) + 4096)
        self.arrived[:] = 0
        town = self.town
        town.registered[0] = town.incidents[0] = town.risen[0] = town.neglected[0] = 0
        _take_in(
            run.key,
            _ARRIVE,
            run.records,
            run.mark,
            run.day,
            self.guests,
            run.view(Journeys).mode,
            self.world.force.dependants,
            self.host,
            self.embassy,
            self.town,
            *self.family,
            self.arrived,
        )

    def receive(self, run: Run) -> None:
        """Some have to leave their site or want to; everyone without a place looks for one."""
        if not self.guests.used[0]:
            return
        day = run.day
        tense = self.town.tension[0] > TENSE
        lodge(
            run.key,
            _LODGE,
            run.records,
            day,
            self.guests,
            self.sites,
            self.town,
            self.eviction,
            self.offer[day],
            self.dispersal[day] if tense else 0.0,
            self.private,
        )

    def dusk(self, run: Run) -> None:
        """Count who is where, reckon up what the day cost, and see how the town takes it."""
        self.waiting[()], self.families[()], morale = close_day(
            run.day,
            self.guests,
            self.sites,
            self.town,
            self.account,
            self.temper,
            self.arrived,
            self.house,
        )
        run.tables["meals"][run.day] = round(float(self.town.meals[0]))
        run.gauge("morale", morale)
        run.gauge("tension", self.town.tension[0])
