"""The whole content of a case, file by file, and reading it from a folder.

The evidence ledger: who says what, and what rests on it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from breakrank.case.dates import last_day
from breakrank.case.documents import read_json, read_yaml
from breakrank.case.models_base import FORMAT, Calendar, CaseFile, unique
from breakrank.case.models_events import Counterfactual, Event, FieldEntry
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.models_force import ForceFile, Position
from breakrank.case.models_parameters import ParameterEntry, ParameterFile
from breakrank.case.models_patterns import Pattern, Patterns
from breakrank.case.models_routes import Payer, PlacesFile, Rates, RoutesFile, Site
from breakrank.case.source import Folder
from breakrank.case.tables import CsvRow, CsvTable, Warning_, read_table
from breakrank.case.values import Document, Step, validated
from breakrank.errors import Location, UsageError, gathered, nearest

Events = Annotated[tuple[Event, ...], unique("event")]

FILES: Mapping[str, TypeAdapter[Any]] = {
    "case.yaml": TypeAdapter(CaseFile),
    "evidence/sources.yaml": TypeAdapter(Annotated[tuple[Source, ...], unique("source")]),
    "evidence/observations.yaml": TypeAdapter(Annotated[tuple[Observation, ...], unique("observation")]),
    "force.yaml": TypeAdapter(ForceFile),
    "command.yaml": TypeAdapter(Annotated[tuple[Position, ...], unique("position")]),
    "places.geojson": TypeAdapter(PlacesFile),
    "routes.yaml": TypeAdapter(RoutesFile),
    "fields.yaml": TypeAdapter(dict[str, FieldEntry]),
    "events.yaml": TypeAdapter(Events),
    "payers.yaml": TypeAdapter(Annotated[tuple[Payer, ...], unique("payer")]),
    "sites.yaml": TypeAdapter(Annotated[tuple[Site, ...], unique("site")]),
    "parameters.yaml": TypeAdapter(ParameterFile),
    "targets.yaml": TypeAdapter(Annotated[tuple[Target, ...], unique("target")]),
    "counterfactuals.yaml": TypeAdapter(Annotated[tuple[Counterfactual, ...], unique("counterfactual")]),
    "patterns.yaml": TypeAdapter(Patterns),
    "rates.yaml": TypeAdapter(Annotated[tuple[Rates, ...], unique("money")]),
}
"""The files of a case, in the order in which they are read, each with its model."""

LATER = frozenset({"command.yaml", "payers.yaml", "counterfactuals.yaml", "patterns.yaml", "rates.yaml"})
"""Files that are not written where they hold nothing."""
OPTIONAL = LATER | {"evidence/sources.yaml", "evidence/observations.yaml", "sites.yaml", "parameters.yaml"}
"""Files that a case may leave out, which is as if they held nothing."""

ASIDE = frozenset({"counterfactuals.yaml", "patterns.yaml"})
"""Files that say what one may ask of a case, not what it is: they move no run and stay out of the digest."""

STATION_COLUMNS = ("state", "branch", "share")


@dataclass(frozen=True)
class Series:
    """A table of a field: dates, ids of each dimension ("*" for all), values; one row each, in file order."""

    dates: tuple[dt.date, ...]
    ids: tuple[tuple[str, ...], ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Content:
    """All that a case says, validated file by file; nothing here depends on a catalogue.

    ``stations`` holds (state, branch, share) as in the table; ``series`` the tables of fields by file name.
    """

    case: CaseFile
    sources: tuple[Source, ...]
    observations: tuple[Observation, ...]
    force: ForceFile
    command: tuple[Position, ...]
    places: PlacesFile
    routes: RoutesFile
    fields: Mapping[str, FieldEntry]
    events: tuple[Event, ...]
    payers: tuple[Payer, ...]
    sites: tuple[Site, ...]
    parameters: Mapping[str, ParameterEntry]
    targets: tuple[Target, ...]
    counterfactuals: tuple[Counterfactual, ...]
    patterns: tuple[Pattern, ...]
    rates: tuple[Rates, ...]
    stations: tuple[tuple[str, str, float], ...]
    series: Mapping[str, Series]

    @property
    def labels(self) -> dict[str, list[str]]:
        """The names of the parts that something can be counted by, by dimension."""
        return {
            "rank": [r.id for r in self.force.ranks],
            "branch": [b.id for b in self.force.branches],
            "state": [s.id for s in self.force.states],
            "route": [c.id for c in self.routes.crossings],
            "site": [s.id for s in self.sites],
        }

    def plain(self) -> dict[str, Any]:
        """Return the content of every YAML and JSON file as plain mappings and lists, defaults left out.

        A file that may be left out is, where it holds nothing.
        """
        parts = {name: getattr(self, Path(name).stem) for name in FILES}
        out = {
            name: FILES[name].dump_python(part, mode="json", by_alias=True, exclude_defaults=True)
            for name, part in parts.items()
            if part or name not in LATER
        }
        out["case.yaml"]["breakrank"] = FORMAT
        return out

    def digest(self) -> str:
        """Return the SHA-256 of the content, the same whatever the layout of the files.

        Counterfactuals and patterns are left out: what one may ask of a case does not change a run of it.
        """
        files = {name: part for name, part in self.plain().items() if name not in ASIDE}
        files["case.yaml"]["breakrank"] = 1  # how a case is written is none of what it says
        whole = {
            "files": files,
            "stations": self.stations,
            "series": {
                name: [[d.isoformat(), *ids, v] for d, ids, v in zip(s.dates, s.ids, s.values, strict=True)]
                for name, s in self.series.items()
            },
        }
        text = json.dumps(whole, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Loaded:
    """A content together with the documents it was read from, for messages with file and line.

    ``converted`` has a line for each amount that stood in other money; ``remarks`` tell of tables.
    """

    content: Content
    documents: Mapping[str, Document]
    station_rows: tuple[CsvRow, ...] = ()
    series_rows: Mapping[str, tuple[CsvRow, ...]] = field(default_factory=dict)
    converted: tuple[str, ...] = ()
    remarks: tuple[Warning_, ...] = ()

    def warning(self, file: str, path: tuple[Step, ...], text: str, remedy: str) -> Warning_:
        """Return a warning of what stands at a path in a file."""
        place = self.documents[file].place(*path)
        return Warning_(place.file, place.line, text, remedy)


def read_folder(path: Path) -> Loaded:
    """Read all files of a case folder and validate each by itself.

    Raises
    ------
    FaultyCaseError
        for all that is wrong with files, in their order; a table is read once its file is right.
    """
    folder = Folder(path, FILES)
    documents: dict[str, Document] = {}
    parts: dict[str, Any] = {}
    stations: list[tuple[CsvRow, tuple[str, str, float]]] = []
    series: dict[str, Series] = {}
    series_rows: dict[str, tuple[CsvRow, ...]] = {}
    remarks: list[Warning_] = []
    with gathered() as found:
        for name, adapter in FILES.items():
            with found.kept():
                documents[name] = _document(folder, name)
                calendar = parts["case.yaml"].calendar if "case.yaml" in parts else None
                parts[name] = validated(adapter, documents[name], calendar)
        if "force.yaml" in parts:
            named_at = documents["force.yaml"].place("stations", "file")
            with found.kept():
                table = _table(folder, parts["force.yaml"].stations.file, STATION_COLUMNS, named_at)
                remarks += table.remarks
                for row in table.rows:
                    with found.kept():
                        stations.append((row, (row.cells["state"], row.cells["branch"], row.number("share"))))
        for key, entry in parts.get("fields.yaml", {}).items():
            if entry.file is not None:
                named_at = documents["fields.yaml"].place(key, "file")
                with found.kept():
                    table = _table(folder, entry.file, ("date", *entry.dims, "value"), named_at)
                    remarks += table.remarks
                    series_rows[entry.file] = table.rows
                    series[entry.file] = _series(table.rows, entry.dims, calendar)
    content = Content(*[*parts.values(), tuple(station for _, station in stations), series])
    rows = tuple(row for row, _ in stations)
    return Loaded(content, documents, rows, series_rows, remarks=tuple(remarks))


def _series(rows: tuple[CsvRow, ...], dims: tuple[str, ...], calendar: Calendar | None) -> Series:
    points = []
    with gathered() as found:
        for row in rows:
            with found.kept():
                date = row.date("date", calendar)
                points.append((date, tuple(row.cells[d] for d in dims), row.number("value")))
    return Series(*zip(*points, strict=True))


def _document(folder: Folder, name: str) -> Document:
    path = folder.file(name)
    if name in OPTIONAL and not os.path.lexists(path):
        return Document(path, {} if name == "parameters.yaml" else [])
    read = read_json if name.endswith(".geojson") else read_yaml
    return read(folder.read(name), path)


def _table(folder: Folder, name: str, columns: tuple[str, ...], named_at: Location) -> CsvTable:
    """Return a table of the case whose last column holds numbers."""
    return read_table(folder.read_bytes(name, named_at), folder.file(name), columns, columns[-1])


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
        same = {target.unit, *(COUNTS if target.unit in COUNTS else ())}
        counted = [o for o in cited if o.text is None and o.unit in same]
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
