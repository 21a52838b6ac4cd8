"""The data of one chart, kept apart from its layers.

Layers name their rows, so that those that show the same rows share them; the rows join the chart once, at
the end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from breakrank.show.vegalite import Chart, Title, layered

Width = int | Literal["container"]
"""Width of a plot: px, or that of the page's column."""
Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """One chart, and the rows that its layers name."""

    chart: Chart
    rows: Mapping[str, Rows]

    def spec(self) -> dict[str, Any]:
        """Return the specification with its rows under ``datasets``, without a ``$schema`` address."""
        return {**self.chart, "datasets": dict(self.rows)}


class Sheet:
    """Collects the rows that the layers of one chart are drawn from."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = {}

    def on(self, rows: Sequence[Mapping[str, Any]]) -> Chart:
        """Return an empty chart on rows of data."""
        kept = [dict(r) for r in rows]
        name = "d" + hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:16]
        self.rows[name] = kept
        return Chart(data={"name": name})

    def drawn(self, layers: Sequence[Chart], width: Width, height: int, title: Title | None = None) -> Drawn:
        """Return the layers as one chart."""
        whole = layered(layers, width=width, height=height)
        return Drawn(whole if title is None else whole.having(title=title), self.rows)
