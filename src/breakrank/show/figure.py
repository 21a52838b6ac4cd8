"""What a figure is: panels that belong together, their sentence and their table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.show.grid import GridTable
    from breakrank.show.look import Size
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
    id, title, note : name, heading, and what the reader should know of the drawing.
    sentence : what the figure shows, from its numbers.
    panels, size : charts, and how much of the page's width each takes.
    table : the same numbers.
    """

    id: str
    title: str
    note: str
    sentence: str
    panels: tuple[Panel, ...]
    table: GridTable
    size: Size = "small"
