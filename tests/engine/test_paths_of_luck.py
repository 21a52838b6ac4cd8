"""Luck that changes at a day changes nothing before it, and a path is replayed to the bit."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from breakrank.case import Draws
from breakrank.case.draws import Luck, LuckPath
from breakrank.engine.snapshot import Snapshot
from breakrank.model import Model, replicate
from tests.engine.by_hand import gone_on, gone_on_with, same, whole
from tests.engine.worlds import busy, force_of

CASE = busy(500, "2019-03-01")


@pytest.mark.parametrize("day", [1, 20, 45])
def test_what_was_before_stays_and_what_comes_is_other(day: int) -> None:
    model = Model(CASE, force_of(CASE))
    plain, turned = whole(model), whole(model, turns=[(day, 5)])
    logs = [{k: v for k, v in one.items() if k.startswith("log")} for one in (plain, turned)]
    before = [{k: v[one["log day"] < day] for k, v in one.items()} for one in logs]
    assert day == 1 or len(before[0]["log day"]) > 0
    assert same(*before)
    for name in ("exits_rank", "fates", "registered", "exits_state"):
        assert (plain[name][:day] == turned[name][:day]).all()
    after = [{k: v[one["log day"] >= day] for k, v in one.items()} for one in logs]
    assert after[0]["log soldier"].tobytes() != after[1]["log soldier"].tobytes()


@pytest.mark.parametrize(("day", "log"), [(0, True), (19, True), (20, False), (44, True)])
def test_a_branch_of_a_snapshot_is_the_path_from_the_start(day: int, log: bool) -> None:
    model, other = Model(CASE, force_of(CASE)), Model(CASE, force_of(CASE))
    before, after = [(20, 5)] if day >= 20 else [], [(day + 1, 7)]
    expected = whole(model, log, [*before, *after])
    snapshot = Snapshot(model.days, *gone_on(model, day + 1, log, before))
    for mine in (model, other):
        assert same(gone_on_with(mine, snapshot, after), expected)


def test_a_world_is_the_same_whatever_seed_and_number_call_it() -> None:
    names, values = ("decision.baseline_leave",), np.array([[3.0], [4.0]])
    until = dt.date(2019, 2, 10)
    luck = Luck(1, (LuckPath(3).branched(dt.date(2019, 1, 20), 8), LuckPath(2)), until)
    case = CASE.with_draws(Draws(names, values, luck=luck))
    day = (until - CASE.calendar.start).days
    one, other = (replicate(case, None, seed, run, log=True) for seed, run in ((1, 0), (9, 2)))
    assert one.events is not None
    assert other.events is not None
    logs = [{k: np.asarray(v) for k, v in e.items()} for e in (one.events, other.events)]
    days = [e["day"].astype(np.int64) for e in logs]
    early = [{k: v[when <= day] for k, v in e.items()} for e, when in zip(logs, days, strict=True)]
    late = [e["soldier"][when > day].tobytes() for e, when in zip(logs, days, strict=True)]
    assert same(*early)
    assert late[0] != late[1], "from then on each run has luck of its own"


def test_a_plain_path_is_the_run_of_its_number() -> None:
    names, values = ("decision.baseline_leave",), np.array([[3.0], [4.0]])
    luck = Luck(1, (LuckPath(0), LuckPath(1)), CASE.calendar.end)
    plain, worlds = Draws(names, values), Draws(names, values, luck=luck)
    for run in (0, 1):
        one = replicate(CASE.with_draws(plain), None, 1, run, log=True).series
        other = replicate(CASE.with_draws(worlds), None, 77, run, log=True).series
        assert same({k: np.asarray(v) for k, v in one.items()}, {k: np.asarray(v) for k, v in other.items()})
