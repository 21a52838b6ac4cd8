"""Calls of ``breakrank`` watched from outside: how they ended, and what they left running."""

from __future__ import annotations

import faulthandler
import mmap
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 600.0
"""Seconds after which a call is taken to hang."""
WRITES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate")
"""What Python announces before it changes a disk, beside files that it opens for writing."""


@dataclass(frozen=True)
class Done:
    """How a call ended: its exit code (negative: by that signal, None: it hung), and what it printed."""

    code: int | None
    out: str
    err: str
    left: tuple[int, ...] = ()


class Call:
    """One call under way in a copy of this process, which has imported the package, and all that it starts.

    Parameters
    ----------
    folder : in which it is made.
    largest : size in bytes beyond which no file may grow.
    fatal : a signal, and before which of its changes of the disk it sends that to itself.
    """

    def __init__(
        self,
        arguments: Sequence[object],
        folder: Path,
        largest: int | None = None,
        fatal: tuple[int, int] = (0, 0),
    ) -> None:
        self._told = [tempfile.TemporaryFile() for _ in ("out", "err")]  # noqa: SIM115 (closed at its end)
        self._count = mmap.mmap(-1, 8)
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._work([str(each) for each in arguments], folder, largest, *fatal)

    def _work(self, arguments: list[str], folder: Path, largest: int | None, sent: int, at: int) -> None:
        code = 70
        try:
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for stream, file in enumerate(self._told, start=1):
                os.dup2(file.fileno(), stream)
            faulthandler.enable(file=2)  # where it was, should it break down
            os.chdir(folder)
            if largest is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

            def changes(event: str, about: tuple[object, ...]) -> None:
                if event in WRITES or (event == "open" and int(str(about[2])) & (os.O_WRONLY | os.O_RDWR)):
                    self._count[:] = (self.changes + 1).to_bytes(8, "little")
                    if self.changes == at:
                        os.kill(os.getpid(), sent)

            sys.addaudithook(changes)
            from breakrank.cli import main

            code = main(arguments)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    @property
    def changes(self) -> int:
        """How often it has changed the disk, or was about to."""
        return int.from_bytes(self._count[:8], "little")

    def members(self) -> list[int]:
        """Return the processes of its session that still run, the first one's own number included."""
        told = subprocess.run(
            ["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
        ).stdout
        rows = (line.split() for line in told.splitlines())
        return [int(pid) for pid, group, state in rows if int(group) == self.pid and state[0] != "Z"]

    def send(self, number: int, victims: Sequence[int]) -> None:
        """Send a signal to some of its processes."""
        for pid in victims:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def ended(self) -> Done:
        """Wait for its end and for that of all that it started; what hangs is killed."""
        code = None
        until = time.monotonic() + PATIENCE
        while code is None and time.monotonic() < until:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) if ended else None
            time.sleep(0 if ended else 0.01)
        until, left = time.monotonic() + 30, self.members()
        while code is not None and left and time.monotonic() < until:
            time.sleep(0.1)
            left = self.members()
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if code is None:
            os.waitpid(self.pid, 0)
        told = []
        for file in self._told:
            file.seek(0)
            told.append(file.read().decode("utf-8", "replace"))
            file.close()
        return Done(code, told[0], told[1], tuple(left))


def made(arguments: Sequence[object], folder: Path, largest: int | None = None) -> Done:
    """Return how a call ended that nothing happens to but what `largest` does."""
    return Call(arguments, folder, largest).ended()
