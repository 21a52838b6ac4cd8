"""Made-up guests: runs of a host that lodges, feeds and decides, for tests of plans. The numbers mean
nothing.

People are conserved and costs follow from who is in which site, so that what a plan reckons can be checked.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from breakrank.case.force_spec import Listing
from breakrank.case.models_routes import Fund, Payer, Site
from breakrank.engine.replicate import Replicate
from breakrank.labels import STAYS
from breakrank.runs.carry_out import Making, carry_out, watch_with
from breakrank.runs.worker import Simulator
from tests.results.fake import EVENTS, fake_build, fake_replicate
from tests.results.fake_case import FakeCase

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.questions.plan.plan import PlanData
    from breakrank.runs.carry_out import Account
    from breakrank.runs.store import AnyStore
    from breakrank.runs.study import Study

AT = {name: k for k, name in enumerate(STAYS)}


def site(name: str, capacity: int, cost: float, payers: dict[str, float], **more: Any) -> Site:
    """Return a site of the made-up case."""
    told: dict[str, Any] = {
        "id": name,
        "label": name.replace("-", " ").capitalize(),
        "kind": "hotel",
        "place": name,
        "country": "Nextland",
        "capacity": capacity,
        "opens": dt.date(2019, 2, 20),
        "rules": {"hours_out": 2, "work": False, "guard": True},
        "rations_per_day": 3,
        "cost_per_person_day": {"value": cost, "unit": "dollars per person and day"},
        "payers": payers,
        "assumed": "made up",
    }
    return Site.model_validate(told | more)


def payer(name: str, label: str, *funds: tuple[dt.date, float]) -> Payer:
    """Return a payer; without funds one who pays whatever it costs."""
    given = [Fund(date=date, amount=amount) for date, amount in funds] or None
    return Payer(id=name, label=label, funds=given, assumed="made up")


SITES = Listing(
    (
        site("parish-house", 40, 5, {"church": 1.0}, kind="church", town="Bridgetown"),
        site("first-hotel", 260, 16, {"town": 0.6, "agency": 0.4}, town="Bridgetown"),
        site(
            "second-hotel", 200, 16, {"town": 0.6, "agency": 0.4}, opens=dt.date(2019, 3, 10), town="Río Alto"
        ),
        site("embassy-house", 20, 12, {"agency": 1.0}, kind="embassy", opens=dt.date(2019, 1, 1)),
    )
)
PAYERS = Listing(
    (
        payer("town", "The town", (dt.date(2019, 2, 20), 350_000.0), (dt.date(2019, 7, 1), 40_000.0)),
        payer("agency", "Refugee agency", (dt.date(2019, 2, 20), 420_000.0)),
        payer("church", "The parish"),
    )
)
NOTHING: Any = Listing(())
SETTINGS = {
    "asylum.on": 1.0,
    "asylum.effort": 4.0,
    "asylum.first_days": 60.0,
    "reception.on": 1.0,
    "reception.places": 1.0,
    "reception.funding": 1.0,
}


@dataclass(frozen=True)
class GuestCase(FakeCase):
    """The made-up case with sites, payers and an asylum queue."""

    sites: Any = SITES
    payers: Any = PAYERS
    settings: Mapping[str, float] = field(default_factory=lambda: dict(SETTINGS))
    currency: str = "dollars"
    draws: None = None
    staff: int = 6
    rate: float = 14.0
    scale: float = 1.0
    counterfactuals: Any = NOTHING

    @property
    def parameters(self) -> Mapping[str, Any]:
        made_up = {"assumed": "made up", "evidence": (), "unit": ""}
        return {name: SimpleNamespace(value=v, **made_up) for name, v in self.settings.items()}

    def value(self, name: str) -> float:
        return self.settings[name]

    def daily(self, name: str) -> Any:
        if name == "asylum_staff":
            return np.full(self.calendar.days, float(self.staff))
        return super().daily(name)

    @property
    def digest(self) -> str:
        settings = sorted(self.settings.items())
        return f"{self.id}/{self.calendar.end}/{self.rate}/{self.staff}/{self.scale}/{settings}"


SERIES: dict[tuple[object, ...], dict[str, Any]] = {}
"""Series that were made, by what they are made of: many tests ask for the same runs."""


def guest_series(case: GuestCase, seed: int, run: int) -> dict[str, Any]:
    """Return the series of one made-up run, a pure function of its arguments; an earlier end cuts it off."""
    key = case.digest, repr(case.sites), repr(case.payers), seed, run
    if key not in SERIES:
        SERIES[key] = _series(case, seed, run)
        for values in SERIES[key].values():
            values.flags.writeable = False
    return SERIES[key]


def _series(case: GuestCase, seed: int, run: int) -> dict[str, Any]:
    rng = np.random.default_rng([17, seed, run])
    days, n = case.calendar.days, len(case.sites)
    luck = rng.lognormal(0.0, 0.3)
    hosts = [k for k, s in enumerate(case.sites) if s.kind != "embassy"]
    names = ("arrived_soldiers", "arrived_relatives", "arrived_children", "meals", "asylum_filed")
    out: dict[str, Any] = {
        name: np.zeros(days, np.int32) for name in (*names, "asylum_granted", "asylum_refused")
    }
    for name in ("awaiting_registration", "files_open", "families", "onward_movement", "settled"):
        out[name] = np.zeros(days, np.int32)
    stays = np.zeros((days, 2, len(STAYS)), np.int32)
    at_site = np.zeros((days, 3, n), np.int32)
    cost, unpaid = (np.zeros((days, len(case.payers)), np.float32) for _ in range(2))
    spent = np.zeros(len(case.payers))
    here = np.zeros((2, n), np.int64)  # soldiers, relatives by site
    out_of_site, gone = (
        np.zeros((2, 2), np.int64),
        np.zeros((2, 2), np.int64),
    )  # private, street; settled, kin
    open_files, inside, broke = 0, 0, False
    ids = [p.id for p in case.payers]
    for t in range(days):
        date = case.calendar.start + dt.timedelta(days=t)
        rate = case.rate * luck * (0.04 + (t >= 53) * 3.2 * np.exp(-max(t - 53, 0) / 28))
        new = rng.poisson(rate)
        more = rng.binomial(2 * new, 0.2)
        young = rng.binomial(more, 0.55)
        out["arrived_soldiers"][t], out["arrived_relatives"][t], out["arrived_children"][t] = new, more, young
        waiting = np.array([new, more]) + out_of_site[:, 1]
        for k in hosts:
            s = case.sites[k]
            if s.opens > date or (s.closes is not None and s.closes < date):
                waiting += here[:, k]
                here[:, k] = 0
                continue
            leave = rng.binomial(here[:, k], 0.006)
            here[:, k] -= leave
            gone[:, rng.integers(2)] += leave
            if broke:
                out_now = rng.binomial(here[:, k], 0.1)
                here[:, k] -= out_now
                out_of_site[:, 0] += out_now
                continue
            free = round(int(s.capacity * case.settings["reception.places"]) * case.scale) - int(
                here[:, k].sum()
            )
            for row in range(2):
                taken = max(0, min(free, int(waiting[row])))
                here[row, k] += taken
                waiting[row] -= taken
                free -= taken
        found = rng.binomial(waiting, 0.3)
        out_of_site[:, 0] += found
        out_of_site[:, 1] = waiting - found
        leave = rng.binomial(out_of_site[:, 0], 0.01)
        out_of_site[:, 0] -= leave
        gone[:, 0] += leave
        inside = min(16, inside + int(rng.random() < 0.1)) if t > 119 else 0
        for k, s in enumerate(case.sites):
            if s.kind == "embassy":
                here[0, k] = inside
        stays[t, :, AT["site"]] = here[:, hosts].sum(axis=1)
        stays[t, :, AT["private"]], stays[t, :, AT["street"]] = out_of_site.T
        stays[t, :, AT["settled"]], stays[t, :, AT["kin"]] = gone.T
        at_site[t, :2] = here
        at_site[t, 2] = (0.55 * here[1]).astype(int)
        persons = here.sum(axis=0)
        out["meals"][t] = round(sum(persons[k] * s.rations_per_day for k, s in enumerate(case.sites)))
        due = np.zeros(len(ids))
        for k, s in enumerate(case.sites):
            for name, share in s.payers.items():
                due[ids.index(name)] += persons[k] * s.cost_per_person_day.value * share
        given = np.array([_available(p, date) for p in case.payers]) * case.settings["reception.funding"]
        given *= case.scale
        paid = np.minimum(due, np.maximum(given - spent, 0.0))
        spent += paid
        cost[t], unpaid[t] = due, due - paid
        broke = bool((due - paid > 0.01).any())
        asked, able = rng.binomial(new, 0.95), rng.poisson(case.staff / 4.0)
        decided = min(open_files, able) if t > 53 + 60 else 0
        open_files += asked - decided
        out["asylum_filed"][t] = asked
        out["asylum_granted"][t] = decided // 2
        out["asylum_refused"][t] = decided - decided // 2
        out["files_open"][t] = open_files
        out["families"][t] = stays[t, 1, :3].sum() // 2
    decisions = out["asylum_granted"] + out["asylum_refused"]
    out |= {
        "programme_soldiers": stays[:, 0, :3].sum(axis=1),
        "programme_relatives": stays[:, 1, :3].sum(axis=1),
        "stay_soldiers": stays[:, 0],
        "stay_relatives": stays[:, 1],
        "site_soldiers": at_site[:, 0],
        "site_relatives": at_site[:, 1],
        "site_children": at_site[:, 2],
        "cost": cost,
        "unpaid": unpaid,
        "files_wait": np.where(decisions > 0, 60 + 0.4 * np.arange(days), np.nan).astype(np.float32),
        "files_age": np.where(out["files_open"] > 0, 20 + 0.2 * np.arange(days), np.nan).astype(np.float32),
    }
    return out


def guest_replicate(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Return one made-up run."""
    made = fake_replicate(case, force, seed, run, log=False)
    guests = {name: values.copy() for name, values in guest_series(case, seed, run).items()}
    last = int(made.series["regime_holds"].sum())  # the day on which the regime falls is the last
    for name, values in guests.items():
        values[last + 1 :] = 0 if name in DAILY else values[min(last, len(values) - 1)]
    return Replicate(run, {**made.series, **guests}, None)


