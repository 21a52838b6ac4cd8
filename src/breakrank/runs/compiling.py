"""Compiling the model for a machine, which happens once: shared out between two processes.

Numba compiles a kernel when it is first called, and keeps it on the disk for all processes. Processes that
live the same day would each compile the same kernels at the same time; so each lives a run of the case with
other mechanisms switched off, and finds on the disk what the other has made.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from breakrank.runs.cores import available_cores
from breakrank.runs.start_process import CONTEXT, start, without_main
from breakrank.runs.worker import Simulator, standard_simulator

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from breakrank.case import Case

LEFT_OUT = (
    ("reception", "screening", "asylum", "exile", "word_home"),
    ("plots", "detection", "rising", "high_command", "regime"),
)
"""Mechanisms that each process leaves to the other; the rest, a fifth of the work, is compiled by both."""


OFTEN = 30.0
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
            _write("compiling the model for this Python and machine, once; this takes two to five minutes")
            threading.Thread(target=_tell_share, args=(ended,), daemon=True).start()
        yield
    finally:
        ended.set()
        _telling.release()


def _tell_share(ended: threading.Event) -> None:
    """Say how much is compiled whenever that has grown, also where other processes compile it."""
    from breakrank.kernel import share_kept

    told = 0.0
    for _ in range(int(LONGEST / OFTEN)):
        if ended.wait(OFTEN):
            return
        share = round(share_kept(), 2)
        if share > told:
            _write(f"compiling, once: {share:.0%} of the model's functions are ready")
        told = share


def _write(line: str) -> None:
    with suppress(OSError, AttributeError):  # closed or full, or none at all
        sys.stderr.write(f"breakrank: {line}\n")
        sys.stderr.flush()


def compiled() -> bool:
    """Tell whether most of the model, as it is now, was compiled for this machine before."""
    from breakrank import model  # noqa: F401 (defines all its kernels)
    from breakrank.kernel import share_kept

    return share_kept() > 0.5


def compile_together(case: Case, simulator: Simulator) -> None:
    """Compile the model in two processes, where most of it is not compiled yet and there are two cores.

    Errors are left to the run that is made afterwards. Ctrl-C ends it at once; what is compiled is kept.
    """
    if multiprocessing.current_process().daemon or available_cores() < len(LEFT_OUT):
        return
    if simulator != standard_simulator() or compiled():
        return
    processes: list[BaseProcess] = []
    mine, theirs = CONTEXT.Pipe()
    try:
        with closing(theirs), without_main():
            for part in range(len(LEFT_OUT)):
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
    """Live a run of a case without the mechanisms that this part leaves out."""
    from breakrank import model

    with suppress(Exception):  # whatever is wrong with the case is told by the run that follows
        plain = case.set({f"{name}.on": 0 for name in LEFT_OUT[part % len(LEFT_OUT)]})
        model.replicate(plain, None, 0, 0, log=True)
