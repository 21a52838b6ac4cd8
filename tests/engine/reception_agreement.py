"""The series of the reception against its log: people, places, files and money, day by day."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from breakrank.case import Case, Site
from breakrank.mechanisms.lodging import STAYS
from breakrank.model import Replicate
from tests.engine.guests import FROM, Town
from tests.engine.worlds import rows

Series = Mapping[str, Any]


def assert_reception_agrees(replicate: Replicate, case: Case) -> Mapping[str, float]:
    """Assert that all series of the reception are what the log says; return what there was to see."""
    series: Series = dict(replicate.series)
    log = rows(replicate)
    if case.value("reception.on") < 0.5:
        assert not {row[2] for row in log} & {*FROM, "sent across as an infiltrator"}
        return {}
    days: list[list[Any]] = [[] for _ in range(case.calendar.days)]
    for row in log:
        days[row[0]].append(row)
    fell = [row[0] for row in log if row[2] == "regime fell"]
    town, paid = Town(case), np.zeros(len(case.payers))
    seen = {"persons": 0, "files": 0}
    for day, today in enumerate(days):
        asked = town.live(today)
        seen["persons"] += assert_everyone_is_somewhere(town, case, series, day)
        seen["files"] += len(asked)
        assert series["arrived_soldiers"][day] == town.counts.get("arrived", 0)
        for name in ("expelled", "infiltrators_found", "wrongly_suspected"):
            assert series.get(name, np.zeros(day + 1))[day] == town.counts.get(name, 0), (name, day)
        if not fell or day <= fell[0]:  # after that nothing is counted
            assert_files_agree(town, series, day, asked, case)
            assert_bills_agree(case, series, day, paid)
    return seen | {"unpaid": float(series["unpaid"].sum())}


def is_open(case: Case, place: Site, day: int) -> bool:
    """Return whether a site is open on a day."""
    date = case.calendar.start.toordinal() + day
    return place.opens.toordinal() <= date and (place.closes is None or date <= place.closes.toordinal())


def assert_everyone_is_somewhere(town: Town, case: Case, series: Series, day: int) -> int:
    """Assert that each is in one place, families whole, sites within their places and dates."""
    found = dict.fromkeys(("site", "town", "settled", "kin", "elsewhere", "expelled", "back"), 0)
    soldiers, persons = (np.zeros(len(case.sites), int) for _ in range(2))
    for guest in town.guests.values():
        found[guest.stay] += 1
        if guest.stay == "site":
            soldiers[guest.site] += 1
            persons[guest.site] += guest.size
    stays = dict(zip(STAYS, series["stay_soldiers"][day].tolist(), strict=True))
    stays["town"] = stays.pop("private") + stays.pop("street")
    assert stays == found, day
    for s, place in enumerate(case.sites):
        if place.kind == "embassy":
            inside = [town.inside[k] for k, c in enumerate(case.crossings) if c.id == place.crossing]
            soldiers[s] = persons[s] = sum(inside)
        elif persons[s]:
            most = int(place.capacity * case.value("reception.places"))
            assert persons[s] <= round(most * case.scale)
            assert is_open(case, place, day)
    assert series["site_soldiers"][day].tolist() == soldiers.tolist()
    assert (series["site_soldiers"][day] + series["site_relatives"][day]).tolist() == persons.tolist()
    assert (series["site_children"][day] <= series["site_relatives"][day]).all()
    in_town = [g for g in town.guests.values() if g.stay in ("site", "town", "settled")]
    assert series["awaiting_registration"][day] == sum(not g.registered for g in in_town)
    # only infiltrators, who come alone, can come twice: relatives are where they are
    assert series["stay_relatives"][day].sum() == series["arrived_relatives"][: day + 1].sum()
    assert series["arrived_children"][day] <= series["arrived_relatives"][day]
    return int(persons.sum())


def assert_files_agree(town: Town, series: Series, day: int, asked: list[int], case: Case) -> None:
    """Assert that open files, their age and the wait of those decided are as the log has it."""
    if "files_open" not in series:
        assert not asked
        return
    assert series["files_open"][day] == len(asked), day
    if asked:
        oldest = day + 1 - np.mean(asked)
        assert oldest - 1 - 1e-3 <= series["files_age"][day] <= oldest + 1e-3
    wait = float(series["files_wait"][day])
    assert np.isnan(wait) == (not town.counts.get("decided"))
    assert np.isnan(wait) or wait >= case.value("asylum.first_days") - 1e-3


def assert_bills_agree(case: Case, series: Series, day: int, paid: np.ndarray) -> None:
    """Assert that a day costs what residents cost, and is paid for as far as there is money."""
    meals, cost = 0.0, np.zeros(len(case.payers))
    ids = [p.id for p in case.payers]
    for s, place in enumerate(case.sites):
        persons = int(series["site_soldiers"][day, s] + series["site_relatives"][day, s])
        if is_open(case, place, day):
            meals += persons * place.rations_per_day
            for payer, share in place.payers.items():
                cost[ids.index(payer)] += persons * place.cost_per_person_day.value * share
    assert abs(series["meals"][day] - meals) <= 0.5 + 1e-6
    np.testing.assert_allclose(series["cost"][day], cost, rtol=1e-5, atol=1e-5)
    unpaid = series["unpaid"][day].astype(float)
    assert (unpaid >= 0).all()
    assert (unpaid <= series["cost"][day] * (1 + 1e-6)).all()
    paid += series["cost"][day] - unpaid
    today = case.calendar.start.toordinal() + day
    for p, payer in enumerate(case.payers):
        given = [f.amount for f in payer.funds or () if f.date.toordinal() <= today]
        most = (
            case.value("reception.funding") * case.scale * sum(given) if payer.funds is not None else np.inf
        )
        near = 1e-3 + 1e-5 * paid[p]
        assert paid[p] <= most + near
        assert unpaid[p] <= near or paid[p] >= most - near, "a bill is open though there is money"
