"""Building blocks of a country from shipped open geodata: states, points, roads, crossings, all assumed.

Borders and points are of Natural Earth 1:10m, codes and names of ISO 3166-2, capitals of GeoNames. Decision
30 says how they were put together. A state that is not in ISO 3166-2 has a code such as ``MG-X1``.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from breakrank.errors import UsageError, nearest

GEO: Final = Path(__file__).parent / "geo.json"
CODES: Final = Path(__file__).parent / "iso_codes.json"
"""ISO 3166-2 codes of states that were not found by the likeness of names, by their codes in the maps."""
KM_A_DAY: Final = 400
"""How far soldiers are taken to travel in a day, in a straight line."""
_KM: Final = 111.2
"""Kilometres of a degree of latitude."""


ALSO: Final = {
    "burma": "MM",
    "burkina": "BF",
    "cape verde": "CV",
    "congo-kinshasa": "CD",
    "dr congo": "CD",
    "drc": "CD",
    "czech republic": "CZ",
    "east timor": "TL",
    "eswatini": "SZ",
    "great britain": "GB",
    "holland": "NL",
    "ivory coast": "CI",
    "persia": "IR",
    "swaziland": "SZ",
    "türkiye": "TR",
    "turkiye": "TR",
    "uk": "GB",
    "usa": "US",
}
"""Other names in use."""


class Spot(NamedTuple):
    """A state: its code, name, and a point in it, in degrees."""

    id: str
    label: str
    longitude: float
    latitude: float


class Way(NamedTuple):
    """Where a state touches another country: its position, the country, and the middle of the border."""

    state: int
    country: str
    longitude: float
    latitude: float


@dataclass(frozen=True)
class Country:
    """A country's states, which of them touch, and where they touch other countries.

    Attributes
    ----------
    code, name : ISO 3166-1 code of two letters, and English name. capital : position of the capital's state.
    states, ways : in the order of the file. roads : pairs of positions of states, with kilometres between.
    ferries : the same, for parts of the country that no border joins.
    """

    code: str
    name: str
    capital: int
    states: tuple[Spot, ...]
    roads: tuple[tuple[int, int, float], ...]
    ferries: tuple[tuple[int, int, float], ...]
    ways: tuple[Way, ...]

    @property
    def host(self) -> str:
        """The neighbour whose border lies nearest to the capital; where there is none, made up."""
        if not self.ways:
            return "Country across the sea"
        at = self.states[self.capital]
        return min(self.ways, key=lambda w: kilometres(at, w)).country


def kilometres(one: Spot | Way, other: Spot | Way) -> float:
    """Return the distance between two points, on a plane that is good enough for neighbours."""
    north = (one.latitude - other.latitude) * _KM
    east = (one.longitude - other.longitude + 180) % 360 - 180
    return math.hypot(north, east * _KM * math.cos(math.radians(one.latitude)))


def same_country(one: str, other: str) -> bool:
    """Return whether two names as a case writes them are of one country: capitals and outer spaces aside."""
    return one.strip().casefold() == other.strip().casefold()


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(GEO.read_text("utf-8"))
    return found


@cache
def _codes() -> dict[str, str]:
    found: dict[str, str] = json.loads(CODES.read_text("utf-8"))
    return found


def iso_code(code: str) -> str:
    """Return the ISO 3166-2 code of a state that the shipped maps call otherwise; any other code as it is.

    >>> iso_code("BY-X1"), iso_code("SY-HL")
    ('BY-HO', 'SY-HL')
    """
    return _codes().get(code, code)


def country_code(name: str) -> str | None:
    """Return the code of two letters of a country by that code or its English name, if there is one."""
    names: dict[str, str] = _data()["names"]
    spelt = ALSO | {n.casefold(): c for c, n in names.items()}
    code = spelt.get(name.strip().casefold(), name.upper())
    return code if code in names else None


def country(name: str) -> Country:
    """Return a country by its code of two letters or its English name.

    Raises
    ------
    UsageError
        for a country that is not there, with the nearest name.
    """
    data = _data()
    names: dict[str, str] = data["names"]
    code = country_code(name)
    if code is None:
        raise UsageError(
            f"there is no country {name!r}{nearest(name, names.values())}\n"
            "  Write its code of ISO 3166-1 (two letters, e.g. SY) or its English name."
        )
    if code not in data:
        raise UsageError(
            f"no states of {names[code]} are shipped\n  Leave out --country and write them by hand."
        )
    found = data[code]
    states = tuple(Spot(iso_code(s[0]), *s[1:]) for s in found["states"])
    roads = [(a, b, kilometres(states[a], states[b])) for a, b in found["touching"]]
    ways = tuple(Way(s, names[c], *at) for s, c, *at in found["crossings"])
    return Country(
        code,
        names[code],
        max(0, found["capital"]),
        states,
        tuple(roads),
        tuple(_ferries(states, roads)),
        ways,
    )


def _ferries(states: tuple[Spot, ...], roads: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Return the shortest links that join all parts of a country which no road joins."""
    part = list(range(len(states)))
    made: list[tuple[int, int, float]] = []

    def join(a: int, b: int) -> None:
        old, new = part[a], part[b]
        part[:] = [new if p == old else p for p in part]

    for a, b, _ in roads:
        join(a, b)
    while len(set(part)) > 1:
        gaps = (
            (kilometres(states[a], states[b]), a, b)
            for a in range(len(states))
            for b in range(a + 1, len(states))
            if part[a] != part[b]
        )
        km, a, b = min(gaps)
        made.append((a, b, km))
        join(a, b)
    return made
