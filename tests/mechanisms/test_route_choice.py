"""The routes: open on which days, what each is worth by hand, which is taken how often, who slips away."""

import datetime as dt
import math
from types import SimpleNamespace

import numpy as np
import pytest

from breakrank.engine import codes
from breakrank.engine.moments import Moments
from breakrank.engine.records import make_room
from breakrank.errors import UsageError
from breakrank.mechanisms.journeys import ALONE, FAMILY, POSTED, find_ways
from tests.engine.stage import CROSSINGS, Stage, crossing
from tests.mechanisms.plain import column

A, B, C = range(3)
BRIDGE, TRAIL, BOAT, EMBASSY = range(4)
NONE = -math.inf
WORTH = {"risk_weight": 10, "days_weight": 1, "checkpoint_risk": 0.5}
WORTH |= {"posted_risk": 0.5, "alert": 1}
NOTHING = dict.fromkeys(("risk_weight", "days_weight"), 0.0)


def staged(values: dict[str, float], n: int = 1, seed: int = 1) -> Stage:
    more = {"fear.punishment_slope": 1.0}
    stage = Stage(seed, {f"routes.{k}": v for k, v in values.items()} | more, n=n)
    stage.run.records = make_room(stage.run.records, 20 * n + 500)
    return stage


def test_who_is_posted_at_a_closed_crossing_may_force_it_unless_he_is_relieved() -> None:
    stage = staged(NOTHING)
    mechanism = stage.play["routes"]
    mechanism.ways.open[:] = False
    assert mechanism.roads(stage.run).value[A, 0].tolist() == [NONE, NONE, -0.3, NONE]
    assert (mechanism.roads(stage.run).value[B] == NONE).all()
    stage.play["regime"].watch.closed[BRIDGE] = True
    assert (mechanism.roads(stage.run).value == NONE).all()


def weighed(stage: Stage, moments: Moments) -> dict[str, list[float]]:
    moments.open[:] = True
    stage.weigh(moments, "routes", "decision")
    return {name: stage.term(moments, f"routes.{name}") for name in ("way_alone", "way_family", "group")}


def test_where_no_way_was_ever_open_nobody_means_to_leave() -> None:
    stage = staged(WORTH, n=60)
    stage.play["routes"].ways.open[:] = stage.play["routes"].known[:] = False
    moments = stage.moments(np.arange(60, dtype=np.int32), codes.LEAVE_PASS)
    assert not any(weighed(stage, moments)["way_alone"])
    assert not moments.open[[codes.LEAVE, codes.LEAVE_WITH_FAMILY]].any()


def choose(stage: Stage, moments: Moments, choice: int) -> None:
    """Let all of the moments choose alike, and act on it."""
    weighed(stage, moments)
    moments.choice[:] = choice
    moments.count[:] = np.bincount(moments.choice, minlength=len(codes.OPTIONS))
    stage.play["decision"].act(stage.run, moments)
    stage.play["routes"].act(stage.run, moments)


def shares(route: np.ndarray) -> list[float]:
    return [float((route == way).mean()) for way in range(len(CROSSINGS))]


@pytest.mark.parametrize(
    ("why", "choice", "usable"),
    [
        (codes.LEAVE_PASS, codes.LEAVE, (BRIDGE, TRAIL, BOAT)),
        (codes.LEAVE_PASS, codes.LEAVE_WITH_FAMILY, (BRIDGE, TRAIL)),
        (codes.WARNED, codes.LEAVE, (BRIDGE, TRAIL, BOAT, EMBASSY)),
    ],
)
def test_equal_ways_are_taken_alike_and_end_when_the_road_does(
    why: int, choice: int, usable: tuple[int, ...]
) -> None:
    stage = staged(NOTHING, n=900)
    everyone = np.arange(900, dtype=np.int32)
    choose(stage, stage.moments(everyone, why), choice)
    assert (stage.run.records.fate == codes.TRAVELLING).all()
    route = column(stage, "routes.route")
    for way, share in enumerate(shares(route)):
        chance = (way in usable) / len(usable)
        assert abs(share - chance) <= 4 * math.sqrt(chance * (1 - chance) / 900)
    # by hand: days of road from A, B and C to each crossing and across it, whole, and at least one
    days = [[1, 3, 2, 3], [2, 4, 1, 1], [3, 5, 1, 1]]
    due = {
        i: day for (day, what), who in stage.records.agenda.items() if what == codes.DUE_ARRIVAL for i in who
    }
    assert [due[i] - stage.run.day for i in everyone] == [
        days[s][r] for s, r in zip(stage.force.state.tolist(), route.tolist(), strict=True)
    ]


def test_guards_cross_where_they_stand_on_the_same_day_or_slip_away_to_another_way() -> None:
    stage = staged(NOTHING, n=300)
    choose(stage, stage.moments(np.arange(300, dtype=np.int32), codes.POSTING), codes.LEAVE)
    route, mode = column(stage, "routes.route"), column(stage, "routes.mode")
    guarded = (stage.force.state == A) & (route == BRIDGE)
    assert 0 < guarded.sum() < (stage.force.state == A).sum()
    assert (mode == np.where(guarded, POSTED, ALONE)).all()
    today = [i for (day, what), who in stage.records.agenda.items() if day == stage.run.day for i in who]
    assert sorted(today) == np.flatnonzero(guarded).tolist()


