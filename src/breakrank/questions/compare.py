"""What a change does: a case and changed cases on the same soldiers with the same random numbers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Table, brief, text
from breakrank.case.changes import counterfactual
from breakrank.case.models_events import Changes, Event
from breakrank.errors import UsageError
from breakrank.outputs import CURRENCY
from breakrank.questions.paired import (
    HOLDS,
    LEFT,
    PairedRuns,
    bases,
    check_pair,
    doubt,
    draws_said,
    effect_columns,
    made_by,
    numbers,
    run_pairs,
    valid_draws,
)
from breakrank.results.measures import check_question, find, read_by
from breakrank.results.outcomes import called, headline_measure
from breakrank.results.paired import CONFIDENCE, Difference, half_width
from breakrank.runs.cases import as_case
from breakrank.runs.counterfactuals import changes, counterfactuals_named, names_in
from breakrank.runs.study import NamedChanges, Scenario, Study, beside
from breakrank.runs.touched import untouched
from breakrank.show.tables import quantiles, stepped
from breakrank.show.words import between, day, interval, percent
from breakrank.wording import capitalised, counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case, Counterfactual
    from breakrank.questions.declared import Compare
    from breakrank.runs.carry_out import Making


LEFT_LABEL = "All who left"
"""What charts call the measure that leads."""
NAMED = 4
"""Outcomes named at most."""
SMALL = 0.05
"""Share of the case's own number within which a difference is small: observed figures are seldom surer."""
VERDICTS = {
    "agrees": "the model agrees",
    "opposite": "the model shows the opposite",
    "unclear": "in the model the difference cannot be told from zero",
    "open": "either direction agrees",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One changed case: its id, what it is called, the case, what was asked, and its name in a store.

    ``by_hand`` are values and events of the question itself.
    """

    id: str
    title: str
    other: Case
    asked: Counterfactual | None
    name: str
    by_hand: Changes | None = None

    @property
    def expected(self) -> dict[str, str]:
        """The direction that the literature expects, by measure."""
        return {} if self.asked is None else dict(self.asked.expected)


def changed_cases(question: Compare, case: Case, named: NamedChanges) -> list[Change]:
    """Return the cases to compare with; each has values and events of the question beside its own changes.

    Raises
    ------
    UsageError
        where there are none.
    """
    values, new = dict(question.values or {}), list[Event]()
    said = [f"{name} = {value:g}" for name, value in values.items()]
    if question.events is not None:
        new = [one for one in case.with_events(question.events).events if one not in case.events]
        named = replace(named, events=(Path(question.events).name, len(new)))
        said += [_happens(one, case) for one in new[:NAMED]]
    by_hand = ", ".join(said)
    own = Changes(id="set", title="By hand", set=values, events=tuple(new)) if values or new else None

    def changed(one: Case) -> Case:
        return (one if question.events is None else one.with_events(question.events)).set(values)

    given = question.others
    others: Sequence[Any] = (
        [given] if isinstance(given, str | os.PathLike) or hasattr(given, "calendar") else given
    )
    texts = [str(one) for one in others if isinstance(one, str | os.PathLike) and not _is_case(one)]
    found = []
    for asked in counterfactuals_named(case, texts):
        other = changed(counterfactual(case, asked))
        title = "; ".join(filter(None, (asked.title, by_hand)))
        found.append(Change(asked.id, title, other, asked, named.name(beside(asked.id), values), own))
    made = [as_case(one) for one in others if not isinstance(one, str | os.PathLike) or _is_case(one)]
    for k, one in enumerate(made, 1):
        name = "other" if len(made) == 1 else f"other-{k}"
        title = "; ".join(filter(None, (_differs(case, one), by_hand)))
        found.append(Change(name, title, changed(one), None, name, own))
    if not found and by_hand:
        found.append(Change("set", by_hand, changed(case), None, named.name(values=values), own))
    if not found:
        raise UsageError(
            f"nothing to compare {case.id} with; it has {', '.join(names_in(case))}\n"
            "  Name one with --with, or a file of them; or change a parameter with --set NAME=VALUE, or what "
            "happens with --events FILE."
        )
    return found


def _differs(case: Case, other: Case) -> str:
    """Return what a changed case has otherwise, as it was asked for: values and events by their names."""
    values = {name: p.value for name, p in case.parameters.items()}
    said = [f"{n} = {p.value:g}" for n, p in other.parameters.items() if values.get(n, p.value) != p.value]
    said += [f"without the event {name}" for name in case.events.ids if name not in other.events.ids]
    said += [_happens(one, case) for one in other.events if one not in case.events]
    return "; ".join(said[:NAMED]) or "changed case"


def _happens(event: Event, case: Case) -> str:
    if event.id in case.events.ids:
        return f"{event.title} (in place of the event {event.id}, {event.date})"
    return f"with the event {event.id} on {event.date}"


def _is_case(name: str | os.PathLike[str]) -> bool:
    return Path(name).is_dir()


def compared(question: Compare, case: Case, making: Making) -> Answer:
    """Return the differences between a case and each of the changed ones."""
    some = changed_cases(question, case, making.changes)
    case, *others = valid_draws(case, [one.other for one in some])
    for other in others:
        check_pair(case, other)
    some = [replace(one, other=other) for one, other in zip(some, others, strict=True)]
    named = {one.id: measures_of(case, one, question.outcomes) for one in some}
    names = dict.fromkeys((*case.catalogue.primary, *(name for each in named.values() for name in each)))
    check_measures(tuple(names), case)
    only = {variable for name in (*names, LEFT) for variable in read_by(name)}
    study = Study(
        (Scenario(case, making.changes.name()), *(Scenario(one.other, one.name) for one in some)),
        question.runs,
        question.seed,
    )
    what = f"{case.title} and {counted(len(some), 'other')}, {study.runs} runs each"
    pairs, base = run_pairs(study, making, what, only), study.scenarios[0].name
    done = [one for one in some if pairs.result(one.name) is not None]
    if not done and making.interrupted:
        raise KeyboardInterrupt
    found = [Compared(pairs, base, one.name, one, named[one.id]) for one in done]
    title = f"{case.title}: the effect of {_many(found)}"
    return answer_of(found, title, made_by(making, case, study.runs, question.seed))


def _many(found: Sequence[Compared]) -> str:
    return f"“{found[0].change.title}”" if len(found) == 1 else f"{len(found)} changes"


def measures_of(case: Case, change: Change, outcomes: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the measures that are compared: what leads, those asked for, the usual ones, those expected."""
    return tuple(dict.fromkeys((HOLDS, LEFT, *outcomes, *usual_measures(case), *change.expected)))


def usual_measures(case: Case) -> tuple[str, ...]:
    """Return the measures that are compared in a case unless others are asked for; its headline's first."""
    own = headline_measure(case)
    return tuple(dict.fromkeys((*([own] if own else ()), *case.catalogue.primary)))


def check_measures(names: Sequence[str], case: Case) -> None:
    """Check the measures to compare; UsageError for one that there is not or that needs a date."""
    for name in names:
        check_question(name, None, case)
        if find(name).kind == "ratio":
            raise UsageError(f"{name} is asked for a date, and what is compared is the last day")


class Compared:
    """One changed case beside the case, as their runs have it.

    Parameters
    ----------
    pairs : the runs. base, other : names of the two in them.
    change : what was changed. names : the measures; one that a model does not record is left out.
    """

    def __init__(
        self, pairs: PairedRuns, base: str, other: str, change: Change, names: Sequence[str]
    ) -> None:
        self.pairs, self.base, self.other, self.change = pairs, base, other, change
        self.case: Case = pairs.cases[base]
        self.names = names
        self.differences = [pairs.difference(base, other, name) for name in names if self._recorded(name)]
        self.left = pairs.difference(base, other, LEFT)
        self.untouched = ""
        if self.runs and all(d.more == d.less == 0 for d in (self.left, *self.differences)):
            self.untouched = untouched(self.case, pairs.cases[other], pairs.seed, self.runs)

    def _recorded(self, name: str) -> bool:
        result = self.pairs.result(self.base)
        return result is not None and find(name).sources[""].variable in result.data

    @property
    def runs(self) -> int:
        """Pairs of runs that finished in both."""
        return int((self.pairs.finished(self.base) & self.pairs.finished(self.other)).sum())

    def daily(self) -> pd.DataFrame:
        """Return each outcome by day: means of both sides, of the differences, and the spread of these.

        One row an outcome and day, of the runs that finished in both; all who left come first. The interval
        is the 95% interval of the mean difference; `clear` says whether it leaves out zero on the last day.
        """
        import pandas as pd

        result, kept = self.pairs.result(self.base), self.pairs.finished(self.base)
        assert result is not None
        kept &= self.pairs.finished(self.other)
        draw, dates = self.pairs.draw(self.base), result.data["day"].values
        draw = np.arange(int(kept.sum())) if draw is None else draw[kept]
        clear = {one.id for one in self.differences if one.told}
        found = []
        for name in dict.fromkeys((LEFT, *self.names)):
            one, other = (self.pairs.by_day(each, name) for each in (self.base, self.other))
            if one is None or other is None:
                continue
            about = find(name)
            a, b = one[kept], other[kept]
            part = stepped(quantiles(b - a, dates), self.case.stands_for, about.unit)
            part["date"] = [str(date)[:10] for date in dates]
            unit = self.case.currency if about.unit == CURRENCY else about.unit
            label = LEFT_LABEL if name == LEFT else called(name)
            part = part.assign(id=name, label=label, unit=unit, clear=name in clear)
            found.append(part.assign(**_each_day(a, b, draw)))
        spread = ["q05", "q25", "q75", "q95"]
        columns = ["id", "label", "unit", "clear", "date", "before", "after", "mean", "low", "high", *spread]
        return pd.concat(found, ignore_index=True)[columns]


def _each_day(before: Any, after: Any, draw: Any) -> dict[str, list[float]]:  # noqa: ANN401 (run, day)
    """Return the means of both sides and of their differences day by day, with 95% intervals."""
    out: dict[str, list[float]] = {name: [] for name in ("before", "after", "mean", "low", "high")}
    for a, b in zip(before.T, after.T, strict=True):
        kept = np.isfinite(a) & np.isfinite(b)
        one, other = np.ascontiguousarray(a[kept]), np.ascontiguousarray(b[kept])
        apart = other - one
        middle = float(apart.mean()) if apart.size else math.nan
        half = half_width(apart, draw[kept]) if apart.size else math.nan
        numbers = (float(one.mean()), float(other.mean())) if apart.size else (math.nan, math.nan)
        for name, value in zip(out, (*numbers, middle, middle - half, middle + half), strict=True):
            out[name].append(value)
    return out


def answer_of(found: Sequence[Compared], title: str, made: Any) -> Answer:  # noqa: ANN401
    """Return the answer that some comparisons of one case come to."""
    case = found[0].case
    end = day(case.calendar.end)
    tables = (_differences(found), _daily(found), _events(case))
    names = [name for one in found for name in _changed_names(one.change, case)]
    runs = max(one.runs for one in found)
    mean = f"Mean of {runs:,} pairs of runs, 95% interval in brackets. " if runs > 1 else ""
    return Answer(
        question="compare",
        title=title,
        finding=finding(found, end),
        doubt=f"{mean}{doubt(case, runs)}",
        tables=tables,
        figures=_figures(found, end, set(tables[1].rows["id"])),
        notes=tuple(dict.fromkeys(note for one in found for note in _notes(one))),
        evidence=bases(case, list(dict.fromkeys(names))),
        provenance=made,
    )


def _changed_names(change: Change, case: Case) -> list[str]:
    changed = change.other.parameters.items()
    return [name for name, one in changed if one.unit != "switch" and one.value != case.value(name)]


def finding(found: Sequence[Compared], end: str) -> str:
    """Return the effect of the one change, or the strongest of several, on the regime and on who leaves."""
    if len(found) == 1:
        return found[0].untouched.partition(": ")[0] if found[0].untouched else sentence(found[0], end)
    regime = [(d, one.change.id) for one in found for d in one.differences if d.id == HOLDS and d.told]
    if not regime:
        return leaving(found, end)
    most, name = max(regime, key=lambda each: abs(each[0].mean))
    survives = f"{name} moves the regime's survival most ({percent(most.after)}, not {percent(most.before)})"
    many, clear = f"how many leave by {end}", leaving_most(found)
    leaves = f"{clear[0].change.id} {many} ({of_mean(clear[0].left)[1]})" if clear else f"none clearly {many}"
    return brief(f"Of {len(found)} changes {survives}, {leaves}.")


def leaving_most(found: Sequence[Compared]) -> list[Compared]:
    """Return the changes that clearly alter how many leave, the strongest first."""
    return sorted((one for one in found if one.left.told), key=lambda one: -abs(one.left.mean))


def leaving(found: Sequence[Compared], end: str) -> str:
    """Return the strongest clear effect of several changes on the number who leave."""
    clear = leaving_most(found)
    if not clear:
        pairs = found[0].runs
        return f"None of {len(found)} changes clearly alters how many leave by {end}, in {pairs:,} pairs."
    middle, ends = of_mean(clear[0].left)
    many = (
        f"Of {len(found)} changes {len(clear)} clearly alter{'s' * (len(clear) == 1)} how many leave by {end}"
    )
    return brief(f"{many}; most {clear[0].change.id} ({middle}, 95% interval {ends}).")


def sentence(one: Compared, end: str) -> str:
    """Return what a change does to the regime's survival and to how many leave, in one sentence."""
    holds = next((d for d in one.differences if d.id == HOLDS), None)
    if holds is None:
        return f"{capitalised(clause(one.left, end))}."
    before, after, left = percent(holds.before), percent(holds.after), clause(one.left, end)
    if before == after:
        return brief(f"The regime survives as often ({after}); {left}.")
    first = f"The regime survives in {after} of runs, not {before}"
    if holds.told:
        return brief(f"{first}; {left}.")
    return brief(f"{first} (no clear difference); {left}.", f"{first} (unclear); {left}.")


def clause(one: Difference, end: str) -> str:
    """Return the effect on the number who leave for a heading: no mean that cannot be told from zero."""
    if one.more == one.less == 0:
        return f"as many leave by {end}"
    middle, ends = of_mean(one)
    if ends and not one.told:
        if max(-one.low, one.high) <= SMALL * one.before:
            return f"how many leave by {end} hardly changes ({ends})"
        return f"no clear difference in how many leave by {end} ({ends})"
    many = f"{middle.lstrip('+−')} {'fewer' if one.mean < 0 else 'more'} leave by {end}"
    return f"{many} ({ends})" if ends else many


def of_mean(one: Difference) -> tuple[str, str]:
    """Return the mean of a paired difference and the ends of its 95% interval; one pair has none."""
    ends = "" if math.isnan(one.low) else interval(one.low, one.high, one.unit, sign=True)
    return between(one.mean, one.low, one.high, one.unit, sign=True), ends.removesuffix(" points")


def verdict(differences: Sequence[Difference], runs: int) -> str:
    """Say how many outcomes differ clearly.

    Where many are looked at, some intervals leave zero out by chance: the most that would on average if
    nothing differed are said beside them.
    """
    of = len(differences)
    if runs < 2:
        return f"One pair of runs tells nothing of chance, so no difference can be judged ({of} looked at)."
    clear = sum(one.told for one in differences)
    return (
        f"In {runs:,} pairs of runs {clear} of {of} outcomes looked at differ clearly; about "
        f"{(1 - CONFIDENCE) * of:.1g} would by chance if none did."
    )


def of_one(one: Difference, expected: str | None) -> str:
    """Return in words whether one outcome differs, and whether that is what the literature expects."""
    if one.runs < 2:
        return "one pair says nothing of chance"
    if one.before == one.after and one.more == one.less == 0:
        return "no difference"
    words = ("more" if one.mean > 0 else "less") if one.told else "no clear difference"
    if expected is None or expected == "either":
        return words
    told = {
        "agrees": "as expected",
        "opposite": "against what is expected",
        "unclear": f"{expected} is expected",
    }
    return f"{words}, {told[one.against(expected)]}"


def _notes(one: Compared) -> Iterable[str]:
    change, case = one.change, one.case
    found = one.untouched or (verdict(one.differences, one.runs) if one.differences else "")
    yield f"{change.title}: {found}" if found else change.title
    if what := [said for one in (change.asked, change.by_hand) if one for said in changes(one, case)]:
        yield f"Changed: {'; '.join(what)}."
    if one.untouched:
        return
    yield draws_said(case)
    for d in one.differences:
        if d.id in change.expected:
            literature = change.asked.literature if change.asked else ""
            way = change.expected[d.id]
            yield f"{d.label}: {way} expected ({literature}); {VERDICTS[d.against(way)]}."


def _differences(found: Sequence[Compared]) -> Table:
    split = any(not math.isnan(d.parameters) for one in found for d in one.differences)
    rows = []
    for one in found:
        for d in one.differences:
            expected = one.change.expected.get(d.id)
            row = numbers(d, *_NUMBERS)
            row |= {"unit": one.case.currency} if d.unit == CURRENCY else {}
            about = {
                "counterfactual": one.change.id,
                "change": one.change.title,
                "id": d.id,
                "label": LEFT_LABEL if d.id == LEFT else d.label,
            }
            about |= {"verdict": of_one(d, expected), "expected": expected or ""}
            rows.append(about | row)
    columns = list(_COLUMNS)
    columns += [Column("parameters", "par.", kind="share", shown=split, meaning=PARAMETERS)]
    key = "id" if len(found) == 1 else ""
    note = f"{HOW_TO_READ}{f' par.: {PARAMETERS}' if split else ''}"
    return Table.of("differences", "On the last day", columns, rows, key=key, by="change", note=note)


_NUMBERS = ("more", "less", "same_sign", "reduction", "runs", "draws", "parameters")
HOW_TO_READ = (
    "case and changed are means of the runs. sign: pairs of runs whose difference has the sign of the mean. "
    f"factor: how many times as many runs it would take without pairing. “{LEFT_LABEL}” leaves out "
    "soldiers who crossed and have neither presented themselves nor gone into hiding yet."
)
PARAMETERS = (
    "share of the variance of the difference between runs that is due to the parameters; the rest is chance."
)
_COLUMNS = (
    text("counterfactual", "Counterfactual (name)", shown=False),
    text("change", "Counterfactual"),
    text("id", "Outcome (name)", shown=False),
    text("label", "outcome"),
    text("verdict", "verdict", "whether it differs, and as expected"),
    text("expected", "Expected by the literature", shown=False),
    *effect_columns("case", "changed", "mean diff."),
    Column("more", "Pairs with more", kind="share", shown=False),
    Column("less", "Pairs with less", kind="share", shown=False),
    Column("same_sign", "sign", kind="share", meaning="pairs with the sign of the mean"),
    Column("reduction", "factor", kind="factor", meaning="by which pairing reduces the variance"),
    Column("runs", "Pairs", kind="count", shown=False),
    Column("draws", "Parameter draws", kind="count", shown=False),
)


def _daily(found: Sequence[Compared]) -> Table:
    import pandas as pd

    parts = [one.daily().assign(counterfactual=one.change.id, change=one.change.title) for one in found]
    columns = (
        text("counterfactual", "Counterfactual (name)"),
        text("change", "Counterfactual"),
        text("id", "Outcome (name)"),
        text("label", "Outcome"),
        Column("clear", "Differs clearly on the last day", kind="flag"),
        Column("date", "Day", kind="date"),
        *effect_columns("case", "changed", "mean difference"),
        *(Column(f"q{q:02}", f"Spread over pairs, {q}% below", unit_in="unit") for q in (5, 25, 75, 95)),
    )
    rows = pd.concat(parts, ignore_index=True)[[one.name for one in columns]]
    return Table("daily", "Day by day", columns, rows, detail=True)


def _events(case: Case) -> Table:
    inside = [e for e in case.events if case.calendar.start <= e.date <= case.calendar.end]
    rows = [{"date": str(e.date), "title": e.title} for e in sorted(inside, key=lambda e: e.date)]
    columns = (
        Column("date", "Day", kind="date"),
        text("title", "Event"),
    )
    return Table.of("events", "Dated events", columns, rows, detail=True)


def _figures(found: Sequence[Compared], end: str, daily: set[str]) -> tuple[Figure, ...]:
    """Return the charts; `daily` are the ids of what is counted day by day, all else has none."""
    band: dict[str, Any] = {"low": "q05", "high": "q95", "inner": ("q25", "q75"), "x": "date", "y": ("mean",)}
    band |= {"kind": "fan", "table": "daily", "marks": "events"}
    spread = "line: mean of the paired differences; fan: spread over pairs"
    if len(found) > 1:
        where = (("id", LEFT),)
        return (
            Figure(name="left", title=leaving(found, end), by="change", where=where, note=spread, **band),
        )
    (one,) = found
    title = capitalised(clause(one.left, end))
    clear = sum(d.told for d in one.differences)
    others = f"{clear} of {len(one.differences)} outcomes differ clearly by {end}"
    lines: dict[str, Any] = {"kind": "lines", "table": "daily", "x": "date", "marks": "events"}
    lines |= {"y": ("before", "after"), "where": (("id", LEFT),)}
    drawn = ("clear", True) if clear else ("id", LEFT)
    if undrawn := [d.label for d in one.differences if d.told and d.id not in daily]:
        spread += f"; not drawn, as not counted by day: {listed(undrawn)}"
    return (
        Figure(name="left", title=title, note="means of all runs", **lines),
        Figure(name="differences", title=others, by="label", where=(drawn,), note=spread, **band),
    )
