"""Optional parts of a case, each written from the template to fit what the case has."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from breakrank.case.files import Files, check_draft
from breakrank.case.models_routes import PlaceFeature
from breakrank.case.template import EVENTS, START, TEMPLATE
from breakrank.case.write import appended, to_yaml, with_entry
from breakrank.errors import UsageError, nearest
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case.case import Case

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
    text = re.sub(r"\b2025-\d\d-\d\d\b", lambda found: _moved(case, found[0]), text)
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


def _moved(case: Case, day: str) -> str:
    moved = case.calendar.start + (dt.date.fromisoformat(day) - dt.date.fromisoformat(START))
    return str(min(moved, case.calendar.end))


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
            entry = {"id": name, "date": _moved(case, day), "title": title, "effects": known}
            new["events.yaml"] = appended(text, {**entry, "assumed": ASSUMED})
    return new


def _with_points(text: str, at: PlaceFeature, names: tuple[str, ...]) -> str:
    """Return the map with points more, where a crossing has its own."""
    data: dict[str, Any] = json.loads(text)
    lines = [json.dumps(feature, ensure_ascii=False) for feature in data["features"]]
    for name in names:
        point = {"type": "Point", "coordinates": list(at.geometry.coordinates)}
        about = {"id": name, "kind": "site", "label": name.replace("-", " ").capitalize()}
        lines.append(json.dumps({"type": "Feature", "properties": about, "geometry": point}))
    return '{"type": "FeatureCollection", "features": [\n' + ",\n".join(lines) + "\n]}\n"


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


RESIGNATION: Final = (
    (
        "fields.yaml",
        "offer",
        """\
# What those who resign can count on, in months of pay, less what a contract makes them pay back. A fund that
# opens on a day is an event: {field: offer, op: add, value: 3}. The field differs by branch: a table
# (file: offer.csv, dims: [branch]), or branches: [...] in an effect, tells them apart.
offer: {unit: months of pay, value: 0, assumed: Invented; replace it by what is offered and paid back.}
""",
    ),
    (
        "fields.yaml",
        "exposure",
        """\
# How far names of those who resign become known to those who would punish their families, 0 to 1.
exposure: {unit: fraction, value: 0, assumed: Invented; replace it by what was published.}
""",
    ),
    (
        "parameters.yaml",
        "decision.baseline_resign",
        """\
# How rarely someone without cause, fear or ties resigns at a decision opportunity; the figures decide.
decision.baseline_resign:
  value: 9
  unit: utility
  range: [0, 20]
  prior: {distribution: uniform, low: 3, high: 12}
  assumed: Between quiet desertion and leaving the country, until figures of who resigned say more.
""",
    ),
    (
        "parameters.yaml",
        "decision.open_risk",
        """\
# 0 where resigning is a right that nobody is punished for, 1 where it is punished as flight is.
decision.open_risk:
  value: 0.25
  unit: ratio
  range: [0, 1]
  prior: {distribution: beta, a: 2, b: 6}
  assumed: Lawful and resented; check it against what befell those who resigned.
""",
    ),
)
"""What the part on resigning adds where it is not there yet: the file, the name of the entry and its text."""


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
    for name, entry_name, block in RESIGNATION:
        so_far = new.get(name, files.read(name))
        if not re.search(rf"(?m)^{re.escape(entry_name)}:", so_far):
            new[name] = with_entry(so_far, entry_name, block)
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
