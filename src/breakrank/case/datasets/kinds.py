"""What the rows of each kind of data set become: markers, counts, people, strength, coups and prices."""

from __future__ import annotations

import datetime as dt
import shlex
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.cells import short
from breakrank.case.counts import (
    OBSERVATIONS,
    TARGETS,
    counts_of,
    doubtful,
    observation_of,
    target_of,
    together,
)
from breakrank.case.datasets.money import cost_of_living, market_prices, official_rates
from breakrank.case.datasets.rows import (
    OWN,
    Additions,
    DataRow,
    Entry,
    Layout,
    Request,
    chooses_anew,
    figures_of,
    ledger_id,
    observed,
    read_rows,
    within,
)
from breakrank.case.dates import first_day, last_day
from breakrank.case.files import Files, appended, check_draft, to_yaml, with_entry
from breakrank.case.tables import CsvRow
from breakrank.errors import CaseError, UsageError, gathered
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case.case import Case


MOST = 500
"""Rows that become observations at once: more than that nobody reads."""


def _markers(case: Case, layout: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return events without effects, each with the observation that it rests on."""
    made = Additions()
    inside = within(rows, case, made)
    with gathered() as wrong:
        for row, when, day in inside:
            with wrong.kept():
                sides = " and ".join(row.texts("sides"))
                title = ": ".join(filter(None, (row.text("what"), sides))) or "An event"
                said: Entry = {"text": _sentence(row, title)}
                if figure := _spread(row):
                    said = figures_of(*figure, request.unit or layout.unit)
                one = observed(row, request, row.text("id") or f"row-{row.number}", when, what=title, **said)
                made.observations.append(one)
                made.events.append(_marker(one, day, title, row))
    return made


def _sentence(row: DataRow, title: str) -> str:
    place = row.text("place") or row.text("region")
    return f"{title}{f', in {place}' if place else ''}"


def _marker(observation: Entry, day: dt.date, title: str, row: DataRow) -> Entry:
    return {
        "id": observation["id"],
        "date": str(day),
        "title": _sentence(row, title)[:300],
        "effects": [],
        "evidence": [observation["id"]],
    }


def _spread(row: DataRow) -> tuple[float, float] | None:
    """Return the lowest and highest figure of a row, or its figure alone."""
    best, low, high = (row.figure(role) for role in ("figure", "low", "high"))
    if row.layout.name == OWN:
        for (one, lower), (other, upper) in pairwise(
            (role, found) for role, found in (("low", low), ("figure", best), ("high", high)) if found
        ):
            if lower[0] > upper[1]:
                problem = f"{row.text(one)} stands as {one} and {row.text(other)} as {other}"
                raise CaseError(
                    problem, row.place(one), "Correct it, or --columns: low, figure and high rise."
                )
    ends = [end for one in (low, best, high) if one for end in one]
    return (min(ends), max(ends)) if ends else None


def _in_words(row: DataRow) -> str:
    """Return the figure of a row of one's own table, as `breakrank case count` reads it."""
    if not (row.texts("low") or row.texts("high")):
        return row.text("figure")
    return " to ".join(f"{short(end)}" for end in dict.fromkeys(_spread(row) or ()))


def _counts(case: Case, layout: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return figures of one's own table: observations, and targets where a measure is named."""
    if not request.measure:
        made = _markers(case, layout, rows, request)
        made.events.clear()
        for one in made.observations:
            one["aside"] = "Imported; nothing rests on it yet."
        return made
    made = Additions()
    cells, empty = [], 0
    with gathered() as wrong:
        for row, when, _ in within(rows, case, made):
            with wrong.kept():
                if not (figure := _in_words(row)):
                    empty += 1
                    continue
                said = {"date": when, "measure": request.measure, "figure": figure, "source": request.source}
                heads = {role: row.place(role).key for role in ("date", "figure")} | {"measure": "--measure"}
                cells.append(CsvRow(said, row.file, row.number, heads))
            if len(cells) > MOST:
                raise _too_many(f"more than {MOST}")
    if not cells:
        raise CaseError(
            "no row has a figure", rows[0].place("figure"), "Name its column: --columns figure=..."
        )
    if empty:
        made.remarks.append(f"Rows without a figure, left out: {empty:,}.")
    counts = counts_of(cells, case)
    made.remarks += (f"{doubt.place}: {doubt.text}. {doubt.remedy}" for doubt in doubtful(counts, case))
    for same in together(counts):
        made.targets.append(target_of(same))
    for count in counts:
        made.observations.append(observation_of(count, counts, layout.publisher, "medium"))
    return made


def _persons(case: Case, layout: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return how many people of the country are in its hosts, as upper bounds of who was taken in there."""
    hosts = request.hosts or tuple(dict.fromkeys(c.country for c in case.crossings if c.host))
    asked = {name.casefold() for name in hosts}
    mine = [row for row in rows if asked & {text.casefold() for text in row.texts("asylum")}]
    if not mine:
        known = dict.fromkeys(text for row in rows for text in row.texts("asylum"))
        raise UsageError(
            f"no row is of people in {listed(list(hosts), 'or') or 'a host: the case names none'}\n"
            f"  Name the host as the file does, e.g. --host {next(iter(known), 'COL')!r}."
        )
    made = Additions()
    sums: dict[tuple[int, str, str], list[tuple[DataRow, tuple[float, float]]]] = {}
    with gathered() as wrong:
        for row in mine:
            with wrong.kept():
                for role in layout.figures:
                    if (figure := row.figure(role)) is not None:
                        sums.setdefault((row.year(), row.text("asylum"), role), []).append((row, figure))
    years: dict[int, list[Entry]] = {}
    for (year, host, role), found in sorted(sums.items(), key=lambda one: one[0]):
        low, high = (sum(figure[k] for _, figure in found) for k in (0, 1))
        if high == 0 or not case.calendar.start.year - 1 <= year <= case.calendar.end.year:
            continue
        what = f"{layout.figures[role]}, from {found[0][0].text('country')} in {host}"
        when = str(year) if layout.flow else f"{year}-12-31"
        said = figures_of(low, high, layout.unit)
        one = observed(found[0][0], request, f"{year}-{role}-{host}", when, what=what, **said)
        made.observations.append(one | {"aside": layout.told})
        years.setdefault(year, []).append(one)
    if not years:
        raise UsageError(
            f"no year of the table is one of the calendar, {case.calendar.start} to {case.calendar.end}\n"
            "  Choose the years of the calendar when you take the table from its publisher."
        )
    for year, every in years.items():
        _bound(case, layout, year, every, made)
    return made


def _bound(case: Case, layout: Layout, year: int, observations: Sequence[Entry], made: Additions) -> None:
    """Add the target that people of a year are the most that were taken in, if it ends in the calendar."""
    start, end = max(case.calendar.start, dt.date(year, 1, 1)), dt.date(year, 12, 31)
    if not case.calendar.start <= end <= case.calendar.end:
        return
    measure = case.catalogue.measures.get(layout.measure)
    if measure is None or (layout.measure == "persons_in_sites" and not case.sites):
        made.remarks.append(f"The case counts no {layout.measure}, so {year} is kept without a target.")
        return
    names = [one["id"] for one in observations]
    most = sum(float((one.get("range") or [0, one.get("value", 0)])[1]) for one in observations)
    for one in made.observations:
        if one["id"] in names:
            one.pop("aside", None)
    made.targets.append(
        {
            "id": ledger_id(layout.name, str(year)),
            "label": f"{measure.label}, at most all people of the country in the host, {year}"[:300],
            "measure": layout.measure,
            **({"from": str(start)} if layout.flow else {}),
            "date": str(end),
            "unit": measure.unit,
            "at_most": short(most),
            "evidence": names,
            "assumed": layout.told,
        }
    )


def _strength(case: Case, layout: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return how many soldiers there are, as a range in which the case's own number has to lie."""
    made = Additions()
    found: list[tuple[DataRow, int, float]] = []
    start, end = case.calendar.start.year, case.calendar.end.year
    with gathered() as wrong:
        for row in rows:
            with wrong.kept():
                known = row.figure()
                if known is not None and start - 10 <= row.year() <= end:
                    found.append((row, row.year(), known[0]))
    recent = max((year for _, year, _ in found if year <= start), default=start)
    near = [one for one in found if one[1] >= min(recent, start)]
    if not near:
        raise UsageError(
            f"no row says how many soldiers there were from {start - 10} to {end}\n"
            "  Enter what you know by hand, under strength in force.yaml."
        )
    if recent < start:
        made.remarks.append(f"The nearest year before the calendar is {recent}.")
    half = layout.scale / 2 if layout.scale > 1 else 0.0
    for row, year, figure in near:
        said = figures_of(figure - half, figure + half, "persons")
        what = "Soldiers in active service"
        one = observed(row, request, f"{year}-strength", str(year), what=what, **said)
        made.observations.append(one)
    sizes = [figure + sign * half for _, _, figure in near for sign in (-1, 1)]
    made.strength = _ranged(case, min(sizes), max(sizes), made)
    return made


def _ranged(case: Case, low: float, high: float, made: Additions) -> Entry:
    """Return the entry of the strength with a range that holds what is said; what backs it stays too."""
    strength = case.content.force.strength
    part = strength.value / strength.stated
    low, high = low * part, high * part
    backed = strength.evidence is not None
    sizes = (low, high, strength.value, *(strength.range if backed else ()))
    if not low <= strength.value <= high:
        ends = " to ".join(dict.fromkeys(f"{end:,.0f}" for end in (low, high)))
        made.remarks.append(
            f"The case has {strength.value:,} soldiers, and the data set {ends}: write a "
            "number within under strength in force.yaml, and correct the branches, which add up to it."
        )
    entry = strength.model_dump(mode="json", exclude_defaults=True)
    names = [*(strength.evidence or ()), *(one["id"] for one in made.observations)]
    entry = {**entry, "range": [short(min(sizes)), short(max(sizes))], "evidence": names}
    if "assumed" not in entry and not low <= strength.value <= high:
        entry["assumed"] = "Beyond what the data set says."
    return entry


def _coups(case: Case, layout: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return coups within the calendar as markers and as a target, and how often the country has had one."""
    made = Additions()
    dated = [row for row in rows if row.text("outcome") in layout.words["outcome"].values()]
    calendar, years = case.calendar, []
    with gathered() as wrong:
        for row in dated:
            with wrong.kept():
                years.append(row.year())
                when = row.when()
                day = first_day(when)
                if not calendar.start <= last_day(when) <= calendar.end:
                    continue
                title = row.text("outcome")
                one = observed(row, request, f"{row.text('country')}-{when}", when, what=title, text=title)
                made.observations.append(one)
                made.events.append(_marker(one, max(day, calendar.start), title, row))
    if made.events:
        names = [one["id"] for one in made.observations]
        last = max(last_day(one["date"]) for one in made.observations)
        made.targets.append(
            {
                "id": ledger_id(request.source, f"by-{last}"),
                "label": f"Coup attempts by {last}",
                "measure": "coup_attempts",
                "date": str(last),
                "unit": case.catalogue.measures["coup_attempts"].unit,
                "at_least": len(made.events),
                "evidence": names,
            }
        )
    covered = [row.year() for row in rows]
    quiet = len(covered) > len(dated)  # the table has years without a coup too
    first, end = (min(covered), max(covered)) if quiet else (FIRST_COUP, request.accessed.year)
    many, span = len(years), end - first + 1
    won = sum(row.text("outcome") == layout.words["outcome"]["2"] for row in dated)
    rate = observed(
        rows[0],
        request,
        f"{rows[0].text('country')}-base-rate",
        f"{first}/{end}",
        what=f"Coup attempts a year: {many} in {span} years, of which {won} succeeded",
        value=short(round(many / span, 4)),
        unit="attempts a year",
        aside="How often this country has had one; compare it with how often runs have one.",
    )
    made.observations.append({**rate, "paragraph": "all rows of the country"})
    made.remarks.append(f"Base rate: {many} attempts in {span} years ({first} to {end}), {won} successful.")
    return made


FIRST_COUP = 1950
"""The year from which coups are counted."""
INDICATORS = {
    "MS.MIL.TOTL.P1": "strength",
    "PA.NUS.FCRF": "rates",
    "FP.CPI.TOTL": "index",
    "FP.CPI.TOTL.ZG": "inflation",
}
"""What is read of the World Bank's indicators, by code."""


def _indicators(case: Case, layout: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return strength, exchange rates and prices from the indicators of a file."""
    made = Additions()
    by_code: dict[str, list[DataRow]] = {}
    for row in rows:
        by_code.setdefault(row.required("code"), []).append(row)
    known = {code: found for code, found in by_code.items() if code in INDICATORS}
    if not known:
        raise CaseError(
            f"no indicator is read of {listed(list(by_code)[:5])}",
            rows[0].place("code"),
            f"One of {listed(list(INDICATORS), 'or')} is expected.",
        )
    if "FP.CPI.TOTL" in known:
        known.pop("FP.CPI.TOTL.ZG", None)  # the same prices, as changes
    for code, kind in INDICATORS.items():
        found = known.get(code, [])
        if found and kind == "strength":
            one = _strength(case, layout, found, request)
            made.strength = one.strength
            made.observations += one.observations
            made.remarks += one.remarks
        elif found and kind == "rates":
            official_rates(case, found, request, made)
        elif found:
            cost_of_living(case, found, request, made, changes=kind == "inflation")
    return made


Kind = Callable[["Case", Layout, Sequence[DataRow], Request], Additions]
KINDS: Mapping[str, Kind] = {
    "markers": _markers,
    "counts": _counts,
    "persons": _persons,
    "strength": _strength,
    "coups": _coups,
    "indicators": _indicators,
    "prices": market_prices,
}


def _too_many(rows: str) -> UsageError:
    return UsageError(
        f"{rows} rows would become observations; at most {MOST} are read\n"
        "  Narrow down, e.g. --where admin1=NAME; several --where have to hold at once."
    )


SOURCES, EVENTS, RATES = "evidence/sources.yaml", "events.yaml", "rates.yaml"
FIELDS, FORCE = "fields.yaml", "force.yaml"


def import_dataset(
    case: Case,
    folder: Path,
    file: Path,
    layout: Layout,
    request: Request,
    load: Any,  # noqa: ANN401
) -> Additions:
    """Write the entries of a data set into a case, all or nothing, and return what was added.

    Events are markers: nothing that is written acts on a run but prices, rates and the range of the strength.

    Parameters
    ----------
    case : as it is. folder : its folder. load : loads a case from a folder.

    Raises
    ------
    UsageError
        for rows that there are not, more rows than anybody reads, and what an option has to say.
    CaseError
        with file, row and column, for cells that cannot be read, and for what the case could not use.
    """
    rows, total = read_rows(file, layout, request)
    made = KINDS[layout.becomes](case, layout, rows, request)
    known = case.ledger.observations
    again = [one["id"] for one in made.observations if one["id"] in known]
    if again:
        raise UsageError(
            f"{len(again)} of these rows are in the ledger already: {listed(again[:3])}"
            f"{', ...' if len(again) > 3 else ''}\n"
            "  Narrow down with --where, or take the older ones out first."
        )
    if len(made.observations) > MOST:
        raise _too_many(f"{len(made.observations):,}")
    made.remarks.append(layout.told)
    files = Files(folder)
    with files.locked():
        new = _texts(files, made)
        if request.source not in case.ledger.sources:
            source = _source(file, layout, request, len(rows), total)
            new[SOURCES] = appended(files.read(SOURCES), source)
        check_draft(folder, new, load)
        files.write_all(new)
    return made


def _texts(files: Files, made: Additions) -> dict[str, str]:
    """Return the files as they would be, by name."""
    new: dict[str, str] = {}
    lists: Mapping[str, Sequence[Entry]] = {
        OBSERVATIONS: made.observations,
        EVENTS: made.events,
        TARGETS: made.targets,
        RATES: made.rates,
    }
    for name, entries in lists.items():
        text = files.read(name)
        for entry in entries:
            text = appended(text, entry)
        if entries:
            new[name] = text
    entries_by_file = {FIELDS: made.fields, FORCE: {"strength": made.strength} if made.strength else {}}
    for name, named in entries_by_file.items():
        text = files.read(name)
        for key, entry in named.items():
            text = with_entry(text, key, to_yaml({key: entry}))
        if named:
            new[name] = text
    for name, text in made.tables.items():
        files.read(name)
        new[name] = text
    return new


def _source(file: Path, layout: Layout, request: Request, taken: int, total: int) -> Entry:
    """Return the source of the ledger: which data set, on what day, and which rows were taken."""
    wanted = [f"country {name}" for name in request.countries]
    wanted += [f"{column} with {shlex.quote(word)}" for column, word in request.where]
    if not chooses_anew(layout, request.where):
        wanted += [f"{role} with {' or '.join(words)}" for role, words in layout.only.items()]
    rows = f"{taken:,} of {total:,} rows{f' ({listed(wanted)})' if wanted else ''}"
    return {
        "id": request.source,
        "publisher": layout.publisher,
        "title": layout.title,
        "date": str(request.accessed),
        "kind": "dataset",
        "reliability": "medium",
        "notes": f"{file.name}, taken on {request.accessed}: {rows}. {layout.terms}",
    }
