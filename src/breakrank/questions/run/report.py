"""The report: one HTML file that holds everything and loads nothing.

Charts, numbers, the record and the evidence behind them stand in one page. Vega's expressions are interpreted
rather than compiled, so that the page's policy need not allow evaluation.
"""

from __future__ import annotations

import os
import tempfile
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.errors import UsageError
from breakrank.show.embed import embedded
from breakrank.show.html import asset, rendered
from breakrank.show.style import PAGE, config

if TYPE_CHECKING:
    from breakrank.results import Result


def write_report(result: Result, path: str | PathLike[str]) -> Path:
    """Write the report of a result as one HTML file, and return its path.

    The file appears whole or not at all: it is written under a temporary name beside its place and then
    renamed. The same result gives the same bytes.

    Raises
    ------
    UsageError
        when the folder does not exist or cannot be written to, `path` is a folder, or the optional extra
        ``report`` is not installed.
    """
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{target} is a folder; give the name of a file, such as {target / 'report.html'}")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}; make it first")
    text = render(result)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise UsageError(f"cannot write in {target.parent}: {error.strerror}") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        part.chmod(0o644 & ~_umask())
        part.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return target


def render(result: Result) -> str:
    """Return the report of a result as one HTML page."""
    from breakrank.questions.run.report_content import content

    page, specs = content(result)
    library, script = asset("vega.js"), asset("report.js")
    values = {
        **page,
        "specs": embedded(specs),
        "config": embedded(config(PAGE)),
        "library": library,
        "script": script,
    }
    return rendered("report.html.j2", "report.css", values, scripts=(library, script))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
