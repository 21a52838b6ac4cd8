"""Names of what is there only for a while, which say whose it is: what a killed process left can be swept."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal

_MARK = re.compile(r"\.([0-9a-f]{8})-(\d+)(?:-(\d+))?-[0-9a-f]{8}(?:\.|$)")
Holder = Literal["alive", "ended", "elsewhere", "unknown"]
"""What became of the process that a mark names; ``elsewhere`` is another machine, or another container."""


def mark() -> str:
    """Return the mark of a temporary name: machine, process, its start, and a random token."""
    pid = os.getpid()
    return f".{_machine()}-{pid}-{_started(pid)}-{secrets.token_hex(4)}"


def beside(path: Path, ending: str) -> Path:
    """Return a hidden name beside a path for what is to take its place; :func:`sweep` knows whose it is."""
    return path.with_name(f".{path.name}{mark()}{ending}")


def is_marked(name: str) -> bool:
    """Say whether a name bears a mark, whoever's."""
    return _MARK.search(name) is not None


def sweep(folder: Path, pattern: str) -> None:
    """Remove what has a name that matches and bears the mark of a process of this machine that is no more."""
    for path in folder.glob(pattern):
        if left_over(path.name):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def left_over(marked: str) -> bool:
    """Say whether a text bears the mark of a process of this machine that is no more."""
    return holder(marked) == "ended"


def holder(marked: str) -> Holder:
    """Return the state of the process whose mark a text bears; ``unknown`` if it cannot be found out."""
    found = _MARK.search(marked)
    if found is None:
        return "unknown"
    if found[1] != _machine():
        return "elsewhere"
    if sys.platform == "win32":  # where to ask is to kill
        return "unknown"
    pid = int(found[2])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "ended"
    except OSError:
        pass
    now, then = _started(pid), int(found[3] or 0)
    return "ended" if now and then and now != then else "alive"


def _machine() -> str:
    """Return an identifier of this machine and, on Linux, of the container whose process numbers we see."""
    try:
        container = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        container = ""
    name = f"{platform.node()}{container}"
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _started(pid: int) -> int:
    """Return when a process started, in ticks since the machine did; 0 where Linux's /proc does not say.

    A number of a process is used again after its end; not so with the same start.
    """
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19])
    except (OSError, IndexError, ValueError):
        return 0
