"""A run kept at a dusk and gone on with is the uninterrupted one, to the bit."""

from __future__ import annotations

import pytest

from breakrank.engine.snapshot import Snapshot
from breakrank.model import MECHANISMS, Model
from tests.engine.by_hand import gone_on_with, kept, same, whole
from tests.engine.worlds import busy, force_of

CASE = busy(500, "2019-03-01")
SWITCHES = [m.name for m in MECHANISMS if f"{m.name}.on" in CASE.catalogue.parameters]


@pytest.mark.parametrize(("day", "log"), [(0, True), (22, False), (43, True), (58, True)])
def test_it_goes_on_as_if_nothing_had_been(day: int, log: bool) -> None:
    model, other = Model(CASE, force_of(CASE)), Model(CASE, force_of(CASE))
    expected, snapshot = whole(model, log), kept(model, day, log)
    assert same(gone_on_with(model, snapshot), expected), "on the model that it was made with"
    assert same(gone_on_with(model, snapshot), expected), "a second time"
    assert same(gone_on_with(other, snapshot), expected), "on another model of the same case"


def test_it_is_kept_again_and_again() -> None:
    model = Model(CASE, force_of(CASE))
    expected, snapshot = whole(model), kept(model, 9)
    for day in (19, 29, 39, 49):
        run, observer = snapshot.open(model.days)
        model.days.go_on(run, observer, snapshot.day + 1, day + 1)
        snapshot = Snapshot(model.days, run, observer)
    assert same(gone_on_with(model, snapshot), expected)


@pytest.mark.slow
@pytest.mark.parametrize("off", SWITCHES)
def test_whatever_is_switched_off(off: str) -> None:
    case = CASE.set({f"{off}.on": 0})
    model = Model(case, force_of(case))
    expected = whole(model)
    for day in (9, 40):
        assert same(gone_on_with(model, kept(model, day)), expected)
