"""What a host offers: places in open sites, rented rooms, what a place costs, and meals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.models_sites import Site
    from breakrank.questions.plan.scope import Where

Values = npt.NDArray[np.float64]


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
    factor = setting(case, "reception.places", 1.0)
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


def offered(data: xr.Dataset, case: Case, where: Where) -> Values:
    """Return the places in open sites that count as offered, float64 (run, day); see :func:`counted`."""
    found = np.zeros((data.sizes["run"], data.sizes["day"]))
    for k in counted(case, where):
        found += places_of(case, k) * open_days(case, k, data.sizes["day"])
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


def price(case: Case) -> float:
    """Return what a place costs a day on average, weighted by places; 0 where the case has no such site."""
    sites = _ordinary(case)
    beds = sum(s.capacity for s in sites)
    return sum(s.capacity * s.cost_per_person_day.value for s in sites) / beds if beds else 0.0


def meals(case: Case) -> float:
    """Return the meals a day that a person needs: the most that a site serves, or 3 where none does."""
    return max((s.rations_per_day for s in _ordinary(case)), default=0.0) or 3.0


def array(data: xr.Dataset, name: str, dims: tuple[str, ...]) -> Values:
    """Return a variable as float64, all 0 where the runs did not record it."""
    if name not in data:
        return np.zeros([data.sizes.get(d, 0) for d in dims])
    return data[name].transpose(*dims).values.astype(np.float64)


def setting(case: Case, name: str, otherwise: float) -> float:
    """Return a parameter of the case; `otherwise` where the model knows none of that name."""
    return float(case.value(name)) if name in case.parameters else otherwise
