"""Processes that stand ready: the same runs as everywhere, shared by several studies."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from breakrank.runs.backends import Here
from breakrank.runs.batch import Shift
from breakrank.runs.carry_out import Account
from breakrank.runs.pool import ClosedError, Pool
from breakrank.runs.store import Store
from breakrank.runs.tasks import StudyWork
from breakrank.runs.worker import Simulator
from tests.runs.engines import BROKEN, DEADLY, DEAF, ENDLESS, GOOD, SLOW, small_case
from tests.runs.stored import kept, part_folders, result_of, stored_of, study_of


@pytest.fixture
def team() -> Iterator[Pool]:
    team = Pool(2)
    team.start()
    yield team
    team.close()


def never() -> threading.Event:
    return threading.Event()


def double(number: int) -> int:
    return 2 * number


def refuse(number: int) -> int:
    raise ValueError(f"not {number}")


def test_it_makes_the_runs_that_every_place_makes(tmp_path: Path, team: Pool) -> None:
    study = study_of(12, logged=2)
    settled: list[int] = []
    account = kept(tmp_path / "a", study, team.place(never(), settled.append))
    kept(tmp_path / "b", study, Here())
    one, other = result_of(tmp_path / "a", study), result_of(tmp_path / "b", study)
    assert (account.finished, account.failed, sum(settled)) == (12, (), 12)
    assert one.data.identical(other.data)
    assert one.events is not None
    assert one.events.equals(other.events)


def test_the_first_orders_are_small_so_that_there_is_something_to_see(tmp_path: Path, team: Pool) -> None:
    study = study_of(12)
    settled: list[int] = []
    kept(tmp_path / "a", study, team.place(never(), settled.append), simulator=SLOW)
    assert settled[0] <= team.size  # a run of each process, where both are done at once
    assert len(part_folders(tmp_path / "a")) < 12


def test_two_studies_at_once_do_not_disturb_each_other(tmp_path: Path, team: Pool) -> None:
    Store(tmp_path / "a")
    studies = [study_of(8, small_case(note)) for note in ("one", "other")]
    stops = [never(), never()]
    accounts: dict[int, object] = {}

    def carry(k: int) -> None:
        accounts[k] = kept(tmp_path / "a", studies[k], team.place(stops[k]), simulator=SLOW)

    threads = [threading.Thread(target=carry, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    stops[0].set()
    for thread in threads:
        thread.join(300)
    assert accounts[0].interrupted  # type: ignore[attr-defined]
    assert (accounts[1].interrupted, accounts[1].finished) == (False, 8)  # type: ignore[attr-defined]


def test_stopped_it_keeps_what_is_finished_and_goes_on_later(tmp_path: Path, team: Pool) -> None:
    study, stop = study_of(60), never()
    first = kept(tmp_path / "a", study, team.place(stop, lambda _: stop.set()), simulator=SLOW)
    assert first.interrupted
    again = kept(tmp_path / "a", study, team.place(never()), simulator=SLOW)
    assert 0 < first.finished == again.reused < 60
    assert again.finished == 60


def test_a_run_that_nobody_waits_for_is_broken_off_and_what_was_finished_is_kept(
    tmp_path: Path, team: Pool
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    study, stop = study_of(8, small_case(str(marks))), never()
    watch = threading.Thread(target=_set_once, args=(stop, lambda: len(list(marks.glob("began-*"))) == 2))
    watch.start()
    begun = time.monotonic()
    account = kept(tmp_path / "a", study, team.place(stop), simulator=ENDLESS)
    watch.join(60)
    assert account.interrupted
    assert account.finished == 3
    assert time.monotonic() - begun < 60  # each of the two would take 120 s
    assert [team.call(double, k).result(30) for k in range(2)] == [0, 2]
    assert kept(tmp_path / "b", study_of(4), team.place(never())).finished == 4


def test_a_process_that_does_not_hear_that_nobody_waits_is_ended_and_what_was_finished_is_kept(
    tmp_path: Path, team: Pool
) -> None:
    """As in a day of a very large force, which takes longer than anyone waits for a cancelled run."""
    marks = tmp_path / "marks"
    marks.mkdir()
    study, stop = study_of(4, small_case(str(marks))), never()
    cancelled: list[float] = []

    def cancel() -> None:
        _set_once(stop, lambda: len(list(marks.glob("began-*"))) == 2)
        cancelled.append(time.monotonic())

    watch = threading.Thread(target=cancel)
    watch.start()
    account = kept(tmp_path / "a", study, team.place(stop), simulator=DEAF)
    ended = time.monotonic()
    watch.join(60)
    assert ended - cancelled[0] < 30  # each of the two would take 60 s
    assert account.interrupted
    assert account.finished == 2
    assert not account.failed
    assert [team.call(double, k).result(30) for k in range(2)] == [0, 2]
    assert kept(tmp_path / "b", study_of(4), team.place(never())).finished == 4


def _set_once(stop: threading.Event, true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.02)
    stop.set()


@pytest.mark.parametrize(("simulator", "lost"), [(BROKEN, {2, 3}), (DEADLY, {5})])
def test_runs_that_fail_or_kill_are_records_and_the_others_are_made(
    tmp_path: Path, team: Pool, simulator: Simulator, lost: set[int]
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    study = study_of(10, small_case(str(marks)))
    account = kept(tmp_path / "a", study, team.place(never()), simulator=simulator)
    assert {one.failure.run for one in account.failed} == lost
    assert account.finished == 10 - len(lost)


def test_a_call_is_answered_by_a_process(team: Pool) -> None:
    assert [team.call(double, k).result(30) for k in range(3)] == [0, 2, 4]
    with pytest.raises(ValueError, match="not 3"):
        team.call(refuse, 3).result(30)


def test_what_is_handed_back_for_others_is_made_later_and_none_twice(tmp_path: Path) -> None:
    team = Pool(1)
    team.start()
    study, other = study_of(60), study_of(3, small_case("other"))
    accounts: list[Account] = []
    first = threading.Thread(
        target=lambda: accounts.append(kept(tmp_path / "a", study, team.place(never()), simulator=SLOW))
    )
    first.start()
    while len(part_folders(tmp_path / "a")) < 2:
        time.sleep(0.02)
    assert [team.call(double, k).result(60) for k in range(5)] == [0, 2, 4, 6, 8]
    account = kept(tmp_path / "b", other, team.place(never()), simulator=SLOW)
    first.join(300)
    team.close()
    assert (account.finished, accounts[0].finished) == (3, 60)
    parts = stored_of(tmp_path / "a", study, SLOW).parts()
    assert sorted(run for part in parts for run in part.runs) == [*range(60)]


def test_a_study_of_which_nothing_is_to_be_seen_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    team = Pool(2)
    monkeypatch.setattr(team, "start", lambda: None)  # no process takes what is asked for here
    works = [StudyWork(_shift(), deque(range(9))) for _ in range(3)]
    works[0].orders, works[1].orders, works[2].orders = 7, 7, 1
    works[0].busy, works[2].busy = 1, 1
    for work in works:
        team.take_on(work)
    handed = [team.next(deque(), "") for _ in range(3)]
    assert [one[0] for one in handed] == [works[2], works[1], works[0]]  # type: ignore[index]


def _shift() -> Shift:
    study = study_of(9)
    return Shift("s", Path(), "", study.cells, 0, 9, GOOD, "", study.log)


def test_a_run_whose_process_died_is_tried_again_with_no_other_under_way() -> None:
    work = StudyWork(_shift(), deque(range(9)), orders=2, made=4, seconds=1.0)
    first, second = work.next(2), work.next(2)
    assert (first, second) == ((0, 1, 2, 3), (4, 5, 6))
    assert work.died(first, {0, 1}) == []
    work.ended(())
    assert [*work.suspects] == [2], "runs are made in order, so it is known which it was"
    assert {*work.todo} == {0, 1, 3, 7, 8}, "what it had made and not written is made again"
    assert not work.ready, "the second process is at work"
    work.ended(())
    assert work.next(2) == (2,)
    assert not work.ready
    assert work.died((2,), set()) == []
    work.ended(())
    assert work.next(2) == (2,)
    (gone,) = work.died((2,), set())
    assert (gone.number, gone.why) == (2, "killed 3 workers")


def test_what_came_back_before_a_process_died_is_not_made_again() -> None:
    work = StudyWork(replace(_shift(), folder=None), deque(range(9)), orders=2, made=4, seconds=1.0)
    work.died(work.next(2), {0, 1})
    assert {*work.todo, *work.suspects} == {*range(2, 9)}


def test_closed_it_ends_quickly_and_takes_no_more(tmp_path: Path) -> None:
    team = Pool(1)
    team.start()
    done: list[object] = []
    study = study_of(400)
    thread = threading.Thread(
        target=lambda: done.append(kept(tmp_path / "a", study, team.place(never()), simulator=SLOW))
    )
    thread.start()
    while not part_folders(tmp_path / "a"):
        time.sleep(0.05)
    team.close()
    thread.join(60)
    assert not thread.is_alive()
    assert done[0].interrupted  # type: ignore[attr-defined]
    assert kept(tmp_path / "a", study_of(1), Here()).finished == 1
    with pytest.raises(ClosedError):
        team.call(double, 1)
