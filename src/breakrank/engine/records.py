"""The records of a run: fates, event log and agenda, kept by three small functions.

A fate changes through :func:`move` alone, which also writes the log and the stocks, so that the
log, the stocks and the column of fates cannot disagree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import DUE, FATES
from breakrank.kernel import kernel, lean, straight
from breakrank.table import Table, array


def longer(column: NDArray[Any], length: int, fill: int = 0) -> NDArray[Any]:
    """Return a column of `length` rows that begins as `column` does; the rows after it hold `fill`."""
    new = np.full(length, fill, column.dtype) if fill else np.zeros(length, column.dtype)
    new[: len(column)] = column
    return new


NOBODY = 0xFFFFFFFF


class RunRecords(Table):
    """Columns that every kernel may write through :func:`record`, :func:`move` and :func:`schedule`.

    ``fate`` uint8 (soldier,), ``since`` int16 (soldier,) day of the last change of fate, ``stock``
    int64 (fate, rank); log columns of equal capacity with ``cursor[0]`` rows in use; the agenda as
    linked lists by day and kind, ``head`` int32 (day, kind), entries ``entry_who``, ``entry_next``
    with ``cursor[1]`` in use; ``cursor[2]`` counts what found no room (the day raises on it).
    """

    identity: NDArray[np.uint32]
    rank: NDArray[np.uint8]
    fate: NDArray[np.uint8]
    since: NDArray[np.int16]
    stock: NDArray[np.int64] = array("fate", "rank")
    day: NDArray[np.int16] = array("row")
    who: NDArray[np.int32] = array("row")
    event: NDArray[np.uint8] = array("row")
    place: NDArray[np.int16] = array("row")
    other: NDArray[np.int32] = array("row")
    value: NDArray[np.float32] = array("row")
    cursor: NDArray[np.int64]
    head: NDArray[np.int32] = array("day", "kind")
    entry_who: NDArray[np.int32] = array("entry")
    entry_next: NDArray[np.int32] = array("entry")


def open_records(
    identity: NDArray[np.uint32],
    rank: NDArray[np.uint8],
    ranks: int,
    days: int,
    room: int,
    fates: int = len(FATES),
) -> RunRecords:
    """Return records in which everyone serves, with room for `room` log rows and agenda entries."""
    n = len(identity)
    stock = np.zeros((fates, ranks), np.int64)
    stock[0] = np.bincount(rank, minlength=ranks)
    return RunRecords(
        identity,
        rank,
        np.zeros(n, np.uint8),
        np.zeros(n, np.int16),
        stock,
        np.empty(room, np.int16),
        np.empty(room, np.int32),
        np.empty(room, np.uint8),
        np.empty(room, np.int16),
        np.empty(room, np.int32),
        np.empty(room, np.float32),
        np.zeros(3, np.int64),
        np.full((days + 1, DUE), -1, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )


def make_room(records: RunRecords, rows: int) -> RunRecords:
    """Return records with room for `rows` more log rows and agenda entries (the same ones if there is)."""
    used = {("row",): records.cursor[0], ("entry",): records.cursor[1]}
    if used["row",] + rows <= len(records.day) and used["entry",] + rows <= len(records.entry_who):
        return records
    for name in records.names():
        axes = records.axes_of(name)
        if axes in used and used[axes] + rows > len(old := getattr(records, name)):
            setattr(records, name, longer(old, 2 * len(old) + rows))
    return records


@lean
def room_left(records: RunRecords) -> int:
    """Return how many more log rows and agenda entries there is room for."""
    log, agenda = records.day.shape[0] - records.cursor[0], records.entry_who.shape[0] - records.cursor[1]
    return min(log, agenda)


def event_columns(records: RunRecords, states: int) -> dict[str, NDArray[Any]]:
    """Return the log as columns: day, soldier and other (identities, NOBODY for none), event, place, value.

    Places in the records are routes; in the columns they count through the states first (`states` of them).
    """
    k = int(records.cursor[0])
    who, other = records.who[:k], records.other[:k]
    return {
        "day": records.day[:k].copy(),
        "soldier": records.identity[who],
        "event": records.event[:k].copy(),
        "place": np.where(records.place[:k] >= 0, records.place[:k] + np.int16(states), np.int16(-1)),
        "other": np.where(other >= 0, records.identity[other], np.uint32(NOBODY)),
        "value": records.value[:k].copy(),
    }


@lean
def record(records: RunRecords, day: int, who: int, event: int, place: int, other: int, value: float) -> None:
    """Write one row of the log: `who` and `other` are positions (-1: nobody), `place` a code (-1: none)."""
    k = records.cursor[0]
    if k >= records.day.shape[0]:
        records.cursor[2] += 1
        return
    records.day[k] = day
    records.who[k] = who
    records.event[k] = event
    records.place[k] = place
    records.other[k] = other
    records.value[k] = value
    records.cursor[0] = k + 1


@lean
def move(
    records: RunRecords, day: int, who: int, fate: int, event: int, place: int, other: int, value: float
) -> None:
    """Change the fate of soldier `who` and write why."""
    rank = records.rank[who]
    records.stock[records.fate[who], rank] -= 1
    records.stock[fate, rank] += 1
    records.fate[who] = fate
    records.since[who] = day
    record(records, day, who, event, place, other, value)


@lean
def schedule(records: RunRecords, day: int, what: int, who: int) -> None:
    """Put soldier `who` on the agenda of `day` for `what`; days beyond the run are dropped."""
    if day >= records.head.shape[0]:
        return
    k = records.cursor[1]
    if k >= records.entry_who.shape[0]:
        records.cursor[2] += 1
        return
    records.entry_who[k] = who
    records.entry_next[k] = records.head[day, what]
    records.head[day, what] = k
    records.cursor[1] = k + 1


@lean
def schedule_after(records: RunRecords, day: int, wait: float, what: int, who: int) -> None:
    """Put soldier `who` on the agenda for `what` once `wait` days from 0 up, in whole ones, have passed."""
    if wait < records.head.shape[0]:  # a wait may be longer than any number of days
        schedule(records, day + int(wait), what, who)


@straight
@lean
def entries_due(records: RunRecords, day: int) -> int:
    """Return how many entries the agenda of a day has."""
    count = 0
    for what in range(records.head.shape[1]):
        k = records.head[day, what]
        while k >= 0:
            count += 1
            k = records.entry_next[k]
    return count


@kernel
def due(records: RunRecords, day: int, what: int) -> NDArray[np.int32]:
    """Return the soldiers on the agenda of `day` for `what`, in order of position, each once."""
    count = 0
    k = records.head[day, what]
    while k >= 0:
        count += 1
        k = records.entry_next[k]
    out = np.empty(count, np.int32)
    k = records.head[day, what]
    for i in range(count):
        out[i] = records.entry_who[k]
        k = records.entry_next[k]
    out.sort()
    kept = 0
    for i in range(count):
        if i == 0 or out[i] != out[i - 1]:
            out[kept] = out[i]
            kept += 1
    return out[:kept]
