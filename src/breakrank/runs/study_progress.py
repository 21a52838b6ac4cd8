"""How far a study is, as whoever watches it sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class StudyProgress(NamedTuple):
    """How far a study is.

    Attributes
    ----------
    done, failed, total : runs finished (those found in the store counted), failed, and asked for.
    reused : how many of `done` were in the store already.
    rate : runs ended per second; 0 before the first.
    left : seconds to the end at this rate; ``None`` before it is known.
    memory : bytes that the workers hold who have lately been heard of.
    workers : how many these are.
    """

    done: int
    failed: int
    total: int
    reused: int
    rate: float
    left: float | None
    memory: int
    workers: int


Watch = Callable[[StudyProgress], None]
Progress = Callable[[int, int], None]
"""Called with (runs ended, runs asked for)."""


def watch_with(progress: Progress | None) -> Watch | None:
    """Return a watcher of a study that calls `progress` as runs end."""
    if progress is None:
        return None

    def watch(tally: StudyProgress) -> None:
        ended = tally.done + tally.failed
        if ended:
            progress(ended, tally.total)

    return watch


SILENCE = 30.0
"""Seconds without a word after which a worker is taken to be dead or gone."""
LONGER = 3.0
"""The same as a multiple of the longest silence that any worker has broken, if that is more."""


class Counter:
    """Counts what ends and works out the rest."""

    def __init__(self, total: int, reused: int, watch: Watch | None) -> None:
        self.total = total
        self.reused = reused
        self.made = 0
        self.failed = 0
        self._memory: dict[str, int] = {}
        self._heard: dict[str, float] = {}
        self._silence = 0.0
        self._begun = time.monotonic()
        self._watch = watch

    def made_by(self, worker: str, memory: int) -> None:
        """Count a finished run."""
        now = time.monotonic()
        self.made += 1
        self._silence = max(self._silence, now - self._heard.get(worker, now))
        self._heard[worker] = now
        self._memory[worker] = memory

    def tell(self) -> None:
        """Tell whoever watches."""
        if self._watch is None:
            return
        self._forget()
        ended = self.made + self.failed
        rate = ended / max(time.monotonic() - self._begun, 1e-9) if ended else 0.0
        open_ = self.total - self.reused - ended
        left = open_ / rate if rate else None
        self._watch(
            StudyProgress(
                self.reused + self.made,
                self.failed,
                self.total,
                self.reused,
                rate,
                left,
                sum(self._memory.values()),
                len(self._memory),
            )
        )

    def _forget(self) -> None:
        """Forget workers that have long been silent: nobody says of one that it was killed, or has left."""
        limit = time.monotonic() - max(SILENCE, LONGER * self._silence)
        for worker in [name for name, heard in self._heard.items() if heard < limit]:
            del self._heard[worker], self._memory[worker]
