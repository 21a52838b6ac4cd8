"""Journeys end as in a plain telling: captured, shot, in an embassy, or across and then registered or not."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine import codes
from breakrank.engine.records import schedule
from breakrank.mechanisms.journeys import POSTED
from breakrank.mechanisms.routes import DECLARES, PARTIES, SHOT_DIES
from tests.engine.plain_books import PlainBooks
from tests.engine.stage import CROSSINGS, Stage
from tests.mechanisms.plain import four, one, set_the_mood

seeds = st.integers(0, 2**32)


def set_under_way(stage: Stage) -> None:
    """Give everyone a journey at random and put everyone on today's agenda for all that can end it."""
    journeys, rng, n = stage.play["routes"].journeys, stage.rng, stage.n
    journeys.route[:] = rng.integers(0, len(CROSSINGS), n)
    journeys.leader[:] = np.where(rng.random(n) < 0.4, rng.integers(0, n, n), -1)
    journeys.mode[:] = rng.integers(0, 3, n)
    journeys.slips[:] = rng.random(n) < 0.3
    journeys.hunted[:] = rng.random(n) < 0.3
    for what in (codes.DUE_ARRIVAL, codes.DUE_EMBASSY_EXIT, codes.DUE_REGISTRATION):
        for i in stage.some(0.8):
            schedule(stage.run.records, stage.run.day, what, i)


def cross(stage: Stage, records: PlainBooks, i: int, host: bool, hides_below: float, opens: int) -> None:
    """Put soldier i across, plainly."""
    journeys, day = stage.play["routes"].journeys, stage.run.day
    route, slips = int(journeys.route[i]), bool(journeys.slips[i])
    records.move(
        day, i, codes.ABROAD, codes.EV_CROSSED, route, int(journeys.leader[i]), int(journeys.mode[i])
    )
    hides, waits, _, _ = four(stage, "ways_out.abroad", i, when=1_000_000 + day)
    if slips or hides < hides_below:
        records.record(day, i, codes.EV_SLIPPED, route, -1, 0 if slips else 1)
        return
    first = max(day, opens) if host else day
    records.schedule(
        first + int(-math.log(waits) * stage.world["routes.registration_lag"]), codes.DUE_REGISTRATION, i
    )


def register(stage: Stage, records: PlainBooks, scheme: bool, declares: float, opens: int) -> None:
    """Register those who are due, plainly: with the host so many a day, who came first is first."""
    day = stage.run.day
    desk: float = math.inf
    if stage.world.on("reception"):
        desk = stage.world["reception.registration_desk"]
        if opens and 0 <= day - opens < 3:  # a desk that opens in the run starts slowly
            desk = math.ceil((0.25, 0.5, 0.75)[day - opens] * desk)
    for i in sorted(records.due(day, codes.DUE_REGISTRATION), key=lambda i: records.since[i]):
        if records.fate[i] == codes.ABROAD:
            route = int(stage.play["routes"].journeys.route[i])
            counted = scheme and CROSSINGS[route].host
            desk -= CROSSINGS[route].host
            if CROSSINGS[route].host and desk < 0:
                records.schedule(day + 1, codes.DUE_REGISTRATION, i)
                continue
            if one(stage, "ways_out.abroad", i, when=2_000_000 + day) < declares:
                records.move(day, i, codes.DECLARED, codes.EV_REGISTERED, route, i, counted)
                records.record(day, i, codes.EV_DECLARED, route)
            else:
                records.move(day, i, codes.REGISTERED, codes.EV_REGISTERED, route, -1, counted)


