"""What a process that stands ready does: carry out one order after another until its pipe closes.

A run that nobody waits for any more is broken off where it stands (see :func:`may_break_off`).
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from breakrank.errors import BreakrankError
from breakrank.study.compiling import compile_part, compiled
from breakrank.study.shift import Shift, Stuck

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from breakrank.case import Case

NICE = 2
"""By how much the processes step back behind the one that answers."""
WARM_DAYS = 3
"""Days of the run by which a process loads the compiled model."""
BREAK_OFF = getattr(signal, "SIGUSR1", None)
"""What has a process look into its pipe in the middle of a run; ``None`` where there is no such signal."""


class BrokenOff(BaseException):
    """The run under way is not wanted any more; not an error of the run."""


def break_off(pid: int | None) -> None:
    """Have a process look now whether the run under way is still wanted; a signal it cannot get is let be."""
    if BREAK_OFF is not None and pid is not None:
        with suppress(OSError):
            os.kill(pid, BREAK_OFF)


def warm(case: Case, seed: int, number: int = 0) -> None:
    """Load the compiled model and what writes its runs, by living the first days of a case once.

    Where the model was never compiled, process `number` of several compiles its share of it first.
    """
    from breakrank import model
    from breakrank.results import collect, parquet, part  # noqa: F401 (heavy, and needed for the first part)
    from breakrank.study.identity import code_digest

    code_digest()
    if not compiled():
        compile_part(case, number)
    days = min(WARM_DAYS, case.calendar.days)
    short = case.until(case.calendar.date(days - 1))
    model.replicate(short, None, seed, 0, log=True)
    gc.collect()
    gc.freeze()  # compiled code stays: looking through it for garbage would cost each question some 0.2 s


def serve_orders(pipe: Connection) -> None:
    """Carry out what comes through the pipe until it closes: runs of a study, or a call.

    ``("runs", name, shift or None, numbers)`` is answered by what is told of each run and at last by what
    :meth:`Shift.settle` says; ``("stop", name)`` ends that early, after the run under way or, where
    :func:`break_off` follows, in its middle; ``("call", message)`` is answered by (whether it went well, the
    answer or the error).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if BREAK_OFF is not None:
        signal.signal(BREAK_OFF, signal.SIG_IGN)
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
            told = shift.attempt(number, may_break_off(lambda: _stopped(pipe, shift.name)))
            pipe.send_bytes(pickle.dumps(told, protocol=5))
            if isinstance(told, Stuck):
                return
    except BrokenOff:
        pass
    except BaseException:
        shift.settle()  # nobody is there any more: what is finished is kept all the same
        raise
    pipe.send_bytes(pickle.dumps(shift.settle(), protocol=5))


@contextmanager
def may_break_off(unwanted: Callable[[], bool]) -> Iterator[None]:
    """Let a signal end what happens within by :class:`BrokenOff`, if `unwanted` then says so.

    Python handles signals between two steps of its own, so that no array is left half written; while Numba
    compiles or loads a kernel, the run goes on. What is half made is a run's own, and goes with it.
    """
    if unwanted():
        raise BrokenOff
    if BREAK_OFF is None:
        yield
        return

    def look(*_: object) -> None:
        if not _compiling() and unwanted():
            raise BrokenOff

    before = signal.signal(BREAK_OFF, look)
    try:
        yield
    finally:
        signal.signal(BREAK_OFF, before)


def _compiling() -> bool:
    numba = sys.modules.get("numba.core.compiler_lock")
    return numba is not None and bool(numba.global_compiler_lock.is_locked())


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
