"""Plots: their table, who plans and joins, how they end, and when they go."""

import numpy as np
import pytest

from breakrank.engine import codes
from breakrank.engine.moments import TrustTies
from breakrank.mechanisms.comrades import OPPOSED
from breakrank.mechanisms.plot_life import (
    ALIVE,
    BROKEN,
    CELL,
    DISSOLVED,
    LAUNCHED,
    MEMBER,
    PLEDGED,
    SCATTERED,
    Plots,
    Plotting,
    found,
    friend_of,
    review,
    take_in,
)
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import mind, set_the_mood


def one_plot(stage: Stage, aim: int) -> Plots:
    """Return the table with a plot of soldier 0, and soldier 1 asked to join."""
    run, mechanism = stage.run, stage.play["plots"]
    mechanism._make_room(run, 60)
    table: Plots = mechanism.plots
    found(table, run.records, 0, 0, aim, 5)
    table.asked[1], table.ask[1] = 0, MEMBER
    return table


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