@given(seeds, st.sampled_from([0, 1]), st.floats(0, 4), st.integers(0, 30), st.integers(0, 5))
def test_journeys_end_as_in_a_plain_telling(
    seed: int, custody: int, watch: float, opens: int, desk: int
) -> None:
    scheme = np.zeros(30)
    scheme[opens : opens + 5] = 1
    values = {
        "counterintelligence.on": custody,
        "routes.checkpoint_risk": 0.2,
        "reception.on": int(desk > 0),
        "reception.registration_desk": max(desk, 1),
    }
    stage = Stage(
        seed, values, {"surveillance": watch, "registration": scheme, "credibility": 0.6, "recognition": 50}
    )
    set_the_mood(stage)
    stage.set_fates(
        (
            codes.TRAVELLING,
            codes.TRAVELLING,
            codes.TRAVELLING,
            codes.EMBASSY,
            codes.ABROAD,
            codes.ABROAD,
            codes.SERVING,
        )
    )
    stage.run.records.since[:] = stage.rng.integers(0, stage.run.day + 1, stage.n)
    set_under_way(stage)
    run, world, mechanism, day = stage.run, stage.world, stage.play["routes"], stage.run.day
    journeys, ways, identity = mechanism.journeys, mechanism.ways, stage.force.identity
    posts = ways.on(0, mechanism.held[0]).checkpoints
    ahead = opens  # before the first scheme opens nobody is registered; later it is done at once
    records, safe_conduct = stage.records, 0
    for i in records.due(day, codes.DUE_ARRIVAL):
        if records.fate[i] != codes.TRAVELLING:
            continue
        route, head, mode = int(journeys.route[i]), int(journeys.leader[i]), int(journeys.mode[i])
        c, group = CROSSINGS[route], i if head < 0 else head
        risk = min(c.capture * watch, 1)
        if mode == POSTED:
            risk *= world["routes.posted_risk"]
        else:
            at_each = min(0.2 * watch, 1)
            risk = 1 - (1 - risk) * (1 - at_each) ** int(posts[stage.force.state[group], route])
        if journeys.hunted[i] or journeys.hunted[group]:
            risk = 1 - (1 - risk) ** (1 + world["routes.alert"])
        if one(stage, "ways_out.luck", group, when=day * 2) < risk:
            records.move(
                day, i, codes.DETAINED if custody else codes.IMPRISONED, codes.EV_CAPTURED, route, head
            )
            continue
        hit, fatal, _, _ = four(stage, "ways_out.luck", i, int(identity[group]), day * 2 + 1)
        if hit < c.violence and fatal < SHOT_DIES:
            records.move(day, i, codes.DEAD, codes.EV_SHOT, route, head, 1)
            continue
        if hit < c.violence:
            records.record(day, i, codes.EV_SHOT, route, head, 0)
        if c.kind == "embassy":
            records.move(day, i, codes.EMBASSY, codes.EV_EMBASSY, route, head)
            if not safe_conduct:  # the first of a cohort settles for all
                safe_conduct = day + int(c.stay.days) + PARTIES
            turn = int(PARTIES * one(stage, "ways_out.abroad", group, when=day * 2))
            records.schedule(max(day + 1, safe_conduct - turn), codes.DUE_EMBASSY_EXIT, i)
            continue
        hides = world["routes.kin_slip" if stage.force.kin_abroad[i] else "routes.unregistered"]
        cross(stage, records, i, c.host, hides, ahead)
    for i in stage.records.due(day, codes.DUE_EMBASSY_EXIT):
        if records.fate[i] == codes.EMBASSY:
            cross(stage, records, i, False, 0, -1)
    believed = 1 - 0.4 * (1 - world["challenger.recognition_weight"]) ** 50
    register(stage, records, bool(scheme[day]), DECLARES * believed, opens)
    mechanism.dawn(run)
    mechanism.travel(run)
    records.assert_same(run.records)


def test_those_inside_an_embassy_leave_together_in_parties() -> None:
    stage = Stage(2, {"routes.checkpoint_risk": 0}, {"surveillance": 0.0}, days=20)
    records, inside = stage.run.records, [k for k, c in enumerate(CROSSINGS) if c.kind == "embassy"]
    stage.play["routes"].journeys.route[:] = inside[0]
    stage.set_fates((codes.TRAVELLING,))
    for i in range(stage.n):
        schedule(records, i % 3, codes.DUE_ARRIVAL, i)
    for day in range(20):
        stage.run.open_day(day)
        stage.play["routes"].dawn(stage.run)
        stage.play["routes"].travel(stage.run)
    came = {row[1] for row in stage.records.log if row[2] == codes.EV_EMBASSY}
    out = [row[0] for row in stage.records.log if row[2] == codes.EV_CROSSED]
    assert len(came) > 3
    assert len(out) == len(came)
    assert (
        max(out) - min(out) <= PARTIES - 1
    )  # who came on three days leaves on four days in a row, whoever came first
    assert min(out) > 2
