"""examination.yaml: how a case should answer interventions, and its checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, TypeAdapter, model_validator

from breakrank.case.check_fields import check_changes, check_finite_fields
from breakrank.case.dates import Day
from breakrank.case.documents import read_yaml
from breakrank.case.library import case_folder
from breakrank.case.models_base import CaseModel, Flag, Id, Ids, Line, Prose, Range, unique
from breakrank.case.models_events import Changes
from breakrank.case.source import read_file
from breakrank.case.values import SlipError, known_id, known_ids, validated
from breakrank.errors import CaseError, Location

if TYPE_CHECKING:
    from breakrank.case.case import Case
    from breakrank.case.values import Document

Sign = Literal["more", "less", "same", "no_more", "no_less", "identical"]


class Expectation(CaseModel):
    """What an intervention is expected to do to one measure."""

    of: Id = Field(description="the measure")
    sign: Sign = Field(
        description="more, less, same (within the band), no_more, no_less, or identical (in every run)"
    )
    times: Range | None = Field(
        default=None, description="band of its size, as [low, high] multiples of what it was"
    )
    reaches: Range | None = Field(default=None, description="band of what it becomes, as [low, high]")
    date: Day | None = Field(default=None, description="day at which it is read; by default the last")
    since: Day | None = Field(default=None, description="first day counted; by default the first")
    by: dict[Id, Id | tuple[Id, ...]] = Field(
        default_factory=dict, description="only some labels, as {rank: general} or {route: [trail, river]}"
    )
    limit: Prose | None = Field(
        default=None, description="known limit: why the model fails here; to be taken out once it does not"
    )

    short: Flag = Field(default=False, description="true: part of the short form")

    @model_validator(mode="after")
    def _has_a_band(self) -> Expectation:
        if self.sign == "same" and self.times is None and self.reaches is None:
            raise SlipError(
                "same is said without a band", "Write times: [0.8, 1.25], or identical.", ("sign",)
            )
        if self.times is not None and self.reaches is not None:
            raise SlipError("both times and reaches are given", "Keep one of the two.", ("reaches",))
        return self


class Intervention(Changes):
    """One change of a case, and what theory or a report expects of it, written before it is run."""

    part: Line = Field(description="the part of the model that is examined")
    because: Prose = Field(description="why this is expected, in a sentence")
    expected: Annotated[tuple[Expectation, ...], Field(min_length=1)] = Field(
        description="what is expected, measure by measure"
    )
    literature: Line | None = Field(default=None, description="who expects it, as author and year")
    evidence: Annotated[Ids, Field(min_length=1)] | None = Field(
        default=None, description="ids of observations in evidence/observations.yaml"
    )
    construction: Flag = Field(
        default=False, description="true: it follows from what the words mean, whatever the world is like"
    )
    against: Id | None = Field(
        default=None, description="id of the intervention that it is compared with, instead of the case"
    )
    dropped: Prose | None = Field(
        default=None,
        description="why it is run no more, as what it changed is gone; it stays listed, so that nothing "
        "that was expected is forgotten",
    )

    @model_validator(mode="after")
    def _says_who(self) -> Intervention:
        if not (self.literature or self.evidence or self.construction):
            raise SlipError(
                "an effect is expected, but nothing says who expects it",
                "Write literature: author year, evidence: [observation-id] or construction: true.",
            )
        return self


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
    found = validated(TABLE, document, case.calendar)
    observations = [o.id for o in case.content.observations]
    for k, item in enumerate(found):
        if item.dropped is not None:
            continue
        check_changes(k, item, document, case.content, case.catalogue)
        known_ids(item.evidence or (), observations, "observation", document, (k, "evidence"))
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
        labels = case.content.labels
        for dim, names in one.by.items():
            known_id(dim, dims, f"dimension of {one.of}", document, (*path, "by", dim))
            if dim in labels:
                for name in (names,) if isinstance(names, str) else names:
                    known_id(name, labels[dim], dim, document, (*path, "by", dim))
        for key, day in (("date", one.date), ("since", one.since)):
            if day is not None and not first <= day <= last:
                raise document.error(
                    (*path, key),
                    f"{day} is outside the run, which lasts from {first} to {last}",
                    "Write a day of the run, or move the calendar in case.yaml.",
                )
