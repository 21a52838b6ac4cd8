"""The figures of voice: the life of plots, one run's plots, risings, one rising, the command tree."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from breakrank.questions.run import command_tree, plot_lanes, plot_outcomes, rising_hours, risings
from breakrank.questions.run.recorded import empty, recorded
from breakrank.questions.run.voice import ENDS, OUTCOMES, force_of, key, logged, names, told
from breakrank.show.figure import Builder, Figure, Panel
from breakrank.show.look import Look
from breakrank.show.provenance import one_stands_for

if TYPE_CHECKING:
    from breakrank.results import Result

_NO_LOG = "No run's event log was kept."
SHORT = {
    "broken": "Broken",
    "scattered": "Scattered",
    "dissolved": "Dissolved",
    "launched": "Launched",
    "alive": "Alive",
}
"""The ends of plots, in a word each."""
RESTS_ON = (8, 9)
"""Subsystems whose evidence stands behind a figure that has nothing to draw: plots and risings."""


def plots(result: Result, look: Look) -> Figure:
    """Return the figure of all plots: founded, for what, how they ended, and how by size."""
    title = "The life of plots"
    if not recorded(result, "plots"):
        return empty("plots", "Plots", title, "These runs did not record plots.", look, RESTS_ON)
    one = plot_outcomes.founded(result)
    said = plot_outcomes.sentence(one)
    if one.total <= 0:
        return empty("plots", "Plots", title, said, look, RESTS_ON)
    width = look.width("wide")
    ends = [(short, *ENDS[e]) for e, short in SHORT.items()]
    return Figure(
        id="plots",
        short="Plots",
        title=title,
        note="averages over runs, so that the parts add up" if one.runs > 1 else "the one run",
        sentence=said,
        panels=(
            Panel("plots-flow", plot_outcomes.flow(one, look.theme, width), said),
            Panel("plots-key", key(ends, look.theme, width), "Key to the ends of plots."),
            Panel(
                "plots-sizes",
                plot_outcomes.sizes(one, look.theme, width),
                f"How plots of each size end. {said}",
            ),
        ),
        table=plot_outcomes.table(one),
        size="wide",
        rests_on=(5, 8),
    )


def lives(result: Result, look: Look) -> Figure:
    """Return the figure of the plots of one run, as lanes."""
    title = "One run's plots"
    found = told(result)
    drawn = [run for run in found if found[run][0]]
    with_rising = [run for run in drawn if found[run][1]]
    if not drawn:
        text = "None of the logged runs has a plot." if result.events is not None else _NO_LOG
        return empty("plot-lives", "One run", title, text, look, RESTS_ON)
    run = (with_rising or drawn)[0]
    mine, width = found[run][0], look.width("wide")
    name = names(result, force_of(result, run))
    said = plot_lanes.sentence(mine, run)
    ends = [(short, *ENDS[e]) for e, short in SHORT.items()]
    return Figure(
        id="plot-lives",
        short="One run",
        title=title,
        note=_as_simulated(
            result, "one lane a plot, the thicker the larger it grew; colour and last word say how it ended"
        ),
        sentence=said,
        panels=(
            Panel("lanes-colours", key(ends, look.theme, width), "Key to the colours of the lanes."),
            Panel("lanes-marks", plot_lanes.key(look.theme, width), "Key to the marks on the lanes."),
            Panel("plot-lanes", plot_lanes.lanes(mine, result.case, name, look.theme, width), said),
        ),
        table=plot_lanes.table(mine, result.case, name),
        size="wide",
        rests_on=(5, 8),
    )


def _as_simulated(result: Result, note: str) -> str:
    """Return the note of a drawing of one run, soldier by soldier, which counts them as simulated."""
    sized = one_stands_for(result.case.stands_for)
    return f"{note.rstrip('.')}. Here soldiers are counted as simulated. {sized}" if sized else note


def when(result: Result, look: Look) -> Figure:
    """Return the figure of risings by month."""
    title = "Risings, month by month"
    if not recorded(result, "risings"):
        return empty("risings", "Risings", title, "These runs did not record risings.", look, RESTS_ON)
    one = risings.months(result)
    said, width = risings.sentence(one), look.width("wide")
    if look.page and not one.each.any() and not one.counted:
        return empty("risings", "Risings", title, said, look, RESTS_ON)
    outcomes = [(name, role, 1.0) for role, name in OUTCOMES.values()]
    return Figure(
        id="risings",
        short="Risings",
        title=title,
        note="share of runs with at least one rising in the month; ink: the record",
        sentence=said,
        panels=(
            Panel("risings-key", key(outcomes, look.theme, width), "Key to the outcomes of risings."),
            Panel("risings-months", risings.chart(one, look.theme, width), said),
        ),
        table=risings.table(one),
        size="wide",
        rests_on=(9, 10, 11),
    )


def hours(result: Result, look: Look) -> Figure:
    """Return the figure of the largest rising among the logged runs, hour by hour."""
    title = "A rising, hour by hour"
    best = rising_hours.largest(told(result))
    if best is None:
        text = "None of the logged runs has a rising." if result.events is not None else _NO_LOG
        return empty("rising", "One rising", title, text, look, RESTS_ON)
    run, one = best
    said = rising_hours.sentence(one, run, result.case, names(result, force_of(result, run)))
    usual = rising_hours.typical(result, one.size)
    return Figure(
        id="rising",
        short="One rising",
        title=title,
        note=_as_simulated(
            result, " ".join(("pale: already out; full: came out in that hour.", usual)).strip()
        ),
        sentence=f"{said} {usual}".strip(),
        panels=(Panel("rising-hours", rising_hours.chart(one, look.theme, look.width("wide")), said),),
        table=rising_hours.table(one),
        size="wide",
        rests_on=(9, 10),
    )


def command(result: Result, look: Look) -> Figure:
    """Return the figure of the command tree."""
    title = "Down the chain of command"
    one = command_tree.tree(result, None)
    if one is None and logged(result) and getattr(result.case, "draws", None) is None:
        one = command_tree.tree(result, force_of(result, 0))  # all runs have this force
    if one is None:
        text = "These runs recorded neither counts by branch and region nor an event log to count from."
        return empty("command", "Command", title, text, look, RESTS_ON)
    made = command_tree.panels(one, look.theme, look.width("small"))
    return Figure(
        id="command",
        short="Command",
        title=title,
        note=f"{one.source}; the fuller the colour, the larger the share",
        sentence=command_tree.sentence(one),
        panels=tuple(Panel(f"command-{ident}", chart, said) for ident, said, chart in made),
        table=command_tree.table(one),
        size="small",
        rests_on=(1, 4, 7, 8),
    )


VOICE: Mapping[str, Builder] = MappingProxyType(
    {"plots": plots, "plot-lives": lives, "risings": when, "rising": hours, "command": command}
)
"""The figures by name, in the order of the report."""
