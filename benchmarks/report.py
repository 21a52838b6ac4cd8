"""Tables in Markdown, and the machine, versions and commit that figures were made with."""

from __future__ import annotations

import importlib.metadata
import math
import os
import platform
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def number(value: float, digits: int = 3) -> str:
    """Return a number with `digits` significant digits and thousands separated; a dash for nan."""
    if math.isnan(value):
        return "–"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


_FIGURE = re.compile(r"[^A-Za-z`\[]*\d.*|[–-]?")
"""What begins with a number, a dash, or nothing."""


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; columns of figures to the right, the first and words to the left."""
    figures = [all(_FIGURE.fullmatch(row[k]) for row in rows) for k in range(len(head))]
    ruler = ["---", *("---:" if one else "---" for one in figures[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ruler, *rows))


def processor() -> str:
    """Return the model of the processor as the system calls it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.lower().startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> str:
    """Return processor, cores and Python in one line."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def versions() -> str:
    """Return the system and the versions of what computes, in one line."""
    libraries = [f"{name} {importlib.metadata.version(name)}" for name in ("breakrank", "numpy", "numba")]
    return f"{platform.platform()}; {', '.join(libraries)}"


def commit() -> str:
    """Return the commit of this checkout, eight digits."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
