"""The lock of a desk's files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from breakrank.desk.files import Files


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
