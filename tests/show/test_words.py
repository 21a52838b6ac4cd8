from __future__ import annotations

import math

import numpy as np
import pytest

from breakrank.show.tables import leaving
from breakrank.show.words import between, exact, interval, number, span, way
from tests.show.world import made


def test_few_runs_show_their_range_and_no_interval() -> None:
    world = made(runs=4)
    left = world.data["exits_rank"].sum(["day", "outcome", "rank"]).values
    last = leaving(world)[0].last
    assert (last.q05, last.q95) == (left.min(), left.max())
    assert world.answer["outcomes"].column("value").interval == "all 4 runs"


def test_a_number_is_rounded_the_same_wherever_it_stands() -> None:
    assert [number(v, "people") for v in (0.5, 1.5, 2.5, 5.5)] == ["1", "2", "3", "6"]
    assert between(0.0101, 0.0098, 0.0102, "share") == "1.01%"
    assert interval(0.0098, 0.0102, "share") == "0.98% to 1.02%"
    assert number(7.8, way("plots")) == "8"
    assert exact(12.5) == "12.5", "what a case gives is not rounded"
    assert span(-math.inf, 0.01, "share") == "at most 1%"


@pytest.mark.parametrize("unit", ["", "share", "people"])
def test_ends_of_many_intervals_differ_only_in_digits(unit: str) -> None:
    random = np.random.default_rng(1)
    for low, width in 10 ** random.uniform(-4, 3, (200, 2)):
        high = low + width
        if unit == "share":
            low, high = low / 3000, high / 3000
        ends = interval(low, high, unit).split(" to ")
        assert len({len(end.partition(".")[2]) for end in ends}) == 1
        assert unit == "people" or low == 0 or float(ends[0].replace(",", "").rstrip("%")) > 0
