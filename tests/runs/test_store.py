"""Stores: the same bits however they came, nothing made twice, nothing finished lost, nothing unused kept."""

import errno
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from breakrank.errors import BreakrankError, UsageError
from breakrank.leftovers import mark
from breakrank.runs import batch, crew
from breakrank.runs import part as parts
from breakrank.runs.backends import Backend, Cores, choose_backend
from breakrank.runs.carry_out import StudyProgress, simulate
from breakrank.runs.identity import code_digest
from breakrank.runs.store import Store, clean
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator
from tests.programs import started
from tests.results.fake import EVENTS, assert_same_bits, fake_build, fake_replicate
from tests.runs.engines import (
    ALWAYS_BROKEN,
    BROKEN,
    GOOD,
    SEED,
    SLOW,
    kept,
    part_folders,
    result_of,
    small_case,
    stored_of,
    study_of,
)

CASE = small_case()


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "MOST", 5)


def stop_after(runs: int) -> Any:
    stopped: list[int] = []

    def watch(tally: StudyProgress) -> None:
        if tally.done >= runs and not stopped:
            stopped.append(tally.done)
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize("where", [Cores(1), Cores(2), Cores(3), Cores()])
def test_the_same_bits_from_any_place(where: Backend, tmp_path: Path) -> None:
    study = study_of(17, logged=3)
    account = kept(tmp_path / "store", study, where)
    assert (account.asked, account.reused, account.made, account.failed) == (17, 0, 17, ())
    memory = simulate(CASE, 17, SEED, workers=1, log_runs=3, simulator=GOOD)
    assert_same_bits(result_of(tmp_path / "store", study), memory)


@pytest.mark.parametrize("where", [Cores(1), Cores(2)])
def test_interrupted_and_resumed_the_bits_are_the_same(where: Backend, tmp_path: Path) -> None:
    study, folder = study_of(17, logged=3), tmp_path / "store"
    said: list[str] = []
    first = kept(folder, study, where, watch=stop_after(6), stopping=lambda: said.append("stopping"))
    assert first.interrupted
    assert said == ["stopping"]
    assert 6 <= first.finished < 17, "what was under way was finished and kept"
    second = kept(folder, study, where)
    assert (second.reused, second.finished) == (first.finished, 17)
    memory = simulate(CASE, 17, SEED, workers=1, log_runs=3, simulator=GOOD)
    assert_same_bits(result_of(folder, study), memory)
    assert kept(folder, study, Cores(1), simulator=GOOD).made == 0, "finished work is never done twice"


def test_more_runs_and_more_scenarios_make_only_what_is_missing(tmp_path: Path) -> None:
    kept(tmp_path, study_of(4))
    assert kept(tmp_path, study_of(9)).made == 5
    assert kept(tmp_path, study_of(6)).made == 0
    other = Study((Scenario(CASE), Scenario(small_case("other").until("2019-01-20"), "other")), 6, SEED)
    assert kept(tmp_path, other).made == 6
    same = Study((Scenario(CASE, "one"), Scenario(CASE, "again")), 6, SEED)
    assert (same.size, kept(tmp_path, same).made) == (6, 0), (
        "scenarios that come to the same share their runs"
    )


def test_events_that_were_not_kept_are_made_again(tmp_path: Path) -> None:
    assert kept(tmp_path, study_of(4)).made == 4
    assert kept(tmp_path, study_of(4, logged=2)).made == 2
    events = result_of(tmp_path, study_of(4, logged=2)).events
    assert set(events["run"].to_pylist()) == {0, 1}
    assert kept(tmp_path, study_of(4, logged=1)).made == 0


def test_a_failed_run_is_a_record_that_is_tried_again(tmp_path: Path) -> None:
    study = study_of(6)
    account = kept(tmp_path, study, Cores(1), simulator=BROKEN)
    assert [(f.scenario, f.failure.run) for f in account.failed] == [("case", 2), ("case", 3)]
    assert account.failed[0].failure.why == "ZeroDivisionError: nothing to divide by in run 2"
    assert "engines.py" in account.failed[0].failure.where
    assert "in broken" in account.failed[0].trace
    (noted,) = tmp_path.glob("ensembles/*/failed.json")
    assert [one["run"] for one in json.loads(noted.read_text("utf-8"))] == [2, 3]
    assert [f.run for f in result_of(tmp_path, study, BROKEN).failed] == [2, 3]
    again = kept(tmp_path, study, Cores(2), simulator=BROKEN)
    assert (again.reused, again.made, len(again.failed)) == (4, 0, 2)


