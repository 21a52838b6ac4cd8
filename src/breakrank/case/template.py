"""The folder of a new case: a commented template that runs, with made-up places or those of a country.

Optional parts of a case, each written from the template to fit what the case has.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import string
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from breakrank.case.cells import short
from breakrank.case.country import KM_A_DAY, Country, Spot, Way
from breakrank.case.files import Files, appended, check_draft, to_yaml, with_entry, write_folder
from breakrank.case.models_parameters import STRENGTH, is_switch
from breakrank.case.models_routes import PlaceFeature
from breakrank.case.values import NumberError, resolve
from breakrank.errors import UsageError, nearest
from breakrank.spec import Catalogue, Field, Parameter
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case.case import Case


_SOURCE = "Borders: Natural Earth (public domain); codes: ISO 3166-2; capital: GeoNames (CC BY 4.0)"


def _placed(files: Mapping[str, str], country: Country) -> dict[str, str]:
    """Return the files of the template with the places of a country in the place of the made-up ones."""
    host = country.host
    others = (k for k in range(len(country.states)) if k != country.capital)
    border = sorted({w.state for w in country.ways} - {country.capital}) or [next(others, 0)]
    if len(country.states) == 1:
        border = []
    centre = [k for k in range(len(country.states)) if k not in border]
    ids = [s.id for s in country.states]
    capital = ids[country.capital]
    out = dict(files)
    case = files["case.yaml"].replace("country: Montara", f"country: {_text(country.name)}")
    case = case.replace("capital: XX-A ", f"capital: {capital} ")
    # No invented paper is printed as the record of a country.
    for name in [name for name in files if name.endswith(".yaml")]:
        told = files[name].replace("evidence: [registered-april]", "assumed: Invented.")
        out[name] = _INVENTED.sub("", told)
    out |= {name: "[]\n" for name in files if name.startswith("evidence/")}
    out["case.yaml"] = re.sub(
        r"summary: >-\n.*?\n(?=calendar)",
        f"summary: >-\n  {country.name} with a made-up force of five thousand, to be replaced line by line.\n"
        "  States, roads and crossings come from open geodata; everything else is invented.\n",
        case,
        flags=re.DOTALL,
    )
    out["force.yaml"] = _force(out["force.yaml"], country, centre, border)
    lines = ["state,branch,share"]
    lines += [f"{ids[k]},army,{1 / len(ids)!r}" for k in range(len(ids))]
    guard = border or centre
    lines += [f"{ids[k]},guard,{1 / len(guard)!r}" for k in guard]
    out["stations.csv"] = "\n".join(lines) + "\n"
    ways = country.ways or (Way(country.capital, host, *country.states[country.capital][2:]),)
    named = {f"{ids[w.state]}-{re.sub('[^A-Za-z0-9]+', '-', w.country).strip('-')}".lower(): w for w in ways}
    out["routes.yaml"] = _routes(country, named, host)
    out["places.geojson"] = _places(country, named, host, sites="sites.yaml" in files)
    for name in {"sites.yaml", "payers.yaml"} & files.keys():
        out[name] = out[name].replace("country: Norlund", f"country: {_text(host)}")
        out[name] = out[name].replace(
            "label: Government of Norlund", f"label: {_text(f'Government of {host}')}"
        )
    if not border and "command.yaml" in files:
        out["command.yaml"] = re.sub(r"\n  region: border[^\n]*", "", out["command.yaml"])
    return out


def _force(text_: str, country: Country, centre: list[int], border: list[int]) -> str:
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
        *(f"  - {{id: {s.id}, label: {_text(s.label)}}}" for s in country.states),
    ]
    tail = tail.replace(
        "Invented; the guard stands at the border.", "Spread evenly; the guard at the border."
    )
    return head + "\n".join(lines) + "\n\n" + mark + tail


def _routes(country: Country, ways: Mapping[str, Way], host: str) -> str:
    ids = [s.id for s in country.states]
    lines = [
        "# Roads between states, and the routes out of the country.",
        f"# {_SOURCE}.",
        "",
        "roads:                      # open in both directions; a first network: every two states that touch",
    ]
    for links, about in ((country.roads, ""), (country.ferries, "    # by sea: no border joins them")):
        for a, b, km in links:
            days = min(60.0, max(0.1, round(km / KM_A_DAY, 1)))
            lines.append(f"  - {{from: {ids[a]}, to: {ids[b]}, days: {days:g}, checkpoints: 1}}{about}")
    if not (country.roads or country.ferries):
        lines[-1] = "roads: []"
    lines += [
        "roads_basis:",
        "  assumed: >-",
        f"    Neighbouring states are joined, with a day for {KM_A_DAY} km between points within them and",
        "    one checkpoint each. Take out those that no road joins, and correct days and checkpoints.",
        "",
        "# At most two states for each neighbour, those with the longest border. kind: bridge, road,",
        "# trail, river, sea, air, embassy. host: the country registers who arrives. capture, violence:",
        "# chance of being captured or shot for each attempt. posted: units are posted at it.",
        "crossings:",
    ]
    for name, way in ways.items():
        label = _text(f"{country.states[way.state].label} to {way.country}")
        kind = "road" if country.ways else "sea"
        host_too = str(way.country == host).lower()
        lines += [
            f"  - {{id: {name}, label: {label}, kind: {kind}, state: {ids[way.state]}, "
            f"country: {_text(way.country)},",
            f"     host: {host_too}, days: 0.5, capture: 0.05, violence: 0.01, hardship: 0.3, family: true,",
            "     posted: true,",
            "     assumed: The longest stretch of that border in open geodata; the rest is invented.}",
        ]
    return "\n".join(lines) + "\n"


def _places(country: Country, ways: Mapping[str, Way], host: str, sites: bool) -> str:
    features = [feature(s.id, "state", s.label, s) for s in country.states]
    features += [
        feature(n, "crossing", f"{country.states[w.state].label} to {w.country}", w) for n, w in ways.items()
    ]
    at = next(way for way in ways.values() if way.country == host)
    for name in ("station-hotel", "parish-house") if sites else ():
        features.append(feature(name, "site", name.replace("-", " ").capitalize(), at))
    return _collection(features)


def _collection(features: list[str]) -> str:
    """Return a map of points, one a line."""
    return '{"type": "FeatureCollection", "features": [\n' + ",\n".join(features) + "\n]}\n"


def feature(name: str, kind: str, label: str, at: Spot | Way | PlaceFeature) -> str:
    """Return a point of the map as one line of GeoJSON."""
    return json.dumps(
        {
            "type": "Feature",
            "properties": {"id": name, "kind": kind, "label": label},
            "geometry": {"type": "Point", "coordinates": [at.longitude, at.latitude]},
        },
        ensure_ascii=False,
    )


TEMPLATE = Path(__file__).parent / "template"
"""The files with every part that do not depend on the model."""
SHORT = Path(__file__).parent / "short"
"""The files of the shortest case."""
RESIGNATION = Path(__file__).parent / "resignation"
"""What the part on resigning adds to files, entry by entry, where it is not there yet."""

START = "2025-01-01"
_DAY = re.compile(r"\b2025-\d\d-\d\d\b")
_INVENTED = re.compile(r"(?m)^ *(?:evidence|expected|literature): .*\n")
RANKS = ("enlisted", "sergeant", "officer")

# Where a made-up country starts; fields that are not named here start at their base or low in their range.
_STARTS: dict[str, float | tuple[float, float, float]] = {
    "pay": (60, 100, 180),
    "basket": 180,
    "scarcity": 0.3,
    "protests": 3,
    "rents": (0, 0.1, 0.5),
    "asylum_staff": 3,
}

# What happens in the made-up country; effects on fields that the model does not read are left out.
EVENTS: tuple[tuple[str, str, str, tuple[dict[str, object], ...]], ...] = (
    ("election", "2025-01-20", "Disputed election", ()),
    ("appeal", "2025-02-10", "The challenger appeals to soldiers", (
        {"field": "credibility", "op": "add", "value": 0.3, "half_life": 30},
        {"field": "amnesty", "op": "set", "value": 0.3},
    )),
    ("reception", "2025-02-15", "The neighbour starts to register those who cross", (
        {"field": "registration", "op": "set", "value": 1},
        {"field": "host_reputation", "op": "add", "value": 0.1},
        {"field": "onward_help", "op": "add", "value": 0.5, "half_life": 30},
    )),
    ("alert", "2025-03-01", "Surveillance is stepped up", (
        {"field": "surveillance", "op": "multiply", "value": 1.5, "until": "2025-03-31"},
    )),
    ("shortage", "2025-04-01", "Shops run empty", ({"field": "scarcity", "op": "add", "value": 0.2},)),
    ("permits", "2025-05-15", "The neighbour grants permits to stay and work", (
        {"field": "permit", "op": "set", "value": 1},
    )),
)  # fmt: skip


def new_case(
    folder: str | Path,
    catalogue: Catalogue,
    country: Country | None = None,
    days: tuple[dt.date, dt.date] | None = None,
    *,
    short: bool = False,
) -> Path:
    """Write a new case to start from, and return its folder.

    A made-up force of 5,000 with two branches, three ranks, three states and two crossings. In full, every
    file and field is there, and each parameter of the model stands at its typical value, marked as assumed.

    Parameters
    ----------
    folder : a new or empty folder; its name becomes the id of the case.
    catalogue : the parameters and fields that the model reads.
    country : whose states, roads and crossings take the place of the made-up ones.
    days : first and last day of its calendar; all other dates move with the first.
    short : whether to write only the files that every case has.

    Raises
    ------
    UsageError
        when the folder exists and is not empty, or cannot be written, or its name holds no letter or digit.
    """
    folder = Path(folder)
    name = re.sub(r"[^a-z0-9]+", "-", folder.absolute().name.lower()).strip("-")[:60]
    if not name:
        raise UsageError(f"{folder.name!r} cannot name a case; use small letters, digits and '-'")
    words = {"id": _text(name), "title": _text(name.replace("-", " ").capitalize())}
    files: dict[str, str] = {}
    source = SHORT if short else TEMPLATE
    for path in sorted(source.rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        files[path.relative_to(source).as_posix()] = string.Template(text).substitute(words)
    tables: dict[str, str] = {}
    if not short:
        files["fields.yaml"], tables = _fields(catalogue.fields.values())
        files["events.yaml"] = _events(catalogue)
        files["parameters.yaml"] = _parameters(catalogue.parameters.values())
    if country is not None:
        files = _placed(files, country)
    every = {**files, **tables}
    return write_folder(folder, every if days is None else {n: _moved(t, *days) for n, t in every.items()})


def _moved(text: str, start: dt.date, end: dt.date) -> str:
    """Return a file with its dates moved by as much as the start; the calendar ends when it is to."""
    moved = _DAY.sub(lambda found: _later(found[0], start, end), text)
    return re.sub(r"(?m)^(calendar: \{start: [-0-9]+, end: )[-0-9]+", rf"\g<1>{end}", moved)


def _later(day: str, start: dt.date, end: dt.date) -> str:
    """Return a day of the template in a calendar that starts and ends on other days."""
    return str(min(start + (dt.date.fromisoformat(day) - dt.date.fromisoformat(START)), end))


def _fields(fields: Iterable[Field]) -> tuple[str, dict[str, str]]:
    """Return fields.yaml and the tables it names."""
    blocks = [
        "# Dated series: one value for all days, or a table with the columns date,<dims...>,value\n"
        "# (* stands for all of a dimension).\n"
        "# interpolate: step (the last value holds) or linear. Events act on top of them.\n",
    ]
    tables: dict[str, str] = {}
    for field in fields:
        start = _STARTS.get(field.name)
        entry: dict[str, Any] = {"unit": field.unit}
        if isinstance(start, tuple) and field.dims == ("rank",):
            tables[f"{field.name}.csv"] = "date,rank,value\n" + "".join(
                f"{START},{rank},{short(_within(value, field))}\n"
                for rank, value in zip(RANKS, start, strict=True)
            )
            entry |= {"file": f"{field.name}.csv", "dims": ["rank"], "interpolate": "step"}
        else:
            entry["value"] = short(_start(field, start))
        about = f"{field.about}; {field.low:g} to {field.high:g}"
        blocks.append(_comment(about) + to_yaml({field.name: {**entry, "assumed": ASSUMED}}))
    return "\n".join(blocks if len(blocks) > 1 else [*blocks, "{}\n"]), tables


def _start(field: Field, start: float | tuple[float, ...] | None) -> float:
    if isinstance(start, tuple):
        start = start[0]
    if start is None:
        start = field.base if field.base is not None else field.low + min(0.1 * (field.high - field.low), 1.0)
    return _within(start, field)


def _within(value: float, field: Field) -> float:
    return min(max(value, field.low), field.high)


def _events(catalogue: Catalogue) -> str:
    blocks = [
        "# What happened in public, dated, and what it does to fields: op add, multiply or set; for good,\n"
        "# until a day (included), or with a half_life in days (op add). states, branches and ranks narrow\n"
        "# it down where a field differs by them. An event without effects is a mark on the charts.\n"
        "# A size that is not known gets a prior, e.g. {distribution: beta, a: 2, b: 5}: then it is drawn.\n",
    ]
    for name, date, title, effects in EVENTS:
        known = [dict(effect) for effect in effects if effect["field"] in catalogue.fields]
        for effect in known:
            if effect["op"] == "set":
                field = catalogue.fields[str(effect["field"])]
                effect["value"] = short(_within(float(str(effect["value"])), field))
        entry = {"id": name, "date": date, "title": title, "effects": known, "assumed": "Invented."}
        blocks.append(to_yaml([entry]))
    return "\n".join(blocks)


def _parameters(parameters: Iterable[Parameter]) -> str:
    blocks = [
        "# What the mechanisms read. Each has a value, or a prior (its median is then used), or both,\n"
        "# within its range, e.g. prior: {distribution: uniform, low: 0, high: 1}. A normal distribution\n"
        "# takes mean and sd, a lognormal median and sigma, a beta a and b, a triangular low, mode, high.\n"
        "# The typical values below come with the model. Replace them, first of all the national ones.\n",
    ]
    listed = [p for p in parameters if p.name != STRENGTH]
    for scope, heading in (
        ("national", "National: differ by country."),
        ("psychological", "Psychological: carried over between cases."),
        ("technical", "Technical."),
        ("switch", "Switches: 1 the mechanism works, 0 it does not exist. They may be left out."),
    ):
        chosen = [p for p in listed if scope == ("switch" if is_switch(p) else p.scope)]
        blocks += [f"# {heading}\n"] if chosen else []
        for p in chosen:
            entry = {
                "value": short(p.typical),
                "unit": p.unit,
                "range": [short(end) for end in _range(p)],
                "assumed": "Typical value of the model; not yet checked against the country.",
            }
            about = p.about + (f" (theory only: {p.theory})" if p.theory else "")
            blocks.append(_comment(about) + to_yaml({p.name: entry}))
    return "\n".join(blocks if listed else [*blocks, "{}\n"])


def _range(parameter: Parameter) -> tuple[float, float]:
    """Return a finite range that holds the typical value."""
    reach = 10 * max(1.0, abs(parameter.typical))
    low = parameter.low if math.isfinite(parameter.low) else parameter.typical - reach
    high = parameter.high if math.isfinite(parameter.high) else parameter.typical + reach
    return low, high


def _comment(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 108, initial_indent="# ", subsequent_indent="#   ") + "\n"


def _text(text: str) -> str:
    """Return a text as YAML, in quotes where it would not be read as it stands."""
    try:
        plain = (
            resolve(text) == text and re.fullmatch(r"[A-Za-z](?:[\w ./%()-]*[\w./%()-])?", text) is not None
        )
    except NumberError:
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)


PAY: Final = (0.6, 1.0, 1.8)
"""Pay of the lowest, the middle and the highest rank, relative to the one pay of all."""
ASSUMED = "Invented; replace it by what is known of the country."


def add_part(case: Case, folder: Path, name: str, load: Callable[[Path], object]) -> tuple[str, ...]:
    """Write an optional part into a case, all or nothing, and return the names of the files that changed.

    Parameters
    ----------
    case : as it is. folder : its folder. name : one of :data:`PARTS`. load : loads a case from a folder.

    Raises
    ------
    UsageError
        for a part that there is not, or that the case has, or that needs what it has not.
    CaseError
        where the case could not be used with it.
    """
    if name not in PARTS:
        lines = [f"  {part:12}{about}" for part, (about, _) in PARTS.items()]
        raise UsageError(f"there is no part {name!r}{nearest(name, PARTS)}\n" + "\n".join(lines))
    files = Files(folder)
    with files.locked():
        new = PARTS[name][1](case, files)
        check_draft(folder, new, load)
        for file in new:
            files.read(file)
        files.write_all(new)
    return tuple(new)


def _template(case: Case, name: str) -> str:
    """Return a file of the template with the dates, host, branches, ranks and currency of a case."""
    text = (TEMPLATE / name).read_text("utf-8")
    text = re.sub(r"(?m)^ *(?:expected|literature): .*\n", "", text)
    text = _DAY.sub(lambda found: _later(found[0], case.calendar.start, case.calendar.end), text)
    words = {
        "Norlund": _host(case),
        "US dollars": case.currency,
        ": army ": f": {case.force.branches[0].id} ",
        ": guard\n": f": {case.force.branches[-1].id}\n",
        "region: border": f"region: {case.force.regions[-1].id}",
        "[sergeant, officer]": f"[{', '.join(rank.id for rank in case.force.ranks[-2:])}]",
    }
    for old, new in words.items():
        text = text.replace(old, new)
    return text


def _host(case: Case) -> str:
    hosts = [crossing.country for crossing in case.crossings if crossing.host]
    if not hosts:
        remedy = "Write host: true in routes.yaml."
        raise UsageError(f"no crossing leads to a host that registers arrivals\n  {remedy}")
    return hosts[0]


def _only_new(files: Files, *names: str) -> None:
    """Refuse to write over files that hold something."""
    held = [name for name in names if re.sub(r"(?m)^\s*#.*$", "", files.read(name)).strip() not in ("", "[]")]
    if held:
        raise UsageError(f"the case has {listed(held)} already\n  Change it there.")


def _whole(*names: str) -> Callable[[Case, Files], dict[str, str]]:
    """Return a writer of whole files of the template."""

    def write(case: Case, files: Files) -> dict[str, str]:
        _only_new(files, *names)
        return {name: _template(case, name) for name in names}

    return write


def _evidence(case: Case, files: Files) -> dict[str, str]:
    """Return the ledger with an example in comments."""
    names = ("evidence/sources.yaml", "evidence/observations.yaml")
    _only_new(files, *names)
    out = {}
    for name in names:
        head, _, example = _template(case, name).partition("\n\n")
        first = example.partition("\n- id:")[0]
        out[name] = head + "\n#\n" + "".join(f"# {line}\n" for line in first.splitlines()) + "[]\n"
    return out


def _pay(case: Case, files: Files) -> dict[str, str]:
    """Return pay by rank, from the one pay of all."""
    entry = case.content.fields["pay"]
    if entry.value is None:
        raise UsageError(f"pay is a table already, {entry.file}\n  Change it there.")
    ranks = case.force.ranks
    last = max(1, len(ranks) - 1)
    shares = [PAY[0] + (PAY[2] - PAY[0]) * k / last if k != last / 2 else PAY[1] for k in range(len(ranks))]
    rows = [
        f"{case.calendar.start},{rank.id},{entry.value * share:g}\n"
        for rank, share in zip(ranks, shares, strict=True)
    ]
    told = {
        "unit": entry.unit,
        "file": "pay.csv",
        "dims": ["rank"],
        "interpolate": "step",
        "assumed": ASSUMED,
    }
    fields = with_entry(files.read("fields.yaml"), "pay", to_yaml({"pay": told}))
    return {"pay.csv": "date,rank,value\n" + "".join(rows), "fields.yaml": fields}


def _reception(case: Case, files: Files) -> dict[str, str]:
    """Return two sites, who pays for them, their points, and the day from which the host registers."""
    new = _whole("sites.yaml", "payers.yaml")(case, files)
    crossing = next(c for c in case.crossings if c.host)
    at = next(place for place in case.places if place.id == crossing.id)
    new["places.geojson"] = _with_points(files.read("places.geojson"), at, ("station-hotel", "parish-house"))
    text = files.read("events.yaml")
    for name, day, title, effects in EVENTS:
        if name == "reception" and not any(event.id == name for event in case.events):
            known = [effect for effect in effects if effect["field"] in case.catalogue.fields]
            moved = _later(day, case.calendar.start, case.calendar.end)
            entry = {"id": name, "date": moved, "title": title, "effects": known}
            new["events.yaml"] = appended(text, {**entry, "assumed": ASSUMED})
    return new


def _with_points(text: str, at: PlaceFeature, names: tuple[str, ...]) -> str:
    """Return the map with points more, where a crossing has its own."""
    data: dict[str, Any] = json.loads(text)
    lines = [json.dumps(feature, ensure_ascii=False) for feature in data["features"]]
    lines += [feature(name, "site", name.replace("-", " ").capitalize(), at) for name in names]
    return _collection(lines)


def _questions(case: Case, files: Files) -> dict[str, str]:
    """Return a question for the first event that has an effect."""
    _only_new(files, "counterfactuals.yaml")
    event = next((event for event in case.events if event.effects), None)
    if event is None:
        remedy = "Write one into events.yaml."
        raise UsageError(f"no event has an effect, so nothing can be taken away\n  {remedy}")
    head = _template(case, "counterfactuals.yaml").partition("\n\n")[0]
    one = {
        "id": f"without-{event.id}",
        "title": f"Without: {event.title}",
        "question": "How many of those who leave do so because of it?",
        "without": [event.id],
    }
    return {"counterfactuals.yaml": head + "\n\n" + to_yaml([one])}


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of a mapping in YAML, a blank line between them: the name of each, and its lines."""
    for block in text.split("\n\n"):
        name = next(line for line in block.splitlines() if not line.startswith("#")).partition(":")[0]
        yield name, block.rstrip("\n") + "\n"


