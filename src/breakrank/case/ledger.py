"""The evidence ledger: who says what, and what rests on it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from breakrank.case.content import Content
from breakrank.case.dates import last_day
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.errors import UsageError, nearest

COUNTS = ("persons", "soldiers", "people")
"""Units of which one may stand for another."""


@dataclass(frozen=True)
class Ledger:
    """Sources and observations by id, in the order of their files."""

    sources: Mapping[str, Source]
    observations: Mapping[str, Observation]

    @classmethod
    def of(cls, content: Content) -> Ledger:
        """Return the ledger of a case."""
        return cls({s.id: s for s in content.sources}, {o.id: o for o in content.observations})

    def original(self, source: str) -> Source:
        """Return the source at the root of a chain of copies; syndicated copies share it.

        Raises
        ------
        UsageError
            when there is no such source.
        """
        if source not in self.sources:
            raise UsageError(f"there is no source {source!r}{nearest(source, self.sources)}")
        found = self.sources[source]
        while found.copy_of is not None:
            found = self.sources[found.copy_of]
        return found

    def independent(self, observations: Iterable[str]) -> int:
        """Return how many sources stand behind some observations, copies of one original counted once."""
        return len({self.original(self.observations[o].source).id for o in observations})

    def publications(self, target: Target) -> list[dt.date]:
        """Return when the cited sources that can print a target's figure were published, the earliest first.

        Where a cited observation gives a figure in the target's unit, those that tell it in words, or count
        something else, are left aside. So are those of an earlier day, and bounds beside the figure itself.
        A copy is as old as its original; of a month or a year, the last day counts.
        """
        cited = [self.observations[name] for name in target.evidence or ()]
        counted = [o for o in cited if o.text is None and _same_sort(o.unit, target.unit)]
        found = counted or [o for o in cited if o.text is not None] or cited
        since = target.date - dt.timedelta(days=target.lag)
        found = [o for o in found if last_day(o.date) >= since] or found
        if target.value is not None or target.range is not None:
            found = [o for o in found if o.bound not in ("at_least", "at_most")] or found
        return sorted(self.published(o.source) for o in found)

    def published(self, source: str) -> dt.date:
        """Return the last day on which a source, or the original that it copies, can have been published."""
        return min(last_day(self.sources[source].date), last_day(self.original(source).date))

    def __repr__(self) -> str:
        originals = {self.original(s).id for s in self.sources}
        sources = f"{len(self.sources)} sources ({len(originals)} independent)"
        return f"Ledger of {len(self.observations)} observations from {sources}"


def _same_sort(one: str | None, other: str) -> bool:
    """Return whether a figure in one unit can be the same as a figure in another."""
    return one == other or (one in COUNTS and other in COUNTS)
