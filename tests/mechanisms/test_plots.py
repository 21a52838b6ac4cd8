"""Plots: their table, who plans and joins, how they end, and when they go."""

from __future__ import annotations

import math

import numpy as np
import pytest

from breakrank.engine import codes
from breakrank.engine.records import make_room, open_records
from breakrank.force import GUARDS_POLITICIAN
from breakrank.mechanisms.learning import OPPOSED
from breakrank.mechanisms.plot_choices import Planning
from breakrank.mechanisms.plot_life import review
from breakrank.mechanisms.plot_recruiting import PlotNumbers
from breakrank.mechanisms.plot_table import (
    ALIVE,
    BROKEN,
    DATE,
    DISSOLVED,
    LAUNCHED,
    MEMBER,
    PLEDGED,
    SCATTERED,
    SIGNAL,
    STRENGTH,
    PlotCount,
    Plots,
    belongs,
    close,
    count_plots,
    enter,
    found,
    no_plots,
    take_in,
    with_room,
)
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import mind, set_the_mood, tier
from tests.mechanisms.plain_plots import some_plots

N = 9


class Columns:
    """What a run gives to a table: columns for `n` soldiers."""

    def __init__(self, n: int) -> None:
        self.n = n

    def column(self, name: str, dtype: type, fill: float = 0) -> np.ndarray:  # noqa: ARG002
        return np.full(self.n, fill, dtype)

    hot = column


def opened(n: int = N) -> tuple[object, Plots]:
    records = make_room(open_records(np.arange(n, dtype=np.uint32), np.zeros(n, np.uint8), 1, 30, 16), 2000)
    return records, no_plots(Columns(n), 1, 1)  # type: ignore[arg-type]


def test_a_plotter_remains_one_while_another_plot_of_his_lives() -> None:
    records, table = opened(3)
    table = with_room(table, 4, 8)
    first, second = (found(table, records, 0, i, 0, STRENGTH, 5.0, 0) for i in (0, 1))
    for plot in (first, second):
        take_in(table, records, 0, 2, int(table.rows[plot]), MEMBER)
    assert table.plotter.tolist() == [True, True, True]
    close(table, records, 1, first, BROKEN, 2.0)
    assert table.plotter.tolist() == [False, True, True]
    close(table, records, 1, second, SCATTERED, 2.0)
    assert table.plotter.tolist() == [False, False, False]


def test_a_pledge_makes_nobody_a_plotter() -> None:
    records, table = opened(2)
    table = with_room(table, 2, 4)
    plot = found(table, records, 0, 0, 1, STRENGTH, 5.0, 0)
    take_in(table, records, 0, 1, int(table.rows[plot]), PLEDGED)
    assert table.plotter.tolist() == [True, False]
    assert table.largest[plot] == 1
    assert belongs(table, 1, plot)


def test_what_finds_no_room_is_counted() -> None:
    records, table = opened()
    assert found(table, records, 0, 0, 0, STRENGTH, 5.0, 0) == 0
    assert found(table, records, 0, 1, 0, STRENGTH, 5.0, 0) == -1
    assert enter(table, 1, 0, 0, MEMBER) == -1
    assert table.used[:3].tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("size", "class_"), [(1, 0), (2, 1), (3, 1), (4, 2), (7, 2), (8, 3), (63, 5), (64, 6), (90, 6)]
)
def test_sizes_are_classed_by_powers_of_two(size: int, class_: int) -> None:
    records, table = opened(100)
    table = with_room(table, 1, 100)
    plot = found(table, records, 0, 0, 1, STRENGTH, 5.0, 0)
    for i in range(1, size):
        take_in(table, records, 0, i, int(table.rows[plot]), MEMBER)
    count = PlotCount(np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros((5, 7, 2), np.int32))
    count_plots(table, count)
    assert np.argwhere(count.ends).tolist() == [[ALIVE, class_, 1]]


DAYS = {"A": 0.0, "B": 1.2, "C": 1.6}  # by the stage's roads, to its capital A


