"""Rows of a published data set: any table as it comes, found by the names of its columns.

Layouts of published data sets: which column says what, and what a row becomes in a case.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field, TypeAdapter

from breakrank.case.cells import read_cell, short
from breakrank.case.counts import short_id
from breakrank.case.dates import last_day
from breakrank.case.documents import read_yaml
from breakrank.case.models_base import CaseModel, Line, Prose, Range
from breakrank.case.source import decoded, read_bytes, read_file
from breakrank.case.tables import SEPARATORS, is_workbook, sheet_lines
from breakrank.case.values import SlipError
from breakrank.errors import HIDDEN, CaseError, Location, UsageError, gathered, nearest
from breakrank.wording import listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case.case import Case


FILE = Path(__file__).parent / "layouts.yaml"
OWN = "own"
"""The data set whose columns the user names."""
ROLES = (
    *("id", "date", "until", "year", "month", "day", "country", "place", "region", "what", "sides", "says"),
    *("figure", "low", "high"),
)
"""What a column of one's own may say."""
Names = tuple[str, ...]
Becomes = Literal["markers", "persons", "prices", "strength", "indicators", "coups", "counts"]


class Layout(CaseModel):
    """A data set as it is published; `columns` names what may say each thing, in the order of preference."""

    name: str = Field(default="", description="its name on the command line")
    title: Line = Field(description="title of the data set")
    publisher: Line = Field(description="who publishes it")
    becomes: Becomes = Field(description="what a row turns into")
    columns: dict[str, Names] = Field(description="names that a column has had, by what it says")
    needs: Names = Field(default=(), description="what a row has to say")
    dates: Names = Field(default=("%Y-%m-%d",), description="forms of a date, as strptime names them")
    spans: dict[str, Literal["week", "month"]] = Field(
        default_factory=dict, description="what a code of precision makes of a date"
    )
    words: dict[str, dict[str, str]] = Field(default_factory=dict, description="what codes mean")
    coarse: dict[str, Names] = Field(default_factory=dict, description="codes of coarse places or dates")
    only: dict[str, Names] = Field(default_factory=dict, description="words, of which a row has to hold one")
    without: dict[str, Names] = Field(default_factory=dict, description="what rows hold that are never read")
    missing: Names = Field(default=(), description="what stands for nothing known, beside an empty cell")
    hidden: dict[str, Range] = Field(default_factory=dict, description="small numbers that are kept back")
    repeat: dict[str, Names] = Field(default_factory=dict, description="columns that repeat within a row")
    header: str = Field(default="", description="columns of files that come without a first line")
    wide: bool = Field(default=False, description="whether each year is a column")
    figures: dict[str, str] = Field(default_factory=dict, description="what is counted, by column")
    measure: str = Field(default="", description="what the figures are an upper bound of")
    flow: bool = Field(default=False, description="whether a figure is of what happened within the year")
    unit: str = Field(default="persons", description="unit of the figures")
    scale: float = Field(default=1, description="what a figure is multiplied by")
    told: Prose = Field(description="what a reader has to know of who or what is counted")
    terms: Line = Field(default="Its terms are not known.", description="whether it may be passed on")

    def candidates(self, role: str) -> Names:
        """Return the names that a column may have which says this."""
        return self.columns.get(role, ())


@cache
def layouts() -> Mapping[str, Layout]:
    """Return the layouts that ship, by name."""
    document = read_yaml(read_file(FILE), FILE)
    found = TypeAdapter(dict[str, Layout]).validate_python(document.data)
    return {name: one.model_copy(update={"name": name}) for name, one in found.items()}


def layout(name: str, columns: str = "", file: Path = Path()) -> Layout:
    """Return a layout by name; of one's own table, by what each column says.

    Parameters
    ----------
    columns : what says what, as in ``date=event_date,figure=best,low=low,high=high``.
    file : the table, whose name stands for title and publisher until somebody writes them.

    Raises
    ------
    UsageError
        for a name that there is not, columns beside a layout that ships, and columns that cannot be used.
    """
    if name != OWN and columns:
        raise UsageError(f"--columns goes with {OWN}: the columns of {name} are known")
    if name == OWN:
        return _own(columns, file)
    known = layouts()
    if name not in known:
        raise UsageError(
            f"no data set {name!r}{nearest(name, (*known, OWN))}\n"
            f"  One of {', '.join(known)}; or {OWN}, with --columns date=...,figure=... for any other table."
        )
    return known[name]


