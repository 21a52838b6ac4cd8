"""Planning told plainly: who may found a plot, what joining weighs, what answers lead to."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.draws import decision, normal
from breakrank.engine.codes import (
    CONFIDED_TO,
    CROSS,
    DEFEATED,
    EV_DECLINED,
    EV_FOUNDED,
    EV_JOINED,
    EV_PLEDGED,
    INVITED,
    JOIN,
    OCCASIONS,
    OPTIONS,
    PLAN_CROSSING,
    PLAN_RISING,
    REPORT,
    RISE,
    SERVING,
    STAY,
    WARNED,
)
from breakrank.engine.moments import Moments
from breakrank.force import GUARDS_POLITICIAN
from breakrank.mechanisms.learning import OPPOSED
from breakrank.mechanisms.plot_table import ALIVE, DATE, MEMBER, PLEDGED, SIGNAL, STRENGTH
from tests.engine.stage import LEADS, Stage
from tests.mechanisms.plain import PlainMinds, margin, one, set_the_mood, tier
from tests.mechanisms.plain_plots import people, some_plots

seeds = st.integers(0, 2**32)


def any_moments(stage: Stage) -> Moments:
    """Return moments on any occasions; whoever is invited is so by somebody."""
    moments = stage.moments(stage.some(0.8))
    moments.occasion[:] = stage.rng.integers(0, len(OCCASIONS), moments.n)
    invited = moments.occasion == INVITED
    moments.leader[invited] = stage.rng.integers(0, stage.n, int(invited.sum()))
    stage.play["preference"].weigh(stage.run, moments)
    return moments


@settings(max_examples=100, deadline=None)
@given(seeds, st.sampled_from([0, 1]), st.sampled_from([0.0, 0.4]))
def test_plans_and_answers_weigh_what_a_plain_reckoning_says(seed: int, ways_out: int, call: float) -> None:
    stage = Stage(seed, {"ways_out.on": ways_out}, {"call": call})
    set_the_mood(stage)
    stage.any_fates(0.7)
    table = some_plots(stage)
    moments, world = any_moments(stage), stage.world
    stage.play["plots"].weigh(stage.run, moments)
    leads = [int(k) for k in stage.force.leader]
    for j, i in enumerate(moments.who.tolist()):
        why = int(moments.occasion[j])
        found = {t.name: stage.term(moments, t.name)[j] for t in stage.play["plots"].terms}
        expected = dict.fromkeys(found, 0.0)
        able = margin(stage, i) > 0 and tier(stage, i) >= 1 and why < INVITED
        able = able and not table.plotter[i] and stage.run.day >= table.wary[i]
        if able:
            days = stage.play["plots"].distance[stage.force.state[i]]
            expected["plots.habit_crossing"] = -world["plots.habit_crossing"]
            expected["plots.habit_rising"] = -world["plots.habit_rising"]
            expected["plots.standing"] = world["plots.standing"] * tier(stage, i)
            expected["plots.command"] = world["plots.command"] if i in leads else 0.0
            guards = bool(stage.force.access[i] & GUARDS_POLITICIAN)
            expected["plots.contact"] = world["plots.contact"] if guards else 0.0
            expected["plots.nearness"] = -world["plots.nearness"] * days
            expected["plots.call"] = world["plots.call"] * call
        crossing = able and bool(ways_out) and LEADS[stage.force.rank[i]] > 1 and why != CONFIDED_TO
        assert moments.open[PLAN_CROSSING, j] == crossing
        assert moments.open[PLAN_RISING, j] == able
        if why in (WARNED, DEFEATED):
            expected["plots.hunted"] = world["plots.hunted"]
        mine = [r for r in range(int(table.used[1])) if table.member[r] == i]
        if why == INVITED and any(table.founder[table.plot[r]] == moments.leader[j] for r in mine):
            expected["plots.commitment"] = world["plots.commitment"]
        row, joins = int(table.asked[i]), False
        if row >= 0 and why < INVITED:
            plot = int(table.plot[row])
            recruiter = int(table.member[row])
            joins = bool(table.end[plot] == ALIVE and stage.run.books.fate[recruiter] == SERVING)
        assert moments.open[JOIN, j] == joins
        if joins:
            expected["plots.habit_join"] = -world["plots.habit_join"]
            expected["plots.call"] = world["plots.call"] * call if table.aim[plot] == RISE else 0.0
            expected["plots.pledge_ease"] = world["plots.pledge_ease"] if table.ask[i] == PLEDGED else 0.0
            k = int(table.above[plot]) + sum(table.role[r] == PLEDGED for r in people(table, plot))
            expected["plots.backing"] = world["plots.backing"] * k / (1 + k)
        assert found == expected, (i, why)


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_answers_agree_with_a_plain_telling(seed: int) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.any_fates(0.8)
    table, run = some_plots(stage), stage.run
    moments = any_moments(stage)
    stage.play["plots"].weigh(run, moments)
    answers = [[STAY, REPORT, JOIN] if moments.open[JOIN, j] else [STAY, REPORT] for j in range(moments.n)]
    moments.choice[:] = [stage.rng.choice(options) for options in answers]
    moments.count[:] = np.bincount(moments.choice, minlength=len(OPTIONS))
    books, asked = stage.books, table.asked.copy()
    minds, wary = PlainMinds(stage), table.wary.copy()
    known, joined = table.known.copy(), []
    for j, i in enumerate(moments.who.tolist()):
        row = int(asked[i])
        if row < 0 or moments.occasion[j] in (INVITED, DEFEATED):
            continue
        plot, recruiter = int(table.plot[row]), int(table.member[row])
        asked[i] = -1
        minds.learn(OPPOSED, i, 1, 0)  # he has learnt that someone is opposed
        if moments.choice[j] == JOIN:
            role, aim = int(table.ask[i]), int(table.aim[plot])
            with_whom = recruiter if role == MEMBER else int(table.founder[plot])
            event = EV_JOINED if role == MEMBER else EV_PLEDGED
            books.record(run.day, i, event, other=with_whom, value=aim)
            minds.learn(OPPOSED, recruiter, 1, 0)
            joined.append((i, plot, row, role))
        elif moments.choice[j] == REPORT:
            known[plot] = True
        else:
            books.record(run.day, i, EV_DECLINED, other=recruiter, value=int(table.aim[plot]))
            minds.learn(OPPOSED, recruiter, 0, 1)
            wary[i] = run.day + int(stage.world["comrades.memory"])
    rows = int(table.used[1])
    stage.play["plots"].act(run, moments)
    table = stage.play["plots"].plots
    books.assert_same(run.books)
    columns = (table.member, table.plot, table.via, table.role)
    assert list(zip(*(c[rows : table.used[1]].tolist() for c in columns), strict=True)) == joined
    assert table.asked.tolist() == asked.tolist()
    assert table.known.tolist() == known.tolist()
    minds.assert_same()
    np.testing.assert_array_equal(table.wary, wary)


@settings(max_examples=80, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1), st.floats(0, 3), st.floats(1, 400))
def test_founding_agrees_with_a_plain_telling(
    seed: int, signal: float, date: float, spread: float, patience: float
) -> None:
    values = {"wait_signal": signal, "wait_date": date, "wanted_spread": spread, "patience": patience}
    stage = Stage(seed, {f"plots.{k}": v for k, v in values.items()})
    set_the_mood(stage)
    run, mechanism = stage.run, stage.play["plots"]
    moments = any_moments(stage)
    mechanism.weigh(run, moments)
    moments.choice[:] = stage.rng.choice([STAY, PLAN_CROSSING, PLAN_RISING], moments.n)
    moments.count[:] = np.bincount(moments.choice, minlength=len(OPTIONS))
    books, plots = stage.books, []
    for j, i in enumerate(moments.who.tolist()):
        if moments.choice[j] == STAY:
            continue
        aim = RISE if moments.choice[j] == PLAN_RISING else CROSS
        wanted = stage.world["plots.wanted" if aim == RISE else "plots.wanted_crossing"]
        luck = normal(run.key, int(decision("plots.wait")), int(stage.force.identity[i]), run.day, 1)
        how = one(stage, "plots.wait", i, run.day, 0)
        waits, when = STRENGTH, 0
        if aim == RISE and how < signal:
            waits = SIGNAL
        elif how >= 1 - date:
            waits = DATE
            when = run.day + 1 + int(-0.5 * patience * math.log(one(stage, "plots.wait", i, run.day, 2)))
        books.record(run.day, i, EV_FOUNDED, value=aim)
        plots.append((i, aim, run.day, waits, when))
        plots[-1] += (max(3.0, wanted * math.exp(spread * luck)),)
    mechanism.act(run, moments)
    books.assert_same(run.books)
    table = mechanism.plots
    columns = (table.founder, table.aim, table.founded, table.waits, table.date, table.target)
    found = list(zip(*(c[: len(plots)].tolist() for c in columns), strict=True))
    assert [f[:5] for f in found] == [p[:5] for p in plots]
    np.testing.assert_allclose([f[5] for f in found], [p[5] for p in plots], rtol=1e-12)
    assert table.used.tolist() == [len(plots), len(plots), 0]


def test_nobody_plans_who_is_loyal_or_of_the_lowest_tier() -> None:
    stage = Stage(3, n=400)
    set_the_mood(stage)
    moments = stage.moments(np.arange(400, dtype=np.int32))
    stage.play["preference"].weigh(stage.run, moments)
    stage.play["plots"].weigh(stage.run, moments)
    planners = moments.open[PLAN_RISING]
    assert planners.any()
    assert (moments.margin[planners] > 0).all()
    assert all(tier(stage, int(i)) > 0 for i in moments.who[planners])
