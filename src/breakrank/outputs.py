"""What a run hands back: each output declared once, beside the mechanism that makes it.

Collection, results, measures, targets, documentation and the page follow from these declarations; nothing is
inferred from a name.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from breakrank.errors import UsageError

Aggregation = Literal["sum", "last", "mean"]
Kind = Literal["total", "level", "share", "ratio", "quotient", "caught"]

YES_OR_NO = "1 or 0"
"""Unit of what holds or does not."""
CURRENCY = "currency"
"""Unit of money: the currency of the case."""
SHARE = "share"
"""Unit of a part of a whole, 0 to 1."""
PARTS = ("state", "rank", "branch")
"""What is known of every soldier: the state of their post, their rank and their branch, in this order."""
OF_HEADS = ("soldiers", "share", "ratio")
"""Units of measures that can be counted of any part of the force."""
IN_PROPORTION = frozenset(
    {
        *(
            "soldiers",
            "persons",
            "relatives",
            "children",
            "families",
            "opportunities",
            "approaches",
            "messages",
        ),
        *("meals", "requests", "decisions", "permits", "files", CURRENCY),
    }
)
"""Units of what is in proportion to the size of the force: people, what they do, ask for and cost."""
WHOLE = (IN_PROPORTION - {CURRENCY}) | {"plots", "uprisings", "units", "falls", "pledges", YES_OR_NO}
"""Units of what is counted one by one, so that no part of one is possible."""


def in_proportion(unit: str) -> bool:
    """Return whether what has a unit, or so much of it a day, is in proportion to the size of the force.

    >>> in_proportion("soldiers per day"), in_proportion("plots")
    (True, False)
    """
    return unit.removesuffix(" per day") in IN_PROPORTION


@dataclass(frozen=True, slots=True)
class LogRows:
    """LogRows of the log that are counted: those of an event, by name or code.

    Their value is `low` or above and below `below`; `alone`: only those that name nobody else. `at` is where
    they stand along a first dimension that is no part of the force, such as ``outcome``.
    """

    event: int | str
    low: float = -math.inf
    below: float = math.inf
    alone: bool = False
    at: int = 0


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
    events : events of the log that are counted, by name, code or :class:`LogRows`; none where the mechanism
        writes the series.
    below : where given, only events whose value in the log is below it are counted.
    fates : whether soldiers are counted where they stand, along the dimension ``fate``.
    measure : under which id targets, comparisons and the page may ask for it: its name by default, ``None``
        where another measure reads it.
    primary : its place among the primary outcomes, 1 to 15; 0 for what is no primary outcome.
    """

    name: str
    dims: tuple[str, ...]
    dtype: str
    label: str
    unit: str
    aggregation: Aggregation
    events: tuple[int | str | LogRows, ...] = ()
    below: float | None = None
    measure: str | None = ""
    fates: bool = False
    primary: int = 0

    @property
    def rows(self) -> tuple[LogRows, ...]:
        """The rows of the log that are counted."""
        below = math.inf if self.below is None else self.below
        return tuple(e if isinstance(e, LogRows) else LogRows(e, below=below) for e in self.events)

    @property
    def attrs(self) -> dict[str, str]:
        """Attributes written beside the values."""
        return {"label": self.label, "unit": self.unit, "aggregation": self.aggregation}


def daily(
    name: str,
    label: str,
    *events: int | str | LogRows,
    unit: str = "soldiers",
    by: tuple[str, ...] = (),
    below: float | None = None,
    measure: str | None = "",
    primary: int = 0,
) -> Output:
    """Declare a daily count, int32 (run, day, *by), of these events or of what the mechanism writes."""
    dims = ("run", "day", *by)
    return Output(
        name, dims, "int32", label, f"{unit} per day", "sum", events, below, measure, primary=primary
    )


