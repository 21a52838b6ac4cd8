"""Processes that stand ready: started once, warm, and shared by any number of studies at once.

A study on the command line starts its workers and ends them. Where questions come one after another, as from
a page, that start would be most of the wait. Here each process has a thread beside it that hands it one order
after another: some runs of a study (an *order* small enough that others get their turn), or one call. What
a process made is on the disk before it takes the next order.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from breakrank.errors import BreakrankError
from breakrank.study.ensemble import available_cores
from breakrank.study.pool import DEATHS
from breakrank.study.shift import Made, Missed, Settled, Shift, Stuck
from breakrank.study.starting import CONTEXT, start, without_main
from breakrank.study.worker import Engine, standard_engine

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from breakrank.case import Case
    from breakrank.study.places import Stopping, Take

P = ParamSpec("P")
R = TypeVar("R")

FIRST = 1
"""Runs in the first order of a study to each process, so that there is something to see soon."""
AIM = (1.0, 2.0, 4.0)
"""Seconds that a study's second, third and all later orders are meant to take."""
MOST = 50
"""Runs in an order, at most."""
PATIENCE = 1.5
"""Seconds that are waited, at the end, for what is under way to be finished and kept."""
NICE = 2
"""By how much the processes step back behind the one that answers."""
WARM_DAYS = 3
"""Days of the run by which a process loads the compiled model."""


class ClosedError(BreakrankError):
    """The team takes no more orders."""


@dataclass(eq=False)
class _Work:
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
class _Call:
    """A function to be called in a process, and where its answer goes."""

    message: bytes
    answer: Future[Any]


class Team:
    """Processes of this machine that stand ready.

    Parameters
    ----------
    workers : how many; by default one for each core.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.size = workers or available_cores()
        self._change = threading.Condition()
        self._works: list[_Work] = []
        self._calls: deque[_Call] = deque()
        self._closed = False
        self._members: list[_Member] = []

    def start(self) -> None:
        """Start the processes."""
        self._members = [_Member(self, number) for number in range(self.size)]
        for member in self._members:
            member.start()

    def warm(self, case: Case, seed: int = 0) -> list[Future[None]]:
        """Have each process load the compiled model; the futures tell when they have."""
        message = pickle.dumps((warm, (case, seed)), protocol=5)
        found = []
        with self._change:
            for member in self._members:
                member.own.append(_Call(message, Future()))
                found.append(member.own[-1].answer)
            self._change.notify_all()
        return found

    def place(self, stop: threading.Event, settled: Callable[[int], None] | None = None) -> Standing:
        """Return the team as a place for one study.

        Parameters
        ----------
        stop : once set, the study is interrupted: what is under way is finished and kept.
        settled : called in the study's thread with how many runs more are on the disk.
        """
        return Standing(self, stop, settled)

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a process call a function that it finds by name, before any more runs; return its future.

        Raises
        ------
        ClosedError
            after :meth:`close`.
        """
        message = pickle.dumps((function, args, kwargs), protocol=5)
        answer: Future[R] = Future()
        with self._change:
            if self._closed:
                raise ClosedError("the page is being closed")
            self._calls.append(_Call(message, answer))
            self._change.notify_all()
        return answer

    def close(self, patience: float = PATIENCE) -> None:
        """End the processes; what they make now is kept if it takes no longer than `patience` seconds."""
        with self._change:
            self._closed = True
            for work in self._works:
                work.stopped = True
            calls = [*self._calls, *(call for member in self._members for call in member.own)]
            self._calls.clear()
            self._change.notify_all()
        for call in calls:
            call.answer.cancel()
        for member in self._members:
            member.tell_to_stop(None)
        limit = time.monotonic() + patience
        for member in self._members:
            member.join(max(0.0, limit - time.monotonic()))
        for member in self._members:
            member.kill()

    def take_on(self, work: _Work) -> None:
        """Hand a study's runs to whoever is free."""
        with self._change:
            if self._closed:
                work.stopped = True
            else:
                self._works.append(work)
                self._change.notify_all()

    def take_off(self, work: _Work) -> None:
        """Hand out no more of a study; whoever makes runs of it ends with the one under way."""
        with self._change:
            work.stopped = True
            if work in self._works:
                self._works.remove(work)
        for member in self._members:
            member.tell_to_stop(work.shift.name)

    def next(self, own: deque[_Call], last: str) -> tuple[_Work, tuple[int, ...]] | _Call | None:
        """Wait for the next order of a process whose last study was `last`; ``None`` when there are no more.

        What is its own comes before what anyone may do.

        The study with the fewest processes comes first; of two, the one whose force is at hand.
        """
        with self._change:
            while True:
                if self._closed:
                    return None
                if own or self._calls:
                    return (own or self._calls).popleft()
                waiting = [w for w in self._works if w.open and not w.stopped]
                if waiting:
                    work = min(waiting, key=lambda w: (w.busy, w.shift.name != last))
                    work.busy += 1
                    return work, work.next(self.size)
                self._change.wait()

    def ended(self, work: _Work, lost: tuple[int, ...] = ()) -> None:
        """Count that a process has ended an order, or died over it and lost these runs."""
        with self._change:
            work.busy -= 1
            if lost:
                work.lost(lost)
            self._change.notify_all()
        work.told.put(None)

    def idle(self, work: _Work) -> bool:
        """Say whether no process has anything of a study in hand, and nothing of it is left to hand out."""
        with self._change:
            return not work.busy and (work.stopped or not work.open)


