"""Streams that are closed or full, and limits of the system: one message, and what is finished is saved."""

import subprocess
import sys
from pathlib import Path

import pytest

from breakrank.results.result import load_result
from tests.cli.conftest import Outcome, ended, environment
from tests.new_cases import full_case

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a shell and /dev/full")
FULL = (
    "breakrank: standard output cannot be written: No space left on device; files are written all the same\n"
)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a case."""
    return full_case(tmp_path_factory.mktemp("case") / "mine")


def shell(case: Path, folder: Path, more: str, **variables: str) -> Outcome:
    """Run a case by a shell that ends the call with `more`."""
    days = "--runs 2 --until 2025-01-03 --workers 1 --out out"
    call = f'"$0" -m breakrank run "$1" {days}'
    call = f"{more} {call}" if more[0] == "u" else f"exec {call} {more}"
    return ended(["sh", "-c", call, sys.executable, str(case)], folder, **variables)


@pytest.mark.parametrize(
    ("more", "code", "err"),
    [
        ("2>/dev/full", 0, ""),
        (">/dev/full", 1, FULL + "Result  out\nReport  out/report.html\n"),
        (">&-", 1, FULL.replace("No space left on device", "Bad file descriptor")
         + "Result  out\nReport  out/report.html\n"),
        ("<&- >&- 2>&-", 1, ""),
    ],
)  # fmt: skip
def test_a_finished_result_is_saved_and_said_to_be(
    more: str, code: int, err: str, case: Path, tmp_path: Path
) -> None:
    done = shell(case, tmp_path, more)
    assert (done.code, done.err) == (code, err)
    assert load_result(tmp_path / "out").runs == 2
    assert (tmp_path / "out" / "report.html").exists() == ("--" not in more)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("command", ["--help", "mechanisms --json"])
def test_what_only_prints_says_that_it_could_not(command: str, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "breakrank", *command.split()],
            cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("breakrank: ")
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == done.stderr.count("No space left on device") == 1


@pytest.mark.parametrize("number", ["abc", ""])
def test_a_number_of_threads_that_is_none(number: str, case: Path, tmp_path: Path) -> None:
    done = shell(case, tmp_path, "--quiet", NUMBA_NUM_THREADS=number)
    assert done.code == 2
    assert done.err.startswith(f"breakrank: the environment says NUMBA_NUM_THREADS={number}: a whole number")
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory(case: Path, tmp_path: Path) -> None:
    size = 200_000
    done = shell(case, tmp_path, f"ulimit -v {size};")
    assert done.code == 2
    assert done.err.startswith(
        f"breakrank: this process may use {size * 1024 / 1e6:,.0f} MB of address space"
    )
    assert list(tmp_path.iterdir()) == []
