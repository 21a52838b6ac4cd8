"""Interrupts wait until a run has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from breakrank.runs.interrupts import undisturbed


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


def test_the_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with undisturbed():
        pass
    assert signal.getsignal(signal.SIGINT) is before


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


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be started to ignore it there")
def test_these_tests_pass_however_they_were_started() -> None:
    tests = [f"{__file__}::{test.__name__}" for test in (test_an_interrupt_comes_after_the_block,)]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    started = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    done = subprocess.run(started, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
