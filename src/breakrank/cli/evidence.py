"""``breakrank evidence``: what every number of a case rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from breakrank.cli.options import Flag
from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import labelled, say, say_json, title, wrapped
from breakrank.show.words import exact, span
from breakrank.wording import HEDGES

if TYPE_CHECKING:
    from breakrank.case import Case

PARTS = ("parameters", "fields", "events", "payers", "sites", "targets")
"""What a case rests on, in order."""
WHAT = "parameter, field, event, payer, site or target"


def evidence(case: str, /, *names: str, json: Flag = False) -> None:
    """Show the evidence behind every parameter, field, event, payer, site and target of a case.

    For each: value or prior, unit, range, the observations behind it with their sources, conflicting
    observations, and what is assumed. Fields also show the origin of their values, events their effects, and
    payers their funds. Sites show whom they admit and who pays.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    names
        Only these parameters, fields, events, payers, sites and targets, e.g. fear.risk_weight.
    json
        Print one JSON object instead.
    """
    from breakrank.cli.changed_case import tell_apart
    from breakrank.runs.cases import at_large

    tell_apart([case], json)
    book = ledger(at_large(case))
    known = [name for part in PARTS for name in book[part]]
    for name in names:
        if name not in known:
            raise UsageError(f"{book['case']} has no {WHAT} {name!r}{nearest(name, known)}")
    if names:
        for part in PARTS:
            book[part] = {name: entry for name, entry in book[part].items() if name in names}
    if json:
        say_json(book)
        return
    for line in _lines(book, whole=not names):
        say(line)


def ledger(case: Case) -> dict[str, Any]:
    """Return each entry of :data:`PARTS` with everything it rests on, ready for JSON."""
    declared = case.declared
    parameters = {
        name: {
            "about": declared[name].about if name in declared else "",
            "value": p.value,
            "prior": None if p.prior is None else repr(p.prior),
            "unit": p.unit,
            "range": [p.low, p.high],
            "basis": p.basis or None,
            **_rests_on(case, p.evidence, p.assumed, p.about),
        }
        for name, p in case.parameters.items()
    }
    targets = {
        t.id: {
            "about": t.label,
            "measure": t.measure,
            **{
                k: getattr(t, k)
                for k in ("value", "range", "at_most", "at_least")
                if getattr(t, k) is not None
            },
            "unit": t.unit,
            "date": str(t.date),
            **_rests_on(case, t.evidence, t.assumed, t.about),
        }
        for t in case.targets
    }
    return {
        "case": case.id,
        "digest": case.digest,
        "parameters": parameters,
        "fields": {name: _field(case, name) for name in case.catalogue.fields},
        "events": {
            e.id: {
                "about": e.title,
                "date": str(e.date),
                "effects": [effect.model_dump(mode="json", exclude_none=True) for effect in e.effects],
                **_rests_on(case, e.evidence, e.assumed, e.about),
            }
            for e in case.events
        },
        "payers": {
            p.id: {
                "about": p.label,
                "funds": p.funds and [f.model_dump(mode="json") for f in p.funds],
                "unit": case.currency,
                **_rests_on(case, p.evidence, p.assumed, p.about),
            }
            for p in case.payers
        },
        "sites": {
            s.id: {
                **s.model_dump(mode="json", exclude={"id", "label", "about", "evidence", "assumed"}),
                "about": s.label,
                **_rests_on(case, s.evidence, s.assumed, s.about),
            }
            for s in case.sites
        },
        "targets": targets,
    }


def _field(case: Case, name: str) -> dict[str, Any]:
    """Return a dated field: its unit and range, where its values come from, and what they rest on."""
    declared, entry = case.catalogue.fields[name], case.content.fields.get(name)
    out: dict[str, Any] = {
        "about": declared.about,
        "unit": declared.unit,
        "dims": list(declared.dims),
        "range": [declared.low, declared.high],
        "value": declared.base if entry is None else entry.value,
        "file": None if entry is None else entry.file,
        "events": [e.id for e in case.events if any(x.field == name for x in e.effects)],
    }
    if entry is None:
        return out | _rests_on(case, None, "not in the case, so the model's own value on every day", None)
    return out | _rests_on(case, entry.evidence, entry.assumed, entry.about)


def _rests_on(
    case: Case, ids: Iterable[str] | None, assumed: str | None, comment: str | None
) -> dict[str, Any]:
    return {
        "evidence": [_observation(case, ident) for ident in ids or ()],
        "assumed": assumed or None,
        "comment": comment or None,
    }


def _observation(case: Case, ident: str, with_conflicts: bool = True) -> dict[str, Any]:
    seen = case.ledger.observations[ident]
    source = case.ledger.sources[seen.source]
    out: dict[str, Any] = {
        "id": ident,
        "what": seen.what,
        **{k: getattr(seen, k) for k in ("value", "bound", "range", "text") if getattr(seen, k) is not None},
        "unit": seen.unit,
        "date": str(seen.date),
        "says": seen.says,
        "source": {
            "id": source.id,
            "publisher": source.publisher,
            "title": source.title,
            "date": str(source.date),
            "copy_of": source.copy_of,
        },
        "paragraph": seen.paragraph,
        "confidence": seen.confidence,
    }
    if with_conflicts:
        out["conflicts"] = [_observation(case, other, with_conflicts=False) for other in seen.conflicts]
    return out


def _lines(book: dict[str, Any], whole: bool) -> Iterator[str]:
    for part in PARTS:
        entries = book[part]
        if not entries:
            continue
        assumed = sum(not entry["evidence"] for entry in entries.values())
        alone = f"{len(entries)}, of which {assumed} rest on assumption alone"
        of = f"{part.capitalize()} of {book['case']}"
        yield title(f"{of}: {alone}" if whole else of)
        yield ""
        for name, entry in entries.items():
            yield from _entry(name, entry)
            yield ""


SHOWN = {
    **{key: key for key in ("basis", "prior", "measure", "range", "events", "effects", "opens", "closes")},
    **{key: key for key in ("admits", "crossing", "rules", "payers", "funds")},
    "stay_limit": "most days",
    "rations_per_day": "meals a day",
    "cost_per_person_day": "cost a day",
}
"""What is shown of an entry before what it rests on, and what it is called."""


def _head(name: str, entry: dict[str, Any]) -> str:
    if "effects" in entry:
        return f"{name}, {entry['date']}"
    if "capacity" in entry:
        return f"{name}, {entry['kind']} for {exact(entry['capacity'])} persons"
    if "funds" in entry:
        return name
    return f"{name}, {entry['unit']}" if entry.get("file") else f"{name} = {_figure(entry)}"


def _given(entry: dict[str, Any]) -> Iterator[str]:
    """Give what a case says of an entry, before what it rests on."""
    if "file" in entry:
        by = f", by {', '.join(entry['dims'])}" if entry["dims"] else ""
        each = f"by day in {entry['file']}" if entry["file"] else "the same each day"
        yield labelled("values", each + by)
    for key, label in SHOWN.items():
        value = entry.get(key)
        if value is None or value in ("", [], {}) or (key == "range" and "measure" in entry):
            continue
        for one in value if key in ("effects", "funds") else (value,):
            yield labelled(label, span(*one) if key == "range" else _words(one))


def _words(value: object) -> str:
    """Return a value of an entry in words, e.g. ``"field pay, op add, value 0.2"``."""
    if isinstance(value, dict):
        told = {key.replace("_", " "): one for key, one in value.items() if one is not None}
        return ", ".join(f"{key} {_words(one)}" for key, one in told.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return exact(value) if isinstance(value, int | float) else str(value)


def _entry(name: str, entry: dict[str, Any]) -> Iterator[str]:
    yield title(_head(name, entry))
    if entry["about"]:
        yield wrapped(entry["about"], 2)
    yield from _given(entry)
    for seen in entry["evidence"]:
        yield labelled("evidence", _phrase(seen))
        for other in seen["conflicts"]:
            yield labelled("  conflicts", _phrase(other))
    if entry["assumed"]:
        yield labelled("assumed", entry["assumed"])
    if entry["comment"] and entry["comment"] != entry["about"]:
        yield labelled("note", entry["comment"])


def _figure(entry: dict[str, Any]) -> str:
    unit = entry["unit"] or ""
    if entry.get("value") is not None:
        return f"{exact(entry['value'])} {unit}".strip()
    if "measure" in entry and entry.get("range") is not None:
        return f"{span(*entry['range'])} {unit}".strip()
    for key in ("at_most", "at_least"):
        if entry.get(key) is not None:
            return f"{HEDGES[key]}{exact(entry[key])} {unit}".strip()
    return unit


def _phrase(seen: dict[str, Any]) -> str:
    said = ""
    if seen.get("value") is not None:
        hedge = HEDGES.get(seen.get("bound", ""), "")
        said = f" [{hedge}{exact(seen['value'])} {seen['unit'] or ''}]".replace(" ]", "]")
    elif seen.get("range") is not None:
        said = f" [{span(*seen['range'])} {seen['unit'] or ''}]".replace(" ]", "]")
    source = seen["source"]
    copied = f", a copy of {source['copy_of']}" if source["copy_of"] else ""
    part = f"{'paragraph ' if seen['paragraph'][:1].isdigit() else ''}{seen['paragraph']}"
    where = f"{source['publisher']}, {source['date']}, {part}{copied}"
    return (
        f"{seen['id']}: {seen['what'].rstrip('.')}{said}. {seen['date']}; {seen['says']}, in {where}; "
        f"confidence {seen['confidence']}"
    )
