"""Headline outcomes: what the runs say, as a spread, beside what the record says."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from breakrank.errors import UsageError
from breakrank.outputs import YES_OR_NO
from breakrank.results.measures import Selector, Values, check_question, find, measure_of
from breakrank.results.measures import measure as _measure
from breakrank.results.outcome_names import called
from breakrank.results.quantiles import FEW, LEVELS

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case, Target
    from breakrank.results.result import Result

AT_END = (
    "registered",
    "left_abroad",
    "share_left",
    "quiet_desertion",
    "open_defection",
    "arrested",
    "captured",
    "released",
    "shot",
    "opposed",
    "serving",
    "regime_holds",
    "risings",
    "plots_founded",
    "plots_leaked",
    "plots_launched",
)
"""Measures every result reports on its last day, in this order."""


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

    @property
    def yes_or_no(self) -> bool:
        """Whether a run answers with yes or no."""
        return self.unit == YES_OR_NO

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

    def as_json(self) -> dict[str, object]:
        """Return the outcome as it stands in ``outcomes.json``."""
        told: dict[str, object] = {
            "label": self.label,
            "unit": self.unit,
            "median": _number(self.median),
            "interval50": [_number(self.q25), _number(self.q75)],
            "interval90": [_number(self.q05), _number(self.q95)],
            "record": None if self.record is None else self.record.as_json(),
        }
        return told | {"share_of_runs": _number(self.share)} if self.yes_or_no else told


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def measure(
    result: Result,
    name: str,
    date: dt.date | str | None = None,
    since: dt.date | str | None = None,
    by: Selector | None = None,
) -> Values:
    """Return one measure of a result, one number per run (see :func:`breakrank.results.measures.measure`)."""
    return _measure(result.data, name, date, since, by)


def outcomes(result: Result) -> tuple[Outcome, ...]:
    """Return the headline outcomes of a result.

    First the case's targets whose days the result covers, each beside its record, then the measures
    of :data:`AT_END` on the last day (under ``<id>-at-end`` where a target has that id).
    """
    data, case = result.data, result.case
    last = str(data["day"].values[-1])[:10]
    found: dict[str, Outcome] = {}
    for target in case.targets:
        if str(target.date) > last:
            continue
        try:
            values, note = measure_of(data, target), ""
        except UsageError as error:
            values, note = np.full(result.runs, np.nan), str(error)
        about = Outcome(target.id, target.label, target.unit, target.measure, str(target.date), note=note)
        found[target.id] = summarise(replace(about, record=record(target, case)), values)
    for name in AT_END:
        asked = find(name)
        if asked.sources[""].variable not in data:
            continue
        ident = f"{name}-at-end" if name in found else name
        label = f"{called(name)} {'on' if asked.kind == 'level' else 'by'} {last}"
        found[ident] = summarise(Outcome(ident, label, asked.unit, name, last), _measure(data, name))
    return tuple(found.values())


def summarise(about: Outcome, values: Values) -> Outcome:
    """Return an outcome with the spread of one number per run, float64 (run,), filled in."""
    finite = values[np.isfinite(values)]
    q = np.quantile(finite, LEVELS) if finite.size else np.full(len(LEVELS), np.nan)
    q05, q25, median, q75, q95 = (float(x) for x in q)
    least, most = (float(finite.min()), float(finite.max())) if finite.size else (math.nan, math.nan)
    quantiles = replace(about, median=median, q05=q05, q25=q25, q75=q75, q95=q95)
    share = float(finite.mean()) if about.yes_or_no and finite.size else math.nan
    return replace(quantiles, least=least, most=most, runs=int(finite.size), share=share)


def record(target: Target, case: Case) -> Record:
    """Return what the record says of a target, with its sources in words."""
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
        "seed": result.seed,
        "runs": result.runs,
        "outcomes": {o.id: o.as_json() for o in result.outcomes()},
    }


def table(rows: Sequence[Outcome]) -> pd.DataFrame:
    """Return outcomes as a table, one row each, indexed by id."""
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
            "source": "" if o.record is None else o.record.source,
            "note": o.note,
        }
        for o in rows
    ]
    return pd.DataFrame(columns).set_index("id")
