"""What is handed to a process of a pool: some runs of a study, or a call."""

from __future__ import annotations

import queue
from collections import Counter, deque
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from breakrank.runs.batch import Missed, Shift

FIRST = 1
"""Runs in the first order of a study to each process, so that there is something to see soon."""
AIM = (1.0, 2.0, 4.0)
"""Seconds that a study's second, third and all later orders are meant to take."""
MOST = 50
"""Runs in an order, at most."""
BEHIND = 8
"""Messages that may wait for whoever takes them; then processes wait, and memory does not grow."""
DEATHS = 3
"""Deaths of a process after which the run that it was making is given up."""
PATIENCE = 12
"""Deaths in a row, none the first of its run, after which everything left is given up."""


@dataclass(eq=False)
class StudyWork:
    """A study under way: what is still to be handed out, and how many processes have some of it.

    A run whose process died is a suspect. It is tried again with no other run of the study under way, which
    spares it if it only fell with another (for want of memory, say) and convicts it if it did not.
    """

    shift: Shift
    todo: deque[int]
    told: queue.Queue[list[Any] | None] = field(default_factory=lambda: queue.Queue(BEHIND))
    busy: int = 0
    orders: int = 0
    seconds: float = 0.0
    made: int = 0
    stopped: bool = False
    suspects: deque[int] = field(default_factory=deque)
    deaths: Counter[int] = field(default_factory=Counter)
    in_a_row: int = 0
    _alone: bool = False

    @property
    def open(self) -> bool:
        """Whether anything is still to be handed out."""
        return bool(self.todo or self.suspects)

    @property
    def ready(self) -> bool:
        """Whether something can be handed out now."""
        return self.open and not (self.stopped or self._alone or (self.suspects and self.busy))

    def next(self, team: int) -> tuple[int, ...]:
        """Take out the numbers of the next order."""
        self.busy += 1
        if self.suspects:
            self._alone = True
            return (self.suspects.popleft(),)
        most = FIRST
        if self.orders >= team and self.made:
            aim = AIM[min(self.orders // team - 1, len(AIM) - 1)]
            most = max(1, min(MOST, int(aim * self.made / max(self.seconds, 1e-6))))
        together = len(self.shift.scenarios)
        if most > together:  # the scenarios of a run may share its force
            most -= most % together
        many = min(most, max(1, -(-len(self.todo) // team)))
        self.orders += 1
        return tuple(self.todo.popleft() for _ in range(min(many, len(self.todo))))

    def ended(self, back: tuple[int, ...]) -> None:
        """Note that an order has ended, and take back what was not made of it."""
        self.busy -= 1
        self._alone = False
        self.todo.extendleft(reversed(back))

    def died(self, numbers: tuple[int, ...], ended: Collection[int]) -> list[Missed]:
        """Take back an order whose process died, and return what is given up now.

        Runs are made in order, so it died of the first that had not ended. Those that had were not yet
        written, unless they came back with what was told of them.
        """
        guilty = next((number for number in numbers if number not in ended), numbers[0])
        kept = () if self.shift.folder is not None else ended
        self.todo.extendleft(n for n in reversed(numbers) if n != guilty and n not in kept)
        self.deaths[guilty] += 1
        self.in_a_row += self.deaths[guilty] > 1
        if self.in_a_row >= PATIENCE:
            left = [guilty, *self.suspects, *self.todo]
            self.suspects.clear()
            self.todo.clear()
            why = "workers kept being killed"
            return [Missed(number, "no place: it was not finished", why) for number in left]
        if self.deaths[guilty] >= DEATHS:
            return [Missed(guilty, "no place: its worker was killed", f"killed {DEATHS} workers")]
        self.suspects.append(guilty)
        return []


@dataclass(eq=False)
class Call:
    """A function to be called in a process, and where its answer goes."""

    message: bytes
    answer: Future[Any]
