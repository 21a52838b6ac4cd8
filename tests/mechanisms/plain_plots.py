"""Plots kept in plain Python: lists of people instead of rows that point at each other."""

import numpy as np

from breakrank.mechanisms.plot_life import LAUNCHED, MEMBER, PLEDGED, Plots, close, found, take_in
from tests.engine.stage import Stage


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
        aim, date = int(rng.integers(2)), run.day + int(rng.integers(-1, 3))
        free = np.flatnonzero(~table.plotter)
        if not len(free):
            break
        founder = int(rng.choice(free))
        plot = found(table, run.records, run.day - 1, founder, aim, date)
        table.above[plot], table.leaks[plot] = rng.integers(0, 3), rng.random() < 0.3
        table.founded[plot] = run.day - rng.integers(0, 2)
        for who in rng.integers(0, stage.n, int(rng.integers(0, 8))).tolist():
            recruiters = [r for r in people(table, plot) if table.role[r] == MEMBER]
            if not in_plot(table, who, plot) and not table.plotter[who]:
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
