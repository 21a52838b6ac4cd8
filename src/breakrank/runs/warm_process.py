"""One process that stands ready, as the one who hands it its orders sees it."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol

from breakrank.errors import BreakrankError
from breakrank.runs.batch import Made, Missed, Settled, Stuck
from breakrank.runs.start_process import CONTEXT, start, without_main
from breakrank.runs.tasks import Call, StudyWork
from breakrank.runs.warm_worker import serve_orders
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


class Orders(Protocol):
    """Who has orders to hand out."""

    def next(self, own: deque[Call], last: str) -> tuple[StudyWork, tuple[int, ...]] | Call | None:
        """Wait for the next order; ``None`` when there are no more."""

    def ended(self, work: StudyWork, lost: tuple[int, ...] = (), rest: tuple[int, ...] = ()) -> None:
        """Take note that an order has ended but for the `rest`, or that its process died and `lost` runs."""


class Member:
    """One process, this end of its pipe, and the thread that hands it its orders.

    Attributes
    ----------
    own : calls that only this process is to answer.
    makes : the study of which it makes runs now, if it does.
    """

    def __init__(self, team: Orders, number: int) -> None:
        self._team = team
        self.own: deque[Call] = deque()
        self.makes: StudyWork | None = None
        self._thread = threading.Thread(target=self._keep, name=f"breakrank team {number}", daemon=True)
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

    def let_go(self, work: StudyWork) -> None:
        """Have the process break off what it makes of a study: nobody waits for it any more."""
        self.tell_to_stop(work.shift.name, "drop")

    def make_way(self) -> None:
        """Have the process hand back what it has not yet begun of the order in hand."""
        work = self.makes
        if work is not None:
            self.tell_to_stop(work.shift.name)

    def _keep(self) -> None:
        self._begin()
        while True:
            order = self._team.next(self.own, self._known)
            if order is None:
                break
            if isinstance(order, Call):
                self._answer(order)
            else:
                self._make(*order)
        with self._sending:
            if self._pipe is not None:
                self._pipe.close()

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
        ended: set[int] = set()
        made, lost = 0, numbers
        rest: tuple[int, ...] = ()
        self.makes = work
        try:
            self._begin()
            assert self._pipe is not None
            known = self._known == work.shift.name
            task = None if known else pickle.dumps(work.shift, protocol=5)
            self._known = work.shift.name
            self._send(("runs", work.shift.name, task, numbers))
            while True:
                one = pickle.loads(self._pipe.recv_bytes())
                if isinstance(one, Made | Missed):
                    ended.add(one.number)
                if isinstance(one, Made):
                    made += 1
                    work.made += 1
                    work.seconds += one.seconds
                elif isinstance(one, Settled):
                    work.told.put([made])
                    lost, rest = (), tuple(n for n in numbers if n not in ended)
                    break
                work.told.put([one])
                if isinstance(one, Stuck):
                    lost = ()
                    break
        except (OSError, EOFError):
            self._gone()
        finally:
            self.makes = None
            self._team.ended(work, lost, rest)

    def _ask(self, message: tuple[Any, ...]) -> bytes:
        self._begin()
        assert self._pipe is not None
        self._send(message)
        return self._pipe.recv_bytes()

    def _send(self, message: tuple[Any, ...]) -> None:
        with self._sending:
            assert self._pipe is not None
            self._pipe.send_bytes(pickle.dumps(message, protocol=5))

    def _begin(self) -> None:
        """Start the process if there is none."""
        if self._process is not None and self._process.is_alive():
            return
        mine, theirs = CONTEXT.Pipe()
        # a daemon, so that Python ends it on its way out rather than wait for it
        process = CONTEXT.Process(target=serve_orders, args=(theirs,), name="breakrank worker", daemon=True)
        with without_main(_Task()):
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


class _Task:
    """What workers of a team are started for, as far as starting them asks."""

    @property
    def simulator(self) -> Simulator:
        return standard_simulator()

    @property
    def case(self) -> Any:  # noqa: ANN401 (there is none yet)
        return None

    def attempt(self, run: int) -> None:
        """Do nothing."""

    def settle(self) -> None:
        """Do nothing."""
