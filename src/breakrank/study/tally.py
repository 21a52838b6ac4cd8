"""How far a study is, as whoever watches it sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Tally(NamedTuple):
    """How far a study is.

    Attributes
    ----------
    done, failed, total : runs finished (those found in the store counted), failed, and asked for.
    reused : how many of `done` were in the store already.
    rate : runs ended per second; 0 before the first.
    left : seconds to the end at this rate; ``None`` before it is known.
    memory : bytes that all workers hold.
    workers : how many of them have brought something.
    """

    done: int
    failed: int
    total: int
    reused: int
    rate: float
    left: float | None
    memory: int
    workers: int


Watch = Callable[[Tally], None]


class Counter:
    """Counts what ends and works out the rest."""

    def __init__(self, total: int, reused: int, watch: Watch | None) -> None:
        self.total = total
        self.reused = reused
        self.made = 0
        self.failed = 0
        self._memory: dict[str, int] = {}
        self._begun = time.monotonic()
        self._watch = watch

    def made_by(self, worker: str, memory: int) -> None:
        """Count a finished run."""
        self.made += 1
        self._memory[worker] = memory

    def tell(self) -> None:
        """Tell whoever watches."""
        if self._watch is None:
            return
        ended = self.made + self.failed
        rate = ended / max(time.monotonic() - self._begun, 1e-9) if ended else 0.0
        open_ = self.total - self.reused - ended
        left = open_ / rate if rate else None
        self._watch(
            Tally(
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
