"""What the model asks of a case: the declared parameters and dated fields.

Mechanisms declare what they read; a case supplies the values with their evidence. The two meet
in a :class:`Catalogue`, so that an unknown name, a wrong unit or a value out of range is found
before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from breakrank.outputs import Measure, Output, own_measure

T = TypeVar("T")

Scope = Literal["national", "psychological", "technical"]
Dimension = Literal["state", "branch", "rank", "route"]


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
    range : lowest and highest value that is credible where a case says nothing; ``None`` for `low` to `high`.
    basis : what `typical` comes from: count, literature, reasoning or fitted; empty where it is not said.
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
    range: tuple[float, float] | None = None
    basis: Literal["count", "literature", "reasoning", "fitted", ""] = ""


DEFAULTS = Path(__file__).with_name("parameters.yaml")
"""Every parameter of the package, with its unit, bounds, value, prior and source."""


@cache
def defaults() -> Mapping[str, Mapping[str, Any]]:
    """Return the entries of :data:`DEFAULTS` by name: plain values, as they are written there."""
    import yaml  # type: ignore[import-untyped,unused-ignore]

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read: dict[str, Mapping[str, Any]] = yaml.load(DEFAULTS.read_bytes(), Loader=loader)
    return MappingProxyType(read)


def parameter(name: str) -> Parameter:
    """Return a parameter of the package by its name.

    Raises
    ------
    KeyError
        for a name that ``parameters.yaml`` does not have.
    """
    entry = defaults()[name]
    low, high = entry["bounds"]
    prior = entry.get("prior")
    return Parameter(
        name,
        entry["unit"],
        low,
        high,
        entry["value"],
        entry["about"],
        entry.get("theory", ""),
        entry["scope"],
        entry["source"],
        None if prior is None else tuple(prior.values()),
        tuple(entry["range"]) if "range" in entry else None,
        entry["basis"],
    )


def switch(mechanism: str, about: str) -> Parameter:
    """Declare ``<mechanism>.on``: 1 the mechanism works, 0 it does not exist."""
    why = "switches are on unless said otherwise"
    return Parameter(f"{mechanism}.on", "switch", 0, 1, 1, about, scope="technical", assumed=why)


def parameters_of(mechanism: str, about: str = "") -> tuple[Parameter, ...]:
    """Return the parameters of the package whose names begin with a mechanism's, in the order of their file.

    Where `about` says what it switches, the mechanism's switch comes first.
    """
    own = tuple(parameter(name) for name in defaults() if name.partition(".")[0] == mechanism)
    return (switch(mechanism, about), *own) if about else own


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
    local : dimensions by which a case that names the mechanism ``local`` may tell it apart besides.
    """

    name: str
    unit: str
    low: float
    high: float
    about: str
    dims: tuple[Dimension, ...] = ()
    base: float | None = None
    diminishing: bool = False
    local: tuple[Dimension, ...] = ()

    @property
    def whole(self) -> Field:
        """The same field with the dimensions by which it may be told apart, those first."""
        return replace(self, dims=(*self.local, *self.dims), local=())


@dataclass(frozen=True, slots=True)
class Added:
    """What stands for the mechanisms that are added to the built-in ones.

    Attributes
    ----------
    mechanisms : their names, in order.
    events : what they add to the event log, in order of code.
    fates : where soldiers may stand whom they move, in order of code.
    code : SHA-256 (hexadecimal) of their source; empty without any.
    """

    mechanisms: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    fates: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True)
class Catalogue:
    """What the assembled model reads from a case and hands back, by name.

    Attributes
    ----------
    parameters, fields : what it reads.
    outputs, measures : what it hands back, and what can be asked of that.
    added : the mechanisms that are added to the built-in ones.
    """

    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    fields: Mapping[str, Field] = field(default_factory=dict)
    outputs: Mapping[str, Output] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    added: Added = Added()

    @property
    def primary(self) -> tuple[str, ...]:
        """Primary outcomes, in order: the measures that comparisons and explanations begin with."""
        return tuple(m.id for m in sorted(self.measures.values(), key=lambda m: m.primary) if m.primary)

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """Names of the mechanisms that are added."""
        return self.added.mechanisms

    @property
    def events(self) -> tuple[str, ...]:
        """What these add to the event log, in order of code."""
        return self.added.events

    @property
    def fates(self) -> tuple[str, ...]:
        """Where soldiers may stand whom these move, in order of code."""
        return self.added.fates

    @property
    def code(self) -> str:
        """What stands for the source of these."""
        return self.added.code

    @classmethod
    def of(
        cls,
        parameters: Iterable[Parameter],
        fields: Iterable[Field],
        outputs: Iterable[Output] = (),
        measures: Iterable[Measure] = (),
        added: Added = Added(),
    ) -> Catalogue:
        """Collect declarations. Parameters and fields may be declared twice, alike; all else once.

        Each output is also a measure, unless it says otherwise.

        Raises
        ------
        ValueError
            if two declarations of one name differ.
        """
        made = tuple(outputs)
        own = [one for one in map(own_measure, made) if one is not None]
        named = _by_name("output", ((o.name, o) for o in made))
        return cls(
            _by_name("parameter", ((p.name, p) for p in parameters)),
            _by_name("field", ((f.name, f) for f in fields)),
            named,
            _by_name("measure", ((m.id, m.counting(named)) for m in (*own, *measures))),
            added,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # read-only mappings cannot be pickled
        kept = (self.parameters, self.fields, self.outputs, self.measures)
        return _catalogue, (*map(dict, kept), self.added)


def _catalogue(
    parameters: dict[str, Parameter],
    fields: dict[str, Field],
    outputs: dict[str, Output],
    measures: dict[str, Measure],
    added: Added,
) -> Catalogue:
    kept = MappingProxyType(parameters), MappingProxyType(fields)
    return Catalogue(*kept, MappingProxyType(outputs), MappingProxyType(measures), added)


def _by_name(what: str, declared: Iterable[tuple[str, T]]) -> Mapping[str, T]:
    known: dict[str, T] = {}
    for name, one in declared:
        if known.setdefault(name, one) != one:
            raise ValueError(f"{what} {name} is declared twice, differently")
    return MappingProxyType(known)
