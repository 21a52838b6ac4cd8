"""``breakrank explain``: which mechanism carries a result, in sentences and tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.changed_case import change
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    DatedOptions,
    Outcomes,
    OutputOptions,
    RunOptions,
    Whole,
    call_again,
    refuse_early,
    unused,
)
from breakrank.cli.progress import carried_out
from breakrank.questions.explain.terminal import announce, tell
from breakrank.show.terminal import say_saved

if TYPE_CHECKING:
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Study


def explain(
    case: str,
    /,
    *,
    outcomes: Outcomes = (),
    date: str | None = None,
    runs: Whole = 40,
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Show which mechanisms account for a case's results.

    Switches off every mechanism alone, with common random numbers and draws from the posterior, where there
    is one. Prints sentences generated from the numbers, and leaves a folder with tables.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    outcomes
        A measure to explain; may be given several times. A part of the force is asked for as in
        left:rank=general or left_post:state=SY-ID, with the names that targets use. By default who left,
        registered and deserted, uprisings, whether the regime holds, and who still serves. In a war or beside
        an opposition at home, also who went over and who surrendered in the field.
    date
        The day on which outcomes are read, e.g. 2019-06-30; by default the last day for which the case has a
        target of the measure, else the last day.
    runs
        Number of runs of the case and of each case without a mechanism.
    out
        Folder for the explanation. An earlier one there is replaced. By default breakrank-explain-CASE-SEED
        in the current directory, with a number added if that is taken.
    """
    from breakrank.questions.explain.explain import explained
    from breakrank.questions.explain.removal import outcomes_of
    from breakrank.questions.explain.result import is_explanation, save
    from breakrank.runs.interrupts import undisturbed

    made = change(case, options, None, output.quiet).case
    folder = out if out is not None else unused(Path(f"breakrank-explain-{made.id}-{options.seed}"))
    refuse_early(folder, is_explanation, "no explanation of Breakrank's")
    kept = where.opened(made.id)

    def carry(study: Study, what: str) -> Account:
        return carried_out(study, kept, what, where, output.quiet)

    def before(seconds: float) -> None:
        if not output.quiet:
            announce(made, runs, seconds, where.backend, where.workers)

    command = call_again(
        "explain",
        case,
        outcome=outcomes,
        set=options.changes,
        mechanisms=options.mechanisms,
        date=date,
        parameters=options.parameters,
        until=options.until,
        runs=runs,
        seed=options.seed,
    )
    found = explained(
        made,
        runs,
        kept,
        carry,
        outcomes_of(made, outcomes or None, date),
        options.seed,
        before=before if where.backend in (None, "cores", "serial") else None,
    )
    found = replace(found, command=command)
    output.tell(found.as_json, lambda: tell(found))
    with undisturbed():  # saved whole: an interrupt waits until that is done
        save(found, folder)
    if output.talks:
        say_saved(f"Tables  {folder}")
    return INTERRUPTED if found.interrupted else FAILED if found.failed else DONE