def stock(
    name: str,
    label: str,
    unit: str = "soldiers",
    by: tuple[str, ...] = (),
    measure: str | None = "",
    primary: int = 0,
) -> Output:
    """Declare a number at dusk, int32 (run, day, *by)."""
    return Output(name, ("run", "day", *by), "int32", label, unit, "last", measure=measure, primary=primary)


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
        after uprisings.
    sources : the variable to read, by the dimension asked for ("" for none).
    over : the variable whose total a quotient divides by.
    rows : the rows of the log that it counts, of soldiers; none where it counts something else.
    primary : its place among the primary outcomes, 1 to 15; 0 for what is no primary outcome.
    """

    id: str
    label: str
    unit: str
    kind: Kind
    sources: Mapping[str, MeasureSource]
    over: str = ""
    rows: tuple[LogRows, ...] = ()
    primary: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the force of which soldiers can be counted, in any combination, if it counts any."""
        where_they_stand = self.kind == "level" and "fate" in self.sources[""].at
        if not (self.rows or where_they_stand):
            return ()
        return (*PARTS, *(["route"] if "route" in self.sources and self.rows else []))

    @property
    def dims(self) -> tuple[str, ...]:
        """The dimensions by which it can be asked, each by itself."""
        return tuple(dict.fromkeys((*(dim for dim in self.sources if dim), *self.parts)))

    def answered_by(self, dims: Collection[str]) -> MeasureSource | None:
        """Return the variable of every run that answers it by these dimensions at once, if one does."""
        if not dims:
            return self.sources[""]
        found = [self.sources.get(dim) for dim in dims]
        return found[0] if all(one == found[0] for one in found) else None

    def counted_by(self, dims: Collection[str]) -> Output | None:
        """Return what runs of a case count besides where it asks by these dimensions at once, if they can."""
        if not dims or not set(dims) <= set(self.parts):
            return None
        by = tuple(dim for dim in self.parts if dim in dims)
        name = f"{self.id}_by_{'_'.join(by)}"
        label = f"{self.label}, by {' and '.join(by)}"
        if self.kind == "level":
            return Output(
                name, ("run", "day", "fate", *by), "int32", label, "soldiers", "last", (), None, None, True
            )
        return daily(name, label, *self.rows, by=by, measure=None)

    def counted_source(self, dims: Collection[str]) -> MeasureSource | None:
        """Return how the variable of :meth:`counted_by` is read."""
        output = self.counted_by(dims)
        at = self.sources[""].at if output is not None and output.fates else {}
        return None if output is None else MeasureSource(output.name, at)

    def counting(self, outputs: Mapping[str, Output]) -> Measure:
        """Return it with the rows of the log that its variable counts, if these are soldiers."""
        of = outputs.get(self.sources[""].variable)
        plain = not (self.rows or self.sources[""].at or self.sources[""].also) and self.kind in (
            "total",
            "share",
            "ratio",
        )
        return replace(self, rows=of.rows) if of is not None and plain and self.unit in OF_HEADS else self


def strength_by(dims: Collection[str]) -> Output:
    """Return the count of all soldiers along those of some dimensions that are parts of the force."""
    by = tuple(dim for dim in PARTS if dim in dims)
    name = f"strength_by_{'_'.join(by)}"
    return Output(name, ("run", *by), "int32", "Strength", "soldiers", "last", measure=None, fates=True)


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
        primary=output.primary,
    )


def asked_part(text: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return the measure and the part of the force that a text such as ``left:rank=general`` names.

    >>> asked_part("left:rank=general+colonel,branch=army")
    ('left', {'rank': ('general', 'colonel'), 'branch': ('army',)})

    Raises
    ------
    UsageError
        for a part that is not written so.
    """
    name, colon, rest = text.partition(":")
    part: dict[str, tuple[str, ...]] = {}
    for one in rest.split(",") if colon else ():
        dim, equals, labels = one.partition("=")
        if not (dim and equals and all(labels.split("+"))) or dim in part:
            raise UsageError(
                f"{text!r} names no part of the force\n"
                "  Write MEASURE:DIM=LABEL, as in left:rank=general. Further labels follow a +, and "
                "further dimensions a comma."
            )
        part[dim] = tuple(labels.split("+"))
    return name, part


def named_part(measure: str, by: Mapping[str, str | Sequence[str]]) -> str:
    """Return the text by which a measure of a part of the force is asked for; see :func:`asked_part`.

    >>> named_part("left", {"rank": ("general", "colonel"), "branch": "army"}), named_part("left", {})
    ('left:rank=general+colonel,branch=army', 'left')
    """
    parts = (f"{dim}={told if isinstance(told, str) else '+'.join(told)}" for dim, told in by.items())
    return f"{measure}:{','.join(parts)}" if by else measure
