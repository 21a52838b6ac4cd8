"""How a worker process is started: from a clean server where there is one, deaf to Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import resource_tracker, util
from multiprocessing.process import BaseProcess
from pathlib import Path

from breakrank.leftovers import mark, sweep


def available_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


_LINUX = sys.platform == "linux"
CONTEXT = multiprocessing.get_context("forkserver") if _LINUX else multiprocessing.get_context("spawn")
"""What pipes and processes of workers are made with."""
_SPAWNING = threading.Lock()
_STARTING = threading.Lock()
SAFE = "PYTHONSAFEPATH"
"""Keeps the current folder, which anyone may have filled, off the path of a Python that starts. The caller's
own path, a script's folder with it, still reaches the workers."""
MARKED = "breakrank"
"""What says in a folder of multiprocessing's sockets that a study made it, before the mark of its process."""


def prepare() -> None:
    """Start the server that workers come from, where there is one, and do not wait until it has loaded."""
    if sys.platform == "linux":
        from multiprocessing import forkserver

        forkserver.set_forkserver_preload(["breakrank.runs.preload"])
        with _apart():
            forkserver.ensure_running()
        _mark_sockets()


def start(process: BaseProcess) -> None:
    """Start a worker: on Linux from a server that has loaded the compiled model, elsewhere afresh.

    The server runs no kernel and no thread, so what it forks is clean.
    """
    if sys.platform == "linux":
        prepare()
        process.start()
    else:
        with _apart():
            process.start()


@cache
def _mark_sockets() -> None:
    """Sweep the folders of sockets that killed studies left in the temporary folder, and mark this one's."""
    own = Path(util.get_temp_dir())
    for marked in own.parent.glob(f"pymp-*/{MARKED}*"):
        sweep(marked.parent, f"{MARKED}*")
        if not marked.exists():
            shutil.rmtree(marked.parent, ignore_errors=True)
    (own / f"{MARKED}{mark()}").mkdir()


@contextmanager
def _apart() -> Iterator[None]:
    """Start processes that import nothing from the current folder, and are deaf to Ctrl-C."""
    with _STARTING:
        before = os.environ.get(SAFE)
        os.environ[SAFE] = "1"
        try:
            with _deaf():
                yield
        finally:
            if before is None:
                del os.environ[SAFE]
            else:
                os.environ[SAFE] = before


@contextmanager
def _deaf() -> Iterator[None]:
    """Start processes deaf to Ctrl-C from their first moment on: a terminal sends it to all of them.

    They inherit that it is blocked. Only what is quick may happen here: it is blocked for the caller too.
    """
    if sys.platform == "win32":  # which knows no such thing: a worker there is deaf from `serve` on
        yield
        return
    resource_tracker.ensure_running()  # if it were started on the way, it would lift the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def without_main(*owners: object) -> Iterator[None]:
    """Start processes without importing the caller's script in them again.

    Workers need nothing from it, and a script that is not guarded by ``if __name__ == "__main__"``
    would start its study once more in each of them. It is imported where one of the `owners`, functions and
    classes that the work is made with, stands in it.
    """
    main = sys.modules["__main__"]
    if any(getattr(o, "__module__", None) == "__main__" for o in owners):
        yield
        return
    with _SPAWNING:
        kept = {name: main.__dict__.get(name) for name in ("__spec__", "__file__")}
        absent = [name for name in kept if name not in main.__dict__]
        main.__dict__.update(dict.fromkeys(kept))
        try:
            yield
        finally:
            main.__dict__.update(kept)
            for name in absent:
                del main.__dict__[name]