def test_standing_command_contacts_nearness_and_a_call_speak_for_a_plan() -> None:
    weights = {"standing": 0.5, "command": 2.0, "contact": 0.75, "nearness": 10.0, "call": 3.0}
    stage = Stage(3, {f"plots.{k}": v for k, v in weights.items()}, {"call": 0.5}, n=400)
    set_the_mood(stage)
    chief = int(stage.force.leader[0])
    stage.run.view(Planning).full[stage.force.unit[chief]] = 0.25  # he leads a quarter of a full unit
    moments = stage.moments(np.arange(400, dtype=np.int32), 0)
    stage.weigh(moments, "plots", margin=1)
    found = {k: np.array(stage.term(moments, f"plots.{k}")) for k in weights}
    free = np.array([tier(stage, i) >= 1 for i in range(400)])
    assert free[chief]
    assert found["command"][chief] == 0.5
    assert not found["command"][~np.isin(np.arange(400), stage.force.leader)].any(), "who leads nobody"
    assert set(found["call"][free]) == {1.5}
    assert set(found["standing"][free]) == {0.5, 1.5, 2.5}  # tiers 1, 3 and 5
    for state, days in enumerate(DAYS.values()):
        here = free & (stage.force.state == state)
        assert found["nearness"][here] == pytest.approx(-10 * days)
    guards = (stage.force.access & GUARDS_POLITICIAN) != 0
    assert found["contact"].tolist() == (0.75 * guards).tolist()
    assert moments.open[codes.PLAN_RISING].tolist() == free.tolist()


def one_plot(stage: Stage, aim: int, pledges: int) -> Plots:
    """Return the table with a plot of soldier 0, so many pledges to it, and soldier 1 asked to join."""
    run, mechanism = stage.run, stage.play["plots"]
    mechanism._make_room(run, 60)
    table: Plots = mechanism.plots
    found(table, run.records, 0, 0, aim, STRENGTH, 5.0, 0)
    for who in range(2, 2 + pledges):
        take_in(table, run.records, 0, who, 0, PLEDGED)
    table.asked[1], table.ask[1] = 0, MEMBER
    return table


@pytest.mark.parametrize(("pledges", "backing"), [(0, 0.0), (1, 1.0), (3, 1.5), (9, 1.8)])
def test_each_pledge_backs_whoever_is_asked_and_adds_less_than_the_last(pledges: int, backing: float) -> None:
    stage = Stage(1, {"plots.backing": 2.0, "plots.call": 3.0}, {"call": 0.5}, n=20)
    one_plot(stage, codes.RISE, pledges)
    moments = stage.moments(np.array([1], np.int32), 0)
    stage.weigh(moments, "plots")
    assert stage.term(moments, "plots.backing") == [pytest.approx(backing)]
    assert stage.term(moments, "plots.call") == [1.5], "a public call to rise"


def test_who_is_hunted_runs_and_who_gave_his_word_keeps_it() -> None:
    stage = Stage(1, {"plots.hunted": 4.0, "plots.commitment": 2.5}, n=20)
    table = one_plot(stage, codes.CROSS, 0)
    take_in(table, stage.run.records, 0, 1, 0, MEMBER)
    who = np.array([1, 1, 3, 5, 6, 7], np.int32)
    moments = stage.moments(who, codes.INVITED, np.array([0, 9, 0, -1, -1, -1], np.int32))
    moments.occasion[3:] = codes.WARNED, codes.DEFEATED, 0
    stage.weigh(moments, "plots")
    assert stage.term(moments, "plots.commitment") == [2.5, 0, 0, 0, 0, 0], (
        "to his own leader, not to another"
    )
    assert stage.term(moments, "plots.hunted") == [0, 0, 0, 4.0, 4.0, 0]


@pytest.mark.parametrize("choice", [codes.STAY, codes.REPORT, codes.JOIN])
@pytest.mark.parametrize("role", [MEMBER, PLEDGED])
def test_an_answer_joins_declines_or_gives_the_plot_away_and_both_learn(choice: int, role: int) -> None:
    stage = Stage(1, {"comrades.memory": 20}, n=20)
    table, run = one_plot(stage, codes.CROSS, 0), stage.run
    table.ask[1] = role
    moments = stage.moments(np.array([1], np.int32), 0)
    stage.weigh(moments, "plots")
    moments.choice[:], moments.count[choice] = choice, 1
    before = [mind(stage, OPPOSED, i) for i in (0, 1)]
    stage.play["plots"].act(run, moments)
    table = stage.play["plots"].plots
    asker, asked = (mind(stage, OPPOSED, i) - b for i, b in zip((0, 1), before, strict=True))
    assert asked > 0, "he knows of one who is opposed"
    assert np.sign(asker) == {codes.STAY: -1, codes.REPORT: 0, codes.JOIN: 1}[choice]
    told = [(who, event, other) for _, who, event, _, other, _ in rows(run.records, 1)]
    event = codes.EV_JOINED if role == MEMBER else codes.EV_PLEDGED
    assert (
        told
        == {codes.STAY: [(1, codes.EV_DECLINED, 0)], codes.REPORT: [], codes.JOIN: [(1, event, 0)]}[choice]
    )
    assert table.plotter[1] == (choice == codes.JOIN and role == MEMBER)
    assert table.known[0] == (choice == codes.REPORT)
    assert table.asked[1] == -1
    assert (table.wary[1] == run.day + 20) == (choice != codes.JOIN), "nobody asks him again for a while"


