"""targets.yaml: what the record says, for calibration and validation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema, model_validator

from breakrank.case.dates import Day
from breakrank.case.models_base import Evidenced, Id, Ids, Line, Number, Prose, Range, Whole
from breakrank.case.values import SlipError

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
            "properties": {
                k: {
                    "anyOf": [
                        {"type": "string"},
                        {"type": "array", "items": {"type": "string"}, "minItems": 1},
                    ]
                }
                for k in _BY
            },
            "additionalProperties": False,
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
    unit: Line = Field(description="unit of the figure")
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
