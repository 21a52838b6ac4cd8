"""The ways by day: schedules that open, close and change, as the case reads them, and embassies."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace

import pytest

from breakrank.errors import UsageError
from breakrank.mechanisms.journeys import find_ways
from tests.engine.stage import CROSSINGS, Stage, crossing


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


def test_a_case_without_crossings_can_run_without_ways_out_only() -> None:
    with pytest.raises(UsageError, match=r"routes\.on=0"):
        Stage(1, crossings=())
    assert not Stage(1, {"routes.on": 0}, crossings=(), sites=()).play["routes"].on
