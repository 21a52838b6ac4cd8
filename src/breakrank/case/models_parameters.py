"""parameters.yaml: values and priors of what mechanisms read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from breakrank.case.models_base import CaseModel, Evidenced, Line, Number, Prose, Range
from breakrank.case.values import SlipError
from breakrank.old_names import new_name
from breakrank.spec import Parameter, defaults

STRENGTH = "force.strength"
"""The parameter that stands in force.yaml."""
OF_EVENTS = "events."
"""What names of parameters begin with that are sizes and half-lives of events; no mechanism is called so."""
SHAPES: dict[str, tuple[str, ...]] = {
    "uniform": ("low", "high"),
    "normal": ("mean", "sd"),
    "lognormal": ("median", "sigma"),
    "beta": ("a", "b"),
    "triangular": ("low", "mode", "high"),
}
"""The numbers that each distribution takes."""

_POSITIVE = ("sd", "median", "sigma", "a", "b")
_SIZES = (1e-12, 1e12)
"""Sizes that the numbers of a prior may have, beside 0: nothing computed from them over- or underflows."""
_BOUNDS = {"sigma": (1e-12, 10.0), "a": (0.1, 2000.0), "b": (0.1, 2000.0)}
"""Narrower ones: shapes beyond them take seconds, or crowd all values where no number tells them apart."""


Basis = Literal["count", "literature", "reasoning", "fitted"]
"""What a value comes from: an observation, a published figure, a stated reason, or a search by hand."""
_CITATION = re.compile(r"(?:[^\W\d_a-z][\w'’-]+|et al\.) \((?:1[89]|20)\d\d[a-z]?\)")
"""An author and, in brackets, a year."""


def is_switch(parameter: Parameter) -> bool:
    """Return whether a parameter only switches a mechanism on or off (it may be left out: on)."""
    return parameter.name.endswith(".on")


class PriorEntry(CaseModel):
    """A distribution; it is truncated to the range of what it describes."""

    distribution: Literal["uniform", "normal", "lognormal", "beta", "triangular"] = Field(
        description="its family"
    )
    low: Number | None = Field(default=None, description="lower end (uniform, triangular)")
    high: Number | None = Field(default=None, description="upper end (uniform, triangular)")
    mean: Number | None = Field(default=None, description="mean (normal)")
    sd: Number | None = Field(default=None, description="standard deviation, above 0 (normal)")
    median: Number | None = Field(default=None, description="median, above 0 (lognormal)")
    sigma: Number | None = Field(
        default=None, description="standard deviation of the logarithm, above 0, at most 10 (lognormal)"
    )
    a: Number | None = Field(default=None, description="first shape, 0.1 to 2000 (beta)")
    b: Number | None = Field(default=None, description="second shape, 0.1 to 2000 (beta)")
    mode: Number | None = Field(default=None, description="most likely value (triangular)")

    @model_validator(mode="after")
    def _numbers_fit(self) -> PriorEntry:
        wanted = SHAPES[self.distribution]
        write = f"A {self.distribution} distribution takes {' and '.join(wanted)}."
        given = {k: v for k, v in self if k != "distribution" and v is not None}
        for key in given:
            if key not in wanted:
                raise SlipError(
                    f"{key!r} does not belong to a {self.distribution} distribution", write, (key,)
                )
        for key in wanted:
            if key not in given:
                raise SlipError(f"{key!r} is missing from the {self.distribution} distribution", write)
            if key in _POSITIVE and not given[key] > 0:
                raise SlipError(f"{key} is {given[key]:g} and has to be above 0", write, (key,))
            least, most = _BOUNDS.get(key, _SIZES)
            if given[key] and not least <= abs(given[key]) <= most:
                raise SlipError(
                    f"{key} is {given[key]:g}, and a size from {least:g} to {most:g} is expected",
                    "Use other units, or a distribution that says the same with other numbers.",
                    (key,),
                )
        if self.low is not None and self.high is not None:
            if not self.low < self.high:
                raise SlipError(f"low ({self.low:g}) has to be below high ({self.high:g})", write, ("low",))
            if self.mode is not None and not self.low <= self.mode <= self.high:
                raise SlipError(
                    f"the mode {self.mode:g} lies outside [{self.low:g}, {self.high:g}]", write, ("mode",)
                )
        return self

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of the distribution, in the order of :data:`SHAPES`."""
        return tuple(float(getattr(self, key)) for key in SHAPES[self.distribution])


class ParameterEntry(Evidenced):
    """A value, a prior, or both; without a value the prior's median is used.

    Of a parameter of the package everything may be left out: it is then as in the package's own file.
    """

    model_config = ConfigDict(json_schema_extra=lambda schema: schema.pop("required", None))

    value: Number | None = Field(default=None, description="the value; left out, the prior's median")
    prior: PriorEntry | None = Field(default=None, description="distribution of the value within the range")
    unit: Line = Field(description="unit of the value")
    range: Range = Field(description="lowest and highest value that is credible")
    basis: Basis | None = Field(
        default=None,
        description="what the value comes from: an observation (count: needs evidence), a published figure "
        "(literature: assumed cites author and year), a stated reason, or a search by hand (fitted)",
    )
    about: Prose | None = Field(default=None, description="why this value")

    @model_validator(mode="after")
    def _its_basis(self) -> ParameterEntry:
        if self.basis == "count" and self.evidence is None:
            raise SlipError(
                "the basis is a count, and no observation is named",
                "Write evidence: [observation-id], or another basis.",
                ("basis",),
            )
        if self.basis == "literature" and not _CITATION.search(self.assumed or ""):
            raise SlipError(
                "the basis is the literature, and none is cited",
                "Name author and year in assumed, e.g. Granovetter (1978), or write another basis.",
                ("basis",),
            )
        return self

    @model_validator(mode="after")
    def _a_value(self) -> ParameterEntry:
        low, high = self.range
        if self.value is None and self.prior is None:
            raise SlipError(
                "neither a value nor a prior is given",
                "Write value: 0.5 or prior: {distribution: uniform, low: 0, high: 1}.",
            )
        if self.value is not None and not low <= self.value <= high:
            raise SlipError(
                f"the value {self.value:g} lies outside its range [{low:g}, {high:g}]",
                "Widen the range or correct the value.",
                ("value",),
            )
        return self


def _completed(entries: object) -> object:
    """Return the entries of a file with what they leave out as the package has it.

    A value without a prior stays a constant, and a prior without a value is drawn from: the package's value
    and prior stand in only where the entry has neither. An old name is completed too, so that the error about
    it is the one that tells the new name.
    """
    if not isinstance(entries, Mapping):
        return entries
    known = {name: defaults().get(new_name(str(name))) for name in entries}
    return {
        name: _filled(entry, default) if (default := known[name]) and isinstance(entry, Mapping) else entry
        for name, entry in entries.items()
    }


def _filled(entry: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    silent = {"unit": default["unit"], "range": default.get("range", default["bounds"])}
    if "value" not in entry and "prior" not in entry:
        silent |= {key: default[key] for key in ("value", "prior", "basis") if key in default}
    if "assumed" not in entry and "evidence" not in entry:
        silent["assumed"] = default["source"]
    return {**silent, **entry}


ParameterFile = Annotated[dict[str, ParameterEntry], BeforeValidator(_completed)]
"""The entries of parameters.yaml, completed by those of the package."""
