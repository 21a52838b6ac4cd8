"""Whatever the parameters: nobody is lost, fates follow from the log, and only those who serve decide."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from breakrank.case import Case
from breakrank.engine.books import event_columns
from breakrank.engine.codes import EVENTS, FATES, INVITED, LEAVE, REPORT, SERVING, STAY
from breakrank.engine.observe import COUNTS, Observer
from breakrank.engine.run import Run
from breakrank.force import Force
from breakrank.model import MECHANISMS, Model, build, catalogue
from breakrank.results.variables import VARIABLES
from tests.engine.replay import Replay, replay
from tests.engine.stage import Stage
from tests.engine.worlds import BUSY, Replicate, Spy, busy, force_of, lively, record, rows, spied

SWITCHES = tuple(f"{m.name}.on" for m in MECHANISMS if f"{m.name}.on" in catalogue().parameters)
FREE = tuple(sorted(set(catalogue().parameters) - {*SWITCHES, "force.strength"}))
NAMED = {
    "arrested": ("arrested",),
    "released": ("released by a patron",),
    "captured": ("captured on the way", "caught in hiding"),
    "shot": ("shot on the way",),
    "died_in_custody": ("died in custody",),
    "reprisals": ("reprisal on relatives",),
    "shocks": ("family shock",),
    "confided": ("confided",),
    "reported": ("reported",),
    "left_abroad": ("crossed",),
}
"""Series that count events of the log."""


@st.composite
def worlds(draw: st.DrawFn) -> tuple[dict[str, float], int, int]:
    """Draw parameters, days and seed: some parameters anywhere in their range, up to two mechanisms off."""
    place = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
    values = {}
    for name, where in draw(st.dictionaries(st.sampled_from(FREE), place, max_size=14)).items():
        declared = catalogue().parameters[name]
        values[name] = declared.low + where * (declared.high - declared.low)
    values |= dict.fromkeys(draw(st.sets(st.sampled_from(SWITCHES), max_size=2)), 0)
    values["force.strength"] = draw(st.integers(200, 3000))
    return values, draw(st.integers(1, 70)), draw(st.integers(0, 2**32))


def made(values: dict[str, float], days: int) -> Case:
    return lively().set({**BUSY, **values}).until(record().calendar.start + dt.timedelta(days - 1))


def assert_series_agree(replicate: Replicate, told: Replay, force: Force, days: int) -> None:
    """Assert that every series is what the log adds up to."""
    series: dict[str, Any] = dict(replicate.series)
    for name, expected in told.exits.items():
        np.testing.assert_array_equal(series[name][..., : expected.shape[-1]], expected)
        assert not series[name][..., expected.shape[-1] :].any()
    np.testing.assert_array_equal(series["fates"], told.fates)
    assert set(NAMED) == set(COUNTS)
    for name, events in NAMED.items():
        expected = [sum(told.counts.get((day, e), 0) for e in events) for day in range(days)]
        assert series[name].tolist() == expected, name
    at_end = np.array([FATES.index(told.at_end[int(who)]) for who in force.identity])
    for name, code in (("fate_rank", force.rank), ("fate_branch", force.branch)):
        expected = np.zeros_like(series[name])
        np.add.at(expected, (at_end, code), 1)
        np.testing.assert_array_equal(series[name], expected)
    states = len(force.state_ids)
    position = {int(who): i for i, who in enumerate(force.identity)}
    by_state, by_route = np.zeros_like(series["exits_state"]), np.zeros_like(series["exits_route"])
    registered, crossed = np.zeros_like(series["registered_rank"]), np.zeros_like(series["crossed_rank"])
    for day, who, event, place, _, value in rows(replicate):
        i = position[who]
        if event == "deserted quietly" or (event == "left for the border" and value >= 0):
            by_state[day, force.state[i]] += 1
        elif event == "crossed":
            by_route[day, place - states] += 1
            crossed[day, force.rank[i]] += 1
        elif event == "registered" and value > 0:
            registered[day, force.rank[i]] += 1
    np.testing.assert_array_equal(series["exits_state"], by_state)
    np.testing.assert_array_equal(series["exits_route"], by_route)
    np.testing.assert_array_equal(series["crossed_rank"], crossed)
    np.testing.assert_array_equal(series["registered_rank"], registered)
    for whole, part in (("registered", "registered_branch"), ("left_abroad", "crossed_branch")):
        np.testing.assert_array_equal(series[whole], series[part].sum(axis=1))
    assert series["registered"].tolist() == registered.sum(axis=1).tolist()


def assert_sound(spy: Spy, force: Force, units: np.ndarray) -> None:
    """Assert that those who decided could, and chose among what was open with chances that add up to 1."""
    for seen in spy.all:
        moments, n = seen.moments, seen.moments.n
        assert (seen.fate == SERVING).all()
        assert (np.diff(moments.who) > 0).all()
        assert np.isfinite(moments.terms).all()
        assert np.isfinite(moments.margin).all()
        assert (moments.chance >= 0).all()
        assert (moments.chance <= 1).all()
        np.testing.assert_allclose(moments.chance.sum(axis=0), 1, atol=1e-12)
        assert moments.open[STAY].all()
        assert not moments.chance[~moments.open].any()
        assert moments.open[moments.choice, np.arange(n)].all()
        assert moments.count.tolist() == np.bincount(moments.choice, minlength=len(moments.count)).tolist()
        invited = moments.occasion == INVITED
        assert invited.all() or not invited.any()
        for i, leader in zip(moments.who[invited], seen.leaders, strict=True):
            assert leader in force.ties.of(i)
            assert units[leader] == units[i]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_any_world_keeps_its_books(world: tuple[dict[str, float], int, int]) -> None:
    values, days, seed = world
    case = made(values, days)
    force = build(case, seed)
    replicate, spy = spied(case, force, seed)
    told = replay(replicate, force, days, case.value("counterintelligence.on") >= 0.5)
    assert (told.fates.sum(axis=1) == force.n).all()
    assert_series_agree(replicate, told, force, days)
    assert_sound(spy, force, force.unit)
    assert int(replicate.series["moments"]) == sum(seen.moments.n for seen in spy.all)
    for name, values in replicate.series.items():
        if VARIABLES[name].dtype != "float32":
            assert (np.asarray(values) >= 0).all(), name
        else:  # a share, or no reading where nobody serves
            share = np.asarray(values)
            assert (np.isnan(share) | ((share >= 0) & (share <= 1))).all(), name
    dead = replicate.series["fates"][:, FATES.index("dead")]
    assert (np.diff(dead) >= 0).all()


def test_a_busy_world_sees_everything_that_can_happen() -> None:
    replicate, spy = spied(busy(8_000, "2019-12-31"))
    assert replicate.events is not None
    told = {row[2] for row in rows(replicate)}
    assert told == set(EVENTS), "the properties above are tested on less than there is"
    assert {int(o) for seen in spy.all for o in seen.moments.choice} == set(range(5))
    assert {int(o) for seen in spy.all for o in seen.moments.occasion} == set(range(6))


def test_leaders_are_under_way_and_led_within_their_number() -> None:
    case = busy(8_000)
    replicate, spy = spied(case)
    leads = [rank.leads for rank in case.force.ranks]
    force = force_of(case)
    led: dict[int, int] = {}
    for seen in spy.all:
        for j, i in enumerate(seen.moments.who):
            if seen.moments.occasion[j] == INVITED and seen.moments.choice[j] == LEAVE:
                leader = int(seen.leaders[j])
                led[leader] = led.get(leader, 0) + 1
                assert i != leader
    assert led
    assert all(0 < k <= leads[force.rank[leader]] for leader, k in led.items())
    by_identity = {int(force.identity[leader]): k for leader, k in led.items()}
    alone = {row[1]: row[4] for row in rows(replicate) if row[2] == "left for the border" and row[5] != 1}
    followed = [leader for leader in alone.values() if leader in by_identity]
    assert len(followed) == sum(by_identity.values())


def test_whoever_reports_was_confided_in_by_that_soldier() -> None:
    replicate, spy = spied(busy(4_000))
    told: set[tuple[int, int]] = set()
    reports = 0
    for _, who, event, _, other, _ in rows(replicate):
        if event == "confided":
            told.add((other, who))
        elif event == "reported":
            assert (who, other) in told
            reports += 1
    assert reports == sum(int(seen.moments.count[REPORT]) for seen in spy.all) > 10


def test_a_world_of_one_soldier_lives() -> None:
    case = busy(1)
    replicate, spy = spied(case)
    assert replicate.series["fates"].sum(axis=1).tolist() == [1] * case.calendar.days
    assert all(seen.moments.n == 1 for seen in spy.all)


@pytest.mark.parametrize("days", [1, 2, 8])
def test_short_calendars(days: int) -> None:
    replicate, _ = spied(made({"force.strength": 500}, days))
    assert replicate.series["fates"].shape == (days, len(FATES))


def test_the_built_in_case_at_full_size() -> None:
    case = record()
    force = force_of(case)
    replicate = Model(case, force).replicate(0, 0, log=True)
    fates, events = replicate.series["fates"], replicate.events
    assert force.n == 160_000
    assert (fates.sum(axis=1) == force.n).all()
    assert (fates >= 0).all()
    assert events is not None
    assert events["soldier"].max() < force.n
    assert (np.diff(events["day"]) >= 0).all()
    left = np.isin(events["event"], [EVENTS.index("deserted quietly"), EVENTS.index("left for the border")])
    gone = np.unique(events["soldier"][left & (events["value"] >= 0)])
    assert len(gone) == replicate.series["exits_state"].sum()
    back = {"serving", "detained", "imprisoned", "dead"}  # besides, suspects who never left their post
    away = sum(int(fates[-1, k]) for k, name in enumerate(FATES) if name not in back)
    assert away <= len(gone) <= force.n - int(fates[-1, SERVING])


def test_a_decade_of_a_small_force() -> None:
    stage = Stage(
        3, {"opportunity.leave_passes": 0.2}, {"registration": 1, "credibility": 0.3}, n=200, days=3660
    )
    run = Run(stage.world, 3, 0, stage.days.term_row, True)
    observer = Observer(stage.world)
    stage.days.live(run, observer)
    assert (observer.fates.sum(axis=1) == 200).all()
    last = event_columns(run.books, 3)["day"][-1]
    assert 3000 < last < 3660
