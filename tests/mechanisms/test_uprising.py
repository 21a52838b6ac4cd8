"""The inner loops of a rising, told plainly: who is out first, what commanders weigh, who comes along."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.draws import decision
from breakrank.engine.codes import (
    DEFEATED,
    DESERT,
    DETAINED,
    EV_ARRESTED,
    EV_FOLLOWED,
    EV_REFUSED,
    EV_RENEGED,
    EV_ROSE,
    EV_SURRENDERED,
    LEAVE,
    REPORT,
    SERVING,
    STAY,
    WARNED,
)
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.learning import Expectations
from breakrank.mechanisms.plot_table import MEMBER, PLEDGED, Launches, Plots
from breakrank.mechanisms.preference import Preferences
from breakrank.mechanisms.regime_change import threshold_of
from breakrank.mechanisms.uprising import (
    Sides,
    bring_along,
    surrender,
    take_prisoners,
    tell_sides,
    those_who_launch,
    weigh_joining_in,
)
from tests.engine.stage import Stage
from tests.mechanisms.plain import belief, column, margin, one, set_the_mood, tier
from tests.mechanisms.plain_plots import people, some_plots

seeds = st.integers(0, 2**32)
FOLLOW, TAKEN = int(decision("rising.follow")), int(decision("rising.taken"))


def staged(seed: int) -> tuple[Stage, Plots, Sides]:
    stage = Stage(seed)
    set_the_mood(stage)
    table = some_plots(stage)
    stage.any_fates(0.8)
    stage.run.make_room(1000)
    return stage, table, stage.play["rising"]._sides()


def some_sides(stage: Stage, sides: Sides) -> None:
    """Let units stand anywhere: joined or not, refused, pledged, with plotters among them."""
    rng = stage.rng
    for u, leader in enumerate(sides.leader):
        if leader >= 0 and stage.run.records.fate[leader] == SERVING:
            sides.joined[u], sides.refused[u] = rng.choice([-1, -1, 0, 1, 4]), rng.choice([-1, 2])
            sides.pledged[u] = rng.random() < 0.5
        here = np.flatnonzero(stage.force.unit == u)
        if len(here) and rng.random() < 0.4:
            sides.plotters[u], sides.first[u] = rng.integers(1, 4), rng.choice(here)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_those_who_launch_are_out_first(seed: int) -> None:
    stage, table, sides = staged(seed)
    run, force = stage.run, stage.force
    plots = np.flatnonzero(stage.rng.random(int(table.used[0])) < 0.7).astype(np.int32)
    chief = int(table.founder[plots[0]]) if len(plots) else 0
    records, out = stage.records, set()
    joined, pledged, plotters = [-1] * 4, [False] * 4, [0] * 4
    for plot in plots.tolist():
        for row in people(table, plot):
            i = int(table.member[row])
            unit, commands = int(force.unit[i]), int(force.leader[force.unit[i]]) == i
            if run.records.fate[i] != SERVING:
                continue
            if table.role[row] == PLEDGED:
                pledged[unit] |= commands
            elif i not in out:
                out.add(i)
                if commands:
                    joined[unit] = 0
                    records.record(run.day, i, EV_ROSE, other=chief)
                else:
                    plotters[unit] += 1
                    if i != chief:
                        records.record(run.day, i, EV_FOLLOWED, other=chief)
    rose = np.zeros(stage.n, np.bool_)
    those_who_launch(table, run.records, run.day, plots, chief, force.unit, sides, rose)
    records.assert_same(run.records)
    assert set(np.flatnonzero(rose).tolist()) == out
    assert (sides.joined.tolist(), sides.pledged.tolist(), sides.plotters.tolist()) == (
        joined,
        pledged,
        plotters,
    )
    for u in range(4):
        assert (sides.first[u] in out and force.unit[sides.first[u]] == u) == (plotters[u] > 0)


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 20), st.floats(0, 5), st.floats(0, 20), st.floats(0, 3), st.floats(0, 1))
def test_what_commanders_weigh_agrees_with_a_plain_reckoning(
    seed: int, loss: float, gain: float, promise: float, slope: float, credit: float
) -> None:
    stage, _, sides = staged(seed)
    some_sides(stage, sides)
    run, units = stage.run, len(sides.leader)
    threshold, believed = np.full(units, np.nan), np.full(units, np.nan)
    by_rank = loss * (1 + slope * stage.world.tier)
    weigh_joining_in(
        run.records,
        run.day,
        sides,
        run.view(Preferences),
        run.view(Grievances),
        run.view(Expectations),
        by_rank,
        gain,
        promise,
        credit,
        threshold,
        believed,
    )
    for u in range(units):
        c = int(sides.leader[u])
        if c < 0 or run.records.fate[c] != SERVING:
            assert (threshold[u], believed[u]) == (1, 0)
            continue
        rents = float(run.view(Preferences).rents[stage.force.rank[c]])
        costs = loss * (1 + slope * tier(stage, c)) + rents
        side = margin(stage, c)
        wins = max(gain + side, 0) + (promise if sides.pledged[u] else 0)
        assert threshold[u] == threshold_of(costs, wins)
        assert believed[u] == 1 - (1 - belief(stage, c)) * (1 - credit)


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_sides_are_told_and_followers_come_as_in_a_plain_telling(
    seed: int, follow: float, company: float
) -> None:
    stage, _, sides = staged(seed)
    some_sides(stage, sides)
    run, force, day = stage.run, stage.force, stage.run.day
    rose = stage.rng.random(stage.n) < 0.1
    records, out = stage.records, set(np.flatnonzero(rose).tolist())
    for u in range(4):
        c = int(sides.leader[u])
        if sides.joined[u] > 0:
            records.record(day, c, EV_ROSE, other=0, value=int(sides.joined[u]))
        elif sides.refused[u] > 0:
            records.record(day, c, EV_REFUSED, other=0, value=int(sides.refused[u]))
        if (
            sides.pledged[u] and sides.joined[u] < 0
        ):  # nobody else breaks a word, and everybody who stays away
            records.record(day, c, EV_RENEGED, other=0, value=8)
    for u in range(4):
        led, k = bool(sides.joined[u] >= 0), int(sides.plotters[u])
        if not led and not k:
            continue
        head = int(sides.leader[u]) if led else int(sides.first[u])
        if sides.joined[u] > 0:
            out.add(head)
        chance = follow if led else 1 - (1 - company) ** k
        for i in np.flatnonzero(force.unit == u).tolist():
            comes = i not in out and records.fate[i] == SERVING and margin(stage, i) > 0
            if comes and one(stage, "rising.follow", i, when=day) < chance:
                out.add(i)
                records.record(day, i, EV_FOLLOWED, other=head, value=max(int(sides.joined[u]), 0))
    tell_sides(run.records, day, 0, 8, sides)
    opinion = (run.view(Preferences), run.view(Grievances))
    bring_along(run.key, FOLLOW, run.records, day, sides, force.unit_start, *opinion, follow, company, rose)
    records.assert_same(run.records)
    assert set(np.flatnonzero(rose).tolist()) == out


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1))
def test_prisoners_are_taken_as_in_a_plain_telling(seed: int, taken: float) -> None:
    stage, _, _ = staged(seed)
    run, rose, hunted = stage.run, stage.rng.random(stage.n) < 0.5, np.zeros(stage.n, np.bool_)
    records, free = stage.records, []
    there = [i for i in np.flatnonzero(rose).tolist() if records.fate[i] == SERVING]
    for i in there:
        if one(stage, "rising.taken", i, when=run.day) < taken:
            records.move(run.day, i, DETAINED, EV_ARRESTED)
        else:
            free.append(i)
    found = take_prisoners(
        run.key, TAKEN, run.records, run.day, np.flatnonzero(rose).astype(np.int32), taken, hunted
    )
    records.assert_same(run.records)
    assert found.tolist() == free
    assert np.flatnonzero(hunted).tolist() == there


@pytest.mark.parametrize(
    ("occasion", "choice", "ends"),
    [
        (DEFEATED, STAY, DETAINED),
        (DEFEATED, REPORT, DETAINED),  # naming somebody does not spare him
        (DEFEATED, DESERT, SERVING),  # others see to those who go
        (DEFEATED, LEAVE, SERVING),
        (WARNED, STAY, SERVING),
    ],
)
def test_after_a_failed_rising_whoever_stays_surrenders(occasion: int, choice: int, ends: int) -> None:
    stage = Stage(1, n=3)
    records = stage.records
    moments = stage.moments(np.array([1], np.int32), occasion)
    moments.choice[:] = choice
    surrender(stage.run.now, moments, stage.run.records)
    if ends == DETAINED:
        records.move(0, 1, DETAINED, EV_SURRENDERED)
    records.assert_same(stage.run.records)
    assert stage.run.records.fate.tolist() == [SERVING, ends, SERVING]


def launched(stage: Stage, table: Plots, plots: list[int]) -> list[int]:
    """Let plots rise today; return the positions of all who serve and are members of them."""
    stage.run.share(Launches(np.array(plots, np.int32), len(plots)))
    stage.play["rising"].rise(stage.run)
    rows = [r for k in plots for r in people(table, k) if table.role[r] == MEMBER]
    return sorted({int(table.member[r]) for r in rows})


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_rising_for_which_everyone_is_willing_wins(seed: int) -> None:
    values = {"rising.loss": 0, "preference.rents_weight": 0, "rising.command": 0, "rising.sight": 0}
    values |= {"preference.opposed_at_start": 0.999, "rising.follow": 1, "rising.strength_spread": 0}
    stage = Stage(seed, values | {"rising.strength": 1, "rising.reach": 100})
    set_the_mood(stage)
    column(stage, "preference.disposition")[:] = 50  # nobody is loyal
    table = some_plots(stage)
    launched(stage, table, [0])
    assert stage.run.fallen == stage.run.day
    assert column(stage, "rising.rose").all()
    assert (stage.run.records.fate == SERVING).all()
    assert stage.run.calls == []


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1))
def test_a_rising_that_nobody_joins_collapses_and_everyone_in_it_pays(seed: int, taken: float) -> None:
    stage = Stage(seed, {"rising.strength": 2, "rising.strength_spread": 0, "rising.taken": taken})
    set_the_mood(stage)
    table = some_plots(stage)
    launched(stage, table, [0])
    run = stage.run
    rose = np.flatnonzero(column(stage, "rising.rose")).tolist()
    assert run.fallen < 0
    assert int(run.tables["rising_size"][run.day]) == len(rose)
    called = [i for who, why, _ in run.calls for i in who.tolist() if why == DEFEATED]
    held = [i for i in rose if run.records.fate[i] == DETAINED]
    assert sorted(called + held) == rose
    assert all(column(stage, "ways_out.hunted")[i] for i in rose)
