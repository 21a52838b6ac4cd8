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
    EV_PUT_OUT,
    EV_REGISTERED,
    EV_RELOCATED,
    EV_SLIPPED,
    EV_TOOK_OFFER,
    EV_UPRISING_COLLAPSED,
    EV_UPRISING_STALEMATE,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, room_left
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.journeys import FAMILY, Journeys
from breakrank.mechanisms.lodging import (
    IDLE_DAYS,
    IN_SITE,
    SETTLED,
    STAYS,
    Guests,
    Sites,
    Town,
    add_guest,
    clear_out,
    enrolled,
    find_places,
    find_sites,
    funds_by_day,
    in_care,
    in_town,
    let_go,
    no_guests,
    with_room,
)
from breakrank.outputs import CURRENCY, Measure, MeasureSource, daily, level, money, stock
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number
from breakrank.units import THOUSAND

_NOBODY = int(NOBODY)
_ARRIVE = int(decision("reception.arrive"))
_ROWS, _ROWS_A_GUEST = 1 << 12, 8
"""Rows of the log that an evening may fill: so many, and some for each guest."""
_SPARE = 256
_ARRIVED = ("arrived_soldiers", "arrived_relatives", "arrived_children")

CHILDREN = 0.55
"""Share of the relatives along who are under 18.

Relatives were counted in Venezuela 2019, ages were not. Most leavers are young fathers; a wife and one or two
small children is the usual company."""
TENSE = 1.0
"""Tension from which the authorities move people elsewhere, as fast as the field dispersal says: its unit."""
TENSION_DAYS = 30
"""Days in which tension follows its causes to 63%.

In Venezuela 2019 they came at the end of February and a mayor's request is told two months later: a month to
build up and to wear off."""
_TENSION_EASE = 1 - math.exp(-1 / TENSION_DAYS)
_ROUNDING = 1e-9  # bills are sums of shares


class ReceptionAccount(Table):
    """What is written down of every day, and what it is reckoned from.

    Written: ``arrived`` (soldiers relatives children, day); ``cost`` and ``unpaid`` (day, payer); ``meals``
    (day,); ``morale`` and ``tension`` gauges. Of today alone: ``waiting`` (2,) those waiting to be registered
    and families in care; ``stays`` (soldiers relatives, stay); ``at_site`` (soldiers relatives children,
    site); ``enrolled`` (soldiers relatives), who is in the programme. Read: ``funds`` (day, payer), given so
    far;
    ``numbers`` and ``incident``, tension that 1,000 idle persons and an incident make.
    """

    arrived: NDArray[np.int32] = array("person", "day")
    cost: NDArray[np.float32] = array("day", "payer")
    unpaid: NDArray[np.float32] = array("day", "payer")
    meals: NDArray[np.int32]
    morale: NDArray[np.float32]
    tension: NDArray[np.float32]
    waiting: NDArray[np.int32]
    stays: NDArray[np.int32] = array("person", "stay")
    at_site: NDArray[np.int32] = array("person", "site")
    enrolled: NDArray[np.int32]
    funds: NDArray[np.float64] = array("day", "payer")
    numbers: float
    incident: float = number("reception.tension_incident")


@lean
def bill(sites: Sites, town: Town, funds: NDArray[np.float64], house: NDArray[np.int64]) -> None:
    """Reckon up a day: what each payer owes for the people `house` (site,), and what their funds cover."""
    sites_n, payers = sites.share.shape
    town.due[:] = 0.0
    town.meals[0] = 0.0
    for s in range(sites_n):
        town.meals[0] += house[s] * sites.rations[s]
        for p in range(payers):
            town.due[p] += house[s] * sites.cost[s] * sites.share[s, p]
    for p in range(payers):
        town.paid[p] = min(town.due[p], max(funds[p] - town.spent[p], 0.0))
        town.spent[p] += town.paid[p]
    for s in range(sites_n):
        owed = 0.0
        for p in range(payers):
            if town.due[p] > 0:
                owed += sites.share[s, p] * (1.0 - town.paid[p] / town.due[p])
            elif town.spent[p] >= funds[p]:
                owed += sites.share[s, p]  # nobody there, and no money to take anyone in
        town.owed[s] = owed if sites.cost[s] > 0 else 0.0
        town.unpaid[s] = town.unpaid[s] + 1 if town.owed[s] > _ROUNDING else 0