def test_if_all_fail_there_is_no_result(tmp_path: Path) -> None:
    assert len(kept(tmp_path, study_of(3), Cores(1), simulator=ALWAYS_BROKEN).failed) == 3
    with pytest.raises(BreakrankError, match="holds none of the 3 runs of made-up-2019, seed 11"):
        result_of(tmp_path, study_of(3), ALWAYS_BROKEN)


@pytest.mark.parametrize("harm", ["flip", "cut", "gone", "about", "swap"])
def test_a_damaged_part_is_named_set_aside_and_made_again(harm: str, tmp_path: Path) -> None:
    study = study_of(12)
    kept(tmp_path, study, Cores(1))
    _, victim, *others = part_folders(tmp_path)
    if harm == "flip":
        content = bytearray((victim / "daily.parquet").read_bytes())
        content[len(content) // 2] ^= 1
        (victim / "daily.parquet").write_bytes(content)
    elif harm == "cut":
        os.truncate(victim / "runs.parquet", 100)
    elif harm == "gone":
        (victim / "daily.parquet").unlink()
    elif harm == "about":
        text = (victim / "part.json").read_text("utf-8")
        (victim / "part.json").write_text(text.replace('"seconds"', '"secs"'), "utf-8")
    else:  # a whole file of another part, readable, with the wrong runs
        (victim / "daily.parquet").write_bytes((others[0] / "daily.parquet").read_bytes())
    account = kept(tmp_path, study, Cores(1))
    assert (account.reused, account.made) == (7, 5)
    (aside,) = account.aside
    assert aside.part == victim.name
    assert "runs 1–5" in str(aside)
    assert aside.where is not None
    assert (aside.where / "why.txt").exists()
    memory = simulate(CASE, 12, SEED, workers=1, log_runs=0, simulator=GOOD)
    assert_same_bits(result_of(tmp_path, study), memory)


@pytest.mark.parametrize("left", ["", "{}", "[]", '{"case": "small"'])
def test_what_an_ensemble_says_of_itself_is_derived_again_where_it_is_damaged(
    left: str, tmp_path: Path
) -> None:
    study = study_of(7)
    kept(tmp_path, study, Cores(1))
    about = stored_of(tmp_path, study).folder / "ensemble.json"
    written = about.read_text("utf-8")
    about.write_text(left, "utf-8")
    assert Store(tmp_path).ensembles() == ()
    account = kept(tmp_path, study, Cores(1))
    assert (account.reused, account.made) == (7, 0)
    assert about.read_text("utf-8") == written
    assert_same_bits(
        result_of(tmp_path, study), simulate(CASE, 7, SEED, workers=1, log_runs=0, simulator=GOOD)
    )


def test_what_was_begun_and_not_finished_is_never_read(tmp_path: Path) -> None:
    study = study_of(1)
    kept(tmp_path, study, Cores(1))
    (whole,) = part_folders(tmp_path)
    whole.rename(whole.with_name(f".{whole.name}.partial"))
    assert kept(tmp_path, study, Cores(1)).made == 1


class Full:
    """A disk that is full after so many parts."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.write = parts.write_part

    def __call__(self, *given: Any, **more: Any) -> Path:
        if self.left == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.left -= 1
        return self.write(*given, **more)


def test_a_full_disk_says_so_and_loses_nothing_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of(20)
    monkeypatch.setattr(batch, "write_part", Full(after=2))
    with pytest.raises(BreakrankError, match="No space left on device") as told:
        kept(tmp_path, study, Cores(1))
    assert "6 of 20 runs are finished and kept" in str(told.value)
    assert "Free some space" in str(told.value)
    monkeypatch.undo()
    assert kept(tmp_path, study, Cores(1)).reused == 6
    memory = simulate(CASE, 20, SEED, workers=1, log_runs=0, simulator=GOOD)
    assert_same_bits(result_of(tmp_path, study), memory)


def limited(case: Any, seed: int) -> Any:
    """Build the force in a process that may from now on write no file of more than 10 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
    return fake_build(case, seed)


LIMITED = Simulator(limited, fake_replicate, EVENTS)


def test_a_real_limit_in_a_worker_is_told_by_the_study(tmp_path: Path) -> None:
    with pytest.raises(BreakrankError, match=r"cannot write .*: File too large") as told:
        kept(tmp_path, study_of(12), Cores(2), simulator=LIMITED)
    assert "0 of 12 runs are finished" in str(told.value)
    assert part_folders(tmp_path) == []
    assert not list(tmp_path.glob("ensembles/*/.*")), "and nothing is left half-written"


def test_progress_counts_what_was_there(tmp_path: Path) -> None:
    seen: list[StudyProgress] = []
    kept(tmp_path, study_of(4))
    kept(tmp_path, study_of(9), Cores(1), watch=seen.append)
    assert [t.done for t in seen[:2]] == [4, 5]
    assert seen[-1].done == 9
    assert (seen[-1].total, seen[-1].reused, seen[-1].failed, seen[-1].left) == (9, 4, 0, 0)
    assert seen[-1].rate > 0


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="no store of Breakrank, so it is left alone"):
        Store(tmp_path)
    with pytest.raises(UsageError, match="there is no store"):
        Store(tmp_path / "nothing", create=False)
    (tmp_path / "store.json").write_text('{"breakrank_store": 99, "token": "x"}')
    with pytest.raises(UsageError, match="store format 99, this Breakrank reads 1"):
        Store(tmp_path)


