"""Charts as plain dictionaries: specifications of Vega-Lite, written in the words of Altair.

A chart *is* its specification; every method returns a new one that shares what did not change. Nothing is
checked or copied when a chart is made: the tests check every chart against the schema of Vega-Lite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import altair as alt

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


class Chart(dict[str, Any]):
    """A specification, and what is done to one."""

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


def expr(text: str) -> dict[str, str]:
    """Return a value that a Vega expression gives."""
    return {"expr": text}


def rows_of(rows: Sequence[Mapping[str, Any]]) -> Chart:
    """Return an empty chart on rows that stand in it."""
    return Chart(data={"values": [dict(row) for row in rows]})


def layered(layers: Sequence[Chart], **properties: Any) -> Chart:  # noqa: ANN401
    """Return charts drawn over each other."""
    return Chart(layer=list(layers), **properties)


def altair(spec: Mapping[str, Any]) -> alt.TopLevelMixin:
    """Return a specification as a chart that Altair shows in a notebook and saves."""
    import altair as alt

    kinds: dict[str, Any] = {
        "vconcat": alt.VConcatChart,
        "hconcat": alt.HConcatChart,
        "layer": alt.LayerChart,
    }
    made: alt.TopLevelMixin = next(kinds[k] for k in kinds if k in spec).from_dict(dict(spec), validate=False)
    return made


def _channel(name: str, shown: str | Channel | Sequence[str | Channel]) -> Any:  # noqa: ANN401
    if isinstance(shown, str):
        shown = field(shown)
    elif not isinstance(shown, dict):
        return [field(one) if isinstance(one, str) else one for one in shown]
    return {k: v for k, v in shown.items() if k != "type"} if name in _UNTYPED else shown
