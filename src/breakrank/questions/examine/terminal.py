"""What an examination looks like on the terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from breakrank.questions.examine.tables import cells, summary
from breakrank.show.terminal import NUMBER, WHOLE, Head, say, say_table, title, wrapped

if TYPE_CHECKING:
    from breakrank.questions.examine.examine import Examination


def show(made: Examination) -> None:
    """Print the table of answers, part by part, and what came out."""
    columns: list[tuple[str, Head]] = [(head, {}) for head in ("intervention", "measure", "expected")]
    columns += [(head, NUMBER) for head in ("before", "after", "95% interval of the difference")]
    for part, answers in groupby(made.answers, lambda answer: answer.item.part):
        say(title(part))
        rows, before = [], ""
        for answer in answers:
            measured, expected, was, became, _, interval, verdict = cells(answer)
            name = answer.item.id if answer.item.id != before else ""
            before = answer.item.id
            rows.append((name, measured, expected, was, became, interval, verdict))
        say_table([*columns, ("verdict", WHOLE)], rows)
    for line in summary(made):
        say(wrapped(line))
