"""The table of plots against lists of people: founding, joining, ending, and circles that overlap."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.engine.records import make_room, open_records
from breakrank.mechanisms.plot_table import (
    ALIVE,
    BROKEN,
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
