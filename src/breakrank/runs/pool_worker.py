"""What a process of a pool does: carry out one order after another until its pipe closes.

A run that nobody waits for is broken off between two of its days (see :mod:`breakrank.engine.wanted`).
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from breakrank.engine.wanted import BrokenOff, unless
from breakrank.errors import BreakrankError
from breakrank.runs.batch import Missed, Shift, Stuck, Told
from breakrank.runs.compiling import compile_part, compiled
from breakrank.runs.identity import code_digest
from breakrank.runs.worker import reason

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from breakrank.case import Case

NICE = 2
"""By how much the processes step back behind the one that answers."""
WARM_DAYS = 3
"""Days of the run by which a process loads the compiled model."""


def warm(case: Case, seed: int, number: int = 0) -> None:
    """Load the compiled model and what writes its runs, by living the first days of a case once.

    Where the model was never compiled, process `number` of several compiles its share of it first.
    """
    from breakrank import model

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
    :meth:`Shift.settle` says; ``("stop", name)`` ends that early, after the run under way, and
    ``("drop", name)`` in its middle; ``("call", message)`` is answered by (whether it went well, the answer
    or the error).
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
                if message[2] is not None:
                    shift = _read(message[2], pipe)
                if shift is not None:
                    _make_runs(pipe, shift, message[3])


def _read(message: bytes, pipe: Connection) -> Shift | None:
    """Return a study; where it cannot be read, say so."""
    try:
        shift: Shift = pickle.loads(message)
    except Exception as error:
        pipe.send_bytes(pickle.dumps(Stuck(f"a study cannot be read in another process: {reason(error)}")))
        return None
    return shift


def _make_runs(pipe: Connection, shift: Shift, numbers: Sequence[int]) -> None:
    heard = _Heard(pipe, shift.name)
    try:
        for number in numbers:
            heard.listen()
            if heard.stop:
                break
            told = shift.attempt(number, unless(heard.drop))
            pipe.send_bytes(_packed(told, number))
            if isinstance(told, Stuck):
                return
    except BrokenOff:
        pass
    except BaseException:
        shift.settle()  # nobody is there any more: what is finished is kept all the same
        raise
    pipe.send_bytes(pickle.dumps(shift.settle(), protocol=5))


def _packed(told: Told, number: int) -> bytes:
    try:
        return pickle.dumps(told, protocol=5)
    except Exception as error:
        return pickle.dumps(Missed(number, "on the way back from the worker", reason(error)), protocol=5)


class _Heard:
    """What has come through the pipe while runs of a study are made."""

    def __init__(self, pipe: Connection, name: str) -> None:
        self._pipe, self._name = pipe, name
        self.stop = False
        self._dropped = False

    def listen(self) -> None:
        """Read what has come; where the pipe has been closed, nobody wants anything any more."""
        try:
            while self._pipe.poll():
                what, name = pickle.loads(self._pipe.recv_bytes())
                if name in (None, self._name):
                    self.stop = True
                    self._dropped |= what == "drop"
        except (EOFError, OSError):
            self.stop = self._dropped = True

    def drop(self) -> bool:
        """Say whether the run under way is not wanted any more."""
        self.listen()
        return self._dropped


def _called(message: bytes) -> bytes:
    try:
        function, args, *more = pickle.loads(message)
        return pickle.dumps((True, function(*args, **(more[0] if more else {}))), protocol=5)
    except Exception as error:
        try:
            return pickle.dumps((False, error), protocol=5)
        except Exception:
            return pickle.dumps((False, BreakrankError(str(error))), protocol=5)
