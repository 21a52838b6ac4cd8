"""The page as a user starts and ends it: a fresh process, Ctrl-C, a kill, and what is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import SOURCE
from tests.page.conftest import Tab

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")

RUNS = 400


class Started:
    """A page that was started in a process of its own."""

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
        while "token=" not in said.read_text() or "\n" not in said.read_text():
            assert self.process.poll() is None, said.read_text()
            time.sleep(0.02)
        address = said.read_text().split()[0]
        port = int(address.split(":")[2].split("/")[0])
        answer = Tab(port).get(address.removeprefix(f"http://127.0.0.1:{port}"), Sec_Fetch_Site="none")
        self.tab = Tab(port, answer.headers["set-cookie"].partition(";")[0])

    def begin(self, question: dict[str, Any]) -> None:
        """Ask, and return when some runs are on the disk."""
        self._open = self.tab.opened("POST", "/api/ask", json.dumps(question).encode())
        stream = self._open.getresponse()
        while True:
            line = json.loads(stream.readline())
            assert line["type"] not in ("done", "failed"), line
            if line["type"] == "bands":
                return

    def end(self, how: signal.Signals) -> float:
        """Send a signal, and return how long it took to end."""
        begun = time.monotonic()
        self.process.send_signal(how)
        self.process.wait(60)
        return time.monotonic() - begun

    @property
    def said(self) -> str:
        return self._said.read_text()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    from breakrank import new_case

    return new_case(tmp_path / "small")


def finished(store: Path) -> int:
    parts = [json.loads(p.read_text())["runs"] for p in store.glob("ensembles/*/*/part.json")]
    return sum(len(runs) for runs in parts)


def test_ended_or_killed_it_keeps_what_is_finished(small: Path, tmp_path: Path) -> None:
    question = {"case": "small", "seed": 3, "runs": RUNS}
    store = tmp_path / "store"
    kept = 0
    for how in (signal.SIGINT, signal.SIGKILL):
        page = Started(small, store, tmp_path / f"said-{how}")
        page.begin(question)
        seconds = page.end(how)
        assert seconds < 60  # a second or two on a machine that has nothing else to do
        time.sleep(1.0 if how == signal.SIGKILL else 0)
        assert "Traceback" not in page.said
        assert finished(store) > kept
        kept = finished(store)
        if how == signal.SIGINT:
            assert page.process.returncode == 0
            assert "what was finished is kept" in page.said
    page = Started(small, store, tmp_path / "said-last")
    lines = page.tab.post("/api/ask", {**question, "runs": 4}).lines
    assert (lines[-1]["type"], lines[-1]["runs"]) == ("done", 4)
    page.end(signal.SIGTERM)
    assert page.process.returncode == 0


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
    assert main(["ui", "--port", "0", "--no-browser"]) == 2
