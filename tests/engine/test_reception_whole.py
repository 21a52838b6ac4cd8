"""Whole worlds with much to do for the host: nobody is lost, nothing is paid twice, and home feels it."""

import dataclasses
import datetime as dt
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from breakrank.case import Case
from breakrank.engine.codes import ABROAD, DECLARED, EMBASSY, FATES, REGISTERED
from breakrank.engine.day import Days
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import Force
from breakrank.mechanisms.asylum import Asylum
from breakrank.mechanisms.diaspora import Diaspora
from breakrank.mechanisms.exile import Exile
from breakrank.mechanisms.lodging import ELSEWHERE, EXPELLED, IN_SITE, NOT_PLACED, SETTLED, STAYS, Guests
from breakrank.mechanisms.lodging import Town as TownState
from breakrank.mechanisms.reception import Reception
from breakrank.model import MECHANISMS, Model, build, catalogue
from breakrank.runs.cases import load_case
from tests.engine.guests import Town
from tests.engine.hosts import effect, hosting, with_sites
from tests.engine.reception_agreement import assert_reception_agrees
from tests.engine.replay import replay
from tests.engine.worlds import Row, assert_same_bits, force_of, live, rows, with_crossings

FREE = tuple(p.name for about in (Reception, Asylum, Exile, Diaspora) for p in about.parameters)
FIELDS = {
    "asylum_staff": (0, 40),
    "departure_offer": (0, 500),
    "dispersal": (0, 1),
    "onward_help": (0, 1),
    "right_to_work": (0, 1),
    "permit": (0, 1),
    "enlistment": (0, 1),
    "arming": (0, 1),
    "call": (0, 1),
    "registration": (0, 1),
    "host_reputation": (0, 1),
}
WHOLE = {"right_to_work", "permit", "arming", "registration", "asylum_staff"}
START = dt.date(2019, 1, 1)


class Inspector(Mechanism):
    """Looks at the table of guests in the evening."""

    name = "inspector"
    subsystem = 0

    def dusk(self, run: Run) -> None:
        g, town, records = run.view(Guests), run.view(TownState), run.records
        used = int(g.used[0])
        stay, who = g.stay[:used], g.who[:used]
        assert len(set(who.tolist())) == used, "one row for each"
        assert (g.row[who] == np.arange(used) + 1).all()
        assert (g.row > 0).sum() == used
        here = g.here[: g.used[1]]
        assert len(set(here.tolist())) == len(here)
        assert sorted(here.tolist()) == np.flatnonzero(stay <= SETTLED).tolist()
        assert not (stay == NOT_PLACED).any(), "everybody is somewhere"
        assert ((stay == IN_SITE) == (g.site[:used] >= 0)).all()
        fate = records.fate[who]
        abroad = np.isin(fate, (ABROAD, REGISTERED, DECLARED))
        assert abroad[stay < EXPELLED].all()
        known = np.isin(fate, (REGISTERED, DECLARED))
        listed = g.registered[:used] >= 0
        # who is moved elsewhere before he is registered is so there, where nobody looks after him
        assert (known == listed)[(stay < EXPELLED) & (stay != ELSEWHERE)].all()
        assert (known | ~listed)[stay == ELSEWHERE].all()
        assert (g.children[:used] <= g.relatives[:used]).all()
        assert (g.registered[:used] <= run.day).all()
        assert (g.came[:used] <= run.day).all()
        assert ((g.registered[:used] < 0) | (g.registered[:used] >= g.came[:used])).all()
        for name in ("morale", "quality"):
            assert ((getattr(g, name)[:used] >= 0) & (getattr(g, name)[:used] <= 1)).all()
        residents = np.zeros(len(town.persons), np.int64)
        np.add.at(residents, g.site[:used][stay == IN_SITE], 1 + g.relatives[:used][stay == IN_SITE])
        assert residents.tolist() == town.persons.tolist()
        inside = int((records.fate == EMBASSY).sum())
        assert int(town.inside.sum()) == inside or not self.world.on("reception")
        assert not g.enlisted[:used][stay > SETTLED].any() or not self.world.on("exile")


def inspected(case: Case, seed: int = 1) -> Replicate:
    """Run a case once under the eyes of an inspector."""
    world = World(case, force_of(case))
    days = Days(world, (*MECHANISMS, Inspector))
    run = Run(world, seed, 0, True)
    observer = Observer(world)
    days.live(run, observer)
    return Replicate(0, observer.series(run), event_columns(run.records, len(world.state_ids)))


