"""The table of plots against lists of people: founding, joining, ending, and circles that overlap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.records import make_room, open_records
from breakrank.mechanisms.plot_table import (
    ALIVE,
    BROKEN,
    DISSOLVED,
    LAUNCHED,
    MEMBER,
    PLEDGED,
    SCATTERED,
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
from tests.engine.plain_books import PlainBooks
from tests.mechanisms.plain_plots import PlainPlots

N = 9
seeds = st.integers(0, 2**32)


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


@settings(max_examples=80, deadline=None)
@given(seeds, st.integers(1, 60))
def test_the_table_agrees_with_lists_of_people(seed: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    records, table = opened()
    plain = PlainPlots(PlainBooks(records))
    count = PlotCount(np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros((5, 7, 2), np.int32))
    for day in range(steps):
        living = [k for k, p in enumerate(plain.all) if p.end == ALIVE]
        what, who = rng.random(), int(rng.integers(N))
        table = with_room(table, 1, 1)  # grows now and then, and never forgets
        if what < 0.2 or not living:
            aim = int(rng.integers(2))
            assert found(table, records, day, who, aim, STRENGTH, 5.0, 0) == plain.found(day, who, aim)
        elif what < 0.8:
            plot = int(rng.choice(living))
            row = int(
                rng.choice([r for r, (p, m) in enumerate(plain.rows) if p == plot and m.role == MEMBER])
            )
            assert belongs(table, who, plot) == plain.all[plot].has(who)
            if not plain.all[plot].has(who):
                role = int(rng.choice([MEMBER, PLEDGED]))
                take_in(table, records, day, who, row, role)
                plain.take_in(day, who, row, role)
        else:
            plot, end = int(rng.choice(living)), int(rng.choice([BROKEN, SCATTERED, DISSOLVED, LAUNCHED]))
            close(table, records, day, plot, end, 3.0)
            plain.close(day, plot, end, 3.0)
        plain.assert_same(table)
        count_plots(table, count)
        assert (count.alive.tolist(), count.members.tolist()) == plain.living()
        np.testing.assert_array_equal(count.ends, plain.ends())
    plain.records.assert_same(records)


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
