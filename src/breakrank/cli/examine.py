"""``breakrank examine``: changes that are made, and what theory expected of them."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import breakrank
from breakrank.cli.changed_case import change
from breakrank.cli.options import INTERRUPTED, DatedOptions, Flag, OutputOptions, RunOptions, Whole
from breakrank.cli.progress import carried_out, code_of

Only = Annotated[
    tuple[str, ...], Parameter(name="--only", negative="", show_default=False, consume_multiple=True)
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """Which interventions are made.

    Attributes
    ----------
    table
        The interventions; by default examination.yaml in the folder of the case.
    only
        Interventions to make, by id, or whole parts of the table. By default all.
    short
        Only the short form: the most important signs.
    """

    table: Path | None = None
    only: Only = ()
    short: Flag = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ExaminationFiles:
    """What is written.

    Attributes
    ----------
    csv
        CSV file for the verdicts, one row each.
    markdown
        Markdown file for the verdicts.
    """

    csv: Path | None = None
    markdown: Path | None = None


def examine(
    case: str,
    /,
    *,
    table: TableOptions = TableOptions(),
    runs: Whole = 16,
    files: ExaminationFiles = ExaminationFiles(),
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Test the model by intervention: compare the effects of changes with prior expectations.

    Makes each change of a table alone, with common random numbers, and compares the differences with the
    expectations written beforehand. Prints a verdict for each expectation, and what no intervention covers.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    runs
        Runs of the case and of each changed case.
    """
    from breakrank.case.examination import interventions, table_of
    from breakrank.questions.examine.examine import (
        as_csv,
        as_json,
        as_markdown,
        chosen,
        examined,
        show,
        study,
    )
    from breakrank.runs.atomic_file import write_whole

    command = shlex.join(["breakrank", *sys.argv[1:]])
    made = change(case, options, None, output.quiet).case
    every = interventions(made, table.table or table_of(case))
    items = chosen(every, table.only, table.short)
    work = study(made, every, items, runs, options.seed)
    kept = where.opened(made.id)
    what = f"{made.title} and {len(work.scenarios) - 1} changed cases, {runs} runs each"
    account = carried_out(work, kept, what, where, output.quiet)
    if account.interrupted:
        return INTERRUPTED
    found = examined(work, kept, every, items)
    if files.csv is not None:
        write_whole(files.csv, as_csv(found))
    if files.markdown is not None:
        write_whole(files.markdown, as_markdown(found, command, _machine()))
    output.tell(lambda: as_json(found), lambda: show(found))
    return code_of(account)


def _machine() -> str:
    """Return what it was made on and with, in words."""
    from importlib.metadata import version

    parts = f"Breakrank {breakrank.__version__}", f"Python {platform.python_version()}"
    with_ = ", ".join((*parts, f"NumPy {version('numpy')}", f"Numba {version('numba')}"))
    return f"{with_}, on {platform.machine()} with {os.cpu_count()} processors"
