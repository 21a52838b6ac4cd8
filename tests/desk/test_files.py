"""Writing the files of a case: one lock, taken from nobody who lives, and no way out through a link."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Barrier, Thread

import pytest

from breakrank import new_case
from breakrank.desk import Desk, files, library
from breakrank.desk.files import DeskError, Files
from breakrank.errors import UsageError
from breakrank.leftovers import mark
from tests.desk.invented import REPORTS

OLD = time.time() - 3600


@pytest.mark.skipif(os.name == "nt", reason="there a lock is held until it is old")
def test_a_lock_of_a_desk_that_was_killed_is_taken_over_at_once(tmp_path: Path) -> None:
    """The first process holds the lock when it is killed; another one's is waited for."""
    code = f"""
import os, signal
from pathlib import Path
from breakrank.desk.files import Files
with Files(Path({str(tmp_path)!r})).locked():
    os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", code], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / ".lock").exists()
    begun = time.monotonic()
    with Files(tmp_path).locked():
        assert (tmp_path / ".lock").exists()
    assert time.monotonic() - begun < 5
    assert list(tmp_path.glob(".lock*")) == []


@pytest.mark.skipif(os.name == "nt", reason="there a process cannot be set this limit")
def test_a_disk_that_is_full_leaves_no_lock(tmp_path: Path) -> None:
    code = f"""
import resource
from pathlib import Path
from breakrank.desk.files import DeskError, Files
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    with Files(Path({str(tmp_path)!r})).locked():
        pass
except DeskError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "File too large" in done.stdout, done.stderr
    assert list(tmp_path.iterdir()) == []


def left(folder: Path, held: str) -> None:
    """Leave an old lock that says who holds it."""
    (folder / ".lock").write_text(held)
    os.utime(folder / ".lock", (OLD, OLD))


def other_machine() -> str:
    return f".00000000-{os.getpid()}-0-00000000"


@pytest.mark.skipif(os.name == "nt", reason="there nobody can tell whether a process lives")
@pytest.mark.parametrize(
    ("held", "told"),
    [(mark(), f"process {os.getpid()}"), (other_machine(), r"(?s)another machine.*remove .*\.lock")],
    ids=["this machine", "another machine"],
)
def test_an_old_lock_is_not_taken_from_who_may_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: str, told: str
) -> None:
    monkeypatch.setattr(files, "WAIT", 0.2)
    left(tmp_path, held)
    with pytest.raises(DeskError, match=told), Files(tmp_path).locked():
        pass
    assert (tmp_path / ".lock").read_text() == held


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the start of a process is not known")
def test_the_lock_of_a_process_whose_number_another_has_now_is_taken(tmp_path: Path) -> None:
    machine, pid, _, token = mark().split("-")
    left(tmp_path, f"{machine}-{pid}-1-{token}")
    with Files(tmp_path).locked():
        assert (tmp_path / ".lock").read_text() != f"{machine}-{pid}-1-{token}"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_lock_is_taken_once_it_is_old(tmp_path: Path) -> None:
    left(tmp_path, "")
    with Files(tmp_path).locked():
        assert (tmp_path / ".lock").read_text()


@pytest.mark.parametrize("held", ["", f"{mark().split('-')[0]}-999999999-0-00000000"])
def test_of_many_who_find_an_abandoned_lock_one_at_a_time_writes(tmp_path: Path, held: str) -> None:
    left(tmp_path, held)

    def add() -> None:
        for _ in range(10):
            one = Files(tmp_path)
            with one.locked():
                one.write("count", f"{int(one.read('count') or 0) + 1}")

    threads = [Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "count").read_text() == "60"
    assert [p.name for p in tmp_path.iterdir()] == ["count"]


def test_who_holds_the_lock_may_take_it_again(tmp_path: Path) -> None:
    one = Files(tmp_path)
    with one.locked():
        with one.locked():
            pass
        assert (tmp_path / ".lock").exists()
    assert not (tmp_path / ".lock").exists()


def test_reports_are_taken_apart_outside_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, really = new_case(tmp_path / "mine"), library.text_of
    seen: list[bool] = []

    def text_of(*given: object) -> object:
        seen.append((case / ".lock").exists() or (case / "evidence/.lock").exists())
        return really(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "text_of", text_of)
    Desk.open(case).read(REPORTS / "en-river.txt")
    assert seen == [False]


@pytest.mark.parametrize(
    ("second", "kept"), [("en-river.txt", ["r000"]), ("en-partial.txt", ["r000", "r001"])]
)
def test_desks_that_read_at_once_give_each_report_one_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: str, kept: list[str]
) -> None:
    """Both have taken their report apart before either numbers it."""
    case, together, really = new_case(tmp_path / "mine"), Barrier(2, timeout=60), library.text_of
    sources = case / "evidence/sources.yaml"
    sources.write_text("[]\n")

    def text_of(*given: object) -> object:
        made = really(*given)  # type: ignore[arg-type]
        together.wait()
        return made

    desks = [Desk.open(case) for _ in range(2)]
    monkeypatch.setattr(library, "text_of", text_of)
    found: list[str] = []
    threads = [
        Thread(target=lambda d=d, n=n: found.append(d.read(REPORTS / n)[0].source))  # type: ignore[misc]
        for d, n in zip(desks, ("en-river.txt", second), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(found)) == kept
    assert list(Desk.open(case).library.entries()) == kept


def test_a_number_that_the_ledger_got_meanwhile_is_not_given(tmp_path: Path) -> None:
    case = new_case(tmp_path / "mine")
    desk, sources = Desk.open(case), case / "evidence/sources.yaml"
    entry = "{id: r007, publisher: P, title: T, date: 2031-04-02, kind: report, reliability: medium}"
    sources.write_text(f"{sources.read_text().rstrip()}\n\n- {entry}\n")
    assert desk.read(REPORTS / "en-river.txt")[0].source == "r008"


def test_documents_do_not_take_each_other_s_place(tmp_path: Path) -> None:
    desk = Desk.open(new_case(tmp_path / "mine"))
    with pytest.raises(UsageError, match="cannot all be r005"):
        desk.read(REPORTS, source="r005")
    assert desk.read(REPORTS / "en-river.txt", source="r005")[0].told == ()
    (again,) = desk.read(REPORTS / "en-partial.txt", source="r005")
    assert "takes the place of another document" in again.told[-1]


@pytest.mark.skipif(os.name == "nt", reason="there links need rights")
@pytest.mark.parametrize("inside", ["evidence", "evidence/desk", "evidence/desk/texts.yaml"])
def test_nothing_is_written_through_a_link(tmp_path: Path, inside: str) -> None:
    case, elsewhere = new_case(tmp_path / "mine"), tmp_path / "elsewhere"
    Desk.open(case).read(REPORTS / "en-river.txt")
    desk = Desk.open(case)
    (case / inside).rename(elsewhere)
    (case / inside).symlink_to(elsewhere)
    before = {p: p.read_bytes() for p in (elsewhere, *elsewhere.rglob("*")) if p.is_file()}
    with pytest.raises(DeskError, match="a symbolic link is not written to"):
        desk.read(REPORTS / "en-partial.txt")
    with pytest.raises(DeskError, match="a symbolic link is not written to"):
        Files(case).write(f"{inside}/new.yaml", "[]")
    assert {p: p.read_bytes() for p in (elsewhere, *elsewhere.rglob("*")) if p.is_file()} == before
    assert Files(case).links("evidence") == [case / inside]
