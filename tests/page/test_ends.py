"""The page as a user starts and ends it: a fresh process, Ctrl-C, a kill, and what is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import SOURCE
from tests.page.conftest import Tab

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc"),
]

QUESTION: dict[str, Any] = {"case": "small", "seed": 3, "runs": 2000}
"""More runs than are made before the page ends."""


class Started:
    """A page that was started as from a terminal: with its processes it is a group of its own."""

    def __init__(self, case: Path, store: Path, said: Path) -> None:
        self._said = said
        with said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "breakrank", "ui", str(case), "--no-browser", "--store", str(store)],
                env=os.environ | {"PYTHONPATH": str(SOURCE)},
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def tab(self) -> Tab:
        """Return a tab that was let in by the address that was printed."""
        while "\n" not in self.said:
            assert self.process.poll() is None, self.said
            time.sleep(0.02)
        address = self.said.split()[0]
        port = int(address.split(":")[2].split("/")[0])
        answer = Tab(port).get(address.removeprefix(f"http://127.0.0.1:{port}"), Sec_Fetch_Site="none")
        return Tab(port, answer.headers["set-cookie"].partition(";")[0])

    def ctrl_c(self) -> None:
        """Do what a terminal does: send the interrupt to all processes of the group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def ended(self) -> int:
        """Wait until the process and all that it had started have ended; return its exit code."""
        code = self.process.wait(60)
        limit = time.monotonic() + 30
        while left := group(self.process.pid):
            assert time.monotonic() < limit, f"left behind: {left}"
            time.sleep(0.05)
        return code

    @property
    def said(self) -> str:
        return self._said.read_text()


def group(leader: int) -> list[str]:
    """Return the living processes of a group; one that has ended and that nobody has asked after is none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            state, _, there = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(there) == leader and state != "Z":
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


@pytest.fixture
def small(tmp_path: Path) -> Path:
    from breakrank import new_case

    return new_case(tmp_path / "small", full=True)


@pytest.fixture
def pages(small: Path, tmp_path: Path) -> Iterator[Any]:
    """Start pages over one store, none of which outlives the test."""
    started: list[Started] = []

    def start() -> Started:
        started.append(Started(small, tmp_path / "store", tmp_path / f"said-{len(started)}"))
        return started[-1]

    yield start
    for one in started:
        with suppress(ProcessLookupError):
            os.killpg(one.process.pid, signal.SIGKILL)
        one.process.wait(60)


def finished(store: Path) -> set[int]:
    """Return the runs of the question that are on the disk, every part of them whole."""
    from breakrank.runs.store import Store

    (kept,) = (one for one in Store(store, create=False).ensembles() if one.seed == QUESTION["seed"])
    found = kept.stored.finished(range(QUESTION["runs"]))
    assert not kept.stored.damaged
    return found


def test_ctrl_c_ends_it_cleanly_and_a_kill_loses_nothing_finished(pages: Any, tmp_path: Path) -> None:
    store = tmp_path / "store"

    page = pages()
    with page.tab().asking(QUESTION) as stream:
        told = stream.until("bands")["done"]
        page.ctrl_c()
        assert "being closed" in stream.until("failed")["error"]
    assert page.ended() == 0, page.said
    assert "Traceback" not in page.said
    assert page.said.splitlines()[-1] == "breakrank: ended; what was finished is kept"
    first = finished(store)
    assert told <= len(first) < QUESTION["runs"]

    page = pages()
    with page.tab().asking(QUESTION) as stream:
        told = stream.until("bands", len(first) + 1)["done"]  # of which some were made just now
        page.process.kill()
    assert page.ended() == -signal.SIGKILL
    second = finished(store)
    assert first < second
    assert len(second) >= told

    page = pages()
    lines = page.tab().post("/api/ask", QUESTION | {"runs": 4}).lines
    assert (lines[-1]["type"], lines[-1]["runs"]) == ("done", 4)
    assert lines[-1]["reused"] == len(second & {*range(4)})
    page.process.terminate()
    assert page.ended() == 0, page.said


def test_ctrl_c_at_any_moment_of_the_start_ends_it(pages: Any) -> None:
    page = pages()
    page.tab()  # the server answers; its processes start, and the first question is on its way
    page.ctrl_c()
    assert page.ended() == 0, page.said
    assert "Traceback" not in page.said


def test_ctrl_c_does_not_wait_for_an_answer_that_is_being_made(pages: Any) -> None:
    page = pages()
    asked = {"question": QUESTION, "soldier": 3}
    with page.tab().opened("POST", "/api/lives", json.dumps(asked).encode()) as connection:
        time.sleep(0.3)
        page.ctrl_c()
        with closing(connection.getresponse()) as answer:
            assert (answer.status, "being closed" in answer.read().decode()) == (503, True)
    assert page.ended() == 0, page.said
    assert "Traceback" not in page.said


def test_a_port_that_is_taken_or_a_case_that_is_none_is_told(tmp_path: Path) -> None:
    import socket

    from breakrank.cli import main

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        taken = one.getsockname()[1]
        assert main(["ui", "--no-browser", "--store", str(tmp_path / "s"), "--port", str(taken)]) == 2
    assert main(["ui", str(tmp_path)]) == 2
    assert main(["ui", "no-such-case"]) == 2
    assert main(["ui", "--no-browser", "--desk", str(tmp_path)]) == 2
    assert main(["ui", "venezuela-2019", "--no-browser", "--desk", str(tmp_path / "nowhere")]) == 2
    assert main(["ui", "--port", "0", "--no-browser"]) == 2
