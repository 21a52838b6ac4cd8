"""Prices, price indices and exchange rates of a data set: the basket of a family, and rates by date."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.datasets.rows import (
    Additions,
    DataRow,
    Entry,
    Layout,
    Request,
    figures_of,
    observed,
)
from breakrank.errors import UsageError, gathered, nearest
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.case.case import Case

TABLE = "basket.csv"
SIZES: Mapping[str, tuple[str, float]] = {
    "kg": ("kg", 1.0),
    "g": ("kg", 0.001),
    "mt": ("kg", 1000.0),
    "pound": ("kg", 0.45359237),
    "l": ("l", 1.0),
    "ml": ("l", 0.001),
    "dozen": ("pcs", 12.0),
    "pcs": ("pcs", 1.0),
    "unit": ("pcs", 1.0),
}
"""Units of prices that can be changed into each other, each as so many of its base."""
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)?\s*(.+)")
_MID_MONTH = 15


def in_base(text: str) -> tuple[str, float]:
    """Return an amount as its base unit and how many of it; a unit that is not known is its own base.

    >>> in_base("46 KG"), in_base("500 G"), in_base("Loaf")
    (('kg', 46.0), ('kg', 0.5), ('loaf', 1.0))
    """
    found = _AMOUNT.fullmatch(text.strip())
    assert found is not None, text
    number, unit = float(found[1] or 1), found[2].strip().casefold()
    base, size = SIZES.get(unit, (unit, 1.0))
    return base, number * size


def is_in_dollars(case: Case) -> bool:
    """Return whether the currency of a case is the US dollar, for which published rates are."""
    return bool(re.search(r"dollar|usd", case.currency, re.IGNORECASE))


def market_prices(case: Case, _: Layout, rows: Sequence[DataRow], request: Request) -> Additions:
    """Return what a basket of goods cost by month, and rates of its money where dollars stand beside prices.

    The price of a good is the median over markets.

    Raises
    ------
    UsageError
        where goods are missing, are not sold, or have no unit in common with the basket.
    """
    made, moneys = Additions(), dict.fromkeys(row.required("money") for row in rows)
    if len(moneys) > 1:
        raise UsageError(
            f"prices stand in {listed(list(moneys))}\n"
            f"  Choose one, e.g. --where currency={next(iter(moneys))}."
        )
    money = request.money or next(iter(moneys))
    goods = dict(_good(text) for text in request.goods)
    sold = {row.required("good") for row in rows}
    if not goods or not goods.keys() <= sold:
        unknown = [name for name in goods if name not in sold]
        _refuse_goods(rows, unknown)
    costs = _monthly(rows, goods)
    rates = _rates_of_rows(rows) if money != case.currency and _rates_of(case, money) is None else {}
    if rates and not is_in_dollars(case):
        raise UsageError(
            f"the case counts in {case.currency}, and dollars stand beside the prices\n"
            f"  Write rates of {money} into rates.yaml first."
        )
    months = [m for m in _relevant(sorted(costs), case) if not rates or min(rates) <= m <= max(rates)]
    if not months:
        raise UsageError(f"no month of the calendar has prices of all goods: {listed(list(goods))}")
    said = ", ".join(f"{amount:g} {unit} of {name}" for name, (unit, amount) in goods.items())
    row = next(row for row in rows if row.required("good") in goods)
    spread = figures_of(min(costs[m] for m in months), max(costs[m] for m in months), f"{money} a month")
    markets = len({row.required("market") for row in rows if row.required("good") in goods})
    what = f"Cost of {said}; median of {counted(markets, 'market')}, by month"
    observation = observed(
        row, request, "basket", f"{months[0]:%Y-%m}/{months[-1]:%Y-%m}", what=what, **spread
    )
    observation |= {"paragraph": "rows of these goods"}
    observation.pop("place", None)
    made.observations.append(observation)
    for month in sorted(rates):
        made.remarks += [] if made.rates else [f"Rates of {money} are those beside the prices."]
        made.rates.append(_rate(month, rates[month], observation))
    made.rates[:] = [{"id": money, "rates": made.rates[:]}] if made.rates else []
    made.tables[TABLE] = _table({month: costs[month] for month in months}, case)
    made.fields["basket"] = _basket(money, observation, f"A family is taken to need {said} a month.")
    return made


def _good(text: str) -> tuple[str, tuple[str, float]]:
    name, mark, amount = text.rpartition("=")
    if not mark or not re.match(r"\s*\d+(\.\d+)?\s*[^\W\d_]", amount):
        raise UsageError(f"--goods {text}: write how much a family needs a month, as in --goods 'Rice=12 KG'")
    return name.strip(), in_base(amount)


def _refuse_goods(rows: Sequence[DataRow], unknown: Sequence[str]) -> None:
    """Raise the UsageError that lists what is sold, with its unit and the months that have a price."""
    months: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        months.setdefault((row.required("good"), row.required("measured")), set()).add(row.when()[:7])
    lines = [
        f"  {good}, {unit}: {counted(len(when), 'month')}" for (good, unit), when in sorted(months.items())
    ]
    names = [good for good, _ in months]
    problem = (
        f"no good {unknown[0]!r} is sold{nearest(unknown[0], names)}" if unknown else "a basket has no goods"
    )
    raise UsageError(
        f"{problem}\n  Name goods and how much of each a family needs a month: --goods '{names[0]}=12 KG'.\n"
        + "\n".join(lines)
    )


def _monthly(rows: Sequence[DataRow], goods: Mapping[str, tuple[str, float]]) -> dict[dt.date, float]:
    """Return the cost of all goods in each month that has a price of each, at the median of the markets."""
    prices: dict[dt.date, dict[str, list[float]]] = {}
    other: dict[str, str] = {}
    with gathered() as wrong:
        for row in rows:
            name = row.required("good")
            if name not in goods:
                continue
            with wrong.kept():
                unit, size = in_base(row.required("measured"))
                price = row.figure("price")
                if unit != goods[name][0]:
                    other[name] = row.required("measured")
                elif price is not None:
                    month = row.day().replace(day=_MID_MONTH)
                    prices.setdefault(month, {}).setdefault(name, []).append(price[0] / size)
    for name, measured in other.items():
        if not any(name in found for found in prices.values()):
            raise UsageError(
                f"{name} is sold by {measured}, and the basket has it in {goods[name][0]}\n"
                f"  Write how much of {measured} a family needs a month, as in --goods '{name}=2 {measured}'."
            )
    return {
        month: sum(median(found[name]) * amount for name, (_, amount) in goods.items())
        for month, found in prices.items()
        if goods.keys() <= found.keys()
    }


def _rates_of_rows(rows: Sequence[DataRow]) -> dict[dt.date, float]:
    """Return the money for a dollar in each month, the median of prices in both."""
    found: dict[dt.date, list[float]] = {}
    for row in rows:
        price, usd = row.figure("price"), row.figure("usd")
        if price and usd and price[0] > 0 and usd[0] > 0:
            found.setdefault(row.day().replace(day=_MID_MONTH), []).append(price[0] / usd[0])
    return {month: median(each) for month, each in found.items()}


def _relevant(dates: Sequence[dt.date], case: Case) -> list[dt.date]:
    """Return the dates on which days of the calendar depend: within it, and the nearest on both sides."""
    start, end = case.calendar.start, case.calendar.end
    before = [d for d in dates if d <= start][-1:]
    after = [d for d in dates if d >= end][:1]
    return sorted({*before, *(d for d in dates if start < d < end), *after})


def _rates_of(case: Case, money: str) -> object | None:
    return next((one for one in case.content.rates if one.id == money), None)


def _rate(date: dt.date, per_unit: float, observation: Entry) -> Entry:
    return {"date": str(date), "per_unit": float(f"{per_unit:.6g}"), "evidence": [observation["id"]]}


def _table(points: Mapping[dt.date, float], case: Case) -> str:
    """Return a table of values within the calendar, and of lines between them on its first and last day."""
    days, values = [day.toordinal() for day in points], list(points.values())
    first, last = case.calendar.start.toordinal(), case.calendar.end.toordinal()
    inside = {day for day in days if first <= day <= last}
    ends = {day for day in (first, last) if days[0] <= day <= days[-1]}
    rows = sorted(inside | ends) or [days[0]]
    lines = [f"{dt.date.fromordinal(day)},{np.interp(day, days, values):.6g}\n" for day in rows]
    return "date,value\n" + "".join(lines)


def _basket(money: str, observation: Entry, why: str) -> Entry:
    return {
        "unit": f"{money} a month",
        "file": TABLE,
        "interpolate": "linear",
        "evidence": [observation["id"]],
        "assumed": why,
    }


def official_rates(case: Case, rows: Sequence[DataRow], request: Request, made: Additions) -> None:
    """Add the yearly official rates of the money to the dollar, as far as the calendar needs them.

    Raises
    ------
    UsageError
        where the case does not count in dollars, or has rates of this money.
    """
    money = request.money or "local currency"
    if not is_in_dollars(case):
        raise UsageError(
            f"these are rates of the US dollar, and the case counts in {case.currency}\n"
            "  Write rates.yaml by hand, or change the currency in case.yaml."
        )
    if _rates_of(case, money) is not None:
        raise UsageError(
            f"rates.yaml has rates of {money} already\n  Take them out, or name another --money."
        )
    values = _by_year(rows)
    dates = _relevant([dt.date(year, 1, 1) for year in sorted(values)], case)
    if not dates:
        raise UsageError("no year with a rate is one of the calendar")
    rates = []
    for date in dates:
        row, value = values[date.year]
        said = figures_of(value, value, f"{money} per US dollar")
        what = "Official exchange rate, mean of the year"
        one = observed(row, request, f"{date.year}-rate", str(date.year), what=what, **said)
        made.observations.append(one)
        rates.append(_rate(date, value, one))
    rates.append({**rates[-1], "date": f"{dates[-1].year}-12-31"})
    made.rates.append({"id": money, "rates": rates})


def cost_of_living(
    case: Case, rows: Sequence[DataRow], request: Request, made: Additions, changes: bool
) -> None:
    """Add the basket as an index of prices moves it from the level that is known of its first year.

    Without that level the index is kept in the ledger, to check the basket against. `changes` says that the
    figures are changes on the year before, in per cent.

    Raises
    ------
    UsageError
        where a level is given without its money, or there are no rates of that money.
    """
    values = _by_year(rows)
    index: dict[int, float] = {}
    level = 100.0
    for year, (_, value) in sorted(values.items()):
        level = level * (1 + value / 100) if changes and index else level if changes else value
        index[year] = level
    dates = _relevant([dt.date(year, 7, 1) for year in index], case)
    if not dates:
        raise UsageError("no year with a price index is one of the calendar")
    names = []
    for date in dates:
        row, value = values[date.year]
        kind = "inflation" if changes else "prices"
        what = "Consumer prices, change on the year before" if changes else "Index of consumer prices"
        said = figures_of(value, value, "per cent" if changes else "index")
        made.observations.append(
            observed(row, request, f"{date.year}-{kind}", str(date.year), what=what, **said)
        )
        names.append(made.observations[-1])
    rise = index[dates[-1].year] / index[dates[0].year]
    told = f"From {dates[0].year} to {dates[-1].year} consumer prices rose by a factor of {rise:.3g}."
    made.remarks.append(told)
    if request.level is None:
        for one in names:
            one["aside"] = "Kept to check the basket against."
        made.remarks.append(
            f"With --level AMOUNT --money NAME, what a family needs a month in {dates[0].year}, the basket "
            "follows this index."
        )
        return
    if not request.money:
        raise UsageError(
            "--level is an amount of some money\n  Name it with --money, as units in fields.yaml do."
        )
    priced = {one["id"] for one in made.rates} | {one.id for one in case.content.rates}
    if request.money != case.currency and request.money not in priced:
        raise UsageError(
            f"there are no rates of {request.money}, and the case counts in {case.currency}\n"
            "  Import them first (PA.NUS.FCRF of the World Bank), or write rates.yaml."
        )
    level = request.level / index[dates[0].year]
    made.tables[TABLE] = _table({date: level * index[date.year] for date in dates}, case)
    made.fields["basket"] = {
        **_basket(request.money, names[0], f"{request.level:g} in {dates[0].year}, then as consumer prices."),
        "evidence": [one["id"] for one in names],
    }


def _by_year(rows: Sequence[DataRow]) -> dict[int, tuple[DataRow, float]]:
    """Return the row and the value of each year that has one."""
    out: dict[int, tuple[DataRow, float]] = {}
    with gathered() as wrong:
        for row in rows:
            with wrong.kept():
                if (figure := row.figure()) is not None:
                    out[row.year()] = (row, figure[0])
    return out
