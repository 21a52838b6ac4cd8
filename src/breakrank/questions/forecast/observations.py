"""New figures beside the record of a case: a table of dates, what is counted, figures and sources."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.csv_reader import CsvRow, read_table
from breakrank.case.models_targets import Target
from breakrank.case.scalars import NumberError, number
from breakrank.errors import CaseError, Location, UsageError, gathered
from breakrank.questions.calibrate.reported import SPREAD
from breakrank.results.measures import check_question, find
from breakrank.results.outcome_names import called

if TYPE_CHECKING:
    from breakrank.case import Case

COLUMNS = ("date", "measure", "figure", "source")
"""The first line of the table."""
ERROR = SPREAD["medium"]
"""How far a new figure may be off, as a share of it: as one of medium confidence."""
MOST = 1e12
"""Largest figure that is read."""
_FORMS = {
    r"at least (\S+)": "at_least",
    r"at most (\S+)": "at_most",
    r"(\S+) to (\S+)": "range",
    r"(\S+)": "value",
}
_REMEDY = "Write e.g. 850, 800 to 900, at least 800 or at most 900; numbers without separators."


def with_observations(case: Case, file: Path) -> Case:
    """Return a case whose record also holds the figures of a table.

    Its first line is ``date,measure,figure,source``. A figure is a number, two with ``to`` between them, or a
    bound (``at least``, ``at most``).

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used and what was expected.
    UsageError
        for a file that cannot be read.
    """
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    found: dict[str, Target] = {}
    with gathered() as wrong:
        for row in read_table(text, file, COLUMNS):
            with wrong.kept():
                target = _target(row, case)
                if target.id in found:
                    raise CaseError(
                        f"{target.measure} on {target.date} has a figure already",
                        row.place("measure"),
                        "Keep one of the two, or write a range that holds both.",
                    )
                found[target.id] = target
    content = replace(case.content, targets=(*case.content.targets, *found.values()))
    return type(case)(content, case.catalogue, case.draws)


def _target(row: CsvRow, case: Case) -> Target:
    """Return a row as a figure of the record."""
    date, name = row.date("date"), row.cells["measure"]
    start, end = case.calendar.start, case.calendar.end
    if not start <= date <= end:
        raise CaseError(f"{date} is outside the calendar, {start} to {end}", row.place("date"))
    try:
        check_question(name, None, case)
        about = find(name)
        if about.kind == "ratio":
            raise UsageError(f"{name} sets a time beside another, and has no figure of a day")
    except UsageError as error:
        raise CaseError(str(error), row.place("measure"), "Write e.g. registered.") from None
    told: dict[str, Any] = {
        "id": f"observed-{date}-{name}",
        "label": f"{called(name)} on {date}, observed",
        "measure": name,
        "date": str(date),
        "unit": about.unit,
        "spread": ERROR,
        "assumed": f"Observed: {row.cells['source']}",
        **_figure(row.cells["figure"], row.place("figure")),
    }
    return Target.model_validate(told)


def _figure(text: str, place: Location) -> dict[str, Any]:
    """Return a figure as a target states it."""
    for pattern, key in _FORMS.items():
        match = re.fullmatch(pattern, text)
        if match:
            try:
                values = [number(part) for part in match.groups()]
            except NumberError as error:
                raise CaseError(str(error), place, _REMEDY) from None
            if min(values) < 0 or values != sorted(values):
                raise CaseError(f"{text!r} is negative, or its ends do not rise", place, _REMEDY)
            if max(values) > MOST:
                raise CaseError(f"{text[:60]!r} is more than {MOST:,.0f}", place, _REMEDY)
            return {key: values if key == "range" else values[0]}
    raise CaseError(f"{text[:60]!r} is no figure", place, _REMEDY)
