"""What is strange in where places lie: coordinates exchanged, of the wrong sign, at 0, 0, or far off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from breakrank.case.borders import Shape, outlines, shapes
from breakrank.case.content import Content, Loaded
from breakrank.case.country import country_code
from breakrank.case.prior import Array
from breakrank.case.strange import Strange, some

KM = 111.2
"""Kilometres of a degree of latitude."""
OUTSIDE, INSIDE = 50.0, 30.0
"""Kilometres from an outline: beyond the first another reading is tried, within the second it explains.

The outlines that ship are thinned: points that lie within a state may be 30 km outside.
"""
FAR = 150.0
"""Kilometres from an outline that are told even where nothing explains them."""
ABROAD, NEARBY = 1000.0, 300.0
"""The first two for what may lie in any country: a town to which people go, a site of an unknown host."""
ANYWHERE = ("embassy", "sea", "air", "register")
"""Kinds of crossings that may lie far from the country's border."""
_REMEDY = "Write [longitude, latitude] in degrees; west and south are negative."

Position = tuple[float, float]
"""Longitude and latitude, degrees."""


class Mistake(NamedTuple):
    """A slip in writing coordinates, and where a point lies once it is undone."""

    name: str
    swap: bool = False
    east: int = 1
    north: int = 1

    def undone(self, at: Position) -> Position:
        """Return the position that was meant."""
        x, y = at[::-1] if self.swap else at
        return self.east * x, self.north * y


MISTAKES = (
    Mistake("latitude and longitude exchanged", swap=True),
    Mistake("the other sign of the longitude", east=-1),
    Mistake("the other sign of the latitude", north=-1),
    Mistake("the other sign of both", east=-1, north=-1),
    *(
        Mistake("latitude and longitude exchanged and another sign", True, east, north)
        for east, north in ((-1, 1), (1, -1), (-1, -1))
    ),
)


class Rule(NamedTuple):
    """The place of a point: within one of these shapes, or within a distance in kilometres."""

    shapes: tuple[Shape, ...]
    outside: float = OUTSIDE
    inside: float = INSIDE
    far: float = FAR


class Misplaced(NamedTuple):
    """A point that is not where it should be, and the mistakes that would explain it."""

    number: int
    km: float
    mistakes: tuple[str, ...]


def strange_places(loaded: Loaded) -> Iterator[Strange]:
    """Yield points at 0, 0, outside the country that they belong to, or far from all the others."""
    places = loaded.content.places
    at: list[Position] = [(p.longitude, p.latitude) for p in places.features]
    ends = [k for k, (x, y) in enumerate(at) if abs(x) == 180 or abs(y) == 90]
    for k in ends:
        text = f"the place {places.features[k].id!r} lies at {at[k][0]:g}, {at[k][1]:g}, the end of the map"
        yield "places.geojson", _path([k]), text, _REMEDY
    zero = [k for k, position in enumerate(at) if not any(position)]
    if zero:
        named = some([places.features[k].id for k in zero])
        remedy = f"Nothing lies there but the sea: this stands for coordinates that are not known. {_REMEDY}"
        yield "places.geojson", _path(zero), f"coordinates are 0, 0: {named}", remedy
    home = _home(loaded.content)
    points = [k for k in range(len(at)) if k not in {*ends, *zero}]
    found = _outside(loaded.content, home, at, points) if home else _far_from_others(at, points)
    yield from _warnings(found, [p.id for p in places.features], "state or country" if home else "")


def _warnings(found: Sequence[Misplaced], ids: Sequence[str], area: str) -> Iterator[Strange]:
    """Yield one warning for each mistake; of several, a point counts to the one that explains most."""
    many = Counter(name for one in found for name in one.mistakes)
    likely = [max(one.mistakes, key=many.__getitem__, default="") for one in found]
    for mistake in dict.fromkeys(likely):
        mine = [one for one, name in zip(found, likely, strict=True) if name == mistake]
        far = f"{'up to ' * (len(mine) > 1)}{max(one.km for one in mine):,.0f} km"
        whose = "the other places" if not area else f"{'its' if len(mine) == 1 else 'their'} {area}"
        text = f"coordinates {far} from {whose}" + (f", and there with {mistake}" if mistake else "")
        correct = (
            "" if mistake else "Correct them, or the code or country; outlines are those of about 2015. "
        )
        named = some([ids[one.number] for one in mine])
        yield "places.geojson", _path([mine[0].number]), f"{text}: {named}", correct + _REMEDY


def _path(indices: Sequence[int]) -> tuple[str | int, ...]:
    return "features", indices[0], "geometry", "coordinates"


