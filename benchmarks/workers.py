"""Measured work in processes of its own: one JSON line goes in, one comes out.

Each thing that is measured lives in a fresh Python, so that its memory is its own, and waits for its
turn, so that things to be compared are measured alternately and a busy moment hits them alike.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from benchmarks.machine import environment

T = TypeVar("T")
Message = dict[str, Any]


class Worker:
    """A process that runs a module of the benchmarks and answers one question at a time.

    Parameters
    ----------
    module : its name; it calls :func:`serve`.
    arguments : its command line.
    cache : folder of its compiled kernels; by default the user's.

    Attributes
    ----------
    ready : what it said once it was ready.
    """

    def __init__(self, module: str, *arguments: str, cache: Path | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            env=environment(cache),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.ready = self._answer()

    def ask(self, **question: object) -> Message:
        """Return the answer to one question.

        Raises
        ------
        RuntimeError
            if the process ended instead; what it said last stands on standard error.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Message:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a measured process ended with code {self._process.wait()}")
        answer: Message = json.loads(line)
        return answer

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if error is not None:
            self._process.terminate()
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def serve(begin: Callable[[], tuple[Message, Callable[[Message], Message]]]) -> None:
    """Be a worker: `begin` returns what to say when ready and the function that answers questions.

    What libraries print goes to standard error.
    """
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)

        def say(message: Message) -> None:
            answers.write(json.dumps(message) + "\n")
            answers.flush()

        ready, answer = begin()
        say(ready)
        for line in sys.stdin:
            say(answer(json.loads(line)))


def note(text: str) -> None:
    """Say on standard error how far the work is."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    """Return what `work` returns, the seconds it took and the processor seconds of this process."""
    gc.collect()
    processor, begun = time.process_time(), time.perf_counter()
    result = work()
    return result, time.perf_counter() - begun, time.process_time() - processor
