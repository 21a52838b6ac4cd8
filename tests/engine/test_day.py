"""The day walks its list: a plan that prints itself, phases in order, room for another mechanism."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from breakrank.engine.codes import DESERT, LEAVE, OPTIONS
from breakrank.engine.day import Days
from breakrank.engine.mechanism import PHASES, Mechanism, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.model import MECHANISMS, Model
from tests.engine.worlds import busy, force_of, live, spied

CASE = busy(600, "2019-02-15")
MIDDLE = 5
"""A place in the list with mechanisms before it and behind it."""


@lean
def nothing(at: Moment) -> float:
    """Say nothing."""
    return 0.0 * at.margin


class Diary(Mechanism):
    """Writes down its hooks as they are called, and says nothing."""

    name = "diary"
    subsystem = 0
    terms = (Term("diary.nothing", "nothing", {DESERT: 1, LEAVE: 1}, nothing),)
    pages: ClassVar[list[tuple[int, str]]] = []


def _writes(phase: str) -> Callable[..., None]:
    def hook(diary: Diary, run: Run, moments: Moments | None = None) -> None:
        diary.pages.append((run.day, phase))

    hook.__doc__ = "Write."
    return hook


for _phase in ("begin", *PHASES):
    setattr(Diary, _phase, _writes(_phase))


def live_with(kinds: Sequence[type[Mechanism]]) -> tuple[Run, Observer]:
    """Run the case once with these mechanisms."""
    world = World(CASE, force_of(CASE))
    days = Days(world, kinds)
    run = Run(world, 1, 0, True)
    observer = Observer(world)
    days.live(run, observer)
    return run, observer


def test_a_mechanism_that_says_nothing_is_called_in_order_and_changes_nothing() -> None:
    Diary.pages.clear()
    expected = live(CASE)
    run, observer = live_with((*MECHANISMS[:MIDDLE], Diary, *MECHANISMS[MIDDLE:]))
    series = observer.series(run)
    for name, values in expected.series.items():
        assert np.asarray(series[name]).tobytes() == np.asarray(values).tobytes(), name
    assert Diary.pages.pop(0) == (0, "begin")
    decided = set()
    for day in range(CASE.calendar.days):
        today = [phase for d, phase in Diary.pages if d == day]
        decide, plot = list(PHASES[1:3]), ["conspire", "rise"]
        # everybody in the morning, those invited by leaders, and those called by plots and uprisings
        days = [a * decide + b * decide + plot + c * decide for a, b, c in product((0, 1), repeat=3)]
        assert today in [["dawn", *middle, "travel", "receive", "dusk"] for middle in days]
        decided.add(len(today))
    assert len(decided) > 1
    assert [d for d, _ in Diary.pages] == sorted(d for d, _ in Diary.pages)


def test_nobody_decides_without_mechanisms() -> None:
    run, observer = live_with(())
    assert run.decisions == 0
    assert (observer.observed.fates[:, 0] == 600).all()


def test_the_plan_prints_itself() -> None:
    plan = Model(CASE, force_of(CASE)).plan().splitlines()
    assert plan[0] == "The plan of the day"
    phases = [line.strip() for line in plan if line.startswith("  ") and not line.startswith("    ")]
    assert phases == ["dawn", "meet", "weigh", "choose", *PHASES[2:], "observe"]
    named = [line.split()[0] for line in plan if line.startswith("    ")]
    assert set(named) == {"engine"} | {m.name for m in MECHANISMS if m.name != "opportunity"}


def test_running_out_of_room_is_an_error_and_not_a_silent_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "make_room", lambda *_: None)
    monkeypatch.setattr("breakrank.engine.run.open_records", small_books)
    with pytest.raises(RuntimeError, match="ran out of room"):
        live(CASE)


def small_books(*args: object) -> object:
    from breakrank.engine.records import open_records

    return open_records(*args[:4], 20, *args[5:])


def test_the_witness_keeps_every_moment_of_those_watched_and_no_other() -> None:
    model = Model(CASE, force_of(CASE))
    watched = list(range(0, 600, 7))
    _, witness = model.live(1, 0, watched)
    _, spy = spied(CASE)
    expected = [
        (seen.day, int(i), int(seen.moments.occasion[j]), int(seen.moments.choice[j]))
        for seen in spy.all
        for j, i in enumerate(seen.moments.who)
        if int(i) in watched
    ]
    assert [(t.day, t.soldier, t.occasion, t.choice) for t in witness.seen] == expected
    for testimony in witness.seen:
        total = model.days.factor.T @ testimony.terms
        known = np.isfinite(testimony.utility)
        np.testing.assert_allclose(testimony.utility[known], total[known], atol=1e-12)
        assert testimony.chance.sum() == pytest.approx(1)
        assert len(testimony.chance) == len(OPTIONS)
    assert len(witness.fate) == len(witness.margin) == 600


def test_what_every_moment_reads_of_a_soldier_lies_in_one_line_of_memory() -> None:
    model = Model(CASE, force_of(CASE))
    model.replicate(1, 0)
    columns = model.days.rows._columns
    assert "learning.own" in columns
    assert all(np.shares_memory(column, model.days.rows.block) for column in columns.values())
