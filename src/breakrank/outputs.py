"""What a run hands back: each output declared once, beside the mechanism that makes it.

Collection, results, measures, targets, documentation and the page follow from these declarations; nothing is
inferred from a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Aggregation = Literal["sum", "last", "mean"]
Kind = Literal["total", "level", "share", "ratio", "quotient", "caught"]

YES_OR_NO = "1 or 0"
"""Unit of what holds or does not."""
CURRENCY = "currency"
"""Unit of money: the currency of the case."""
SHARE = "share"
"""Unit of a part of a whole, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Output:
    """One series of a run, a variable of the result.

    Attributes
    ----------
    name : its name in ``result.data``.
    dims : dimensions in order; ``run`` and ``day`` first where it has them.
    dtype : NumPy type name.
    label : what a chart's axis says.
    unit : unit of the values.
    aggregation : how days combine: ``"sum"`` (daily counts), ``"last"`` (stocks) or ``"mean"`` (levels).
    events : events of the log that are counted, by name or code; none where the mechanism writes the series.
    below : where given, only events whose value in the log is below it are counted.
    measure : under which id targets, comparisons and the page may ask for it: its name by default, ``None``
        where another measure reads it.
    """

    name: str
    dims: tuple[str, ...]
    dtype: str
    label: str
    unit: str
    aggregation: Aggregation
    events: tuple[int | str, ...] = ()
    below: float | None = None
    measure: str | None = ""

    @property
    def attrs(self) -> dict[str, str]:
        """Attributes written beside the values."""
        return {"label": self.label, "unit": self.unit, "aggregation": self.aggregation}


def daily(
    name: str,
    label: str,
    *events: int | str,
    unit: str = "soldiers",
    by: tuple[str, ...] = (),
    below: float | None = None,
    measure: str | None = "",
) -> Output:
    """Declare a daily count, int32 (run, day, *by), of these events or of what the mechanism writes."""
    dims = ("run", "day", *by)
    return Output(name, dims, "int32", label, f"{unit} per day", "sum", events, below, measure)


def stock(
    name: str, label: str, unit: str = "soldiers", by: tuple[str, ...] = (), measure: str | None = ""
) -> Output:
    """Declare a number at dusk, int32 (run, day, *by)."""
    return Output(name, ("run", "day", *by), "int32", label, unit, "last", measure=measure)


def level(name: str, label: str, unit: str) -> Output:
    """Declare a level, float32 (run, day)."""
    return Output(name, ("run", "day"), "float32", label, unit, "mean")


def money(name: str, label: str) -> Output:
    """Declare an amount of money a day, float32 (run, day, payer)."""
    return Output(name, ("run", "day", "payer"), "float32", label, f"{CURRENCY} per day", "sum")


def at_end(name: str, label: str, unit: str, *by: str, dtype: str = "int32") -> Output:
    """Declare what is known on the last day only, (run, *by)."""
    return Output(name, ("run", *by), dtype, label, unit, "last", measure=None)


@dataclass(frozen=True, slots=True)
class MeasureSource:
    """The variable that answers a measure, the labels at which it is read, and variables added to it."""

    variable: str
    at: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    also: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that are added up."""
        return (self.variable, *self.also)


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of each run at a date, which targets, comparisons and the page may ask for.

    Attributes
    ----------
    id, label, unit : what it is called and counted in.
    kind : ``"total"`` adds daily counts from a first day to the date, ``"level"`` reads the date,
        ``"share"`` is the total of another measure over the strength, ``"ratio"`` compares two rates,
        ``"quotient"`` is one total over another, ``"caught"`` adds those taken and those who surrendered
        after risings.
    sources : the variable to read, by the dimension asked for ("" for none).
    over : the variable whose total a quotient divides by.
    """

    id: str
    label: str
    unit: str
    kind: Kind
    sources: Mapping[str, MeasureSource]
    over: str = ""

    @property
    def dims(self) -> tuple[str, ...]:
        """The dimensions by which it can be asked, one at a time or :meth:`together`."""
        return tuple(dim for dim in self.sources if dim)

    def together(self, dims: Iterable[str]) -> bool:
        """Return whether it can be asked by all these dimensions at once: one variable has them all."""
        asked = [self.sources[dim] for dim in dims]
        return all(source == asked[0] for source in asked)


def own_measure(output: Output) -> Measure | None:
    """Return the measure that an output is by itself: its total or its level, also along its dimension."""
    if output.measure is None or "day" not in output.dims:
        return None
    source, total = MeasureSource(output.name), output.aggregation == "sum"
    by = [dim for dim in output.dims if dim not in ("run", "day")]
    return Measure(
        output.measure or output.name,
        output.label,
        output.unit.removesuffix(" per day") if total else output.unit,
        "total" if total else "level",
        {"": source, **dict.fromkeys(by, source)},
    )
