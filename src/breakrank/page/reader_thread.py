"""A thread that reads or draws, one thing after another, and that nobody waits for in the end.

The standard executor would do, were it not that Python waits for its threads when it ends: a reader in the
middle of a large table would hold up Ctrl-C.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class Reader:
    """A daemon thread with a list of things to do."""

    def __init__(self, name: str) -> None:
        self._todo: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=f"breakrank {name}", daemon=True).start()

    def submit(self, function: Callable[[], Any]) -> Future[Any]:
        """Have a function called after those that were submitted before; return its future."""
        answer: Future[Any] = Future()
        self._todo.put((function, answer))
        return answer

    def close(self) -> None:
        """Begin nothing more."""
        self._todo.put(None)

    def _work(self) -> None:
        while (one := self._todo.get()) is not None:
            function, answer = one
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(function())
            except BaseException as error:
                answer.set_exception(error)
