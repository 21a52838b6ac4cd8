"""What an examination looks like on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from breakrank.questions.examine.tables import cells, summary
from breakrank.show.terminal import say, say_table, title, wrapped

if TYPE_CHECKING:
    from breakrank.questions.examine.examine import Examination


def show(made: Examination) -> None:
    """Print the table of answers, part by part, and what came out."""
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
