"""fields.yaml: dated series, each a constant or a table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from breakrank.case.models_base import Evidenced, FileName, Line, Number, Prose
from breakrank.case.slip import SlipError


class FieldEntry(Evidenced):
    """A series: one `value` for all days, or a `file` with the columns date,<dims...>,value."""

    unit: Line = Field(description="unit of the values")
    value: Number | None = Field(default=None, description="value on every day")
    file: FileName | None = Field(default=None, description="table with the columns date,<dims...>,value")
    dims: Annotated[tuple[Literal["state", "branch", "rank"], ...], Field(max_length=3)] = Field(
        default=(), description="columns of the table between date and value"
    )
    interpolate: Literal["step", "linear"] = Field(
        default="step", description="step: the last value holds; linear: straight lines between dates"
    )
    about: Prose | None = Field(default=None, description="what the series says")

    @model_validator(mode="after")
    def _one_of_both(self) -> FieldEntry:
        if (self.value is None) == (self.file is None):
            found = (
                "neither a value nor a file is given"
                if self.value is None
                else "both a value and a file are given"
            )
            raise SlipError(
                found, "Write value: 0.5, or file: table.csv.", () if self.value is None else ("file",)
            )
        if self.file is None and self.dims:
            raise SlipError(
                "dims are given, and there is no file",
                "Remove dims; they name the columns of a table.",
                ("dims",),
            )
        if len(set(self.dims)) != len(self.dims):
            raise SlipError("a dimension is named twice", "Name each once.", ("dims",))
        return self