def _own(columns: str, file: Path) -> Layout:
    pairs = [part.partition("=") for part in columns.split(",") if part.strip()]
    found: dict[str, Names] = {role.strip(): (name.strip(),) for role, _, name in pairs}
    for role, equals, name in pairs:
        if role.strip() not in ROLES or not name.strip():
            raise UsageError(
                f"--columns: {role}{equals}{name} is not understood{nearest(role, ROLES)}\n"
                f"  Write what says what, as date=event_date,figure=best: {', '.join(ROLES)}."
            )
    if not {"date", "year"} & found.keys():
        raise UsageError(
            f"{OWN} needs --columns that say which one holds the date\n"
            "  Write e.g. --columns date=event_date,figure=best,low=low,high=high, or year=...,month=..."
        )
    return Layout(
        name=OWN,
        title=file.name,
        publisher=file.stem,
        becomes="counts" if "figure" in found else "markers",
        columns=found,
        needs=tuple(role for role in found if role in ("date", "year", "figure")),
        dates=("%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%d/%m/%Y", "%d.%m.%Y", "%Y-%m", "%Y"),
        told="Write publisher and title into evidence/sources.yaml. Who is counted is for you to say.",
    )


LARGEST = 500 * 1024 * 1024
"""Bytes a data set may have."""
PREAMBLE = 60
"""Lines that may stand before the names of the columns."""
ANSWERS = ("data", "Result", "items", "results")
"""Keys under which interfaces put their rows."""
WEEK = dt.timedelta(days=3)
"""Days before and after the middle of a week."""
_TIME = re.compile(r"[ T]0?0:00(:00(\.0+)?)?Z?$")


