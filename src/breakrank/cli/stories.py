"""``breakrank stories``: the lives that the reports tell, counted over many runs, one of each named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.cli.ensemble import ensemble_case
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    DatedOptions,
    Events,
    Flag,
    Whole,
    Workers,
)
from breakrank.cli.progress import live
from breakrank.runs.study_progress import Counter
from breakrank.show.provenance import one_stands_for
from breakrank.show.terminal import (
    LABEL,
    NUMBER,
    WHOLE,
    labelled,
    note,
    say,
    say_json,
    say_table,
    title,
    wrapped,
)
from breakrank.show.words import interval, people, percent, within

if TYPE_CHECKING:
    from breakrank.lives.stories import Stories, Story

LARGE = 0.1
"""Share of the force from which a count is also given as a share."""


def stories(
    case: str,
    /,
    *,
    runs: Whole = 20,
    events: Events = None,
    workers: Workers = None,
    options: DatedOptions = DatedOptions(),
    json: Flag = False,
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
    json
        Print only one JSON object on standard output.
    """
    from breakrank.lives.stories import stories as counted

    made = ensemble_case(case, options, events, runs, json)
    changed = made.case
    with live(f"{changed.title}, {runs} run{'s' * (runs != 1)}", json) as watch:
        counter = Counter(runs, 0, watch)

        def progress(done: int, _: int) -> None:
            counter.made = done
            counter.tell()

        found = counted(changed, runs=runs, seed=options.seed, workers=workers, progress=progress)
    if json:
        say_json(found.to_dict())
    else:
        _show(found, made.told)
    if found.failed:
        note(f"breakrank: {len(found.failed)} of {runs} runs failed; the first says: {found.failed[0]}")
    if found.interrupted:
        note(f"breakrank: interrupted; counted are the {len(found.runs)} runs that had finished")
        return INTERRUPTED
    return FAILED if found.failed else DONE


def _show(found: Stories, told: str) -> None:
    from breakrank.results.quantiles import FEW

    runs = len(found.runs)
    say(title(f"{found.case.title}: stories in {runs} run{'s' * (runs != 1)}, seed {found.seed}"))
    if told:
        say(labelled("Changed:", told, 0, 9))
    if sized := one_stands_for(found.case.stands_for):
        say(wrapped(f"{sized} Lives are counted as simulated."))
    low, high = (0.05, 0.95) if runs >= FEW else (0.0, 1.0)
    numbers = ("median", "90%" if runs >= FEW else within(runs), "in")
    columns = [("Lives in a run", LABEL | {"min_width": 13}), *((name, NUMBER | WHOLE) for name in numbers)]
    rows = [
        (
            story.title,
            _many(story, found.case.force.strength),
            interval(story.quantile(low), story.quantile(high), "people"),
            f"{story.runs_with} of {runs}",
            ", ".join(dict.fromkeys(r.source for r in story.reports)),
        )
        for story in found.stories
    ]
    say_table([*columns, ("source", {})], rows)
    say()
    for story in found.stories:
        say(title(story.title))
        say(labelled("counted", story.about))
        for report in story.reports[:1]:
            say(labelled("report", str(report)))
        one = f"soldier {story.soldier} of run {story.run}"
        say(labelled("a life", "none in these runs" if story.soldier is None else one))
        say()
    say(wrapped("`breakrank trace` describes a soldier's year: --soldier and --run choose it."))
    say(
        wrapped(
            "No real person is described. Spreads are the model's over its runs; shares are of the force."
        )
    )


def _many(story: Story, strength: int) -> str:
    median = story.quantile(0.5)
    share = f" ({percent(median / strength)})" if median >= LARGE * strength else ""
    return people(median) + share
