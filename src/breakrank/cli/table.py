"""The short table at the end of a run: each outcome with its spread, the record, and who said so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.cli.text import figure, labelled, say, span, title, width

if TYPE_CHECKING:
    from breakrank.results import Outcome, Record, Result

PHRASES = 2
"""Sources named for each figure of the record; the rest is counted."""


def show(result: Result) -> None:
    """Print the headline outcomes of a result to standard output."""
    outcomes = result.outcomes()
    runs = f"{result.runs} run{'s' * (result.runs != 1)}"
    say(title(f"{result.case.title}: {runs}, seed {result.seed}, {result.seconds:.1f} s"))
    beside = [o for o in outcomes if o.record is not None]
    beyond = [o for o in outcomes if o.record is None]
    for heading, rows in (("Beside the record", beside), ("Beyond the record", beyond)):
        if rows:
            _print(heading, rows, numbered=rows is beside)
    if beside:
        say(title("Who says so"))
        for number, outcome in enumerate(beside, 1):
            assert outcome.record is not None
            say(labelled(f"[{number}]", _shortened(outcome.record.source), 0, 5))
        say(f"More: breakrank evidence {result.case.id} {beside[0].id}")
        say()
    say("Intervals show the spread of the model over its runs, not the certainty of a forecast.")


def _print(heading: str, rows: Sequence[Outcome], numbered: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=None)
    table.add_column(heading, ratio=1)
    for name in ("median", "50%", "90%"):
        table.add_column(name, justify="right", no_wrap=True)
    if numbered:
        table.add_column("record", justify="right", no_wrap=True)
    for number, o in enumerate(rows, 1):
        unit = "" if o.unit in ("soldiers", "share", "ratio") else f" ({o.unit})"
        cells: list[Text | str] = [
            Text(o.label + unit),
            figure(o.median),
            span(o.q25, o.q75),
            span(o.q05, o.q95),
        ]
        if o.record is not None:
            mark = "" if o.meets_record else " *"
            cells.append(Text(f"{said(o.record)}{mark} [{number}]"))
        table.add_row(*cells)
    Console(width=width(), highlight=False).print(table)
    if any(o.meets_record is False for o in rows):
        say("* outside the 90% interval")
        say()


def said(record: Record) -> str:
    """Return what the record says, e.g. ``"950 to 1,000"`` or ``"at most 10"``."""
    if record.kind == "at_most":
        return f"at most {figure(record.high)}"
    if record.kind == "at_least":
        return f"at least {figure(record.low)}"
    return span(record.low, record.high)


def _shortened(source: str) -> str:
    phrases = source.split("; ")
    more = len(phrases) - PHRASES
    return "; ".join(phrases[:PHRASES]) + (f"; and {more} more" if more > 0 else "")