@dataclass(frozen=True)
class DataRow:
    """One row: its cells by column as they stand, and the number of the row in the file, the first line 1."""

    file: Path
    number: int
    cells: Mapping[str, str]
    layout: Layout

    def place(self, role: str = "") -> Location:
        """Return where the cell stands that says something."""
        there = [name for name in self.layout.candidates(role) if name.casefold() in self.cells]
        return Location(self.file, self.number, (there or [""])[0])

    def texts(self, role: str) -> tuple[str, ...]:
        """Return the entries of all columns that hold a field, without empty ones; codes as words."""
        cells = (self.cells.get(name.casefold(), "") for name in self.layout.candidates(role))
        found = (HIDDEN.sub(" ", cell) for cell in cells)
        words = self.layout.words.get(role, {})
        return tuple(words.get(text, text) for text in found if text and text not in self.layout.missing)

    def text(self, role: str) -> str:
        """Return the entry of the first column that holds a field, or an empty text."""
        return (self.texts(role) or ("",))[0]

    def required(self, role: str) -> str:
        """Return a required entry of a row; CaseError if it is missing."""
        if text := self.text(role):
            return text
        raise CaseError("this cell is empty", self.place(role), f"A row has to say its {role}.")

    def figure(self, role: str = "figure") -> tuple[float, float] | None:
        """Return a number as lowest and highest value, which differ where it is kept back; None if unknown.

        One's own table may hold all that `breakrank case count` reads, such as 120-135 or at least 300.

        Raises
        ------
        CaseError
            for what is no number.
        """
        text = self.text(role)
        if not text:
            return None
        if text in self.layout.hidden:
            return self.layout.hidden[text]
        if self.layout.name == OWN:
            try:
                found = read_cell(text, "figures")
            except SlipError as slip:
                raise CaseError(slip.problem, self.place(role), slip.remedy) from None
            return found.low, found.high
        plain = text.replace(",", "") if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", text) else text
        if not re.fullmatch(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", plain):
            remedy = "A number such as 1200 is expected."
            raise CaseError(f"{text[:60]!r} is no number", self.place(role), remedy)
        value = float(plain) * self.layout.scale
        return value, value

    def year(self) -> int:
        """Return the year that it is of; CaseError where it is none."""
        text = self.required("year")
        if not re.fullmatch(r"(1[6-9]|20)\d\d", text):
            remedy = "A year such as 2019 is expected."
            raise CaseError(f"{text[:60]!r} is no year", self.place("year"), remedy)
        return int(text)

    def day(self) -> dt.date:
        """Return the day that it is of, or the first of the month or year; CaseError where there is none."""
        when = self.when().split("/")[0]
        return dt.date.fromisoformat(when + {4: "-01-01", 7: "-01", 10: ""}[len(when)])

    def when(self) -> str:
        """Return the day, month, year or span that it is of, as the ledger writes it."""
        if "date" not in self.layout.columns or ("year" in self.layout.columns and not self.text("date")):
            return self._from_parts()
        start = self._read("date")
        if "until" in self.layout.columns:
            end = self._read("until")
            return start if end == start else f"{start}/{end}"
        span = self.layout.spans.get(self.text("precision"))
        if span == "month":
            return start[:7]
        if span == "week":
            middle = dt.date.fromisoformat(start)
            return f"{middle - WEEK}/{middle + WEEK}"
        return start

    def _from_parts(self) -> str:
        parts = [f"{self.year():04d}"]
        for role, most in (("month", 12), ("day", 31)):
            text = self.text(role)
            if not text or text == "0":
                break
            if not text.isdigit() or not 1 <= int(text) <= most:
                remedy = f"A number from 1 to {most} is expected."
                raise CaseError(f"{text[:60]!r} is no {role}", self.place(role), remedy)
            parts.append(f"{int(text):02d}")
        when = "-".join(parts)
        try:
            last_day(when)
        except ValueError:
            raise CaseError(f"there is no day {when}", self.place("day"), "Correct the day.") from None
        return when

    def _read(self, role: str) -> str:
        text = _TIME.sub("", self.required(role))
        slashes = re.fullmatch(r"(\d\d?)/(\d\d?)/(\d{4})", text) if self.layout.name == OWN else None
        if slashes and int(slashes[1]) != int(slashes[2]) and max(int(slashes[1]), int(slashes[2])) <= 12:
            both = f"{slashes[3]}-{int(slashes[2]):02d}-{int(slashes[1]):02d}"
            other = f"{slashes[3]}-{int(slashes[1]):02d}-{int(slashes[2]):02d}"
            raise CaseError(
                f"{text!r} can be read as {both} or as {other}",
                self.place(role),
                "Write year-month-day, or take day and month from columns of their own.",
            )
        for form in self.layout.dates:
            with suppress(ValueError):
                date = dt.datetime.strptime(text, form).date()
                return date.isoformat()[: {"%Y": 4, "%Y-%m": 7}.get(form, 10)]
        shown = listed([dt.date(2031, 3, 4).strftime(form) for form in self.layout.dates], "or")
        raise CaseError(f"{text[:60]!r} is no date", self.place(role), f"A date such as {shown} is expected.")


@dataclass(frozen=True)
class Request:
    """What an import is asked for.

    Attributes
    ----------
    source : id of the data set in the ledger.
    countries : whose rows are wanted. where : columns, and a word that their cells have to hold.
    accessed : the day on which the file was taken from its publisher.
    hosts : names of host countries as the file writes them; by default those of the case's crossings.
    measure : what figures of one's own table count; empty where they are not compared with runs.
    unit : unit of figures of one's own table that are no measure.
    goods : the goods of a basket and how much of each a family needs a month, as ``Rice=12 KG``.
    level : what a family needs a month when an index of prices sets in, in `money`.
    money : name of the money of prices and rates.
    """

    source: str
    accessed: dt.date
    countries: tuple[str, ...]
    where: tuple[tuple[str, str], ...] = ()
    hosts: tuple[str, ...] = ()
    measure: str = ""
    unit: str = ""
    goods: tuple[str, ...] = ()
    level: float | None = None
    money: str = ""


def read_rows(file: Path, layout: Layout, request: Request) -> tuple[tuple[DataRow, ...], int]:
    """Return the rows of a data set that are wanted, in the order of the file, and how many the file has.

    The file may be CSV with any separator, a sheet of Excel, or the JSON that an interface answers. Lines
    before the names of the columns, a row of hashtags and a byte order mark are passed over.

    Raises
    ------
    CaseError
        for a file that cannot be read, or has not the columns of the layout.
    UsageError
        for a country or word that no row has.
    """
    frame = _frame(file, layout)
    frame = _repeated(_long(frame) if layout.wide else frame, layout)
    total = len(frame)
    for role, barred in layout.without.items():
        for column in _columns(frame, layout, role):
            frame = frame[~frame[column].isin(barred)]
    frame = _of_countries(frame, layout, request.countries, file)
    frame = _holding(frame, layout, request.where, file)
    rows = tuple(
        DataRow(file, int(number), {str(name): str(cell) for name, cell in cells.items()}, layout)
        for number, cells in zip(frame.index, frame.to_dict("records"), strict=True)
    )
    return rows, total


def _columns(frame: pd.DataFrame, layout: Layout, role: str) -> list[str]:
    return [name.casefold() for name in layout.candidates(role) if name.casefold() in frame.columns]


def _of_countries(frame: pd.DataFrame, layout: Layout, countries: Sequence[str], file: Path) -> pd.DataFrame:
    """Return the rows of some countries, by any of the columns that name or code them."""
    columns = _columns(frame, layout, "country")
    if not columns or not countries:
        return frame
    asked = [name.strip().casefold() for name in countries]
    kept = frame[columns].apply(lambda cells: cells.str.casefold().isin(asked)).any(axis=1)
    if not kept.any():
        known = [name for column in columns for name in frame[column].unique() if name]
        raise UsageError(
            f"no row of {file} is of {listed(list(countries), 'or')}{nearest(countries[0], known)}\n"
            f"  Name the country as the file does, e.g. --country {known[0] if known else 'SYR'!r}."
        )
    return cast("pd.DataFrame", frame[kept])


def _holding(
    frame: pd.DataFrame, layout: Layout, where: Sequence[tuple[str, str]], file: Path
) -> pd.DataFrame:
    """Return the rows that hold all words asked for, and one of those of the layout unless chosen anew."""
    for column, word in where:
        if column.casefold() not in frame.columns:
            raise UsageError(f"--where: {file} has no column {column!r}{nearest(column, frame.columns)}")
        kept = frame[column.casefold()].str.contains(word, case=False, regex=False)
        if not kept.any():
            known = [text for text in frame[column.casefold()].unique() if text]
            raise UsageError(f"--where: no row has {word!r} under {column}{nearest(word, known)}")
        frame = frame[kept]
    if chooses_anew(layout, where):
        return frame
    some = [
        frame[column].str.contains(word, case=False, regex=False)
        for role, words in layout.only.items()
        for column in _columns(frame, layout, role)
        for word in words
    ]
    kept = some[0]
    for one in some[1:]:
        kept = kept | one
    return frame[kept]


def chooses_anew(layout: Layout, where: Sequence[tuple[str, str]]) -> bool:
    """Return whether no choice of rows comes with a data set, or one of its columns is asked for."""
    chosen = {name.casefold() for role in layout.only for name in layout.candidates(role)}
    return not chosen or any(column.casefold() in chosen for column, _ in where)


def _frame(file: Path, layout: Layout) -> pd.DataFrame:
    """Return the table: texts by column in small letters, the index the number of the row."""
    import pandas as pd

    data = read_bytes(file, LARGEST)
    if is_workbook(data):
        lines, _ = sheet_lines(data, file)
        return _named(pd.DataFrame([cells for _, cells in lines], index=[n for n, _ in lines]), layout, file)
    text, _ = decoded(data)
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        return _answered(text, layout, file)
    separator, first = _head(text, layout)
    try:
        frame = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=None,
            names=range(max(map(len, _first_lines(text, separator)))),
            skiprows=first,
            dtype=str,
            keep_default_na=False,
            skip_blank_lines=False,
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        remedy = "Save it as CSV again."
        problem = f"this is not a valid table: {str(error).strip()}"
        raise CaseError(problem, Location(file), remedy) from None
    frame.index = frame.index + first + 1
    return _named(frame, layout, file)


def _head(text: str, layout: Layout) -> tuple[str, int]:
    """Return the separator of cells, and the number of lines before the names of the columns."""
    known = {name.casefold() for names in layout.columns.values() for name in names}
    found = (
        (len({cell.strip().casefold() for cell in cells} & known), -k, separator)
        for separator in SEPARATORS
        for k, cells in enumerate(_first_lines(text, separator))
    )
    _, line, separator = max(found, key=lambda one: one[:2])
    return separator, -line


def _first_lines(text: str, separator: str) -> list[list[str]]:
    lines = text.split("\n", PREAMBLE)[:PREAMBLE]
    found: list[list[str]] = []
    for line in lines:
        cells = [line]  # of what is no line of a table, as in a file that holds none
        with suppress(csv.Error):
            cells = next(csv.reader([line.rstrip("\r")], delimiter=separator), [])
        found.append(cells)
    return found


def _named(frame: pd.DataFrame, layout: Layout, file: Path) -> pd.DataFrame:
    """Return a table whose first row names its columns, with these as names, and without empty rows."""
    frame = frame.fillna("").astype(str).apply(lambda cells: cells.str.strip())
    head = [name.casefold() for name in frame.iloc[0]] if len(frame) else []
    if layout.header and head and head[0].isdigit() and len(head) == len(layout.header.split()):
        head = layout.header.split()
    else:
        frame = frame.iloc[1:]
    _check_head(head, layout, file)
    named = [k for k, name in enumerate(head) if name]
    frame = frame.iloc[:, named].set_axis([head[k] for k in named], axis=1)
    empty = (frame == "").all(axis=1)
    hashtags = frame.apply(lambda cells: cells.str.startswith("#") | (cells == "")).all(axis=1)
    return cast("pd.DataFrame", frame[~(empty | hashtags)])


def _check_head(head: Sequence[str], layout: Layout, file: Path) -> None:
    there = set(head)
    names = {name.casefold() for each in layout.columns.values() for name in each}
    if twice := [name for name in names if list(head).count(name) > 1]:
        raise CaseError(f"the column {twice[0]!r} is there twice", Location(file), "Keep one of them.")
    years = layout.wide and any(re.fullmatch(r"\d{4}", name) for name in head)
    missing = [
        role
        for role in layout.needs
        if not (years and role in ("year", "figure"))
        and there.isdisjoint(name.casefold() for name in layout.candidates(role))
    ]
    if not missing:
        return
    others = [one for one in layouts().values() if one.name != layout.name and _fits(there, one)]
    wanted = listed([repr(name) for name in layout.candidates(missing[0])], "or")
    hint = f"Its columns are those of {others[0].name}." if others else f"It has {', '.join(head)[:200]}."
    problem = f"no column says the {missing[0]}: {wanted} is expected"
    raise CaseError(problem, Location(file), hint)


def _fits(there: set[str], layout: Layout) -> bool:
    needed = [{name.casefold() for name in layout.candidates(role)} for role in layout.needs]
    return all(not there.isdisjoint(names) for names in needed)


def _answered(text: str, layout: Layout, file: Path) -> pd.DataFrame:
    """Return the rows that an interface answers as a table; a nested key is joined by a dot."""
    import pandas as pd

    try:
        answer: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        remedy = "Save the answer whole."
        raise CaseError(f"this is not valid JSON: {error}", Location(file), remedy) from None
    if isinstance(answer, dict):
        answer = next((answer[key] for key in ANSWERS if isinstance(answer.get(key), list)), None)
    elif len(answer) == 2 and isinstance(answer[1], list):
        answer = answer[1]
    if not isinstance(answer, list) or not all(isinstance(row, dict) for row in answer):
        remedy = f"They are expected under {ANSWERS[0]}."
        raise CaseError("no rows stand in this JSON", Location(file), remedy)
    frame = pd.json_normalize(answer).astype(object)
    frame = frame.where(frame.notna(), "").map(_plain)
    frame.columns = pd.Index([str(name).casefold() for name in frame.columns])
    _check_head(list(frame.columns), layout, file)
    frame.index = frame.index + 1
    return frame


def _plain(cell: object) -> str:
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell).strip()


