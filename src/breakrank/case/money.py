"""Amounts in other money, converted into the currency of the case on reading, at dated rates."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, replace

import numpy as np

from breakrank.case.check_fields import check_series
from breakrank.case.content import Loaded, Series
from breakrank.case.daily import dimension_ids, series_by_cell
from breakrank.case.models_events import FieldEntry
from breakrank.case.models_sites import Fund, Rates
from breakrank.case.tables import CsvRow
from breakrank.case.values import Step
from breakrank.errors import CaseError, Location, gathered, nearest
from breakrank.spec import Catalogue

Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Money:
    """One other money. Each rate holds until the next."""

    rates: Rates

    def days(self) -> list[int]:
        """Return the days with a rate, as ordinals."""
        return [r.date.toordinal() for r in self.rates.rates]

    def at(self, day: dt.date, place: Location) -> float:
        """Return the units of it for one of the case's currency on a day.

        Raises
        ------
        CaseError
            for a day before the first rate, or one after the last.
        """
        first, last = self.rates.rates[0].date, self.rates.rates[-1].date
        if not first <= day <= last:
            raise CaseError(
                f"there is no rate of {self.rates.id} for {day}: rates.yaml has {first} to {last}",
                place,
                f"Add a rate for {day} or {'before' if day < first else 'after'} to rates.yaml.",
            )
        levels = [r.per_unit for r in self.rates.rates]
        return levels[int(np.searchsorted(self.days(), day.toordinal(), side="right")) - 1]


def converted(loaded: Loaded, catalogue: Catalogue) -> Loaded:
    """Return the content with every amount of other money in the currency of the case.

    Each rate holds until the next, whatever the field does in between, so that two amounts in one money keep
    their ratio on every day. A field is converted on each day of its table, on each day with a rate between,
    and, where it runs linearly, on the day before. A site's cost takes the rate of the day on which the site
    opens, or of the first day of the run if it opened before.

    Raises
    ------
    FaultyCaseError
        for days without a rate, and tables that cannot be converted.
    """
    content = loaded.content
    if not content.rates:
        return loaded
    other = {r.id: Money(r) for r in content.rates}
    fields, series = dict(content.fields), dict(content.series)
    rows = dict(loaded.series_rows)
    lines = []
    with gathered() as found:
        for name, entry in content.fields.items():
            money = _written_in(entry.unit, other)
            if money is None or name not in catalogue.fields:
                continue
            with found.kept():
                table = _table(loaded, catalogue, name, entry, money)
                file = entry.file or f"{name}-converted.csv"
                unit = content.case.currency + entry.unit[len(money.rates.id) :]
                dims = () if entry.file is None else entry.dims
                fields[name] = entry.model_copy(
                    update={"unit": unit, "file": file, "value": None, "dims": dims}
                )
                rows[file] = table
                series[file] = Series(
                    tuple(r.date("date") for r in table),
                    tuple(tuple(r.cells[d] for d in dims) for r in table),
                    tuple(r.number("value") for r in table),
                )
                lines.append(_line(name, entry, unit, table, dims))
        payers = list(content.payers)
        for k, payer in enumerate(payers):
            funds = [_fund(loaded, other, f, (k, "funds", j)) for j, f in enumerate(payer.funds or ())]
            if funds:
                payers[k] = payer.model_copy(update={"funds": tuple(funds)})
        sites = []
        for k, site in enumerate(content.sites):
            cost = site.cost_per_person_day
            money = _written_in(cost.unit, other)
            if money is not None:
                day = max(site.opens, content.case.calendar.start)
                path = (k, "cost_per_person_day", "unit")
                value = cost.value / money.at(day, loaded.documents["sites.yaml"].place(*path))
                unit = content.case.currency + cost.unit[len(money.rates.id) :]
                lines.append(f"{site.id}: {cost.value:,g} {cost.unit} = {value:,.4g} {unit} ({day})")
                site = site.model_copy(
                    update={"cost_per_person_day": cost.model_copy(update={"value": value, "unit": unit})}
                )
            sites.append(site)
    changed = replace(content, fields=fields, series=series, payers=tuple(payers), sites=tuple(sites))
    return replace(loaded, content=changed, series_rows=rows, converted=tuple(lines))


def _written_in(unit: str, known: dict[str, Money]) -> Money | None:
    return next((m for name, m in known.items() if unit == name or unit.startswith(f"{name} ")), None)


def _fund(loaded: Loaded, known: dict[str, Money], fund: Fund, path: Steps) -> Fund:
    if fund.currency is None:
        return fund
    document = loaded.documents["payers.yaml"]
    if fund.currency not in known:
        raise document.error(
            (*path, "currency"),
            f"there are no rates of {fund.currency!r}{nearest(fund.currency, known)}",
            f"Add it to rates.yaml, or leave currency out for {loaded.content.case.currency}.",
        )
    rate = known[fund.currency].at(fund.date, document.place(*path, "date"))
    return fund.model_copy(update={"amount": fund.amount / rate, "currency": None})


def _table(
    loaded: Loaded, catalogue: Catalogue, name: str, entry: FieldEntry, money: Money
) -> tuple[CsvRow, ...]:
    """Return a field's table in the currency of the case, one row for each day and cell."""
    calendar, document = loaded.content.case.calendar, loaded.documents["fields.yaml"]
    place = document.place(name, "value" if entry.file is None else "file")
    assert place.file is not None
    points: dict[tuple[int, ...], dict[int, float]] = {}
    labels: tuple[tuple[str, ...], ...] = ()
    source: tuple[CsvRow, ...] = ()
    if entry.file is None:
        assert entry.value is not None
        points[()] = {calendar.start.toordinal(): entry.value}
    else:
        anything = replace(catalogue.fields[name], low=-math.inf, high=math.inf)
        check_series(loaded, anything, entry, entry.file)
        labels = tuple(dimension_ids(loaded.content)[d] for d in entry.dims)
        points = series_by_cell(loaded.content.series[entry.file], labels)
        source = loaded.series_rows[entry.file]
    linear = entry.interpolate == "linear"
    out: list[CsvRow] = []
    for cell, known in points.items():
        ids = {str(d): x[i] for d, x, i in zip(entry.dims, labels, cell, strict=True)}
        at, levels = sorted(known), [known[d] for d in sorted(known)]
        last = max(at[-1], calendar.end.toordinal())
        new = [d for d in money.days() if at[0] <= d <= last]
        before = [d - 1 for d in new if d > at[0]] if linear else []
        for day in sorted({*at, *new, *before}):
            date = dt.date.fromordinal(day)
            row = _row_behind(source, ids, date)
            where = place if row is None else row.place("date")
            held = levels[int(np.searchsorted(at, day, side="right")) - 1]
            level = float(np.interp(day, at, levels)) if linear else held
            value = level / money.at(date, where)
            assert where.file is not None
            cells = {"date": date.isoformat(), **ids, "value": repr(value)}
            out.append(CsvRow(cells, where.file, where.line or 1))
    return tuple(out)


def _row_behind(rows: tuple[CsvRow, ...], ids: dict[str, str], day: dt.date) -> CsvRow | None:
    """Return the latest row up to a day that says something of a cell."""
    fitting = [
        r for r in rows if r.date("date") <= day and all(r.cells[d] in (name, "*") for d, name in ids.items())
    ]
    return max(fitting, key=lambda r: r.date("date"), default=None)


def _line(name: str, entry: FieldEntry, unit: str, rows: tuple[CsvRow, ...], dims: tuple[str, ...]) -> str:
    """Return the converted field: first and last value of each of the first four cells."""
    cells: dict[str, list[CsvRow]] = {}
    for row in rows:
        cells.setdefault(" ".join(row.cells[d] for d in dims), []).append(row)
    said = []
    for cell, own in list(cells.items())[:4]:
        ends = dict.fromkeys(f"{r.number('value'):,.4g} ({r.cells['date']})" for r in (own[0], own[-1]))
        said.append(f"{cell} {' to '.join(ends)}".strip())
    more = f", and {len(cells) - 4} more" if len(cells) > 4 else ""
    return f"{name}: {entry.unit} into {unit}: {'; '.join(said)}{more}"
