"""A run at a dusk, kept whole: it can be copied, sent elsewhere, and gone on with as often as one likes.

All that a run changes is its own, its observer's, and what mechanisms have written down since they were
built. What is the same in each replicate (the world, the force, what mechanisms prepared) is left out and
taken from the model with which one goes on, which has to be of the same case and force. Arrays that are
parts of one another are so afterwards. A run that is gone on with is the uninterrupted one, to the bit.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.calendar import Occasions
from breakrank.engine.observe import Observer
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Run

if TYPE_CHECKING:
    from breakrank.engine.day import Days
    from breakrank.engine.rows import Rows


class Snapshot:
    """A run and its observer at the dusk of a day.

    Parameters
    ----------
    days : the model that the run is lived with.
    run, observer : as they are; nothing is changed in them.

    Attributes
    ----------
    day : the last day lived, 0 on the first of the calendar.
    content : everything but arrays, as bytes.
    """

    def __init__(self, days: Days, run: Run, observer: Observer) -> None:
        self.day = run.day
        changed = [_changed(vars(m), built) for m, built in zip(days.mechanisms, days.built, strict=True)]
        room = io.BytesIO()
        packer = _Packer(room, _given(days), days.rows)
        packer.dump((run, observer, changed))
        self.content, self._parts, self._calendars = room.getvalue(), packer.parts, packer.calendars
        self._rows, *self._wholes = (whole.tobytes() for whole in packer.wholes)

    def open(self, days: Days) -> tuple[Run, Observer]:
        """Return the run and its observer, ready to go on with `days`, a model of the same case and force.

        A model is gone on with one run at a time, which has its rows.
        """
        by_name = dict(_given(days).values())
        days.rows.fill(self._rows)
        wholes = [days.rows.block, *(np.frombuffer(bytearray(whole), np.uint8) for whole in self._wholes)]
        arrays = [np.ndarray(shape, dtype, wholes[k], *lies) for k, shape, dtype, *lies in self._parts]
        found = _Unpacker(io.BytesIO(self.content), by_name, arrays, self._calendars).load()
        run, observer, changed = found
        for mechanism, built, mine in zip(days.mechanisms, days.built, changed, strict=True):
            vars(mechanism).clear()
            vars(mechanism).update(built | mine)
        return run, observer


def _changed(now: dict[str, Any], built: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes that a mechanism has gained since it was built."""
    return {name: value for name, value in now.items() if name not in built or built[name] is not value}


def _given(days: Days) -> dict[int, tuple[str, Any]]:
    """Return the objects that all replicates share, by identity: name and object."""
    force, world = days.world.force, days.world
    found: dict[int, tuple[str, Any]] = {id(world): ("world", world), id(force): ("force", force)}
    found[id(days.rows)] = "rows", days.rows
    places = [("force", _fields(force)), ("ties", _fields(force.ties)), ("units", _fields(force.units))]
    places += [(m.name, built) for m, built in zip(days.mechanisms, days.built, strict=True)]
    places += [(f"{m.name} given", {str(k): each for k, each in enumerate(m.given)}) for m in days.mechanisms]
    places += [("world", vars(world)), ("fields", {f: world.daily(f) for f in world.case.catalogue.fields})]
    for owner, things in places:
        for name, thing in things.items():
            if not isinstance(thing, str | int | float | bool | None):
                found.setdefault(id(thing), (f"{owner}: {name}", thing))
    return found


def _fields(thing: Any) -> dict[str, Any]:  # noqa: ANN401 (a data class)
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


class _Packer(pickle.Pickler):
    """Packs what a run has changed but for arrays and calendars, which are numbered.

    Attributes
    ----------
    wholes : what arrays are parts of, each once; first the rows of the model.
    parts : of each array its whole, shape and type, at which byte it begins, and its strides.
    calendars : of occasions, which nothing changes.
    """

    def __init__(self, room: io.BytesIO, given: dict[int, tuple[str, Any]], rows: Rows) -> None:
        super().__init__(room, protocol=5)
        self.wholes: list[NDArray[Any]] = [rows.block]
        self.parts: list[tuple[Any, ...]] = []
        self.calendars: list[Occasions] = []
        self._given = given
        self._number: dict[int, tuple[int, NDArray[Any]]] = {}
        self._whole = {id(_whole(rows.block)): 0}

    def persistent_id(self, thing: Any) -> str | int | None:  # noqa: ANN401
        """Name what is the same in each replicate, and number arrays from 0 up, calendars from -1 down."""
        known = self._given.get(id(thing))
        if known and known[1] is thing:
            return known[0]
        if type(thing) is np.ndarray and not thing.dtype.hasobject:
            return self._numbered(thing)
        if type(thing) is Occasions:
            self.calendars.append(thing)
            return -len(self.calendars)
        return None

    def _numbered(self, array: NDArray[Any]) -> int | None:
        """Return the number of an array; none where it lies so that it is packed by itself."""
        if id(array) not in self._number:
            whole = _whole(array)
            if not whole.flags.c_contiguous:
                return None
            if id(whole) not in self._whole:
                self._whole[id(whole)] = len(self.wholes)
                self.wholes.append(whole)
            k = self._whole[id(whole)]
            first = array.ctypes.data - self.wholes[k].ctypes.data
            self._number[id(array)] = len(self.parts), array
            self.parts.append((k, array.shape, array.dtype, first, array.strides))
        return self._number[id(array)][0]

    def reducer_override(self, thing: Any) -> Any:  # noqa: ANN401
        """Leave out the room that records keep free."""
        return (RunRecords, used(thing)) if type(thing) is RunRecords else NotImplemented


class _Unpacker(pickle.Unpickler):
    def __init__(
        self,
        room: io.BytesIO,
        given: dict[str, Any],
        arrays: Sequence[NDArray[Any]],
        calendars: Sequence[Occasions],
    ) -> None:
        super().__init__(room)
        self._given, self._arrays, self._calendars = given, arrays, calendars

    def persistent_load(self, name: str | int) -> Any:  # noqa: ANN401
        """Return a shared object of all replicates, or an array or a calendar of this one."""
        if isinstance(name, str):
            return self._given[name]
        return self._arrays[name] if name >= 0 else self._calendars[-1 - name]


def _whole(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array that another is a part of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def used(records: RunRecords) -> tuple[Any, ...]:
    """Return the fields of records without the rows of log and agenda that are not in use."""
    rows, entries = records.cursor[:2].tolist()
    short = {("row",): rows, ("entry",): entries}
    axes = map(records.axes_of, records.names())
    return tuple(
        each[: short[along]].copy() if along in short else each
        for each, along in zip(records, axes, strict=True)
    )
