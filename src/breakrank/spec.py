"""What the model asks of a case: the declared parameters and dated fields.

Mechanisms declare what they read; a case supplies the values with their evidence. The two meet
in a :class:`Catalogue`, so that an unknown name, a wrong unit or a value out of range is found
before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Scope = Literal["national", "psychological", "technical"]
Dimension = Literal["state", "branch", "rank"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number a mechanism reads.

    Attributes
    ----------
    name : ``<mechanism>.<what>``, the name used in ``parameters.yaml`` and by ``--set``.
    unit : unit the case must state, e.g. ``"utility"``, ``"probability"``, ``"days"``, ``"per year"``.
    low, high : inclusive range outside which the mechanism is not defined.
    typical : the value a new case starts from; it still has to be written out there, with a reason.
    about : what it means, in one line.
    theory : where the mechanism's form comes from (author and year), empty where it is bookkeeping.
    scope : ``national`` (differs by country), ``psychological`` (carried between cases) or
        ``technical`` (size, resolution, switches).
    assumed : why `typical` holds where a case says nothing; empty where each case has to state the value.
        Mechanisms of other packages need it: no case knows their parameters.
    prior : distribution within the range where a case says nothing: its family and numbers, as in
        ``parameters.yaml``, e.g. ``("triangular", 0, 0.2, 1)``; ``None`` where nothing is to be calibrated.
    """

    name: str
    unit: str
    low: float
    high: float
    typical: float
    about: str
    theory: str = ""
    scope: Scope = "psychological"
    assumed: str = ""
    prior: tuple[str, *tuple[float, ...]] | None = None


def switch(mechanism: str, about: str) -> Parameter:
    """Declare ``<mechanism>.on``: 1 the mechanism works, 0 it does not exist."""
    why = "switches are on unless said otherwise"
    return Parameter(f"{mechanism}.on", "switch", 0, 1, 1, about, scope="technical", assumed=why)


@dataclass(frozen=True, slots=True)
class Field:
    """One dated series a mechanism reads; a case gives it as a constant or a table, and events act on it.

    Attributes
    ----------
    name, unit, about : as for :class:`Parameter`.
    dims : extra dimensions beside the day, in order.
    low, high : range of every value after events have acted; effects are clipped to it.
    base : value on every day where the case says nothing; ``None`` makes the field obligatory.
    diminishing : what an event adds is that part of what is missing to 1, so that each adds less than the
        last.
    """

    name: str
    unit: str
    low: float
    high: float
    about: str
    dims: tuple[Dimension, ...] = ()
    base: float | None = None
    diminishing: bool = False


@dataclass(frozen=True)
class Catalogue:
    """All parameters and fields the assembled model reads, by name.

    Attributes
    ----------
    parameters, fields : what is declared, by name.
    mechanisms : names of the mechanisms that are added to the built-in ones, in order.
    code : SHA-256 (hexadecimal) of the source of these; empty without any.
    """

    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    fields: Mapping[str, Field] = field(default_factory=dict)
    mechanisms: tuple[str, ...] = ()
    code: str = ""

    @classmethod
    def of(
        cls,
        parameters: Iterable[Parameter],
        fields: Iterable[Field],
        mechanisms: tuple[str, ...] = (),
        code: str = "",
    ) -> Catalogue:
        """Collect declarations; the same name declared twice must be declared alike.

        Raises
        ------
        ValueError
            if two declarations of one name differ.
        """
        known: dict[str, Parameter] = {}
        for p in parameters:
            if known.setdefault(p.name, p) != p:
                raise ValueError(f"parameter {p.name} is declared twice, differently")
        series: dict[str, Field] = {}
        for f in fields:
            if series.setdefault(f.name, f) != f:
                raise ValueError(f"field {f.name} is declared twice, differently")
        return cls(MappingProxyType(known), MappingProxyType(series), mechanisms, code)
