"""Before the first test of a whole run: compile the model, shared out between the processes that run tests.

Compiled kernels are kept on the disk, and a process finds those of the others there. All mechanisms together
take minutes, in each process anew if all began with the same ones.
"""

from __future__ import annotations

import os
import signal

import pytest

import breakrank
from breakrank.study.compiling import compile_part


def pytest_configure() -> None:
    """Have children answer Ctrl-C, also where the tests were started to ignore it (by ``nohup``, say)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile this process's part, unless only some tests were asked for or they run in one process."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    asked_for_some = bool(session.config.option.file_or_dir or session.config.option.keyword)
    if processes < 2 or asked_for_some:
        return
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    compile_part(breakrank.load_case("venezuela-2019", "values"), number)
