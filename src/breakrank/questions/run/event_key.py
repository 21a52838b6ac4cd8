"""The key to numbered events, drawn below a chart where there is no page to list them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from breakrank.show import vegalite as vl
from breakrank.show.marks import Dated
from breakrank.show.sheet import Drawn, Sheet
from breakrank.show.style import SMALL, WIDE_WIDTH, Theme
from breakrank.show.words import day

COLUMNS = 2
LINE = 16
"""Height of a line, px."""


def key(events: Sequence[Dated], theme: Theme) -> list[Drawn]:
    """Return the numbered list of events as a chart of texts, in columns read downwards."""
    if not events:
        return []
    lines = -(-len(events) // COLUMNS)
    room = WIDE_WIDTH // COLUMNS
    rows = [
        {
            "x": (i // lines) * room,
            "y": (i % lines) * LINE + 8,
            "text": f"{e.number}\u2002{day(e.date, year=False)}\u2002{e.title}",
        }
        for i, e in enumerate(events)
    ]
    where: dict[str, Any] = {
        "x": vl.field("x:Q", scale=None, axis=None),
        "y": vl.field("y:Q", scale=None, axis=None),
        "text": "text:N",
    }
    sheet = Sheet()
    mark = sheet.on(rows).mark("text", align="left", fontSize=SMALL, color=theme.muted, limit=room - 12)
    return [sheet.drawn([mark.encode(**where)], width=WIDE_WIDTH, height=lines * LINE)]
