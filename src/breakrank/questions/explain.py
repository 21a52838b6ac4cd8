"""Which mechanism carries a result: every one switched off alone, with the same random numbers.

Every mechanism of the catalogue has a switch, and all are treated alike. A case without decisions or without
routes is no policy; it says how much of the result goes through them.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief, text
from breakrank.case.changes import unselected
from breakrank.case.dates import DateLike
from breakrank.errors import UsageError
from breakrank.outputs import YES_OR_NO, asked_part
from breakrank.questions.paired import (
    HOLDS,
    Reading,
    bases,
    doubt,
    effect_columns,
    made_by,
    numbers,
    run_pairs,
)
from breakrank.results.measures import check_question, find, read_by
from breakrank.results.outcomes import called as outcome_called
from breakrank.results.paired import Difference, difference
from breakrank.runs.study import Scenario, Study
from breakrank.runs.undated import Remains, acting, undated
from breakrank.show import words
from breakrank.show.words import day, number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.declared import Explain
    from breakrank.runs.carry_out import Making

Numbers = NDArray[np.float64]

SHARES = ("share", YES_OR_NO)
"""Units of what is no count: nothing of it remains."""
HARDLY = 0.01
"""A mechanism without which no more than this share of a count is left is one that it takes."""
UNDATED = "without dated events"
"""The scenario without any of them."""
OFF = 0.5
"""A switch below this is off."""
NAMED = 3
"""Mechanisms that are named."""


@dataclass(frozen=True, slots=True)
class ExplainedOutcome:
    """One outcome that is explained.

    Attributes
    ----------
    measure, label, unit : what is read off each run.
    date : the day it is read at dusk; ``None`` is the last.
    """

    measure: str
    label: str
    unit: str
    date: dt.date | None = None

    @property
    def when(self) -> str:
        """The day in words: of a level on it, of a count by it."""
        level = find(self.measure).kind == "level"
        if self.date is None:
            return "at the end" if level else "by the end"
        return f"{'on' if level else 'by'} {day(self.date)}"

    @property
    def said(self) -> str:
        """What it is, with its day, e.g. ``Crossed out of the country by 23 Mar 2019``."""
        return f"{self.label} {self.when}"

    @property
    def counted(self) -> bool:
        """Whether it is a count, an amount or a ratio, of which a part may remain."""
        return self.unit not in SHARES


def outcomes_of(
    case: Case, measures: Sequence[str] | None = None, date: DateLike | None = None
) -> tuple[ExplainedOutcome, ...]:
    """Return the outcomes to explain.

    Parameters
    ----------
    measures : by default the primary outcomes.
    date : the day at which all are read. By default each is read on the last day for which the case has a
        target of it for the whole force, counted from the first day; else on the last day.

    Raises
    ------
    UsageError
        for a measure that there is not or that compares two spans, or a day outside the calendar.
    """
    day = _day(case, date)
    out = []
    for name in dict.fromkeys(measures or case.catalogue.primary):
        check_question(name, None, case, last=day is None)
        about = find(name)
        if about.kind == "ratio":
            raise UsageError(f"{name} compares the time before and after a date; name a count or a level")
        out.append(
            ExplainedOutcome(
                name, outcome_called(name), about.unit, day if date is not None else _latest(case, name)
            )
        )
    return tuple(out)


def _day(case: Case, date: DateLike | None) -> dt.date | None:
    if date is None:
        return None
    exact = case.calendar.within(date, "--date")
    return None if exact == case.calendar.end else exact


def _latest(case: Case, name: str) -> dt.date | None:
    """Return the last date of a target of the same variable and part, with no first day of its own."""
    mine, part, found = find(name), asked_part(name)[1], []
    for target in case.targets:
        about = find(target.measure)
        whole = _same_part(target.by or {}, part) and target.start is None
        same = about.sources[""] == mine.sources[""] and about.kind in ("total", "share", "level")
        if whole and same and target.date <= case.calendar.end:
            found.append(target.date)
    last = max(found, default=case.calendar.end)
    return None if last == case.calendar.end else last


def _same_part(one: Mapping[str, str | Sequence[str]], two: Mapping[str, tuple[str, ...]]) -> bool:
    labels = {dim: {one[dim]} if isinstance(one[dim], str) else set(one[dim]) for dim in one}
    return labels == {dim: set(two[dim]) for dim in two}


@dataclass(frozen=True, slots=True)
class Switch:
    """A removal: a mechanism that is on in the case, or a dated event, and its effects."""

    mechanism: str
    about: str

    @property
    def called(self) -> str:
        """The mechanism in words."""
        return self.mechanism.replace("_", " ")


def switches(case: Case) -> tuple[Switch, ...]:
    """Return the mechanisms that are on in a case, in the order of the day."""
    return tuple(
        Switch(name.removesuffix(".on"), declared.about)
        for name, declared in case.catalogue.parameters.items()
        if declared.unit == "switch" and name.endswith(".on") and case.value(name) >= OFF
    )


def without(case: Case, mechanism: str) -> Scenario:
    """Return a case without one of its mechanisms, as a scenario."""
    return Scenario(case.set({f"{mechanism}.on": 0.0}), f"without {mechanism}")


def each_event(case: Case) -> dict[Switch, Scenario]:
    """Return the case without each dated event alone, by what is removed; none where there is but one."""
    events = acting(case)
    return {
        Switch(e.id, e.title): undated(case, [e], f"without the event {e.id}")
        for e in events
        if len(events) > 1
    }


@dataclass(frozen=True, slots=True)
class Removal:
    """What switching one mechanism off does to one outcome.

    Attributes
    ----------
    switch, asked : the mechanism and the outcome. found : the paired difference, without it minus with it.
    """

    switch: Switch
    asked: ExplainedOutcome
    found: Difference

    @property
    def vital(self) -> bool:
        """Whether hardly anything is left of a count without it, and less in every run."""
        d = self.found
        return d.told and 0 <= d.after <= HARDLY * d.before and d.same_sign == 1


def ranked(removals: Iterable[Sequence[Removal]]) -> list[Sequence[Removal]]:
    """Return removals by the size of their mean effect on the first outcome, then on the next ones."""
    return sorted(removals, key=lambda each: [_large(one) for one in each])


def explained(question: Explain, case: Case, making: Making) -> Answer:
    """Return the effect of each mechanism on each outcome, the largest on the first outcome first.

    Mechanisms are switched off under the draws of the case, or under its posterior in place of runs that were
    selected to match the observed figures.
    """
    asked = outcomes_of(case, question.outcomes or None, question.date)
    case = unselected(case)
    some = switches(case)
    alone, events = each_event(case), acting(case)
    cases = [Scenario(case), *(without(case, one.mechanism) for one in some), *alone.values()]
    cases += [undated(case, events, UNDATED)] if events else []
    study = Study(tuple(cases), question.runs, question.seed)
    only = {variable for one in asked for variable in read_by(one.measure)}
    what = f"{len(some)} mechanisms switched off, {study.runs} runs each"
    pairs = run_pairs(study, making, what, only)
    draw = pairs.draw("case")
    draw = np.arange(study.runs) if draw is None else draw
    read = {one.name: [pairs.read(one.name, Reading(a.measure, a.date)) for a in asked] for one in cases}

    def removed(switch: Switch, name: str) -> list[Removal]:
        sides = zip(asked, read["case"], read[name], strict=True)
        return [
            Removal(switch, a, difference(a.measure, a.label, a.unit, before, after, draw))
            for a, before, after in sides
        ]

    found = ranked(removed(switch, f"without {switch.mechanism}") for switch in some)
    singly = ranked(removed(switch, scenario.name) for switch, scenario in alone.items())
    together = _events(asked, read["case"], read[UNDATED]) if events else []
    made = made_by(making, case, question.runs, question.seed)
    return answer_of(found, together, case, made, singly)


Means = tuple[ExplainedOutcome, float, float]
"""An outcome, and its means with dated events and without."""


def _events(
    asked: Sequence[ExplainedOutcome], plain: Sequence[Numbers], undated: Sequence[Numbers]
) -> list[Means]:
    """Return the means of each outcome over runs that ended in both, with dated events and without."""
    found = []
    for a, with_, without_ in zip(asked, plain, undated, strict=True):
        both = np.isfinite(with_) & np.isfinite(without_)
        if both.any():
            found.append((a, float(with_[both].mean()), float(without_[both].mean())))
    return found


def answer_of(
    found: Sequence[Sequence[Removal]],
    events: Sequence[Means],
    case: Case,
    made: Provenance,
    singly: Sequence[Sequence[Removal]] = (),
) -> Answer:
    """Return the answer that switching mechanisms off comes to.

    Parameters
    ----------
    found : removals by mechanism, one for each outcome, as :func:`ranked`.
    events : means with all dated events and without any. singly : removals by event, as `found`.
    """
    first = sorted((each[0] for each in found), key=_large)
    holds = [one for each in found for one in each[1:] if one.asked.measure == HOLDS]
    told = sorted((one for one in first if one.found.told), key=lambda one: one.vital)
    strongest = [
        name
        for one in told[:NAMED]
        for name in case.parameters
        if name.startswith(f"{one.switch.mechanism}.")
    ]
    return Answer(
        question="explain",
        title=f"{case.title}: effect of switching off each mechanism",
        finding=finding(first),
        doubt=f"{doubt(case, made.runs)} {LARGE}",
        tables=(
            _removals(found, "removals", "Without a mechanism"),
            _without_events(events),
            *([_removals(singly, "each-event", "Without one dated event", named=True)] if singly else []),
        ),
        figures=(_dots(first),),
        notes=(*on_mechanisms(first), *on_mechanisms(sorted(holds, key=_large)), *on_events(events)),
        evidence=bases(case, [name for name in strongest if not name.endswith(".on")]),
        provenance=made,
    )


LARGE = "Taking a mechanism away is a large change: read its sign, not its size."


def _large(one: Removal) -> float:
    return -float(np.nan_to_num(abs(one.found.mean)))


def finding(effects: Sequence[Removal]) -> str:
    """Return which mechanism changes the first outcome most, and which most the other way."""
    told = [one for one in effects if one.found.told]
    asked = effects[0].asked
    name = f"{asked.label.partition(':')[0]} {asked.when}"
    if not told:
        return brief(f"{name}: the effect of none of {len(effects)} mechanisms can be told from zero.")
    most = max(told, key=lambda one: (not one.vital, abs(one.found.mean)))
    others = [one for one in told if not one.vital and one.found.mean * most.found.mean < 0]
    named = [most, *([max(others, key=lambda one: abs(one.found.mean))] if others else [])]
    parts = [f"without {one.switch.called} {_plain(one.found.after, asked.unit)}" for one in named]
    return brief(f"{name}: {value(most.found.before, asked.unit)}; {', '.join(parts)}.")


def _plain(number: float, unit: str) -> str:
    """Return a mean beside others of its unit, which one of them names."""
    return value(number, "" if unit not in SHARES else unit)


def on_mechanisms(effects: Sequence[Removal]) -> Iterator[str]:
    """Say what switching off mechanisms does to one outcome: those that leave none, and the strongest."""
    vital = [e for e in effects if e.vital]
    if vital:
        asked = vital[0].asked
        names = listed([e.switch.called for e in vital], "or")
        left = listed([number(e.found.after) for e in vital])
        alone = ", each switched off alone" if len(vital) > 1 else ""
        yield (
            f"{asked.said}: without {names}{alone}, almost nothing remains: {left} "
            f"instead of {value(vital[0].found.before, asked.unit)}, in all of {vital[0].found.runs:,} pairs "
            "of runs."
        )
    yield from (_without(e) for e in [e for e in effects if e.found.told and not e.vital][:NAMED])


def _without(one: Removal) -> str:
    d = one.found
    return (
        f"{one.asked.said}: without {one.switch.called} ({one.switch.about}), {value(d.after, d.unit)} "
        f"instead of {value(d.before, d.unit)}, a difference of {signed(d.mean, d.unit)}{_ends(d)} whose "
        f"sign holds in {percent(d.same_sign)} of {d.runs:,} pairs of runs."
    )


def _ends(d: Difference) -> str:
    if not (math.isfinite(d.low) and math.isfinite(d.high)):
        return ""
    return f" (95% interval {words.interval(d.low, d.high, d.unit, sign=True)})"


def on_events(events: Sequence[Means]) -> Iterator[str]:
    """Say how much of the first two counts would have happened without any dated event."""
    for asked, before, after in [one for one in events if one[0].counted and one[1] > 0][:2]:
        level = Remains(asked.measure, before, after, 0)
        yield (
            f"{asked.said}: {level.share:.0%} would have happened without any dated event, "
            f"{value(after, asked.unit)} instead of {value(before, asked.unit)}."
            + (" The level makes up half of it or more." if level.is_level else "")
        )


def value(number: float, unit: str) -> str:
    """Return a mean with its unit.

    >>> value(1285.4, "soldiers"), value(2.375, "uprisings"), value(0.4, "share"), value(1, "1 or 0")
    ('1,285 soldiers', '2.4 uprisings', '40%', '100% of runs')
    """
    if unit == YES_OR_NO:
        return f"{percent(number)} of runs"
    return percent(number) if unit == "share" else f"{words.number(number)} {unit}".strip()


def signed(number: float, unit: str) -> str:
    """Return a difference with its sign and unit; of shares in percentage points.

    >>> signed(-34.25, "soldiers"), signed(0.031, "share"), signed(0.004, "soldiers")
    ('−34 soldiers', '+3.1 points', '+0.004 soldiers')
    """
    return words.signed(number, unit) + ("" if unit in words.PER_CENT else f" {unit}".rstrip())


def _removals(found: Sequence[Sequence[Removal]], name: str, title: str, *, named: bool = False) -> Table:
    """Return the effects of removals by outcome; `named` shows what each is beside its id."""
    columns = (
        text("without", "without"),
        text("about", "What it is", shown=named),
        text("outcome", "Outcome (name)", shown=False),
        text("label", "Outcome", shown=False),
        text("head", "Outcome and day"),
        text("date", "Day", shown=False),
        *effect_columns("with it", "without it", "mean difference", shown=False),
        Column("same_sign", "Pairs with the sign of the mean", kind="share", shown=False),
        Column("told", "Told from zero", kind="flag", shown=False),
        Column("runs", "Pairs", kind="count", shown=False),
    )
    rows = []
    for one in [one for each in found for one in each]:
        d, asked, date = one.found, one.asked, "" if one.asked.date is None else str(one.asked.date)
        row = numbers(d, "same_sign", "told", "runs")
        row |= {"without": one.switch.mechanism, "about": one.switch.about, "outcome": asked.measure}
        row |= {"label": asked.label, "date": date, "unit": asked.unit}
        head = f"{asked.measure.replace('_', ' ')} {day(date) if date else ''}".strip()
        rows.append(row | {"head": head})
    return Table.of(
        name,
        title,
        columns,
        rows,
        across="head",
        cell="mean",
        note="Mean differences; a dot where one cannot be told from zero (95% interval, paired t).",
    )


def _without_events(events: Sequence[Means]) -> Table:
    columns = (
        text("outcome", "Outcome (name)", shown=False),
        text("label", "outcome"),
        text("unit", "Unit", shown=False),
        Column("before", "with dated events", unit_in="unit"),
        Column("after", "without", unit_in="unit"),
        Column("share", "remains", kind="share", meaning="of what there is with dated events"),
    )
    rows = [
        {"outcome": a.measure, "label": a.said, "unit": a.unit, "before": before, "after": after}
        | {"share": Remains(a.measure, before, after, 0).share if a.counted else math.nan}
        for a, before, after in events
    ]
    return Table.of("events", "Without dated events", columns, rows, key="outcome", note="Means over runs.")


def _dots(effects: Sequence[Removal]) -> Figure:
    asked = effects[0].asked
    return Figure(
        name="removals",
        title=finding(effects),
        kind="dots",
        table="removals",
        x="without",
        y=("mean",),
        low="low",
        high="high",
        where=(("outcome", asked.measure),),
        note=f"{asked.said}: mean difference without each mechanism, with its 95% interval",
    )
