"""A scenario: a case by name, which tells what it starts from, and what is changed in it.

A name is for people, in tables, messages and lists of what a store holds. What is run, and found again, goes
by the case's digest alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case


CASE = "case"
"""The case as it is."""


class Scenario(NamedTuple):
    """A case by a name: as it stands, or with what is different in it."""

    case: Case
    name: str = CASE


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
