"""Writing the files of a case: one lock, taken from nobody who lives, and no route through a link."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from breakrank.case import files
from breakrank.case.files import CaseFileError, Files
from breakrank.leftovers import mark
from tests.programs import python

OLD = time.time() - 3600


@pytest.mark.skipif(os.name == "nt", reason="there a lock is held until it is old")
def test_the_lock_of_a_process_that_was_killed_is_taken_over_at_once(tmp_path: Path) -> None:
    """The first process holds the lock when it is killed; another one's is waited for."""
    code = f"""
import os, signal
from pathlib import Path
from breakrank.case.files import Files
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
from breakrank.case.files import CaseFileError, Files
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    with Files(Path({str(tmp_path)!r})).locked():
        pass
except CaseFileError as error:
    print(error)
"""
    assert "File too large" in python("-c", code)
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
    with pytest.raises(CaseFileError, match=told), Files(tmp_path).locked():
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


@pytest.mark.skipif(os.name == "nt", reason="there links need rights")
@pytest.mark.parametrize("inside", ["evidence", "evidence/observations.yaml"])
def test_nothing_is_written_through_a_link(tmp_path: Path, inside: str) -> None:
    case, elsewhere = tmp_path / "mine", tmp_path / "elsewhere"
    (case / inside).parent.mkdir(parents=True)
    (case / inside).symlink_to(elsewhere)
    one = Files(case)
    with pytest.raises(CaseFileError, match="a symbolic link is not written to"), one.locked():
        one.write(inside if inside.endswith(".yaml") else f"{inside}/new.yaml", "[]")
    assert not elsewhere.exists()


def test_of_several_files_none_is_written_where_one_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").mkdir()
    case = Files(tmp_path)
    with pytest.raises(CaseFileError, match="Is a directory"), case.locked():
        case.write_all({"a.yaml": "new", "b.yaml": "new"})
    case, too_long = Files(tmp_path), "c" * 250  # for a temporary name
    with pytest.raises(CaseFileError, match="cannot be written"), case.locked():
        case.write_all({"a.yaml": "new", too_long: "new"})
    assert [path.name for path in tmp_path.iterdir()] == ["b.yaml"]


@pytest.mark.parametrize("stopped", [KeyboardInterrupt, CaseFileError])
def test_what_is_written_under_a_lock_is_there_together_or_not_at_all(
    tmp_path: Path, stopped: type[BaseException]
) -> None:
    case = Files(tmp_path)

    def write_and_stop() -> None:
        with case.locked():
            case.write("a.yaml", "new")
            assert case.read("a.yaml") == "new"
            raise stopped

    with pytest.raises(stopped):
        write_and_stop()
    assert list(tmp_path.iterdir()) == []
    assert case.read("a.yaml") == ""
    with case.locked():
        with case.locked():
            case.write("a.yaml", "new")
        assert not (tmp_path / "a.yaml").exists()
        case.write("b.yaml", "new")
    assert {path.name for path in tmp_path.iterdir()} == {"a.yaml", "b.yaml"}


def test_what_a_killed_process_left_is_cleared_up_when_the_case_is_opened(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from breakrank.leftovers import mark; print(mark())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    (tmp_path / f".a.yaml{ended}.part").write_text("half", "utf-8")
    (tmp_path / ".lock").write_text(ended, "utf-8")
    (tmp_path / "a.yaml").write_text("whole", "utf-8")
    Files(tmp_path).finish()
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_file_that_cannot_be_put_in_its_place_takes_those_before_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text("old a", "utf-8")
    (tmp_path / "c.yaml").write_text("old c", "utf-8")
    replace = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if target.name == "c.yaml":
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    case, new = Files(tmp_path), dict.fromkeys(("a.yaml", "b.yaml", "c.yaml"), "new")
    assert [case.read(name) for name in new] == ["old a", "", "old c"]
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", fail)
        told = r"c\.yaml cannot be written: Permission denied"
        with pytest.raises(CaseFileError, match=told), case.locked():
            case.write_all(new)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        "a.yaml": "old a", "c.yaml": "old c",
    }  # fmt: skip
    with case.locked():
        case.write_all(new)
    assert {path.read_text("utf-8") for path in tmp_path.iterdir()} == {"new"}


def test_only_what_was_begun_here_is_taken_away(tmp_path: Path) -> None:
    mine, left = tmp_path / ".notes.20190301.part", tmp_path / f".a.yaml{mark()}.part"
    for path in (mine, left):
        path.write_text("text", "utf-8")
    with Files(tmp_path).locked():
        pass
    assert list(tmp_path.iterdir()) == [mine]


@pytest.mark.skipif(os.name == "nt", reason="there a lock is held until it is old")
def test_what_a_killed_process_had_written_is_put_in_its_places(tmp_path: Path) -> None:
    """It is killed between two files, and where it has only begun to write nothing is changed."""
    code = f"""
import os, signal, sys
from pathlib import Path
from breakrank.case.files import Files
left = int(sys.argv[1])
def kill(event, about):
    global left
    left -= event == "os.rename"
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(kill)
case = Files(Path({str(tmp_path)!r}))
with case.locked():
    case.write_all({{"a.yaml": "new", "b.yaml": "new"}})
"""
    for renamed, found in ((0, []), (2, ["a.yaml", "b.yaml"])):
        subprocess.run([sys.executable, "-c", code, str(renamed)], check=False)
        Files(tmp_path).finish()
        with Files(tmp_path).locked():
            pass
        assert sorted(path.name for path in tmp_path.iterdir()) == found
