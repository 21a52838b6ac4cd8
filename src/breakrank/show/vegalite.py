"""Charts as plain dictionaries: specifications of Vega-Lite, written in the words of Altair.

A chart *is* its specification. Nothing is checked or copied when one is made: the tests check every chart
against the schema of Vega-Lite. Images are drawn by vl-convert, without a browser and without a network.

The data of one chart, kept apart from its layers.

Layers name their rows, so that those that show the same rows share them; the rows join the chart once, at
the end.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal, Self

from breakrank.errors import UsageError

Axis = dict[str, Any]
Legend = dict[str, Any]
Scale = dict[str, Any]
Title = dict[str, Any]
Channel = dict[str, Any]
"""What a channel shows: a field, or one value for all marks."""

TYPES = {"N": "nominal", "O": "ordinal", "Q": "quantitative", "T": "temporal"}
"""Types of fields by their letter."""
_UNTYPED = ("x2", "y2")
"""Channels that take their type from another."""


SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
FONTCONFIG = Path("/etc/fonts/fonts.conf")
"""Where Linux says which fonts there are."""
KINDS = (".svg", ".png", ".json")
"""How names of files end that a chart can be saved as."""


class Chart(dict[str, Any]):
    """A specification, and what is done to one; a notebook shows it.

    Methods that change something return a new chart, which shares what did not change.
    """

    def having(self, **properties: Any) -> Self:  # noqa: ANN401
        """Return the chart with properties such as ``width``, ``title`` or ``config`` set."""
        return type(self)({**self, **properties})

    def mark(self, type: str, **look: Any) -> Self:  # noqa: A002, ANN401
        """Return the chart drawn with a mark."""
        return self.having(mark={"type": type, **look})

    def encode(self, **channels: str | Channel | Sequence[str | Channel]) -> Self:
        """Return the chart with channels set; a field may be given as ``"name:Q"``."""
        made = {name: _channel(name, shown) for name, shown in channels.items()}
        return self.having(encoding={**self.get("encoding", {}), **made})

    def calculate(self, **expressions: str) -> Self:
        """Return the chart with fields computed in its rows."""
        return self._transformed(*({"calculate": text, "as": name} for name, text in expressions.items()))

    def only(self, test: str | Mapping[str, Any]) -> Self:
        """Return the chart without the rows that fail a test: an expression or a selection."""
        return self._transformed({"filter": test})

    def svg(self) -> str:
        """Return the chart as an image in SVG, without scripts."""
        import vl_convert

        fonts()
        text: str = vl_convert.vegalite_to_svg(dict(self))
        return text

    def save(self, path: str | Path, scale: float = 1.0) -> None:
        """Write the chart as an image (``.svg``, ``.png``), or its specification (``.json``).

        Parameters
        ----------
        scale : pixels of a PNG for each pixel of the chart.

        Raises
        ------
        UsageError
            for a file name that ends otherwise.
        OSError
            if the file cannot be written.
        """
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg(), "utf-8")
        elif path.suffix == ".png":
            import vl_convert

            fonts()
            path.write_bytes(vl_convert.vegalite_to_png(dict(self), scale=scale))
        elif path.suffix == ".json":
            path.write_text(json.dumps({"$schema": SCHEMA, **self}, allow_nan=False) + "\n", "utf-8")
        else:
            raise UsageError(f"{path.name!r} is no name for a chart; it must end with {', '.join(KINDS)}")

    def __repr__(self) -> str:
        return f"Chart({', '.join(self)})"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _transformed(self, *steps: Mapping[str, Any]) -> Self:
        return self.having(transform=[*self.get("transform", ()), *steps])


def field(shorthand: str, **properties: Any) -> Channel:  # noqa: ANN401
    """Return a channel that shows a field.

    >>> field("gone:Q", scale=None)
    {'field': 'gone', 'type': 'quantitative', 'scale': None}
    """
    name, _, letter = shorthand.rpartition(":")
    return {"field": name, "type": TYPES[letter], **properties}


def value(of: Any) -> Channel:  # noqa: ANN401
    """Return a channel that shows one value for all marks."""
    return {"value": of}


def rows_of(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """Return an empty chart on rows that stand in it."""
    return Chart(data={"values": [dict(row) for row in rows]})


def layered(layers: Sequence[Chart], **properties: Any) -> Chart:  # noqa: ANN401
    """Return charts drawn over each other."""
    return Chart(layer=list(layers), **properties)


@cache
def fonts() -> None:
    """Have text measured, and drawn, in the font of the package, and nothing fetched for a chart."""
    import vl_convert

    vl_convert.configure(allowed_base_urls=[])
    with resources.as_file(resources.files("breakrank.show") / "assets") as folder:
        if sys.platform == "linux" and not FONTCONFIG.exists():  # else vl-convert complains on standard error
            os.environ.setdefault("FONTCONFIG_FILE", str(folder / "fonts.conf"))
        vl_convert.register_font_directory(str(folder))


def _channel(name: str, shown: str | Channel | Sequence[str | Channel]) -> Any:  # noqa: ANN401
    if isinstance(shown, str):
        shown = field(shown)
    elif not isinstance(shown, dict):
        return [field(one) if isinstance(one, str) else one for one in shown]
    return {k: v for k, v in shown.items() if k != "type"} if name in _UNTYPED else shown


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
