"""Shapes of a country's states, from the borders that ship: of the built-in cases, and of all countries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any

from breakrank.case.country import iso_code

BORDERS = resources.files("breakrank") / "page" / "borders"
COUNTRIES = "countries.jsonl"
"""A topology a line, one for each country."""
Point = list[float]
Shape = dict[str, Any]
"""A geometry of GeoJSON, degrees; outer rings run clockwise, as maps that are drawn on a sphere ask for."""


def shapes(states: Sequence[str]) -> dict[str, Shape]:
    """Return the shape of each state by id; empty where no borders that ship hold all of them.

    The borders of the built-in cases are finer, so they come first.

    Parameters
    ----------
    states : ISO 3166-2 codes.
    """
    for file in _files():
        found = _read(file)
        if states and {*states} <= found.keys():
            return {name: found[name] for name in states}
    topology = topology_of(states)
    if topology is None:
        return {}
    found = _shapes(topology)
    return {name: found[name] for name in states}


def topology_of(states: Sequence[str]) -> dict[str, Any] | None:
    """Return the topology of the country that has all of these states; ``None`` where none has.

    It holds the object ``states``, with the properties ``i`` code, ``n`` name and ``c`` country.

    Parameters
    ----------
    states : codes, as `breakrank case new --country` writes them.
    """
    countries = {state.partition("-")[0] for state in states}
    topology = _topology(countries.pop()) if len(countries) == 1 else None
    if topology is None:
        return None
    every = [one["properties"] for one in topology["objects"]["states"]["geometries"]]
    for code in (iso_code, str):  # older cases have the codes of the maps
        if {*states} <= {code(one["i"]) for one in every}:
            for one in every:
                one["i"] = code(one["i"])
            return topology
    return None


@lru_cache(maxsize=32)
def outlines(country: str) -> dict[str, Shape]:
    """Return the shapes of a country's states by code; empty where none ship.

    Parameters
    ----------
    country : two letters of ISO 3166-1.
    """
    topology = _topology(country)
    return {} if topology is None else {iso_code(name): shape for name, shape in _shapes(topology).items()}


def _topology(country: str) -> dict[str, Any] | None:
    begin = f'{{"country":"{country}",'
    with (BORDERS / COUNTRIES).open(encoding="utf-8") as lines:
        line = next((line for line in lines if line.startswith(begin)), None)
    return None if line is None else dict(json.loads(line))


def middle(shape: Shape) -> tuple[float, float]:
    """Return longitude and latitude of the centre of area of a shape's largest part (the shoelace formula).

    >>> middle({"type": "Polygon", "coordinates": [[[0, 0], [0, 2], [4, 2], [4, 0], [0, 0]]]})
    (2.0, 1.0)
    """
    parts = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
    best, where = -1.0, (0.0, 0.0)
    for outer, *_ in parts:
        twice = [x * v - u * y for (x, y), (u, v) in pairwise(outer)]
        area = sum(twice)
        if abs(area) > best and area:
            best = abs(area)
            sums = [
                sum((a[k] + b[k]) * t for (a, b), t in zip(pairwise(outer), twice, strict=True))
                for k in (0, 1)
            ]
            where = sums[0] / (3 * area), sums[1] / (3 * area)
    return where


@cache
def _files() -> tuple[str, ...]:
    return tuple(sorted(f.name for f in BORDERS.iterdir() if f.name.endswith(".topo.json")))


@cache
def _read(file: str) -> dict[str, Shape]:
    return _shapes(json.loads((BORDERS / file).read_text("utf-8")))


def _shapes(topology: dict[str, Any]) -> dict[str, Shape]:
    """Return the shapes of a topology by ISO 3166-2 code."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[list[Point]] = []
    for arc in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append([round(x * sx + tx, 4), round(y * sy + ty, 4)])
        arcs.append(line)

    def ring(numbers: Sequence[int]) -> list[Point]:
        out: list[Point] = []
        for number in numbers:
            line = arcs[number] if number >= 0 else arcs[~number][::-1]
            out += line[1:] if out else line  # arcs share their ends
        return out

    found: dict[str, Shape] = {}
    for geometry in topology["objects"]["states"]["geometries"]:
        code, kind = geometry.get("properties", {}).get("i"), geometry["type"]
        if code and kind == "Polygon":
            found[code] = {"type": kind, "coordinates": [ring(r) for r in geometry["arcs"]]}
        elif code and kind == "MultiPolygon":
            parts = [[ring(r) for r in part] for part in geometry["arcs"]]
            found[code] = {"type": kind, "coordinates": parts}
    return found
