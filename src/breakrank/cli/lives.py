"""``breakrank trace`` and ``breakrank stories``: the year of one soldier, and kinds of lives counted."""

from __future__ import annotations

from dataclasses import dataclass

from cyclopts import Parameter

from breakrank.cli.ensemble import ensemble_case
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    DatedOptions,
    Events,
    FileOptions,
    Whole,
    Workers,
)
from breakrank.cli.progress import live
from breakrank.errors import UsageError
from breakrank.runs.study_progress import Counter

RUNS = 100
"""Runs among which one is taken: as many as `breakrank run` makes."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class WhoOptions:
    """Of whom one is taken.

    Attributes
    ----------
    rank
        With --fate: of this rank, by its id in force.yaml.
    branch
        With --fate: of this branch, by its id in force.yaml.
    """

    rank: str | None = None
    branch: str | None = None


def trace(
    case: str,
    /,
    *,
    soldier: Whole | None = None,
    fate: str | None = None,
    who: WhoOptions = WhoOptions(),
    run: Whole = 0,
    events: Events = None,
    options: DatedOptions = DatedOptions(),
    output: FileOptions = FileOptions(),
) -> None:
    """Tell the history of one soldier, with the reasons at each decision.

    Soldiers are synthetic. The same case, seed and run give the same life as in the ensemble.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    soldier
        Any soldier, by number from 0.
    fate
        Instead of a number: a typical one of those who ended this way, e.g. registered or dead.
    run
        Which run, from 0.
    """
    from breakrank.answer.files import with_command
    from breakrank.lives.answer import history
    from breakrank.lives.trace import find_soldier
    from breakrank.lives.trace import trace as told

    if (soldier is None) == (fate is None):
        raise UsageError("name either a soldier (--soldier 1234) or how their year ended (--fate registered)")
    if fate is None and (who.rank or who.branch):
        raise UsageError("--rank and --branch go with --fate: a soldier by number has one of each")
    made = ensemble_case(case, options, events, RUNS, output.json)
    changed = made.case
    with live("One life", output.json):
        if soldier is None:
            assert fate is not None
            soldier = find_soldier(changed, fate, options.seed, run, rank=who.rank, branch=who.branch)
        life = told(changed, soldier, options.seed, run)
    answer = with_command(
        history(life, changed, made.told),
        options.call("trace", case, events, soldier=soldier, run=run),
    )
    output.hand_over(answer)


def stories(
    case: str,
    /,
    *,
    runs: Whole = 20,
    events: Events = None,
    workers: Workers = None,
    options: DatedOptions = DatedOptions(),
    output: FileOptions = FileOptions(),
) -> int:
    """Count the kinds of lives that the reports describe, and name one of each.

    They are those that come with the package. A case adds, replaces or leaves out some in patterns.yaml.

    For each story: the number of such lives in a run (median and 90% interval over runs), what exactly is
    counted, what the report says, and a synthetic soldier who lived one.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    runs
        Number of runs, each with its own random draws.
    """
    from breakrank.answer.files import with_command
    from breakrank.lives.answer import kinds_of_lives
    from breakrank.lives.stories import stories as counted

    made = ensemble_case(case, options, events, runs, output.json)
    changed = made.case
    with live(f"{changed.title}, {runs} run{'s' * (runs != 1)}", output.json) as watch:
        counter = Counter(runs, 0, watch)

        def progress(done: int, _: int) -> None:
            counter.made = done
            counter.tell()

        found = counted(changed, runs=runs, seed=options.seed, workers=workers, progress=progress)
    answer = with_command(
        kinds_of_lives(found, runs, made.told),
        options.call("stories", case, events, runs=runs),
    )
    output.hand_over(answer)
    return INTERRUPTED if found.interrupted else FAILED if found.failed else DONE
