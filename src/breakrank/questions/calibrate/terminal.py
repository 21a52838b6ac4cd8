"""What ``breakrank calibrate`` prints: the verdict, what is informed, and the record beside the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from breakrank.questions.calibrate.result import rows
from breakrank.show.terminal import say, say_table, title, wrapped
from breakrank.show.words import interval, span

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.calibrate.result import Calibration

MOST = 20
"""Informed parameters that are listed; the table on disk has all."""


def show(found: Calibration) -> None:
    """Print a calibration to standard output."""
    about = found.about
    say(title(f"Calibration of {about['title']}"))
    say(
        f"{about['simulations']:,} simulations in {about['rounds']} round{'s' * (about['rounds'] != 1)}, "
        f"seed {about['seed']}, {about['seconds']:,.0f} s"
    )
    say()
    for line in found.verdict:
        say(wrapped(f"- {line}"))
    say()
    _parameters(found)
    _targets(found.tables["targets"])


def _parameters(found: Calibration) -> None:
    informed = found.tables["parameters"].loc[list(found.informed)]
    if informed.empty:
        return
    told = [
        (
            str(row.id),
            f"{row.contraction:.0%}",
            interval(row.prior_q05, row.prior_q95),
            interval(row.posterior_q05, row.posterior_q95),
            str(row.unit),
        )
        for row in rows(informed.head(MOST))
    ]
    _print(("informed parameter", "narrower", "prior 90%", "posterior 90%", "unit"), told, (1, 2, 3))
    if len(informed) > MOST:
        say(wrapped(f"and {len(informed) - MOST} more; tables/parameters.csv has all."))
        say()


def _targets(targets: pd.DataFrame) -> None:
    told = [
        (
            str(row.label),
            span(row.record_low, row.record_high),
            interval(row.prior_q05, row.prior_q95),
            interval(row.posterior_q05, row.posterior_q95),
            "yes" if row.inside else "no",
        )
        for row in rows(targets)
    ]
    _print(("target", "record", "prior 90%", "posterior 90%", "inside"), told, (1, 2, 3))


def _print(heads: tuple[str, ...], told: Sequence[tuple[str, ...]], numbers: tuple[int, ...]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for k, head in enumerate(heads):
        table.add_column(Text(head), ratio=1 if k == 0 else None, justify="right" if k in numbers else "left")
    for row in told:
        table.add_row(*(Text(cell) for cell in row))
    say_table(table)
    say()
