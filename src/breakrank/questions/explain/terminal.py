"""What an explanation looks like in a terminal, and how long it will take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.questions.explain.removal import switches
from breakrank.questions.explain.result import called, made, on_events, on_mechanisms, signed
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import (
    NUMBER,
    WHOLE,
    clock,
    labelled,
    note,
    say,
    say_table,
    title,
    width,
    wrapped,
)

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.explain.removal import PairedEffect
    from breakrank.questions.explain.result import Explanation

UNCLEAR = "·"
"""Stands where an effect cannot be told from zero."""


def heads(found: Explanation) -> tuple[str, ...]:
    """Return what the columns of outcomes are called."""
    return tuple(
        f"{a.measure.replace('_', ' ')}{'' if a.date is None else f' {a.date}'}" for a in found.asked
    )


def lines(found: Explanation) -> list[tuple[str, ...]]:
    """Return a row for each mechanism: its name, what it does, and its effect on each outcome."""
    return [
        (
            called(s.mechanism),
            s.about,
            *(
                _cell(one, asked.unit)
                for one, asked in zip(found.removal.single[s.mechanism], found.asked, strict=True)
            ),
        )
        for s in found.removal.switches
    ]


def _cell(found: PairedEffect, unit: str) -> str:
    if not found.runs:
        return "no runs"
    if not found.told:
        return UNCLEAR
    number, _, points = signed(found.mean, unit).partition(" ")
    return f"{number} {points}" if points == "points" else number


def announce(case: Case, runs: int, seconds: float, backend: str | None, workers: int | None) -> None:
    """Say on standard error how many runs it takes and how long that will be.

    Parameters
    ----------
    runs : of the case, and without each mechanism.
    seconds : that a run of the case took here; nan where none was made.
    """
    from breakrank.runs.cores import available_cores

    taken = (1 + len(switches(case))) * runs
    told = f"up to {taken:,} runs with mechanisms switched off"
    if not math.isfinite(seconds):
        note(f"{told}, less those already in the store")
        return
    cores = 1 if backend == "serial" else workers or available_cores()
    on = f"{cores} core{'s' * (cores != 1)}"
    spent = clock(taken * seconds / cores)
    note(f"{told}: about {spent} on {on} ({seconds:.2g} s a run here), less those already in the store")


def tell(found: Explanation) -> None:
    """Print the table of effects, and the sentences."""
    say(title(f"{found.case.title}: effect of switching off each mechanism"))
    if found.case.draws is not None:
        say(labelled("Under:", str(found.case.draws), 0, 9))
    _say_effects(found)
    say(wrapped("Mean differences; a dot where one cannot be told from zero (95% interval, paired t)."))
    if sized := drawn_in_part(found.case.stands_for):
        say(wrapped(sized))
    if about := on_mechanisms(found):
        say()
        say(title("Without a mechanism"))
    for text in (*about, *on_events(found)):
        say(labelled("- ", text, 0, 2))
    say()
    say(labelled("- ", made(found), 0, 2))
    say()


def _say_effects(found: Explanation) -> None:
    """Print mechanism by outcome, in as many tables as it takes for no word to be broken."""
    columns = list(zip(("without", *heads(found)), *([n, *c] for n, _, *c in lines(found)), strict=True))
    wide = [max(len(word) for cell in column for word in cell.split()) for column in columns]
    wide[0], at = max(map(len, columns[0])), 1
    while at < len(columns):
        last, room = at, width() - wide[0] - 3
        while last < len(columns) and (last == at or room >= wide[last] + 3):
            room, last = room - wide[last] - 3, last + 1
        shown = [columns[0], *columns[at:last]]
        heads_of = [(c[0], NUMBER | {"min_width": w}) for c, w in zip(shown[1:], wide[at:last], strict=True)]
        say_table([("without", WHOLE), *heads_of], zip(*(c[1:] for c in shown), strict=True))
        at = last
