"""The table of a plan's sites as texts: beds by town, and who is in them, month by month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.plan.scope import Window, months
from breakrank.questions.plan.sites import ALL, UNKNOWN, lodgings
from breakrank.show.grid import GridTable
from breakrank.show.words import number

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

COLUMNS = 8
"""Most months that the table has; of more those with most persons in sites are shown."""


def sites_grid(plan: PlanData) -> GridTable:
    """Return for each site, towns together, its places and the most persons inside by month: medians."""
    found = lodgings(plan.base)
    shown = _shown(plan)
    many = plan.where.host and len({one.town for one in found}) > 1
    rows = []
    for one in found:
        label = one.label if one.id == ALL or one.town in one.label else f"{one.label}{_in(one.town, many)}"
        inside = [
            number(one.most(w).median, "people") if one.beds(w) > 0 or one.most(w).median > 0 else "closed"
            for w in shown
        ]
        places = "for rent" if one.admits == "permit" else number(float(one.places.max()), "people")
        rows.append((label, "" if one.id == ALL else places, *inside))
    years = len({w.label[4:8] for w in shown}) > 1
    heads = tuple(w.label[:8] if years else w.label[:3] for w in shown)
    head = "Most inside on a day, medians" if plan.runs > 1 else "Most inside on a day"
    return GridTable((head, "Places", *heads), tuple(rows), 1)


def _in(town: str, many: bool) -> str:
    return f", {town}" if many and town != UNKNOWN else ""


def _shown(plan: PlanData) -> tuple[Window, ...]:
    """Return the months that the table shows, in order of date."""
    every = months(plan.period)
    if len(every) <= COLUMNS:
        return every
    inside = plan.base.inside.sum(axis=2)
    order = sorted(every, key=lambda w: -float(inside[:, w.first : w.last + 1].max()))[:COLUMNS]
    return tuple(sorted(order, key=lambda w: w.first))
