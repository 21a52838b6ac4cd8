"""A run at a dusk, kept whole: it can be copied, sent elsewhere, and gone on with as often as one likes.

All that a run changes is its own, its observer's, and what mechanisms have written down since they were
built. What is the same in each replicate (the world, the force, what mechanisms prepared) is left out and
taken from the model with which one goes on, which has to be of the same case and force. Arrays that are
parts of one another are so afterwards. A run that is gone on with is the uninterrupted one, to the bit.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.observe import Observer
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Run

if TYPE_CHECKING:
    from breakrank.engine.day import Days


class Snapshot:
    """A run and its observer at the dusk of a day.

    Parameters
    ----------
    days : the model that the run is lived with.
    run, observer : as they are; nothing is changed in them.
    swapped : more that is not kept, for which whoever goes on gives something else.

    Attributes
    ----------
    day : the last day lived, 0 on the first of the calendar.
    content : everything but arrays, as bytes; ``arrays`` their elements.
    """

    def __init__(self, days: Days, run: Run, observer: Observer, swapped: Sequence[Any] = ()) -> None:
        self.day = run.day
        changed = [_changed(vars(m), built) for m, built in zip(days.mechanisms, days.built, strict=True)]
        room = io.BytesIO()
        packer = _Packer(room, _given(days, swapped))
        packer.dump((run, observer, changed))
        self.content = room.getvalue()
        self.arrays = [bytes(array.raw()) for array in packer.arrays]

    def open(self, days: Days, swapped: Sequence[Any] = ()) -> tuple[Run, Observer]:
        """Return the run and its observer, ready to go on with `days`, a model of the same case and force.

        A model is gone on with one run at a time. `swapped` comes in place of what was not kept.
        """
        by_name = dict(_given(days, swapped).values())
        arrays = map(bytearray, self.arrays)
        run, observer, changed = _Unpacker(io.BytesIO(self.content), by_name, arrays).load()
        for mechanism, built, mine in zip(days.mechanisms, days.built, changed, strict=True):
            vars(mechanism).clear()
            vars(mechanism).update(built | mine)
        return run, observer


def _changed(now: dict[str, Any], built: dict[str, Any]) -> dict[str, Any]:
    """Return what a mechanism has noted since it was built."""
    return {name: value for name, value in now.items() if name not in built or built[name] is not value}


def _given(days: Days, swapped: Sequence[Any]) -> dict[int, tuple[str, Any]]:
    """Return what is the same in each replicate, by identity: its name and the thing."""
    force, world = days.world.force, days.world
    found: dict[int, tuple[str, Any]] = {id(world): ("world", world), id(force): ("force", force)}
    found |= {id(thing): (f"swapped {k}", thing) for k, thing in enumerate(swapped)}
    places = [("force", _fields(force)), ("ties", _fields(force.ties)), ("units", _fields(force.units))]
    places += [(m.name, built) for m, built in zip(days.mechanisms, days.built, strict=True)]
    places += [(f"{m.name} given", {str(k): each for k, each in enumerate(m.given)}) for m in days.mechanisms]
    places += [("world", vars(world)), ("fields", {**world.fields})]
    for owner, things in places:
        for name, thing in things.items():
            if not isinstance(thing, str | int | float | bool | None):
                found.setdefault(id(thing), (f"{owner}: {name}", thing))
    return found


def _fields(thing: Any) -> dict[str, Any]:  # noqa: ANN401 (a data class)
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


class _Packer(pickle.Pickler):
    """Packs what a run has changed; arrays that are parts of another are noted as such."""

    def __init__(self, room: io.BytesIO, given: dict[int, tuple[str, Any]]) -> None:
        self.arrays: list[pickle.PickleBuffer] = []
        super().__init__(room, protocol=5, buffer_callback=self.arrays.append)
        self._given = given

    def persistent_id(self, thing: Any) -> str | None:  # noqa: ANN401
        """Name what is the same in each replicate."""
        known = self._given.get(id(thing))
        return known[0] if known and known[1] is thing else None

    def reducer_override(self, thing: Any) -> Any:  # noqa: ANN401
        """Note the part that an array is of another; leave out the room that records keep free."""
        if type(thing) is RunRecords:
            return RunRecords, used(thing)
        if type(thing) is not np.ndarray:
            return NotImplemented
        whole = thing
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        if whole is thing or not whole.flags.c_contiguous:
            return NotImplemented
        first = thing.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        return _part, (whole, first, thing.shape, thing.strides, thing.dtype)


class _Unpacker(pickle.Unpickler):
    def __init__(self, room: io.BytesIO, given: dict[str, Any], arrays: Iterable[bytearray]) -> None:
        super().__init__(room, buffers=arrays)
        self._given = given

    def persistent_load(self, name: str) -> Any:  # noqa: ANN401
        """Return what is the same in each replicate."""
        return self._given[name]


def used(records: RunRecords) -> tuple[Any, ...]:
    """Return the fields of records without the rows of log and agenda that are not in use."""
    rows, entries = records.cursor[:2].tolist()
    short = dict.fromkeys(("day", "who", "event", "place", "other", "value"), rows)
    short |= dict.fromkeys(("entry_who", "entry_next"), entries)
    return tuple(
        getattr(records, name)[: short[name]].copy() if name in short else getattr(records, name)
        for name in records.names()
    )


def _part(
    whole: NDArray[Any], first: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Return the part of an array that begins at byte `first`."""
    return np.ndarray(shape, dtype, buffer=whole, offset=first, strides=strides)
