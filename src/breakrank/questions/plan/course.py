"""What happened in each run to those received at a place: people, places, money, files, day by day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from breakrank.case.changes import counterfactual
from breakrank.case.country import same_country
from breakrank.case.models_events import Changes
from breakrank.errors import UsageError
from breakrank.labels import IN_CARE
from breakrank.questions.plan.scope import hosts
from breakrank.results.measures import times as as_many

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.force_spec import Listing
    from breakrank.case.models_routes import Site
    from breakrank.questions.plan.scope import Period, Where
    from breakrank.results.result import Result


@dataclass(frozen=True, slots=True)
class PlanQuantity:
    """Something counted day by day; ``total`` names its sum over days, empty for what does not add up."""

    id: str
    label: str
    unit: str
    kind: Literal["daily", "stock"]
    total: str = ""


_TABLE = (
    PlanQuantity("arrivals", "Arrivals", "persons", "daily", "Arrivals"),
    PlanQuantity("arrived_soldiers", "Soldiers arriving", "soldiers", "daily", "Soldiers among them"),
    PlanQuantity("arrived_relatives", "Relatives arriving", "relatives", "daily", "Relatives among them"),
    PlanQuantity("arrived_children", "Children arriving", "children", "daily", "Children among them"),
    PlanQuantity("need", "People who need shelter", "persons", "stock", "Person-days of shelter"),
    PlanQuantity("in_sites", "In sites", "persons", "stock", "Person-days in sites"),
    PlanQuantity("unmet", "In no site, whole host", "persons", "stock"),
    PlanQuantity("private", "In private homes", "persons", "stock", "Person-days in private homes"),
    PlanQuantity("street", "Without a roof", "persons", "stock", "Person-nights without a roof"),
    PlanQuantity("programme", "In the host's programme", "persons", "stock", "Person-days in the programme"),
    PlanQuantity("families", "Families (households with relatives)", "families", "stock"),
    PlanQuantity("children", "Children in sites", "children", "stock"),
    PlanQuantity("short", "Places missing", "places", "stock", "Place-days missing"),
    PlanQuantity("meals", "Meals served in sites", "meals", "daily", "Meals served in sites"),
    PlanQuantity("meals_needed", "Meals needed", "meals", "daily", "Meals needed"),
    PlanQuantity("awaiting_registration", "Waiting to be registered", "soldiers", "stock"),
    PlanQuantity("requests", "Requests for asylum", "requests", "daily", "Requests for asylum"),
    PlanQuantity("decisions", "Asylum decisions", "decisions", "daily", "Asylum decisions"),
    PlanQuantity("files_open", "Asylum files open", "files", "stock"),
)

QUANTITIES: Mapping[str, PlanQuantity] = MappingProxyType({q.id: q for q in _TABLE})
"""What a plan counts, by id, in order. A site has fewer of them than a host."""

_HERE = {
    "need": PlanQuantity(
        "need", "Need here, with its share", "persons", "stock", "Person-days of shelter, with its share"
    ),
    "short": PlanQuantity("short", "Places missing here", "places", "stock", "Place-days missing here"),
    "meals_needed": PlanQuantity(
        "meals_needed", "Meals needed here", "meals", "daily", "Meals needed, with its share"
    ),
}
"""What some quantities are called in a town or single sites: their share of those in no site is in them."""


def quantity(name: str, host: bool) -> PlanQuantity:
    """Return the label of a quantity, in the words for a host or for a place in it.

    >>> quantity("need", True).label, quantity("need", False).label
    ('People who need shelter', 'Need here, with its share')
    """
    return QUANTITIES[name] if host else _HERE.get(name, QUANTITIES[name])


_DIVIDED = ("reception.places", "reception.funding")
_TENSION = "reception.tension_numbers"
_STAFF = "asylum_staff"


def crowded(case: Case, times: float) -> Case:
    """Return a case in which everyone who comes stands for `times` people.

    Caseworkers are whole, so in the runs they are those of the case to within half of `times`.
    """
    if times == 1:
        return case
    values = {name: case.value(name) / times for name in _DIVIDED if name in case.parameters}
    edit = {}
    staff = case.content.fields.get(_STAFF)
    if staff is not None and staff.value:
        edit = {"fields": {_STAFF: {"value": max(1, round(staff.value / times))}}}
    if _TENSION in case.parameters:
        draws, most = case.draws, case.declared[_TENSION].high
        if draws is not None and _TENSION in draws.names:
            drawn = draws.values.copy()
            column = draws.names.index(_TENSION)
            drawn[:, column] = (drawn[:, column] * times).clip(max=most)
            case = case.with_draws(replace(draws, values=drawn))
        else:
            values[_TENSION] = min(case.value(_TENSION) * times, most)
    return counterfactual(case, Changes(id="arrivals", title=called(times), set=values, edit=edit))


STAYS = "places, funds and caseworkers of the host stay as they are"
"""What is said beside it."""


def called(times: float) -> str:
    """Return its name.

    >>> called(2), called(0.5)
    ('2 times as many people come', '0.5 times as many people come')
    """
    return f"{times:g} times as many people come"


Values = npt.NDArray[np.float64]
Days = npt.NDArray[np.bool_]


def open_days(case: Case, site: int, days: int) -> npt.NDArray[np.bool_]:
    """Return on which days a site is open, bool (day,)."""
    one, start = case.sites[site], case.calendar.start
    first = (one.opens - start).days
    last = days - 1 if one.closes is None else (one.closes - start).days
    day = np.arange(days)
    return (day >= first) & (day <= last)


def simulated_places(case: Case, site: int) -> int:
    """Return the places of a site as the runs have them, in proportion to the force that they draw.

    What the case says, times the setting ``reception.places``.
    """
    factor = setting(case, "reception.places")
    return round(int(case.sites[site].capacity * factor) * case.scale)


def places_of(case: Case, site: int) -> float:
    """Return the places of a site for the whole force: each that the runs have stands for so many."""
    places = simulated_places(case, site)
    return places if case.stands_for == 1 else places * case.stands_for


def for_all(site: Site) -> bool:
    """Return whether a site is for whoever is registered: no embassy, and not for holders of permits only."""
    return site.kind != "embassy" and site.admits != "permit"


def counted(case: Case, where: Where) -> tuple[int, ...]:
    """Return the sites of a place whose places count as offered: those for all who are registered.

    Places for some only help nobody else (see :func:`rented`); they count where a place has no others.
    """
    mine = tuple(k for k in where.sites if for_all(case.sites[k]))
    return mine if mine or where.host else where.sites


def offered(case: Case, where: Where, inside: Values, poor: Days) -> Values:
    """Return the places in open sites that count as offered, float64 (run, day); see :func:`counted`.

    A site whose money has run out offers those that are still taken: it lets nobody in, and puts people out.

    Parameters
    ----------
    inside : float64 (run, day, site of the place), persons in each.
    poor : bool (run, day, site of the place), whether a payer of it has no money left.
    """
    found = np.zeros(inside.shape[:2])
    for row, k in enumerate(where.sites):
        if k in counted(case, where):
            places = np.where(poor[:, :, row], inside[:, :, row], places_of(case, k))
            found += places * open_days(case, k, inside.shape[1])
    return found


def rented(data: xr.Dataset, case: Case, where: Where) -> Values:
    """Return the places for some only that are in use: rooms of holders of permits, an embassy's floor.

    float64 (run, day).
    """
    found = np.zeros((data.sizes["run"], data.sizes["day"]))
    for k in set(where.sites) - set(counted(case, where)):
        for name in ("site_soldiers", "site_relatives"):
            found += array(data, name, ("run", "day", "site"))[:, :, k]
    return found


def _ordinary(case: Case) -> list[Site]:
    """Return the sites that a host offers to whoever is registered."""
    return [s for s in case.sites if for_all(s)]


def price(case: Case, where: Where) -> float:
    """Return the mean cost of a place a day, weighted by places; 0 if the case has no such site.

    In a scenario places weigh as in the case: where an expensive site closes, none becomes cheaper.

    Where none has a place yet, as of a day before they open, all weigh the same: people cost all the same.
    """
    sites = _ordinary(case)
    places = {s.id: s.capacity for s in (*sites, *_ordinary(where.base or case))}
    weighs = [places[s.id] for s in sites] if any(places[s.id] for s in sites) else [1] * len(sites)
    costs = (s.cost_per_person_day.value for s in sites)
    return sum(n * cost for n, cost in zip(weighs, costs, strict=True)) / (sum(weighs) or 1)


def meals(case: Case) -> float:
    """Return the meals a day that a person needs: the most that a site serves, or 3 where none does."""
    return max((s.rations_per_day for s in _ordinary(case)), default=0.0) or 3.0


def array(data: xr.Dataset, name: str, dims: tuple[str, ...]) -> Values:
    """Return a variable as float64, all 0 where the runs did not record it."""
    if name not in data:
        return np.zeros([data.sizes.get(d, 0) for d in dims])
    return data[name].transpose(*dims).values.astype(np.float64)


def setting(case: Case, name: str) -> float:
    """Return a factor of the case; 1 where the model knows none of that name."""
    return float(case.value(name)) if name in case.parameters else 1.0


HOUSEHOLD = 3
"""Persons of a household, a soldier and two: it finds no room where fewer places are free."""
TAKEN = 0.95
"""Share of places taken in the evening from which a site counts as full: some leave it during the day."""
TRIFLE = 1e-9
"""Fewer persons than this are none."""
CENT = 0.005
"""Sums below this are rounding: bills open by less are paid."""


def shares(case: Case, where: Where) -> tuple[float, float]:
    """Return the places of a place's sites that are for all, and those of its whole country's.

    They do not depend on dates: a town whose hotel closes keeps its people. An embassy, and rooms for holders
    of permits, have no share.
    """
    case = where.base or case
    every = [k for k, site in enumerate(case.sites) if for_all(site) and _near(case, where, site.country)]
    mine = every if where.host else [k for k in where.sites if k in every]
    return sum(places_of(case, k) for k in mine), sum(places_of(case, k) for k in every)


def _near(case: Case, where: Where, country: str) -> bool:
    """Return whether a place has sites in a country; the whole host has everywhere."""
    return where.host or any(same_country(country, case.sites[k].country) for k in where.sites)


def share_of(values: Values, mine: float, whole: float) -> Values:
    """Return persons in proportion to places, rounded up.

    >>> share_of(np.array([0.0, 10.0]), 1, 4).tolist()
    [0.0, 3.0]
    """
    if not mine:
        return np.zeros_like(values)
    return np.asarray(np.ceil(np.round(values * mine / whole, 9)), dtype=np.float64)


def in_no_site(data: xr.Dataset, case: Case, where: Where, stays: Values) -> Values:
    """Return the persons in no site of the countries of a place, float64 (run, day).

    Parameters
    ----------
    stays : the persons in the hosts' care by where they stay (run, day, one of ``IN_CARE``).
    """
    outside, countries = stays[:, :, 1] + stays[:, :, 2], hosts(case)
    if where.host or len(countries) < 2:
        return outside
    crossed = np.cumsum(array(data, "exits_route", ("run", "day", "route")), axis=1)
    inside = array(data, "site_soldiers", ("run", "day", "site"))
    inside = inside + array(data, "site_relatives", ("run", "day", "site"))

    def among(parts: Values, listed: Listing[Any], country: str) -> Values:
        return np.asarray(
            parts[:, :, [same_country(one.country or "", country) for one in listed]].sum(axis=2)
        )

    came = np.array([among(crossed, case.crossings, country) for country in countries])
    care = stays.sum(axis=2) * came / np.maximum(came.sum(axis=0), 1.0)
    missing = np.maximum(care - [among(inside, case.sites, country) for country in countries], 0.0)
    here = [_near(case, where, country) for country in countries]
    return np.asarray(outside * missing[here].sum(axis=0) / np.maximum(missing.sum(axis=0), TRIFLE))


def vacant(case: Case, where: Where, inside: Values, poor: Days) -> Days:
    """Return on which days each site of a place takes people in: open, paid for, and with free places.

    Bool (run, day, site). Nobody is turned away from an embassy.

    Parameters
    ----------
    case : as simulated. inside : float64 (run, day, site), simulated persons in each.
    poor : bool (run, day, site), whether one of those who pay for it has no money left.
    """
    found = np.ones(inside.shape, dtype=np.bool_)
    for row, k in enumerate(where.sites):
        if case.sites[k].kind == "embassy":
            continue
        places = simulated_places(case, k)
        room = max(min(HOUSEHOLD, max(places, 1)), (1 - TAKEN) * places)
        free = places - inside[:, :, row] >= room
        found[:, :, row] = free & ~poor[:, :, row] & open_days(case, k, inside.shape[1])
    return found


def broke(billed: Values, unpaid: Values, funds: Values) -> Days:
    """Return on which days a payer cannot pay, bool (run, day, payer): a bill is open, or nothing is left.

    Parameters
    ----------
    billed, unpaid : float64 (run, day, payer), bills of all their sites, and what of them stays unpaid.
    funds : float64 (day, payer), all that they have been given so far.
    """
    spent = np.cumsum(billed - unpaid, axis=1)
    return np.asarray((unpaid > CENT) | (spent >= funds - CENT), dtype=np.bool_)


READ = frozenset(
    (
        *("stay_soldiers", "stay_relatives", "site_soldiers", "site_relatives", "site_children"),
        *("arrived_soldiers", "arrived_relatives", "arrived_children", "awaiting_registration", "families"),
        *("programme_soldiers", "programme_relatives"),
        *("asylum_filed", "asylum_granted", "asylum_refused", "files_open", "files_wait", "files_age"),
        *("cost", "unpaid", "fates", "regime_holds", "exits_route"),
    )
)
"""The variables of a result that a course is made of."""


@dataclass(frozen=True, eq=False)
class PlanCourse:
    """One world of a plan, run by run, over all simulated days.

    Attributes
    ----------
    id, title : of the scenario; the case itself is ``"case"``.
    case : exactly as used.
    runs : numbers of the runs that finished.
    dates : datetime64[D] (day,).
    persons : float64 (run, day) by quantity.
    where : the place. Of one that is not the host as a whole, ``need`` is who is inside and its share of
        those in no site.
    hosted : float64 (run, day), persons in all sites of the host.
    vacant : bool (run, day, site of the place), whether the site takes people in: open, paid for, not full.
    offered : float64 (run, day), places in open sites that are free to all who are registered.
    rented : float64 (run, day), places for some only that are in use (rooms for holders of permits, of a
        place also an embassy): they help nobody else.
    inside : float64 (run, day, site of the place), persons inside.
    payers : ids of those who pay for the place.
    cost : float64 (run, day, payer), what the place costs, in the case's currency.
    billed, unpaid : float64 (run, day, payer), what all their sites cost, and what of that stays unpaid.
    funds : float64 (day, payer), all they have been given by then; infinite where there is no limit.
    wait, age : float64 (run, day), mean days from request to decision of the day's decisions, and mean age of
        the files open; nan where there are none.
    serving : float64 (run,), soldiers still serving on the last day.
    lived : bool (run, day), whether the run goes on: it stands still, and costs nothing, after the day on
        which the regime falls.
    changes : what it changes of the case, in words, one for each change; empty for the case itself.
    question : why it is asked, in a sentence or two; may be empty.
    times : how many people each one who came in the runs stands for.
    crossed : float64 (run, day) by country, soldiers who crossed to each of several hosts; else empty.
    """

    id: str
    title: str
    case: Case
    runs: npt.NDArray[np.int64]
    dates: npt.NDArray[np.datetime64]
    persons: Mapping[str, Values]
    where: Where
    hosted: Values
    vacant: npt.NDArray[np.bool_]
    offered: Values
    rented: Values
    inside: Values
    payers: tuple[str, ...]
    cost: Values
    billed: Values
    unpaid: Values
    funds: Values
    wait: Values
    age: Values
    serving: Values
    lived: Days
    changes: tuple[str, ...] = ()
    question: str = ""
    times: float = 1.0
    crossed: Mapping[str, Values] = field(default_factory=dict)

    @property
    def places(self) -> Values:
        """Beds that somebody can sleep in, float64 (run, day): those offered, and rented rooms in use."""
        return self.offered + self.rented

    @property
    def turned_away(self) -> npt.NDArray[np.bool_]:
        """Whether some are in no site of the host and no site of the place takes anyone, bool (run, day).

        On such a day who is inside is less than who would be.
        """
        general = [row for row, k in enumerate(self.where.sites) if for_all(self.case.sites[k])]
        some = self.vacant[:, :, general or list(range(len(self.where.sites)))]
        return np.asarray(~some.any(axis=2) & (self.persons["unmet"] > 0), dtype=np.bool_)

    @property
    def paid(self) -> Values:
        """What of its cost is paid (run, day, payer): the same share of each bill; without a bill nothing."""
        none, due = np.zeros_like(self.billed), self.billed > 0
        return self.cost * np.divide(self.billed - self.unpaid, self.billed, out=none, where=due)

    def within(self, name: str, period: Period) -> Values:
        """Return one quantity in a period, float64 (run, day)."""
        return self.persons[name][:, period.first : period.last + 1]


def course(
    result: Result,
    where: Where,
    id: str = "case",  # noqa: A002
    title: str = "",
    changes: tuple[str, ...] = (),
    question: str = "",
    times: float = 1.0,
    stated: Case | None = None,
) -> PlanCourse:
    """Return the course of each run of a result at a place.

    Where everyone who came stands for `times` people, `stated` is the case whose host takes them in: that of
    the result has what is left for one of them (see :func:`~breakrank.questions.plan.course.crowded`).

    Raises
    ------
    UsageError
        where the runs recorded nothing of reception.
    """
    data, case = result.whole.data, stated or result.case
    data = data if times == 1 else as_many(data, times)
    simulated = times * case.stands_for
    lacking = [name for name in ("stay_soldiers", "stay_relatives", "arrived_soldiers") if name not in data]
    if lacking:
        raise UsageError(
            f"these runs of {case.id} record nothing of reception ({', '.join(lacking)}), so there is "
            "nothing to plan for\n  Switch it on with --set reception.on=1, or run the case again with "
            "this version."
        )
    payers = tuple(dict.fromkeys(p for k in where.sites for p in case.sites[k].payers))
    inside = _at(data, "site_soldiers", where) + _at(data, "site_relatives", where)
    billed, unpaid = (_of_payers(data, name, payers) for name in ("cost", "unpaid"))
    given = funds(case, payers, data.sizes["day"])
    poor = _poor(case, where, payers, broke(billed, unpaid, given))
    places, rooms = offered(case, where, inside, poor), rented(data, case, where)
    stays, lived = _stays(data), _lived(data)
    return PlanCourse(
        id=id,
        title=title or case.title,
        case=case,
        runs=np.asarray(data["run"].values, dtype=np.int64),
        dates=data["day"].values.astype("datetime64[D]"),
        persons=_persons(data, case, where, inside, places + rooms, stays),
        where=where,
        hosted=stays[:, :, 0],
        vacant=vacant(result.case, where, np.round(inside / simulated, 9), poor),
        offered=places,
        rented=rooms,
        inside=inside,
        payers=payers,
        cost=_cost(inside, case, where, payers) * lived[:, :, None],
        billed=billed,
        unpaid=unpaid,
        funds=given,
        wait=_level(data, "files_wait"),
        age=_level(data, "files_age"),
        serving=_serving(data) if times == 1 else np.full(data.sizes["run"], np.nan),
        lived=lived,
        changes=changes,
        question=question,
        times=times,
        crossed=_crossed(data, case) if where.host else {},
    )


def _crossed(data: xr.Dataset, case: Case) -> dict[str, Values]:
    """Return the soldiers who crossed to each host, float64 (run, day), where there are several."""
    countries = list(dict.fromkeys(c.country for c in case.crossings if c.host))
    if len(countries) < 2 or "exits_route" not in data:
        return {}
    by_route = array(data, "exits_route", ("run", "day", "route"))
    here = {country: [c.host and c.country == country for c in case.crossings] for country in countries}
    return {country: np.asarray(by_route[:, :, ways].sum(axis=2)) for country, ways in here.items()}


def _at(data: xr.Dataset, name: str, where: Where) -> Values:
    """Return the persons in each site of a place, float64 (run, day, site)."""
    return array(data, name, ("run", "day", "site"))[:, :, list(where.sites)]


def _stays(data: xr.Dataset) -> Values:
    """Return the persons in the host's care by where they stay, float64 (run, day, one of ``IN_CARE``)."""
    persons = data["stay_soldiers"] + data["stay_relatives"]
    return np.asarray(
        persons.transpose("run", "day", "stay").sel(stay=list(IN_CARE)).values, dtype=np.float64
    )


