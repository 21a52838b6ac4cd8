"""Processes that stand ready: the same runs as everywhere, shared by several studies."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from breakrank.errors import BreakrankError
from breakrank.runs.backends import Cores
from breakrank.runs.batch import Made, Missed, Told
from breakrank.runs.carry_out import Account
from breakrank.runs.crew import Crew, DiedError, HandingOut
from breakrank.runs.pool import ClosedError, Pool
from breakrank.runs.store import Store
from tests.runs.engines import DEAF, ENDLESS, SLOW, die, kept, part_folders, small_case, stored_of, study_of


@pytest.fixture
def team() -> Iterator[Pool]:
    team = Pool(2)
    yield team
    team.close()


def never() -> threading.Event:
    return threading.Event()


def double(number: int) -> int:
    return 2 * number


def refuse(number: int) -> int:
    raise ValueError(f"not {number}")


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
    assert accounts[0].interrupted
    assert (accounts[1].interrupted, accounts[1].finished) == (False, 8)


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


def test_a_call_is_answered_by_a_process(team: Pool) -> None:
    assert [team.call(double, k).result(30) for k in range(3)] == [0, 2, 4]
    with pytest.raises(ValueError, match="not 3"):
        team.call(refuse, 3).result(30)
    with pytest.raises(BreakrankError, match="the process that was asked has ended"):
        team.call(die).result(30)
    assert team.call(double, 4).result(30) == 8


def test_what_is_handed_back_for_others_is_made_later_and_none_twice(tmp_path: Path) -> None:
    team = Pool(1)
    study, other = study_of(200), study_of(3, small_case("other"))
    accounts: list[Account] = []
    first = threading.Thread(
        target=lambda: accounts.append(kept(tmp_path / "a", study, team.place(never()), simulator=SLOW))
    )
    first.start()
    while len(part_folders(tmp_path / "a")) < 2:
        time.sleep(0.02)
    assert [team.call(double, k).result(60) for k in range(5)] == [0, 2, 4, 6, 8]
    account = kept(tmp_path / "b", other, team.place(never()), simulator=SLOW)
    assert first.is_alive(), "the later study had its turn before the first one had ended"
    first.join(300)
    team.close()
    assert (account.finished, accounts[0].finished) == (3, 200)
    parts = stored_of(tmp_path / "a", study, SLOW).parts()
    assert sorted(run for part in parts for run in part.runs) == [*range(200)]


class Fake(Crew):
    """Makes runs at once; some kill whoever makes them, or are let go of the first time."""

    def __init__(self, deadly: set[int], places: int = 2, clumsy: bool = False) -> None:
        self.deadly, self._places, self.clumsy = deadly, places, clumsy
        self.sent: list[tuple[int, ...]] = []

    def places(self) -> int:
        return self._places

    def submit(self, numbers: tuple[int, ...]) -> Future[list[Told]]:
        self.sent.append(numbers)
        answer: Future[list[Told]] = Future()
        if self.clumsy:
            self.clumsy = False
            answer.cancel()
        elif self.deadly & {*numbers}:
            answer.set_exception(DiedError())
        else:
            answer.set_result([Made(number, 0.25) for number in numbers])
        return answer


def handed_out(crew: Fake, runs: int, together: int = 1) -> list[Told]:
    told: list[Told] = []
    HandingOut(crew, range(runs), together, told.extend).work(lambda: None)
    return told


def test_batches_grow_from_a_run_to_some_seconds_and_shrink_towards_the_end() -> None:
    crew = Fake(set())
    assert [one.number for one in handed_out(crew, 100)] == [*range(100)]
    sizes = [len(numbers) for numbers in crew.sent]
    assert sizes[:8] == [1, 1, 4, 4, 8, 8, 16, 16]
    assert sizes[-2:] == [2, 1]


def test_runs_that_share_a_force_go_together() -> None:
    crew = Fake(set())
    handed_out(crew, 60, together=3)
    assert all(len(numbers) % 3 == 0 for numbers in crew.sent[2:-5])


def test_a_run_that_kills_is_named_after_it_was_alone_and_no_other_is_lost() -> None:
    crew = Fake({9})
    told = handed_out(crew, 40)
    (missed,) = [one for one in told if isinstance(one, Missed)]
    assert (missed.number, missed.why) == (9, "killed 2 workers")
    assert {one.number for one in told} == {*range(40)}
    assert (9,) in crew.sent


def test_what_always_kills_is_given_up_after_some() -> None:
    crew = Fake({*range(1000)})
    told = handed_out(crew, 1000)
    assert {one.number for one in told if isinstance(one, Missed)} == {*range(1000)}
    assert len(crew.sent) < 20


def test_a_batch_that_a_scheduler_let_go_of_is_sent_again() -> None:
    crew = Fake(set(), clumsy=True)
    assert {one.number for one in handed_out(crew, 9)} == {*range(9)}
    assert crew.sent[0] == (0,)
    assert sum(0 in numbers for numbers in crew.sent) == 2


def test_closed_it_ends_quickly_and_takes_no_more(tmp_path: Path) -> None:
    team = Pool(1)
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
    assert done[0].interrupted
    assert kept(tmp_path / "a", study_of(1), Cores(1)).finished == 1
    with pytest.raises(ClosedError):
        team.call(double, 1)
