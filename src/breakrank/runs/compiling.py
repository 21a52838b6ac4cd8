"""Compiling the model for a machine, which happens once: shared out between processes on all cores.

Numba compiles a kernel when it is first called, and keeps it on the disk for all processes. The processes
take the phases of the day in different orders, and none compiles what another one has claimed
(:mod:`breakrank.kernel_files`).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from breakrank.runs.start_process import CONTEXT, available_cores, start, without_main
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