def _poor(case: Case, where: Where, payers: tuple[str, ...], broke: Days) -> Days:
    """Return which site of a place its payers cannot pay for, bool (run, day, site); `broke` is of payers."""
    found = np.zeros((*broke.shape[:2], len(where.sites)), np.bool_)
    for row, k in enumerate(where.sites):
        of = [payers.index(name) for name in case.sites[k].payers]
        if case.sites[k].cost_per_person_day.value > 0:
            found[:, :, row] = broke[:, :, of].any(axis=2)
    return found


def _persons(
    data: xr.Dataset, case: Case, where: Where, inside: Values, beds: Values, stays: Values
) -> dict[str, Values]:
    rations = np.array([case.sites[k].rations_per_day for k in where.sites], dtype=np.float64)
    children = _at(data, "site_children", where)
    found = {"in_sites": inside.sum(axis=2), "children": children.sum(axis=2), "meals": inside @ rations}

    found["unmet"] = in_no_site(data, case, where, stays)

    def daily(name: str) -> Values:
        return array(data, name, ("run", "day"))

    if where.host:
        found |= {"private": stays[:, :, 1], "street": stays[:, :, 2], "need": stays.sum(axis=2)}
        found |= {name: daily(name) for name in ("arrived_soldiers", "arrived_relatives", "arrived_children")}
        found["arrivals"] = found["arrived_soldiers"] + found["arrived_relatives"]
        found["requests"] = daily("asylum_filed")
        found["decisions"] = daily("asylum_granted") + daily("asylum_refused")
        if "programme_soldiers" in data:
            found["programme"] = daily("programme_soldiers") + daily("programme_relatives")
        found |= {
            name: daily(name) for name in ("awaiting_registration", "files_open", "families") if name in data
        }
    else:
        found["need"] = found["in_sites"] + share_of(found["unmet"], *shares(case, where))
    found["short"] = np.maximum(found["need"] - beds, 0.0)
    found["meals_needed"] = found["need"] * meals(case)
    return {name: found[name] for name in QUANTITIES if name in found}


