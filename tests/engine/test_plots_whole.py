"""Plots and uprisings in whole worlds: log and table of plots agree, nobody is rash, the defeated pay."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from breakrank.case import Case
from breakrank.engine.codes import BY_AIM
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.force import Force
from breakrank.mechanisms.plot_life import ALIVE, CELL, MEMBER, Plots
from breakrank.model import Model
from tests.engine.worlds import HELD, NO, PLOTTING, TORN, Row, busy, force_of, live, rows

OUT = {"joined an uprising with his unit", "followed into an uprising"}
ENDED = {"plot broken by arrests", "plot scattered", "plot dissolved", "plot launched"}
FAILED = {"uprising collapsed", "uprising held out, then ended"}
MEMORY = 20
"""Days for which whoever declined is left alone, and a founder whose plot ended plans nothing."""
PAYS = {"arrested", "surrendered after an uprising", "deserted quietly", "left for the border"}


def lived(case: Case, force: Force, seed: int) -> tuple[list[Row], Plots]:
    """Run a case once; return its log and its plots as they are in the end."""
    model = Model(case, force)
    run, observer = Run(model.world, seed, 0, True), Observer(model.world)
    model.days.live(run, observer)
    columns = event_columns(run.records, len(model.world.state_ids))
    return rows(Replicate(0, observer.series(run), columns)), run.view(Plots)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.floats(2, 9), st.floats(0, 4), st.floats(0, 365), st.floats(1, 20))
def test_the_log_and_the_table_agree_on_every_plot(
    seed: int, habit: float, joins: float, approaches: float, wanted: float
) -> None:
    values = {"plots.baseline_plan": habit, "plots.baseline_join": joins}
    values |= {"plots.approaches": approaches, "plots.planned_strength": wanted}
    case = busy(1_500, "2019-03-31").set({**PLOTTING, **values, "comrades.memory": MEMORY})
    force = force_of(busy(1_500))
    log, p = lived(case, force, seed)
    identity = force.identity.tolist()
    plots, used, lost, *_ = p.used.tolist()
    assert not lost
    members = [r for r in range(used) if p.role[r] == MEMBER and p.via[r] >= 0]
    joined = Counter((w, o, int(v)) for _, w, e, _, o, v in log if e == "joined a plot")
    assert joined == Counter(
        (identity[p.member[r]], identity[p.member[p.via[r]]], int(p.aim[p.plot[r]])) for r in members
    )
    founded = [(day, w, int(v)) for day, w, e, _, _, v in log if e == "founded a plot"]
    assert founded == [(int(p.founded[k]), identity[p.founder[k]], int(p.aim[k])) for k in range(plots)]
    for k in range(plots):
        mine = [r for r in range(used) if p.plot[r] == k]
        inside = [int(p.member[r]) for r in mine]
        assert len(set(inside)) == len(inside), "nobody belongs twice"
        assert p.largest[k] == 1 + sum(r in members for r in mine)
    approached = {(w, o) for _, w, e, _, o, _ in log if e == "approached someone for a plot"}
    late = Counter((w, o) for day, w, e, _, o, _ in log if e == "joined a plot" and day > 0)
    assert all((recruiter, who) in approached for who, recruiter in late)
    alive = [k for k in range(plots) if p.end[k] == ALIVE]
    inside = [int(p.member[r]) for r in range(used) if p.role[r] == MEMBER and p.plot[r] in alive]
    assert len(set(inside)) == len(inside), "nobody is a member of two living plots"
    assert sorted(inside) == np.flatnonzero(p.plotter).tolist()
    ended = Counter(w for _, w, e, *_ in log if e.startswith("plot "))
    for who, k in Counter(w for _, w, _ in founded).items():
        going = sum(identity[p.founder[n]] == who for n in alive)
        assert ended[who] + going == k, "each plot ends once"
    assert_nobody_is_rash(log)


def assert_nobody_is_rash(log: list[Row]) -> None:
    """Assert that founders have one plot at a time, the unwilling are left alone, and launches are strong."""
    living, pledged = set[int](), set[int]()
    lost, declined = dict[int, int](), dict[int, int]()
    for day, who, event, _, other, value in log:
        if event == "founded a plot":
            assert who not in living
            assert day == 0 or day - lost.get(who, -MEMORY) >= MEMORY, "who failed is cautious"
            living.add(who)
            pledged.discard(who)
        elif event == "pledged to a plot":
            pledged.add(other)
        elif event == "declined to join":
            declined[who] = day
        elif event == "approached someone for a plot":
            assert day - declined.get(other, -MEMORY) >= MEMORY
        elif event in ENDED:
            living.discard(who)
            if event == "plot launched":
                assert value % BY_AIM >= CELL or who in pledged
            else:
                lost[who] = day


@pytest.mark.parametrize("values", [PLOTTING, HELD])
def test_nobody_who_rose_in_vain_goes_on_serving(values: dict[str, float]) -> None:
    failed = 0
    for seed in (1, 2, 3):
        log = rows(live(busy(8_000, "2019-12-31").set({**values, "belief.confide": 0.9}), seed=seed))
        for at, (day, chief, event, *_) in enumerate(log):
            if event not in FAILED:
                continue
            failed += 1
            today = [row for row in log if row[0] == day]
            out = {row[1] for row in today if row[2] in OUT} | {chief}
            paid = {row[1] for row in log[at:] if row[0] == day and row[2] in PAYS}
            assert out <= paid
            assert len(out) == log[at][5]
    assert failed > 3


def test_after_its_fall_nothing_stirs() -> None:
    replicate = live(busy(8_000, "2019-12-31").set(TORN))
    fell = [row[0] for row in rows(replicate) if row[2] == "regime fell"]
    assert len(fell) == 1
    assert rows(replicate)[-1][0] == fell[0] < 364
    for name in ("fates", "plots", "plotters", "command"):
        stock = np.asarray(replicate.series[name])
        assert (stock[fell[0] :] == stock[fell[0]]).all()
    assert all(row[4] != NO for row in rows(replicate) if row[2] in OUT)


def test_the_warned_who_flee_do_so_the_next_day() -> None:
    values = {**PLOTTING, "detection.wiretaps": 30, "detection.warned": 1}
    values["counterintelligence.effort"] = 0  # nobody is arrested for anything else
    log = rows(live(busy(4_000).set(values)))
    warned = {(row[1], row[0]) for row in log if row[2] == "warned of a leak"}
    flown = [row for row in log if row[2] in ("deserted quietly", "left for the border")]
    prompt = [row for row in flown if (row[1], row[0] - 1) in warned]
    taken = {(row[1], row[0]) for row in log if row[2] == "arrested"}
    assert len(prompt) > 10
    first = {who: min(day for one, day in warned if one == who) for who, _ in warned}
    assert not any((who, day + 1) in taken for who, day in first.items()), "a warning comes a day ahead"
