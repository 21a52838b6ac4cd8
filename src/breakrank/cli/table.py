"""The short table at the end of a run: each outcome with its spread, the record, and who said so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.cli.text import figure, labelled, say, say_table, title

if TYPE_CHECKING:
    from breakrank.results import Outcome, Result

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
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(heading, ratio=1)
    for name in ("median", "50%", "90%", *(("record", "") if numbered else ())):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for number, o in enumerate(rows, 1):
        unit = "" if o.unit in _PLAIN else f" ({o.unit})"
        cells = [o.label + unit, _figure(o.median, o), _span(o.q25, o.q75, o), _span(o.q05, o.q95, o)]
        if o.record is not None:
            cells += [said(o), f"[{number}]{'*' if o.meets_record is False else ''}"]
        table.add_row(*(Text(cell) for cell in cells))
    say_table(table)
    say()
    if any(o.meets_record is False for o in rows):
        say("* the record lies outside the 90% interval")
        say()


_PLAIN = ("soldiers", "share", "ratio")
"""Units that the label makes plain."""


def _figure(value: float, outcome: Outcome) -> str:
    if outcome.unit == "share":
        return figure(100 * value) + "%"
    return figure(round(value) if outcome.unit == "soldiers" and abs(value) >= 10 else value)


def _span(low: float, high: float, outcome: Outcome) -> str:
    ends = _figure(low, outcome), _figure(high, outcome)
    return ends[0] if ends[0] == ends[1] else f"{ends[0].removesuffix('%')} to {ends[1]}"


def said(outcome: Outcome) -> str:
    """Return what the record says of an outcome, e.g. ``"950 to 1,000"`` or ``"at most 10"``."""
    record = outcome.record
    if record is None:
        return ""
    if record.kind == "at_most":
        return f"at most {_figure(record.high, outcome)}"
    if record.kind == "at_least":
        return f"at least {_figure(record.low, outcome)}"
    return _span(record.low, record.high, outcome)


def _shortened(source: str) -> str:
    phrases = source.split("; ")
    more = len(phrases) - PHRASES
    return "; ".join(phrases[:PHRASES]) + (f"; and {more} more" if more > 0 else "")