def _level(data: xr.Dataset, name: str) -> Values:
    if name not in data:
        return np.full((data.sizes["run"], data.sizes["day"]), np.nan)
    return data[name].transpose("run", "day").values.astype(np.float64)


def _lived(data: xr.Dataset) -> Days:
    """Return whether a run goes on, bool (run, day): the day on which the regime falls is its last."""
    lived = np.ones((data.sizes["run"], data.sizes["day"]), np.bool_)
    if "regime_holds" in data:
        lived[:, 1:] = array(data, "regime_holds", ("run", "day"))[:, :-1] > 0
    return lived


def _serving(data: xr.Dataset) -> Values:
    if "fates" not in data:
        return np.full(data.sizes["run"], np.nan)
    return data["fates"].sel(fate="serving").isel(day=-1).values.astype(np.float64)


def _cost(inside: Values, case: Case, where: Where, payers: tuple[str, ...]) -> Values:
    """Return the cost of the sites of a place, float64 (run, day, payer).

    An embassy outside its dates costs nothing.
    """
    here, rate = inside.copy(), np.zeros((len(where.sites), len(payers)))
    for row, k in enumerate(where.sites):
        site = case.sites[k]
        for payer, share in site.payers.items():
            rate[row, payers.index(payer)] = site.cost_per_person_day.value * share
        if site.kind == "embassy":
            here[:, :, row] *= open_days(case, k, here.shape[1])
    return here @ rate


def _of_payers(data: xr.Dataset, name: str, payers: tuple[str, ...]) -> Values:
    if name not in data or not payers:
        return np.zeros((data.sizes["run"], data.sizes["day"], len(payers)))
    values = data[name].transpose("run", "day", "payer").sel(payer=list(payers)).values
    return np.asarray(np.round(values.astype(np.float64), 2), dtype=np.float64)


def funds(case: Case, payers: tuple[str, ...], days: int) -> Values:
    """Return all that each payer has been given by the end of each day, float64 (day, payer)."""
    factor = setting(case, "reception.funding")
    found = np.full((days, len(payers)), np.inf)
    for column, name in enumerate(payers):
        given = case.payers.named(name).funds
        if given is None:
            continue
        found[:, column] = 0.0
        for fund in given:
            found[max(0, (fund.date - case.calendar.start).days) :, column] += fund.amount * factor
    return found
