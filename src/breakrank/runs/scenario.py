"""A scenario: a case and what is different in it, by name.

What a scenario is called: what it starts from, and what is changed in it.

A name is for people, in tables, messages and lists of what a store holds. What is run, and found again, goes
by the scenario's digest alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from breakrank.case.changes import counterfactual
from breakrank.errors import UsageError
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import Changes, Event

    Values = Mapping[str, float] | tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Scenario:
    """A case with named changes. It never changes; two are equal if they have one name and one digest.

    What is changed is applied in this order: counterfactuals, events, values, the last day.

    Attributes
    ----------
    case : where it starts from.
    name : what it is called in tables and files.
    asked : counterfactuals, each an id of one of the case's own or one from another file.
    events : events that are added, or replace those of the same id.
    values : parameters that are set, as (name, value).
    until : last day, if earlier than the case's own.
    """

    case: Case
    name: str = "case"
    asked: tuple[str | Changes, ...] = ()
    events: tuple[Event, ...] = ()
    values: Values = ()
    until: dt.date | None = None

    def __post_init__(self) -> None:
        if not self.name or not self.name.isprintable():
            raise UsageError(f"a scenario cannot be called {self.name!r}; give it a name of a few words")
        given = self.values.items() if isinstance(self.values, Mapping) else self.values
        object.__setattr__(self, "values", tuple((str(name), float(value)) for name, value in given))

    @cached_property
    def made(self) -> Case:
        """The case as the scenario has it.

        Raises
        ------
        UsageError, CaseError
            for a change that the case does not allow.
        """
        case = self.case
        for one in self.asked:
            case = case.counterfactual(one) if isinstance(one, str) else counterfactual(case, one)
        if self.events:
            case = case.with_events(self.events)
        if self.values:
            case = case.set(dict(self.values))
        return case if self.until is None else case.until(self.until)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that a run of it depends on; scenarios that come to the same share their runs."""
        return self.made.digest

    def but(self, name: str, values: Values) -> Scenario:
        """Return the scenario under another name with more values set."""
        merged = dict(self.values) | dict(values)
        return Scenario(self.case, name, self.asked, self.events, tuple(merged.items()), self.until)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __repr__(self) -> str:
        asked = [one if isinstance(one, str) else one.id for one in self.asked]
        changes = [
            *asked,
            *(e.id for e in self.events),
            *(f"{n} = {v:g}" for n, v in dict(self.values).items()),
        ]
        if self.until is not None:
            changes.append(f"until {self.until}")
        return f"Scenario {self.name} of {self.case.id}: {', '.join(changes) or 'the case as it is'}"

    def __reduce__(self) -> tuple[Any, ...]:
        # what it comes to is made again where it is needed: scenarios of one case travel with one copy of it
        return Scenario, (self.case, self.name, self.asked, self.events, self.values, self.until)


CASE = "case"
"""The case as it is."""


@dataclass(frozen=True, slots=True)
class NamedChanges:
    """What is changed in a case, and in all that stands beside it.

    Attributes
    ----------
    under : ``"values"`` where runs live under the parameters' values though there is a posterior.
    values : parameters that are set.
    events : name of a file of events, and how many they are.
    until : last day, if earlier than the case's own.
    mechanisms : that are added to the model's own.
    """

    under: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    events: tuple[str, int] | None = None
    until: dt.date | None = None
    mechanisms: tuple[str, ...] = ()

    def name(
        self, of: str = CASE, values: Mapping[str, float] | None = None, until: dt.date | None = None
    ) -> str:
        """Return a name such as ``case with fear.on=0 and 2 events of rumours.yaml until 2019-03-01``.

        Values stand by name, so that the same changes have one name in whatever order they were given.

        Parameters
        ----------
        of : what it starts from: the case, or a counterfactual by its id.
        values, until : further changes.

        >>> NamedChanges(values={"fear.on": 0}).name("no-taps", {"belief.candour": 0.25})
        'no-taps with belief.candour=0.25, fear.on=0'
        """
        every = {**self.values, **(values or {})}
        changes = [", ".join(f"{name}={_number(value)}" for name, value in sorted(every.items()))]
        if self.events is not None:
            file, many = self.events
            changes.append(f"{counted(many, 'event')} of {file}")
        end = until or self.until
        words = [of]
        words += [f"plus {', '.join(self.mechanisms)}"] if self.mechanisms else []
        words += [f"under {self.under}"] if self.under else []
        words += [f"with {' and '.join(filter(None, changes))}"] if any(changes) else []
        words += [f"until {end}"] if end is not None else []
        return "".join(c if c.isprintable() else "?" for c in " ".join(words))


def beside(counterfactual: str) -> str:
    """Return what a counterfactual goes by, which is not what the case goes by, whatever its id."""
    return counterfactual if counterfactual != CASE else f"counterfactual {CASE}"


def under(case: Case) -> str:
    """Return ``"values"`` for a case whose runs leave its posterior aside, else nothing."""
    return "values" if case.posterior is not None and case.draws is None else ""


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