@dataclass(frozen=True)
class Plan:
    """What the host has and does."""

    strength: int
    values: dict[str, float]
    fields: list[tuple[str, float, int]]
    places: float
    funds: float

    def case(self) -> Case:
        case = hosting(self.strength, "2019-03-05").set(self.values)
        for field, value, day in self.fields:
            event = effect(field, "set", value)
            event[0] |= {"id": f"set-{field.replace('_', '-')}", "date": day_of(day)}
            case = case.with_events(event)
        return with_sites(case, places=self.places, funds=self.funds)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Draw what the host has and does: parameters anywhere in their range, fields from any day on."""
    place = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
    values: dict[str, float] = {}
    for name in draw(st.lists(st.sampled_from(FREE), unique=True, max_size=10)):
        declared = catalogue().parameters[name]
        value = declared.low + draw(place) * (declared.high - declared.low)
        values[name] = round(value) if declared.unit == "switch" else value
    fields = []
    for field in draw(st.lists(st.sampled_from(sorted(FIELDS)), unique=True, max_size=6)):
        low, high = FIELDS[field]
        value = low + draw(place) * (high - low)
        fields.append((field, round(value) if field in WHOLE else value, draw(st.integers(0, 50))))
    return Plan(
        draw(st.sampled_from([300, 1200])),
        values,
        fields,
        draw(st.sampled_from([0.02, 0.3, 1.0])),
        draw(st.sampled_from([0.0, 3_000.0, 40_000.0])),
    )


def day_of(k: int) -> str:
    return (START + dt.timedelta(k)).isoformat()


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(plans(), st.integers(0, 2**32))
def test_whatever_the_host_has_and_does_nobody_is_lost(plan: Plan, seed: int) -> None:
    case = plan.case()
    force = force_of(case)
    replicate = inspected(case, seed)
    assert_reception_agrees(replicate, case)
    told = replay(replicate, force, case.calendar.days)
    assert (told.fates.sum(axis=1) == force.n).all()
    np.testing.assert_array_equal(replicate.series["fates"], told.fates)
    assert_rest_of_files(replicate, case)


def assert_rest_of_files(replicate: Replicate, case: Case) -> None:
    """Assert that requests are decided, lapsed or open, and never decided before they have rested."""
    rest = case.value("asylum.first_days")
    filed: dict[int, int] = {}
    decided = 0
    for day, who, event, _, _, _ in rows(replicate):
        if event == "asked for asylum":
            filed[who] = day
        elif event in ("granted asylum", "refused asylum"):
            assert day >= filed[who] + int(rest)
            decided += 1
    series = replicate.series
    if "files_open" in series:
        lapsed = series["asylum_filed"].cumsum() - series["asylum_granted"].cumsum()
        lapsed = lapsed - series["asylum_refused"].cumsum() - series["files_open"]
        assert (lapsed >= 0).all()
        assert (np.diff(lapsed) >= 0).all()
    assert decided == series["asylum_granted"].sum() + series["asylum_refused"].sum()


def test_an_inspector_changes_nothing_and_there_is_much_to_see() -> None:
    case = hosting()
    replicate, expected = inspected(case), live(case)
    assert_same_bits(replicate, expected)
    seen = assert_reception_agrees(replicate, case)
    assert seen["persons"] > 3_000
    assert seen["files"] > 500
    assert (replicate.series["stay_soldiers"].sum(axis=0) > 0).all(), "nobody in some of the stays"


def test_who_is_sent_home_and_comes_again_is_one_guest() -> None:
    """An infiltrator who was found can be sent once more; he has one row, and is where he is."""
    values = {"screening__sent": 1, "screening__found": 0.5}
    case = hosting(600, **values)
    again = 0
    for seed in (1, 2, 3):
        replicate = inspected(case, seed)
        assert_reception_agrees(replicate, case)
        sent = Counter(row[1] for row in rows(replicate) if row[2] == "sent across as an infiltrator")
        again += sum(k > 1 for k in sent.values())
        town = Town(case)
        days: dict[int, list[Row]] = {}
        for row in rows(replicate):
            days.setdefault(row[0], []).append(row)
        for today in days.values():
            town.live(today)
        assert replicate.series["stay_soldiers"][-1].sum() == len(town.guests)
        assert replicate.series["arrived_soldiers"].sum() > len(town.guests)
    assert again


def test_where_there_is_no_host_nobody_is_received() -> None:
    case = with_crossings(
        hosting(), {"bridge", "road", "trail", "river", "sea", "air", "embassy"}, host=False
    )
    replicate = live(case)
    series: dict[str, Any] = dict(replicate.series)
    assert series["left_abroad"].sum() > 0
    assert not series["stay_soldiers"].any()
    assert not series["arrived_soldiers"].any()
    assert not series["asylum_filed"].any()
    assert np.isnan(series["morale"]).all()
    assert series["fates"].shape[1] == len(FATES)
    assert len(STAYS) == series["stay_soldiers"].shape[1]


@pytest.mark.parametrize("desk", [1, 10**6])
def test_there_is_room_for_days_on_which_thousands_wait_run_and_write_home(desk: int) -> None:
    often = {"diaspora__contact": 50, "exile__border_run": 1, "exile__willing": 1, "opportunity__rate": 20}
    case = hosting(
        10_000, "2019-02-15", decision__baseline_leave=0, reception__registration_desk=desk, **often
    )
    call, recruits = effect("call", "set", 1), effect("enlistment", "set", 1)
    case = case.with_events([*call, recruits[0] | {"id": "recruits"}])
    series: dict[str, Any] = dict(live(case).series)
    assert series["arrived_soldiers"].sum() > 3_000
    assert series["awaiting_registration" if desk == 1 else "ran_to_border"].max() > 1_000


RUNS = 16
AT_ONCE = {"asylum.first_days": 1, "asylum.effort": 0.05}
NO_SHOCKS = {"grievance.shock_rate": 0}


def changed(**values: float) -> Case:
    return load_case("venezuela-2019", "point").set({"force.strength": 16_000, **values})


@cache
def force() -> Force:
    return build(changed(), 1)


def left(case: Case, force: Force) -> NDArray[np.float64]:
    """Return how many left the country on each day, float64 (run, day)."""
    model = Model(case, force)
    return np.array([model.replicate(1, run).series["left_abroad"] for run in range(RUNS)], np.float64)


def more(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[float, float]:
    """Return by what share more left in `a` than in `b`, and two standard errors of it."""
    difference = a.sum(axis=1) - b.sum(axis=1)
    usual = b.sum(axis=1).mean()
    return difference.mean() / usual, 2 * difference.std(ddof=1) / np.sqrt(len(a)) / usual


@cache
def usual() -> NDArray[np.float64]:
    return left(changed(), force())


@pytest.mark.parametrize(
    ("change", "least", "most"),
    [
        ({"reception.places": 0}, -0.3, -0.02),
        ({"reception.funding": 0}, -0.3, -0.01),
        ({"asylum.recognised": 0, **AT_ONCE}, -0.3, -0.02),
        ({"asylum.recognised": 1, **AT_ONCE}, 0.01, 0.3),
        ({"exile.idle": 0}, 0.0, 0.2),
        ({"diaspora.contact": 0}, 0.0, 0.2),
    ],
)
def test_a_worse_reception_makes_fewer_come_and_a_better_one_more(
    change: dict[str, float], least: float, most: float
) -> None:
    share, error = more(left(changed(**change), force()), usual())
    assert least < share < most
    assert abs(share) > error


@pytest.mark.parametrize(("kin", "least", "most"), [(False, -0.3, -0.02), (True, 0.1, 1.0)])
def test_kin_abroad_draw_and_help(kin: bool, least: float, most: float) -> None:
    whose = dataclasses.replace(force(), kin_abroad=np.full(force().n, kin))
    share, error = more(left(changed(), whose), usual())
    assert least < share < most
    assert abs(share) > error


@pytest.mark.parametrize(("factor", "least", "most"), [(0, 0.1, 1.0), (2, -0.6, -0.1)])
def test_dependants_hold_back_apart_from_what_strikes_them(factor: int, least: float, most: float) -> None:
    many = np.minimum(force().dependants * factor, 20).astype(force().dependants.dtype)
    case = changed(**NO_SHOCKS)
    share, error = more(left(case, dataclasses.replace(force(), dependants=many)), left(case, force()))
    assert least < share < most
    assert abs(share) > error


def test_leaving_slackens_as_credit_is_spent_and_not_because_the_willing_are_gone() -> None:
    case = changed()
    day = case.calendar.day
    # in June the bridges open again, and those who waited for it leave
    month = {m: slice(day(f"2019-{m:02d}-01"), day(f"2019-{m:02d}-28") + 1) for m in (3, 5, 9, 12)}
    by_month = {m: usual()[:, days].sum() for m, days in month.items()}
    assert by_month[12] < by_month[9] < by_month[5] < by_month[3] / 2
    assert usual().sum(axis=1).mean() < 0.05 / 2 * 16_000
    appeal = {
        "id": "again",
        "date": "2019-11-20",
        "title": "Hope returns",
        "assumed": "a question",
        "effects": [{"field": "credibility", "op": "add", "value": 0.9}],
    }
    again = left(case.with_events([appeal]), force())[:, month[12]].sum()
    assert again > 5 * by_month[12]