def founded(aim: int, **values: float) -> Plots:
    """Return the table after everyone of a force of 600 has founded a plot on day 7."""
    n = 600
    stage = Stage(5, {f"plots.{k}": v for k, v in values.items()}, n=n)
    stage.run.open_day(7)
    moments = stage.moments(np.arange(n, dtype=np.int32), 0)
    stage.weigh(moments, "preference")
    stage.weigh(moments, "plots")
    moments.choice[:] = codes.PLAN_RISING if aim == codes.RISE else codes.PLAN_CROSSING
    moments.count[:] = np.bincount(moments.choice, minlength=len(codes.OPTIONS))
    stage.play["plots"].act(stage.run, moments)
    table: Plots = stage.play["plots"].plots
    assert table.founder[:n].tolist() == list(range(n))
    assert table.plotter.all()
    return table


@pytest.mark.parametrize(("aim", "wanted"), [(codes.RISE, 12.0), (codes.CROSS, 8.0)])
def test_a_plot_wants_about_its_strength_and_never_less_than_the_least(aim: int, wanted: float) -> None:
    sizes = {"wanted": 12.0, "wanted_crossing": 8.0, "cell": 6.0}
    assert set(founded(aim, **sizes, wanted_spread=0.0).target[:600]) == {wanted}
    target = founded(aim, **sizes, wanted_spread=0.5).target[:600]
    assert target.min() == 6.0
    # half want more than the median; log-normal: 16% want more than e^0.5 times as much
    for times, share in ((1.0, 0.5), (math.exp(0.5), 0.159)):
        assert abs((target > wanted * times).mean() - share) < 4 * math.sqrt(share * (1 - share) / 600)


@pytest.mark.parametrize(("aim", "call"), [(codes.RISE, 0.3), (codes.CROSS, 0.0)])
def test_risings_wait_for_a_call_and_plots_of_either_kind_for_a_date(aim: int, call: float) -> None:
    table = founded(aim, wait_signal=0.3, wait_date=0.5, patience=40.0)
    waits, date = table.waits[:600], table.date[:600]
    for kind, share in ((SIGNAL, call), (DATE, 0.5), (STRENGTH, 0.5 - call)):
        assert abs((waits == kind).mean() - share) <= 4 * math.sqrt(share * (1 - share) / 600)
    ahead = date[waits == DATE] - 7
    assert ahead.min() >= 1
    # a date is set as far ahead as a plot has patience, on average; days are whole
    assert ahead.mean() == pytest.approx(40.5, abs=4 * 40 / math.sqrt(len(ahead)))


def numbers(stage: Stage, **changed: float) -> PlotNumbers:
    """Return what drives plots, but for what is changed."""
    found: PlotNumbers = stage.play["plots"].numbers
    return found.copy(**changed)


@pytest.mark.parametrize(
    ("fate", "known", "end"),
    [
        (codes.SERVING, False, ALIVE),
        (codes.DETAINED, False, ALIVE),
        (codes.DETAINED, True, BROKEN),
        (codes.DISCHARGED, False, BROKEN),
        (codes.TRAVELLING, False, DISSOLVED),
        (codes.TRAVELLING, True, SCATTERED),
    ],
)
def test_what_becomes_of_a_plot_whose_founder_is_gone(fate: int, known: bool, end: int) -> None:
    stage = Stage(2, n=20)
    set_the_mood(stage)
    table = some_plots(stage, 1)
    table.end[0], table.known[0], table.waits[0] = ALIVE, known, SIGNAL
    stage.set_fates((codes.SERVING,))
    stage.run.records.fate[table.founder[0]] = fate
    x = numbers(stage, patience=1e9, ready=1.0, pledge_worth=0.0, warned=1.0, wary=30, cell=3)
    review(stage.run.now, x, table, stage.run.records)
    assert table.end[0] == end


@pytest.mark.parametrize(("founded", "end"), [(0, ALIVE), (1, LAUNCHED)])
def test_a_plot_that_is_strong_enough_goes_but_not_on_the_day_of_its_founding(founded: int, end: int) -> None:
    stage = Stage(2, n=20)
    set_the_mood(stage)
    table = some_plots(stage, 1)
    stage.set_fates((codes.SERVING,))
    table.end[0], table.waits[0], table.target[0] = ALIVE, STRENGTH, 1.0
    table.founded[0] = stage.run.day - founded
    x = numbers(stage, patience=1e9, ready=1.0, pledge_worth=0.0, warned=1.0, wary=30, cell=1)
    assert review(stage.run.now, x, table, stage.run.records) == founded
    assert table.end[0] == end
