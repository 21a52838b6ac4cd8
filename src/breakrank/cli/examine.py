"""``breakrank examine``: changes that are made, and what theory expected of them."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change
from breakrank.cli.options import INTERRUPTED, Backend, Changes, Flag, Mechanisms, Under, Whole
from breakrank.cli.studies import carried_out, code_of
from breakrank.show.terminal import say, say_json, say_table, title, wrapped

if TYPE_CHECKING:
    from breakrank.questions.examine.examine import Examination

Only = Annotated[
    tuple[str, ...], Parameter(name="--only", negative="", show_default=False, consume_multiple=True)
]


def examine(
    case: str,
    /,
    *,
    table: Path | None = None,
    only: Only = (),
    short: Flag = False,
    runs: Whole = 16,
    seed: Whole = 0,
    parameters: Under = None,
    mechanisms: Mechanisms = (),
    changes: Changes = (),
    until: str | None = None,
    workers: Whole | None = None,
    store: Path | None = None,
    backend: Backend = None,
    csv: Path | None = None,
    markdown: Path | None = None,
    json: Flag = False,
    quiet: Flag = False,
) -> int:
    """Test the model by intervention: compare the effects of changes with prior expectations.

    Makes each change of a table alone, with common random numbers, and compares the differences with the
    expectations written beforehand. Prints a verdict for each expectation, and what no intervention covers.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    table
        The interventions; by default examination.yaml in the folder of the case.
    only
        Interventions to make, by id, or whole parts of the table. By default all.
    short
        Only the short form: the most important signs.
    runs
        Runs of the case and of each changed case.
    seed
        Random seed: the same case and seed give the same numbers.
    parameters
        posterior: each run uses parameters drawn from the case's posterior. values: each run uses the
        parameters' values. The default is the posterior, if there is one.
    changes
        Set a parameter in the case and in all changed cases, as NAME=VALUE, e.g. force.strength=16000. Values
        that an intervention sets take precedence. May be given several times.
    until
        Last day, e.g. 2019-06-30; by default the case's last day.
    workers
        Number of processes; the default is chosen from this machine's cores and the number of runs.
    store
        Folder that keeps every finished run; by default breakrank-CASE.store in the current directory. The
        same call continues from there.
    backend
        What makes the runs: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    csv
        CSV file for the verdicts, one row each.
    markdown
        Markdown file for the verdicts.
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
    """
    from breakrank.case.examination import interventions, table_of
    from breakrank.questions.examine.examine import chosen, examined, study
    from breakrank.questions.examine.tables import as_csv, as_json, as_markdown
    from breakrank.runs.atomic_file import write_whole
    from breakrank.runs.store import Store

    command = shlex.join(["breakrank", *sys.argv[1:]])
    made = change(case, changes, None, until, quiet, parameters, mechanisms).case
    every = interventions(made, table or table_of(case))
    items = chosen(every, only, short)
    work = study(made, every, items, runs, seed)
    kept = Store(store if store is not None else Path(f"breakrank-{made.id}.store"))
    what = f"{made.title} and {len(work.scenarios) - 1} changed cases, {runs} runs each"
    account = carried_out(work, kept, what, backend, workers, quiet)
    if account.interrupted:
        return INTERRUPTED
    found = examined(work, kept, every, items)
    if csv is not None:
        write_whole(csv, as_csv(found))
    if markdown is not None:
        write_whole(markdown, as_markdown(found, command, _machine()))
    if json:
        say_json(as_json(found))
    elif not quiet:
        tell(found)
    return code_of(account)


def tell(made: Examination) -> None:
    """Print the table of answers, part by part, and what came out."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from breakrank.questions.examine.tables import cells, summary

    part, before, table = "", "", Table()
    for answer in made.answers:
        if answer.item.part != part:
            if part:
                say_table(table)
            part = answer.item.part
            say(title(part))
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
            for head in ("intervention", "measure", "expected"):
                table.add_column(head, overflow="fold")
            for head in ("before", "after", "95% interval of the difference"):
                table.add_column(head, justify="right")
            table.add_column("verdict", no_wrap=True)
        measured, expected, was, became, _, interval, verdict = cells(answer)
        name = answer.item.id if answer.item.id != before else ""
        before = answer.item.id
        table.add_row(*(Text(text) for text in (name, measured, expected, was, became, interval, verdict)))
    say_table(table)
    for line in summary(made):
        say(wrapped(line))


def _machine() -> str:
    """Return what it was made on and with, in words."""
    from importlib.metadata import version

    import breakrank

    parts = f"Breakrank {breakrank.__version__}", f"Python {platform.python_version()}"
    with_ = ", ".join((*parts, f"NumPy {version('numpy')}", f"Numba {version('numba')}"))
    return f"{with_}, on {platform.machine()} with {os.cpu_count()} processors"
