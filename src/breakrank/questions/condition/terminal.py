"""Worlds on the terminal: each figure they were told, how well it is met, and at what price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.questions.condition.learned import in_words, learned
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, say, say_table, title, wrapped
from breakrank.show.words import number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.worlds import Worlds

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
