"""``breakrank stories``: the lives that the reports tell, counted over many runs, one of each named."""

from __future__ import annotations

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
from breakrank.runs.study_progress import Counter


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
