"""Compiled kernels are kept where only their user can write, and a change is never missed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.programs import ended

HELPER = """
from breakrank.kernel import kernel

@kernel
def step(x):
    return x + 1
"""
CALLER = """
from helper import step
from breakrank.kernel import KERNELS, kernel

@kernel
def twice(x):
    return step(step(x))

if __name__ == "__main__":
    value = twice(5)
    print(value, sum(sum(each.stats.cache_misses.values()) for each in KERNELS))
"""


def write(folder: Path) -> None:
    (folder / "code").mkdir()
    (folder / "code" / "helper.py").write_text(HELPER)
    (folder / "code" / "caller.py").write_text(CALLER)


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    write(tmp_path)
    return tmp_path


def call(scripts: Path, cache: Path) -> tuple[list[str], str]:
    """Return what the script prints (its value, and how many versions were compiled), and its warnings."""
    environment = os.environ | {"BREAKRANK_CACHE_DIR": str(cache), "TMPDIR": str(scripts)}
    done = ended(sys.executable, "caller.py", folder=scripts / "code", env=environment)
    assert done.returncode == 0, done.stderr
    assert not list(scripts.rglob("*.nbi")), "Numba's own cache was used"
    assert not list(scripts.glob("breakrank-kernels-*")), "a private folder was left behind"
    return done.stdout.split(), done.stderr


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile both functions into a folder, once for all tests that begin with it."""
    there = tmp_path_factory.mktemp("compiled")
    write(there)
    assert call(there, there / "cache") == (["7", "2"], "")
    return there / "cache"


@pytest.fixture
def kept(compiled: Path, scripts: Path) -> Path:
    """Return a folder in which both functions are kept compiled."""
    return Path(shutil.copytree(compiled, scripts / "cache"))


def edit(scripts: Path) -> None:
    (scripts / "code" / "helper.py").write_text(HELPER.replace("+ 1", "+ 10"))


def test_what_is_kept_is_used_until_a_helper_in_another_file_changes(scripts: Path, kept: Path) -> None:
    assert call(scripts, kept) == (["7", "0"], "")
    edit(scripts)
    assert call(scripts, kept)[0] == ["25", "2"]


def test_where_nothing_can_be_written_it_warns_and_never_runs_old_code(scripts: Path) -> None:
    cache = scripts / "cache"
    cache.write_text("a file, not a folder")
    printed, warned = call(scripts, cache)
    assert printed == ["7", "2"]
    assert "cannot be written" in warned
    assert "BREAKRANK_CACHE_DIR" in warned
    edit(scripts)
    assert call(scripts, cache)[0] == ["25", "2"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files")
def test_a_folder_that_others_may_write_is_refused(scripts: Path, kept: Path) -> None:
    assert (kept / "kernels").stat().st_mode & 0o777 == 0o700
    (kept / "kernels").chmod(0o770)
    printed, warned = call(scripts, kept)
    assert printed == ["7", "2"]
    assert "may be written by other users" in warned


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_a_folder_of_another_user_is_refused(scripts: Path, kept: Path) -> None:
    os.chown(kept / "kernels", 12345, -1)
    printed, warned = call(scripts, kept)
    assert printed == ["7", "2"]
    assert "belongs to another user" in warned


def test_a_damaged_file_and_one_of_classes_that_this_process_lacks_are_compiled_again(
    scripts: Path, kept: Path
) -> None:
    damaged, strange = (kept / "kernels").glob("[!.]*")
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    packed = zlib.compress(b"cno_such_module\nNoSuchClass\n.")
    strange.write_bytes(hashlib.sha256(packed).digest() + packed)
    assert call(scripts, kept)[0] == ["7", "2"]


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such locks there")
def test_processes_that_want_the_same_at_once_compile_it_once(scripts: Path) -> None:
    commands = [sys.executable, "caller.py"]
    environment = os.environ | {"BREAKRANK_CACHE_DIR": str(scripts / "cache")}
    begun = [
        subprocess.Popen(commands, cwd=scripts / "code", env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    printed = [process.communicate(timeout=120)[0].split() for process in begun]
    assert {value for value, _ in printed} == {"7"}
    assert sum(int(count) for _, count in printed) == 2


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="files have no such locks there")
def test_what_a_killed_process_claimed_is_compiled_by_another(scripts: Path) -> None:
    holds = (
        "from breakrank.kernel_files import CLAIMS; CLAIMS.claim('a kernel'); print(1, flush=True); input()"
    )
    environment = os.environ | {"BREAKRANK_CACHE_DIR": str(scripts / "cache")}

    def begin() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", holds]
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with begin() as first:
        assert first.stdout.readline() == b"1\n"
        with begin() as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(timeout=2)
            first.kill()
            assert second.communicate(b"\n", timeout=60)[0] == b"1\n"
