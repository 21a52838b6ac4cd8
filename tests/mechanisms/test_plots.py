"""Plots: their table, who plans and joins, how they end, and when they go."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.engine import codes
from breakrank.engine.moments import TrustTies
from breakrank.engine.records import make_room, open_records
from breakrank.force.force import GUARDS_POLITICIAN
from breakrank.mechanisms.comrades import OPPOSED
from breakrank.mechanisms.plot_life import (
    ALIVE,
    BROKEN,
    CELL,
    DISSOLVED,
    LAUNCHED,
    MEMBER,
    PATIENCE,
    PLEDGED,
    SCATTERED,
    PlotCount,
    Plots,
    Plotting,
    belongs,
    close,
    count_plots,
    enter,
    found,
    friend_of,
    no_plots,
    review,
    take_in,
    with_room,
)
from breakrank.mechanisms.plots import COMMAND, CONTACT, NEARNESS, PROMISE, STANDING, WORD
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import mind, set_the_mood, tier

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
    return records, no_plots(Columns(n), 1, 1)


def test_a_plotter_remains_one_while_his_plot_lives() -> None:
    records, table = opened(3)
    table = with_room(table, 4, 8)
    first, second = (found(table, records, 0, i, 0, 5) for i in (0, 1))
    take_in(table, records, 0, 2, int(table.rows[first]), PLEDGED)
    take_in(table, records, 0, 2, int(table.rows[second]), MEMBER)
    assert table.plotter.tolist() == [True, True, True]
    close(table, records, 1, first, BROKEN, 2.0)
    assert table.plotter.tolist() == [False, True, True]
    close(table, records, 1, second, SCATTERED, 2.0)
    assert table.plotter.tolist() == [False, False, False]


def test_a_pledge_makes_nobody_a_plotter() -> None:
    records, table = opened(2)
    table = with_room(table, 2, 4)
    plot = found(table, records, 0, 0, 1, 5)
    take_in(table, records, 0, 1, int(table.rows[plot]), PLEDGED)
    assert table.plotter.tolist() == [True, False]
    assert table.largest[plot] == 1
    assert belongs(table, 1, plot)


def test_what_finds_no_room_is_counted() -> None:
    records, table = opened()
    assert found(table, records, 0, 0, 0, 5) == 0
    assert found(table, records, 0, 1, 0, 5) == -1
    assert enter(table, 1, 0, 0, MEMBER) == -1
    assert table.used[:3].tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("size", "class_"), [(1, 0), (2, 1), (3, 1), (4, 2), (7, 2), (8, 3), (63, 5), (64, 6), (90, 6)]
)
def test_sizes_are_classed_by_powers_of_two(size: int, class_: int) -> None:
    records, table = opened(100)
    table = with_room(table, 1, 100)
    plot = found(table, records, 0, 0, 1, 5)
    for i in range(1, size):
        take_in(table, records, 0, i, int(table.rows[plot]), MEMBER)
    count = PlotCount(np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros((5, 7, 2), np.int32))
    count_plots(table, count)
    assert np.argwhere(count.ends).tolist() == [[ALIVE, class_, 1]]


DAYS = {"A": 0.0, "B": 1.2, "C": 1.6}  # by the stage's roads, to its capital A


def test_standing_command_place_and_a_call_speak_for_a_plan() -> None:
    stage = Stage(3, {}, {"call": 0.5}, n=400)
    set_the_mood(stage)
    chief = int(stage.force.leader[0])
    planning = stage.run.view(Plotting)
    planning.full[stage.force.unit[chief]] = 0.25  # he leads a quarter of a full unit
    moments = stage.moments(np.arange(400, dtype=np.int32), 0)
    stage.weigh(moments, "plots", margin=1)
    standing, place, call = (
        np.array(stage.term(moments, f"plots.{k}")) for k in ("standing", "place", "call")
    )
    tiers = np.array([tier(stage, i) for i in range(400)])
    free, led = tiers >= 1, np.isin(np.arange(400), stage.force.leader)
    assert free[chief]
    assert standing[chief] == pytest.approx(STANDING * tiers[chief] + 0.25 * COMMAND)
    assert standing[free & ~led] == pytest.approx(STANDING * tiers[free & ~led])
    assert set(call[free]) == {0.75}
    guards = (stage.force.access & GUARDS_POLITICIAN) != 0
    days = np.array(list(DAYS.values()))[stage.force.state]
    assert place[free] == pytest.approx((CONTACT * guards - NEARNESS * days)[free])
    assert moments.open[codes.PLAN_UPRISING].tolist() == free.tolist()


def one_plot(stage: Stage, aim: int) -> Plots:
    """Return the table with a plot of soldier 0, and soldier 1 asked to join."""
    run, mechanism = stage.run, stage.play["plots"]
    mechanism._make_room(run, 60)
    table: Plots = mechanism.plots
    found(table, run.records, 0, 0, aim, 5)
    table.asked[1], table.ask[1] = 0, MEMBER
    return table


@pytest.mark.parametrize(("role", "ease"), [(MEMBER, 0.0), (PLEDGED, PROMISE)])
def test_a_promise_is_easier_than_joining_and_a_call_helps_either(role: int, ease: float) -> None:
    stage = Stage(1, {"plots.baseline_join": 4}, {"call": 0.5}, n=20)
    one_plot(stage, codes.RISE).ask[1] = role
    moments = stage.moments(np.array([1], np.int32), 0)
    stage.weigh(moments, "plots")
    assert stage.term(moments, "plots.baseline_join") == [ease - 4]
    assert stage.term(moments, "plots.call") == [0.75], "a public call to rise"


def test_who_is_hunted_runs_and_who_gave_his_word_keeps_it() -> None:
    stage = Stage(1, {"decision.baseline_leave": 9, "fear.risk_weight": 2, "fear.punishment_slope": 0}, n=20)
    table = one_plot(stage, codes.CROSS)
    take_in(table, stage.run.records, 0, 1, 0, MEMBER)
    who = np.array([1, 1, 3, 5, 6, 7], np.int32)
    moments = stage.moments(who, codes.INVITED, np.array([0, 9, 0, -1, -1, -1], np.int32))
    moments.occasion[3:] = codes.WARNED, codes.DEFEATED, 0
    stage.weigh(moments, "plots")
    assert stage.term(moments, "plots.word") == [WORD, 0, 0, 0, 0, 0], "to his own leader, not to another"
    # what holds others back, and the punishment that is certain for who stays
    assert stage.term(moments, "plots.hunted") == [0, 0, 0, 11.0, 11.0, 0]


def test_friends_are_drawn_among_ties_of_a_kind_alone() -> None:
    stage = Stage(4, n=400)
    x, ties = stage.run.view(Plotting), stage.run.view(TrustTies)
    for i in range(400):
        mine = slice(ties.start[i], ties.start[i + 1])
        for kind in set(x.kind[mine].tolist()):
            whom = set(ties.other[mine][x.kind[mine] == kind].tolist())
            draws = (np.arange(40) + 0.5) / 40
            assert {friend_of(ties, x, i, kind, d) for d in draws} == whom
        assert friend_of(ties, x, i, 99, 0.5) == -1


@pytest.mark.parametrize("choice", [codes.STAY, codes.REPORT, codes.JOIN])
@pytest.mark.parametrize("role", [MEMBER, PLEDGED])
def test_an_answer_joins_declines_or_gives_the_plot_away_and_both_learn(choice: int, role: int) -> None:
    stage = Stage(1, {"comrades.memory": 20}, n=20)
    table, run = one_plot(stage, codes.CROSS), stage.run
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
    assert table.leaks[0] == (choice == codes.REPORT)
    assert table.asked[1] == -1
    assert (table.wary[1] == run.day + 20) == (choice != codes.JOIN), "nobody asks him again for a while"


@pytest.mark.parametrize("aim", [codes.RISE, codes.CROSS])
def test_a_plot_sets_itself_a_date(aim: int) -> None:
    n = 600
    stage = Stage(5, {}, n=n)
    stage.run.open_day(7)
    moments = stage.moments(np.arange(n, dtype=np.int32), 0)
    stage.weigh(moments, "preference")
    stage.weigh(moments, "plots")
    moments.choice[:] = codes.PLAN_UPRISING if aim == codes.RISE else codes.PLAN_CROSSING
    moments.count[:] = np.bincount(moments.choice, minlength=len(codes.OPTIONS))
    stage.play["plots"].act(stage.run, moments)
    table: Plots = stage.play["plots"].plots
    assert table.founder[:n].tolist() == list(range(n))
    assert table.plotter.all()
    assert set(table.aim[:n].tolist()) == {aim}
    ahead = table.date[:n] - 7
    assert ahead.min() >= 1
    # days are whole: half a day more than drawn, on average
    assert ahead.mean() == pytest.approx(PATIENCE + 0.5, abs=4 * PATIENCE / n**0.5)


def numbers(stage: Stage, **changed: float) -> Plotting:
    """Return what drives plots, but for what is changed."""
    return stage.run.view(Plotting).copy(**changed)


def a_plot(stage: Stage, aim: int, members: int, due: int) -> Plots:
    """Return the table with one plot of so many members, whose date is `due` days ahead."""
    set_the_mood(stage)
    mechanism, run = stage.play["plots"], stage.run
    mechanism._make_room(run, 60)
    table: Plots = mechanism.plots
    found(table, run.records, run.day, 0, aim, run.day + due)
    for i in range(1, members):
        take_in(table, run.records, run.day, i, 0, MEMBER)
    stage.set_fates((codes.SERVING,))
    return table


@pytest.mark.parametrize(
    ("fate", "leaks", "end"),
    [
        (codes.SERVING, 0, ALIVE),
        (codes.DETAINED, 0, ALIVE),
        (codes.DETAINED, 1, BROKEN),
        (codes.DISCHARGED, 0, BROKEN),
        (codes.TRAVELLING, 0, DISSOLVED),
        (codes.TRAVELLING, 1, SCATTERED),
    ],
)
def test_what_becomes_of_a_plot_whose_founder_is_gone(fate: int, leaks: int, end: int) -> None:
    stage = Stage(2, n=20)
    table = a_plot(stage, codes.RISE, 3, 9)
    table.leaks[0] = leaks
    stage.run.records.fate[0] = fate
    review(stage.run.now, numbers(stage, warned=1.0), table, stage.run.records)
    assert table.end[0] == end


@pytest.mark.parametrize(
    ("aim", "members", "due", "call", "end"),
    [
        (codes.RISE, 10, 0, 0, LAUNCHED),
        (codes.RISE, 10, 1, 0, ALIVE),
        (codes.RISE, 9, 0, 0, ALIVE),
        (codes.RISE, 1, 0, 0, DISSOLVED),
        (codes.RISE, 5, 9, 1, LAUNCHED),
        (codes.RISE, 4, 9, 1, ALIVE),
        (codes.CROSS, 5, 0, 0, LAUNCHED),
        (codes.CROSS, 4, 0, 0, ALIVE),
        (codes.CROSS, 1, 0, 0, DISSOLVED),
        (codes.CROSS, 5, 9, 1, ALIVE),
    ],
)
def test_a_plot_goes_on_its_date_or_on_a_call_if_it_is_strong_enough(
    aim: int, members: int, due: int, call: float, end: int
) -> None:
    stage = Stage(2, {"plots.planned_strength": 10}, {"call": call}, n=20)
    table = a_plot(stage, aim, members, due)
    assert review(stage.run.now, numbers(stage, above=0.0), table, stage.run.records) == (end == LAUNCHED)
    assert table.end[0] == end
    assert end != ALIVE or table.date[0] > stage.run.day, "it sets another date"


def test_too_few_do_not_go_unless_someone_of_rank_has_given_his_word() -> None:
    for promises, end in ((0, ALIVE), (1, LAUNCHED)):
        stage = Stage(2, {"plots.planned_strength": 1}, n=20)
        table = a_plot(stage, codes.RISE, CELL - 1, 0)
        table.above[0] = promises
        review(stage.run.now, numbers(stage, above=0.0), table, stage.run.records)
        assert table.end[0] == end
