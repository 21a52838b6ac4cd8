"""The ways out, told plainly: what a way is worth, who sets out, who comes along, how journeys end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.books import make_room
from breakrank.engine.codes import (
    DEFEATED,
    DESERT,
    DUE_ARRIVAL,
    EV_INVITED,
    EV_LEFT,
    HIDING,
    INVITED,
    LEAVE,
    LEAVE_WITH_FAMILY,
    OPTIONS,
    POSTING,
    REPORT,
    SERVING,
    STAY,
    TRAVELLING,
    WARNED,
)
from breakrank.engine.moments import Moments
from breakrank.force import VEHICLE
from breakrank.mechanisms.journeys import ALONE, FAMILY, HUNTED, POSTED, pick_way
from tests.engine.plain_books import PlainBooks
from tests.engine.stage import CROSSINGS, LEADS, Stage
from tests.mechanisms.plain import column, four, one, set_the_mood, tier, ties

seeds = st.integers(0, 2**32)


def pick(utility: list[float], draw: float) -> int:
    """Pick a way by softmax and one draw; -1 where none is open."""
    highest = max(utility)
    if highest == -math.inf:
        return -1
    total, passed, last = 0.0, 0.0, -1
    for u in utility:
        total += math.exp(u - highest)
    for k, u in enumerate(utility):
        if u > -math.inf:
            passed += math.exp(u - highest)
            last = k
            if draw * total < passed:
                break
    return last


def worth(stage: Stage, state: int, rank_tier: int, mode: int) -> list[float]:
    """Return the utility of each way today, -inf where it is not open; embassies take in the hunted alone."""
    world, ways, day = stage.world, stage.play["ways_out"].ways, stage.run.day
    found = []
    for r, c in enumerate(CROSSINGS):
        here = mode == POSTED and c.posted and "ABC"[state] == c.state
        passes = (1 - ways.capture[day, r]) * (1 - world["ways_out.checkpoint_risk"]) ** ways.checkpoints[
            state, r
        ]
        risk = world["ways_out.posted_risk"] * ways.capture[day, r] if here else 1 - passes
        if mode == HUNTED:
            risk = 1 - passes ** (1 + world["ways_out.alert"])
        open_ = bool(ways.open[day, r]) and not stage.play["regime"].watch.closed[r]
        relieved = stage.play["regime"].watch.closed[r]
        usable = (here and not relieved) or (open_ and ways.days[state, r] < math.inf)
        usable &= here or c.kind != "embassy" or mode == HUNTED
        usable &= mode != FAMILY or c.family
        punishment = 1 + world["fear.punishment_slope"] * rank_tier
        u = (
            -world["ways_out.risk_weight"] * punishment * risk
            - world["ways_out.days_weight"] * ways.days[state, r]
        )
        u -= world["ways_out.violence_weight"] * ways.violence[day, r]
        u -= world["ways_out.hardship_weight"] * c.hardship * (2 if mode == FAMILY else 1)
        found.append(u if usable else -math.inf)
    return found


def some_closed(stage: Stage) -> None:
    """Close some of the crossings for the whole run, by their schedule or because too many use them."""
    stage.play["ways_out"].ways.open[:] = stage.rng.random(len(CROSSINGS)) < 0.6
    stage.play["regime"].watch.closed[:] = stage.rng.random(len(CROSSINGS)) < 0.2


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(st.just(-math.inf), st.floats(-700, 50)), min_size=1, max_size=6), st.floats(1e-9, 1)
)
def test_picking_a_way_agrees_with_a_plain_softmax(utility: list[float], draw: float) -> None:
    draw = min(draw, 1 - 1e-9)
    found = pick_way(np.array(utility), draw)
    assert found == pick(utility, draw)
    assert found == -1 or utility[found] > -math.inf


@settings(max_examples=40, deadline=None)
@given(seeds, st.floats(0, 30), st.floats(0, 0.9), st.floats(0, 1))
def test_the_worth_of_ways_agrees_with_a_plain_reckoning(
    seed: int, weight: float, checkpoint: float, posted: float
) -> None:
    values = {"risk_weight": weight, "checkpoint_risk": checkpoint, "posted_risk": posted}
    stage = Stage(seed, {f"ways_out.{k}": v for k, v in values.items()}, n=1)
    some_closed(stage)
    today = stage.play["ways_out"].roads(stage.run)
    for s in range(3):
        for r, t in enumerate((0, 1, 3, 5)):
            for mode in (ALONE, FAMILY, POSTED, HUNTED):
                u = worth(stage, s, t, mode)
                np.testing.assert_allclose(today.utility[s, r, mode], u, rtol=1e-12)
                total = sum(math.exp(v) for v in u)
                value = math.log(total) if total else -math.inf
                np.testing.assert_allclose(today.value[s, r, mode], value, rtol=1e-12, atol=1e-12)


def any_occasions(stage: Stage, who: np.ndarray) -> Moments:
    """Return moments on ordinary occasions, some of them of people who were warned or have risen in vain."""
    moments = stage.moments(who)
    hunted = stage.rng.random(moments.n) < 0.3
    moments.occasion[hunted] = stage.rng.choice([WARNED, DEFEATED], int(hunted.sum()))
    return moments


def invite(stage: Stage) -> Moments:
    """Return the moments of some whom leaders on their way ask along."""
    run, mechanism = stage.run, stage.play["ways_out"]
    leaders = [i for i in range(stage.n) if run.books.fate[i] == TRAVELLING]
    for i in leaders:
        mode = int(stage.rng.choice([ALONE, POSTED]))
        utility = mechanism.roads(run).utility[stage.force.state[i], stage.force.rank[i], mode]
        route = int(np.argmax(utility))
        mechanism.journeys.mode[i], mechanism.journeys.route[i] = mode, route
    asked = [i for i in range(stage.n) if run.books.fate[i] == SERVING] if leaders else []
    return stage.moments(
        np.array(asked, np.int32), INVITED, np.array([stage.rng.choice(leaders) for _ in asked], np.int32)
    )


@settings(max_examples=80, deadline=None)
@given(seeds, st.booleans())
def test_weighing_agrees_with_a_plain_reckoning(seed: int, invited: bool) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    some_closed(stage)
    stage.set_fates((SERVING, SERVING, TRAVELLING))
    run, mechanism = stage.run, stage.play["ways_out"]
    mechanism.today = mechanism.roads(run)
    moments = invite(stage) if invited else any_occasions(stage, stage.some())
    moments.open[:] = True
    mechanism.weigh(run, moments)
    help_, call = stage.world["ways_out.vehicle_help"], stage.world["ways_out.group_weight"]
    for j, i in enumerate(moments.who.tolist()):
        s, r = stage.force.state[i], stage.force.rank[i]
        if moments.occasion[j] == INVITED:
            head = int(moments.leader[j])
            route, mode = int(mechanism.journeys.route[head]), int(mechanism.journeys.mode[head])
            alone = float(mechanism.today.utility[s, r, mode, route])
            family = float(mechanism.today.utility[s, r, FAMILY, route]) if mode != POSTED else -math.inf
        else:
            own = {POSTING: POSTED, WARNED: HUNTED, DEFEATED: HUNTED}.get(int(moments.occasion[j]), ALONE)
            wheels = help_ if stage.force.access[i] & VEHICLE else 0.0
            alone = float(mechanism.today.value[s, r, own]) + wheels
            family = float(mechanism.today.value[s, r, FAMILY]) + wheels
        assert moments.open[LEAVE, j] == (alone > -math.inf)
        assert moments.open[LEAVE_WITH_FAMILY, j] == (family > -math.inf)
        assert stage.term(moments, "ways_out.way_alone")[j] == (alone if alone > -math.inf else 0.0)
        assert stage.term(moments, "ways_out.way_family")[j] == (family if family > -math.inf else 0.0)
        assert stage.term(moments, "ways_out.group")[j] == (call if moments.occasion[j] == INVITED else 0.0)


def depart(stage: Stage, books: PlainBooks, moments: Moments) -> dict[int, tuple[int, int, int, bool]]:
    """Set out whoever chose to, plainly; return route, leader, mode and whether he only slips away."""
    mechanism, day = stage.play["ways_out"], stage.run.day
    utility, days = mechanism.today.utility, mechanism.today.days
    journeys = {}
    for i in [i for j, i in enumerate(moments.who.tolist()) if moments.choice[j] == DESERT]:
        slip, way, _, _ = four(stage, "ways_out.slip", i, when=day)
        state = stage.force.state[i]
        route = pick(utility[state, stage.force.rank[i], ALONE].tolist(), way)
        if slip < stage.world["ways_out.slip_abroad"] and route >= 0 and CROSSINGS[route].kind != "embassy":
            journeys[i] = (route, -1, ALONE, True)
            books.move(day, i, TRAVELLING, EV_LEFT, route, -1, -1)
            books.schedule(day + max(1, math.ceil(days[state, route])), DUE_ARRIVAL, i)
    for j, i in enumerate(moments.who.tolist()):
        if moments.choice[j] not in (LEAVE, LEAVE_WITH_FAMILY):
            continue
        family, state, head = moments.choice[j] == LEAVE_WITH_FAMILY, stage.force.state[i], -1
        mode = FAMILY if family else ALONE
        if moments.occasion[j] == INVITED:
            head = int(moments.leader[j])
            route, lead_mode = int(mechanism.journeys.route[head]), int(mechanism.journeys.mode[head])
            mode = FAMILY if family else POSTED if lead_mode == POSTED else ALONE
            state = stage.force.state[head]
        else:
            mode = POSTED if moments.occasion[j] == POSTING else mode
            way = HUNTED if moments.occasion[j] in (WARNED, DEFEATED) and not family else mode
            draw = one(stage, "ways_out.way", i, when=day)
            route = pick(utility[state, stage.force.rank[i], way].tolist(), draw)
            here = CROSSINGS[route].posted and CROSSINGS[route].state == "ABC"[state]
            mode = ALONE if mode == POSTED and not here else mode
        journeys[i] = (route, head, mode, False)
        books.move(day, i, TRAVELLING, EV_LEFT, route, head, mode)
        wait = 0 if mode == POSTED else max(1, math.ceil(days[state, route]))
        books.schedule(day + wait, DUE_ARRIVAL, i)
    return journeys


@settings(max_examples=100, deadline=None)
@given(seeds, st.booleans(), st.floats(0, 1), st.floats(0, 1))
def test_setting_out_agrees_with_a_plain_telling(seed: int, invited: bool, slip: float, lead: float) -> None:
    stage = Stage(seed, {"ways_out.slip_abroad": slip, "ways_out.lead": lead})
    set_the_mood(stage)
    some_closed(stage)
    stage.set_fates((SERVING, SERVING, SERVING, TRAVELLING) if invited else (SERVING, SERVING, HIDING))
    run, mechanism = stage.run, stage.play["ways_out"]
    mechanism.today = mechanism.roads(run)
    serving = np.flatnonzero(run.books.fate == SERVING).astype(np.int32)
    moments = invite(stage) if invited else any_occasions(stage, serving)
    stage.play["decision"].weigh(run, moments)
    mechanism.weigh(run, moments)
    moments.choice[:] = [
        stage.rng.choice([o for o in (STAY, DESERT, LEAVE, LEAVE, LEAVE_WITH_FAMILY) if moments.open[o, j]])
        for j in range(moments.n)
    ]
    moments.count[:] = np.bincount(moments.choice, minlength=len(OPTIONS))
    run.books = make_room(run.books, 500)
    stage.play["decision"].act(run, moments)
    books = stage.books
    journeys = depart(stage, books, moments)
    asked = []
    for j, i in enumerate(moments.who.tolist()):
        most = LEADS[stage.force.rank[i]]
        if (
            moments.occasion[j] >= INVITED
            or moments.choice[j] != LEAVE
            or not most
            or one(stage, "ways_out.ask_along", i, when=run.day) >= lead
        ):
            continue
        near = [
            k
            for k in ties(stage, i)
            if books.fate[k] == SERVING and stage.force.unit[k] == stage.force.unit[i]
        ]
        asked += [(k, i) for k in near[:most]]
        if near:
            books.record(run.day, i, EV_INVITED, -1, -1, len(near[:most]))
    mechanism.act(run, moments)
    books.assert_same(run.books)
    known = mechanism.journeys
    for i, (route, head, mode, slips) in journeys.items():
        assert (known.route[i], known.leader[i], known.mode[i], known.slips[i]) == (route, head, mode, slips)
    called = [(who.tolist(), why, leader.tolist()) for who, why, leader in run.calls]
    assert called == ([([k for k, _ in asked], INVITED, [i for _, i in asked])] if asked else [])


@pytest.mark.parametrize("option", [STAY, REPORT])
def test_nobody_sets_out_who_did_not_choose_to(option: int) -> None:
    stage = Stage(1)
    mechanism, moments = stage.play["ways_out"], stage.moments(stage.some())
    mechanism.weigh(stage.run, moments)
    moments.choice[:] = option
    moments.count[option] = moments.n
    books = stage.books
    mechanism.act(stage.run, moments)
    books.assert_same(stage.run.books)
    assert tier(stage, 0) in (0, 1, 3, 5)
    assert (column(stage, "ways_out.route") == -1).all()
