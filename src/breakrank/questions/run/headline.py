"""The head of a report: the finding in a sentence, and the headline outcomes beside the record."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.model import known_measures
from breakrank.questions.run.last_day import RESERVE, becoming
from breakrank.results.outcome import assimilation, comparison_title
from breakrank.results.outcome_names import called, leading_measure
from breakrank.results.quantiles import FEW, median_known
from breakrank.results.uncertainty import chance_note, chance_only, originals, worth
from breakrank.results.whole_force import in_steps
from breakrank.runs.undated import known
from breakrank.show.provenance import one_stands_for
from breakrank.show.tables import leaving, share
from breakrank.show.words import answer, between, day, ends_of, interval, people, percent, span, way, within
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.results import Result
    from breakrank.results.outcome import Outcome
    from breakrank.show.evidence import Evidence, Voice

TRIVIAL = "no run could miss it, so it says little"
"""What is said of a figure of the record that is met without telling anything."""

_PLAIN = ("share", "plots", "uprisings")
"""Units that the label makes plain."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The spread of one outcome beside its record, in per cent of the width of a small drawing.

    The drawing spans both, so that their distance can be seen; it does not start at zero. `low` and
    `high` are the record's, ``None`` where it is open.
    """

    q05: float
    q25: float
    median: float
    q75: float
    q95: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class HeadlineRow:
    """One headline outcome as texts. `meets` is ``None`` without a record or without an answer.

    `used` says whether the runs were conditioned on this figure, in words.
    """

    id: str
    label: str
    date: str
    unit: str
    median: str
    half: str
    most: str
    record: str
    meets: bool | None
    used: str
    sources: tuple[Voice, ...]
    assumed: str
    note: str
    strip: Strip | None


def recorded_first(result: Result) -> list[tuple[str, bool]]:
    """Return what the runs say of the case's headline, as :func:`finding` returns parts.

    Where the case chooses none, it is what the record counts most often. Of its figures the latest that a
    result covers is told, one of the whole force before one of a part; nothing without a record.
    """
    leading = leading_measure(result.case)
    whole = {t.id for t in result.case.targets if not t.by and not t.against}
    told = [o for o in result.outcomes() if o.measure == leading and o.record and not math.isnan(o.median)]
    if not told:
        return []
    o = max(told, key=lambda one: (one.id == result.case.headline, one.id in whole, one.date))
    unit = way(o.unit)
    spread = _spread(result, o.runs, interval(*o.ends, unit))
    return [
        (f"{o.label}: ", False),
        (between(o.median, *o.ends, unit), True),
        (f"{spread}; the record says {said(o, unit)}. ", False),
    ]


def _spread(result: Result, runs: int, ends: str) -> str:
    """Return the ends of a band in brackets; no interval is named where runs differ by chance alone."""
    if runs < 2:
        return ""
    band = within(runs) if chance_only(result.case) else ends_of(runs)
    return f" ({band} {ends}{chance_note(result.case)})"


def finding(result: Result) -> list[tuple[str, bool]]:
    """Return the finding in one or two sentences, as parts of text and whether each is stressed."""
    one, left, runs = becoming(result.whole), leaving(result.whole)[0].last, result.runs
    how = f"In the median of {runs:,} runs, " if runs > 1 else "In the one run, "
    if one.gone <= 0:
        parts = [(how, False), (f"nobody leaves by {one.date}", True), (".", False)]
    else:
        ends = _spread(result, runs, interval(left.q05, left.q95, "people"))
        parts = [
            (how, False),
            (people(left.median), True),
            (f" of {people(one.strength)} soldiers leave by {one.date}{ends}, ", False),
            (percent(left.median / one.strength), True),
            (" of the force. ", False),
            (f"{people(one.serving_band.median)} still serve", False),
        ]
        if one.opposed is None:
            parts.append((".", False))
    if one.opposed is not None:
        believed = share(result, "belief", "").last.median if "belief" in result.data else None
        opening = "; of them " if one.gone > 0 else " Of the force, "
        parts += [(opening, False), (percent(one.opposed), True), (" are privately opposed", False)]
        if believed is not None:
            parts.append((f", though they believe it of only {percent(believed)} of their comrades", False))
            if believed >= one.opposed:
                parts[-1] = (f", and they believe it of {percent(believed)} of their comrades", False)
        parts.append((".", False))
    if sized := one_stands_for(result.case.stands_for):
        parts.append((f" {sized}", False))
    if (level := known(result.case)) is not None:
        parts.append((f" {level.said}", False))
    return parts


def totals(result: Result) -> str:
    """Return how the parts of the force add up, and how well the median of the headline is known."""
    one, each = becoming(result.whole), result.case.stands_for
    caught = [f for f in one.fates if f.kind == "caught" and f.mean >= 0.5]
    taken = sum(f.mean for f in caught)
    waiting = sum(f.mean for f in one.fates if f.id == RESERVE)
    out = one.gone - taken - waiting
    parts = [f"{people(out)} have left or hide"]
    if waiting >= 0.5:
        parts.append(f"{people(waiting)} are in reserve, not called up")
    if caught:
        named = listed([f.label[:1].lower() + f.label[1:] for f in caught])
        parts.append(f"{people(taken)} are out otherwise ({named})")
    whose = "On average of the runs, " if result.runs > 1 else ""
    words = (
        f"{whose}{', '.join(parts)} and {people(one.serving)} still serve: together {people(one.strength)}."
    )
    exits = result.whole.data["exits_rank"]
    left = exits.sum([d for d in exits.dims if d != "run"]).values.astype(np.float64)
    runs = result.data["run"].values
    once = originals(result.case, result.seed, runs)
    count = worth(result.case, result.seed, runs[once])
    known = median_known(left[once], count)
    if once.size < result.runs:
        words += f" Only {once.size:,} of the runs differ: the others repeat a world."
    if known is None or once.size < FEW:
        return words
    low, high = (in_steps(x, each) for x in known)
    words += f" The median of all who leave is itself known to {interval(low, high, 'people')} (90%)"
    return f"{words}; runs that share draws count as {count:,}." if count < once.size else f"{words}."


def verdict(outcomes: tuple[Outcome, ...]) -> str:
    """Return in a sentence how many figures of the record the spreads meet; empty without any.

    Figures that the runs were conditioned on are counted apart: to meet them is no success.
    """
    every = [o for o in outcomes if o.record is not None and not math.isnan(o.median)]
    every = [o for o in every if not o.by_construction]
    asked = [o for o in every if not o.used]
    if len(asked) < len(every):
        return f"{comparison_title(o.used for o in every)}. {_met(asked)}".strip()
    return _met(asked)


def _met(asked: Sequence[Outcome]) -> str:
    met = sum(bool(o.meets_record) for o in asked)
    if not asked:
        return ""
    n = len(asked)
    sure = sum(bool(o.meets_record) and o.trivial for o in asked)
    runs = max(o.runs for o in asked)
    one, many = ("90% interval", "90% intervals") if runs >= FEW else (f"range of {runs} runs",) * 2
    if n == 1:
        return f"The one figure of the record is {'met' if met else 'not met'} by the {one}."
    missed = f" ({sure} of them could not be missed)" if sure else ""
    return (
        f"Of {n} figures of the record, the {many} meet{'' if runs >= FEW else 's'} {met or 'none'}{missed}."
    )


def rows(result: Result, outcomes: tuple[Outcome, ...], evidence: Evidence) -> list[HeadlineRow]:
    """Return the headline outcomes, as they stand in the report's first table."""
    targets = {t.id: t for t in result.case.targets}
    return [_row(o, targets.get(o.id), evidence, result.runs) for o in outcomes]


