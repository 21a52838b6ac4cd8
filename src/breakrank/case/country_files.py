"""The files of a new case that name places, written for a country of the shipped geodata."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from breakrank.case.country import KM_A_DAY, Country, Spot, Way

_SOURCE = "Borders: Natural Earth (public domain); codes: ISO 3166-2; capital: GeoNames (CC BY 4.0)"
Quoted = Callable[[str], str]
"""Returns a text as YAML, in quotes where it needs them."""


def placed(files: Mapping[str, str], country: Country, text: Quoted) -> dict[str, str]:
    """Return the files of the template with the places of a country in the place of the made-up ones.

    Parameters
    ----------
    files : the template's, by name.
    country : whose states, roads and crossings are written.
    text : returns a text as YAML.
    """
    host = country.host
    border = sorted({w.state for w in country.ways} - {country.capital}) or [_far(country)]
    if len(country.states) == 1:
        border = []
    centre = [k for k in range(len(country.states)) if k not in border]
    ids = [s.id for s in country.states]
    capital = ids[country.capital]
    out = dict(files)
    case = files["case.yaml"].replace("country: Montara", f"country: {text(country.name)}")
    case = case.replace("capital: XX-A ", f"capital: {capital} ")
    out["case.yaml"] = re.sub(
        r"summary: >-\n.*?\n(?=calendar)",
        f"summary: >-\n  {country.name} with a made-up force of five thousand, to be replaced line by line.\n"
        "  States, roads and crossings come from open geodata; everything else is invented.\n",
        case,
        flags=re.DOTALL,
    )
    out["force.yaml"] = _force(files["force.yaml"], country, centre, border, text)
    lines = ["state,branch,share"]
    lines += [f"{ids[k]},army,{1 / len(ids)!r}" for k in range(len(ids))]
    guard = border or centre
    lines += [f"{ids[k]},guard,{1 / len(guard)!r}" for k in guard]
    out["stations.csv"] = "\n".join(lines) + "\n"
    ways = country.ways or (Way(country.capital, host, *country.states[country.capital][2:]),)
    named = {crossing_id(ids[w.state], w): w for w in ways}
    out["routes.yaml"] = _routes(country, named, host, text)
    out["places.geojson"] = _places(country, named, host)
    for name in ("sites.yaml", "payers.yaml"):
        out[name] = files[name].replace("country: Norlund", f"country: {text(host)}")
        out[name] = out[name].replace(
            "label: Government of Norlund", f"label: {text(f'Government of {host}')}"
        )
    if not border:
        out["command.yaml"] = re.sub(r"\n  region: border[^\n]*", "", files["command.yaml"])
    return out


def _far(country: Country) -> int:
    return next((k for k in range(len(country.states)) if k != country.capital), 0)


def crossing_id(state: str, way: Way) -> str:
    """Return the id of a crossing, by the id of the state that it leaves from."""
    return f"{state}-{re.sub(r'[^A-Za-z0-9]+', '-', way.country).strip('-')}".lower()


def road(one: str, other: str, km: float) -> str:
    """Return a road between two states as an item of a list in YAML, without its dash."""
    days = min(60.0, max(0.1, round(km / KM_A_DAY, 1)))
    return f"{{from: {one}, to: {other}, days: {days:g}, checkpoints: 1}}"


def crossing(name: str, label: str, kind: str, state: str, country: str, host: bool) -> list[str]:
    """Return the lines of a crossing in YAML, without its dash; label and country come quoted."""
    return [
        f"id: {name}",
        f"label: {label}",
        f"kind: {kind}              # bridge, road, trail, river, sea, air, embassy",
        f"state: {state}",
        f"country: {country}",
        f"host: {str(host).lower()}             # true: the scheme that registers arrivals is there",
        "days: 0.5",
        "capture: 0.05           # probability of capture for each attempt",
        "violence: 0.01          # probability of being shot for each attempt",
        "hardship: 0.3           # 0 to 1",
        "family: true",
        "posted: true",
        "assumed: The longest stretch of that border in open geodata; kind and risks are invented.",
    ]


def _force(text_: str, country: Country, centre: list[int], border: list[int], text: Quoted) -> str:
    head, _, rest = text_.partition("# Every state belongs to one region.")
    _, mark, tail = rest.partition("# A table with the columns state,branch,share")
    lines = ["# Every state belongs to one region.", "regions:"]
    for name, label, members in (("centre", "Inland", centre), ("border", "Border", border)):
        if members:
            ids = ", ".join(country.states[k].id for k in members)
            lines.append(f"  - {{id: {name}, label: {label}, states: [{ids}]}}")
    lines += [
        "regions_basis:",
        "  assumed: States with a land border apart from the others; replace it by the military regions.",
        "",
        f"# {_SOURCE}.",
        "# A code such as XX-X3 stands for a state whose name was not found in ISO 3166-2.",
        "states:",
        *(f"  - {{id: {s.id}, label: {text(s.label)}}}" for s in country.states),
    ]
    tail = tail.replace(
        "Invented; the guard stands at the border.", "Spread evenly; the guard at the border."
    )
    return head + "\n".join(lines) + "\n\n" + mark + tail


def _routes(country: Country, ways: Mapping[str, Way], host: str, text: Quoted) -> str:
    ids = [s.id for s in country.states]
    lines = [
        "# Roads between states, and the ways out of the country.",
        f"# {_SOURCE}.",
        "",
        "roads:                      # open in both directions; a first network: every two states that touch",
    ]
    for links, about in ((country.roads, ""), (country.ferries, "    # by sea: no border joins them")):
        for a, b, km in links:
            lines.append(f"  - {road(ids[a], ids[b], km)}{about}")
    if not (country.roads or country.ferries):
        lines[-1] = "roads: []"
    lines += [
        "roads_basis:",
        "  assumed: >-",
        f"    Neighbouring states are joined, with a day for {KM_A_DAY} km between points within them and",
        "    one checkpoint each. Take out those that no road joins, and correct days and checkpoints.",
        "",
        "crossings:                  # at most two states for each neighbour, those with the longest border",
    ]
    first = next(name for name, way in ways.items() if way.country == host)
    for name, way in ways.items():
        label = text(f"{country.states[way.state].label} to {way.country}")
        kind = "road" if country.ways else "sea"
        written = crossing(name, label, kind, ids[way.state], text(way.country), way.country == host)
        lines += [f"{'    ' if k else '  - '}{line}" for k, line in enumerate(written)]
        if name == first:
            lines += [
                "    schedule:               # when it is closed or its risks differ; both dates included",
                "      - from: 2025-03-01",
                "        to: 2025-03-31",
                "        open: false",
                "        capture: 0.2",
                "        evidence: [bridge-closed]",
            ]
    return "\n".join(lines) + "\n"


def _places(country: Country, ways: Mapping[str, Way], host: str) -> str:
    features = [feature(s.id, "state", s.label, s) for s in country.states]
    features += [
        feature(n, "crossing", f"{country.states[w.state].label} to {w.country}", w) for n, w in ways.items()
    ]
    at = next(way for way in ways.values() if way.country == host)
    for name in ("station-hotel", "parish-house"):
        features.append(feature(name, "site", name.replace("-", " ").capitalize(), at))
    return '{"type": "FeatureCollection", "features": [\n' + ",\n".join(features) + "\n]}\n"


def feature(name: str, kind: str, label: str, at: Spot | Way) -> str:
    """Return a point of the map as one line of GeoJSON."""
    return json.dumps(
        {
            "type": "Feature",
            "properties": {"id": name, "kind": kind, "label": label},
            "geometry": {"type": "Point", "coordinates": [at.longitude, at.latitude]},
        },
        ensure_ascii=False,
    )
