"""The states, points, roads and crossings of a country that an existing case lacks, added to its files.

What the case says already stays as it is, comments too; where it differs from the geodata, that is told.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from breakrank.case.content import FILES
from breakrank.case.country import Country, Spot, Way, kilometres, same_country
from breakrank.case.country_files import crossing, crossing_id, feature, road
from breakrank.case.explain import validated
from breakrank.case.json_reader import read_json
from breakrank.case.located import Document
from breakrank.case.yaml_reader import read_yaml
from breakrank.errors import CaseError, Location

PLACES, FORCE, ROUTES, CASE, SITES = "places.geojson", "force.yaml", "routes.yaml", "case.yaml", "sites.yaml"
READ = (PLACES, FORCE, ROUTES, CASE, SITES)
"""Files that are looked at; the first three are added to."""
_COMMENT = "  # Added from open geodata (Natural Earth), all of it assumed: take out what is not so."
FAR = 100.0
"""Kilometres from which a point of the case is told to differ from that of the geodata."""


@dataclass
class Additions:
    """What is added to a case.

    Attributes
    ----------
    files : the whole text of each file that changes, by name. new : how many of what are added.
    kept : where the case says something else than the geodata; the case's stays.
    """

    files: dict[str, str] = field(default_factory=dict)
    new: dict[str, int] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)


def added_places(texts: Mapping[str, str], folder: Path, country: Country) -> Additions:
    """Return what a case lacks of the states, points, roads and crossings of a country.

    A state of the case is one of the country's when it has its code or its name. A neighbour to which the
    case has a crossing already gets no other.

    Parameters
    ----------
    texts : of the files :data:`READ`, by name. folder : theirs, for messages.

    Raises
    ------
    CaseError
        for a file that cannot be read by itself, and a list in brackets that cannot be added to.
    """
    read = {n: _read(texts[n], folder / n) for n in READ}
    out, names = Additions(), _names(read[FORCE].states, country)
    _compare(read, names, country, out)
    points: list[str] = []
    fresh = [k for k in range(len(country.states)) if names[k] not in {s.id for s in read[FORCE].states}]
    if fresh:
        added = [f"{{id: {country.states[k].id}, label: {_text(country.states[k].label)}}}" for k in fresh]
        ids = ", ".join(country.states[k].id for k in fresh)
        taken = {r.id for r in read[FORCE].regions}
        region = next(f"added-{n}" for n in range(1, len(taken) + 2) if f"added-{n}" not in taken)
        text = _extended(texts[FORCE], folder / FORCE, "states", [[line] for line in added])
        label = f"{{id: {region}, label: Added from open geodata, states: [{ids}]}}"
        out.files[FORCE] = _extended(text, folder / FORCE, "regions", [[label]])
    out.new["state"] = len(fresh)
    placed = {p.id for p in read[PLACES].features}
    points += [
        feature(names[k], "state", s.label, s) for k, s in enumerate(country.states) if names[k] not in placed
    ]
    have = {frozenset((r.start, r.to)) for r in read[ROUTES].roads}
    links = [(names[a], names[b], km) for a, b, km in (*country.roads, *country.ferries)]
    roads = [[road(a, b, km)] for a, b, km in links if frozenset((a, b)) not in have]
    crossings = _crossings(read, names, country, out)
    points += [
        feature(name, "crossing", _label(country, way), way)
        for name, way in crossings.items()
        if name not in placed
    ]
    hosts = {s.country for s in read[SITES]} | {c.country for c in read[ROUTES].crossings if c.host}
    written = [
        crossing(
            name,
            _text(_label(country, way)),
            "road",
            names[way.state],
            _text(way.country),
            way.country in hosts,
        )
        for name, way in crossings.items()
    ]
    text = texts[ROUTES]
    for key, items in (("roads", roads), ("crossings", written)):
        text = _extended(text, folder / ROUTES, key, items) if items else text
    if text != texts[ROUTES]:
        out.files[ROUTES] = text
    if points:
        out.files[PLACES] = _pointed(texts[PLACES], points)
    out.new |= {"point": len(points), "road": len(roads), "crossing": len(crossings)}
    for name, changed in out.files.items():
        _read(changed, folder / name)
    return out


def _read(text: str, file: Path) -> Any:  # noqa: ANN401 (the model of the file)
    document = (read_json if file.suffix == ".geojson" else read_yaml)(text, file)
    if document.data is None and file.name == SITES:
        document = Document(file, [])
    return validated(FILES[file.name], document)


def _plain(name: str) -> str:
    """Return a name without marks, case and signs."""
    bare = unicodedata.normalize("NFKD", name)
    return "".join(c for c in bare.casefold() if c.isalnum() and not unicodedata.combining(c))


def _names(states: Sequence[Any], country: Country) -> list[str]:
    """Return by which id the case knows each state of the country, or would."""
    ids, labels = {s.id for s in states}, {_plain(s.label): s.id for s in states}
    return [s.id if s.id in ids else labels.get(_plain(s.label), s.id) for s in country.states]


def _compare(read: Mapping[str, Any], names: Sequence[str], country: Country, out: Additions) -> None:
    """Tell where the case and the geodata differ."""
    if not same_country(read[CASE].country, country.name):
        out.kept.append(
            f"case.yaml: the country is {read[CASE].country!r}, and that of the geodata {country.name!r}"
        )
    theirs = dict(zip(names, country.states, strict=True))
    other = [s.id for s in read[FORCE].states if s.id not in theirs]
    if other:
        out.kept.append(f"force.yaml: {', '.join(other)}: no state of {country.name} has this code or name")
    for state in read[FORCE].states:
        known = theirs.get(state.id)
        if known is not None and _plain(known.label) != _plain(state.label):
            out.kept.append(f"force.yaml: {state.id} is {state.label!r}, and in the geodata {known.label!r}")
    for place in read[PLACES].features:
        known = theirs.get(place.id)
        if known is None:
            continue
        km = kilometres(known, Spot(place.id, place.label, place.longitude, place.latitude))
        if km > FAR:
            out.kept.append(
                f"places.geojson: the point of {place.id} is {km:.0f} km from that of the geodata"
            )


def _crossings(
    read: Mapping[str, Any], names: Sequence[str], country: Country, out: Additions
) -> dict[str, Way]:
    """Return the crossings to neighbours to which the case has none, by id."""
    reached = {_plain(c.country) for c in read[ROUTES].crossings}
    taken = {c.id for c in read[ROUTES].crossings}
    found = {}
    for way in country.ways:
        name = crossing_id(names[way.state], way)
        if _plain(way.country) in reached:
            continue
        if name in taken:
            out.kept.append(f"routes.yaml: {name} leads elsewhere than to {way.country}")
            continue
        found[name] = way
    return found


def _label(country: Country, way: Way) -> str:
    return f"{country.states[way.state].label} to {way.country}"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _extended(text: str, file: Path, key: str, items: Sequence[Sequence[str]]) -> str:
    """Return a file in YAML with items more at the end of the list under a key; each item is its lines.

    Raises
    ------
    CaseError
        where the list is written in brackets and not empty.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    node = next(value for name, value in root.value if name.value == key)
    lines = [_COMMENT, *(f"{'    ' if k else '  - '}{line}" for item in items for k, line in enumerate(item))]
    if node.flow_style and node.value:
        raise CaseError(
            "this list is written in brackets, and nothing can be added to it",
            Location(file, node.start_mark.line + 1, key),
            "Write each item on a line of its own, with a dash before it.",
        )
    if node.flow_style:
        return (
            text[: node.start_mark.index].rstrip(" ") + "\n" + "\n".join(lines) + text[node.end_mark.index :]
        )
    indent = " " * node.value[0].start_mark.column
    dash = text[: node.value[0].start_mark.index].rpartition("\n")[2]
    before = dash[: dash.index("-")] if "-" in dash else indent[2:]
    lines = [before + line[2:] for line in lines]
    end = len(text[: _last(node).end_mark.index].rstrip())
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    return text[:stop] + "\n" + "\n".join(lines) + text[stop:]


def _last(node: Any) -> Any:  # noqa: ANN401 (a node of PyYAML)
    """Return the innermost node that ends a node, or the node itself where it is written in brackets."""
    while not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
        node = node.value[-1]
        node = node[1] if isinstance(node, tuple) else node
    return node


def _pointed(text: str, points: Sequence[str]) -> str:
    """Return a GeoJSON text with more features at the end of its list."""
    start = re.search(r'"features"\s*:\s*', text)
    assert start is not None
    _, end = json.JSONDecoder().raw_decode(text, start.end())
    body = text[: end - 1].rstrip()
    return body + ("" if body.endswith("[") else ",") + "\n" + ",\n".join(points) + "\n" + text[end - 1 :]
