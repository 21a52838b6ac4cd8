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


def places(case: Case, site: int) -> int:
    """Return the places of a site while it is open, in proportion to the size of the force."""
    return round(int(case.sites[site].capacity * setting(case, "reception.places", 1.0)) * case.scale)


def offered(data: xr.Dataset, case: Case, where: Where) -> Values:
    """Return the places in open sites, float64 (run, day).

    For a host, rooms for holders of permits are left out: they help nobody else (see :func:`rented`).
    """
    found = np.zeros((data.sizes["run"], data.sizes["day"]))
    for k in where.sites:
        if not (where.host and case.sites[k].admits == "permit"):
            found += places(case, k) * open_days(case, k, data.sizes["day"])
    return found


def rented(data: xr.Dataset, case: Case, where: Where) -> Values:
    """Return the rooms for holders of permits that are in use, float64 (run, day); of single sites none."""
    found = np.zeros((data.sizes["run"], data.sizes["day"]))
    for k in where.sites if where.host else ():
        if case.sites[k].admits == "permit":
            for name in ("site_soldiers", "site_relatives"):
                found += array(data, name, ("run", "day", "site"))[:, :, k]
    return found


def _ordinary(case: Case) -> list[Site]:
    """Return the sites that a host offers to whoever is registered."""
    return [s for s in case.sites if s.kind != "embassy" and s.admits != "permit"]


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
