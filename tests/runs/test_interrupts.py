"""Interrupts wait until a run has ended."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from breakrank.runs.crew import undisturbed


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
