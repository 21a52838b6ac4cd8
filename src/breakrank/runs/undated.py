"""What remains of an outcome when dated events are removed: all of them at once, or each alone.

Soldiers who leave without any event make up the level, and the rest is what the events cause. Both sides have
the same soldiers and random draws (common random numbers: Law 2015, "Simulation modeling and analysis",
chapter 11). Dated tables of fields stay as they are.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from breakrank.case.changes import counterfactual
from breakrank.case.fitting import fits
from breakrank.case.models_events import Changes
from breakrank.results.measures import find
from breakrank.results.outcomes import COUNTS, called, leading_measure
from breakrank.results.uncertainty import posterior_of
from breakrank.runs.study import Scenario
from breakrank.wording import capitalised

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import Event

HALF = 0.5
"""Share that remains from which a fit rests on the level of decision opportunities, and not on events.

The rule is one of proportion: the larger part of what was fitted is then no answer to what happened.
"""


class Remains(NamedTuple):
    """What remains of a count: means over pairs of runs with all dated events, and without them."""

    measure: str
    before: float
    after: float
    pairs: int

    @property
    def share(self) -> float:
        """The share that remains; not a number where nothing is counted with the events either."""
        return self.after / self.before if self.before > 0 else float("nan")

    @property
    def shortly(self) -> str:
        """The share alone in words: for runs that are not those of the two numbers."""
        return f"without any dated event {self.share:.0%} remains of “{called(self.measure)}”"

    @property
    def words(self) -> str:
        """The share in words with both numbers, to be gone on with."""
        alike = f"{self.after:.0f}" == f"{self.before:.0f}" and f"{self.share:.0%}" != "100%"
        after, before = (f"{mean:,.{int(alike)}f}" for mean in (self.after, self.before))
        return f"{self.shortly} ({after} instead of {before}, mean of {self.pairs:,} pairs of runs)"

    @property
    def said(self) -> str:
        """The share in a sentence."""
        return f"{capitalised(self.words)}."

    @property
    def is_level(self) -> bool:
        """Whether half of it or more does not depend on the events."""
        return self.share >= HALF


def acting(case: Case) -> tuple[Event, ...]:
    """Return the dated events of a case that have effects by its last day, in their order."""
    return tuple(e for e in case.events if e.effects and e.date <= case.calendar.end)


def undated(case: Case, events: Sequence[Event], name: str) -> Scenario:
    """Return a case without some of its events, as a scenario of this name."""
    gone = Changes(id="undated", title=name, without=tuple(e.id for e in events))
    return Scenario(counterfactual(case, gone), name)


def level_measure(case: Case) -> str:
    """Return the count whose level is asked for: what leads in the case, where soldiers are counted."""
    leading = leading_measure(case)
    return leading if find(leading).unit in COUNTS else "left"


def first_event(case: Case) -> dt.date | None:
    """Return the first day of an event that acts, where no figure of the record is from before it.

    A ratio of the time after a day to the time before is such a figure. ``None`` where there is one, no such
    event, or no record.
    """
    days = [e.date for e in acting(case) if e.date > case.calendar.start]
    if not days or not case.targets:
        return None
    first = min(days)
    before = (
        find(t.measure).kind == "ratio" or (t.date <= first and find(t.measure).unit in COUNTS)
        for t in case.targets
    )
    return None if any(before) else first


def figure_wanted(first: dt.date) -> str:
    """Say that a figure from before the first event is wanted."""
    return f"no figure of the record is from before the first dated event ({first})"


WANTED = (
    "Add a target from before it, if only a bound such as at_most: 20, and begin the calendar some months "
    "earlier. Nothing else tells how many leave without a crisis."
)


def known(case: Case) -> Remains | None:
    """Return what a calibration found to remain in a case; ``None`` where it is not known of these runs.

    It is known under draws of the posterior or members, where they were fitted to this case.
    """
    posterior = posterior_of(case)
    if posterior is None or not fits(posterior, case):
        return None
    about = posterior.about
    told = about.get("without_events")
    if not told or about["made"]["digest"] != case.with_draws(None).digest:
        return None
    return Remains(**told)
