"""Whether figures can be so: no more than exist, no total that falls, no part above its whole."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from breakrank.case.content import Content
from breakrank.case.models_evidence import Target
from breakrank.errors import Location
from breakrank.outputs import OF_HEADS, WHOLE, Measure
from breakrank.wording import listed

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
