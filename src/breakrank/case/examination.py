"""Reading the interventions with which a case is examined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import TypeAdapter

from breakrank.case.check_counterfactuals import check_changes, check_finite_fields
from breakrank.case.check_words import known_id
from breakrank.case.explain import validated
from breakrank.case.library import case_folder
from breakrank.case.models_base import unique
from breakrank.case.models_examination import Intervention
from breakrank.case.source import read_file
from breakrank.case.yaml_reader import read_yaml
from breakrank.errors import CaseError, Location

if TYPE_CHECKING:
    from breakrank.case.case import Case
    from breakrank.case.located import Document

FILE = "examination.yaml"
"""The file of a case folder that holds its interventions. It is no part of the case: it moves no run."""

TABLE: TypeAdapter[tuple[Intervention, ...]] = TypeAdapter(
    Annotated[tuple[Intervention, ...], unique("intervention")]
)
"""What it holds."""


def table_of(case: str) -> Path:
    """Return where the interventions of a case stand, given by name or folder.

    Raises
    ------
    CaseError
        where it has none.
    """
    path = case_folder(case) / FILE
    if not path.exists():
        raise CaseError(
            "this case has no table of interventions", Location(path), "Name one with --table FILE."
        )
    return path


def interventions(case: Case, path: Path) -> tuple[Intervention, ...]:
    """Read a table of interventions and check it against the case.

    Raises
    ------
    CaseError
        for the first thing in it that cannot be used.
    """
    document = read_yaml(read_file(path), path)
    found = validated(TABLE, document)
    observations = [o.id for o in case.content.observations]
    for k, item in enumerate(found):
        check_changes(k, item, document, case.content, case.catalogue)
        for j, name in enumerate(item.evidence or ()):
            known_id(name, observations, "observation", document, (k, "evidence", j))
        if item.against is not None:
            earlier = [other.id for other in found[:k]]
            known_id(item.against, earlier, "intervention before this one", document, (k, "against"))
        _check_expected(k, item, document, case)
    check_finite_fields(found, document, case.content, case.catalogue)
    return found


def _check_expected(k: int, item: Intervention, document: Document, case: Case) -> None:
    first, last = case.calendar.start, case.calendar.end
    for j, one in enumerate(item.expected):
        path = (k, "expected", j)
        known_id(one.of, case.catalogue.measures, "measure", document, (*path, "of"))
        dims = case.catalogue.measures[one.of].dims
        for dim in one.by:
            known_id(dim, dims, f"dimension of {one.of}", document, (*path, "by", dim))
        for key, day in (("date", one.date), ("since", one.since)):
            if day is not None and not first <= day <= last:
                raise document.error(
                    (*path, key), f"{day} is outside the run, which lasts from {first} to {last}"
                )
