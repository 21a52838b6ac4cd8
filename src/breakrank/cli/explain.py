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
    """Say which mechanism carries a case's results.

    Takes out every mechanism alone, then pairs of those that matter most, with the same luck; looks at the
    moments of decision of those who stayed though opposed; and shares out the variance of outcomes over the
    priors between mechanisms and luck. Prints sentences made from the numbers, and leaves a folder with a
    page, charts and tables.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    outcomes
        A measure to explain; may be given several times. By default who left, registered and deserted,
        risings, whether the regime holds, and who still serves.
    date
        The day at which all are read, e.g. 2019-06-30; by default the last for which the case has a target of
        the measure, else the last day.
    runs
        Runs of the case and of each world without a mechanism.
    pairs
        Number of mechanisms among which all pairs are taken out; 0 for none.
    draws
        Prior simulations to screen parameters with; by default 1024, and 0 for a case without priors. 0
        leaves out what is said of variance.
    rows
        Rows of the design that shares variance out, at most half of --draws; by default an eighth of them. 0
        leaves it out.
    groups
        Mechanisms that get a share of the variance of their own.
    watched
        Runs of which every moment of decision is looked at; 0 for none.
    parameters
        posterior: mechanisms are taken out under draws of the posterior that comes with the case; values:
        under the parameters' values. By default the posterior where there is one.
    changes
        Set a parameter for everything, as NAME=VALUE. May be given several times.
    until
        Last day, e.g. 2019-06-30, if earlier than the case's own.
    seed
        Names the world: the same case and seed give the same numbers.
    workers
        Number of processes; by default as many as pay off on this machine's cores.
    store
        Folder that keeps every finished run; by default breakrank-CASE.store in the current directory. The
        same call goes on from there.
    backend
        Where runs are made: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786.
    out
        Folder for the explanation. An earlier one there is replaced. By default breakrank-explain-CASE-SEED
        in the current directory, with a number added if that is taken.
    json
        Print one JSON object on standard output and nothing else there.
    quiet
        Print nothing but errors.
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