class Standing:
    """A team as the place of one study (see :class:`breakrank.study.places.Place`)."""

    def __init__(self, team: Team, stop: threading.Event, settled: Callable[[int], None] | None) -> None:
        self._team, self._stop, self._settled = team, stop, settled

    def work(self, shift: Shift, numbers: Sequence[int], take: Take, stopping: Stopping) -> None:
        """See :meth:`breakrank.study.places.Place.work`; being stopped is told as a KeyboardInterrupt."""
        work = _Work(shift, deque(seen_first(numbers, shift, FIRST * self._team.size)))
        self._team.take_on(work)
        try:
            while not self._team.idle(work):
                self._take(work, take)
                if self._stop.is_set() or work.stopped:
                    raise KeyboardInterrupt
            self._take(work, take, wait=False)
        except BaseException:
            stopping()
            raise
        finally:
            self._team.take_off(work)
            while not self._team.idle(work):
                with suppress(queue.Empty):
                    work.told.get(timeout=0.05)

    def _take(self, work: _Work, take: Take, wait: bool = True) -> None:
        """Pass on what processes have brought since; wait a little for it."""
        told: list[Any] = []
        with suppress(queue.Empty):
            while True:
                told += work.told.get(timeout=0.05 if wait and not told else 0) or ()
        ended = [one for one in told if not isinstance(one, int)]
        kept = sum(one for one in told if isinstance(one, int))
        if ended:
            take(ended)
        if kept and self._settled is not None:
            self._settled(kept)


def seen_first(numbers: Sequence[int], shift: Shift, many: int) -> list[int]:
    """Return runs in the order in which they are made: some without a log first, since logs take longer."""
    logged = [n for n in numbers if n % shift.stride in shift.log.runs]
    plain = [n for n in numbers if n % shift.stride not in shift.log.runs]
    return [*plain[:many], *logged, *plain[many:]]


