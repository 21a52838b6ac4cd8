"""Headline outcomes: what the runs say, as a spread, beside what the record says; and what tables call them.

What is counted has one name in tables, charts and reports, so that no two counts share a word: who presents
himself abroad may declare for the challenger or not, and a host's register counts both, but only those whom
its scheme took in; the plain labels of the variables do not keep the three apart.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from breakrank.errors import UsageError
from breakrank.labels import WHERE
from breakrank.outputs import YES_OR_NO, asked_part, named_part
from breakrank.results.files import finite
from breakrank.results.measures import (
    Values,
    check_question,
    counted_until,
    find,
    in_steps,
    measure,
    measure_of,
)
from breakrank.results.uncertainty import FEW, LEVELS
from breakrank.wording import with_part

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from breakrank.case import Case, Target


COUNTS = ("soldiers", "persons")
"""Units that are told for the whole force."""


def counted_measures(case: Case) -> tuple[str, ...]:
    """Return the counts that figures of the record speak of: those of the whole force before those of a part.

    Of each kind the most frequent comes first.
    """
    told = [t for t in case.targets if find(t.measure).unit in COUNTS and not t.against]
    counted, whole = Counter(t.measure for t in told), {t.measure for t in told if not t.by}
    return tuple(sorted(counted, key=lambda name: (name not in whole, -counted[name])))


def headline_target(case: Case) -> Target | None:
    """Return the target that a case chooses as its headline; ``None`` where it chooses none."""
    return next((target for target in case.targets if target.id == case.headline), None)


def headline_measure(case: Case) -> str | None:
    """Return the measure of the case's headline and its part of the force; ``None`` if it chooses none."""
    told = headline_target(case)
    return named_part(told.measure, told.by or {}) if told and not told.against else None


def leading_measure(case: Case) -> str:
    """Return what the case's headline counts, else the first of :func:`counted_measures`, else who left."""
    told = headline_target(case)
    return told.measure if told else (*counted_measures(case), "left_abroad")[0]


def called(name: str) -> str:
    """Return the label of a measure, with its part; UsageError for an unknown name."""
    plain, part = asked_part(name)
    if part:
        return with_part(called(plain), part)
    if name == "registered":
        return "In the host's register"
    one = find(name)
    # a fate has the name of where people stand; a purge has that of one, and counts those it discharges
    return WHERE.get(name, one.label) if one.kind == "level" else one.label


APART = (
    "A soldier who registers abroad counts as an exit, or, if they declare for the challenger too, as "
    "an open defection. The host's register counts both, but only those admitted to the host's scheme."
)
"""The difference, in two sentences."""
AT_HOME = " Whoever goes over to an opposition at home has declared, too: an open defection."
"""What is to be added where a case has one."""


BY_CONSTRUCTION = "met by construction, and in no score"
"""What is noted of a figure that the model meets whatever happens."""


