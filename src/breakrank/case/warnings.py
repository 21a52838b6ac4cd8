"""Oddities of a case that can be used, with advice."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from breakrank.case.check_figures import doubts, impossible, recorded
from breakrank.case.content import FILES, Loaded
from breakrank.case.draws import ENSEMBLE
from breakrank.case.examination import FILE as EXAMINATION
from breakrank.case.library import Opened, open_case
from breakrank.case.models_case import Calendar
from breakrank.case.models_events import FieldEntry
from breakrank.case.posterior import FOLDER as POSTERIOR
from breakrank.case.source import Folder
from breakrank.case.strange import (
    strange_dates,
    strange_evidence,
    strange_ground,
    strange_mechanisms,
    strange_places,
    strange_posts,
    strange_resignation,
    strange_sites,
    strange_values,
    strange_ways,
    unused_evidence,
)
from breakrank.case.tables import CsvRow
from breakrank.case.values import Step
from breakrank.errors import nearest
from breakrank.outputs import Measure
from breakrank.spec import Catalogue


@dataclass(frozen=True, slots=True)
class Warning_:  # noqa: N801 (a warning of ours, not an exception)
    """Something strange.

    Attributes
    ----------
    file, line : where; the line is ``None`` where it concerns a whole file.
    text : what is strange.
    remedy : what to do about it.
    """

    file: Path | None
    line: int | None
    text: str
    remedy: str

    def __str__(self) -> str:
        where = (
            "" if self.file is None else self.file.as_posix() + (f":{self.line}" if self.line else "") + ": "
        )
        return f"{where}{self.text}\n  {self.remedy}"


def check_case(path: str | Path, catalogue: Catalogue) -> list[Warning_]:
    """Check a case, and return what is strange about it though it can be used, in the order of its files.

    Parameters
    ----------
    path : a built-in case by name, or a folder.
    catalogue : the parameters and fields that the model reads.

    Raises
    ------
    UsageError
        when there is no such case.
    FaultyCaseError
        when it cannot be used: all that is wrong, as :func:`breakrank.case.library.open_case` tells it.
    """
    return strange(open_case(path, catalogue))


def strange(opened: Opened) -> list[Warning_]:
    """Return the oddities of a case that can be used, in the order of its files."""
    loaded = opened.loaded
    found = [_at(loaded, *one) for subject in SUBJECTS for one in subject(loaded)]
    found += [Warning_(one.place.file, one.place.line, one.text, one.remedy) for one in loaded.remarks]
    found += [*_rows_outside(loaded), *_short_series(loaded), *_files_never_read(loaded, opened.folder)]
    found += _figures(loaded, opened.case.catalogue.measures)
    order = [str(loaded.documents[name].file) for name in FILES]
    return sorted(
        found, key=lambda w: (order.index(str(w.file)) if str(w.file) in order else 99, w.line or 0)
    )


def _at(loaded: Loaded, file: str, path: tuple[Step, ...], text: str, remedy: str) -> Warning_:
    place = loaded.documents[file].place(*path)
    return Warning_(place.file, place.line, text, remedy)


def _figures(loaded: Loaded, measures: Mapping[str, Measure]) -> Iterator[Warning_]:
    figures = recorded(loaded.content, measures)
    at = {id(one): k for k, one in figures.items()}
    for doubt in doubts(list(figures.values()), loaded.content):
        path = (at[id(doubt.figures[0])], "id")
        yield _at(loaded, "targets.yaml", path, doubt.text, doubt.remedy)
    for k, one in enumerate(loaded.content.observations):
        low, high = one.range or (one.value or 0.0, one.value or 0.0)
        if problem := impossible(low, high, one.unit or ""):
            remedy = "Correct the figure or its unit."
            path = (k, "id")
            yield _at(loaded, "evidence/observations.yaml", path, f"{one.id!r}: {problem}", remedy)


def without_effect(rows: Sequence[CsvRow], entry: FieldEntry, calendar: Calendar) -> list[CsvRow]:
    """Return the rows of a table, in its order, that no day of the calendar depends on.

    Of the rows before it the last counts for each cell, and of those after it the first where lines are
    drawn between them.
    """
    cells: dict[tuple[str, ...], list[CsvRow]] = {}
    for row in rows:
        cells.setdefault(tuple(row.cells[d] for d in entry.dims), []).append(row)
    idle: list[CsvRow] = []
    for one in cells.values():
        ordered = sorted(one, key=lambda r: r.date("date"))
        before = [r for r in ordered if r.date("date") <= calendar.start][:-1]
        after = [r for r in ordered if r.date("date") > calendar.end]
        alone = len(after) == len(ordered)  # then the first value holds on all days
        idle += before + after[1 if alone or entry.interpolate == "linear" else 0 :]
    return sorted(idle, key=lambda r: r.line)


def _rows_outside(loaded: Loaded) -> Iterator[Warning_]:
    calendar = loaded.content.case.calendar
    for name, entry in loaded.content.fields.items():
        if entry.file is None:
            continue
        rows = without_effect(loaded.series_rows[entry.file], entry, calendar)
        if rows:
            many = f"{len(rows)} rows" if len(rows) > 1 else "a row"
            text = f"{many} of the field {name!r} outside the calendar ({calendar.start} to {calendar.end})"
            remedy = "Nothing in a run depends on them; correct the dates, move the calendar, or remove them."
            yield Warning_(rows[0].file, rows[0].line, text, remedy)


def _short_series(loaded: Loaded) -> Iterator[Warning_]:
    calendar = loaded.content.case.calendar
    for name, entry in loaded.content.fields.items():
        if entry.file is None:
            continue
        days = sorted(set(loaded.content.series[entry.file].dates))
        usual = max((b - a for a, b in pairwise(days)), default=dt.timedelta(0))
        silent = calendar.end - days[-1]
        if len(days) > 1 and silent > (dt.timedelta(0) if entry.interpolate == "linear" else usual):
            text = f"{entry.file} of the field {name!r} ends on {days[-1]}, before the calendar does"
            remedy = (
                f"Its last value is held from then on; if that is right, say so with a row on {calendar.end}."
            )
            last = max(loaded.series_rows[entry.file], key=lambda r: r.date("date"))
            yield Warning_(last.file, last.line, text, remedy)
        if days[0] > calendar.start:
            text = f"{entry.file} of the field {name!r} starts on {days[0]}, after the calendar did"
            remedy = f"Its first value is used before that; if that is right, give it on {calendar.start}."
            first = min(loaded.series_rows[entry.file], key=lambda r: r.date("date"))
            yield Warning_(first.file, first.line, text, remedy)


def _files_never_read(loaded: Loaded, folder: Path) -> Iterator[Warning_]:
    content = loaded.content
    read = {*FILES, content.force.stations.file, *content.series, EXAMINATION}
    names = Folder(folder).names()
    for name in names:
        if name.startswith((f"{POSTERIOR}/", f"{ENSEMBLE}/")):
            continue
        if name not in read and name.endswith((".yaml", ".yml", ".csv", ".geojson", ".json")):
            hint = nearest(name, read)
            yield Warning_(
                folder / name,
                None,
                f"this file is never read{hint}",
                "Rename it, name it in the case, or remove it.",
            )


SUBJECTS = (
    strange_dates,
    strange_sites,
    strange_posts,
    strange_ways,
    strange_resignation,
    strange_mechanisms,
    strange_ground,
    strange_evidence,
    unused_evidence,
    strange_values,
    strange_places,
)
"""What is looked for, subject by subject."""
