"""Worker processes: what happens to them must not happen to the result."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.engine.replicate import Failure, Replicate
from breakrank.errors import BreakrankError
from breakrank.runs.ensemble import simulate
from breakrank.runs.pool import run_pool
from breakrank.runs.worker import Simulator, Task
from tests.results.fake import EVENTS, fake_build
from tests.results.same import assert_same_bits
from tests.runs.engines import ALWAYS_DEADLY, BROKEN, DEADLY, GOOD, SLOW, UNRETURNABLE, die, small_case

CASE = small_case()
ROOT = Path(__file__).parents[2]
OTHERS: set[int | None] = set()


@pytest.fixture(autouse=True)
def others() -> None:
    """Note the children that there are already: those of a page that other tests serve meanwhile."""
    OTHERS.clear()
    OTHERS.update(child.pid for child in multiprocessing.active_children())


def left_over() -> list[Any]:
    """Return the children that a test has left behind."""
    return [child for child in multiprocessing.active_children() if child.pid not in OTHERS]


def test_a_run_that_kills_its_worker_becomes_a_record_and_costs_no_other_run(tmp_path: Path) -> None:
    case = small_case(str(tmp_path))
    result = simulate(case, 16, 11, workers=2, simulator=DEADLY)
    assert [f.run for f in result.failed] == [5]
    assert result.failed[0].why == "killed 3 workers"
    whole = simulate(case, 16, 11, workers=1, simulator=GOOD)
    assert result.data.identical(whole.data.isel(run=[r for r in range(16) if r != 5]))
    assert (tmp_path / "killed").exists(), "run 7 killed its worker once, and came back"
    assert left_over() == []


def test_if_everything_dies_it_ends() -> None:
    with pytest.raises(
        BreakrankError, match="none of 8 runs finished; the first says: run 0: killed 3 workers"
    ):
        simulate(CASE, 8, 11, workers=2, simulator=ALWAYS_DEADLY)


def test_something_else_is_done_once_while_workers_make_their_first_runs() -> None:
    told: list[str] = []

    def take(ended: list[Any]) -> None:
        told.extend("run" for _ in ended)

    run_pool(Task(CASE, 11, GOOD, 0), range(5), 2, take, meanwhile=lambda: told.append("else"))
    assert told == ["else", *["run"] * 5]


def test_errors_in_workers_are_records() -> None:
    alone = simulate(CASE, 8, 11, workers=1, simulator=BROKEN)
    result = simulate(CASE, 8, 11, workers=2, simulator=BROKEN)
    assert_same_bits(result, alone)
    assert result.failed == alone.failed


def test_what_cannot_be_sent_back_is_a_record() -> None:
    result = simulate(CASE, 16, 11, workers=2, simulator=UNRETURNABLE)
    assert [f.run for f in result.failed] == [1]
    assert result.failed[0].where == "on the way back from the worker"
    assert result.runs == 15


def test_an_interruption_ends_the_workers_and_keeps_what_is_finished() -> None:
    def stop(done: int, asked: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    result = simulate(CASE, 200, 11, workers=2, progress=stop, simulator=SLOW)
    assert result.interrupted
    assert 4 <= result.runs < 100
    assert left_over() == []
    whole = simulate(CASE, int(result.data["run"].max()) + 1, 11, workers=1, simulator=GOOD)
    assert result.data.identical(whole.data.sel(run=result.data["run"].values))


def test_any_other_error_of_the_caller_ends_the_workers_too() -> None:
    def fail(done: int, asked: int) -> None:
        raise RuntimeError("the caller's own")

    with pytest.raises(RuntimeError, match="the caller's own"):
        simulate(CASE, 50, 11, workers=2, progress=fail, simulator=SLOW)
    assert left_over() == []


class Stay:
    """Cannot be taken along into another process."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def test_a_task_that_cannot_be_sent_is_a_record() -> None:
    ended: list[Replicate | Failure] = []
    run_pool(Task(Stay(), 11, GOOD, 0), range(3), 2, ended.extend)  # type: ignore[arg-type]
    assert sorted(str(one) for one in ended)[0].startswith("run 0: ValueError: invalid literal")
    assert {one.where for one in ended if isinstance(one, Failure)} == {"on the way to the worker"}
    assert len(ended) == 3


