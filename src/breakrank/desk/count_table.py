"""A table of dated counts into a case: observations of the ledger, and the targets that rest on them."""

from __future__ import annotations

import math
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.csv_reader import CsvRow, read_table
from breakrank.case.figures.counted import StatedFigure
from breakrank.case.figures.numbers import short
from breakrank.case.figures.prose import figures
from breakrank.case.models_base import read_when
from breakrank.case.slip import SlipError
from breakrank.case.when import first_day, last_day
from breakrank.desk.files import Files
from breakrank.desk.ledger_text import OBSERVATIONS, appended
from breakrank.desk.words import table as words
from breakrank.errors import CaseError, Location, UsageError, gathered, nearest
from breakrank.outputs import asked_part, named_part
from breakrank.wording import with_part

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.case import Case
    from breakrank.outputs import Measure

COLUMNS = ("date", "measure", "figure", "source")
"""The first line of the table."""
TARGETS = "targets.yaml"
_REMEDY = "Write e.g. 850, 800 to 900, nearly 1,000, at least 300 or hundreds."


@dataclass(frozen=True)
class Count:
    """A row of the table: what is counted of which part of the force, when, in which interval, by whom."""

    when: str
    measure: str
    part: Mapping[str, tuple[str, ...]]
    words: str
    source: str
    figure: StatedFigure
    place: Location

    @property
    def day(self) -> dt.date:
        """The day by which it is counted."""
        return last_day(self.when)

    @property
    def since(self) -> dt.date | None:
        """The first day counted, where a span is named; ``None`` where all is counted up to the day."""
        return first_day(self.when.split("/", maxsplit=1)[0]) if "/" in self.when else None

    @property
    def counted(self) -> str:
        """The measure and the part, as parts of ids."""
        return re.sub("[^a-z0-9]+", "-", named_part(self.measure, self.part).lower()).strip("-")

    @property
    def told(self) -> str:
        """Its id in the ledger."""
        return f"{self.counted}-{self.when.replace('/', '-to-')}-{self.source}"

    def meets(self, other: Count) -> bool:
        """Return whether two counts can both be true."""
        return self.figure.low <= other.figure.high and other.figure.low <= self.figure.high


def count_table(case: Case, folder: Path, file: Path, load: Any) -> list[Count]:  # noqa: ANN401
    """Write the counts of a table into the ledger and the targets of a case, and return them.

    Its first line is ``date,measure,figure,source``. A date is a day, month, year or period; a figure is in
    digits or words, with hedges; a source is the id of one in ``evidence/sources.yaml``. A measure may name a
    part of the force, as in ``left:rank=general`` (see `breakrank case keys targets`). Counts of one
    measure by one day are one target: the first gives its figure, those that agree are evidence too, and the
    others conflict with it.

    Parameters
    ----------
    case : as it is. folder : its folder.
    load : loads a case from a folder; what is to be written is checked by it first.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used; then nothing is written.
    UsageError
        for a table that cannot be read.
    """
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    counts: list[Count] = []
    with gathered() as wrong:
        for row in read_table(text, file, COLUMNS):
            with wrong.kept():
                one = _count(row, case)
                if one.told in case.ledger.observations or any(one.told == c.told for c in counts):
                    raise CaseError(
                        f"{one.source} already says what {one.measure} was in {one.when}",
                        row.place("source"),
                        "Leave the row out, or change the ledger.",
                    )
                if (case_target := _target_id(one)) in {t.id for t in case.targets}:
                    raise CaseError(
                        f"the case has a target {case_target!r} already",
                        row.place("measure"),
                        "Add the figure to its evidence by hand.",
                    )
                counts.append(one)
    files = Files(folder)
    with files.locked():
        new = {OBSERVATIONS: files.read(OBSERVATIONS), TARGETS: files.read(TARGETS)}
        for one in counts:
            new[OBSERVATIONS] = appended(new[OBSERVATIONS], _observation(one, counts, case))
        for same in _together(counts):
            new[TARGETS] = appended(new[TARGETS], _target(same, case.catalogue.measures))
        try:
            _check(folder, new, load)
        except CaseError as error:  # of a target as it would be: it is the row that is wrong
            mine = [one for one in counts if error.place.key.startswith(f"{_target_id(one)}.")]
            raise CaseError(error.problem, mine[0].place, error.remedy) if mine else error from None
        for name, content in new.items():
            files.write(name, content)
    return counts


