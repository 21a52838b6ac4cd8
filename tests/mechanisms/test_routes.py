"""The graph of ways: quickest roads, checkpoints, and schedules that open, close and change."""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.errors import UsageError
from breakrank.mechanisms.routes import find_ways
from tests.engine.stage import CROSSINGS, ROADS, Stage, crossing

STATES = "ABC"
road = st.builds(
    lambda ends, days, checkpoints: SimpleNamespace(
        start=ends[0], to=ends[1], days=days / 4, checkpoints=checkpoints, cut=()
    ),
    st.permutations(STATES),
    st.integers(1, 8),
    st.integers(0, 3),
)


def plain_way(roads: list[SimpleNamespace], start: str, goal: str) -> tuple[float, int]:
    """Try every order of states in between; the quickest way counts, then the one with fewer checkpoints."""
    best = (math.inf, 0)
    for size in range(len(STATES) + 1):
        for path in permutations(STATES, size):
            if path and (path[0], path[-1]) == (start, goal):
                legs = [
                    [(r.days, r.checkpoints) for r in roads if {r.start, r.to} == {a, b}]
                    for a, b in pairwise(path)
                ]
                if all(legs):
                    ways = [(0.0, 0)]
                    for leg in legs:
                        ways = [(d + days, p + posts) for d, p in ways for days, posts in leg]
                    best = min(best, *ways)
    return best


@settings(max_examples=60, deadline=None)
@given(st.lists(road, max_size=6))
def test_ways_are_the_quickest(roads: list[SimpleNamespace]) -> None:
    stage = Stage(1, n=1)
    stage.world.case.roads = tuple(roads)
    ways = find_ways(stage.world)
    for r, c in enumerate(CROSSINGS):
        for s, name in enumerate(STATES):
            days, posts = plain_way(roads, name, c.state)
            assert ways.days[0, s, r] == days + c.days
            if days < math.inf:
                assert ways.checkpoints[0, s, r] == posts


def spell(first: int, last: int, **more: object) -> SimpleNamespace:
    start = dt.date(2019, 1, 1)
    plain = {"open": True, "capture": None, "violence": None}
    return SimpleNamespace(start=start + dt.timedelta(first), to=start + dt.timedelta(last), **(plain | more))


def test_schedules_hold_on_their_days_first_and_last_included() -> None:
    gate = crossing(
        "gate",
        "A",
        schedule=(spell(-5, 2, open=False), spell(6, 8, capture=0.9), spell(8, 99, violence=0.8, open=False)),
    )
    stage = Stage(1, n=1, days=12, crossings=(gate, *CROSSINGS))
    ways = find_ways(stage.world)
    assert ways.open[:, 0].tolist() == [False] * 3 + [True] * 5 + [False] * 4
    assert ways.capture[:, 0].tolist() == [0.2] * 6 + [0.9] * 3 + [0.2] * 3
    assert ways.violence[:, 0].tolist() == [0.1] * 8 + [0.8] * 4
    assert ways.epoch.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 4]
    assert ways.open[:, 1:].all()


def test_the_model_reads_schedules_as_the_case_does() -> None:
    from breakrank.case import load_case
    from breakrank.engine.world import World
    from breakrank.model import build, catalogue

    case = load_case("venezuela-2019", catalogue()).set({"force.strength": 100})
    ways = find_ways(World(case, build(case, 0)))
    np.testing.assert_array_equal(ways.open, case.route_daily("open").astype(bool))
    np.testing.assert_array_equal(ways.capture, case.route_daily("capture"))
    np.testing.assert_array_equal(ways.violence, case.route_daily("violence"))


def test_a_case_without_crossings_can_run_without_ways_out_only() -> None:
    with pytest.raises(UsageError, match=r"ways_out\.on=0"):
        Stage(1, crossings=())
    assert not Stage(1, {"ways_out.on": 0}, crossings=(), sites=()).play["ways_out"].on
    assert ROADS
