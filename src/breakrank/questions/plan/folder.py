"""The folder a plan is kept in: written whole or not at all.

::

    plan.html     the document: two printable pages, nothing loaded and nothing run
    plan.pdf      the same, set for A4 or Letter paper
    plan.xlsx     a sheet for each table, with notes
    plan.json     what was asked, and all tables but the day by day one
    tables/       a CSV file for each table
    charts/       each chart as SVG or PNG, where asked for
    case/         the case exactly as used
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.errors import UsageError, nearest
from breakrank.questions.plan.document import render
from breakrank.questions.plan.document import render_pdf as set_on_paper
from breakrank.questions.plan.drawings import CHARTS, drawn
from breakrank.questions.plan.tables import DIGITS, as_json, told
from breakrank.questions.plan.workbook import write
from breakrank.results.folder import whole_folder
from breakrank.results.json_files import says_format, write_json
from breakrank.show.paper import check_paper

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

NEEDS = {"html": "", "pdf": "typst", "xlsx": "xlsxwriter", "csv": "", "svg": "", "png": ""}
"""The library that each format needs; both come with the optional extra ``plan``."""

USUAL = ("html", "pdf", "xlsx", "csv")
"""The formats written unless others are asked for."""


def chosen(asked: Sequence[str] | None, none: str = "") -> tuple[tuple[str, ...], str]:
    """Return the formats to write, and a sentence on what is left out for want of a library, or nothing.

    Without a wish these are the usual ones, as far as they can be made.

    Raises
    ------
    UsageError
        for a format that there is not, or one asked for by name whose library is not installed.
    """
    if asked is None:
        found = tuple(name for name in USUAL if not lacking(name))
        left = [name for name in USUAL if name not in found]
        if not left:
            return found, ""
        return found, f"not written: {', '.join(left)}; install them with pip install 'breakrank[plan]'"
    names = tuple(dict.fromkeys(asked))
    if names == (none,):
        return (), ""
    for name in names:
        if name not in NEEDS:
            raise UsageError(f"no format {name!r}{nearest(name, NEEDS)} (known: {', '.join(NEEDS)})")
        if lacking(name):
            raise UsageError(
                f"writing {name} needs {NEEDS[name]}, which is not installed. It comes with an optional "
                "extra: pip install 'breakrank[plan]'"
            )
    return names, ""


def lacking(name: str) -> bool:
    """Return whether a format needs a library that is not installed."""
    return bool(NEEDS[name]) and find_spec(NEEDS[name]) is None


FORMAT = 1
"""Version of the folder's layout, under ``breakrank_plan`` in ``plan.json``."""

OWN = frozenset({"case", "charts", "plan.html", "plan.json", "plan.pdf", "plan.xlsx", "tables"})
"""What the folder of a plan consists of; a new plan replaces these and leaves anything else where it is."""


def save(
    plan: PlanData, folder: Path, formats: Sequence[str] | None = None, paper: str = "a4"
) -> tuple[Path, ...]:
    """Write a plan; an older plan in its place is replaced once the new one is complete.

    Returns the files and folders that hold what was asked for; see
    :meth:`~breakrank.questions.plan.result.Plan.save`.
    """
    kinds, _ = chosen(formats)
    check_paper(paper)
    with whole_folder(folder, is_plan, OWN) as staging:
        made = [_write(plan, staging, kind, paper) for kind in kinds]
        write_json(staging / "plan.json", {"breakrank_plan": FORMAT} | as_json(plan))
        plan.case.write(staging / "case")
    return tuple(folder / name for name in dict.fromkeys(made))


def is_plan(folder: Path) -> bool:
    """Say whether a folder is that of a plan."""
    return says_format(folder / "plan.json", "breakrank_plan")


def _write(plan: PlanData, folder: Path, kind: str, paper: str) -> str:
    """Write one format and return the name of its file or folder."""
    if kind == "html":
        (folder / "plan.html").write_text(render(plan), "utf-8", newline="\n")
    elif kind == "pdf":
        (folder / "plan.pdf").write_bytes(set_on_paper(plan, paper))
    elif kind == "xlsx":
        write(plan, folder / "plan.xlsx")
    elif kind == "csv":
        tables = folder / "tables"
        tables.mkdir()
        for name, frame in told(plan).items():
            written = tables / f"{name}.csv"
            frame.to_csv(written, index=False, lineterminator="\n", float_format=f"%.{DIGITS}g")
        return "tables"
    else:
        return _charts(plan, folder, kind)
    return f"plan.{kind}"


def _charts(plan: PlanData, folder: Path, kind: str) -> str:
    """Write every chart that has something to show as an image, in the light theme."""
    charts = folder / "charts"
    charts.mkdir(exist_ok=True)
    for name in CHARTS:
        try:
            chart = drawn(plan, name)
        except UsageError:  # nothing to draw
            continue
        chart.save(charts / f"{name}.{kind}", scale=2)
    return "charts"
