"""Names of what is there only for a while, which say whose it is: what a killed process left can be swept."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
import sys
from pathlib import Path

_MARK = re.compile(r"\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(?:\.|$)")


def mark() -> str:
    """Return what a passing name is to hold: this machine, this process, and what tells it from any other."""
    return f".{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"


def sweep(folder: Path, pattern: str) -> None:
    """Remove folders whose names match and bear the mark of a process of this machine that is no more."""
    for path in folder.glob(pattern):
        if left_over(path.name):
            shutil.rmtree(path, ignore_errors=True)


def left_over(marked: str) -> bool:
    """Say whether a text bears the mark of a process of this machine that is no more."""
    found = _MARK.search(marked)
    return found is not None and found[1] == _machine() and not _alive(int(found[2]))


def _machine() -> str:
    return hashlib.sha256(platform.node().encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _alive(pid: int) -> bool:
    if sys.platform == "win32":  # where to ask is to kill
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
