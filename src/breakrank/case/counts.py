"""A table of dated counts: what is counted of which part of the force, when, in which interval, by whom.

Whether figures can be so: no more than exist, no total that falls, no part above its whole.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.cells import CellFigure, read_cell, short, shown_mark
from breakrank.case.content import Content
from breakrank.case.dates import first_day, last_day, read_when
from breakrank.case.files import Files, appended, check_draft
from breakrank.case.models_evidence import Target
from breakrank.case.source import read_bytes
from breakrank.case.tables import CsvRow, Warning_, read_table
from breakrank.case.values import SlipError
from breakrank.errors import CaseError, Location, UsageError, gathered, nearest
from breakrank.outputs import OF_HEADS, WHOLE, Measure, asked_part, named_part
from breakrank.wording import HEDGES, listed, with_part

if TYPE_CHECKING:
    from breakrank.case.case import Case


GROWS = ("total", "caught", "share")
"""Kinds of measures whose figure, from one first day on, never falls."""
_FLOW = "Where it is what happened within a period, write the period: {}. Where two sources differ, keep one."


@dataclass(frozen=True)
class CountedFigure:
    """A figure of a measure: of which part, from which day (``None``: from the start) to which, and how many.

    ``name`` is what messages call it, ``place`` where in a table it stands.
    """

    name: str
    measure: Measure
    by: Mapping[str, tuple[str, ...]]
    start: dt.date | None
    date: dt.date
    low: float
    high: float
    place: Location | None = None

    @classmethod
    def of(cls, target: Target, measure: Measure) -> CountedFigure:
        """Return the figure of a target."""
        low, high = target.range or (
            (target.value, target.value)
            if target.value is not None
            else (target.at_least or 0.0, math.inf if target.at_most is None else target.at_most)
        )
        name = f"the target {target.id!r}"
        start = None if measure.kind == "level" else target.start
        return cls(name, measure, target.by or {}, start, target.date, low, high)

    def is_within(self, other: CountedFigure) -> bool:
        """Return whether all that it counts is counted by another too."""
        if self.measure.id != other.measure.id or (self.measure.kind == "share" and self.by != other.by):
            return False
        if not all(dim in self.by and set(self.by[dim]) <= set(of) for dim, of in other.by.items()):
            return False
        if self.measure.kind == "level":
            return self.date == other.date
        return self.measure.kind in GROWS and self.first >= other.first and self.date <= other.date

    def is_apart(self, other: CountedFigure) -> bool:
        """Return whether nothing that it counts is counted by another of the same measure too."""
        labels = any(not set(self.by[dim]) & set(other.by[dim]) for dim in self.by.keys() & other.by.keys())
        days = self.measure.kind in GROWS and (self.date < other.first or other.date < self.first)
        return labels or days

    @property
    def first(self) -> dt.date:
        """The first day counted."""
        return self.start or dt.date.min

    def __str__(self) -> str:
        ends = (self.low, self.high)
        figure = " to ".join(f"{end:,.10g}" for end in dict.fromkeys(ends) if math.isfinite(end))
        return f"{figure} ({self.name})"


def recorded(content: Content, measures: Mapping[str, Measure]) -> dict[int, CountedFigure]:
    """Return the figures of the targets of a case, by their places in the file."""
    return {
        k: CountedFigure.of(one, measures[one.measure])
        for k, one in enumerate(content.targets)
        if one.measure in measures and one.against is None
    }


@dataclass(frozen=True)
class FigureDoubt:
    """Figures that cannot be so, one by itself or several beside each other: why, and what to do."""

    figures: tuple[CountedFigure, ...]
    text: str
    remedy: str


def doubts(figures: Sequence[CountedFigure], content: Content) -> Iterator[FigureDoubt]:
    """Yield impossible figures of a case, each by itself and beside the others."""
    for one in figures:
        yield from _alone(one, content)
    for whole in figures:
        inside = [
            one
            for one in figures
            if one is not whole
            and (one.by, one.first, one.date) != (whole.by, whole.first, whole.date)
            and one.is_within(whole)
        ]
        parts: list[CountedFigure] = []
        for one in sorted(inside, key=lambda f: -f.low):
            if all(one.is_apart(other) for other in parts):
                parts.append(one)
                if math.fsum(p.low for p in parts) > whole.high * (1 + 1e-9):
                    yield _too_many(parts, whole)
                    break
    yield from _together(figures, content)
    yield from _twice(figures)


def _twice(figures: Sequence[CountedFigure]) -> Iterator[FigureDoubt]:
    """Yield pairs of figures, one of them of a target, that count the same on the same day."""
    for k, one in enumerate(figures):
        for other in figures[k + 1 :]:
            same = (one.measure.id, one.by, one.first, one.date) == (
                *(other.measure.id, other.by, other.first, other.date),
            )
            if not same or (one.place is not None and other.place is not None):
                continue
            if one.low <= other.high and other.low <= one.high:
                text = f"{one} and {other} count the same, so it is scored twice"
                yield FigureDoubt((other, one), text, "Keep one, and cite the evidence of both.")
            else:
                text = f"{one} and {other} count the same and contradict each other"
                remedy = "Keep one, and name the observations of the other under its conflicting."
                yield FigureDoubt((other, one), text, remedy)


def _together(figures: Sequence[CountedFigure], content: Content) -> Iterator[FigureDoubt]:
    """Yield periods in which together more soldiers were counted than exist."""
    groups: dict[object, list[CountedFigure]] = {}
    for one in figures:
        if one.measure.unit == "soldiers" and one.measure.kind in GROWS:
            groups.setdefault((one.measure.id, str(sorted(one.by.items()))), []).append(one)
    for group in groups.values():
        parts: list[CountedFigure] = []
        for one in sorted(group, key=lambda f: -f.low):
            if all(one.is_apart(other) for other in parts):
                parts.append(one)
        added, most = math.fsum(p.low for p in parts), existing(content, parts[0].by)
        if len(parts) > 1 and added > most:
            given = listed([str(part) for part in parts])
            text = f"{given} add up to {added:,.10g}, and {most:,.0f} soldiers exist"
            yield FigureDoubt(tuple(parts), text, "Correct one of them, or the strength in force.yaml.")


def _alone(one: CountedFigure, content: Content) -> Iterator[FigureDoubt]:
    unit = one.measure.unit
    if problem := impossible(one.low, one.high, unit):
        yield FigureDoubt((one,), f"{one}: {problem}", "Correct it, or name another measure.")
    part = f" ({', '.join(f'{dim} {listed(of)}' for dim, of in one.by.items())})" if one.by else ""
    if unit == "soldiers" and one.measure.kind in ("total", "level", "caught"):
        most = existing(content, one.by)
        if one.low > most:
            text = f"{one} is more than the {most:,.0f} soldiers{part} who exist"
            yield FigureDoubt((one,), text, "Correct the figure, or the strength in force.yaml.")
    if one.measure.kind == "level" and "site" in one.measure.dims:
        sites = one.by.get("site")
        there = [s for s in content.sites if s.opens <= one.date <= (s.closes or one.date)]
        room = sum(s.capacity for s in there if sites is None or s.id in sites)
        if one.low > room:
            text = f"{one} is more than the {room:,} places{part} that are open on {one.date}"
            yield FigureDoubt((one,), text, "Correct the figure, or the capacity in sites.yaml.")


def impossible(low: float, high: float, unit: str) -> str:
    """Return why a figure cannot be of its unit; an empty text where it can."""
    ends = [end for end in (low, high) if math.isfinite(end)]
    if unit in WHOLE and any(end != int(end) for end in ends):
        return f"{unit} are counted one by one, and this is no whole number"
    if unit in (*WHOLE, *OF_HEADS) and min(ends, default=0) < 0:
        return f"{unit} are counted from 0, and this is negative"
    return "a share is 0 to 1" if unit == "share" and max(ends, default=0) > 1 else ""


def existing(content: Content, by: Mapping[str, Sequence[str]]) -> float:
    """Return how many soldiers of a part of the force there are; of a rank in a state, at most."""
    force = content.force
    ranks = [r.share for r in force.ranks if r.id in by.get("rank", (r.id,))]
    total = 0
    for branch in force.branches:
        if branch.id in by.get("branch", (branch.id,)):
            of_rank = math.fsum(s if isinstance(s, float) else s.get(branch.id, 0.0) for s in ranks)
            posts = [
                share
                for state, at, share in content.stations
                if at == branch.id and state in by.get("state", (state,))
            ]
            total += math.ceil(branch.strength * min(of_rank, math.fsum(posts), 1.0) - 1e-6)
    return total * force.strength.stated / force.strength.value


def _too_many(parts: Sequence[CountedFigure], whole: CountedFigure) -> FigureDoubt:
    one, name = parts[0], whole.measure.label
    given = listed([str(part) for part in parts])
    if len(parts) > 1:
        added = f"{math.fsum(p.low for p in parts):,.10g}"
        text = f"{name}: {given} add up to {added}, and the whole is {whole}"
        return FigureDoubt((whole, *parts), text, "Correct one of them.")
    if one.by == whole.by and one.first == whole.first:
        period = f"{one.date + dt.timedelta(1)}/{whole.date}"
        text = f"{name} falls from {one} by {one.date} to {whole} by {whole.date}, and a total cannot fall"
        return FigureDoubt((whole, one), text, _FLOW.format(period))
    return FigureDoubt(
        (whole, one), f"{name}: the part is {given}, and the whole {whole}", "Correct one of them."
    )


COLUMNS = ("date", "measure", "figure", "source")
"""The columns of the table."""
PUBLISHED = "published"
"""A further one, where sources are not those of the ledger: when the figure was published."""
EARLIEST = "earliest"
"""A further one: the first day that the figure may be of, where its source gives no day."""


LONGEST = 366
"""Days by which a figure may be older than its date."""


@dataclass(frozen=True)
class Count:
    """A row of the table: what is counted of which part of the force, when, in which interval, by whom.

    It is known from the day on which it was `published`, if that is told. It may be `lag` days older than its
    date.
    """

    when: str
    measure: Measure
    part: Mapping[str, tuple[str, ...]]
    words: str
    source: str
    figure: CellFigure
    place: Location
    published: str | None = None
    lag: int = 0

    @property
    def day(self) -> dt.date:
        """The day by which it is counted."""
        return last_day(self.when)

    @property
    def since(self) -> dt.date | None:
        """The first day counted, where a span is named; ``None`` where all is counted up to the day."""
        first = first_day(self.when.split("/", maxsplit=1)[0]) if "/" in self.when else None
        return None if self.measure.kind == "level" else first

    @property
    def question(self) -> str:
        """The measure and the part, as questions name them."""
        return named_part(self.measure.id, self.part)

    @property
    def target_id(self) -> str:
        """The id of its target."""
        since = "" if self.since is None else f"-from-{self.since}"
        return short_id(f"{self._counted}{since}-{self.day}")

    @property
    def told(self) -> str:
        """Its id in the ledger."""
        return short_id(f"{self._counted}-{self.when.replace('/', '-to-')}-{self.source}")

    @property
    def _counted(self) -> str:
        return re.sub("[^a-z0-9]+", "-", self.question.lower()).strip("-")

    @property
    def stated(self) -> dict[str, Any]:
        """The figure as the ledger states it."""
        one = self.figure
        if one.bound in ("at_least", "at_most") or math.isinf(one.high):
            return {"value": short(one.low if one.bound != "at_most" else one.high), "bound": one.bound}
        if one.value is None:
            return {"range": [short(one.low), short(one.high)]}
        return {"value": short(one.value)} | ({"bound": one.bound} if one.bound else {})

    @property
    def read(self) -> str:
        """The figure as it was read, and as it was written where that differs."""
        stated = self.stated
        ends = [f"{end:,}" for end in stated.get("range") or [stated["value"]]]
        figure = HEDGES.get(stated.get("bound", ""), "") + " to ".join(ends)
        return figure if figure == self.words else f"{figure} ({self.words})"

    @property
    def target(self) -> dict[str, Any]:
        """What a target says of it, without its evidence."""
        stated, level = self.stated, self.measure.kind == "level"
        bound = stated.pop("bound", None)
        when = f"from {self.since} to {self.day}" if self.since else f"{'on' if level else 'by'} {self.day}"
        return {
            "id": self.target_id,
            "label": f"{with_part(self.measure.label, self.part)} {when}"[:300],
            "measure": self.measure.id,
            **({"by": {dim: [*labels] for dim, labels in self.part.items()}} if self.part else {}),
            **({} if self.since is None else {"from": str(self.since)}),
            "date": str(self.day),
            "unit": self.measure.unit,
            **({bound: stated["value"]} if bound in ("at_least", "at_most") else stated),
            **({"lag": self.lag} if self.lag else {}),
        }

    def meets(self, other: Count) -> bool:
        """Return whether two counts can both be true."""
        return self.figure.low <= other.figure.high and other.figure.low <= self.figure.high


def short_id(text: str) -> str:
    """Return a text as an id, of at most 80 characters; the end of a longer one is coded."""
    return text if len(text) <= 80 else f"{text[:71]}-{zlib.crc32(text.encode()):08x}"


def read_counts(
    case: Case, file: Path, sources: Collection[str] | None = None
) -> tuple[list[Count], list[Warning_]]:
    """Return the counts of a table, and what is doubtful about them though they are read.

    Its columns are :data:`COLUMNS`. A date is a day, month, year or period; a figure is in digits or words,
    with hedges (see :func:`breakrank.case.cells.read_cell`). A measure may name a part of the force,
    as in ``left:rank=general``. A column ``earliest`` may give the first day that each figure may be of; and
    a column ``published``, where sources are not those of the ledger, when it was published.

    Parameters
    ----------
    sources : ids of which a source has to be one; ``None`` where it is whoever says so.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be read, and figures that cannot be so.
    """
    further = (EARLIEST, PUBLISHED) if sources is None else (EARLIEST,)
    table = read_table(read_bytes(file), file, COLUMNS, optional=further)
    counts = counts_of(table.rows, case, sources, table.mark)
    return counts, [*table.remarks, *doubtful(counts, case)]


def counts_of(
    rows: Sequence[CsvRow], case: Case, sources: Collection[str] | None = None, mark: str = "."
) -> list[Count]:
    """Return the counts that rows of :data:`COLUMNS` are; CaseError for all that cannot be read or be so.

    `mark` is the decimal mark of their table, `sources` as for :func:`read_counts`.
    """
    measures, counts = case.catalogue.measures, []
    shown = shown_mark(
        (r.cells["figure"], m.unit) for r in rows if (m := _measure(r.cells["measure"], measures))
    )
    with gathered() as wrong:
        for row in rows:
            with wrong.kept():
                counts.append(_count(row, case, sources, shown, mark))
    return counts


def _measure(text: str, measures: Mapping[str, Measure]) -> Measure | None:
    return measures.get(text.partition(":")[0])


def _when(row: CsvRow, column: str) -> str:
    try:
        return read_when(row.cells[column])
    except SlipError as slip:
        raise CaseError(slip.problem, row.place(column), slip.remedy) from None


def _count(row: CsvRow, case: Case, sources: Collection[str] | None, shown: str, mark: str) -> Count:
    """Return the count that a row is; `shown` and `mark` are the decimal marks of its column and table."""
    when, published = _when(row, "date"), None
    if PUBLISHED in row.cells:
        published = _when(row, PUBLISHED)
        if last_day(published) < first_day(when.rsplit("/", maxsplit=1)[-1]):
            problem = f"a figure of {when} cannot have been published by {published}"
            raise CaseError(problem, row.place(PUBLISHED), "Correct one of the two dates.")
    start, end = case.calendar.start, case.calendar.end
    if not start <= last_day(when) <= end or ("/" in when and first_day(when) < start):
        problem = f"{when} does not lie within the calendar, {start} to {end}"
        raise CaseError(problem, row.place("date"), "Leave the row out, or move the calendar in case.yaml.")
    try:
        _, part = asked_part(row.cells["measure"])
    except UsageError as error:
        raise CaseError(str(error), row.place("measure")) from None
    known = case.catalogue.measures
    measure, name = _measure(row.cells["measure"], known), row.cells["measure"].partition(":")[0]
    if measure is None:
        raise CaseError(
            f"no measure {name!r}{nearest(name, known)}",
            row.place("measure"),
            "`breakrank case keys targets` lists them.",
        )
    if measure.kind == "ratio":
        raise CaseError(
            f"{name} sets a time beside another: it has no figure of a day",
            row.place("measure"),
            "Write e.g. registered.",
        )
    labels = case.content.labels
    for dim, names in part.items():
        if dim in labels and (odd := [one for one in names if one not in labels[dim]]):
            raise CaseError(
                f"unknown {dim} {odd[0]!r}{nearest(odd[0], labels[dim])}",
                row.place("measure"),
                f"Known: {', '.join(labels[dim])}."
                if labels[dim]
                else f"There is no {dim} in this case yet.",
            )
    source = row.cells["source"]
    if sources is not None and source not in sources:
        raise CaseError(
            f"no source {source!r}{nearest(source, sources)}",
            row.place("source"),
            "Add it to evidence/sources.yaml: id, publisher, title, date, kind and reliability.",
        )
    if not re.search(r"[^\W_]", source) or re.fullmatch(r"[\d.,]+", source):  # the rest of "1,200"
        raise CaseError(
            f"{source!r} names no source",
            row.place("source"),
            "Write who says so, and put a figure that holds a comma in double quotes.",
        )
    try:
        figure = read_cell(row.cells["figure"], measure.unit, shown, mark, case.currency)
    except SlipError as slip:
        raise CaseError(slip.problem, row.place("figure"), slip.remedy) from None
    words, place = row.cells["figure"], row.place("figure")
    return Count(when, measure, part, words, source, figure, place, published, _lag(row, when, case))


def _lag(row: CsvRow, when: str, case: Case) -> int:
    """Return the days by which a figure may be older than its date; CaseError for another day."""
    if EARLIEST not in row.cells:
        return 0
    day, first = last_day(when), first_day(_when(row, EARLIEST))
    if not max(case.calendar.start, day - dt.timedelta(days=LONGEST)) <= first <= day:
        problem = f"a figure of {when} cannot be of {row.cells[EARLIEST]}"
        raise CaseError(problem, row.place(EARLIEST), "Write an earlier day within the year, or the same.")
    return (day - first).days


def doubtful(counts: Sequence[Count], case: Case) -> list[Warning_]:
    """Return where figures contradict each other, which are kept; CaseError for those that cannot be."""
    rows = [
        CountedFigure(
            f"line {one.place.line}, {one.source}",
            *(one.measure, one.part, one.since, one.day, one.figure.low, one.figure.high, one.place),
        )
        for one in counts
    ]
    remarks = []
    with gathered() as wrong:
        for doubt in doubts([*rows, *recorded(case.content, case.catalogue.measures).values()], case.content):
            place = next((one.place for one in doubt.figures if one.place), None)
            if place is not None and len(doubt.figures) == 1:
                wrong.append(CaseError(doubt.text, place, doubt.remedy))
            elif place is not None:
                remarks.append(Warning_(place.file, place.line, doubt.text, doubt.remedy, place.key))
    return remarks


OBSERVATIONS, TARGETS = "evidence/observations.yaml", "targets.yaml"


def count_table(
    case: Case,
    folder: Path,
    file: Path,
    load: Any,  # noqa: ANN401
) -> tuple[list[Count], list[Warning_]]:
    """Write the counts of a table into the ledger and the targets of a case, and return them and doubts.

    The table is as :func:`breakrank.case.counts.read_counts` reads it; a source is the id of one in
    ``evidence/sources.yaml``. Counts of one measure by one day are one target: the first gives its figure,
    those that agree are evidence too, and the others conflict with it.

    Parameters
    ----------
    case : as it is. folder : its folder.
    load : loads a case from a folder; what is to be written is checked by it first.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used; then nothing is written.
    """
    counts, remarks = read_counts(case, file, case.ledger.sources)
    with gathered() as wrong:
        for k, one in enumerate(counts):
            again = next((c for c in counts[:k] if c.told == one.told), None)
            if again or one.told in case.ledger.observations:
                where = f"line {again.place.line}" if again else "the ledger"
                problem = f"{where} has a figure of {one.question} for {one.when} by {one.source} already"
                wrong.append(CaseError(problem, one.place, "Leave the row out, or change the ledger."))
            elif one.target_id in {t.id for t in case.targets}:
                problem = f"the case has a target {one.target_id!r} already"
                wrong.append(CaseError(problem, one.place, "Add the figure to its evidence by hand."))
    files = Files(folder)
    with files.locked():
        new = {OBSERVATIONS: files.read(OBSERVATIONS), TARGETS: files.read(TARGETS)}
        for one in counts:
            source = case.ledger.sources[one.source]
            entry = observation_of(one, counts, source.publisher, source.reliability)
            new[OBSERVATIONS] = appended(new[OBSERVATIONS], entry)
        for same in together(counts):
            new[TARGETS] = appended(new[TARGETS], target_of(same))
        try:
            check_draft(folder, new, load)
        except CaseError as error:  # of a target as it would be: it is the row that is wrong
            mine = [one for one in counts if error.place.key.startswith(f"{one.target_id}.")]
            if not mine:
                raise
            part = error.place.key.startswith(f"{mine[0].target_id}.by")
            place = replace(mine[0].place, key="measure") if part else mine[0].place
            raise CaseError(error.problem, place, error.remedy) from None
        files.write_all(new)
    return counts, remarks


def observation_of(one: Count, counts: Sequence[Count], publisher: str, reliability: str) -> dict[str, Any]:
    """Return a count as an observation of the ledger; those of `counts` that it contradicts are named."""
    others = [c.told for c in counts if c.target_id == one.target_id and not c.meets(one)]
    entry = {
        "id": one.told,
        "source": one.source,
        "says": publisher,
        "what": f"{with_part(one.measure.label, one.part)}, as counted: {one.words}",
        **one.stated,
        "unit": one.measure.unit,
        "date": one.when,
        "paragraph": "table",
        "confidence": reliability,
    }
    return entry | ({"conflicts": others} if others else {})


def together(counts: Sequence[Count]) -> list[list[Count]]:
    """Return counts of the same by the same day as one group each."""
    found: dict[str, list[Count]] = {}
    for one in counts:
        found.setdefault(one.target_id, []).append(one)
    return list(found.values())


def target_of(same: Sequence[Count]) -> dict[str, Any]:
    """Return the target of counts of one thing: the first gives its figure, the others agree or conflict."""
    first = same[0]
    against = [c.told for c in same if not c.meets(first)]
    entry = {**first.target, "evidence": [c.told for c in same if c.meets(first)]}
    return entry | ({"conflicting": against} if against else {})
