"""One process of a pool, as the one who hands it its orders sees it."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol

from breakrank.errors import BreakrankError
from breakrank.runs.batch import Made, Settled, Stuck
from breakrank.runs.pool_worker import serve_orders
from breakrank.runs.start_process import CONTEXT, start, without_main
from breakrank.runs.tasks import Call, StudyWork
from breakrank.runs.worker import reason

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


class Orders(Protocol):
    """Who has orders to hand out."""

    owners: Sequence[object]

    def next(self, own: deque[Call], last: str) -> tuple[StudyWork, tuple[int, ...]] | Call | None:
        """Wait for the next order; ``None`` when there are no more."""

    def ended(self, work: StudyWork, back: tuple[int, ...] = ()) -> None:
        """Take note that an order has ended, of which something is handed back."""

    def died(self, work: StudyWork, numbers: tuple[int, ...], ended: set[int]) -> None:
        """Take note that a process has died over an order, of which some runs had ended."""


class Member:
    """One process, this end of its pipe, and the thread that hands it its orders.

    Attributes
    ----------
    own : calls that only this process is to answer.
    makes : the study of which it makes runs now, if it does.
    owes : whether runs of it were made that are not kept yet.
    """

    def __init__(self, pool: Orders, number: int) -> None:
        self._pool = pool
        self.own: deque[Call] = deque()
        self.makes: StudyWork | None = None
        self.owes = False
        self._thread = threading.Thread(target=self._keep, name=f"breakrank pool {number}", daemon=True)
        self._sending = threading.Lock()
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._known = ""

    def start(self) -> None:
        """Start the process, and begin to hand it orders."""
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait so long for the order in hand to end."""
        self._thread.join(seconds)

    def kill(self) -> None:
        """End the process now."""
        process = self._process
        if process is not None and process.is_alive():
            process.kill()
            process.join(1.0)

    def tell_to_stop(self, name: str | None, how: Literal["stop", "drop"] = "stop") -> None:
        """Have the process make no more of the order in hand, if it is of that study (or whatever it is).

        The run under way is finished (``"stop"``), or broken off (``"drop"``).
        """
        with self._sending, suppress(OSError, ValueError):
            if self._pipe is not None:
                self._pipe.send_bytes(pickle.dumps((how, name)))

    def make_way(self) -> None:
        """Have the process hand back what it has not yet begun of the order in hand."""
        work = self.makes
        if work is not None:
            self.tell_to_stop(work.shift.name)

    def _keep(self) -> None:
        with suppress(OSError, EOFError):  # else it is started again, or given up, with the first order
            self._begin()
        while True:
            order = self._pool.next(self.own, self._known)
            if order is None:
                break
            if isinstance(order, Call):
                self._answer(order)
            else:
                self._make(*order)
        self._gone()

    def _answer(self, call: Call) -> None:
        if not call.answer.set_running_or_notify_cancel():
            return
        try:
            good, value = pickle.loads(self._ask(("call", call.message)))
        except (OSError, EOFError):
            self._gone()
            call.answer.set_exception(BreakrankError("the process that was asked has ended; ask again"))
            return
        if good:
            call.answer.set_result(value)
        else:
            call.answer.set_exception(value)

    def _make(self, work: StudyWork, numbers: tuple[int, ...]) -> None:
        """Have runs made; whatever happens, each of them ends, is handed back, or is given up."""
        ended: set[int] = set()
        self.makes, self.owes = work, False
        try:
            if self._hand_over(work, numbers):
                self._bring(work, ended)
        except (OSError, EOFError):
            self._gone()
            self.makes = None
            self._pool.died(work, numbers, ended)
        except Exception as error:
            self.makes = None
            work.told.put([Stuck(f"a study cannot be sent to another process: {reason(error)}")])
            self._pool.ended(work)
        else:
            self.makes = None
            self._pool.ended(work, tuple(number for number in numbers if number not in ended))

    def _hand_over(self, work: StudyWork, numbers: tuple[int, ...]) -> bool:
        """Send an order; return whether the study still goes on."""
        self._begin()
        known = self._known == work.shift.name
        shift = None if known else pickle.dumps(work.shift, protocol=5)
        with self._sending:
            if work.stopped:
                return False
            assert self._pipe is not None
            self._pipe.send_bytes(pickle.dumps(("runs", work.shift.name, shift, numbers), protocol=5))
        self._known = work.shift.name
        return True

    def _bring(self, work: StudyWork, ended: set[int]) -> None:
        """Pass on what is told of an order until it has ended."""
        assert self._pipe is not None
        made = 0
        while True:
            one = pickle.loads(self._pipe.recv_bytes())
            if isinstance(one, Settled):
                work.told.put([made])
                return
            self.owes = True
            work.told.put([one])
            if isinstance(one, Stuck):
                self._known = ""
                return
            ended.add(one.number)
            work.in_a_row = 0
            if isinstance(one, Made):
                made += 1
                work.made += 1
                work.seconds += one.seconds

    def _ask(self, message: tuple[Any, ...]) -> bytes:
        self._begin()
        assert self._pipe is not None
        with self._sending:
            self._pipe.send_bytes(pickle.dumps(message, protocol=5))
        return self._pipe.recv_bytes()

    def _begin(self) -> None:
        """Start the process if there is none."""
        if self._process is not None and self._process.is_alive():
            return
        mine, theirs = CONTEXT.Pipe()
        # a daemon, so that Python ends it on its way out rather than wait for it
        process = CONTEXT.Process(target=serve_orders, args=(theirs,), name="breakrank worker", daemon=True)
        with without_main(*self._pool.owners):
            start(process)
        theirs.close()
        with self._sending:
            self._pipe, self._process, self._known = mine, process, ""

    def _gone(self) -> None:
        with self._sending:
            if self._pipe is not None:
                self._pipe.close()
            self._pipe = None
        self.kill()
        self._process, self._known = None, ""
