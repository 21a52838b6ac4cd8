"""``breakrank explain``: which mechanism carries a result, in sentences, tables and charts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    Backend,
    Changes,
    Flag,
    Mechanisms,
    Under,
    Whole,
    with_mechanisms,
)
from breakrank.cli.output_folder import refuse_early, unused
from breakrank.cli.studies import carried_out
from breakrank.questions.explain.terminal import announce, tell
from breakrank.show.terminal import hush, note, say, say_json
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.questions.explain.result import Explanation
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Study

Outcomes = Annotated[tuple[str, ...], Parameter(name="--outcome", negative="", show_default=False)]


def explain(
    case: str,
    /,
    *,
    outcomes: Outcomes = (),
    date: str | None = None,
    runs: Whole = 40,
    pairs: Whole = 5,
    draws: Whole | None = None,
    rows: Whole | None = None,
    groups: Whole = 6,
    watched: Whole = 4,
    parameters: Under = None,
    mechanisms: Mechanisms = (),
    changes: Changes = (),
    until: str | None = None,
    seed: Whole = 0,
    workers: Whole | None = None,
    store: Path | None = None,
    backend: Backend = None,
    out: Path | None = None,
    json: Flag = False,
    quiet: Flag = False,
) -> int:
    """Show which mechanisms account for a case's results.

    Switches off every mechanism alone, then pairs of the most important ones, with common random numbers.
    Records the moments of decision of those who stayed although opposed. Divides the variance of outcomes
    over the priors between mechanisms and chance. Prints sentences generated from the numbers, and leaves a
    folder with a page, charts and tables.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    outcomes
        A measure to explain; may be given several times. By default who left, registered and deserted,
        risings, whether the regime holds, and who still serves.
    date
        The day on which outcomes are read, e.g. 2019-06-30; by default the last day for which the case has a
        target of the measure, else the last day.
    runs
        Number of runs of the case and of each case without a mechanism.
    pairs
        Number of mechanisms that are also switched off in pairs; 0 for none.
    draws
        Number of prior simulations for screening parameters; by default 1024, and 0 for a case without
        priors. 0 skips the analysis of variance.
    rows
        Rows of the design for the variance shares, at most half of --draws; by default an eighth of them. 0
        skips it.
    groups
        Number of mechanisms with their own share of the variance.
    watched
        Number of runs in which every moment of decision is recorded; 0 for none.
    parameters
        posterior: mechanisms are switched off in runs with parameters drawn from the case's posterior.
        values: with the parameters' values. The default is the posterior, if there is one.
    changes
        Set a parameter for everything, as NAME=VALUE. May be given several times.
    until
        Last day, e.g. 2019-06-30; by default the case's last day.
    seed
        Random seed: the same case and seed give the same numbers.
    workers
        Number of processes; the default is chosen from this machine's cores and the number of runs.
    store
        Folder that keeps every finished run; by default breakrank-CASE.store in the current directory. The
        same call continues from there.
    backend
        What makes the runs: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    out
        Folder for the explanation. An earlier one there is replaced. By default breakrank-explain-CASE-SEED
        in the current directory, with a number added if that is taken.
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
    """
    from breakrank.questions.explain.explain import explained
    from breakrank.questions.explain.folder import is_explanation
    from breakrank.questions.explain.steps import size_of
    from breakrank.runs.store import Store

    made = change(case, changes, None, until, quiet, parameters, mechanisms).case
    size = size_of(made, runs, pairs, draws, rows, groups, watched)
    folder = out if out is not None else unused(Path(f"breakrank-explain-{made.id}-{seed}"))
    refuse_early(folder, is_explanation, "no explanation of Breakrank's")
    kept = Store(store if store is not None else Path(f"breakrank-{made.id}.store"))
    done = 0

    def carry(study: Study, what: str) -> Account:
        nonlocal done
        done += 1
        return carried_out(study, kept, what, backend, workers, quiet, again=done > 1)

    def before(seconds: tuple[float, float]) -> None:
        if not quiet:
            announce(made, size, seconds, backend, workers)

    found = explained(
        made,
        size,
        kept,
        carry,
        outcomes or None,
        date,
        seed,
        before=before if backend in (None, "cores", "serial") else None,
        tell=None if quiet else _watch,
        command=_command(locals()),
    )
    if json:
        say_json(found.as_json())
    elif not quiet:
        _tell(found)
    _save(found, folder)
    if not (json or quiet):
        say(f"Page, charts and tables  {folder}")
    return INTERRUPTED if found.interrupted else FAILED if found.failed else DONE


def _watch(what: str, done: int, of: int) -> None:
    """Say once that moments of decision are looked at, which takes a while and fills no store."""
    if done == 0 and sys.stderr.isatty():
        note(f"looking at the {what} of {of} run{'s' * (of != 1)}")


def _tell(found: Explanation) -> None:
    """Print it; a reader who closed the pipe does not cost the files."""
    try:
        tell(found)
        sys.stdout.flush()
    except BrokenPipeError:
        hush()


def _save(found: Explanation, folder: Path) -> None:
    """Save it whole: an interrupt waits until that is done."""
    from breakrank.questions.explain.folder import save
    from breakrank.runs.interrupts import undisturbed

    with undisturbed():
        save(found, folder)


def _command(given: dict[str, object]) -> str:
    """Return the call that makes it again."""
    parts = ["breakrank", "explain", str(given["case"])]
    for name, option in (("outcomes", "--outcome"), ("changes", "--set")):
        values = given[name]
        assert isinstance(values, tuple)
        parts += [word for value in values for word in (option, str(value))]
    parts += with_mechanisms(given["mechanisms"])
    for name in ("date", "draws", "rows", "parameters", "until"):
        if given[name] is not None:
            parts += [f"--{name}", str(given[name])]
    for name in ("runs", "pairs", "groups", "watched", "seed"):
        parts += [f"--{name}", str(given[name])]
    return call(parts)