def _home(content: Content) -> dict[str, Shape]:
    """Return the outlines of the states of the case's country, by code."""
    ids = [state.id for state in content.force.states]
    fine = shapes(ids)
    if fine:
        return fine
    starts = [name.partition("-")[0] for name in ids]
    named = country_code(content.case.country)
    found: dict[str, Shape] = {}
    for code in dict.fromkeys([named, *starts]):
        states = outlines(code) if code else {}
        known = sum(name in states for name in ids)
        if code == named or known * 2 >= starts.count(code or ""):
            found |= states
    return found


def _outside(
    content: Content, home: dict[str, Shape], at: Sequence[Position], points: Sequence[int]
) -> list[Misplaced]:
    """Return the points that lie outside the outlines of what they belong to."""
    rules = _rules(content, home)
    found = []
    for k in points:
        place = content.places.features[k]
        anywhere = Rule(tuple(home.values()), ABROAD, NEARBY, np.inf)
        for rule in (*rules.get((place.kind, place.id), ()), anywhere):
            km = distance(rule.shapes, at[k])
            if km > rule.outside:
                fits = [distance(rule.shapes, m.undone(at[k])) <= rule.inside for m in MISTAKES]
                mistakes = tuple(m.name for m, fit in zip(MISTAKES, fits, strict=True) if fit)
                if mistakes or km > rule.far:
                    found.append(Misplaced(k, km, mistakes))
                    break
    return found


def _rules(content: Content, home: dict[str, Shape]) -> dict[tuple[str, str], tuple[Rule, ...]]:
    """Return where places should lie, by kind and id."""
    whole = tuple(home.values())
    found: dict[tuple[str, str], tuple[Rule, ...]] = {}
    for state in content.force.states:
        known = state.id in home
        found["state", state.id] = (Rule((home[state.id],)) if known else Rule(whole, far=NEARBY),)
    for crossing in content.routes.crossings:
        own = (home[crossing.state],) if crossing.state in home else whole
        beyond = tuple(outlines(country_code(crossing.country) or "").values())
        far = np.inf if crossing.kind in ANYWHERE else FAR
        kind = "embassy" if crossing.kind == "embassy" else "crossing"
        found[kind, crossing.id] = (Rule(own, far=np.inf), Rule(whole + beyond, far=far))
    for site in content.sites:
        host = tuple(outlines(country_code(site.country) or "").values())
        if host:
            found["site", site.place] = (Rule(host, far=np.inf if site.kind == "embassy" else FAR),)
    return found


def _far_from_others(at: Sequence[Position], points: Sequence[int]) -> list[Misplaced]:
    """Return the points that lie far from the middle of all, measured by how far the others do.

    This is for made-up countries, of which no outline is known.
    """
    if len(points) < 4:
        return []
    given = np.array([at[k] for k in points])
    turn = float(np.degrees(np.angle(np.exp(1j * np.radians(given[:, 0])).sum())))
    middle = np.array([turn + np.median(_turned(given[:, 0] - turn)), np.median(given[:, 1])])

    def km(position: Position) -> float:
        east = _turned(np.array(position[0] - middle[0])) * np.cos(np.radians(middle[1]))
        return float(np.hypot(east, position[1] - middle[1]) * KM)

    usual = float(np.median([km(at[k]) for k in points]))
    found = []
    for k in points:
        if km(at[k]) > 5 * usual + 500:
            near = tuple(m.name for m in MISTAKES if km(m.undone(at[k])) <= 2 * usual + 100)
            found.append(Misplaced(k, km(at[k]), near))
    return found


def distance(area: Iterable[Shape], at: Position) -> float:
    """Return the kilometres from a point to the nearest of some shapes, 0 inside one."""
    return min((_distance(shape, at) for shape in area), default=np.inf)


def _distance(shape: Shape, at: Position) -> float:
    parts = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
    least, inside = np.inf, False
    for ring in (ring for part in parts for ring in part):
        line = np.array(ring)
        # Where a ring begins decides on which side of the date line all of it is taken to lie.
        east = line[:, 0] - line[0, 0] + _turned(line[0, 0] - at[0])
        x, y = east * np.cos(np.radians(at[1])) * KM, (line[:, 1] - at[1]) * KM
        dx, dy = np.diff(x), np.diff(y)
        a, b = x[:-1], y[:-1]
        along = np.clip(-(a * dx + b * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0, 1)
        least = min(least, float(np.hypot(a + along * dx, b + along * dy).min()))
        crossed = (b > 0) != (y[1:] > 0)
        right = a[crossed] - b[crossed] * dx[crossed] / dy[crossed] > 0
        inside ^= bool(np.count_nonzero(right) % 2)
    return 0.0 if inside else least


def _turned(degrees: Array) -> Array:
    """Return differences of longitude within half a turn."""
    return (degrees + 180) % 360 - 180
