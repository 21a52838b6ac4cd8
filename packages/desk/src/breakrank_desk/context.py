"""What the desk knows of a case: its ledger, its dates, its places. Most needs no model."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from breakrank.case.content import Ledger, Loaded, read_folder
from breakrank.case.library import LIBRARY, case_folder
from breakrank.case.models_base import Calendar
from breakrank.case.models_evidence import Observation, Source
from breakrank.errors import UsageError, nearest
from breakrank_desk.places import gazetteer


@dataclass(frozen=True)
class Context:
    """A case as the desk sees it."""

    folder: Path
    loaded: Loaded

    @classmethod
    def open(cls, name_or_path: str | Path) -> Context:
        """Read a case's files; errors as reading a case gives them."""
        folder = case_folder(name_or_path)
        return cls(folder, read_folder(folder))

    @property
    def built_in(self) -> bool:
        """Whether it ships with the package, and so is not written to."""
        return self.folder.resolve().is_relative_to(LIBRARY.resolve())

    @cached_property
    def ledger(self) -> Ledger:
        """Sources and observations."""
        return Ledger.of(self.loaded.content)

    @property
    def calendar(self) -> Calendar:
        """First and last day of the case's runs."""
        return self.loaded.content.case.calendar

    @cached_property
    def events(self) -> tuple[tuple[dt.date, str], ...]:
        """Dates of the case's events with their titles."""
        return tuple(sorted((e.date, e.title) for e in self.loaded.content.events))

    def places(self, countries: tuple[str, ...]) -> Mapping[str, str]:
        """Return the case's places and some countries by bare name."""
        return _gazetteer(tuple(self._labels), countries)

    @cached_property
    def own_places(self) -> tuple[str, ...]:
        """The case's country and its places."""
        return tuple(gazetteer(self._labels).values())

    @property
    def _labels(self) -> list[str]:
        content = self.loaded.content
        labels = [f.properties.label for f in content.places.features]
        labels += [s.label for s in content.force.states] + [c.label for c in content.routes.crossings]
        return [content.case.country, *labels]

    def source(self, ident: str) -> Source | None:
        """Return a source of the ledger."""
        return self.ledger.sources.get(ident)

    def observations_of(self, source: str) -> tuple[Observation, ...]:
        """Return the observations of a source, in the order of the file."""
        return tuple(o for o in self.ledger.observations.values() if o.source == source)

    def unit_of(self, measure: str) -> str:
        """Return the unit of what the model counts.

        Raises
        ------
        UsageError
            for a measure that there is not.
        CaseError
            where the case cannot be loaded.
        """
        from breakrank import load_case

        known = load_case(self.folder, "point").catalogue.measures
        if measure not in known:
            raise UsageError(
                f"no measure {measure!r}{nearest(measure, known)}\n"
                "  `breakrank case keys targets` lists them."
            )
        return known[measure].unit

    def must_be_writable(self) -> None:
        """Refuse to change a built-in case.

        Raises
        ------
        UsageError
            for a case that ships with the package.
        """
        if self.built_in:
            raise UsageError(
                f"{self.folder.name} is built in and read-only\n"
                f"  Copy its folder and name the copy: cp -r {self.folder} my-case"
            )


@lru_cache(maxsize=8)
def _gazetteer(labels: tuple[str, ...], countries: tuple[str, ...]) -> Mapping[str, str]:
    return gazetteer(labels, countries)
