"""A thread that reads or draws, one thing after another, and that is waited for only so long in the end.

The standard executor would do, were it not that Python waits for its threads when it ends: a reader in the
middle of a large table would hold up Ctrl-C. One that is within compiled code when Python ends aborts the
process, so it is given a moment to come to an end.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any


class Reader:
    """A daemon thread with a list of things to do."""

    def __init__(self, name: str) -> None:
        self._todo: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"breakrank {name}", daemon=True)
        self._thread.start()

    def submit(self, function: Callable[[], Any]) -> Future[Any]:
        """Have a function called after those that were submitted before; return its future."""
        answer: Future[Any] = Future()
        self._todo.put((function, answer))
        return answer

    def stop(self) -> None:
        """Begin nothing more."""
        self._closed = True
        self._todo.put(None)

    def join(self, seconds: float) -> None:
        """Wait for what is under way, at most so long."""
        self._thread.join(seconds)

    def _work(self) -> None:
        while (one := self._todo.get()) is not None:
            function, answer = one
            if self._closed:
                answer.cancel()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(function())
            except BaseException as error:
                answer.set_exception(error)


def close(readers: Sequence[Reader], seconds: float) -> None:
    """Have readers begin nothing more, and wait so long at most, all in all, for what they are doing."""
    limit = time.monotonic() + seconds
    for one in readers:
        one.stop()
    for one in readers:
        one.join(max(0.0, limit - time.monotonic()))
