"""A run kept at a dusk and gone on with is the uninterrupted one, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.model import MECHANISMS, Model
from tests.engine.worlds import busy, force_of

CASE = busy(500, "2019-03-01")
SWITCHES = [m.name for m in MECHANISMS if f"{m.name}.on" in CASE.catalogue.parameters]


def told(model: Model, run: Run, observer: Observer) -> dict[str, bytes]:
    series = {name: np.asarray(v).tobytes() for name, v in observer.series(run).items()}
    log = event_columns(run.records, len(model.world.state_ids))
    return series | {f"log {name}": column.tobytes() for name, column in log.items()}


def begun(model: Model, log: bool, number: int = 0) -> tuple[Run, Observer]:
    run, observer = Run(model.world, 1, number, log, model.days.rows), Observer(model.world)
    model.days.begin(run)
    return run, observer


def uninterrupted(model: Model, log: bool) -> dict[str, bytes]:
    run, observer = begun(model, log)
    model.days.go_on(run, observer, 0, model.world.days)
    return told(model, run, observer)


def gone_on_with(model: Model, snapshot: Snapshot) -> dict[str, bytes]:
    run, observer = snapshot.open(model.days)
    model.days.go_on(run, observer, snapshot.day + 1, model.world.days)
    return told(model, run, observer)


def kept(model: Model, day: int, log: bool) -> Snapshot:
    run, observer = begun(model, log)
    model.days.go_on(run, observer, 0, day + 1)
    return Snapshot(model.days, run, observer)


@pytest.mark.parametrize(("day", "log"), [(0, True), (22, False), (43, True), (58, True)])
def test_it_goes_on_as_if_nothing_had_been(day: int, log: bool) -> None:
    model, other = Model(CASE, force_of(CASE)), Model(CASE, force_of(CASE))
    expected = uninterrupted(model, log)
    snapshot = kept(model, day, log)
    assert gone_on_with(model, snapshot) == expected, "on the model that it was made with"
    assert gone_on_with(model, snapshot) == expected, "a second time"
    assert gone_on_with(other, snapshot) == expected, "on another model of the same case"


def test_it_is_kept_again_and_again() -> None:
    model = Model(CASE, force_of(CASE))
    expected = uninterrupted(model, True)
    snapshot = kept(model, 9, True)
    for day in (19, 29, 39, 49):
        run, observer = snapshot.open(model.days)
        model.days.go_on(run, observer, snapshot.day + 1, day + 1)
        snapshot = Snapshot(model.days, run, observer)
    assert gone_on_with(model, snapshot) == expected


@pytest.mark.slow
@pytest.mark.parametrize("off", SWITCHES)
def test_whatever_is_switched_off(off: str) -> None:
    case = CASE.set({f"{off}.on": 0})
    model = Model(case, force_of(case))
    expected = uninterrupted(model, True)
    for day in (9, 40):
        assert gone_on_with(model, kept(model, day, True)) == expected


def test_keeping_changes_nothing_in_the_run() -> None:
    model = Model(CASE, force_of(CASE))
    expected = uninterrupted(model, True)
    run, observer = begun(model, True)
    for day in range(model.world.days):
        model.days.go_on(run, observer, day, day + 1)
        if day % 7 == 0:
            Snapshot(model.days, run, observer)
    assert told(model, run, observer) == expected
