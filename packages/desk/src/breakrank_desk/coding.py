"""Accepting, editing and rejecting: a proposal becomes an observation of the ledger, by a human's word."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from breakrank.case.cells import readings, settled, short, typed
from breakrank.case.counts import impossible
from breakrank.case.dates import read_when
from breakrank.case.values import SlipError
from breakrank.errors import UsageError, nearest
from breakrank_desk.normal import bare
from breakrank_desk.proposals import Proposal, no_place
from breakrank_desk.words import LANGUAGES, table

FIELDS = (
    "id", "source", "says", "what", "value", "range", "bound", "text", "unit", "date", "place", "paragraph",
    "confidence", "bears_on", "conflicts", "aside",
)  # fmt: skip
"""Keys of an observation, in the order in which the ledger writes them."""
OWN = ("counts",)
"""Fields of the form that are no keys of an observation: the quantity it counts."""


def entry_of(proposal: Proposal, given: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the observation that a proposal becomes.

    And the fields in which it departs from the first guesses.

    Parameters
    ----------
    given : fields of the form by name; ``what`` and ``id`` have to be there, the rest is filled by the
        proposal.

    Raises
    ------
    UsageError
        for unknown fields, and where ``what``, a date or a speaker is missing.
    """
    for name in given:
        if name not in (*FIELDS, *OWN):
            raise UsageError(f"an observation has no field {name!r}{nearest(name, (*FIELDS, *OWN))}")
    first = first_guess(proposal)
    entry = {**first, **{k: v for k, v in given.items() if k not in OWN and v is not None}}
    if {"value", "range", "text"} & set(given):
        for name in {"value", "range", "text", "bound"} - set(given):
            entry.pop(name, None)
    if not str(entry.get("what") or "").strip():
        raise UsageError("say in your own words what was counted or seen: what='...'")
    if not entry.get("date"):
        raise UsageError("no date is known for it; give date=2019-02-23 or a range")
    try:
        entry["date"] = read_when(str(entry["date"]))
    except SlipError as error:
        raise UsageError(f"date: {error}") from None
    entry.setdefault("id", "")
    if not entry["id"]:
        entry["id"] = suggested_id(str(entry["what"]), str(entry["date"]))
    if problem := impossible(*_ends(entry), str(entry.get("unit") or "")):
        raise UsageError(f"{problem}\n  Correct the figure or its unit.")
    changed = tuple(sorted(k for k in first if str(first[k]) != str(entry.get(k))))
    return {k: _plain(entry[k]) for k in FIELDS if entry.get(k) not in (None, "", ())}, changed


def _ends(entry: Mapping[str, Any]) -> tuple[float, float]:
    """Return the lowest and the highest figure of an entry; 0 where it has none."""
    found = entry.get("range") or [entry.get("value")]
    ends = [float(end) for end in found if isinstance(end, int | float)] or [0.0]
    return min(ends), max(ends)


def first_guess(proposal: Proposal) -> dict[str, Any]:
    """Return the form as it is before anybody touches it: the first of every pick list."""
    out: dict[str, Any] = {
        "source": proposal.source,
        "paragraph": proposal.anchor.paragraph,
        "confidence": "medium",
    }
    if proposal.value is not None:
        out["value"] = proposal.value
        if proposal.bound:
            out["bound"] = proposal.bound
    elif proposal.range is not None:
        out["range"] = proposal.range
    out["unit"] = proposal.unit or proposal.counted or "persons"
    if proposal.dates:
        out["date"] = proposal.dates[0].when
    out["says"] = proposal.says[0] if proposal.says else "the outlet"
    if proposal.places and not no_place(proposal.places[0]):
        out["place"] = proposal.places[0]
    return out


def suggested_id(what: str, when: str) -> str:
    """Return a short name out of a paraphrase and its month.

    Examples
    --------
    >>> suggested_id("Soldiers registered by the host in the first month", "2019-02-23/2019-03-22")
    'soldiers-registered-host-first-2019-02'
    """
    skip = {bare(w) for name in LANGUAGES for part in ("stops", "empty") for w in table(name)[part]}
    words = [w for w in re.findall(r"[a-z0-9]+", what.casefold()) if w not in skip][:4]
    return "-".join([*words, when[:7]])[:80]


def _plain(value: object) -> object:
    """Return a value as the ledger writes it: whole numbers without a point, lists for tuples."""
    if isinstance(value, float):
        return short(value)
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return str(value) if isinstance(value, dt.date) else value


def read_fields(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return fields as typed on a command line as values.

    Numbers, ranges ``950..1000``, lists joined by commas.

    Raises
    ------
    UsageError
        for what is no such value.
    """
    out: dict[str, Any] = {}
    for name, text in texts.items():
        try:
            if name == "value":
                out[name] = _number(text)
            elif name == "range":
                low, _, high = text.partition("..")
                out[name] = (_number(low), _number(high))
            elif name == "bears_on":
                out[name] = [int(x) for x in text.split(",")]
            elif name == "conflicts":
                out[name] = [x.strip() for x in text.split(",")]
            else:
                out[name] = text
        except SlipError as slip:
            raise UsageError(f"{name}={text}: {slip.problem}\n  {slip.remedy}") from None
        except (ValueError, StopIteration):  # no number at all
            raise UsageError(
                f"{name}={text}: write a number, a range as 950..1000, or a list as 1,2"
            ) from None
    return out


def _number(text: str) -> float:
    """Return a number as typed; one such as 1.200, which may be 1.2 or 1200, is a SlipError."""
    number = typed(text)
    return float(settled(number, readings(number), "" if "." in number else "."))
