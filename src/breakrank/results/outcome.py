"""One headline outcome: its spread over runs, and what the record says of it.

What tables, charts and reports call what is counted, so that no two counts share a word.

Who presents himself abroad may declare for the challenger or not, and a host's register counts both, but
only those whom its scheme took in; the plain labels of the variables do not keep the three apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from breakrank.labels import WHERE
from breakrank.outputs import YES_OR_NO, asked_part, named_part
from breakrank.results.json_files import finite
from breakrank.results.measures import Values, find
from breakrank.results.uncertainty import FEW, LEVELS
from breakrank.results.whole_force import in_steps
from breakrank.wording import with_part

if TYPE_CHECKING:
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
    which = f"{count} of these {every}" if count < every else f"all {every}"
    title = "Beside the observed figures"
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
