"""Runs that a test begins, goes on with and keeps by itself, and all that they tell."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import luck_key
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.model import Model

Told = dict[str, NDArray[Any]]


def gone_on(
    model: Model, last: int, log: bool = True, turns: Sequence[tuple[int, int]] = ()
) -> tuple[Run, Observer]:
    """Return run 0 of seed 1 before day `last`; from each day of `turns` on it has the luck of a number."""
    keys = [(day, luck_key(1, "run", number)) for day, number in turns]
    run, observer = Run(model.world, 1, 0, log, model.days.rows, keys), Observer(model.world)
    model.days.begin(run)
    model.days.go_on(run, observer, 0, last)
    return run, observer


def told(model: Model, run: Run, observer: Observer) -> Told:
    """Return all series of a run, and the columns of its log if it keeps one."""
    series = {name: np.asarray(v).copy() for name, v in observer.series(run).items()}
    log = event_columns(run.records, len(model.world.state_ids)) if run.keep_log else {}
    return series | {f"log {name}": column.copy() for name, column in log.items()}


def whole(model: Model, log: bool = True, turns: Sequence[tuple[int, int]] = ()) -> Told:
    """Return what an uninterrupted run tells."""
    return told(model, *gone_on(model, model.world.days, log, turns))


def kept(model: Model, day: int, log: bool = True) -> Snapshot:
    """Return a run kept at the dusk of a day."""
    return Snapshot(model.days, *gone_on(model, day + 1, log))


def gone_on_with(model: Model, snapshot: Snapshot, turns: Sequence[tuple[int, int]] = ()) -> Told:
    """Return what a kept run tells at its end, with the luck of other numbers from some days on."""
    run, observer = snapshot.open(model.days)
    if turns:
        run.turns = tuple((day, luck_key(1, "run", number)) for day, number in turns)
    model.days.go_on(run, observer, snapshot.day + 1, model.world.days)
    return told(model, run, observer)


def same(one: Told, other: Told) -> bool:
    """Return whether two runs tell the same, to the bit."""
    return all(one[name].tobytes() == other[name].tobytes() for name in one | other)
