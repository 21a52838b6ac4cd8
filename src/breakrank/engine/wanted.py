"""Whether the run under way is still wanted, which is asked once a simulated day.

An exception out of a signal handler strikes whatever code is under way, also while compiled code unpacks its
result, which then ends in an error of its own. So what breaks a run off is noted, and raised between two
days.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class BrokenOff(BaseException):
    """The run under way is not wanted any more; not an error of the run."""


class _Here(threading.local):
    """What concerns the run that this thread is making."""

    unwanted: Callable[[], bool] | None = None
    living = False
    interrupted = False


_here = _Here()


@contextmanager
def unless(unwanted: Callable[[], bool]) -> Iterator[None]:
    """End a run within by :class:`BrokenOff` before a day on which `unwanted` says so."""
    _here.unwanted = unwanted
    try:
        yield
    finally:
        _here.unwanted = None


@contextmanager
def living() -> Iterator[None]:
    """Have Ctrl-C wait for the end of the day that is under way, where Python itself would answer it."""
    plain = threading.current_thread() is threading.main_thread()
    plain = plain and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    _here.living = True
    try:
        if plain:
            signal.signal(signal.SIGINT, interrupt)
        yield
    finally:
        _here.living = False
        if plain:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    _answer()


def ask() -> None:
    """Say between two days that the run goes on, or raise what ends it: BrokenOff or KeyboardInterrupt."""
    _answer()
    if _here.unwanted is not None and _here.unwanted():
        raise BrokenOff


def interrupt(_number: int = 0, _frame: FrameType | None = None) -> None:
    """Answer Ctrl-C: at the end of the day in the middle of a run, else at once.

    At once too while Numba compiles, which may take minutes, and where no day has ended since the last one.
    """
    if _here.living and not _here.interrupted and not _compiling():
        _here.interrupted = True
    else:
        _here.interrupted = False
        raise KeyboardInterrupt


def _answer() -> None:
    if _here.interrupted:
        _here.interrupted = False
        raise KeyboardInterrupt


def _compiling() -> bool:
    numba = sys.modules.get("numba.core.compiler_lock")
    return numba is not None and bool(numba.global_compiler_lock.is_locked())
