"""Interrupts that wait until a run has ended."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class AtOnceError(KeyboardInterrupt):
    """A second Ctrl-C came while what was under way was being finished."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back the first Ctrl-C until the block ends; the second breaks it off at once.

    An interrupt inside a compiled loop surfaces as an error of the compiler's own; held back, it comes
    between two runs, where what has finished can be kept. Outside the main thread nothing is held.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = 0

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        # a handler that a host program has set in C cannot be seen from here, nor put back
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
    if asked:
        raise KeyboardInterrupt