def _long(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with a row for each year, where each year was a column."""
    years = [name for name in frame.columns if re.fullmatch(r"\d{4}", str(name))]
    if not years:
        return frame
    kept = [name for name in frame.columns if name not in years]
    numbered = frame.rename_axis("number").reset_index()
    long = numbered.melt(["number", *kept], years, var_name="date")
    return long.sort_values(["number", "date"]).set_index("number")


def _repeated(frame: pd.DataFrame, layout: Layout) -> pd.DataFrame:
    """Return a table with a row for each repetition within a row, where columns repeat."""
    import pandas as pd

    if not layout.repeat:
        return frame
    many = max(map(len, layout.repeat.values()))
    parts = []
    for k in range(many):
        pairs = {names[0].casefold(): names[k].casefold() for names in layout.repeat.values()}
        if set(pairs.values()) <= set(frame.columns):
            parts.append(frame.assign(**{first: frame[name] for first, name in pairs.items()}))
    return pd.concat(parts).sort_index(kind="stable")


Entry = dict[str, Any]
"""An entry of a file as plain values."""


@dataclass
class Additions:
    """Entries by file. Fields and the strength take the place of what stands there; `tables` are files."""

    observations: list[Entry] = field(default_factory=list)
    events: list[Entry] = field(default_factory=list)
    targets: list[Entry] = field(default_factory=list)
    rates: list[Entry] = field(default_factory=list)
    fields: dict[str, Entry] = field(default_factory=dict)
    strength: Entry = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def observed(row: DataRow, request: Request, name: str, when: str, **more: Any) -> Entry:  # noqa: ANN401
    """Return an observation that a row is: what it says in `more`, where, and how sure."""
    layout = row.layout
    place = row.text("place") or row.text("region")
    is_coarse = any(row.text(role) in codes for role, codes in layout.coarse.items())
    return {
        "id": ledger_id(request.source, name),
        "source": request.source,
        "says": (row.text("says") or layout.publisher)[:300],
        **more,
        "date": when,
        **({"place": place[:300]} if place else {}),
        "paragraph": f"row {row.text('id') or row.number}",
        "confidence": "low" if is_coarse else "medium",
    }


def ledger_id(*parts: str) -> str:
    """Return an id made of parts, without the letters that an id may not have."""
    return short_id(re.sub(r"[^A-Za-z0-9_.]+", "-", "-".join(parts)).strip("-."))


def within(rows: Sequence[DataRow], case: Case, made: Additions) -> list[tuple[DataRow, str, dt.date]]:
    """Return the rows whose day lies in the calendar, each with its date as the ledger has it and its day."""
    calendar, found, outside = case.calendar, [], 0
    with gathered() as wrong:
        for row in rows:
            with wrong.kept():
                # the day as the row gives it, though it may stand for the week or month around it
                when, day = row.when(), last_day(row._read("date")) if row.layout.spans else row.day()
                if calendar.start <= day <= calendar.end:
                    found.append((row, when, day))
                else:
                    outside += 1
    if outside:
        made.remarks.append(
            f"Rows outside the calendar ({calendar.start} to {calendar.end}), left out: {outside:,}."
        )
    if not found:
        raise UsageError(
            f"no row lies within the calendar, {calendar.start} to {calendar.end}\n"
            "  Name other rows with --where or --country, or change the calendar in case.yaml."
        )
    return found


def figures_of(low: float, high: float, unit: str) -> Entry:
    """Return a figure as the ledger states it: a value, a bound, or a range where its ends differ."""
    if math.isinf(high):
        return {"value": short(low), "bound": "at_least", "unit": unit}
    known = {"value": short(low)} if low == high else {"range": [short(low), short(high)]}
    return {**known, "unit": unit}
