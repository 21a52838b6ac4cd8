"""Worker processes: what happens to them must not happen to the result, and interrupts wait for a run."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.engine.replicate import Replicate
from breakrank.errors import BreakrankError
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import carry_out, simulate
from breakrank.runs.crew import undisturbed
from breakrank.runs.store import MemoryEnsemble, MemoryStore, Store
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator
from tests.programs import started
from tests.results.fake import EVENTS, fake_build, fake_replicate
from tests.results.fake_case import FakeCase
from tests.runs.engines import DEADLY, GOOD, SLOW, UNRETURNABLE, die, small_case

CASE = small_case()
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
    assert result.failed[0].why == "killed 2 workers"
    study, store = Study((Scenario(case),), 16, 11), Store(tmp_path / "store")
    account = carry_out(study, store, Cores(2), simulator=DEADLY)
    assert ([one.failure.run for one in account.failed], account.finished) == ([5], 15)
    whole = simulate(case, 16, 11, workers=1, simulator=GOOD)
    assert result.data.identical(whole.data.isel(run=[r for r in range(16) if r != 5]))
    assert (tmp_path / "killed").exists(), "run 7 killed its worker once, and came back"
    assert left_over() == []


def test_what_cannot_be_sent_back_is_a_record() -> None:
    result = simulate(CASE, 16, 11, workers=2, simulator=UNRETURNABLE)
    assert [f.run for f in result.failed] == [1]
    assert "'function' object has no attribute" in result.failed[0].why
    assert result.runs == 15


def test_any_other_error_of_the_caller_ends_the_workers_too() -> None:
    def fail(done: int, asked: int) -> None:
        raise RuntimeError("the caller's own")

    with pytest.raises(RuntimeError, match="the caller's own"):
        simulate(CASE, 50, 11, workers=2, progress=fail, simulator=SLOW)
    assert left_over() == []


class Stay(FakeCase):
    """Cannot be taken along into another process."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def test_a_study_that_cannot_be_sent_says_so() -> None:
    case: Any = Stay()
    with pytest.raises(BreakrankError, match="cannot be read in another process: ValueError: inv"):
        simulate(case, 3, 11, workers=2, simulator=GOOD)
    assert left_over() == []
    inside = Simulator(fake_build, lambda *_, **__: None, EVENTS)
    with pytest.raises(BreakrankError, match="cannot be sent to another process: "):
        simulate(CASE, 3, 11, workers=2, simulator=inside)
    assert left_over() == []


def vast(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Bring more than a pipe holds; at the first time run 1 kills its process while that goes through."""
    made = fake_replicate(case, force, seed, run, log=log)
    mark = Path(case.summary) / "killed"
    if run == 1 and not mark.exists():
        mark.touch()
        threading.Timer(0.5, die).start()
    return replace(made, events={**(made.events or {}), "vast": np.full(4_000_000, run)})


VAST = Simulator(fake_build, vast, EVENTS)


@pytest.mark.thorough
def test_a_worker_may_die_halfway_through_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are slow to bring back, and the caller is slow to listen."""
    came: list[int] = []

    def keep(_: MemoryEnsemble, made: Replicate, _seconds: float) -> None:
        assert (made.events["vast"] == made.run).all()
        came.append(made.run)
        time.sleep(1.0)

    monkeypatch.setattr(MemoryEnsemble, "keep", keep)
    study = Study((Scenario(small_case(str(tmp_path))),), 4, 11)
    carry_out(study, MemoryStore(), Cores(2), simulator=VAST)
    assert left_over() == []
    assert {*came} == {0, 1, 2, 3}
    assert (tmp_path / "killed").exists()


SCRIPT = """
from breakrank.runs.carry_out import simulate
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
    return started(sys.executable, path)


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    out, err = start(tmp_path / "study.py", "GOOD", 8).communicate(timeout=120)
    assert err == ""
    assert out.count("once") == 1
    assert out.splitlines()[-1] == "8 False"


def until(script: subprocess.Popen[str], line: str) -> None:
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
@pytest.mark.parametrize("seconds", [0.0, 0.3])
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
@pytest.mark.thorough
def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = start(tmp_path / "study.py", "SLOW", 2000)
    until(script, "done")
    script.kill()
    _, err = script.communicate(timeout=60)
    assert err == ""


def run_interrupted(times: int, done: list[str]) -> None:
    with undisturbed():
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        done.append("the run")


def test_an_interrupt_comes_after_the_block() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        run_interrupted(1, done)
    assert done == ["the run"]


def test_a_second_interrupt_breaks_it_off() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        run_interrupted(2, done)
    assert done == []


def test_another_thread_is_left_alone() -> None:
    seen = []

    def work() -> None:
        with undisturbed():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run_interrupted(2, done := [])
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["the run"]
