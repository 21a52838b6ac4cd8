"""A new case to start from: a commented folder that loads, checks and runs as it is."""

from __future__ import annotations

import json
import math
import re
import string
import textwrap
from collections.abc import Iterable
from pathlib import Path

from breakrank.case.check_parameters import STRENGTH, is_switch
from breakrank.case.country import Country
from breakrank.case.country_files import placed
from breakrank.case.values import NumberError, resolve
from breakrank.case.write import write_folder
from breakrank.errors import UsageError
from breakrank.spec import Catalogue, Field, Parameter

TEMPLATE = Path(__file__).parent / "template"
"""The files that do not depend on the model."""

START = "2025-01-01"
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
_EVENTS: tuple[tuple[str, str, str, tuple[dict[str, object], ...]], ...] = (
    ("election", "2025-01-20", "Disputed election", ()),
    ("appeal", "2025-02-10", "The challenger appeals to soldiers", (
        {"field": "credibility", "op": "add", "value": 0.3, "half_life": 30},
        {"field": "amnesty", "op": "set", "value": 0.3},
    )),
    ("reception", "2025-02-15", "The neighbour starts to register those who cross", (
        {"field": "registration", "op": "set", "value": 1},
        {"field": "host_word", "op": "add", "value": 0.1},
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


def new_case(folder: str | Path, catalogue: Catalogue, country: Country | None = None) -> Path:
    """Write a new case to start from, and return its folder.

    A made-up force of 5,000 with two branches, three ranks, three states and two crossings; every
    parameter of the model stands at its typical value, marked as assumed.

    Parameters
    ----------
    folder : a new or empty folder; its name becomes the id of the case.
    catalogue : the parameters and fields that the model reads.
    country : whose states, roads and crossings take the place of the made-up ones.

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
    for path in sorted(TEMPLATE.rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        files[path.relative_to(TEMPLATE).as_posix()] = string.Template(text).substitute(words)
    files["fields.yaml"], tables = _fields(catalogue.fields.values())
    files["events.yaml"] = _events(catalogue)
    files["parameters.yaml"] = _parameters(catalogue.parameters.values())
    if country is not None:
        files = placed(files, country, _text)
    return write_folder(folder, {**files, **tables})


def _fields(fields: Iterable[Field]) -> tuple[str, dict[str, str]]:
    """Return fields.yaml and the tables it names."""
    lines = [
        "# Dated series: one value for all days, or a table with the columns date,<dims...>,value",
        "# (* stands for all of a dimension).",
        "# interpolate: step (the last value holds) or linear. Events act on top of them.",
    ]
    tables: dict[str, str] = {}
    for field in fields:
        start = _STARTS.get(field.name)
        lines += ["", *_comment(f"{field.about}; {field.low:g} to {field.high:g}"), f"{_text(field.name)}:"]
        lines.append(f"  unit: {_text(field.unit)}")
        if isinstance(start, tuple) and field.dims == ("rank",):
            tables[f"{field.name}.csv"] = "date,rank,value\n" + "".join(
                f"{START},{rank},{_number(_within(value, field.low, field.high))}\n"
                for rank, value in zip(RANKS, start, strict=True)
            )
            lines += [f"  file: {field.name}.csv", "  dims: [rank]", "  interpolate: step"]
        else:
            lines.append(f"  value: {_number(_start(field, start))}")
        lines.append("  assumed: Invented; replace it by what is known of the country.")
    return _file(lines if len(lines) > 3 else [*lines, "{}"]), tables


def _start(field: Field, start: float | tuple[float, ...] | None) -> float:
    if isinstance(start, tuple):
        start = start[0]
    if start is None:
        start = field.base if field.base is not None else field.low + min(0.1 * (field.high - field.low), 1.0)
    return _within(start, field.low, field.high)


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _events(catalogue: Catalogue) -> str:
    lines = [
        "# What happened in public, dated, and what it does to fields: op add, multiply or set; for good,",
        "# until a day (included), or with a half_life in days (op add). states, branches and ranks narrow",
        "# it down where a field differs by them. An event without effects is a mark on the charts.",
        "# A size that is not known gets a prior, e.g. {distribution: beta, a: 2, b: 5}: then it is drawn.",
    ]
    for name, date, title, effects in _EVENTS:
        lines += ["", f"- id: {name}", f"  date: {date}", f"  title: {title}", "  assumed: Invented."]
        known = [e for e in effects if e["field"] in catalogue.fields]
        if not known:
            lines.append("  effects: []")
            continue
        lines.append("  effects:")
        for effect in known:
            field = catalogue.fields[str(effect["field"])]
            shown = dict(effect)
            if shown["op"] == "set":
                shown["value"] = _within(float(str(shown["value"])), field.low, field.high)
            pairs = (f"{k}: {_number(v) if isinstance(v, int | float) else v}" for k, v in shown.items())
            lines.append("    - {" + ", ".join(pairs) + "}")
    return _file(lines)


def _parameters(parameters: Iterable[Parameter]) -> str:
    lines = [
        "# What the mechanisms read. Each has a value, or a prior (its median is then used), or both, within",
        "# its range, e.g. prior: {distribution: uniform, low: 0, high: 1}. A normal distribution takes mean",
        "# and sd, a lognormal median and sigma, a beta a and b, a triangular low, mode and high.",
        "# The typical values below come with the model. Replace them, first of all the national ones.",
    ]
    listed = [p for p in parameters if p.name != STRENGTH]
    for wanted, heading in (
        (lambda p: p.scope == "national" and not is_switch(p), "National: differ by country."),
        (
            lambda p: p.scope == "psychological" and not is_switch(p),
            "Psychological: carried over between cases.",
        ),
        (lambda p: p.scope == "technical" and not is_switch(p), "Technical."),
        (is_switch, "Switches: 1 the mechanism works, 0 it does not exist. They may be left out."),
    ):
        chosen = [p for p in listed if wanted(p)]
        if chosen:
            lines += ["", f"# {heading}"]
        for p in chosen:
            low, high = _range(p)
            about = p.about + (f" (theory only: {p.theory})" if p.theory else "")
            lines += ["", *_comment(about), f"{_text(p.name)}:", f"  value: {_number(p.typical)}"]
            lines += [f"  unit: {_text(p.unit)}", f"  range: [{_number(low)}, {_number(high)}]"]
            lines.append("  assumed: Typical value of the model; not yet checked against the country.")
    return _file(lines if listed else [*lines, "{}"])


def _range(parameter: Parameter) -> tuple[float, float]:
    """Return a finite range that holds the typical value."""
    reach = 10 * max(1.0, abs(parameter.typical))
    low = parameter.low if math.isfinite(parameter.low) else parameter.typical - reach
    high = parameter.high if math.isfinite(parameter.high) else parameter.typical + reach
    return low, high


def _comment(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), 108, initial_indent="# ", subsequent_indent="#   ")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _text(text: str) -> str:
    """Return a text as YAML, in quotes where it would not be read as it stands."""
    try:
        plain = (
            resolve(text) == text and re.fullmatch(r"[A-Za-z](?:[\w ./%()-]*[\w./%()-])?", text) is not None
        )
    except NumberError:
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)


def _file(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
