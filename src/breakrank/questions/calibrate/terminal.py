"""What ``breakrank calibrate`` prints: the verdict, what is informed, and the record beside the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.calibrate.data import rows
from breakrank.show.terminal import LABEL, NUMBER, say, say_table, title, wrapped
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
    numbers = [(head, NUMBER) for head in ("narrower", "prior 90%", "posterior 90%")]
    say_table([("informed parameter", LABEL), *numbers, ("unit", {})], told)
    say()
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
    numbers = [(head, NUMBER) for head in ("record", "prior 90%", "posterior 90%")]
    say_table([("target", LABEL), *numbers, ("inside", {})], told)
    say()
