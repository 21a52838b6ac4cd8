"""The data of one chart, kept apart from its layers.

Altair copies a chart with all its rows at every step; layers here name their rows instead, and the rows
join the chart once, at the end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

Width = int | Literal["container"]
"""Width of a plot: px, or that of the page's column."""
Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """One chart, and the rows that its layers name."""

    chart: alt.LayerChart
    rows: Mapping[str, Rows]

    def spec(self) -> dict[str, Any]:
        """Return the Vega-Lite specification with its rows under ``datasets``, without a ``$schema`` address.

        The structure is made by this package and tested there; it is not validated again.
        """
        spec: dict[str, Any] = self.chart.to_dict(validate=False)
        spec.pop("$schema", None)
        spec.pop("config", None)
        return spec | {"datasets": dict(self.rows)}


class Sheet:
    """Collects the rows that the layers of one chart are drawn from."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = {}

    def on(self, rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
        """Return an empty chart on rows of data."""
        kept = [dict(r) for r in rows]
        name = "d" + hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:16]
        self.rows[name] = kept
        named: Any = alt.NamedData  # its constructor carries no types
        return alt.Chart(named(name=name))

    def drawn(
        self, layers: Sequence[alt.Chart], width: Width, height: int, title: alt.TitleParams | None = None
    ) -> Drawn:
        """Return the layers as one chart."""
        more: dict[str, Any] = {} if title is None else {"title": title}
        return Drawn(alt.LayerChart(layer=list(layers), width=width, height=height, **more), self.rows)


def beside(lines: Sequence[tuple[Sequence[Drawn], int]]) -> alt.VConcatChart:
    """Return charts laid out in lines, each with its most columns, on all their rows together."""
    rows: dict[str, Rows] = {}
    for line, _ in lines:
        for one in line:
            rows |= one.rows
    blocks = [alt.concat(*(one.chart for one in line), columns=columns) for line, columns in lines]
    whole: alt.VConcatChart = alt.vconcat(*blocks, datasets=rows).resolve_scale(
        x="independent", y="independent", color="independent"
    )
    return whole
