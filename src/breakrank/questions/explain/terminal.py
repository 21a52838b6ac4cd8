"""What an explanation looks like in a terminal, and how long it will take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.show.terminal import NUMBER, WHOLE, clock, labelled, note, say, say_table, title, wrapped

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.explain.result import Explanation
    from breakrank.questions.explain.steps import Size

HEADINGS = {
    "stay": "Why opposed soldiers stay",
    "removal": "Without a mechanism",
    "pairs": "Pairs of mechanisms",
    "variance": "Parameters and chance, over the priors",
    "made": "",
}
"""Headings of the topics of sentences."""


def announce(
    case: Case, size: Size, seconds: tuple[float, float], backend: str | None, workers: int | None
) -> None:
    """Say on standard error how many runs it takes and how long that will be.

    Parameters
    ----------
    seconds : that a run of the case took here, and one under prior draws; nan where there are none.
    """
    from breakrank.runs.cores import available_cores

    taken, prior = size.count(case)
    cores = 1 if backend == "serial" else workers or available_cores()
    runs = f"up to {taken:,} runs with mechanisms switched off"
    runs += f" and {prior:,} with parameters from the priors" if prior else ""
    if not math.isfinite(seconds[0]) or (prior and not math.isfinite(seconds[1])):
        note(f"{runs}, less those already in the store")
        return
    spent = (taken * seconds[0] + (prior * seconds[1] if prior else 0.0)) / cores
    each = f"{seconds[0]:.2g} s" + (f" and {seconds[1]:.2g} s" if prior else "")
    on = f"{cores} core{'s' * (cores != 1)}"
    note(f"{runs}: about {clock(spent)} on {on} ({each} a run here), less those already in the store")


def tell(found: Explanation) -> None:
    """Print the table of effects, and the sentences; what is said of variance for the first outcome."""
    from breakrank.questions.explain.grid import heads, lines
    from breakrank.questions.explain.sentences import told

    say(title(f"{found.case.title}: effect of switching off each mechanism"))
    columns = [("without", WHOLE), *((head, NUMBER | {"min_width": 7}) for head in heads(found))]
    say_table(columns, ((name, *cells) for name, _, *cells in lines(found)))
    say(wrapped("Mean differences; a dot where one cannot be told from zero (95% interval, paired t)."))
    first, topic = found.asked[0].measure, ""
    for one in told(found):
        if one.topic == "variance" and one.outcome != first:
            continue
        if one.topic != topic:
            topic = one.topic
            say()
            if HEADINGS[topic]:
                say(title(HEADINGS[topic]))
        say(labelled("- ", one.text, 0, 2))
    say()
