"""Plots kept in plain Python: lists of people instead of rows that point at each other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from breakrank.engine.codes import EV_FOUNDED, EV_JOINED, EV_PLEDGED
from breakrank.mechanisms.plot_table import (
    ALIVE,
    END_EVENT,
    LAUNCHED,
    MEMBER,
    PLEDGED,
    SIZES,
    Plots,
    close,
    found,
    take_in,
)
from tests.engine.plain_books import PlainBooks
from tests.engine.stage import Stage


@dataclass
class PlainMember:
    """Someone in a plot: who, in what role, through whom (None: the founder), and how many he brought in."""

    who: int
    role: int
    via: PlainMember | None = None
    brought: int = 0


@dataclass
class PlainPlot:
    """A plot, its people in the order in which they came."""

    founder: int
    aim: int
    people: list[PlainMember] = field(default_factory=list)
    largest: int = 0
    end: int = ALIVE

    def has(self, who: int) -> bool:
        return any(m.who == who for m in self.people)


class PlainPlots:
    """What :mod:`breakrank.mechanisms.plot_table` promises, as slowly and obviously as possible."""

    def __init__(self, records: PlainBooks) -> None:
        self.records = records
        self.all: list[PlainPlot] = []
        self.rows: list[tuple[int, PlainMember]] = []

    def enter(self, plot: int, who: int, via: PlainMember | None, role: int) -> PlainMember:
        member = PlainMember(who, role, via)
        self.all[plot].people.append(member)
        self.all[plot].largest += role == MEMBER
        self.rows.append((plot, member))
        if via is not None:
            via.brought += 1
        return member

    def found(self, day: int, who: int, aim: int) -> int:
        self.all.append(PlainPlot(who, aim))
        self.enter(len(self.all) - 1, who, None, MEMBER)
        self.records.record(day, who, EV_FOUNDED, value=aim)
        return len(self.all) - 1

    def take_in(self, day: int, who: int, row: int, role: int) -> None:
        plot, via = self.rows[row]
        self.enter(plot, who, via, role)
        known = via.who if role == MEMBER else self.all[plot].founder
        event = EV_JOINED if role == MEMBER else EV_PLEDGED
        self.records.record(day, who, event, other=known, value=self.all[plot].aim)

    def close(self, day: int, plot: int, end: int, value: float) -> None:
        self.all[plot].end = end
        self.records.record(day, self.all[plot].founder, END_EVENT[end], value=value)

    def plotter(self, who: int) -> bool:
        """Return whether someone is a member of a living plot."""
        return any(
            p.end == ALIVE and any(m.who == who and m.role == MEMBER for m in p.people) for p in self.all
        )

    def living(self) -> tuple[list[int], list[int]]:
        """Return how many plots live and how many belong to them, by aim."""
        alive = [sum(p.end == ALIVE and p.aim == aim for p in self.all) for aim in (0, 1)]
        members = [
            sum(m.role == MEMBER for p in self.all if p.end == ALIVE and p.aim == aim for m in p.people)
            for aim in (0, 1)
        ]
        return alive, members

    def ends(self) -> np.ndarray:
        """Return how many plots there are by end, size class and aim."""
        out = np.zeros((5, SIZES, 2), int)
        for p in self.all:
            out[p.end, min(p.largest.bit_length() - 1, SIZES - 1), p.aim] += 1
        return out

    def assert_same(self, table: Plots) -> None:
        """Assert that the table under test holds exactly this."""
        plots, rows, lost, *_ = table.used.tolist()
        assert (plots, rows, lost) == (len(self.all), len(self.rows), 0)
        for k, p in enumerate(self.all):
            found = (table.founder[k], table.aim[k], table.largest[k], table.end[k])
            assert found == (p.founder, p.aim, p.largest, p.end)
            people, row = [], int(table.rows[k])
            while row >= 0:
                people.append(self.rows[row][1])
                assert self.rows[row][0] == table.plot[row] == k
                row = int(table.next[row])
            assert people == p.people[::-1]
        for row, (_, member) in enumerate(self.rows):
            via = int(table.via[row])
            assert (self.rows[via][1] if via >= 0 else None) is member.via
            found = (table.member[row], table.role[row], table.cell[row])
            assert found == (member.who, member.role, member.brought)
        for who in range(len(table.plotter)):
            assert table.plotter[who] == self.plotter(who)


def people(table: Plots, plot: int) -> list[int]:
    """Return the rows of a plot's people, the latest first."""
    return [r for r in range(int(table.used[1]) - 1, -1, -1) if table.plot[r] == plot]


def in_plot(table: Plots, who: int, plot: int) -> bool:
    """Return whether someone belongs to a plot, in whatever role."""
    return any(table.member[r] == who for r in people(table, plot))


def some_plots(stage: Stage, most: int = 6) -> Plots:
    """Found plots at random in a stage, with people, promises and questions still open; a few are over."""
    run, rng, mechanism = stage.run, stage.rng, stage.play["plots"]
    mechanism._make_room(run, 400)
    run.make_room(4000)
    table: Plots = mechanism.plots
    for _ in range(int(rng.integers(1, most + 1))):
        waits, aim = int(rng.integers(3)), int(rng.integers(2))
        target, date = float(rng.integers(1, 9)), run.day + int(rng.integers(-1, 3))
        plot = found(table, run.records, run.day - 1, int(rng.integers(stage.n)), aim, waits, target, date)
        table.above[plot], table.known[plot] = rng.integers(0, 3), rng.random() < 0.3
        table.founded[plot] = run.day - rng.integers(0, 2)
        for who in rng.integers(0, stage.n, int(rng.integers(0, 8))).tolist():
            recruiters = [r for r in people(table, plot) if table.role[r] == MEMBER]
            if not in_plot(table, who, plot):
                role = int(rng.choice([MEMBER, MEMBER, PLEDGED]))
                take_in(table, run.records, run.day - 1, who, int(rng.choice(recruiters)), role)
        if rng.random() < 0.15:
            close(table, run.records, run.day - 1, plot, LAUNCHED, 0.0)
    for who in stage.some(0.3).tolist():
        row = int(rng.integers(table.used[1]))
        if table.role[row] == MEMBER and not in_plot(table, who, int(table.plot[row])):
            table.asked[who], table.ask[who] = row, rng.integers(0, 2)
    run.open_day(run.day)
    return table
