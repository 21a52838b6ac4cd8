"""Promises from above: who can be reached, what the log says, and who keeps his word on the day."""

from __future__ import annotations

import numpy as np

from breakrank.draws import decision
from breakrank.engine.codes import DETAINED, EV_ARRESTED
from breakrank.engine.records import move
from breakrank.mechanisms.high_command import ask, let_go, on_the_day, players_of_command, seek_pledge
from breakrank.mechanisms.high_command_choice import HEDGING, LOYAL, PLEDGED, seen_by, threshold_at
from tests.mechanisms.command_stage import Stage, stage

SEEK = int(decision("test.seek"))
WILLING = {"pledging": 0.0, "hedging": 30.0, "defecting": 60.0, "asked": 20.0}
UNWILLING = {"pledging": 30.0, "hedging": 30.0, "defecting": 60.0, "asked": 0.0}


def opened(values: dict[str, float], number: int = 0) -> Stage:
    s = stage(number, values)
    s.dawn(0)
    return s


def test_asking_the_willing_and_the_unwilling() -> None:
    s = opened(WILLING)
    assert ask(s.run, 2, 77)
    assert s.view.stance[2] == PLEDGED
    assert s.view.pledged_to[2] == 77
    assert s.events() == [(0, int(s.view.holder[2]), "pledged to a plot", 77, 102.0)]
    s = opened(UNWILLING)
    assert not s.command.ask(s.run, 2, 77)
    assert s.events() == []


def test_who_has_promised_one_does_not_promise_another() -> None:
    s = opened(WILLING)
    assert ask(s.run, 2, 77)
    assert ask(s.run, 2, 77)
    assert not ask(s.run, 2, 78)
    assert len(s.events()) == 1


def test_who_has_promised_the_challenger_can_be_won_by_a_plot() -> None:
    s = opened(WILLING)
    s.view.stance[0] = PLEDGED
    assert ask(s.run, 0, 77)
    assert s.view.pledged_to[0] == 77
    assert len(s.events("pledged to a plot")) == 1


def test_nobody_asks_himself_or_who_is_gone() -> None:
    s = opened(WILLING)
    assert not ask(s.run, 2, int(s.view.holder[2]))
    move(s.run.records, 0, int(s.view.holder[2]), DETAINED, EV_ARRESTED, -1, -1, 0.0)
    assert not ask(s.run, 2, 77)
    s.view.holder[3] = -1
    assert not ask(s.run, 3, 77)


def test_a_plot_reaches_who_has_dealings_or_commands_its_branch() -> None:
    reached: dict[int, set[int]] = {0: set(), 1: set()}
    for number in range(60):
        for branch in (0, 1):
            s = opened(WILLING, number)
            founder = int(np.flatnonzero(s.run.world.force.branch == branch)[number])
            assert seek_pledge(s.run, founder, SEEK)
            reached[branch] |= set(np.flatnonzero(s.view.stance).tolist())
    assert reached == {0: {0, 2, 6}, 1: {0, 3, 4, 6}}


def test_a_plot_that_reaches_nobody_gets_nothing() -> None:
    s = opened(WILLING)
    s.view.contact[:] = False
    s.view.branch[:] = -1
    assert not seek_pledge(s.run, 77, SEEK)
    none = stage(positions="[]\n")
    none.dawn(0) if none.command.acts else none.run.open_day(0)
    assert not seek_pledge(none.run, 77, SEEK)
    assert players_of_command(none.run, np.array([77], np.int32)).position.tolist() == []


def pledged() -> Stage:
    """Return a stage in which four have promised: two one plot, one another, one the challenger alone."""
    s = stage(guarantees=0.5, credibility=0.8)
    s.dawn(0)
    s.view.stance[:5] = (PLEDGED, PLEDGED, PLEDGED, PLEDGED, HEDGING)
    s.view.pledged_to[:4] = (77, 78, -1, 77)
    return s


def test_the_players_are_those_who_promised_to_come() -> None:
    s = pledged()
    c = s.view
    players = players_of_command(s.run, np.array([77], np.int32))
    assert players.position.tolist() == [0, 2, 3]
    assert players.holder.tolist() == c.holder[[0, 2, 3]].tolist()
    assert players.identity.tolist() == s.run.records.identity[c.holder[[0, 2, 3]]].tolist()
    assert players.weight.tolist() == c.weight[[0, 2, 3]].tolist()
    for k, q in enumerate((0, 2, 3)):
        assert players.threshold[k] == threshold_at(c, int(s.run.records.rank[c.holder[q]]), q)
        name = int(decision("high_command.sight"))
        assert players.belief[k] == seen_by(c, s.run.key, name, int(players.identity[k]), 0, q)
    both = players_of_command(s.run, np.array([78, 77], np.int32))
    assert both.position.tolist() == [0, 1, 2, 3]


def test_on_the_day_each_keeps_his_word_from_his_threshold_on() -> None:
    s = pledged()
    players = players_of_command(s.run, np.array([77], np.int32))
    success = players.threshold + np.array([0.0, -1e-9, 0.1])
    keeps, breaks = on_the_day(s.run, 77, players, success)
    assert keeps.tolist() == [True, False, True]
    assert breaks.tolist() == [False, True, False]
    assert s.events() == [(0, int(s.view.holder[2]), "did not keep a pledge", 77, 102.0)]
    assert s.view.stance.tolist() == [PLEDGED, PLEDGED, LOYAL, PLEDGED, HEDGING, LOYAL, LOYAL]


def test_whose_plot_is_gone_stays_promised_to_the_challenger() -> None:
    s = pledged()
    let_go(s.run, np.array([77], np.int32))
    assert s.view.pledged_to[:4].tolist() == [-1, 78, -1, -1]
    assert (s.view.stance[:4] == PLEDGED).all()
