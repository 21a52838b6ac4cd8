"""Whatever the parameters: nobody is lost, fates follow from the log, and only those who serve decide."""

import datetime as dt
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from breakrank.case import Case
from breakrank.engine.codes import (
    DEFEATED,
    EVENTS,
    FATES,
    INVITED,
    LEAVE,
    OCCASIONS,
    OPTIONS,
    ORDERED,
    REPORT,
    SERVING,
    STAY,
)
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.run import Run
from breakrank.force import Force
from breakrank.model import MECHANISMS, Model, build, catalogue
from breakrank.outputs import Output
from tests.engine.hosts import HOSTING, hosting, prepared
from tests.engine.reception_agreement import assert_reception_agrees
from tests.engine.replay import Replay, replay
from tests.engine.stage import Stage
from tests.engine.worlds import (
    AGREED,
    BUSY,
    HELD,
    NO,
    PLOTTING,
    TORN,
    Replicate,
    Spy,
    busy,
    force_of,
    openly,
    record,
    rows,
    spied,
)

LOST = {"plot broken by arrests": 0, "plot scattered": 1, "plot dissolved": 2, "plot launched": 3}
ALIVE = 4


def assert_series_agree(replicate: Replicate, told: Replay, force: Force, days: int) -> None:
    """Assert that every series is what the log adds up to."""
    series: dict[str, Any] = dict(replicate.series)
    for name, expected in told.exits.items():
        np.testing.assert_array_equal(series[name][..., : expected.shape[-1]], expected)
        assert not series[name][..., expected.shape[-1] :].any()
    np.testing.assert_array_equal(series["fates"], told.fates)
    for name, one in catalogue().outputs.items():
        if one.events and name in series:
            expected = counted(one, replicate, force, series[name].shape)
            np.testing.assert_array_equal(series[name], expected, err_msg=name)
    at_end = np.array([FATES.index(told.at_end[int(who)]) for who in force.identity])
    for name, code in (("fate_rank", force.rank), ("fate_branch", force.branch)):
        expected = np.zeros_like(series[name])
        np.add.at(expected, (at_end, code), 1)
        np.testing.assert_array_equal(series[name], expected)


def counted(one: Output, replicate: Replicate, force: Force, shape: tuple[int, ...]) -> np.ndarray:
    """Return what the log alone says of a series that counts rows of it."""
    log: dict[str, Any] = dict(replicate.events or {})
    i, found = np.searchsorted(force.identity, log["soldier"]), np.zeros(shape, int)
    where = {"rank": force.rank[i], "branch": force.branch[i], "state": force.state[i]}
    where["route"] = log["place"] - len(force.labels.states)
    for row in one.rows:
        hit = (log["event"] == row.event) & (log["value"] >= row.low) & (log["value"] < row.below)
        hit &= (log["other"] == NO) | (not row.alone)
        where["outcome"] = np.full(len(i), row.at)
        np.add.at(found, (log["day"][hit], *(where[dim][hit] for dim in one.dims[2:])), 1)
    return found


