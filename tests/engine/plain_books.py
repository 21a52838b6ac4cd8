"""Books kept in plain Python: lists and dictionaries instead of columns and linked lists."""

from collections import defaultdict
from typing import Any

import numpy as np

from breakrank.engine.codes import DUE, FATES
from breakrank.engine.records import RunRecords

Row = tuple[int, int, int, int, int, float]
"""Day, who (position), event, place, other (position), value."""


def rows(records: RunRecords, first: int = 0) -> list[Row]:
    """Return the log from row `first` on."""
    columns = (records.day, records.who, records.event, records.place, records.other, records.value)
    last = int(records.cursor[0])
    return list(zip(*(column[first:last].tolist() for column in columns), strict=True))


class PlainBooks:
    """What :mod:`breakrank.engine.records` promises, as slowly and obviously as possible."""

    def __init__(self, records: RunRecords) -> None:
        self.identity = [int(x) for x in records.identity]
        self.rank = records.rank.tolist()
        self.ranks = records.stock.shape[1]
        self.days = records.head.shape[0]
        self.fate = records.fate.tolist()
        self.since = records.since.tolist()
        self.log = rows(records)
        self.agenda: dict[tuple[int, int], list[int]] = defaultdict(list)
        for day in range(self.days):
            for what in range(DUE):
                k = int(records.head[day, what])
                while k >= 0:
                    self.agenda[day, what].append(int(records.entry_who[k]))
                    k = int(records.entry_next[k])

    def record(
        self, day: int, who: int, event: int, place: int = -1, other: int = -1, value: float = 0.0
    ) -> None:
        self.log.append((day, who, event, place, other, float(np.float32(value))))

    def move(self, day: int, who: int, fate: int, event: int, *rest: Any) -> None:
        self.fate[who], self.since[who] = fate, day
        self.record(day, who, event, *rest)

    def schedule(self, day: int, what: int, who: int) -> None:
        if day < self.days:
            self.agenda[day, what].append(who)

    def due(self, day: int, what: int) -> list[int]:
        return sorted(set(self.agenda[day, what]))

    def stock(self) -> list[list[int]]:
        counted = [[0] * self.ranks for _ in FATES]
        for fate, rank in zip(self.fate, self.rank, strict=True):
            counted[fate][rank] += 1
        return counted

    def assert_same(self, records: RunRecords) -> None:
        """Assert that the books under test hold exactly this."""
        other = PlainBooks(records)
        assert other.log == self.log
        assert other.fate == self.fate
        assert other.since == self.since
        assert records.stock.tolist() == self.stock()
        assert not records.cursor[2]
        wanted = {entry: sorted(who) for entry, who in self.agenda.items() if who}
        assert {entry: sorted(who) for entry, who in other.agenda.items() if who} == wanted
