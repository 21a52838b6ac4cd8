"""What is handed to a process that stands ready: some runs of a study, or a call."""

from __future__ import annotations

import queue
from collections import Counter, deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from breakrank.runs.batch import Missed, Shift
from breakrank.runs.pool import DEATHS

FIRST = 1
"""Runs in the first order of a study to each process, so that there is something to see soon."""
AIM = (1.0, 2.0, 4.0)
"""Seconds that a study's second, third and all later orders are meant to take."""
MOST = 50
"""Runs in an order, at most."""


@dataclass(eq=False)
class StudyWork:
    """A study under way: what is still to be handed out, and how many processes have some of it."""

    shift: Shift
    todo: deque[int]
    told: queue.SimpleQueue[list[Any] | None] = field(default_factory=queue.SimpleQueue)
    busy: int = 0
    orders: int = 0
    seconds: float = 0.0
    made: int = 0
    stopped: bool = False
    alone: deque[int] = field(default_factory=deque)
    deaths: Counter[int] = field(default_factory=Counter)

    @property
    def open(self) -> bool:
        """Whether anything is still to be handed out."""
        return bool(self.todo or self.alone)

    def lost(self, numbers: tuple[int, ...]) -> None:
        """Take back an order whose process died: each run by itself, and none more than :data:`DEATHS` times.

        A run that died alone is guilty; of several, nobody knows which.
        """
        if len(numbers) > 1:
            self.alone.extend(numbers)
            return
        (number,) = numbers
        self.deaths[number] += 1
        if self.deaths[number] < DEATHS:
            self.alone.append(number)
        else:
            gone = Missed(number, "no place: its worker was killed", f"killed {DEATHS} workers")
            self.told.put([gone])

    def next(self, team: int) -> tuple[int, ...]:
        """Take out the numbers of the next order."""
        if not self.todo:
            return (self.alone.popleft(),)
        most = FIRST
        if self.orders >= team and self.made:
            aim = AIM[min(self.orders // team - 1, len(AIM) - 1)]
            most = max(1, min(MOST, int(aim * self.made / max(self.seconds, 1e-6))))
        many = min(most, max(1, -(-len(self.todo) // team)))
        self.orders += 1
        return tuple(self.todo.popleft() for _ in range(min(many, len(self.todo))))


@dataclass(eq=False)
class Call:
    """A function to be called in a process, and where its answer goes."""

    message: bytes
    answer: Future[Any]
