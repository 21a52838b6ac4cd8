"""An assembly: the mechanisms that a model is put together from, in the order in which they act."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from breakrank.engine.codes import EVENTS, FATES, OPTIONS
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.observe import MEASURES, OUTPUTS
from breakrank.errors import UsageError
from breakrank.force.establishment import PARAMETERS as FORCE_PARAMETERS
from breakrank.plugins import source_digest
from breakrank.spec import Added, Catalogue


@dataclass(frozen=True)
class Assembly:
    """The mechanisms of a model. Within a phase of the day they act in this order.

    Attributes
    ----------
    mechanisms : all of them.
    added : names of those that are not built in; they stand last, in this order.
    """

    mechanisms: tuple[type[Mechanism], ...]
    added: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[type[Mechanism], ...]:
        """The mechanisms that are not built in."""
        return self.mechanisms[len(self.mechanisms) - len(self.added) :]

    @property
    def options(self) -> tuple[str, ...]:
        """The options at a decision opportunity, in order of their codes."""
        return (*OPTIONS, *(option for kind in self.mechanisms for option in kind.options))

    @cached_property
    def catalogue(self) -> Catalogue:
        """Everything the model reads from a case and hands back, and what stands for the added source."""
        parameters = [p for kind in self.mechanisms for p in kind.parameters]
        fields = [f for kind in self.mechanisms for f in kind.fields]
        code = source_digest(self.others) if self.added else ""
        outputs = [*OUTPUTS, *(o for kind in self.mechanisms for o in kind.outputs)]
        measures = [*MEASURES, *(m for kind in self.mechanisms for m in kind.measures)]
        events = tuple(event for kind in self.others for event in kind.events)
        fates = tuple(fate for kind in self.others for fate in kind.fates)
        return Catalogue.of(
            [*FORCE_PARAMETERS, *parameters],
            fields,
            outputs,
            measures,
            Added(self.added, events, fates, code),
        )

    def with_others(self, named: Sequence[tuple[str, type]]) -> Assembly:
        """Return the assembly with more mechanisms at the end, each with its name.

        Raises
        ------
        UsageError
            for a class that cannot be added, with the reason.
        """
        made = self
        for name, kind in named:
            if not issubclass(kind, Mechanism):
                raise UsageError(f"{name} is no mechanism: breakrank.engine.mechanism.Mechanism is its base")
            problem = _problem(kind, made)
            if problem:
                raise UsageError(f"the mechanism {name} cannot be added: {problem}")
            made = Assembly((*made.mechanisms, kind), (*made.added, name))
        return made


def _problem(kind: type[Mechanism], others: Assembly) -> str:
    """Return why a mechanism of another package cannot be added to others; empty if it can."""
    name = getattr(kind, "name", "")
    if not isinstance(name, str) or not name.isidentifier():
        return "its name has to be a word of letters, digits and '_'"
    if name == "force" or name in {other.name for other in others.mechanisms}:
        return f"there is a mechanism {name!r} already"
    if not kind.citation:
        return "its citation is empty: say what to cite for it"
    if not (inspect.getdoc(inspect.getmodule(kind)) and kind.__doc__):
        return "its module and its class need docstrings, which say what it does and after which theory"
    if f"{name}.on" not in {p.name for p in kind.parameters}:
        return f"it has no switch; declare switch({name!r}, ...) among its parameters"
    return next(chain(_undeclared(kind), _taken(kind, others)), "")


def _taken(kind: type[Mechanism], others: Assembly) -> Iterator[str]:
    """Yield the names that others declare already."""
    has = others.catalogue
    for what, own, known in (
        ("option", kind.options, others.options),
        ("event", kind.events, (*EVENTS, *has.events)),
        ("fate", kind.fates, (*FATES, *has.fates)),
        ("output", [o.name for o in kind.outputs], has.outputs),
        ("measure", [m.id for m in kind.measures], has.measures),
    ):
        yield from (f"the {what} {one!r} is taken" for one in own if one in known)
    for field in kind.fields:
        if field.name in has.fields and field != has.fields[field.name]:
            yield f"there is a field {field.name!r} already, declared differently"
        if field.name not in has.fields and field.base is None:
            yield f"the field {field.name!r} needs a base, for cases that say nothing"


def _undeclared(kind: type[Mechanism]) -> Iterator[str]:
    """Yield the gaps in the declarations of a mechanism."""
    names = [*(p.name for p in kind.parameters), *(t.name for t in kind.terms)]
    yield from (
        f"{n!r} has to begin with {kind.name + '.'!r}" for n in names if not n.startswith(f"{kind.name}.")
    )
    for p in kind.parameters:
        if not p.assumed:
            yield f"{p.name} has to say why {p.typical:g} holds where a case is silent (assumed=...)"