DAILY = ("arrived_soldiers", "arrived_relatives", "arrived_children", "meals", "cost", "unpaid")
DAILY += ("asylum_filed", "asylum_granted", "asylum_refused")
"""What nothing is of after the regime fell; other series stand still."""


ENGINE = Simulator(fake_build, guest_replicate, EVENTS)


class GuestMaking(Making):
    """Makes made-up runs."""

    def made(self, study: Study, store: AnyStore, *_: object, **__: object) -> Account:
        return carry_out(study, store, self.place, watch_with(None), simulator=ENGINE)


def plan_of(case: GuestCase, others: Mapping[str, GuestCase] | None = None, **how: Any) -> PlanData:
    """Return the plan of a made-up case, by default 30 runs of eight months; `how` are options."""
    from breakrank.questions.declared import Plan
    from breakrank.questions.plan.plan import plan_in_runs

    usual = {"since": "2019-02-01", "until": "2019-09-30", "runs": 30, "seed": 3, "workers": 1}
    asked = Plan(**{**usual, "scenarios": others or {}, **how})
    # the made-up force has no order of battle to compare
    with patch("breakrank.questions.plan.plan.check_pair"), GuestMaking(workers=1) as making:
        return plan_in_runs(asked, case, making)


def answered(plan: PlanData, **how: Any) -> Answer:
    """Return the answer that a made-up plan gives; `how` is said of how it was made."""
    from breakrank.answer.answer import provenance
    from breakrank.questions.plan.answer import answer_of

    return answer_of(plan, provenance(plan.case, plan.runs, plan.seed, **how))


@cache
def guest_plan(runs: int = 30, scenarios: bool = True) -> PlanData:
    """Return a made-up plan; the same object for the same arguments."""
    case = GuestCase()
    others = {"twice-as-many": replace(case, rate=28.0), "more-funds": funded(case, 3.0)} if scenarios else {}
    return plan_of(case, others, runs=runs)


@cache
def guest_answer() -> Answer:
    """Return the answer that the made-up plan with its scenarios gives; always the same object."""
    return answered(guest_plan())


def funded(case: GuestCase, ratio: float) -> GuestCase:
    """Return a case with so many times the money."""
    return replace(case, settings={**case.settings, "reception.funding": ratio})


def bare(**more: Any) -> GuestCase:
    """Return a case that takes nobody in: no sites, no payers."""
    return replace(GuestCase(), sites=NOTHING, payers=NOTHING, **more)


def _available(payer: Payer, date: dt.date) -> float:
    """Return all the money that a payer has had by a day (included), infinite where it has no limit."""
    funds = payer.funds
    return float("inf") if funds is None else float(sum(fund.amount for fund in funds if fund.date <= date))
