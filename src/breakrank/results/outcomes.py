"""Headline outcomes: what the runs say, as a spread, beside what the record says."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.dates import DateLike
from breakrank.case.fitting import OTHER_FIGURES
from breakrank.errors import UsageError
from breakrank.results.measures import Selector, Values, check_question, counted_until, find, measure_of
from breakrank.results.measures import measure as _measure
from breakrank.results.outcome import (
    BY_CONSTRUCTION,
    Outcome,
    Record,
    assimilation,
    called,
    comparison_title,
    summarise,
)
from breakrank.results.uncertainty import holds

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case, Target
    from breakrank.results.result import Result


def known_from(target: Target, case: Case) -> dt.date | None:
    """Return the day from which a figure is known, ``None`` if no source is cited that prints it.

    It is the publication of the earliest cited source that can print it, and no source can before the date
    up to which the figure counts, less its lag. Where every cited source is older, the figure follows from
    them, and is known on its date.
    """
    published = case.ledger.publications(target)
    if not published:
        return None
    since = target.date - dt.timedelta(days=target.lag)
    printed = next((day for day in published if day >= since), target.date)
    return max(printed, counted_until(target))


def is_known(target: Target, case: Case, day: dt.date) -> bool:
    """Return whether a figure is known on a day."""
    known = known_from(target, case)
    return known is not None and known <= day


def unpublished(case: Case, day: dt.date) -> dict[str, dt.date | None]:
    """Return by id the figures of days up to a day that are not known on it, and from when they are."""
    return {
        target.id: known_from(target, case)
        for target in case.targets
        if case.calendar.start <= target.date <= day and not is_known(target, case, day)
    }


def measure(
    result: Result,
    name: str,
    date: DateLike | None = None,
    since: DateLike | None = None,
    by: Selector | None = None,
) -> Values:
    """Return one measure of a result, one number per run (see :func:`breakrank.results.measures.measure`).

    Of a force drawn in part it counts the whole force.
    """
    return _measure(result.whole.data, name, date, since, by)


def outcomes(result: Result) -> tuple[Outcome, ...]:
    """Return the headline outcomes of a result.

    First the case's targets whose days the result covers, each beside what was observed, then the primary
    outcomes of the model on the last day, in their order (under ``<id>-at-end`` where a target has that id).
    """
    data, case = result.whole.data, result.case
    others = result.versions.get("ensemble") == OTHER_FIGURES  # which of today's it has seen is not known
    last = str(data["day"].values[-1])[:10]
    found: dict[str, Outcome] = {}
    for target in case.targets:
        if str(target.date) > last:
            continue
        try:
            values, note = measure_of(data, target), "" if target.construction is None else BY_CONSTRUCTION
        except UsageError as error:
            values, note = np.full(result.runs, np.nan), str(error)
        about = Outcome(target.id, target.label, target.unit, target.measure, str(target.date), note=note)
        about = replace(about, record=record(target, case), used=None if others else used(target, case))
        found[target.id] = summarise(about, values, case.stands_for)
    for name in case.catalogue.primary:
        asked = find(name)
        if asked.sources[""].variable not in data:
            continue
        ident = f"{name}-at-end" if name in found else name
        label = f"{called(name)} {'on' if asked.kind == 'level' else 'by'} {last}"
        about = Outcome(ident, label, asked.unit, name, last)
        found[ident] = summarise(about, _measure(data, name), case.stands_for)
    return tuple(found.values())


def used(target: Target, case: Case) -> bool | None:
    """Return whether the runs of a case were conditioned on a target; ``None`` where they were on none."""
    luck = getattr(getattr(case, "draws", None), "luck", None)
    if luck is None:
        return None
    if target.construction is not None:
        return False  # it is in no likelihood
    return luck.until >= case.calendar.end or is_known(target, case, luck.until)


def record(target: Target, case: Case) -> Record:
    """Return the observed figure of a target, with its sources in words."""
    source = sources(target.evidence or (), case) or (f"assumed: {target.assumed}" if target.assumed else "")
    date = str(target.date)
    if target.value is not None:
        return Record("value", float(target.value), float(target.value), date, source)
    if target.range is not None:
        return Record("range", float(target.range[0]), float(target.range[1]), date, source)
    if target.at_most is not None:
        return Record("at_most", -math.inf, float(target.at_most), date, source)
    assert target.at_least is not None
    return Record("at_least", float(target.at_least), math.inf, date, source)


def sources(evidence: Iterable[str], case: Case) -> str:
    """Return in words who says so: one phrase an observation, copies of one report named once."""
    phrases: dict[tuple[str, str], str] = {}
    for ident in evidence:
        observation = case.ledger.observations[ident]
        source = case.ledger.sources[observation.source]
        phrase = f"{observation.says}, in {source.publisher}, {source.date}{_part(observation.paragraph)}"
        phrases.setdefault((case.ledger.original(source.id).id, observation.says), phrase)
    return "; ".join(phrases.values())


def _part(named: str) -> str:
    """Return the place in a source: a paragraph by number, or a part by name."""
    return f", paragraph {named}" if named[:1].isdigit() else f", {named}" if named else ""


def check_targets(case: Case) -> None:
    """Check before any run that every target asks for something that is measured.

    Raises
    ------
    UsageError
        naming the target and what it asks for in vain.
    """
    for target in case.targets:
        try:
            check_question(target.measure, target.by, case)
            check_question(target.measure, target.against, case)
        except UsageError as error:
            raise UsageError(f"target {target.id}: {error}") from error


def as_json(result: Result) -> dict[str, object]:
    """Return the outcomes as the one object that ``--json`` prints and ``outcomes.json`` holds."""
    return {
        "case": result.case.id,
        "version": result.versions.get("breakrank", ""),
        "ensemble": result.versions.get("ensemble"),
        "seed": result.seed,
        "runs": result.runs,
        "spread": holds(result.case),
        "outcomes": {o.id: o.as_json() for o in result.outcomes()},
    }


def table(rows: Sequence[Outcome]) -> pd.DataFrame:
    """Return outcomes as a table, one row each, indexed by id; :func:`comparison_title` heads its columns."""
    import pandas as pd

    columns = [
        {
            "id": o.id,
            "label": o.label,
            "unit": o.unit,
            "date": o.date,
            "median": o.median,
            "q05": o.q05,
            "q25": o.q25,
            "q75": o.q75,
            "q95": o.q95,
            "share_of_runs": o.share,
            "record": "" if o.record is None else o.record.kind,
            "record_low": np.nan if o.record is None else o.record.low,
            "record_high": np.nan if o.record is None else o.record.high,
            "assimilated": assimilation(o.used),
            "source": "" if o.record is None else o.record.source,
            "note": o.note,
        }
        for o in rows
    ]
    title = comparison_title(o.used for o in rows if o.record is not None)
    return pd.DataFrame(columns).set_index("id").rename_axis(columns=title)