@pytest.mark.parametrize(
    ("lead_mode", "choice", "mode"),
    [
        (ALONE, codes.LEAVE, ALONE),
        (POSTED, codes.LEAVE, POSTED),
        (FAMILY, codes.LEAVE, ALONE),
        (ALONE, codes.LEAVE_WITH_FAMILY, FAMILY),
    ],
)
def test_those_asked_along_go_their_leaders_way_with_him(lead_mode: int, choice: int, mode: int) -> None:
    stage = staged(NOTHING, n=60)
    journeys, who = stage.play["routes"].journeys, np.arange(1, 60, 2, dtype=np.int32)
    journeys.route[0], journeys.mode[0] = TRAIL, lead_mode
    choose(stage, stage.moments(who, codes.INVITED, np.zeros(30, np.int32)), choice)
    assert (column(stage, "routes.route")[who] == TRAIL).all()
    assert (column(stage, "routes.leader")[who] == 0).all()
    assert (column(stage, "routes.mode")[who] == mode).all()
    due = {day for (day, what), them in stage.records.agenda.items() if what == codes.DUE_ARRIVAL and them}
    road = {A: 3, B: 4, C: 5}[int(stage.force.state[0])]  # from where the leader stood
    assert due == {stage.run.day + (0 if mode == POSTED else road)}
    assert stage.run.calls == [], "who follows asks nobody along, though comrades are left"


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_share_of_deserters_slips_abroad_and_never_into_an_embassy(share: float) -> None:
    stage = staged(NOTHING | {"slip_abroad": share}, n=900)
    choose(stage, stage.moments(np.arange(900, dtype=np.int32), codes.LEAVE_PASS), codes.DESERT)
    slips, fate = column(stage, "routes.slips"), stage.run.records.fate
    assert abs(slips.mean() - share) <= 4 * math.sqrt(share * (1 - share) / 900)
    assert (fate == np.where(slips, codes.TRAVELLING, codes.HIDING)).all()
    assert set(column(stage, "routes.route")[slips].tolist()) <= {BRIDGE, TRAIL, BOAT}


def test_who_would_leave_by_a_way_that_is_shut_waits_and_decides_again_when_it_opens() -> None:
    stage = staged(NOTHING | {"days_weight": 0.01}, n=300)
    mechanism, everyone = stage.play["routes"], np.arange(300, dtype=np.int32)
    stage.play["regime"].watch.closed[:] = True
    mechanism.dawn(stage.run)
    moments = stage.moments(everyone, codes.LEAVE_PASS)
    weighed(stage, moments)
    moments.choice[:], moments.draw[:] = codes.LEAVE, 0.75
    moments.count[:] = np.bincount(moments.choice, minlength=len(codes.OPTIONS))
    mechanism.act(stage.run, moments)
    assert (stage.run.records.fate == codes.SERVING).all()
    kept = mechanism.intentions.until
    assert abs(float(np.median(kept)) - 90) < 20
    stage.play["regime"].watch.closed[:] = False
    stage.run.open_day(1)
    mechanism.dawn(stage.run)
    due = [i for (_, what), who in stage.records.agenda.items() if what == codes.DUE_WAITED for i in who]
    assert set(due) <= set(np.flatnonzero(kept >= 1).tolist())
    assert len(due) > 0.9 * (kept >= 1).sum(), "some would decide after the last day"
    again = stage.moments(everyone, codes.WAITED)
    mechanism.meet(stage.run, again)
    np.testing.assert_allclose(again.draw, 0.75)


def spell(first: int, last: int, **more: object) -> SimpleNamespace:
    start = dt.date(2019, 1, 1)
    plain = {"open": True, "capture": None, "violence": None}
    return SimpleNamespace(start=start + dt.timedelta(first), to=start + dt.timedelta(last), **(plain | more))


def test_schedules_hold_on_their_days_first_and_last_included() -> None:
    gate = crossing(
        "gate",
        "A",
        schedule=(spell(-5, 2, open=False), spell(6, 8, capture=0.9), spell(8, 99, violence=0.8, open=False)),
    )
    stage = Stage(1, n=1, days=12, crossings=(gate, *CROSSINGS))
    ways = find_ways(stage.world)
    assert ways.open[:, 0].tolist() == [False] * 3 + [True] * 5 + [False] * 4
    assert ways.capture[:, 0].tolist() == [0.2] * 6 + [0.9] * 3 + [0.2] * 3
    assert ways.violence[:, 0].tolist() == [0.1] * 8 + [0.8] * 4
    assert ways.epoch.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 4]
    assert ways.open[:, 1:].all()


def test_a_case_without_crossings_can_run_without_ways_out_only() -> None:
    with pytest.raises(UsageError, match=r"routes\.on=0"):
        Stage(1, crossings=())
    assert not Stage(1, {"routes.on": 0}, crossings=(), sites=()).play["routes"].on