@lean
def count_stays(g: Guests, account: ReceptionAccount) -> tuple[int, float, float]:
    """Let those go who are gone, and count who is where: by stay, at sites, in the programme, waiting.

    Returns households in care, and the sums of their morale and of their idleness (0 to 1, full after
    ``IDLE_DAYS``).
    """
    soldiers, relatives, at_site = account.stays[0], account.stays[1], account.at_site
    programme, waiting = account.enrolled, account.waiting
    let_go(g)
    for stay in range(soldiers.shape[0]):
        soldiers[stay] = g.gone[0, stay]
        relatives[stay] = g.gone[1, stay]
    at_site[:] = 0
    programme[:] = 0
    waiting[:] = 0
    care = 0
    morale = idle = 0.0
    for a in range(g.used[1]):
        k = g.here[a]
        stay = g.stay[k]
        soldiers[stay] += 1
        relatives[stay] += g.relatives[k]
        if stay <= SETTLED and g.registered[k] < 0:
            waiting[0] += 1
        if enrolled(g, k):
            programme[0] += 1
            programme[1] += g.relatives[k]
        if in_care(stay):
            care += 1
            waiting[1] += g.relatives[k] > 0
            morale += g.morale[k]
            idle += min(g.idle[k] / IDLE_DAYS, 1.0)
        if stay == IN_SITE:
            at_site[0, g.site[k]] += 1
            at_site[1, g.site[k]] += g.relatives[k]
            at_site[2, g.site[k]] += g.children[k]
    return care, morale, idle


class Host(Table):
    """Who is taken in, and what may move people out of their sites; by the case.

    ``host`` and ``embassy`` (route,); of a family ``along`` come, a share. By day: ``offer`` and
    ``dispersal`` daily chances; ``private`` a chance. ``house`` (site,) room to reckon in.
    """

    host: NDArray[np.bool_]
    embassy: NDArray[np.bool_]
    along: float = number("reception.relatives")
    offer: NDArray[np.float64] = array("day")
    dispersal: NDArray[np.float64] = array("day")
    private: float = number("reception.private")
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
    account: ReceptionAccount,
    records: RunRecords,
) -> None:
    """Those who crossed today come in with their relatives, and who was registered is on record.

    Today's log tells it, and who is in an embassy, and who rose in vain. Who leaves with their family brings
    at least one of them.
    """
    day, arrived = now.day, account.arrived
    town.registered[0] = town.incidents[0] = 0
    town.risen[0] = town.neglected[0] = 0.0
    for row in range(now.first, records.cursor[0]):
        event = records.event[row]
        i = records.who[row]
        if event == EV_EMBASSY:
            town.inside[records.place[row]] += 1
        elif event in (EV_UPRISING_COLLAPSED, EV_UPRISING_STALEMATE):
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
            small = min(int(relatives * CHILDREN + young), relatives)
            add_guest(g, i, records.identity[i], day, relatives, small, False)
            arrived[0, day] += 1
            arrived[1, day] += relatives
            arrived[2, day] += small


@lean
def _lodge(
    now: Now, h: Host, g: Guests, journeys: Journeys, sites: Sites, town: Town, records: RunRecords
) -> None:
    """Some have to leave their site or want to; everyone without a place looks for one."""
    if g.used[0] == 0:
        return
    dispersal = h.dispersal[now.day] if town.tension[0] > TENSE else 0.0
    clear_out(now, records, g, sites, town, h.offer[now.day], dispersal)
    find_places(now, records, g, journeys, sites, town, h.private)


@lean
def _close_day(now: Now, h: Host, g: Guests, sites: Sites, town: Town, account: ReceptionAccount) -> None:
    """Count who is where, pay the bills, write the day down, and see how the town takes it."""
    day, stays, at_site, house = now.day, account.stays, account.at_site, h.house
    care, morale, idle = count_stays(g, account)
    for s in range(house.shape[0]):
        if sites.crossing[s] >= 0:
            at_site[0, s] = town.inside[sites.crossing[s]]
        # an embassy outside its dates costs nobody anything
        house[s] = at_site[0, s] + at_site[1, s] if sites.open[day, s] else 0
    bill(sites, town, account.funds[day], house)
    persons = 0
    for stay in range(SETTLED):
        persons += stays[0, stay] + stays[1, stay]
    town.care[0] = persons
    causes = account.numbers * persons / THOUSAND * (idle / care if care else 0.0)
    town.tension[0] += (causes - town.tension[0]) * _TENSION_EASE
    town.tension[0] += account.incident * town.incidents[0]
    for p in range(town.due.shape[0]):
        account.cost[day, p] = town.due[p]
        account.unpaid[day, p] = town.due[p] - town.paid[p]
    account.meals[day] = round(town.meals[0])
    hold(account.morale, day, morale / care if care else np.nan)
    hold(account.tension, day, town.tension[0])


