"""Word home in a life: who told whom how he fared abroad. It is frequent, so that a life counts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from breakrank.engine.codes import EV_WORD, EVENTS
from breakrank.lives.soldier import counted
from breakrank.results.conspiracies import Log

WORD: Final = EVENTS[EV_WORD]
WORDS_SENT: Final = "words home in all"
WORDS_HEARD: Final = "words from abroad in all"
"""What a life calls the sum of the words that someone sent or heard."""

_FARED: Final = ((0.85, "well"), (0.6, "fairly well"), (0.4, "neither well nor badly"), (0.2, "badly"))

Who = Callable[[int], str]
"""Returns who a soldier of that identity is to the one whose life is told."""


def fared(quality: float) -> str:
    """Return how someone fares abroad, his treatment times his hope, from 0 (neither) to 1 (both), in words.

    Examples
    --------
    >>> [fared(q) for q in (1.0, 0.7, 0.5, 0.15)]
    ['well', 'fairly well', 'neither well nor badly', 'very badly']
    """
    return next((words for least, words in _FARED if quality >= least), "very badly")


class Words:
    """The words that one soldier sent home, or that he heard from abroad: which are told, and their sum.

    Told are the first, from each comrade if he heard them, and those that say something else than the one
    before; beside the last stands how many there were.
    """

    def __init__(self, log: Log, rows: npt.NDArray[np.intp], sent: bool) -> None:
        self._log, self._sent = log, sent
        self._rows = rows
        self._said: dict[int, str] = {}
        self._told = 0

    def of(self, row: int, who: Who) -> Iterator[tuple[str, str, int | None, float]]:
        """Yield what a life tells at a row of the log: event, clause, the other soldier, value."""
        log = self._log
        other = int(log["other" if self._sent else "soldier"][row])
        quality = float(log["value"][row])
        how, source = fared(quality), 0 if self._sent else other
        before = self._said.get(source)
        if how != before:
            self._said[source] = how
            self._told += 1
            now = "" if before is None else "now "
            yield WORD, self._clause(who(other), now, how), other, quality
        many = len(self._rows)
        if row == self._rows[-1] and many > self._told:
            yield self._sum(many)

    def _clause(self, other: str, now: str, how: str) -> str:
        if self._sent:
            return f"he got word to {other} that in treatment and hope he {now}fared {how}"
        return f"word came from {other} abroad, who {now}fared {how} there"

    def _sum(self, many: int) -> tuple[str, str, int | None, float]:
        column = self._log["other" if self._sent else "soldier"][self._rows]
        people = counted(int(np.unique(column).size), "comrade")
        if self._sent:
            text = f"he got word home for the last of {counted(many, 'time')}, to {people} in all"
            return WORDS_SENT, text, None, float(many)
        return WORDS_HEARD, f"word came for the last of {many} times, from {people} abroad", None, float(many)
