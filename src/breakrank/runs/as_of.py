"""A case as it could have been written on a day: what came later taken out, and what of it is left in, said.

Events that came later are dropped, unless they are named as announced. Dated series stand still from the day
on, times in the schedule of a crossing that lie later are dropped and those under way do not end, sites that
opened later have no room and those that closed later stay open, money that came later does not come. What
cannot be undone is hindsight in the numbers: :data:`LEFT_IN` says so.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from breakrank.case.content import Content, Series
from breakrank.errors import UsageError, nearest
from breakrank.results.outcomes import unpublished

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import FieldEntry
    from breakrank.case.models_routes import Payer, RoutesFile, Site

LEFT_IN = (
    "priors, and values without one, were chosen by people who knew the whole record",
    "the size of an earlier event without a prior likewise",
)
"""Hindsight that no forecast from a case is free of."""


@dataclass(frozen=True)
class Known:
    """A case as known on a day.

    Attributes
    ----------
    case : without what came later.
    until : the day, included.
    removed : what was taken out, in words: events, times of crossings, sites, funds of payers.
    announced : ids of later events left in.
    frozen : fields whose series stands still from that day on.
    unchanged : crossings and sites, in words, that stay as on that day: a later end was taken out.
    unpublished : figures of days by then that were published later, by id with the day; or by no source.
    """

    case: Case
    until: dt.date
    removed: tuple[str, ...]
    announced: tuple[str, ...]
    frozen: tuple[str, ...]
    unchanged: tuple[str, ...]
    unpublished: Mapping[str, dt.date | None]

    def told(self) -> list[str]:
        """Return the parts that were taken out and left in, in sentences."""
        out = []
        if self.removed:
            out.append(f"Removed, as later than {self.until}: {'; '.join(self.removed)}.")
        if self.frozen:
            out.append(f"Kept constant from then on: {', '.join(self.frozen)}.")
        if self.unchanged:
            out.append(f"Left as on {self.until}: {', '.join(self.unchanged)}.")
        if self.announced:
            out.append(f"Kept, as announced before: {_events(self.announced)}.")
        if self.unpublished:
            when = (f"{name} ({day or 'no source is cited'})" for name, day in self.unpublished.items())
            out.append(f"Not used, as published later than {self.until}: {', '.join(when)}.")
        return [*out, f"Not removed: {'; '.join(LEFT_IN)}."]


def as_known(case: Case, until: dt.date, announced: Collection[str] = ()) -> Known:
    """Return a case without what came after a day.

    Parameters
    ----------
    announced : ids of later events that were known to come.

    Raises
    ------
    UsageError
        for a day outside the calendar or on its last day, or an event that there is not.
    """
    start, end = case.calendar.start, case.calendar.end
    if not start <= until < end:
        raise UsageError(
            f"{until} leaves nothing to forecast: {case.id} runs from {start} to {end}\n"
            "  Name a day within it, before the last."
        )
    for name in announced:
        if name not in case.events.ids:
            raise UsageError(f"{case.id} has no event {name!r}{nearest(name, case.events.ids)}")
    content = case.content
    later = [e for e in content.events if e.date > until]
    dropped = [e.id for e in later if e.id not in announced]
    series, frozen = _still(content, until)
    routes, times, under_way = _ways(content, until)
    sites, unopened, left_open = _sites(content, until)
    payers, money = _payers(content, until)
    changed = replace(
        content,
        events=tuple(e for e in content.events if e.id not in dropped),
        series=series,
        routes=routes,
        sites=sites,
        payers=payers,
    )
    return Known(
        type(case)(changed, case.catalogue).with_draws(case.draws),
        until,
        (*([_events(dropped)] if dropped else []), *times, *unopened, *money),
        tuple(e.id for e in later if e.id in announced),
        frozen,
        (*under_way, *left_open),
        unpublished(case, until),
    )


def _events(ids: Collection[str]) -> str:
    return f"the event{'s' if len(ids) > 1 else ''} {', '.join(ids)}"


def _still(content: Content, until: dt.date) -> tuple[dict[str, Series], tuple[str, ...]]:
    series, frozen = dict(content.series), []
    for name, entry in content.fields.items():
        if entry.file is None:
            continue
        cut, moved = _cut(content.series[entry.file], entry, until)
        series[entry.file] = cut
        if moved:
            frozen.append(name)
    return series, tuple(frozen)


def _cut(series: Series, entry: FieldEntry, until: dt.date) -> tuple[Series, bool]:
    """Return a series whose value of the day holds for ever, and whether that changes it."""
    cells: dict[tuple[str, ...], list[tuple[dt.date, float]]] = {}
    for date, ids, value in zip(series.dates, series.ids, series.values, strict=True):
        cells.setdefault(ids, []).append((date, value))
    dates: list[dt.date] = []
    names: list[tuple[str, ...]] = []
    values: list[float] = []
    moved = False
    for ids, given in cells.items():
        points = sorted(given)
        kept = [p for p in points if p[0] <= until] or [(until, points[0][1])]
        after = [p for p in points if p[0] > until]
        if after and entry.interpolate == "linear" and kept[-1][0] < until:
            (day, low), (next_day, high) = kept[-1], after[0]
            part = (until - day).days / (next_day - day).days
            kept.append((until, low + part * (high - low)))
        moved = moved or any(value != kept[-1][1] for _, value in after)
        for day, value in kept:
            dates.append(day)
            names.append(ids)
            values.append(value)
    return Series(tuple(dates), tuple(names), tuple(values)), moved


def _ways(content: Content, until: dt.date) -> tuple[RoutesFile, list[str], list[str]]:
    """Return the routes, and the crossings that lose later times, and whose time under way does not end."""
    end, changed, removed, unchanged = content.case.calendar.end, [], [], []
    for crossing in content.routes.crossings:
        begun = tuple(spell for spell in crossing.schedule if spell.start <= until)
        kept = tuple(
            spell if spell.to <= until else spell.model_copy(update={"to": max(end, spell.to)})
            for spell in begun
        )
        removed += [f"later times of {crossing.id}"] * (begun != crossing.schedule)
        unchanged += [f"the crossing {crossing.id}"] * (kept != begun)
        changed.append(crossing.model_copy(update={"schedule": kept}))
    return content.routes.model_copy(update={"crossings": tuple(changed)}), removed, unchanged


def _sites(content: Content, until: dt.date) -> tuple[tuple[Site, ...], list[str], list[str]]:
    """Return the sites, and those that had not opened by the day, and those that had not closed."""
    kept, removed, unchanged = [], [], []
    for site in content.sites:
        if site.opens > until:
            removed.append(f"the site {site.id}")
            kept.append(site.model_copy(update={"capacity": 0}))
        elif site.closes is not None and site.closes > until:
            unchanged.append(f"the site {site.id}")
            kept.append(site.model_copy(update={"closes": None}))
        else:
            kept.append(site)
    return tuple(kept), removed, unchanged


def _payers(content: Content, until: dt.date) -> tuple[tuple[Payer, ...], tuple[str, ...]]:
    kept, changed = [], []
    for payer in content.payers:
        funds = payer.funds
        if funds is not None and any(fund.date > until for fund in funds):
            changed.append(f"later funds of {payer.id}")
            had = tuple(fund for fund in funds if fund.date <= until)
            nothing = (funds[0].model_copy(update={"amount": 0.0}),)
            payer = payer.model_copy(update={"funds": had or nothing})
        kept.append(payer)
    return tuple(kept), tuple(changed)
