"""The figures of voice: risings and the command tree."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from breakrank.questions.run import command_tree, risings
from breakrank.questions.run.recorded import empty, recorded
from breakrank.questions.run.voice import OUTCOMES, force_of, key, logged
from breakrank.show.figure import Builder, Figure, Panel
from breakrank.show.look import Look

if TYPE_CHECKING:
    from breakrank.results import Result

RESTS_ON = (8, 9)
"""Subsystems whose evidence stands behind a figure that has nothing to draw: plots and risings."""


def when(result: Result, look: Look) -> Figure:
    """Return the figure of risings by month."""
    title = "Risings, month by month"
    if not recorded(result, "risings"):
        return empty("risings", "Risings", title, "These runs did not record risings.", look, RESTS_ON)
    one = risings.months(result)
    said, width = risings.sentence(one), look.width("wide")
    if look.page and not one.each.any() and not one.counted:
        return empty("risings", "Risings", title, said, look, RESTS_ON)
    outcomes = [(name, role) for role, name in OUTCOMES.values()]
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


VOICE: Mapping[str, Builder] = MappingProxyType({"risings": when, "command": command})
"""The figures by name, in the order of the report."""
