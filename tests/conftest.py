"""Before the first test of a whole run: compile the model, shared out between the processes that run tests.

Compiled kernels are kept on the disk, and a process finds those of the others there. All mechanisms together
take minutes, in each process anew if all began with the same ones. So each lives a few days of a small
world with its part of the mechanisms switched on; what is left is compiled by whoever comes to it first.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

DAYS = 3


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile this process's part, unless only some tests were asked for or they run in one process."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    asked_for_some = bool(session.config.option.file_or_dir or session.config.option.keyword)
    if processes < 2 or asked_for_some:
        return
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    with tempfile.TemporaryDirectory() as folder:
        compile_part(Path(folder), number, processes)


def compile_part(folder: Path, number: int, processes: int) -> None:
    """Live a few days with the mechanisms of one of so many parts, in the order of the day."""
    import breakrank
    from breakrank import model

    case = breakrank.load_case(breakrank.new_case(folder / "case"))
    switches = [name for name in case.catalogue.parameters if name.endswith(".on")]
    first, last = (round(k * len(switches) / processes) for k in (number, number + 1))
    others = [name for k, name in enumerate(switches) if not first <= k < last]
    short = case.until(case.calendar.date(DAYS - 1)).set(dict.fromkeys(others, 0))
    model.replicate(short, None, 0, 0, log=True)
