"""A case with a desk: the template, and two invented reports that contradict each other."""

import atexit
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from breakrank import new_case
from breakrank.page.state import PageState
from breakrank.runs.pool import Pool
from breakrank_desk import Desk
from breakrank_desk.page.routes import DeskRoutes
from tests.page.conftest import Served, serving

HERALD = """Soldiers keep coming over the bridge

NORLUND — At least 26 soldiers of Montara had registered in Norlund by May 31, the mayor said on Sunday.

"Most came in May," a registrar told the Norlund Herald. Nine of them are sergeants, she said.

The hotel has 80 beds. Each guest costs the town $11 a day, according to the mayor.

Picture: the hotel by the bridge, <b>not</b> open to visitors.
"""
TRIBUNE = """The count is disputed

NORLUND — No more than 20 soldiers had registered in Norlund by May 31, a border officer said on Monday.
"""


More = Mapping[str, tuple[str, str, str]]
"""Further reports: their text, outlet and date, by file name."""


@cache
def read_once(*known: tuple[str, str, str, str]) -> Path:
    """Return a folder with the template that has read such reports: name, text, outlet and date of each."""
    folder = Path(tempfile.mkdtemp(prefix="breakrank-desk-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    case, reports = new_case(folder / "small", full=True), folder / "reports"
    reports.mkdir()
    desk = Desk.open(case, reports, by="a coder")
    for name, text, outlet, date in known:
        (reports / name).write_text(text, encoding="utf-8")
        desk.read(reports / name, outlet=outlet, date=date)
    return folder


def case_with_reports(folder: Path, more: More | None = None) -> tuple[Path, Path]:
    """Return a case that has read two reports and those named, and the folder of the reports."""
    known = {
        "herald.txt": (HERALD, "The Norlund Herald", "2025-06-02"),
        "tribune.txt": (TRIBUNE, "Tribune", "2025-06-03"),
    }
    made = read_once(*((name, *about) for name, about in {**known, **(more or {})}.items()))
    shutil.copytree(made, folder, dirs_exist_ok=True)
    return folder / "small", folder / "reports"


@contextmanager
def served_desk(folder: Path, more: More | None = None) -> Iterator[tuple[Served, Path, Path]]:
    """Serve the page of such a case; give it, the case and the folder of the reports."""
    case, reports = case_with_reports(folder, more)
    desk = DeskRoutes(case, reports)
    with serving(PageState(folder / "store", Pool(1), case), "small", desk) as served:
        yield served, case, reports
    desk.close()
