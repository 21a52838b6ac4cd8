"""What ``breakrank calibrate`` prints: the verdict, what is informed, and each figure beside the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.show.tables import rows_of
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, say, say_table, title, wrapped
from breakrank.show.words import interval, number, percent, span
from breakrank.wording import listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case.ensemble import PosteriorEnsemble
    from breakrank.inference.result import Calibration

MOST = 20
"""Informed parameters that are listed; the table on disk has all."""
NOTHING = 0.1
"""Bits below which a figure tells next to nothing."""
HARDLY = 0.1
"""Share of members that agree with a figure, below which it is named."""


def show(found: Calibration) -> None:
    """Print a calibration to standard output."""
    about = found.about
    say(title(f"Calibration of {about['title']}"))
    say(
        f"{about['simulations']:,} simulations in {about['waves']} wave{'s' * (about['waves'] != 1)}, "
        f"seed {about['seed']}, {about['seconds']:,.0f} s"
    )
    say()
    for line in found.verdict:
        say(wrapped(f"- {line}"))
    say()
    _parameters(found)
    _targets(found.tables["targets"])
    if found.ensemble is not None:
        show_figures(found.ensemble, "figure, in the ensemble")


def _parameters(found: Calibration) -> None:
    informed = found.tables["parameters"].loc[list(found.informed)]
    if informed.empty:
        return
    lines = [
        (
            str(row.id),
            f"{row.contraction:.0%}",
            interval(row.prior_q05, row.prior_q95),
            interval(row.posterior_q05, row.posterior_q95),
            str(row.unit),
        )
        for row in rows_of(informed.head(MOST))
    ]
    numbers = [(head, NUMBER) for head in ("contraction", "prior 90%", "posterior 90%")]
    say_table([("informed parameter", LABEL), *numbers, ("unit", {})], lines)
    say()
    if len(informed) > MOST:
        say(wrapped(f"and {len(informed) - MOST} more; tables/parameters.csv has all."))
        say()


def _targets(targets: pd.DataFrame) -> None:
    lines = [
        (
            str(row.label),
            span(row.figure_low, row.figure_high),
            interval(row.prior_q05, row.prior_q95),
            interval(row.posterior_q05, row.posterior_q95),
            "yes" if row.inside else "no",
        )
        for row in rows_of(targets)
    ]
    numbers = [(head, NUMBER) for head in ("observed", "prior 90%", "posterior 90%")]
    say_table([("target", LABEL), *numbers, ("inside", {})], lines)
    say()


def show_figures(ensemble: PosteriorEnsemble, heading: str) -> None:
    """Print a table of the figures that an ensemble assimilated, under a heading: how well each is met."""
    heads = ("median", "90%", "observed, 90%", "agree", "bits")
    columns = [(heading, LABEL), *((head, NUMBER | WHOLE) for head in heads), ("", WHOLE)]
    say_table(columns, [_row(one) for one in ensemble.figures])
    say()
    if any(one["bits"] < NOTHING for one in ensemble.figures):
        say(wrapped("- nearly all runs agreed with it beforehand; it is no success that members do."))
    if any(not one["used"] for one in ensemble.figures):
        say(wrapped("= it counts what another figure of its date counts, and was left out."))
    missed = [one["label"] for one in ensemble.figures if one["used"] and one["agree"] < HARDLY]
    if missed:
        say(wrapped(f"Hardly a member meets: {listed(missed)}."))
    if ensemble.doubt:
        say(wrapped(ensemble.doubt))


def _row(one: dict[str, Any]) -> list[str]:
    mark = "=" if not one["used"] else "-" if one["bits"] < NOTHING else ""
    low, high = one["interval90"]
    return [
        one["label"],
        *(("", "") if low is None else (number(one["median"]), f"{number(low)} to {number(high)}")),
        _allowed(*one["error90"]),
        percent(one["agree"]),
        f"{one['bits']:.1f}",
        mark,
    ]


def _allowed(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{number(low)} to {number(high)}"
    if low is not None:
        return f"{number(low)} or more"
    return "" if high is None else f"{number(high)} or less"