def _row(o: Outcome, target: object, evidence: Evidence, runs: int) -> HeadlineRow:
    unit, answered = way(o.unit), not math.isnan(o.median)
    label = o.label if target is not None or o.measure not in known_measures() else called(o.measure)
    return HeadlineRow(
        id=o.id,
        label=label,
        date=day(o.date),
        unit="" if o.unit in _PLAIN or o.yes_or_no else o.unit,
        median=middle(o, unit) if answered else "no answer",
        half=interval(o.q25, o.q75, unit) if answered and runs >= FEW and not o.yes_or_no else "",
        most=interval(*o.ends, unit) if answered and runs > 1 and not o.yes_or_no else "",
        record="" if o.record is None else said(o, unit),
        meets=o.meets_record if answered else None,
        used=assimilation(o.used),
        sources=evidence.voices(getattr(target, "evidence", ())),
        assumed=getattr(target, "assumed", None) or "",
        note=o.note or (TRIVIAL if o.trivial else ""),
        strip=_strip(o) if answered else None,
    )


def middle(o: Outcome, unit: str) -> str:
    """Return the median; of what is answered with yes or no, the share of runs that say yes."""
    return answer(o.share, o.runs) if o.yes_or_no else between(o.median, *o.ends, unit)


def said(o: Outcome, unit: str) -> str:
    """Return what the record says of an outcome, e.g. ``"950 to 1,000"``, ``"at most 10"`` or ``"yes"``."""
    assert o.record is not None
    if o.yes_or_no:
        return "yes" if o.record.low > 0 else "no"
    return span(o.record.low, o.record.high, unit)


def _strip(o: Outcome) -> Strip | None:
    """Return the drawing of an outcome that has a record; without one there is nothing to compare."""
    if o.record is None or o.yes_or_no:
        return None
    low, high = (v if math.isfinite(v) else None for v in (o.record.low, o.record.high))
    ends = [*o.ends, *(v for v in (low, high) if v is not None)]
    first, span = min(ends), (max(ends) - min(ends)) or 1.0

    def at(value: float) -> float:
        return round(8 + 84 * (value - first) / span, 2)

    return Strip(
        q05=at(o.ends[0]),
        q25=at(o.q25),
        median=at(o.median),
        q75=at(o.q75),
        q95=at(o.ends[1]),
        low=None if low is None else at(low),
        high=None if high is None else at(high),
    )