class _Member:
    """One process, this end of its pipe, and the thread that hands it its orders."""

    def __init__(self, team: Team, number: int) -> None:
        self._team = team
        self.own: deque[_Call] = deque()
        self._thread = threading.Thread(target=self._keep, name=f"breakrank team {number}", daemon=True)
        self._sending = threading.Lock()
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._known = ""

    def start(self) -> None:
        self._thread.start()

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    def kill(self) -> None:
        """End the process now."""
        process = self._process
        if process is not None and process.is_alive():
            process.kill()
            process.join(1.0)

    def tell_to_stop(self, name: str | None) -> None:
        """Have the process make no more of the order in hand, if it is of that study (or whatever it is)."""
        with self._sending, suppress(OSError, ValueError):
            if self._pipe is not None:
                self._pipe.send_bytes(pickle.dumps(("stop", name)))

    def _keep(self) -> None:
        self._begin()
        while True:
            order = self._team.next(self.own, self._known)
            if order is None:
                break
            if isinstance(order, _Call):
                self._answer(order)
            else:
                self._make(*order)
        with self._sending:
            if self._pipe is not None:
                self._pipe.close()

    def _answer(self, call: _Call) -> None:
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

    def _make(self, work: _Work, numbers: tuple[int, ...]) -> None:
        made = 0
        lost = numbers
        try:
            self._begin()
            assert self._pipe is not None
            known = self._known == work.shift.name
            task = None if known else pickle.dumps(work.shift, protocol=5)
            self._known = work.shift.name
            self._send(("runs", work.shift.name, task, numbers))
            while True:
                one = pickle.loads(self._pipe.recv_bytes())
                if isinstance(one, Made):
                    made += 1
                    work.made += 1
                    work.seconds += one.seconds
                elif isinstance(one, Settled):
                    work.told.put([made])
                    lost = ()
                    break
                work.told.put([one])
                if isinstance(one, Stuck):
                    lost = ()
                    break
        except (OSError, EOFError):
            self._gone()
        finally:
            self._team.ended(work, lost)

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
    def engine(self) -> Engine:
        return standard_engine()

    @property
    def case(self) -> Any:  # noqa: ANN401 (there is none yet)
        return None

    def attempt(self, run: int) -> None:
        """Do nothing."""

    def settle(self) -> None:
        """Do nothing."""


def warm(case: Case, seed: int) -> None:
    """Load the compiled model and what writes its runs, by living the first days of a case once."""
    from breakrank import model
    from breakrank.results import collect, parquet, part  # noqa: F401 (heavy, and needed for the first part)

    days = min(WARM_DAYS, case.calendar.days)
    short = case.until(case.calendar.date(days - 1))
    model.replicate(short, model.standing_force(short, seed), seed, 0, log=True)


def serve_orders(pipe: Connection) -> None:
    """Carry out what comes through the pipe until it closes: runs of a study, or a call.

    ``("runs", name, shift or None, numbers)`` is answered by what is told of each run and at last by what
    :meth:`Shift.settle` says; ``("stop", name)`` ends that early; ``("call", message)`` is answered by
    (whether it went well, the answer or the error).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(NICE)  # whoever is asked to draw what is finished comes first
    shift: Shift | None = None
    with suppress(EOFError, OSError):
        while True:
            message = pickle.loads(pipe.recv_bytes())
            if message[0] == "call":
                pipe.send_bytes(_called(message[1]))
            elif message[0] == "runs":
                shift = shift if message[2] is None else pickle.loads(message[2])
                assert shift is not None
                _make_runs(pipe, shift, message[3])


def _make_runs(pipe: Connection, shift: Shift, numbers: Sequence[int]) -> None:
    try:
        for number in numbers:
            if _stopped(pipe, shift.name):
                break
            told = shift.attempt(number)
            pipe.send_bytes(pickle.dumps(told, protocol=5))
            if isinstance(told, Stuck):
                return
    except BaseException:
        shift.settle()  # nobody is there any more: what is finished is kept all the same
        raise
    pipe.send_bytes(pickle.dumps(shift.settle(), protocol=5))


def _stopped(pipe: Connection, name: str) -> bool:
    """Read what has come meanwhile, and say whether this study is to be made no further."""
    stopped = False
    while pipe.poll():
        message = pickle.loads(pipe.recv_bytes())
        stopped |= message[0] == "stop" and message[1] in (None, name)
    return stopped


def _called(message: bytes) -> bytes:
    try:
        function, args, *more = pickle.loads(message)
        return pickle.dumps((True, function(*args, **(more[0] if more else {}))), protocol=5)
    except Exception as error:
        try:
            return pickle.dumps((False, error), protocol=5)
        except Exception:
            return pickle.dumps((False, BreakrankError(str(error))), protocol=5)
