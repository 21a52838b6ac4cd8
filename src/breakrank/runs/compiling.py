"""Processes of workers: how they are started, and the model compiled for a machine, which happens once.

They come from a clean server where there is one, deaf to Ctrl-C. Numba compiles a kernel when it is first
called, and keeps it on the disk for all processes. Shared out between processes on all cores, these take the
phases of the day in different orders, and none compiles what another one has claimed
(:mod:`breakrank.kernel_files`).
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker, util
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.leftovers import mark, sweep
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from breakrank.case import Case


MOST_PROCESSES = 4
"""More find nothing to compile that another one has not claimed."""
OFTEN = 10.0
"""Seconds between two lines that tell how much is compiled."""
LONGEST = 1800.0
"""Seconds after which nothing more is told of it."""
_telling = threading.Lock()


@contextmanager
def compilation_told() -> Iterator[None]:
    """Say on standard error that the model is compiled, which happens once, and how far that is by and by.

    Whoever asked for silence would wait for minutes without knowing why, so they are told too.
    """
    if not _telling.acquire(blocking=False):
        yield  # whoever called this tells it already
        return
    ended = threading.Event()
    try:
        if not compiled():
            _write("compiling the model for this Python and machine, once; this takes a minute or two")
            threading.Thread(target=_tell_count, args=(ended,), daemon=True).start()
        yield
    finally:
        ended.set()
        _telling.release()


def _tell_count(ended: threading.Event) -> None:
    """Say how many kernels are compiled whenever these are more, also where other processes compile them."""
    from breakrank.kernel import count_kept

    begun, told = time.monotonic(), 0
    while not ended.wait(OFTEN) and time.monotonic() < begun + LONGEST:
        kept, all_kernels = count_kept()
        if kept > told:
            _write(f"compiling, once: {kept} of {all_kernels} kernels after {time.monotonic() - begun:.0f} s")
        told = kept


def _write(line: str) -> None:
    with suppress(OSError, AttributeError):  # closed or full, or none at all
        sys.stderr.write(f"breakrank: {line}\n")
        sys.stderr.flush()


def compiled() -> bool:
    """Tell whether most of the model, as it is now, was compiled for this machine before."""
    from breakrank import model  # noqa: F401 (defines all its kernels)
    from breakrank.kernel import count_kept

    kept, all_kernels = count_kept()
    return kept > all_kernels / 2


def compile_together(case: Case, simulator: Simulator) -> None:
    """Compile the model on all cores, where most of it is not compiled yet and there are several.

    Errors are left to the run that is made afterwards. Ctrl-C ends it at once; what is compiled is kept.
    """
    parts = min(available_cores(), MOST_PROCESSES)
    if multiprocessing.current_process().daemon or parts == 1:
        return
    if simulator != standard_simulator() or compiled():
        return
    processes: list[BaseProcess] = []
    mine, theirs = CONTEXT.Pipe()
    try:
        with closing(theirs), without_main():
            for part in range(parts):
                process: BaseProcess = CONTEXT.Process(
                    target=_compile, args=(theirs, case, part), name="breakrank compiler", daemon=True
                )
                start(process)
                processes.append(process)
        for one in processes:
            one.join()
    finally:
        mine.close()
        for one in processes:
            one.kill()
            one.join()


def _compile(pipe: Connection, case: Case, part: int) -> None:
    """Compile a part, unless the process that wants it ends before."""

    def end_with_it() -> None:
        with suppress(EOFError, OSError):
            pipe.recv()
        os._exit(1)

    threading.Thread(target=end_with_it, daemon=True).start()
    compile_part(case, part)


def compile_part(case: Case, part: int) -> None:
    """Compile what a run of a case calls, in the order of this part of several, and make one."""
    from breakrank import model

    with suppress(Exception):  # whatever is wrong with the case is told by the run that follows
        model.model_of(case, 0, 0).compile(part)
        model.replicate(case, None, 0, 0, log=True)


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
