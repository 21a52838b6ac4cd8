"""What happened in each run to those received at a place: people, places, money, files, day by day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from breakrank.errors import UsageError
from breakrank.labels import IN_CARE
from breakrank.questions.plan.arrivals import counted
from breakrank.questions.plan.offer import array, for_all, meals, offered, open_days, price, rented, setting
from breakrank.questions.plan.quantities import QUANTITIES
from breakrank.questions.plan.town_share import broke, in_no_site, share_of, shares, vacant

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.questions.plan.scope import Period, Where
    from breakrank.results.result import Result

Values = npt.NDArray[np.float64]


READ = frozenset(
    (
        *("stay_soldiers", "stay_relatives", "site_soldiers", "site_relatives", "site_children"),
        *("arrived_soldiers", "arrived_relatives", "arrived_children", "desk_waiting", "families"),
        *("programme_soldiers", "programme_relatives"),
        *("asylum_filed", "asylum_granted", "asylum_refused", "files_open", "files_wait", "files_age"),
        *("cost", "unpaid", "fates", "regime_holds"),
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
    host : whether it is the host as a whole. Of a place, ``need`` is who is inside and its share of those in
        no site.
    share : places of its sites that are for all, and of the whole host's: the share that a place has.
    hosted : float64 (run, day), persons in all sites of the host.
    vacant : bool (run, day, site of the place), whether the site takes people in: open, paid for, not full.
    offered : float64 (run, day), places in open sites that are free to all who are registered.
    rented : float64 (run, day), places for some only that are in use (rooms for holders of permits, of a
        place also an embassy): they help nobody else.
    price : what a place costs a day on average in the sites of the case that are not for permit-holders
        only, weighted by places, in the case's currency.
    meals : meals a day that a person needs: the most that a site of the case serves.
    sites : positions of the place's sites in the case.
    inside : float64 (run, day, site of the place), persons inside.
    payers : ids of those who pay for the place.
    cost : float64 (run, day, payer), what the place costs, in the case's currency.
    billed, unpaid : float64 (run, day, payer), what all their sites cost, and what of that stays unpaid.
    funds : float64 (day, payer), all they have been given by then; infinite where there is no limit.
    wait, age : float64 (run, day), mean days from request to decision of the day's decisions, and mean age of
        the files open; nan where there are none.
    serving : float64 (run,), soldiers still serving on the last day.
    fallen : runs in which the regime falls; from that day on they stand still.
    changes : what it changes of the case, in words, one for each change; empty for the case itself.
    question : why it is asked, in a sentence or two; may be empty.
    times : how many people each one who came in the runs stands for.
    """

    id: str
    title: str
    case: Case
    runs: npt.NDArray[np.int64]
    dates: npt.NDArray[np.datetime64]
    persons: Mapping[str, Values]
    host: bool
    share: tuple[float, float]
    hosted: Values
    vacant: npt.NDArray[np.bool_]
    offered: Values
    rented: Values
    price: float
    meals: float
    sites: tuple[int, ...]
    inside: Values
    payers: tuple[str, ...]
    cost: Values
    billed: Values
    unpaid: Values
    funds: Values
    wait: Values
    age: Values
    serving: Values
    fallen: int = 0
    changes: tuple[str, ...] = ()
    question: str = ""
    times: float = 1.0

    @property
    def places(self) -> Values:
        """Beds that somebody can sleep in, float64 (run, day): those offered, and rented rooms in use."""
        return self.offered + self.rented

    @property
    def turned_away(self) -> npt.NDArray[np.bool_]:
        """Whether some are in no site of the host and no site of the place takes anyone, bool (run, day).

        On such a day who is inside is less than who would be.
        """
        general = [row for row, k in enumerate(self.sites) if for_all(self.case.sites[k])]
        some = self.vacant[:, :, general or list(range(len(self.sites)))]
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
    the result has what is left for one of them (see :func:`~breakrank.questions.plan.arrivals.crowded`).

    Raises
    ------
    UsageError
        where the runs recorded nothing of reception.
    """
    data, case = counted(result.whole.data, times), stated or result.case
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
    places, rooms = offered(data, case, where), rented(data, case, where)
    billed, unpaid = (_of_payers(data, name, payers) for name in ("cost", "unpaid"))
    given = funds(case, payers, data.sizes["day"])
    stays = _stays(data)
    return PlanCourse(
        id=id,
        title=title or case.title,
        case=case,
        runs=np.asarray(data["run"].values, dtype=np.int64),
        dates=data["day"].values.astype("datetime64[D]"),
        persons=_persons(data, case, where, inside, places + rooms, stays),
        host=where.host,
        share=shares(case, where),
        hosted=stays[:, :, 0],
        vacant=_vacant(
            result.case, where, np.round(inside / simulated, 9), payers, broke(billed, unpaid, given)
        ),
        offered=places,
        rented=rooms,
        price=price(case),
        meals=meals(case),
        sites=where.sites,
        inside=inside,
        payers=payers,
        cost=_cost(inside, case, where, payers),
        billed=billed,
        unpaid=unpaid,
        funds=given,
        wait=_level(data, "files_wait"),
        age=_level(data, "files_age"),
        serving=_serving(data) if times == 1 else np.full(data.sizes["run"], np.nan),
        fallen=int((data["regime_holds"].isel(day=-1) == 0).sum()) if "regime_holds" in data else 0,
        changes=changes,
        question=question,
        times=times,
    )


def _at(data: xr.Dataset, name: str, where: Where) -> Values:
    """Return the persons in each site of a place, float64 (run, day, site)."""
    return array(data, name, ("run", "day", "site"))[:, :, list(where.sites)]


def _stays(data: xr.Dataset) -> Values:
    """Return the persons in the host's care by where they stay, float64 (run, day, one of ``IN_CARE``)."""
    persons = data["stay_soldiers"] + data["stay_relatives"]
    return np.asarray(
        persons.transpose("run", "day", "stay").sel(stay=list(IN_CARE)).values, dtype=np.float64
    )


