"""What the checks have in common: naming the nearest id, and saying what range is expected."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from breakrank.case.country import same_country
from breakrank.case.values import Document, Step
from breakrank.errors import nearest
from breakrank.spec import Field, Parameter

MOST_TOLD = 30
"""Ids that a message lists."""


def known_id(name: str, known: Iterable[str], what: str, document: Document, path: tuple[Step, ...]) -> None:
    """Raise a CaseError that names the nearest id when `name` is not among `known`."""
    known = tuple(known)
    if name not in known:
        remedy = f"Known: {_listed(name, known)}." if known else f"There is no {what} in this case yet."
        raise document.error(path, f"unknown {what} {name!r}{nearest(name, known)}", remedy)


def _listed(name: str, known: tuple[str, ...]) -> str:
    """Return the ids that are known; of many those most like a name, the likest first."""
    if len(known) <= MOST_TOLD:
        return ", ".join(known)
    return f"{', '.join(get_close_matches(name, known, MOST_TOLD, 0.0))}, ..."


def foreign(country: str, home: str, what: str, document: Document, path: tuple[Step, ...]) -> None:
    """Raise a CaseError when what has to be abroad is in the country of the case."""
    if same_country(country, home):
        remedy = "Write the country abroad, or correct the country in case.yaml."
        raise document.error(path, f"the {what} is in {country!r}, the country of the case itself", remedy)


def out_of_range(value: float, declared: Parameter | Field) -> str:
    """Return the problem when a value lies outside what the model allows, an empty text when it does not."""
    if declared.low <= value <= declared.high:
        return ""
    allowed = f"{declared.low:g} to {declared.high:g} {declared.unit}"
    return f"the value {value:g} is out of range, expected {allowed}"