def test_two_that_make_one_store_at_once_agree_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = tmp_path / f".store.json{mark()}.partial"  # another one has just begun
    begun.write_text("")
    others: list[str] = []
    link = os.link

    def meanwhile(source: Any, target: Any) -> None:
        monkeypatch.setattr(os, "link", link)
        others.append(Store(tmp_path).token)
        link(source, target)

    monkeypatch.setattr(os, "link", meanwhile)
    assert [Store(tmp_path).token] == others
    assert sorted(p.name for p in tmp_path.iterdir()) == [begun.name, "store.json"]


def test_a_disk_without_hard_links_makes_a_store_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuses)
    assert Store(tmp_path / "new").token == Store(tmp_path / "new").token
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["store.json"]


@pytest.mark.parametrize(
    ("backend", "workers", "says"),
    [
        ("cors", None, "no backend 'cors', did you mean 'cores'"),
        ("serial", 2, "has one worker"),
        ("tcp://127.0.0.1:1", 2, "leave out --workers"),
        ("cores", 0, "workers must be from 1"),
    ],
)
def test_backends_that_there_are_not(backend: str, workers: int | None, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        choose_backend(backend, workers)


SCRIPT = """
import sys
from pathlib import Path
from tests.runs.engines import SLOW, kept, study_of
from breakrank.runs.backends import Cores

def watch(tally):
    print(tally.done, flush=True)

if __name__ == "__main__":
    kept(Path(sys.argv[1]), study_of(400), Cores(2), simulator=SLOW, watch=watch)
"""


def under_way(folder: Path) -> subprocess.Popen[str]:
    running = started(sys.executable, "-c", SCRIPT, folder)
    while int(running.stdout.readline()) < 20:
        pass
    return running


@pytest.mark.thorough
def test_a_client_that_is_killed_leaves_what_its_workers_had_finished(tmp_path: Path) -> None:
    running = under_way(tmp_path / "store")
    running.kill()
    running.communicate(timeout=60)
    stored = stored_of(tmp_path / "store", study_of(400), SLOW)
    end = time.monotonic() + 30
    while len(stored.finished(range(400))) < 20 and time.monotonic() < end:
        time.sleep(0.2)
    assert len(stored.finished(range(400))) >= 20, "workers without a client put down what they hold"
    account = kept(tmp_path / "store", study_of(30), Cores(2), simulator=SLOW)
    assert account.finished == 30
    assert account.reused >= 10


@pytest.mark.thorough
def test_ctrl_c_twice_stops_and_spoils_nothing(tmp_path: Path) -> None:
    running = under_way(tmp_path / "store")
    for _ in range(2):
        os.killpg(running.pid, signal.SIGINT)
        time.sleep(0.01)
    running.communicate(timeout=60)
    assert kept(tmp_path / "store", study_of(20), Cores(2), simulator=SLOW).finished == 20


CODE = code_digest(GOOD)


def test_runs_of_many_short_calls_are_those_of_one(tmp_path: Path) -> None:
    for runs in range(1, 7):
        assert kept(tmp_path / "many", study_of(runs), Cores(1)).made == 1
    kept(tmp_path / "one", study_of(6), Cores(1))
    assert_same_bits(*(result_of(tmp_path / name, study_of(6)) for name in ("many", "one")))


def test_a_run_in_two_parts_counts_once(tmp_path: Path) -> None:
    kept(tmp_path, study_of(4), Cores(1))
    before = result_of(tmp_path, study_of(4))
    first = part_folders(tmp_path)[0]
    shutil.copytree(first, first.with_name(first.name + "0"))
    assert Store(tmp_path).ensembles()[0].numbers()["runs"] == 4
    assert_same_bits(result_of(tmp_path, study_of(4)), before)


def test_what_other_versions_made_goes_and_the_rest_stays(tmp_path: Path) -> None:
    case = small_case()
    other = case.until(case.calendar.date(case.calendar.days - 2))
    both = Study((Scenario(case), Scenario(other, "shorter")), 3, SEED)
    kept(tmp_path, both, Cores(1))
    store = Store(tmp_path)
    found = [(one.scenario, one.code == CODE, one.numbers()) for one in store.ensembles()]
    assert [(name, now, its["runs"], its["failed"]) for name, now, its in found] == [
        ("case", True, 3, 0),
        ("shorter", True, 3, 0),
    ]
    assert clean(store, CODE) == 0
    assert kept(tmp_path, both, Cores(1)).reused == 6
    shutil.rmtree(store.ensembles()[1].stored.folder)  # as whoever wants a scenario no more may do
    assert clean(store, CODE) > 0
    assert len(list((tmp_path / "cases").iterdir())) == 1
    again = kept(tmp_path, both, Cores(1))
    assert (again.reused, again.made) == (3, 3)
    assert clean(Store(tmp_path), "another version") > 0
    assert Store(tmp_path).ensembles() == ()
    assert not list((tmp_path / "cases").iterdir())


def test_damaged_parts_are_cleared(tmp_path: Path) -> None:
    study = study_of(4)
    kept(tmp_path, study, Cores(1))
    (part_folders(tmp_path)[0] / "daily.parquet").write_bytes(b"spoilt")
    kept(tmp_path, study, Cores(1))
    store = Store(tmp_path)
    assert (tmp_path / "aside").is_dir()
    assert clean(store, CODE) > 0
    assert not (tmp_path / "aside").exists()
    assert store.ensembles()[0].numbers()["runs"] == 4


DEEP = "[" * 100_000
"""Nested deeper than Python reads."""


def test_a_store_that_lost_its_name_is_opened_again(tmp_path: Path) -> None:
    study = study_of(3)
    kept(tmp_path, study, Cores(1))
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    for create in (True, False):
        (tmp_path / "store.json").unlink()
        assert len(Store(tmp_path, create=create).ensembles()) == 1
        assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == before
    assert kept(tmp_path, study, Cores(1)).reused == 3


@pytest.mark.parametrize("left", ["", DEEP, "[]", '{"breakrank_store": 1}'])
def test_a_damaged_name_says_what_to_do(left: str, tmp_path: Path) -> None:
    kept(tmp_path, study_of(3), Cores(1))
    (tmp_path / "store.json").write_text(left, "utf-8")
    with pytest.raises(UsageError, match=r"store\.json is not readable\n  If it was one, delete store\.json"):
        Store(tmp_path)
    (tmp_path / "store.json").unlink()
    assert kept(tmp_path, study_of(3), Cores(1)).reused == 3


def test_a_folder_of_cases_is_not_taken_for_a_store(tmp_path: Path) -> None:
    (tmp_path / "cases" / "mine").mkdir(parents=True)
    with pytest.raises(UsageError, match="holds something that is no store"):
        Store(tmp_path)


@pytest.mark.parametrize("name", ["ensemble.json", "failed.json", "part.json"])
def test_nesting_deeper_than_python_reads_is_damage(name: str, tmp_path: Path) -> None:
    study = study_of(3)
    kept(tmp_path, study, Cores(1))
    folder = part_folders(tmp_path)[0] if name == "part.json" else stored_of(tmp_path, study).folder
    (folder / name).write_text(DEEP, "utf-8")
    assert len(Store(tmp_path).ensembles()) == (name != "ensemble.json")
    account = kept(tmp_path, study, Cores(1))
    assert account.finished == 3
    assert len(account.aside) == (name == "part.json")
