"""How far a study is, as whoever watches it sees it."""

from __future__ import annotations

import pytest

from breakrank.runs import carry_out
from breakrank.runs.carry_out import Counter, StudyProgress


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(carry_out, "time", made)
    return made


def counted(seen: list[StudyProgress]) -> Counter:
    return Counter(1000, 0, seen.append)


def test_a_worker_that_died_is_forgotten(clock: Clock) -> None:
    seen: list[StudyProgress] = []
    counter = counted(seen)
    counter.made_by("dead", 500)
    for _ in range(20):
        clock.now += 2
        counter.made_by("alive", 300)
        counter.tell()
    assert (seen[0].memory, seen[0].workers) == (800, 2)
    assert (seen[-1].memory, seen[-1].workers) == (300, 1)
    assert seen[-1].done == 21, "what it had made counts"


def test_whoever_takes_long_over_a_run_is_not(clock: Clock) -> None:
    seen: list[StudyProgress] = []
    counter = counted(seen)
    for name in ("one", "other"):
        counter.made_by(name, 100)
    clock.now += 50
    for name in ("one", "other"):
        counter.made_by(name, 100)
    clock.now += 120
    counter.made_by("one", 100)
    counter.tell()
    assert (seen[-1].memory, seen[-1].workers) == (200, 2), "three such runs might be its next"


def test_who_comes_back_counts_again(clock: Clock) -> None:
    seen: list[StudyProgress] = []
    counter = counted(seen)
    counter.made_by("one", 100)
    clock.now += 100
    counter.tell()
    counter.made_by("one", 120)
    counter.tell()
    assert [(t.memory, t.workers) for t in seen] == [(0, 0), (120, 1)]
