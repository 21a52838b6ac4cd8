"""Worlds on the terminal: each figure they were told, how well it is met, and at what price."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.model import MECHANISMS
from breakrank.show.evidence import SUBSYSTEMS
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, say, say_table, title, wrapped
from breakrank.show.words import number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.worlds import Worlds

CHANCE = 1.628
"""Times the root of the number of worlds, what 99% of samples from the prior stay below (Kolmogorov 1933)."""


@dataclass(frozen=True)
class LearnedParameter:
    """How far a parameter has moved.

    Attributes
    ----------
    name : of the parameter. subsystem : number of its part of the system, 1 to 14; 0 for none.
    moved : largest difference between the shares of worlds and of the prior below a value, 0 to 1.
    beyond : whether chance alone would move it as far in less than 1% of cases.
    middle : where the median of the worlds lies in the prior, 0 to 1.
    """

    name: str
    subsystem: int
    moved: float
    beyond: bool
    middle: float


def learned(case: Case, worlds: Worlds) -> tuple[LearnedParameter, ...]:
    """Return what worlds learned of each parameter that has a prior, the most moved first.

    Worlds that share a draw are no evidence of their own: the level of chance is that of the number of
    independent worlds that they are worth.
    """
    numbers = {kind.name: kind.subsystem for kind in MECHANISMS} | {"force": 1}
    read_by = {field.name: kind.subsystem for kind in reversed(MECHANISMS) for field in kind.fields}
    numbers |= {name: read_by.get(one.field, 0) for name, one in case.forcing.items()}
    level = CHANCE / math.sqrt(worlds.about["effective"])
    found = []
    for name, column in zip(worlds.draws.names, worlds.draws.values.T, strict=True):
        known = case.parameters.get(name)
        if known is None or known.prior is None:
            continue
        prior = known.prior
        below = np.sort([prior.cdf(float(value)) for value in column])
        steps = np.arange(len(below) + 1) / len(below)
        moved = float(max((steps[1:] - below).max(), (below - steps[:-1]).max()))
        number = numbers.get(name, numbers.get(name.partition(".")[0], 0))
        found.append(LearnedParameter(name, number, moved, moved > level, float(np.median(below))))
    return tuple(sorted(found, key=lambda one: -one.moved))


def in_words(found: Iterable[LearnedParameter]) -> str:
    """Return what was learned, in a paragraph."""
    every = list(found)
    beyond = [one for one in every if one.beyond]
    silent = [
        label for number, label in SUBSYSTEMS.items() if not any(one.subsystem == number for one in beyond)
    ]
    words = (
        f"Of {len(every)} parameters, {len(beyond)} have moved from their priors beyond chance; about "
        f"{math.ceil(len(every) / 100)} would by chance alone."
    )
    if beyond:
        ways = ", ".join(f"{one.name} ({'up' if one.middle > 0.5 else 'down'})" for one in beyond[:5])
        words += f" Most of all: {ways}."
    if silent:
        words += f" Of no parameter of these parts does the record say anything: {'; '.join(silent)}."
    return words


NOTHING = 0.1
"""Bits below which a figure told the worlds next to nothing."""
HARDLY = 0.1
"""Share of worlds that agree with a figure, below which it is named."""


def show(worlds: Worlds, case: Case) -> None:
    """Print what worlds of a case were told, what came of it, and what they learned."""
    about = worlds.about
    if not worlds.figures:
        say(title(f"{about['worlds']:,} draws of the prior of {about['case']}"))
        say(wrapped(worlds.doubt))
        return
    say(
        title(
            f"{about['worlds']:,} worlds of {about['case']} that agree with the record up to {about['given']}"
        )
    )
    show_figures(worlds, "Figure")
    say(wrapped(_price(about)))
    say(wrapped(in_words(learned(case, worlds))))
    if worlds.doubt:
        say(wrapped(worlds.doubt))


def show_figures(worlds: Worlds, heading: str) -> None:
    """Print a table of the figures that worlds were told, under a heading: how well each is met."""
    heads = ("median", "90%", "record, 90%", "agree", "bits")
    columns = [(heading, LABEL), *((head, NUMBER | WHOLE) for head in heads), ("", WHOLE)]
    say_table(columns, [_row(one) for one in worlds.figures])
    say()
    if any(one["bits"] < NOTHING for one in worlds.figures):
        say(
            wrapped(
                "- nearly all worlds agreed with it before they were told; it is no success that they do."
            )
        )
    if any(not one["used"] for one in worlds.figures):
        say(wrapped("= it counts what another figure of its date counts, and was left out."))
    missed = [one["label"] for one in worlds.figures if one["used"] and one["agree"] < HARDLY]
    if missed:
        say(wrapped(f"Hardly a world meets: {listed(missed)}."))


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


def _price(about: Any) -> str:  # noqa: ANN401 (as read from YAML)
    fewest, most = min(about["paths"]), max(about["paths"])
    paths = str(most) if fewest == most else f"{fewest} to {most}"
    steps = about.get("settled")
    count, verb = (about["draws"], "are among") if steps is None else (steps["starts"], "lead to")
    return (
        f"Where the record points was learned from {about['lives']:,} lives. {about['filtered']:,} draws of "
        f"parameters were lived with {paths} paths of random draws to each date; {count:,} of them "
        f"{verb} the {about['worlds']:,} worlds, which are worth {about['effective']:.0f} independent ones. "
        f"{'' if steps is None else _steps(steps)}"
        "Bits: how much a figure alone tells lives that have not been told of it."
    )


def _steps(settled: Any) -> str:  # noqa: ANN401 (as read from YAML)
    return (
        f"Each took {settled['steps']:,} steps in parameters and luck under the whole record; at "
        f"the end {percent(settled['taken'])} of the steps were taken. "
    )