def assert_plots_agree(replicate: Replicate, days: int) -> None:
    """Assert that plots and plotters by day and by end are what the log adds up to."""
    series: dict[str, Any] = dict(replicate.series)
    alive, ended, founded, launched = (np.zeros(k, int) for k in (days, 5, 2, 2))
    open_: dict[int, int] = {}
    fell = [row[0] for row in rows(replicate) if row[2] == "regime fell"]
    for day, who, event, _, _, value in rows(replicate):
        if event == "founded a plot":
            open_[who] = open_.get(who, 0) + 1
            founded[int(value)] += 1
            alive[day:] += 1
        elif event in LOST:
            open_[who] -= 1
            ended[LOST[event]] += 1
            alive[day:] -= 1
            launched[int(value) // 1000] += event == "plot launched"
    assert all(k >= 0 for k in open_.values()), "a plot ends once"
    ended[ALIVE] = sum(open_.values())
    ends = series["plot_ends"].sum(axis=1)
    np.testing.assert_array_equal(series["plots"].sum(axis=1), alive)
    np.testing.assert_array_equal(ends.sum(axis=1), ended)
    np.testing.assert_array_equal(ends.sum(axis=0), founded)
    np.testing.assert_array_equal(ends[LOST["plot launched"]], launched)
    np.testing.assert_array_equal(ends[ALIVE], series["plots"][-1])
    assert (series["plotters"] >= series["plots"]).all()
    holds = np.arange(days) < fell[0] if fell else np.ones(days, bool)
    np.testing.assert_array_equal(series["regime_holds"].astype(bool), holds)
    assert len(fell) <= 1
    for name in [n for n, v in catalogue().outputs.items() if "day" in v.dims and v.aggregation == "sum"]:
        if fell and name in series:
            assert not np.asarray(series[name])[fell[0] + 1 :].any(), f"{name} after the regime fell"


def assert_sound(spy: Spy, replicate: Replicate, force: Force) -> None:
    """Assert that those who decided could, and chose among what was open with chances that add up to 1."""
    units, identity = force.unit, force.identity.tolist()
    log = rows(replicate)
    set_out = {(row[0], row[1]) for row in log if row[2] == "plot launched" and row[5] < 1000}
    joined = {row[1]: row[0] for row in reversed(log) if row[2] == "joined a plot" and row[5] == 0}
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
        called = invited | np.isin(moments.occasion, (DEFEATED, ORDERED))
        assert called.all() or not called.any()
        assert (moments.leader[~invited] == -1).all()
        for i, leader in zip(moments.who[invited], moments.leader[invited], strict=True):
            if (seen.day, identity[leader]) in set_out:
                assert joined[identity[i]] <= seen.day, "a plot leads out its own members"
            else:
                assert leader in force.ties.of(i)
                assert units[leader] == units[i]


SWITCHES = tuple(f"{m.name}.on" for m in MECHANISMS if f"{m.name}.on" in catalogue().parameters)
AT_WAR = {"under fire", "as his unit came apart", "called upon to take his unit over"}
"""Occasions of a case with a war, or an opposition at home."""
FREE = tuple(sorted(set(catalogue().parameters) - {*SWITCHES, "force.strength"}))
World = tuple[dict[str, float], int, int, bool, bool]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw parameters, days, seed, and whether soldiers may resign and refuse.

    Some parameters are anywhere in their range, and up to two mechanisms off.
    """
    place = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
    values = {}
    for name, where in draw(st.dictionaries(st.sampled_from(FREE), place, max_size=14)).items():
        declared = catalogue().parameters[name]
        values[name] = declared.low + where * (declared.high - declared.low)
        if declared.unit == "switch":
            values[name] = round(values[name])
    values |= dict.fromkeys(draw(st.sets(st.sampled_from(SWITCHES), max_size=2)), 0)
    values["force.strength"] = draw(st.integers(200, 3000))
    return (
        values,
        draw(st.integers(1, 70)),
        draw(st.integers(0, 2**32)),
        draw(st.booleans()),
        draw(st.booleans()),
    )


def made(values: dict[str, float], days: int) -> Case:
    case = prepared().set({**BUSY, **PLOTTING, **HOSTING, **values})
    return case.until(record().calendar.start + dt.timedelta(days - 1))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_any_world_keeps_its_books(world: World) -> None:
    values, days, seed, resigns, refuses = world
    case = openly(made(values, days), resigns, refuses)
    force = build(case, seed)
    replicate, spy = spied(case, force, seed)
    told = replay(replicate, force, days, case.value("counterintelligence.on") >= 0.5)
    assert (told.fates.sum(axis=1) == force.n).all()
    assert_series_agree(replicate, told, force, days)
    assert_plots_agree(replicate, days)
    assert_reception_agrees(replicate, case)
    assert_sound(spy, replicate, force)
    assert int(replicate.series["decision_opportunities"]) == sum(seen.moments.n for seen in spy.all)
    for name, values in replicate.series.items():
        declared, found = catalogue().outputs[name], np.asarray(values)
        if declared.dtype == "float32":  # no reading where nobody serves, or nobody is there
            found = found[~np.isnan(found)]
        assert (found >= 0).all(), name
        if declared.unit in ("share", "fraction") and name != "surveillance_level":
            assert (found <= 1).all(), name
    dead = replicate.series["fates"][:, FATES.index("dead")]
    assert (np.diff(dead) >= 0).all()


def test_a_busy_world_sees_everything_that_can_happen() -> None:
    told, options, occasions = set(), set(), set()
    large = busy(8_000, "2019-12-31")
    weak = HELD | {"uprising.strength": 0.06}  # some refuse to march
    free = openly(large.set({"decision.baseline_resign": 4}))
    worlds = (large.set(values) for values in ({}, PLOTTING, TORN, HELD, weak, AGREED))
    for case in (*worlds, free, hosting()):
        replicate, spy = spied(case)
        told |= {row[2] for row in rows(replicate)}
        options |= {OPTIONS[o] for seen in spy.all for o in seen.moments.choice}
        occasions |= {OCCASIONS[o] for seen in spy.all for o in seen.moments.occasion}
    at_home = {"went over to the opposition"}  # of a case with an opposition inside the country
    assert told == set(EVENTS) - at_home, "the properties above are tested on less than there is"
    assert options == set(OPTIONS)
    assert occasions == set(OCCASIONS) - AT_WAR


def test_leaders_are_under_way_and_led_within_their_number() -> None:
    case = busy(8_000)
    replicate, spy = spied(case)
    leads = [rank.leads for rank in case.force.ranks]
    force = force_of(case)
    led: dict[int, int] = {}
    for seen in spy.all:
        for j, i in enumerate(seen.moments.who):
            if seen.moments.occasion[j] == INVITED and seen.moments.choice[j] == LEAVE:
                leader = int(seen.moments.leader[j])
                led[leader] = led.get(leader, 0) + 1
                assert i != leader
    assert led
    assert all(0 < k <= leads[force.rank[leader]] for leader, k in led.items())
    by_identity = {int(force.identity[leader]): k for leader, k in led.items()}
    alone = {row[1]: row[4] for row in rows(replicate) if row[2] == "left for the border" and row[5] != 1}
    followed = [leader for leader in alone.values() if leader in by_identity]
    assert len(followed) == sum(by_identity.values())


def test_whoever_reports_was_confided_in_or_approached_by_that_soldier() -> None:
    replicate, spy = spied(busy(4_000).set(PLOTTING))
    told: set[tuple[int, int]] = set()
    reports = 0
    for _, who, event, _, other, _ in rows(replicate):
        if event in ("confided", "approached someone for a plot"):
            told.add((other, who))
        elif event == "reported":
            assert (who, other) in told
            reports += 1
    assert reports == sum(int(seen.moments.count[REPORT]) for seen in spy.all) > 10


def test_the_built_in_case_at_full_size() -> None:
    case = record()
    force = force_of(case)
    replicate = Model(case, force).replicate(0, 0, log=True)
    fates, events = replicate.series["fates"], replicate.events
    assert force.n == 160_000
    assert (fates.sum(axis=1) == force.n).all()
    assert (fates >= 0).all()
    assert events["soldier"].max() < force.n
    assert (np.diff(events["day"]) >= 0).all()
    left = np.isin(events["event"], [EVENTS.index("deserted quietly"), EVENTS.index("left for the border")])
    gone = np.unique(events["soldier"][left & (events["value"] >= 0)])
    assert len(gone) == replicate.series["exits_state"].sum()
    # besides, suspects who never left their post, and holders of positions who declared themselves there
    back = {"serving", "detained", "imprisoned", "dead", "discharged", "declared"}
    away = sum(int(fates[-1, k]) for k, name in enumerate(FATES) if name not in back)
    assert away <= len(gone) <= force.n - int(fates[-1, SERVING])


def test_a_decade_of_a_small_force() -> None:
    stage = Stage(3, {"opportunity.rate": 0.2}, {"registration": 1, "credibility": 0.3}, n=200, days=3660)
    run = Run(stage.world, 3, 0, True)
    observer = Observer(stage.world)
    stage.days.live(run, observer)
    assert (observer.observed.fates.sum(axis=1) == 200).all()
    last = event_columns(run.records, 3)["day"][-1]
    assert 3000 < last < 3660


def test_a_day_on_which_everybody_founds_a_plot_has_room_for_all() -> None:
    many = {"plots.baseline_plan": 0, "opportunity.rate": 52}
    case = made({**many, "force.strength": 20_000, "plots.from_start": 10_000}, 4)
    replicate, _ = spied(case)
    assert replicate.series["founded"].max() > 1000
    assert_plots_agree(replicate, 4)
