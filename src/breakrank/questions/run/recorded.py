"""What a result must hold for a figure to say something, and the figure that says it does not."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from breakrank.questions.run.voice import nothing
from breakrank.show.figure import Figure, Panel
from breakrank.show.grid import GridTable
from breakrank.show.look import Look

if TYPE_CHECKING:
    from breakrank.results import Result

NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "map": ("units_fighting", "field_held", "exits_state"),
        "war": ("units_fighting", "posts_lost"),
        "went-over": ("went_over_rank", "went_over_branch"),
        "risings": ("risings", "collapsed", "stalemates", "won"),
        "command": ("plot_ends",),
    }
)
"""The variables without which a figure has nothing to say."""


def recorded(result: Result, name: str) -> bool:
    """Return whether a result holds what a figure draws."""
    return all(variable in result.data for variable in NEEDS.get(name, ()))


def empty(name: str, short: str, title: str, text: str, look: Look, rests_on: tuple[int, ...] = ()) -> Figure:
    """Return a figure that has nothing to draw, and says why."""
    panel = Panel(name, nothing(text, look.theme, look.width("wide")), text)
    return Figure(name, short, title, "", text, (panel,), GridTable(("",), ()), "wide", rests_on)
