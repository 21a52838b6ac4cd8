"""Interrupts that wait until a run has ended."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from breakrank.engine.wanted import interrupt

_asked = 0


class AtOnceError(KeyboardInterrupt):
    """A second Ctrl-C came while what was under way was being finished."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back the first Ctrl-C until the block ends; the second breaks it off at once.

    Held back, it comes between two runs, where what has finished can be kept. The second waits for the end of
    the day in a run (see :mod:`breakrank.engine.wanted`). Outside the main thread nothing is held; nor where
    interrupts are ignored, as by a process that was started to run in the background.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    global _asked
    outer, _asked = _asked, 0

    def note(_number: int, _frame: FrameType | None) -> None:
        global _asked
        _asked += 1
        if _asked > 1:
            interrupt()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        # a handler that a host program has set in C cannot be seen from here, nor put back
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        asked, _asked = _asked, outer
    if asked:
        raise KeyboardInterrupt


def held_back() -> bool:
    """Say whether a Ctrl-C is held back until the end of a block in this process."""
    return _asked > 0