def vast(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Make more than a pipe holds; at the first time run 1 kills its process while that goes through."""
    mark = Path(case.summary) / "killed"
    if run == 1 and not mark.exists():
        mark.touch()
        threading.Timer(0.5, die).start()
    return Replicate(run, {"vast": np.full(1_000_000, run)})


VAST = Simulator(fake_build, vast, EVENTS)


def vast_runs(tmp_path: Path, runs: int, wait: float, most: int) -> list[int]:
    """Make runs that are slow to bring back to a caller who is slow to listen, and return which came."""
    came: list[int] = []

    def take(ended: list[Replicate | Failure]) -> None:
        for one in ended:
            assert isinstance(one, Replicate), str(one)
            assert (one.series["vast"] == one.run).all()
            came.append(one.run)
        if len(came) >= most:
            raise KeyboardInterrupt
        time.sleep(wait)

    try:
        run_pool(Task(small_case(str(tmp_path)), 11, VAST, 0), range(runs), 2, take)
    except KeyboardInterrupt:
        assert len(came) >= most
    assert left_over() == []
    return came


def test_a_worker_may_die_halfway_through_a_message(tmp_path: Path) -> None:
    assert sorted(vast_runs(tmp_path, 4, wait=1.0, most=5)) == [0, 1, 2, 3]
    assert (tmp_path / "killed").exists()


def test_an_interruption_may_come_halfway_through_a_message(tmp_path: Path) -> None:
    (tmp_path / "killed").touch()
    assert len(vast_runs(tmp_path, 50, wait=0.2, most=4)) in (4, 5)


SCRIPT = """
from breakrank.runs.ensemble import simulate
from tests.runs.engines import {simulator}, small_case

def told(done, asked):
    print("done", done, flush=True)

try:
    print("once", flush=True)
    result = simulate(small_case(), {runs}, 11, workers=2, progress=told, simulator={simulator})
    print(result.runs, result.interrupted, flush=True)
except KeyboardInterrupt:
    print("none", flush=True)
"""


def start(path: Path, simulator: str, runs: int) -> subprocess.Popen[str]:
    path.write_text(SCRIPT.format(simulator=simulator, runs=runs), "utf-8")
    search = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, str(path)],
        env=os.environ | {"PYTHONPATH": search},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    out, err = start(tmp_path / "study.py", "GOOD", 8).communicate(timeout=120)
    assert err == ""
    assert out.count("once") == 1
    assert out.splitlines()[-1] == "8 False"


def until(script: subprocess.Popen[str], line: str) -> None:
    assert script.stdout is not None
    while not script.stdout.readline().startswith(line):
        assert script.poll() is None


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


@POSIX
def test_ctrl_c_in_a_terminal_is_quiet_and_keeps_what_is_finished(tmp_path: Path) -> None:
    script = start(tmp_path / "study.py", "SLOW", 2000)
    until(script, "done")
    os.killpg(script.pid, signal.SIGINT)
    out, err = script.communicate(timeout=60)  # comes back when no process is left that could write
    assert err == ""
    assert out.splitlines()[-1].endswith(" True")
    assert script.returncode == 0


@POSIX
@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.3, 1.0])
def test_ctrl_c_is_quiet_while_workers_start(tmp_path: Path, seconds: float) -> None:
    script = start(tmp_path / "study.py", "SLOW", 2000)
    until(script, "once")
    time.sleep(seconds)
    os.killpg(script.pid, signal.SIGINT)
    out, err = script.communicate(timeout=60)
    assert err == ""
    assert out.splitlines()[-1].endswith((" True", "none"))
    assert script.returncode == 0


@POSIX
def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = start(tmp_path / "study.py", "SLOW", 2000)
    until(script, "done")
    script.kill()
    _, err = script.communicate(timeout=60)
    assert err == ""
