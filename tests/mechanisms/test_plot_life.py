"""Plotting told plainly: whom members approach, which commanders are asked, how plots end or launch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    CROSS,
    DETAINED,
    DISCHARGED,
    DUE_APPROACHED,
    DUE_WARNED,
    EV_APPROACHED_SOMEONE,
    EV_WARNED,
    RISE,
    SERVING,
    TRAVELLING,
)
from breakrank.engine.moments import Soldiers, TrustTies
from breakrank.force import CLASSMATE
from breakrank.mechanisms.counterintelligence import Informing
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.plot_life import members_of, review
from breakrank.mechanisms.plot_recruiting import PlotNumbers, approach, seek_pledges
from breakrank.mechanisms.plot_table import (
    ALIVE,
    BROKEN,
    DATE,
    DISSOLVED,
    END_EVENT,
    LAUNCHED,
    MEMBER,
    PLEDGED,
    SCATTERED,
    SIGNAL,
    Plots,
)
from breakrank.mechanisms.preference import Preferences
from tests.engine.plain_books import PlainBooks
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, four, margin, one, set_the_mood, ties
from tests.mechanisms.plain_plots import in_plot, people, some_plots

seeds = st.integers(0, 2**32)
NAME = "plots.approach"


def numbers(stage: Stage, **changed: float) -> PlotNumbers:
    """Return what drives plots, but for what is changed."""
    found: PlotNumbers = stage.play["plots"].numbers
    return found.copy(**changed)


class Asked:
    """Who has been asked by whom, told plainly."""

    def __init__(self, stage: Stage, table: Plots) -> None:
        self.stage, self.table, self.records = stage, table, stage.records
        self.asked, self.ask = table.asked.tolist(), table.ask.tolist()
        self.confidant = column(stage, "belief.confidant").tolist()

    def tell(self, row: int, friend: int, role: int) -> None:
        """Have the member of a row ask a friend."""
        day, i = self.stage.run.day, int(self.table.member[row])
        self.asked[friend], self.ask[friend], self.confidant[friend] = row, role, i
        kind = int(self.table.aim[self.table.plot[row]]) + (10 if role == PLEDGED else 0)
        self.records.record(day, i, EV_APPROACHED_SOMEONE, other=friend, value=kind)
        self.records.schedule(day + 1, DUE_APPROACHED, friend)

    def assert_same(self) -> None:
        self.records.assert_same(self.stage.run.records)
        assert self.table.asked.tolist() == self.asked
        assert self.table.ask.tolist() == self.ask
        assert column(self.stage, "belief.confidant").tolist() == self.confidant


def staged(seed: int) -> tuple[Stage, Plots]:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.force.ties.kind.setflags(write=True)
    stage.force.ties.kind[:] = stage.rng.choice([0, CLASSMATE], len(stage.force.ties.kind), p=[0.7, 0.3])
    table = some_plots(stage)
    table.wary[:] = stage.run.day + stage.rng.integers(-1, 2, stage.n)
    stage.any_fates(0.8)
    return stage, table


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.integers(1, 4), st.floats(0, 1), st.floats(0, 1))
def test_approaches_agree_with_a_plain_telling(
    seed: int, rate: float, cell: int, old_school: float, discernment: float
) -> None:
    stage, table = staged(seed)
    run, force = stage.run, stage.force
    plain, identity = Asked(stage, table), force.identity
    for plot in range(int(table.used[0])):
        founder = int(table.founder[plot])
        if table.end[plot] != ALIVE or run.records.fate[founder] != SERVING:
            continue
        for row in people(table, plot):
            i = int(table.member[row])
            if table.role[row] != MEMBER or table.cell[row] >= cell or run.records.fate[i] != SERVING:
                continue
            dares, whom, sees, whence = four(stage, NAME, i, int(identity[founder]), run.day)
            trusted = ties(stage, i)
            if dares >= rate or not trusted:
                continue
            at = int(whom * len(trusted))
            kinds = force.ties.kind[force.ties.start[i] : force.ties.start[i + 1]].tolist()
            if table.aim[plot] == RISE and whence < old_school and CLASSMATE in kinds:
                at = next(
                    k % len(kinds) for k in range(at, at + len(kinds)) if kinds[k % len(kinds)] == CLASSMATE
                )
            friend = trusted[at]
            if (
                run.records.fate[friend] != SERVING
                or plain.asked[friend] >= 0
                or in_plot(table, friend, plot)
            ):
                continue
            if run.day < table.wary[friend]:
                continue
            if table.aim[plot] == CROSS and force.unit[friend] != force.unit[i]:
                continue
            if margin(stage, friend) <= 0 and sees < discernment:
                continue
            plain.tell(row, friend, MEMBER)
    x = numbers(stage, approaches=rate, cell=cell, old_school=old_school, discernment=discernment)
    mood = run.view(Preferences), run.view(Grievances)
    soldiers, trusted_ties = run.view(Soldiers), run.view(TrustTies)
    ranks, informing = stage.play["plots"].ranks, run.view(Informing)
    approach(run.now, x, soldiers, trusted_ties, ranks, table, run.records, *mood, informing)
    plain.assert_same()


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_pledges_are_sought_as_in_a_plain_telling(seed: int, rate: float, discernment: float) -> None:
    stage, table = staged(seed)
    run, force = stage.run, stage.force
    leader, unit_formation = force.leader, force.units.formation
    plain = Asked(stage, table)
    for plot in range(int(table.used[0])):
        founder = int(table.founder[plot])
        if table.end[plot] != ALIVE or table.aim[plot] != RISE or run.records.fate[founder] != SERVING:
            continue
        dares, through, whom, sees = four(stage, "plots.pledge", founder, when=run.day)
        rows = people(table, plot)
        row = rows[min(int(through * int(table.largest[plot])), len(rows) - 1)]
        member = int(table.member[row])
        near = [u for u in range(len(leader)) if unit_formation[u] == unit_formation[force.unit[member]]]
        commander = int(leader[near[min(int(whom * len(near)), len(near) - 1)]])
        if dares >= rate or commander < 0 or run.records.fate[commander] != SERVING:
            continue
        if plain.asked[commander] >= 0 or in_plot(table, commander, plot):
            continue
        if run.day < table.wary[commander]:
            continue
        if table.role[row] != MEMBER or run.records.fate[member] != SERVING:
            continue
        if margin(stage, commander) <= 0 and sees < discernment:
            continue
        plain.tell(row, commander, PLEDGED)
    x = numbers(stage, pledges=rate, discernment=discernment)
    mood = run.view(Preferences), run.view(Grievances)
    ranks = stage.play["plots"].ranks
    seek_pledges(run.now, x, ranks, table, run.records, *mood, run.view(Informing))
    plain.assert_same()


def plain_review(
    stage: Stage, table: Plots, records: PlainBooks, call: float, x: dict[str, float]
) -> tuple[list[int], list[int]]:
    """End and launch plots, plainly; return the ends of all plots, and those that launch."""
    day, ends, launched = stage.run.day, table.end.tolist()[: int(table.used[0])], []
    for plot, end in enumerate(ends):
        founder, rows = int(table.founder[plot]), people(table, plot)
        fate = records.fate[founder]
        if end != ALIVE or (fate == DETAINED and not table.known[plot]):
            continue
        if fate != SERVING:
            for row in rows:
                i = int(table.member[row])
                if records.fate[i] == SERVING and table.role[row] == MEMBER and i != founder:
                    whom = int(stage.force.identity[founder])
                    if one(stage, "plots.review", i, whom, day) < x["pass_on"]:
                        records.record(day, i, EV_WARNED, other=founder)
                        records.schedule(day + 1, DUE_WARNED, i)
            away = TRAVELLING <= fate < DETAINED
            how = (SCATTERED if table.known[plot] else DISSOLVED) if away else BROKEN
            value = int(table.largest[plot])
        else:
            here = [r for r in rows if records.fate[int(table.member[r])] == SERVING]
            members = sum(table.role[r] == MEMBER for r in here)
            pledges = sum(table.role[r] == PLEDGED for r in here) + int(table.above[plot])
            strength = members + x["worth"] * pledges
            tires, answers, _, _ = four(stage, "plots.review", founder, when=day)
            enough = strength >= x["ready"] * table.target[plot]
            over = table.waits[plot] == DATE and day >= table.date[plot]
            goes = {SIGNAL: answers < call and enough, DATE: over and enough}.get(
                int(table.waits[plot]), strength >= table.target[plot]
            )
            strong = members >= 3 or strength > members
            if goes and strong and day > table.founded[plot]:
                how, value = LAUNCHED, members + 1000 * int(table.aim[plot])
                launched.append(plot)
            elif tires < 1 / x["patience"] or over:
                how, value = DISSOLVED, int(table.largest[plot])
            else:
                continue
        ends[plot] = how
        records.record(day, founder, END_EVENT[how], value=value)
    return ends, launched


@settings(max_examples=75, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(1, 100), st.floats(0, 1), st.floats(0, 10), st.floats(0, 1))
def test_plots_end_and_launch_as_in_a_plain_telling(
    seed: int, call: float, patience: float, ready: float, worth: float, pass_on: float
) -> None:
    stage, table = staged(seed)
    run, records = stage.run, stage.records
    x = {"patience": patience, "ready": ready, "worth": worth, "pass_on": pass_on}
    before = table.end.tolist()
    ends, launched = plain_review(stage, table, records, call, x)
    given_numbers = numbers(
        stage, patience=patience, ready=ready, pledge_worth=worth, warned=pass_on, wary=30, cell=3
    )
    given_numbers.call = np.full(stage.world.days, call)
    found = table.launching[: review(run.now, given_numbers, table, run.records)]
    records.assert_same(run.records)
    assert table.end[: len(ends)].tolist() == ends
    assert found.tolist() == launched
    lost = {
        int(table.founder[k]) for k, e in enumerate(ends) if e not in (ALIVE, LAUNCHED) and before[k] == ALIVE
    }
    assert {i for i in range(stage.n) if table.wary[i] == run.day + 30} == lost
    for plot in launched:
        here = {
            int(table.member[r])
            for r in people(table, plot)
            if table.role[r] == MEMBER and run.records.fate[table.member[r]] == SERVING
        }
        assert members_of(table, run.records, plot).tolist() == sorted(here - {int(table.founder[plot])})
    for i in range(stage.n):
        mine = [r for r in range(int(table.used[1])) if table.member[r] == i and table.role[r] == MEMBER]
        assert table.plotter[i] == any(table.end[table.plot[r]] == ALIVE for r in mine)


@pytest.mark.parametrize(
    ("fate", "known", "end"),
    [
        (SERVING, False, ALIVE),
        (DETAINED, False, ALIVE),
        (DETAINED, True, BROKEN),
        (DISCHARGED, False, BROKEN),
        (TRAVELLING, False, DISSOLVED),
        (TRAVELLING, True, SCATTERED),
    ],
)
def test_what_becomes_of_a_plot_whose_founder_is_gone(fate: int, known: bool, end: int) -> None:
    stage = Stage(2, n=20)
    set_the_mood(stage)
    table = some_plots(stage, 1)
    table.end[0], table.known[0], table.waits[0] = ALIVE, known, SIGNAL
    stage.set_fates((SERVING,))
    stage.run.records.fate[table.founder[0]] = fate
    x = numbers(stage, patience=1e9, ready=1.0, pledge_worth=0.0, warned=1.0, wary=30, cell=3)
    review(stage.run.now, x, table, stage.run.records)
    assert table.end[0] == end