class Reception(Mechanism):
    """Registration, lodging, rations, money and the town. Off: nobody is received, and no one counts."""

    name = "reception"
    subsystem = 13
    parameters = parameters_of(name, "the host lodges and feeds those who came over")
    outputs = (
        daily("arrived_soldiers", "Crossed to the host"),
        daily("arrived_relatives", "Relatives who came along", unit="relatives"),
        daily("arrived_children", "Children who came along", unit="children"),
        stock("awaiting_registration", "Waiting to be registered"),
        stock("stay_soldiers", "Where soldiers at the host are at dusk", by=("stay",), measure=None),
        stock("stay_relatives", "Where their relatives are at dusk", "relatives", by=("stay",), measure=None),
        stock("site_soldiers", "Soldiers in sites at dusk", by=("site",), measure=None),
        stock("site_relatives", "Relatives in sites at dusk", "relatives", by=("site",), measure=None),
        stock("site_children", "Children in sites at dusk", "children", by=("site",), measure=None),
        stock("programme_soldiers", "Soldiers in the host's programme at dusk", measure=None),
        stock("programme_relatives", "Their relatives in it", "relatives", measure=None),
        stock("families", "Households with relatives in the host's care", "families"),
        daily("meals", "Meals", unit="meals"),
        money("cost", "Cost of the sites"),
        money("unpaid", "Cost not covered by funds"),
        daily("evicted", "Evicted from a site", EV_PUT_OUT, primary=10),
        daily("relocated", "Moved elsewhere by the authorities", EV_RELOCATED),
        daily("took_offer", "Left a site for an offer", EV_TOOK_OFFER),
        level("morale", "Morale of those in the host's care", "fraction"),
        level("tension", "Tension with the town", "tension"),
    )
    measures = (
        Measure(
            "arrived", "Arrived at the host", "soldiers", "total", {"": MeasureSource("arrived_soldiers")}
        ),
        Measure(
            "relatives_ratio",
            "Relatives who came along, per soldier",
            "ratio",
            "quotient",
            {"": MeasureSource("arrived_relatives")},
            over="arrived_soldiers",
        ),
        Measure(
            "in_sites",
            "Soldiers in sites",
            "soldiers",
            "level",
            {"": MeasureSource("stay_soldiers", {"stay": "site"}), "site": MeasureSource("site_soldiers")},
        ),
        Measure(
            "persons_in_sites",
            "Persons in sites",
            "persons",
            "level",
            {
                "": MeasureSource("stay_soldiers", {"stay": "site"}, ("stay_relatives",)),
                "site": MeasureSource("site_soldiers", also=("site_relatives",)),
            },
        ),
        Measure(
            "in_programme",
            "Soldiers in the host's programme",
            "soldiers",
            "level",
            {"": MeasureSource("programme_soldiers")},
        ),
        Measure(
            "persons_in_programme",
            "Persons in the host's programme",
            "persons",
            "level",
            {"": MeasureSource("programme_soldiers", also=("programme_relatives",))},
        ),
        Measure(
            "cost_per_day",
            "Cost of the sites per day",
            f"{CURRENCY} per day",
            "level",
            {"": MeasureSource("cost"), "payer": MeasureSource("cost")},
        ),
    )
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
        self.funds = funds_by_day(world, world["reception.funding"])
        chance = 1 - (1 - world["reception.offer"]) ** (world.daily("departure_offer") / 100)
        crossings = case.crossings
        self.host = Host(
            host=np.array([c.host for c in crossings], np.bool_),
            embassy=np.array([c.kind == "embassy" for c in crossings], np.bool_),
            offer=chance,
            dispersal=world.daily("dispersal"),
            house=np.zeros(len(self.sites.places), np.int64),
        )
        self.given = (self.sites,)

    def begin(self, run: Run) -> None:
        """Nobody has come, and nothing is spent."""
        days, sites, payers = self.world.days, len(self.sites.places), self.funds.shape[1]
        self.guests = no_guests(run.column("reception.row", np.int32))
        run.share(self.guests)
        length = {"persons": sites, "unpaid": sites, "owed": sites, "inside": len(self.host.host)}
        length |= {"spent": payers, "due": payers, "paid": payers}
        self.town = Town.of_zeros(length)
        run.share(self.town)
        run.share(self.host.copy())
        account = ReceptionAccount(
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
            numbers=self.world["reception.tension_numbers"] / self.world.scale,
        )
        account.tension[:] = 0.0
        run.share(account)
        run.tables |= dict(zip(_ARRIVED, account.arrived, strict=True))
        run.tables |= {"meals": account.meals, "cost": account.cost, "unpaid": account.unpaid}
        # Counted every evening; the arrays stay the same and their contents change.
        for k, name in enumerate(("awaiting_registration", "families")):
            run.stocks[name] = account.waiting[k : k + 1].reshape(())
        run.stocks["stay_soldiers"], run.stocks["stay_relatives"] = account.stays
        for k, name in enumerate(("site_soldiers", "site_relatives", "site_children")):
            run.stocks[name] = account.at_site[k]
        for k, name in enumerate(("programme_soldiers", "programme_relatives")):
            run.stocks[name] = account.enrolled[k : k + 1].reshape(())

    def _make_room(self, run: Run) -> None:
        with_room(run.view(Guests), int(run.records.cursor[0]) - run.mark + _SPARE)
        run.make_room(2 * _ROWS + 2 * _ROWS_A_GUEST * int(self.guests.used[1]))