@dataclass(frozen=True, slots=True)
class Record:
    """What the record says of an outcome.

    Attributes
    ----------
    kind : ``"value"``, ``"range"``, ``"at_most"`` or ``"at_least"``.
    low, high : the bounds it sets, equal for a value, infinite where it sets none.
    date : the day it speaks of, ISO.
    source : who says so and where, or that it is assumed.
    """

    kind: Literal["value", "range", "at_most", "at_least"]
    low: float
    high: float
    date: str
    source: str

    def as_json(self) -> dict[str, object]:
        """Return ``{value|range|at_most|at_least: .., date, source}``."""
        bound: object = [self.low, self.high] if self.kind == "range" else self.low
        if self.kind == "at_most":
            bound = self.high
        return {self.kind: bound, "date": self.date, "source": self.source}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome over all runs: median, 50% and 90% intervals (the model's spread), record beside.

    Quantiles interpolate linearly between runs (Hyndman and Fan 1996, type 7); they are nan where the
    runs cannot answer, and `note` says why. `least` and `most` are the ends of the `runs` that answer.

    Where a run answers with yes or no, quantiles say nothing to a reader; `share` is then the share of runs
    that answer yes (nan elsewhere), and the record agrees where enough runs to reach the ends do.

    Where runs were conditioned on the record up to a day, `used` says whether this figure was assimilated; it
    is ``None`` for all other runs.

    Of a force drawn in part it counts the whole force, in steps that one simulated soldier can tell.
    """

    id: str
    label: str
    unit: str
    measure: str
    date: str
    median: float = math.nan
    q05: float = math.nan
    q25: float = math.nan
    q75: float = math.nan
    q95: float = math.nan
    record: Record | None = None
    note: str = ""
    least: float = math.nan
    most: float = math.nan
    runs: int = FEW
    share: float = math.nan
    used: bool | None = None

    @property
    def yes_or_no(self) -> bool:
        """Whether a run answers with yes or no."""
        return self.unit == YES_OR_NO

    @property
    def by_construction(self) -> bool:
        """Whether the model meets the figure whatever happens."""
        return self.note == BY_CONSTRUCTION

    @property
    def ends(self) -> tuple[float, float]:
        """The ends shown to readers: of the 90% interval, or of all runs where they are :data:`FEW`."""
        return (self.least, self.most) if self.runs < FEW else (self.q05, self.q95)

    @property
    def meets_record(self) -> bool | None:
        """Whether the :attr:`ends` and the record overlap; ``None`` where there is nothing to compare."""
        if self.record is None or math.isnan(self.median):
            return None
        low, high = self.ends
        return bool(low <= self.record.high and high >= self.record.low)

    @property
    def trivial(self) -> bool:
        """Whether enough runs meet the record, and could not miss it, so that it says little of a case.

        Either all have the same value, as what is put in or limited has, or the record sets one bound and
        the :attr:`ends` keep away from it by half of it or more.
        """
        if not self.meets_record or self.runs < FEW or self.record is None:
            return False
        low, high = self.ends
        if low == high and self.record.low <= low <= self.record.high:
            return True
        if self.record.kind == "at_most":
            return high <= self.record.high / 2
        return self.record.kind == "at_least" and low >= 2 * max(self.record.low, 0)

    def as_json(self) -> dict[str, object]:
        """Return the outcome as it stands in ``outcomes.json``."""
        told: dict[str, object] = {
            "label": self.label,
            "unit": self.unit,
            "median": finite(self.median),
            "interval50": [finite(self.q25), finite(self.q75)],
            "interval90": [finite(self.q05), finite(self.q95)],
            "record": None if self.record is None else self.record.as_json(),
        }
        told |= {} if self.used is None else {"used": self.used}
        return told | {"share_of_runs": finite(self.share)} if self.yes_or_no else told


def comparison_title(used: Iterable[bool | None]) -> str:
    """Return the title of outcomes beside observed figures: how many of these the runs have assimilated.

    To meet such a figure is no success, so the table that shows one has these words at its head.

    Parameters
    ----------
    used : of each figure, as in :class:`Outcome`.
    """
    figures = list(used)
    count, every = sum(map(bool, figures)), len(figures)
    if not every:
        return "Outcomes"
    which = f"{count} of these {every}" if count < every else f"all {every}" if every > 1 else "it"
    title = "Beside the observed figures" if every > 1 else "Beside the observed figure"
    return f"{title}: the runs assimilated {which}" if count else title


def assimilation(used: bool | None) -> str:
    """Return whether the runs were conditioned on a figure, in words; empty for runs that were on none."""
    return "" if used is None else "assimilated" if used else "not assimilated"


def summarise(about: Outcome, values: Values, stands_for: float = 1.0) -> Outcome:
    """Return an outcome with the spread of one number per run, float64 (run,), filled in.

    Of a force drawn in part these are numbers of the whole force, and `stands_for` says for how many one
    simulated soldier stands.
    """
    finite = values[np.isfinite(values)]
    q = np.quantile(finite, LEVELS) if finite.size else np.full(len(LEVELS), np.nan)
    q05, q25, median, q75, q95 = (float(x) for x in in_steps(q, stands_for, about.unit))
    ends = (float(finite.min()), float(finite.max())) if finite.size else (math.nan, math.nan)
    least, most = (in_steps(x, stands_for, about.unit) for x in ends)
    quantiles = replace(about, median=median, q05=q05, q25=q25, q75=q75, q95=q95)
    share = float(finite.mean()) if about.yes_or_no and finite.size else math.nan
    return replace(quantiles, least=least, most=most, runs=int(finite.size), share=share)


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


def outcomes(data: xr.Dataset, case: Case, seen: bool = True) -> tuple[Outcome, ...]:
    """Return the headline outcomes of runs of a case, which count the whole force.

    First the case's targets whose days the runs cover, each beside what was observed, then the primary
    outcomes of the model on the last day, in their order (under ``<id>-at-end`` where a target has that id).

    Parameters
    ----------
    seen : whether it is known which of the case's figures the runs were conditioned on.
    """
    last = str(data["day"].values[-1])[:10]
    found: dict[str, Outcome] = {}
    for target in case.targets:
        if str(target.date) > last:
            continue
        try:
            values, note = measure_of(data, target), "" if target.construction is None else BY_CONSTRUCTION
        except UsageError as error:
            values, note = np.full(data.sizes["run"], np.nan), str(error)
        about = Outcome(target.id, target.label, target.unit, target.measure, str(target.date), note=note)
        about = replace(about, record=record(target, case), used=used(target, case) if seen else None)
        found[target.id] = summarise(about, values, case.stands_for)
    for name in case.catalogue.primary:
        asked = find(name)
        if asked.sources[""].variable not in data:
            continue
        ident = f"{name}-at-end" if name in found else name
        label = f"{called(name)} {'on' if asked.kind == 'level' else 'by'} {last}"
        about = Outcome(ident, label, asked.unit, name, last)
        found[ident] = summarise(about, measure(data, name), case.stands_for)
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