def _vacant(
    case: Case, where: Where, inside: Values, payers: tuple[str, ...], poor: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return which site of a place takes people in, bool (run, day, site); `poor` is (run, day, payer)."""
    found = np.zeros(inside.shape, np.bool_)
    for row, k in enumerate(where.sites):
        of = [payers.index(name) for name in case.sites[k].payers]
        found[:, :, row] = vacant(case, k, inside[:, :, row], np.asarray(poor[:, :, of].any(axis=2)))
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
        found |= {name: daily(name) for name in ("desk_waiting", "files_open", "families") if name in data}
    else:
        found["need"] = found["in_sites"] + share_of(found["unmet"], *shares(case, where))
    found["short"] = np.maximum(found["need"] - beds, 0.0)
    found["meals_needed"] = found["need"] * meals(case)
    return {name: found[name] for name in QUANTITIES if name in found}


def _level(data: xr.Dataset, name: str) -> Values:
    if name not in data:
        return np.full((data.sizes["run"], data.sizes["day"]), np.nan)
    return data[name].transpose("run", "day").values.astype(np.float64)


def _serving(data: xr.Dataset) -> Values:
    if "fates" not in data:
        return np.full(data.sizes["run"], np.nan)
    return data["fates"].sel(fate="serving").isel(day=-1).values.astype(np.float64)


def _cost(inside: Values, case: Case, where: Where, payers: tuple[str, ...]) -> Values:
    """Return what the sites of a place cost, float64 (run, day, payer).

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
    factor = setting(case, "reception.funding", 1.0)
    found = np.full((days, len(payers)), np.inf)
    for column, name in enumerate(payers):
        given = case.payers.named(name).funds
        if given is None:
            continue
        found[:, column] = 0.0
        for fund in given:
            found[max(0, (fund.date - case.calendar.start).days) :, column] += fund.amount * factor
    return found
