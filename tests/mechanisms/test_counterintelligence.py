"""Counter-intelligence: informers, reports, arrests, custody, hunts and reprisals, told plainly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    DEAD,
    DESERT,
    DETAINED,
    DISCHARGED,
    DUE_ARREST,
    DUE_CAUGHT,
    DUE_FREED,
    DUE_VERDICT,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_DESERTED,
    EV_DIED,
    EV_ILL_TREATED,
    EV_IMPRISONED,
    EV_LEFT,
    EV_RELEASED,
    EV_REPORTED,
    EV_REPRISAL,
    EV_SET_FREE,
    EV_SURRENDERED,
    EVENTS,
    HIDING,
    IMPRISONED,
    REPORT,
    SERVING,
    STAY,
)
from breakrank.engine.records import make_room, record, schedule
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, four, margin, one, set_the_mood, tier

seeds = st.integers(0, 2**32)
SERVICE = "counterintelligence"


@settings(max_examples=30, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_informers_are_drawn_once_and_more_of_them_include_the_fewer(seed: int, a: float, b: float) -> None:
    few, many = (Stage(seed, {f"{SERVICE}.informers": share}) for share in sorted((a, b)))
    for share, stage in zip(sorted((a, b)), (few, many), strict=True):
        drawn = [one(stage, f"{SERVICE}.informer", i) < share for i in range(stage.n)]
        assert column(stage, f"{SERVICE}.informer").tolist() == drawn
    assert not (column(few, f"{SERVICE}.informer") & ~column(many, f"{SERVICE}.informer")).any()


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_weighing_a_report_agrees_with_a_plain_reckoning(seed: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.any_fates(0.7)
    who = stage.some(0.8)
    moments = stage.moments(who)
    stage.weigh(moments, "preference")
    stage.weigh(moments, SERVICE)
    confidant, informer = column(stage, "belief.confidant"), column(stage, f"{SERVICE}.informer")
    reluctance, reward = stage.world[f"{SERVICE}.reluctance"], stage.world[f"{SERVICE}.reward_weight"]
    zeal = stage.world[f"{SERVICE}.informer_zeal"]
    for j, i in enumerate(who.tolist()):
        knows = confidant[i] >= 0 and stage.run.records.fate[confidant[i]] == SERVING
        assert moments.open[REPORT, j] == knows
        sympathy = 0.0 if informer[i] else -max(margin(stage, i), 0.0)
        expected = (-reluctance, reward + (zeal if informer[i] else 0.0), sympathy)
        found = tuple(stage.term(moments, f"{SERVICE}.{t}")[j] for t in ("reluctance", "reward", "sympathy"))
        assert found == expected


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 20))
def test_reports_agree_with_a_plain_telling(seed: int, effort: float, watch: float) -> None:
    stage = Stage(seed, {f"{SERVICE}.effort": effort}, {"surveillance": watch})
    set_the_mood(stage)
    stage.any_fates(0.7)
    run, confidant = stage.run, column(stage, "belief.confidant")
    moments = stage.moments(stage.some(0.8))
    for j, i in enumerate(moments.who):
        moments.choice[j] = stage.rng.choice([STAY, DESERT, REPORT]) if confidant[i] >= 0 else STAY
    moments.count[:] = np.bincount(moments.choice, minlength=len(moments.count))
    records, left = stage.records, confidant.copy()
    for j, i in enumerate(moments.who.tolist()):
        if moments.choice[j] == REPORT:
            suspect = int(confidant[i])
            left[i] = -1
            records.record(run.day, i, EV_REPORTED, -1, suspect)
            name = f"{SERVICE}.arrest"
            acts, wait, _, _ = four(stage, name, suspect, int(stage.force.identity[i]), run.day)
            if acts < min(effort * watch, 1):
                records.schedule(run.day + 1 + int(-3 * math.log(wait)), DUE_ARREST, suspect)
    stage.play[SERVICE].act(run, moments)
    records.assert_same(run.records)
    assert column(stage, "belief.confidant").tolist() == left.tolist()


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 0.2), st.floats(0, 1))
def test_dawn_agrees_with_a_plain_telling(seed: int, patron: float, by_tier: float, death: float) -> None:
    values = {"patron": patron, "patron_tier": by_tier, "death_in_custody": death}
    stage = Stage(seed, {f"{SERVICE}.{name}": value for name, value in values.items()})
    set_the_mood(stage)
    stage.set_fates((SERVING, SERVING, DETAINED, DETAINED, DETAINED, HIDING, DEAD))
    run, fugitive = stage.run, column(stage, f"{SERVICE}.fugitive")
    fugitive[:] = stage.rng.random(stage.n) < 0.3
    for what in (DUE_ARREST, DUE_VERDICT, DUE_CAUGHT):
        for i in [*stage.some(0.6), *stage.some(0.2)]:
            schedule(run.records, run.day, what, i)
    records, free = stage.records, fugitive.copy()
    for i in records.due(run.day, DUE_ARREST):
        if records.fate[i] == SERVING:
            free[i] = False
            records.move(run.day, i, DETAINED, EV_ARRESTED)
    for i in records.due(run.day, DUE_VERDICT):
        if records.fate[i] == DETAINED:
            dies, freed, _, _ = four(stage, f"{SERVICE}.custody", i, when=run.day * 2)
            if dies < death:
                records.move(run.day, i, DEAD, EV_DIED)
            elif freed < patron + by_tier * tier(stage, i) and not free[i]:
                records.move(run.day, i, SERVING, EV_RELEASED)
            else:
                records.move(run.day, i, IMPRISONED, EV_IMPRISONED)
    for i in records.due(run.day, DUE_CAUGHT):
        if records.fate[i] == HIDING:
            records.move(run.day, i, DETAINED, EV_CAUGHT_HIDING)
    stage.play[SERVICE].dawn(run)
    records.assert_same(run.records)
    assert fugitive.tolist() == free.tolist()


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0.1, 365), st.floats(0, 1), st.sampled_from([0, 0.1, 30, 100]), st.floats(0, 1))
def test_dusk_agrees_with_a_plain_telling(
    seed: int, custody: float, ill: float, hunt: float, reprisals: float
) -> None:
    values = {"custody_days": custody, "ill_treatment": ill, "hunt_rate": hunt, "reprisals": reprisals}
    named = {f"{SERVICE}.{name}": value for name, value in values.items()}
    stage = Stage(seed, named, {"surveillance": 1.7})
    set_the_mood(stage)
    run, rng = stage.run, stage.rng
    fugitive, rose = column(stage, f"{SERVICE}.fugitive"), column(stage, "rising.rose")
    rose[:] = rng.random(stage.n) < 0.3
    run.records = make_room(run.records, 400)
    record(run.records, run.day - 1, 0, EV_ARRESTED, -1, -1, 0.0)  # followed up yesterday
    run.open_day(run.day)
    for _ in range(int(rng.integers(0, 60))):
        value = float(rng.integers(-1, 3))
        record(
            run.records, run.day, int(rng.integers(stage.n)), int(rng.integers(len(EVENTS))), -1, -1, value
        )
    records, flees = stage.records, fugitive.copy()
    political, held = column(stage, f"{SERVICE}.political"), [0, 0]
    thinks = political.copy()
    for _, i, event, _, _, value in rows(run.records, run.mark):
        if event in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED):
            flees[i] = event in (EV_CAPTURED, EV_CAUGHT_HIDING) or rose[i]
            hurt, wait, _, _ = four(stage, f"{SERVICE}.custody", i, when=run.day * 2 + 1)
            if hurt < ill:
                records.record(run.day, i, EV_ILL_TREATED)
            thinks[i] = rose[i] or event in (EV_ARRESTED, EV_SURRENDERED)
            held[0 if thinks[i] else 1] += 1
            records.schedule(run.day + 1 + int(-math.log(wait) * custody), DUE_VERDICT, i)
        if event in (EV_RELEASED, EV_DIED, EV_SET_FREE):
            held[0 if thinks[i] else 1] -= 1
        if event == EV_IMPRISONED:
            wait = -math.log(one(stage, f"{SERVICE}.sentence", i, when=run.day)) * 250
            records.schedule(run.day + 1 + int(wait), DUE_FREED, i)
        if event == EV_DESERTED and hunt > 0:
            wait = -math.log(one(stage, f"{SERVICE}.hunt", i, when=run.day)) / (hunt / 365.25)
            records.schedule(run.day + 1 + int(wait), DUE_CAUGHT, i)
        if event in (EV_DESERTED, EV_LEFT) and value >= 0:
            behind = 0 if event == EV_LEFT and value == 1 else int(stage.force.dependants[i])
            if one(stage, f"{SERVICE}.reprisal", i, when=run.day) < reprisals * 1.7 * (1 + behind):
                records.record(run.day, i, EV_REPRISAL, -1, -1, behind)
    stage.play[SERVICE].dusk(run)
    records.assert_same(run.records)
    assert fugitive.tolist() == flees.tolist()
    assert political.tolist() == thinks.tolist()
    assert [int(run.stocks[name]) for name in ("political_prisoners", "held_for_leaving")] == held


def test_whoever_has_served_his_sentence_is_let_out_and_out_of_the_force() -> None:
    stage = Stage(1, {f"{SERVICE}.prisoners_at_start": 100, f"{SERVICE}.sentence_days": 10}, n=30)
    stage.set_fates((IMPRISONED,))
    for i in range(10):
        schedule(stage.run.records, 0, DUE_FREED, i)
    stage.play[SERVICE].dawn(stage.run)
    assert stage.run.records.fate.tolist() == [DISCHARGED] * 10 + [IMPRISONED] * 20
    stage.play[SERVICE].dusk(stage.run)
    # those of the year before are let out at the same rate; the ten were not counted when they went in
    assert int(stage.run.stocks["political_prisoners"]) + int(stage.run.stocks["held_for_leaving"]) == (
        round(100 * math.exp(-0.1) * stage.world.scale) - 10
    )


def test_a_patron_never_frees_who_was_caught_fleeing() -> None:
    stage = Stage(1, {f"{SERVICE}.patron": 1, f"{SERVICE}.death_in_custody": 0}, n=30)
    stage.set_fates((DETAINED,))
    column(stage, f"{SERVICE}.fugitive")[:15] = True
    for i in range(30):
        schedule(stage.run.records, 0, DUE_VERDICT, i)
    stage.play[SERVICE].dawn(stage.run)
    assert stage.run.records.fate.tolist() == [IMPRISONED] * 15 + [SERVING] * 15


def test_off_nobody_informs() -> None:
    stage = Stage(1, {f"{SERVICE}.on": 0, f"{SERVICE}.informers": 1})
    assert not column(stage, f"{SERVICE}.informer").any()
    where = stage.days.mechanisms.index(stage.play[SERVICE])
    assert not any(phase.on[where] for phase in stage.days.phase.values())


@pytest.mark.parametrize("mean", [2.0, 30.0])
def test_custody_lasts_as_long_as_said(mean: float) -> None:
    stage = Stage(1, {f"{SERVICE}.custody_days": mean}, n=3000, days=2000)
    run = stage.run
    run.records = make_room(run.records, 20_000)
    for i in range(stage.n):
        record(run.records, 0, i, EV_ARRESTED, -1, -1, 0.0)
    stage.play[SERVICE].dusk(run)
    waits = [d for (d, what), who in stage.records.agenda.items() if what == DUE_VERDICT for _ in who]
    # whole days, of which the first is never skipped: one half more than the mean
    assert np.mean(waits) == pytest.approx(mean + 0.5, rel=0.06)
