"""Compiling shared out between processes: only where it is due, broken off at once, found by others."""

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import breakrank
from breakrank.cli.progress import live
from breakrank.runs import compiling
from breakrank.runs.worker import standard_simulator
from tests import programs
from tests.new_cases import full_case
from tests.programs import python
from tests.runs.engines import GOOD

SCRIPT = """
import breakrank, multiprocessing, sys
from breakrank.kernel import count_kept
from breakrank.runs.compiling import compile_together
from breakrank.runs.worker import standard_simulator

case = breakrank.load_case({case!r})
off = [n for n in case.catalogue.parameters if n.endswith(".on") and n != "routes.on"]
case = case.until(case.calendar.start).set(dict.fromkeys(off, 0))
print(count_kept()[0] > 0, flush=True)
compile_together(case, standard_simulator())
print(count_kept()[0] > 0, len(multiprocessing.active_children()), flush=True)
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What processes would have been started."""
    found: list[Any] = []

    class Process:
        def __init__(self, **how: Any) -> None:
            found.append(how)

        def join(self) -> None: ...

        def kill(self) -> None: ...

    class Context:
        Pipe = staticmethod(multiprocessing.Pipe)
        Process: Any

    Context.Process = Process
    monkeypatch.setattr(compiling, "CONTEXT", Context)
    monkeypatch.setattr(compiling, "start", lambda _: None)
    monkeypatch.setattr(compiling, "available_cores", lambda: 2)
    monkeypatch.setattr(compiling, "compiled", lambda: False)
    return found


def test_each_core_gets_a_part(started: list[Any], tmp_path: Path) -> None:
    case = breakrank.load_case(full_case(tmp_path / "case"))
    compiling.compile_together(case, standard_simulator())
    assert [how["args"][1:] for how in started] == [(case, 0), (case, 1)]


def test_nothing_is_started_where_nothing_is_gained(
    started: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = breakrank.load_case(full_case(tmp_path / "case"))
    compiling.compile_together(case, GOOD)  # not the model
    monkeypatch.setattr(compiling, "available_cores", lambda: 1)
    compiling.compile_together(case, standard_simulator())
    monkeypatch.setattr(compiling, "available_cores", lambda: 2)
    monkeypatch.setattr(compiling, "compiled", lambda: True)
    compiling.compile_together(case, standard_simulator())
    assert started == []


def script(tmp_path: Path) -> subprocess.Popen[str]:
    case = str(full_case(tmp_path / "case"))
    env = {"BREAKRANK_CACHE_DIR": str(tmp_path / "cache")}
    return programs.started(sys.executable, "-c", SCRIPT.format(case=case), env=env)


@pytest.mark.thorough
def test_what_two_processes_compile_is_found_afterwards(tmp_path: Path) -> None:
    out, err = script(tmp_path).communicate(timeout=300)
    assert (out.split(), err) == (["False", "True", "0"], "")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
@pytest.mark.parametrize("how", ["interrupted", "killed"])
def test_compiling_ends_with_whoever_wants_it(tmp_path: Path, how: str) -> None:
    process = script(tmp_path)
    assert process.stdout.readline() == "False\n"
    time.sleep(2.0)
    begun = time.monotonic()
    if how == "killed":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it: to all of them
    process.communicate(timeout=60)  # comes back when no process is left that could write
    assert time.monotonic() - begun < 10
    assert process.returncode != 0


@pytest.mark.parametrize("quiet", [True, False])
def test_whoever_waits_is_told_how_much_is_compiled(
    quiet: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = iter([(0, 9), (2, 9), (2, 9), *[(8, 9)] * 1000])
    monkeypatch.setattr(compiling, "compiled", lambda: False)
    monkeypatch.setattr(compiling, "OFTEN", 0.01)
    monkeypatch.setattr("breakrank.kernel.count_kept", lambda: next(counts))
    with live("A study", quiet), compiling.compilation_told():
        limit = time.monotonic() + 30
        told = ""
        while "8 of 9" not in told and time.monotonic() < limit:
            time.sleep(0.01)
            told += capsys.readouterr().err
    assert told.splitlines() == [
        "breakrank: compiling the model for this Python and machine, once; this takes a minute or two",
        "breakrank: compiling, once: 2 of 9 kernels after 0 s",
        "breakrank: compiling, once: 8 of 9 kernels after 0 s",
    ]


def test_nothing_is_told_where_all_is_compiled_or_nobody_can_hear(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "compiled", lambda: True)
    with compiling.compilation_told():
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(compiling, "compiled", lambda: False)
    full = io.StringIO()
    monkeypatch.setattr(full, "write", lambda _: os.fstat(-1))  # raises as a full stream does
    for stream in (None, full):
        monkeypatch.setattr(sys, "stderr", stream)
        with compiling.compilation_told():
            pass


ROOT = Path(__file__).parents[2]
FINDS_KERNELS = """
import numpy as np
from breakrank.engine.calendar import Process, occasions_of_rate
from breakrank.runs.compiling import CONTEXT, start

SOLDIER = np.zeros(1, np.int32), np.ones(1, np.float32), np.ones((1, 1))
GIVEN = np.uint64(1), 1, np.zeros(1, np.uint32), Process(1, 1, *SOLDIER).reached, 9

def tell(pipe):
    pipe.send(bool(occasions_of_rate.overloads))

if __name__ == "__main__":
    occasions_of_rate(*GIVEN)  # so that it is compiled and kept
    pipe, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=tell, args=(theirs,))
    start(process)
    print(pipe.recv())
    process.join()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers are started afresh")
def test_a_worker_finds_kernels_loaded(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(FINDS_KERNELS)
    assert python(script, folder=ROOT).strip() == "True"
