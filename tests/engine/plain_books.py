"""Books kept in plain Python: lists and dictionaries instead of columns and linked lists."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from breakrank.engine.books import Books
from breakrank.engine.codes import DUE, FATES

Row = tuple[int, int, int, int, int, float]
"""Day, who (position), event, place, other (position), value."""


def rows(books: Books, first: int = 0) -> list[Row]:
    """Return the log from row `first` on."""
    columns = (books.day, books.who, books.event, books.place, books.other, books.value)
    last = int(books.cursor[0])
    return list(zip(*(column[first:last].tolist() for column in columns), strict=True))


class PlainBooks:
    """What :mod:`breakrank.engine.books` promises, as slowly and obviously as possible."""

    def __init__(self, books: Books) -> None:
        self.identity = [int(x) for x in books.identity]
        self.rank = books.rank.tolist()
        self.ranks = books.stock.shape[1]
        self.days = books.head.shape[0]
        self.fate = books.fate.tolist()
        self.since = books.since.tolist()
        self.log = rows(books)
        self.agenda: dict[tuple[int, int], list[int]] = defaultdict(list)
        for day in range(self.days):
            for what in range(DUE):
                k = int(books.head[day, what])
                while k >= 0:
                    self.agenda[day, what].append(int(books.entry_who[k]))
                    k = int(books.entry_next[k])

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

    def assert_same(self, books: Books) -> None:
        """Assert that the books under test hold exactly this."""
        other = PlainBooks(books)
        assert other.log == self.log
        assert other.fate == self.fate
        assert other.since == self.since
        assert books.stock.tolist() == self.stock()
        assert not books.cursor[2]
        wanted = {entry: sorted(who) for entry, who in self.agenda.items() if who}
        assert {entry: sorted(who) for entry, who in other.agenda.items() if who} == wanted
