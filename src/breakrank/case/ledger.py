"""The evidence ledger: who says what, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from breakrank.case.content import Content
from breakrank.case.models_evidence import Observation, Source
from breakrank.errors import UsageError, nearest


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

    def __repr__(self) -> str:
        originals = {self.original(s).id for s in self.sources}
        sources = f"{len(self.sources)} sources ({len(originals)} independent)"
        return f"Ledger of {len(self.observations)} observations from {sources}"