def _resignation(case: Case, files: Files) -> dict[str, str]:
    """Return all branches with the ranks that can resign, what is offered to them, and how rare it is."""
    force, text = case.force, files.read("force.yaml")
    if any(branch.resigns or branch.refuses for branch in force.branches):
        raise UsageError("a branch of the case has resigns or refuses already\n  Change it there.")
    above = [rank.id for rank in force.ranks if rank.tier > 0] or [rank.id for rank in force.ranks]
    key = f"resigns: [{', '.join(above)}]"
    for branch in force.branches:
        # as one line in braces, or as a block
        entry = re.compile(rf"(?m)^([ ]*)- (\{{?)id: [\"']?{re.escape(branch.id)}[\"']?(, |[ ]*$)")
        text, found = entry.subn(
            lambda at: f"{at[0]}{key}, " if at[2] else f"{at[0]}\n{at[1]}  {key}", text, count=1
        )
        if not found:
            remedy = f"Write {key} into each branch that soldiers can resign from."
            raise UsageError(
                f"the branch {branch.id!r} is written in a way that cannot be added to\n  {remedy}"
            )
    text = text.replace(
        "\nbranches:",
        "\n# resigns: ranks that can resign, in the open and at home. refuses: ranks that can\n"
        "# refuse an order to repress. Leave out what a branch does not allow.\nbranches:",
        1,
    )
    new = {"force.yaml": text}
    for path in sorted(RESIGNATION.iterdir()):
        text = files.read(path.name)
        for name, block in _entries(path.read_text("utf-8")):
            if not re.search(rf"(?m)^{re.escape(name)}:", text):
                text = new[path.name] = with_entry(text, name, block)
    return new


Part = tuple[str, Callable[["Case", Files], dict[str, str]]]
PARTS: Mapping[str, Part] = {
    "evidence": ("sources, and what they say", _evidence),
    "pay": ("pay by rank", _pay),
    "money": ("pay and prices in local money, with dated rates", _whole("rates.yaml")),
    "reception": ("sites of the host, who pays for them, and registration", _reception),
    "resignation": ("resigning at home: who may, what it costs, what is offered", _resignation),
    "command": ("the high command: offices and what they control", _whole("command.yaml")),
    "questions": ("counterfactuals that are asked often", _questions),
    "patterns": ("kinds of lives that stories count", _whole("patterns.yaml")),
}
"""Parts by name: what each is, and what writes it."""
