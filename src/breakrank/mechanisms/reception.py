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
from breakrank.engine.books import Books
from breakrank.engine.codes import (
    EV_CROSSED,
    EV_EMBASSY,
    EV_REGISTERED,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_SLIPPED,
)
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.exile_parameters import MORALE
from breakrank.mechanisms.guest_table import STAYS, Guests, add_guest, in_town, no_guests, with_room
from breakrank.mechanisms.journeys import FAMILY, Journeys
from breakrank.mechanisms.lodging import Sites, Town, bill, count_stays, lodge
from breakrank.mechanisms.reception_parameters import (
    CHILDREN,
    EVICTION,
    FUNDING,
    GRACE,
    OFFER,
    PRIVATE,
    RECEPTION_PARAMETERS,
    RELATIVES,
    TENSION_DAYS,
    TENSION_IDLE,
    TENSION_INCIDENT,
    TENSION_LIMIT,
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
    books: Books,
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
    for row in range(first, books.cursor[0]):
        event = books.event[row]
        i = books.who[row]
        if event == EV_EMBASSY:
            town.inside[books.place[row]] += 1
        elif event in (EV_RISING_COLLAPSED, EV_RISING_STALEMATE):
            town.risen[0] = max(town.risen[0], books.value[row])
        elif event == EV_REGISTERED:
            if g.row[i] > 0 and in_town(g.stay[g.row[i] - 1]):
                g.registered[g.row[i] - 1] = day
                town.registered[0] += 1
        elif event == EV_CROSSED:
            place = books.place[row]
            if embassy[place]:
                town.inside[place] -= 1
            slips = row + 1 < books.cursor[0] and books.event[row + 1] == EV_SLIPPED
            if not host[place] or (slips and books.who[row + 1] == i):
                continue
            come, young, _, _ = uniforms(key, name, books.identity[i], _NOBODY, day)
            family = int(dependants[i]) if mode[i] == FAMILY else 0
            relatives = min(max(int(family * along + come), min(family, 1)), family)
            small = min(int(relatives * children + young), relatives)
            add_guest(g, i, books.identity[i], day, relatives, small, False, morale)
            arrived[0] += 1
            arrived[1] += relatives
            arrived[2] += small


class Reception(Mechanism):
    """Registration, lodging, rations, money and the town. Off: nobody is received, and no one counts."""

    name = "reception"
    subsystem = 13
    parameters = RECEPTION_PARAMETERS
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
        self.housed_by = [(site, crossing) for site, (crossing,) in embassies_of]
        self.funds = funds_by_day(world, world[FUNDING.name])
        chance = 1 - (1 - world[OFFER.name]) ** (world.daily("departure_offer") / 100)
        self.offer = chance.tolist()
        self.dispersal = world.daily("dispersal").tolist()
        self.ease = 1 - math.exp(-1 / world[TENSION_DAYS.name])

    def begin(self, run: Run) -> None:
        """Nobody has come, and nothing is spent."""
        days, sites, payers = self.world.days, len(self.sites.places), self.funds.shape[1]
        self.guests = no_guests(run.column("reception.row", np.int32))
        run.share(self.guests)
        self.town = Town(
            persons=np.zeros(sites, np.int64),
            spent=np.zeros(payers),
            due=np.zeros(payers),
            paid=np.zeros(payers),
            unpaid=np.zeros(sites, np.int64),
            owed=np.zeros(sites),
            tension=np.zeros(1),
            inside=np.zeros(len(self.host), np.int64),
            meals=np.zeros(1),
            registered=np.zeros(1, np.int64),
            incidents=np.zeros(1, np.int64),
            vacant=np.zeros(sites, np.int64),
            neglected=np.zeros(1),
            care=np.zeros(1),
            risen=np.zeros(1),
        )
        run.share(self.town)
        run.share(self.sites)
        self.arrived = np.zeros(3, np.int32)
        self.waiting, self.families = np.zeros((), np.int32), np.zeros((), np.int32)
        self.stays = np.zeros((2, len(STAYS)), np.int32)
        self.at_site = np.zeros((3, sites), np.int32)
        for name in (*_ARRIVED, "meals"):
            run.tables[name] = np.zeros(days, np.int32)
        for name in ("cost", "unpaid"):
            run.tables[name] = np.zeros((days, payers), np.float32)
        # Counted every evening; the arrays stay the same and their contents change.
        run.stocks["desk_waiting"], run.stocks["families"] = self.waiting, self.families
        run.stocks["stay_soldiers"], run.stocks["stay_relatives"] = self.stays[0], self.stays[1]
        for k, name in enumerate(("site_soldiers", "site_relatives", "site_children")):
            run.stocks[name] = self.at_site[k]
        run.gauge("morale", float("nan"))
        run.gauge("tension", 0.0)

    def travel(self, run: Run) -> None:
        """Those who crossed today come in with their relatives, and who was registered is on the books."""
        world, day = self.world, run.day
        self.guests = with_room(run.view(Guests), int(run.books.cursor[0]) - run.mark + 256)
        run.share(self.guests)
        run.make_room(8 * int(self.guests.used[1]) + 4096)
        self.arrived[:] = 0
        self.town.registered[0] = self.town.incidents[0] = 0
        self.town.risen[0] = self.town.neglected[0] = 0.0
        _take_in(
            run.key,
            _ARRIVE,
            run.books,
            run.mark,
            day,
            self.guests,
            run.view(Journeys).mode,
            world.force.dependants,
            self.host,
            self.embassy,
            self.town,
            world[RELATIVES.name],
            world[CHILDREN.name],
            world[MORALE.name],
            self.arrived,
        )

    def receive(self, run: Run) -> None:
        """Some have to leave their site or want to; everyone without a place looks for one."""
        if not self.guests.used[0]:
            return
        world, day = self.world, run.day
        tense = self.town.tension[0] > world[TENSION_LIMIT.name]
        lodge(
            run.key,
            _LODGE,
            run.books,
            day,
            self.guests,
            self.sites,
            self.town,
            int(world[GRACE.name]),
            world[EVICTION.name],
            self.offer[day],
            self.dispersal[day] if tense else 0.0,
            world[PRIVATE.name],
        )

    def dusk(self, run: Run) -> None:
        """Count who is where, reckon up what the day cost, and see how the town takes it."""
        day, inside = run.day, self.town.inside
        waiting, care, families, morale, idle = count_stays(
            self.guests, self.stays[0], self.stays[1], self.at_site
        )
        for site, crossing in self.housed_by:
            self.at_site[0, site] = inside[crossing]
        house = self.at_site[0].astype(np.int64) + self.at_site[1]
        bill(self.sites, self.town, self.funds[day], house * self.covered[day])
        self.town.care[0] = self.stays[:, :3].sum()
        self._tension(float(self.town.care[0]), idle / care if care else 0.0)
        tables, town = run.tables, self.town
        for k, name in enumerate(_ARRIVED):
            tables[name][day] += self.arrived[k]
        tables["meals"][day] = round(float(town.meals[0]))
        tables["cost"][day] = town.due
        tables["unpaid"][day] = town.due - town.paid
        self.waiting[()] = waiting
        self.families[()] = families
        run.gauge("morale", morale / care if care else float("nan"))
        run.gauge("tension", float(town.tension[0]))

    def _tension(self, persons: float, idle: float) -> None:
        """Tension follows numbers and idleness; a day with incidents adds to it."""
        world, tension = self.world, self.town.tension
        causes = world[TENSION_NUMBERS.name] * persons / 1000 * (1 + world[TENSION_IDLE.name] * idle)
        tension[0] += (causes - float(tension[0])) * self.ease
        tension[0] += world[TENSION_INCIDENT.name] * int(self.town.incidents[0])
