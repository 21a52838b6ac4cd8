"""Whatever the parameters: nobody is lost, fates follow from the log, and only those who serve decide."""

from __future__ import annotations

import datetime as dt

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from breakrank.case import Case
from breakrank.engine.codes import EVENTS, FATES, INVITED, LEAVE, OCCASIONS, OPTIONS, REPORT, SERVING
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.run import Run
from breakrank.model import MECHANISMS, Model, build, catalogue
from tests.engine.agreement import assert_plots_agree, assert_series_agree, assert_sound
from tests.engine.hosts import HOSTING, hosting, prepared
from tests.engine.reception_agreement import assert_reception_agrees
from tests.engine.replay import replay
from tests.engine.stage import Stage
from tests.engine.worlds import (
    AGREED,
    BUSY,
    HELD,
    PLOTTING,
    TORN,
    busy,
    force_of,
    openly,
    record,
    rows,
    spied,
)

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
