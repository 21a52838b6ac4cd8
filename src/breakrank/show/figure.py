"""What a figure is: panels that belong together, their sentence, their table, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.show.look import Look, Size

if TYPE_CHECKING:
    from breakrank.results import Result
    from breakrank.show.grid import GridTable
    from breakrank.show.sheet import Drawn


@dataclass(frozen=True, eq=False, slots=True)
class Panel:
    """One chart of a figure, with the sentence that says what it shows."""

    id: str
    drawn: Drawn
    sentence: str


@dataclass(frozen=True, eq=False, slots=True)
class Figure:
    """Panels that belong together.

    Attributes
    ----------
    id, short, title, note : name, short and long heading, and what the reader should know of the drawing.
    sentence : what the figure shows, from its numbers.
    panels, size : charts, and how much of the page's width each takes.
    table : the same numbers.
    rests_on : numbers of the subsystems whose evidence stands behind it.
    targets : ids of the targets drawn.
    """

    id: str
    short: str
    title: str
    note: str
    sentence: str
    panels: tuple[Panel, ...]
    table: GridTable
    size: Size = "small"
    rests_on: tuple[int, ...] = ()
    targets: tuple[str, ...] = ()


Builder = Callable[["Result", Look], Figure]
