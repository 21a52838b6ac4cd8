"""The books of a run: fates, event log and agenda, kept by three small functions.

A fate changes through :func:`move` alone, which also writes the log and the stocks, so that the
log, the stocks and the column of fates cannot disagree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import DUE, FATES
from breakrank.engine.columns import longer
from breakrank.kernel import kernel, lean

NOBODY = 0xFFFFFFFF
NOWHERE = -1


class Books(NamedTuple):
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
    stock: NDArray[np.int64]
    day: NDArray[np.int16]
    who: NDArray[np.int32]
    event: NDArray[np.uint8]
    place: NDArray[np.int16]
    other: NDArray[np.int32]
    value: NDArray[np.float32]
    cursor: NDArray[np.int64]
    head: NDArray[np.int32]
    entry_who: NDArray[np.int32]
    entry_next: NDArray[np.int32]


def open_books(
    identity: NDArray[np.uint32], rank: NDArray[np.uint8], ranks: int, days: int, room: int
) -> Books:
    """Return books in which everyone serves, with room for `room` log rows and agenda entries."""
    n = len(identity)
    stock = np.zeros((len(FATES), ranks), np.int64)
    stock[0] = np.bincount(rank, minlength=ranks)
    return Books(
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


def make_room(books: Books, rows: int) -> Books:
    """Return books with room for `rows` more log rows and agenda entries (the same books if there is)."""
    log_full = books.cursor[0] + rows > len(books.day)
    agenda_full = books.cursor[1] + rows > len(books.entry_who)
    if not (log_full or agenda_full):
        return books
    changes = {}
    for name, full in (
        ("day", log_full),
        ("who", log_full),
        ("event", log_full),
        ("place", log_full),
        ("other", log_full),
        ("value", log_full),
        ("entry_who", agenda_full),
        ("entry_next", agenda_full),
    ):
        if full:
            old = getattr(books, name)
            changes[name] = longer(old, 2 * len(old) + rows)
    return books._replace(**changes)


def event_columns(books: Books, states: int) -> dict[str, NDArray[Any]]:
    """Return the log as columns: day, soldier and other (identities, NOBODY for none), event, place, value.

    Places in the books are routes; in the columns they count through the states first (`states` of them).
    """
    k = int(books.cursor[0])
    who, other = books.who[:k], books.other[:k]
    return {
        "day": books.day[:k].copy(),
        "soldier": books.identity[who],
        "event": books.event[:k].copy(),
        "place": np.where(books.place[:k] >= 0, books.place[:k] + np.int16(states), np.int16(-1)),
        "other": np.where(other >= 0, books.identity[other], np.uint32(NOBODY)),
        "value": books.value[:k].copy(),
    }


@lean
def record(books: Books, day: int, who: int, event: int, place: int, other: int, value: float) -> None:
    """Write one row of the log: `who` and `other` are positions (-1: nobody), `place` a code (-1: none)."""
    k = books.cursor[0]
    if k >= books.day.shape[0]:
        books.cursor[2] += 1
        return
    books.day[k] = day
    books.who[k] = who
    books.event[k] = event
    books.place[k] = place
    books.other[k] = other
    books.value[k] = value
    books.cursor[0] = k + 1


@lean
def move(
    books: Books, day: int, who: int, fate: int, event: int, place: int, other: int, value: float
) -> None:
    """Change the fate of soldier `who` and write why."""
    rank = books.rank[who]
    books.stock[books.fate[who], rank] -= 1
    books.stock[fate, rank] += 1
    books.fate[who] = fate
    books.since[who] = day
    record(books, day, who, event, place, other, value)


@lean
def schedule(books: Books, day: int, what: int, who: int) -> None:
    """Put soldier `who` on the agenda of `day` for `what`; days beyond the run are dropped."""
    if day >= books.head.shape[0]:
        return
    k = books.cursor[1]
    if k >= books.entry_who.shape[0]:
        books.cursor[2] += 1
        return
    books.entry_who[k] = who
    books.entry_next[k] = books.head[day, what]
    books.head[day, what] = k
    books.cursor[1] = k + 1


def due(books: Books, day: int, what: int) -> NDArray[np.int32]:
    """Return who is on the agenda of `day` for `what`, in order of position, each once."""
    return _listed(int(books.head[day, what]), books.entry_who, books.entry_next)


@kernel
def _listed(first: int, who: NDArray[np.int32], following: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return whom the entries of a linked list name, ascending, each once."""
    count = 0
    k = first
    while k >= 0:
        count += 1
        k = following[k]
    out = np.empty(count, np.int32)
    k = first
    for i in range(count):
        out[i] = who[k]
        k = following[k]
    out.sort()
    kept = 0
    for i in range(count):
        if i == 0 or out[i] != out[i - 1]:
            out[kept] = out[i]
            kept += 1
    return out[:kept]
