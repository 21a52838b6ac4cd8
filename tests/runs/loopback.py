"""A real cluster on this machine: a scheduler and workers, each a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.programs import FINDS


@dataclass
class Loopback:
    """A scheduler and its workers."""

    folder: Path
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def hire(self, number: int) -> None:
        """Start workers; whoever joins while a study runs gets work as well."""
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address]
        command += ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        command += ["--local-directory", str(self.folder), "--memory-limit", "0"]
        self.workers += [_start(command, self.folder) for _ in range(number)]

    def kill(self, which: int) -> None:
        """Kill a worker as the system would for want of memory."""
        self.workers[which].send_signal(signal.SIGKILL)


@contextmanager
def loopback(folder: Path, workers: int) -> Iterator[Loopback]:
    """Give a cluster whose processes are gone afterwards."""
    file = folder / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    command += ["--no-dashboard", "--scheduler-file", str(file)]
    cluster = Loopback(folder, "", _start(command, folder))
    try:
        cluster.address = _address(file)
        cluster.hire(workers)
        yield cluster
    finally:
        for process in (*cluster.workers, cluster.scheduler):
            with suppress(ProcessLookupError):
                process.kill()
        for process in (*cluster.workers, cluster.scheduler):
            process.wait(timeout=30)


def _address(file: Path) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with suppress(OSError, ValueError, KeyError):
            about: Any = json.loads(file.read_text("utf-8"))
            return str(about["address"])
        time.sleep(0.05)
    raise TimeoutError("the scheduler did not start")


def _start(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    log = (folder / f"log-{time.monotonic_ns()}.txt").open("wb")
    with log:
        return subprocess.Popen(command, env=os.environ | FINDS, stdout=log, stderr=log, cwd=folder)
