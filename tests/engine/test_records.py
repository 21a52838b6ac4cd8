"""Fates, log and agenda agree with books kept in plain Python, and nothing is lost when they run full."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.draws import NOBODY
from breakrank.engine.codes import DUE, EVENTS, FATES, OCCASIONS, OPTIONS
from breakrank.engine.records import (
    RunRecords,
    due,
    event_columns,
    make_room,
    move,
    open_records,
    record,
    schedule,
)
from tests.engine.plain_books import PlainBooks, rows

N, RANKS, DAYS = 7, 3, 5


def new_books(room: int = 64) -> RunRecords:
    identity, rank = np.arange(10, 10 + 3 * N, 3, dtype=np.uint32), (np.arange(N) % RANKS).astype(np.uint8)
    for column in (identity, rank):
        column.flags.writeable = False  # as a force's columns are
    return open_records(identity, rank, RANKS, DAYS, room)


day = st.integers(0, DAYS - 1)
soldier = st.integers(0, N - 1)
what = st.integers(0, DUE - 1)
entry = st.tuples(
    day,
    soldier,
    st.integers(0, len(EVENTS) - 1),
    st.integers(-1, 9),
    st.integers(-1, N - 1),
    st.floats(-1, 9),
)
action = st.one_of(
    st.tuples(st.just("record"), entry),
    st.tuples(st.just("move"), entry, st.integers(0, len(FATES) - 1)),
    st.tuples(st.just("schedule"), st.integers(0, DAYS + 3), what, soldier),
)


@given(st.lists(action, max_size=60), st.integers(0, 5))
def test_books_agree_with_plain_books(actions: list[tuple], spare: int) -> None:
    records = new_books(room=1)
    plain = PlainBooks(records)
    for kind, *rest in actions:
        records = make_room(records, 1 + spare)
        if kind == "record":
            record(records, *rest[0])
            plain.record(*rest[0])
        elif kind == "move":
            (d, i, *why), fate = rest
            move(records, d, i, fate, *why)
            plain.move(d, i, fate, *why)
        else:
            schedule(records, *rest)
            plain.schedule(*rest)
        plain.assert_same(records)
    for d in range(DAYS + 1):
        for w in range(DUE):
            found = due(records, d, w)
            assert found.tolist() == plain.due(d, w)
            assert found.dtype == np.int32


def test_what_finds_no_room_is_counted_and_nothing_is_overwritten() -> None:
    records = new_books(room=2)
    for k in range(5):
        record(records, 0, k, 1, -1, -1, 0.0)
        schedule(records, 1, 0, k)
    assert records.cursor.tolist() == [2, 2, 6]
    assert [row[1] for row in rows(records)] == [0, 1]
    assert due(records, 1, 0).tolist() == [0, 1]


def test_columns_name_soldiers_by_identity_and_count_places_through_the_states() -> None:
    records = new_books()
    record(records, 3, 2, 4, 1, 5, 0.25)
    record(records, 4, 0, 5, -1, -1, 1.0)
    columns = event_columns(records, 24)
    assert {name: column.tolist() for name, column in columns.items()} == {
        "day": [3, 4],
        "soldier": [16, 10],
        "event": [4, 5],
        "place": [25, -1],
        "other": [25, int(NOBODY)],
        "value": [0.25, 1.0],
    }
    assert [columns[c].dtype for c in columns] == [
        np.int16, np.uint32, np.uint8, np.int16, np.uint32, np.float32,
    ]  # fmt: skip
    record(records, 4, 0, 5, -1, -1, 1.0)
    assert len(columns["day"]) == 2  # a copy


@pytest.mark.parametrize("table", [FATES, OPTIONS, OCCASIONS, EVENTS])
def test_code_tables_name_each_code_once(table: tuple[str, ...]) -> None:
    assert len(set(table)) == len(table) < 256
