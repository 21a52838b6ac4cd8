"""Calls of ``breakrank`` watched from outside: how they ended, and what they left running."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
"""Seconds after which a call is taken to hang."""


@dataclass(frozen=True)
class Done:
    """How a call ended: its exit code (negative: by that signal, None: it hung), and what it printed."""

    code: int | None
    out: str
    err: str
    left: tuple[int, ...] = ()


class Call:
    """One call under way, with all processes that it starts."""

    def __init__(self, arguments: Sequence[object], folder: Path, largest: int | None = None) -> None:
        """Begin it in a folder; `largest` is the size in bytes beyond which no file may grow."""

        def limit() -> None:
            if largest is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

        self.process = subprocess.Popen(
            [sys.executable, "-m", "breakrank", *map(str, arguments)],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=limit,  # noqa: PLW1509 (there are no threads here)
        )

    def members(self) -> list[int]:
        """Return the processes of its session that still run, the first one's own number included."""
        told = subprocess.run(
            ["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
        ).stdout
        rows = (line.split() for line in told.splitlines())
        return [int(pid) for pid, group, state in rows if int(group) == self.process.pid and state[0] != "Z"]

    def send(self, number: int, victims: Sequence[int]) -> None:
        """Send a signal to some of its processes."""
        for pid in victims:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def ended(self) -> Done:
        """Wait for its end and for that of all that it started; what hangs is killed."""
        try:
            out, err = self.process.communicate(timeout=PATIENCE)
            code: int | None = self.process.returncode
        except subprocess.TimeoutExpired:
            self.end()
            out, err = self.process.communicate()
            code = None
        until, left = time.monotonic() + 30, self.members()
        while left and time.monotonic() < until:
            time.sleep(0.1)
            left = self.members()
        self.end()
        return Done(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), tuple(left))

    def end(self) -> None:
        """Kill whatever is left of it."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


def made(arguments: Sequence[object], folder: Path, largest: int | None = None) -> Done:
    """Return how a call ended that nothing happens to but what `largest` does."""
    return Call(arguments, folder, largest).ended()


def quick(arguments: Sequence[object], folder: Path, largest: int | None = None) -> Done:
    """Return how a call ended, made in a copy of this process, which has imported the package already."""

    def work() -> int:
        from breakrank.cli import main

        os.chdir(folder)
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
        return main([str(each) for each in arguments])

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = _forked(work, out, err)
        told = []
        for each in (out, err):
            each.seek(0)
            told.append(each.read().decode("utf-8", "replace"))
    return Done(code, *told)


def _forked(work: Callable[[], int], out: IO[bytes], err: IO[bytes]) -> int | None:
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            os.setsid()
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            code = work()
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    until = time.monotonic() + PATIENCE
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return None
        time.sleep(0.01)