def _count(row: CsvRow, case: Case) -> Count:
    try:
        when = read_when(row.cells["date"])
    except SlipError as slip:
        raise CaseError(slip.problem, row.place("date"), slip.remedy) from None
    start, end = case.calendar.start, case.calendar.end
    if not start <= last_day(when) <= end:
        raise CaseError(f"{when} does not end within the calendar, {start} to {end}", row.place("date"))
    known = case.catalogue.measures
    try:
        name, part = asked_part(row.cells["measure"])
    except UsageError as error:
        raise CaseError(str(error), row.place("measure")) from None
    if name not in known:
        raise CaseError(
            f"no measure {name!r}{nearest(name, known)}",
            row.place("measure"),
            "`breakrank case keys targets` lists them.",
        )
    if known[name].kind == "ratio":
        raise CaseError(f"{name} sets a time beside another: it has no figure of a day", row.place("measure"))
    source = row.cells["source"]
    if source not in case.ledger.sources:
        raise CaseError(
            f"no source {source!r}{nearest(source, case.ledger.sources)}",
            row.place("source"),
            "Add it to evidence/sources.yaml: id, publisher, title, date, kind and reliability.",
        )
    return Count(when, name, part, row.cells["figure"], source, _figure(row), row.place("measure"))


def _figure(row: CsvRow) -> StatedFigure:
    """Return the figure of a row, which has to be all that its cell says."""
    cell = row.cells["figure"]
    found = figures(f"{cell} soldiers", words("en"))
    if len(found) != 1 or found[0].start != 0 or not re.fullmatch(r"[ .]*(soldiers)?", _rest(cell, found[0])):
        raise CaseError(f"{cell[:60]!r} is no figure", row.place("figure"), _REMEDY)
    return found[0]


def _rest(cell: str, found: StatedFigure) -> str:
    return f"{cell} soldiers"[found.end :]


def _given(one: StatedFigure) -> dict[str, Any]:
    """Return a figure as the ledger states it."""
    if one.bound in ("at_least", "at_most") or math.isinf(one.high):
        return {"value": short(one.low if one.bound != "at_most" else one.high), "bound": one.bound}
    if one.value is None:
        return {"range": [short(one.low), short(one.high)]}
    return {"value": short(one.value)} | ({"bound": one.bound} if one.bound else {})


def _observation(one: Count, counts: Sequence[Count], case: Case) -> dict[str, Any]:
    measure, publisher = case.catalogue.measures[one.measure], case.ledger.sources[one.source].publisher
    others = [c.told for c in counts if _target_id(c) == _target_id(one) and not c.meets(one)]
    entry = {
        "id": one.told,
        "source": one.source,
        "says": publisher,
        "what": f"{with_part(measure.label, one.part)}, as counted: {one.words}",
        **_given(one.figure),
        "unit": measure.unit,
        "date": one.when,
        "paragraph": "table",
        "confidence": case.ledger.sources[one.source].reliability,
    }
    return entry | ({"conflicts": others} if others else {})


def _together(counts: Sequence[Count]) -> list[list[Count]]:
    found: dict[str, list[Count]] = {}
    for one in counts:
        found.setdefault(_target_id(one), []).append(one)
    return list(found.values())


def _target_id(one: Count) -> str:
    since = "" if one.since is None else f"-from-{one.since}"
    return f"{one.counted}{since}-{one.day}"


def _target(same: Sequence[Count], measures: Mapping[str, Measure]) -> dict[str, Any]:
    first, measure = same[0], measures[same[0].measure]
    given = _given(first.figure)
    bound = given.pop("bound", None)
    if bound in ("at_least", "at_most"):
        given = {bound: given["value"]}
    against = [c.told for c in same if not c.meets(first)]
    when = f"{'on' if measure.kind == 'level' else 'by'} {first.day}"
    span = {} if first.since is None or measure.kind == "level" else {"from": str(first.since)}
    if span:
        when = f"from {first.since} to {first.day}"
    entry = {
        "id": _target_id(first),
        "label": f"{with_part(measure.label, first.part)} {when}",
        "measure": first.measure,
        **({"by": {dim: [*labels] for dim, labels in first.part.items()}} if first.part else {}),
        **span,
        "date": str(first.day),
        "unit": measure.unit,
        **given,
        "evidence": [c.told for c in same if c.meets(first)],
    }
    return entry | ({"conflicting": against} if against else {})


def _check(folder: Path, new: Mapping[str, str], load: Any) -> None:  # noqa: ANN401
    """Load the case as it would be; CaseError where it could not be used."""
    with tempfile.TemporaryDirectory() as scratch:
        draft = Path(scratch) / folder.resolve().name
        shutil.copytree(folder, draft, ignore=shutil.ignore_patterns(".lock", "*.store"))
        for name, text in new.items():
            (draft / name).write_text(text, "utf-8")
        load(draft)
