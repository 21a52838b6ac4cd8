"""The ledger and targets.yaml: who says what, and what the record says of counts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema, model_validator

from breakrank.case.dates import Day, When
from breakrank.case.models_base import CaseModel, Evidenced, Id, Ids, Line, Number, Prose, Range, Whole
from breakrank.case.values import SlipError

Grade = Literal["high", "medium", "low"]


class Source(CaseModel):
    """A report, survey, data set or document."""

    id: Id = Field(description="short name")
    publisher: Line = Field(description="who published it")
    title: Line = Field(description="its title")
    date: When = Field(description="when it was published")
    kind: Literal["report", "official", "survey", "dataset", "leak", "compilation"] = Field(
        description="what it is"
    )
    copy_of: Id | None = Field(default=None, description="id of the source whose copy it carries")
    reliability: Grade = Field(description="high, medium or low")
    notes: Prose | None = Field(default=None, description="what one should know about it")


def _paragraph(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Observation(CaseModel):
    """What a source says was counted or seen, in other words than its own."""

    id: Id = Field(description="short name")
    source: Id = Field(description="id of its source")
    says: Line = Field(description="who says so")
    what: Prose = Field(description="what is said, paraphrased")
    value: Number | None = Field(default=None, description="the figure")
    range: Range | None = Field(default=None, description="lowest and highest figure")
    bound: Literal["at_least", "at_most", "about"] | None = Field(
        default=None, description="whether the value is a lower or upper bound, or a round figure"
    )
    text: Prose | None = Field(default=None, description="what is said, where it is no figure")
    unit: Line | None = Field(default=None, description="unit of the figure")
    date: When = Field(description="when it was so; may be a range joined by '/'")
    place: Line | None = Field(default=None, description="where it was so")
    paragraph: Annotated[Line, BeforeValidator(_paragraph)] = Field(description="paragraph of the source")
    confidence: Grade = Field(description="high, medium or low")
    bears_on: tuple[Annotated[Whole, Field(ge=1, le=14)], ...] = Field(
        default=(), description="numbers (1 to 14) of the subsystems it bears on"
    )
    conflicts: Ids = Field(
        default=(), description="ids of observations that say otherwise; they name this one too"
    )
    aside: Prose | None = Field(
        default=None, description="why nothing rests on it on purpose, e.g. kept to compare a forecast with"
    )

    @model_validator(mode="after")
    def _one_figure(self) -> Observation:
        given = [k for k in ("value", "range", "text") if getattr(self, k) is not None]
        if len(given) != 1:
            found = (
                "nothing observed is given" if not given else f"more than one of {', '.join(given)} is given"
            )
            raise SlipError(
                found, "Write exactly one of value, range and text.", () if not given else (given[1],)
            )
        if given[0] != "text" and self.unit is None:
            raise SlipError(
                "the figure has no unit", "Write unit: persons, or whatever is counted.", (given[0],)
            )
        if self.bound is not None and self.value is None:
            raise SlipError(
                "only a single figure has a bound", "Write value, or leave bound out.", ("bound",)
            )
        if self.id in self.conflicts:
            raise SlipError(
                "the observation conflicts with itself", "Name other observations.", ("conflicts",)
            )
        return self


By = Literal["rank", "branch", "state", "route", "site"]
_BY = ("rank", "branch", "state", "route", "site")


def _selector(value: object) -> dict[str, tuple[str, ...]]:
    """Return which part is counted: ids by dimension; one id may stand alone."""
    if not isinstance(value, dict):
        raise SlipError("a mapping is expected", "Write e.g. {rank: enlisted} or {rank: [enlisted, nco]}.")
    out: dict[str, tuple[str, ...]] = {}
    for key, ids in value.items():
        if key not in _BY:
            raise SlipError(
                f"nothing is counted by {key!r:.60}", f"Write one of: {', '.join(_BY)}.", (str(key),)
            )
        ids = (ids,) if isinstance(ids, str) else ids
        if not isinstance(ids, list | tuple) or not ids or not all(isinstance(i, str) for i in ids):
            raise SlipError(
                "an id or a list of ids is expected", f"Write e.g. {{{key}: an-id}}.", (str(key),)
            )
        out[str(key)] = tuple(ids)
    return out


Selector = Annotated[
    dict[str, tuple[str, ...]],
    PlainValidator(_selector),
    PlainSerializer(lambda by: {k: list(v) for k, v in by.items()}),
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": {
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
            },
        }
    ),
]


class Target(Evidenced):
    """A figure of the record that a run is compared with."""

    id: Id = Field(description="short name")
    label: Line = Field(description="name shown in charts")
    measure: Id = Field(description="what is counted, e.g. registered")
    date: Day = Field(description="the day up to which, or at the end of which, it is counted")
    start: Day | None = Field(
        default=None, alias="from", description="first day that counts; left out, from the start"
    )
    by: Selector | None = Field(
        default=None,
        description="which part is counted, e.g. {rank: enlisted}, or of several kinds at once, e.g. "
        "{state: XX-A, rank: enlisted}; the state is that of the post",
    )
    unit: Line = Field(description="unit of the figure; `breakrank case keys targets` tells it")
    value: Number | None = Field(default=None, description="the figure")
    range: Range | None = Field(default=None, description="lowest and highest figure")
    at_most: Number | None = Field(default=None, description="the figure is at most this")
    at_least: Number | None = Field(default=None, description="the figure is at least this")
    about: Prose | None = Field(default=None, description="what is counted, and how sure it is")
    spread: Annotated[Number, Field(ge=0, le=2)] | None = Field(
        default=None,
        description="how far the figure may be off: one standard deviation, as a share of it; "
        "left out, by the confidence of its evidence",
    )
    lag: Annotated[Whole, Field(ge=0, le=366)] = Field(
        default=0, description="days by which the count may be behind its date"
    )
    against: Selector | None = Field(
        default=None,
        description="part it is set against: the figure is the ratio of the two counts, in the unit ratio",
    )
    conflicting: Ids = Field(
        default=(), description="ids of observations that give another figure for the same thing"
    )
    construction: Prose | None = Field(
        default=None,
        description="why the model meets the figure whatever happens, e.g. since a constant was set from it; "
        "the figure is shown, and is in no likelihood and no score",
    )

    @model_validator(mode="after")
    def _one_figure(self) -> Target:
        kinds = ("value", "range", "at_most", "at_least")
        given = [k for k in kinds if getattr(self, k) is not None]
        if len(given) != 1:
            found = (
                "no figure is given" if not given else f"more than one figure is given ({', '.join(given)})"
            )
            raise SlipError(
                found, f"Write exactly one of {', '.join(kinds)}.", () if not given else (given[1],)
            )
        if self.start is not None and self.start > self.date:
            raise SlipError(
                f"the count starts ({self.start}) after its date ({self.date})",
                "Write an earlier date.",
                ("from",),
            )
        if self.against is not None and self.by is None:
            raise SlipError(
                "the figure is set against a part, and of what part it is, is not said",
                "Write by, e.g. {branch: guard} against {branch: army}.",
                ("against",),
            )
        if self.conflicting and given[0] not in ("value", "range"):
            raise SlipError(
                f"a figure that is {given[0]} something has no other beside it",
                "Write value or range, or leave out conflicting.",
                ("conflicting",),
            )
        return self
