"""Examining a case by intervention: what changes should do, written beforehand, and what they do.

Extreme values, doses, switches and policies are tried one at a time with the same random numbers, and the
answers held against theory (behaviour tests: Forrester and Senge 1980; Barlas 1996).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Table, text
from breakrank.case.changes import counterfactual
from breakrank.case.examination import interventions, table_of
from breakrank.case.models_parameters import STRENGTH
from breakrank.errors import UsageError, nearest
from breakrank.questions.paired import (
    PairedRuns,
    Reading,
    doubt,
    effect,
    effect_columns,
    made_by,
    numbers,
    run_pairs,
    same_force,
)
from breakrank.results.measures import find
from breakrank.results.outcomes import called
from breakrank.runs.study import Scenario, Study
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.examination import Expectation, Intervention
    from breakrank.questions.declared import Examine
    from breakrank.results.paired import Difference
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making

Verdict = Literal["right", "no effect shown", "wrong sign", "outside band", "too few pairs"]
VERDICTS: tuple[Verdict, ...] = ("right", "no effect shown", "wrong sign", "outside band", "too few pairs")
WORTH = 0.1
"""Share of what was there that an effect must have to be worth the name, where no band says more."""
CASE = "case"
"""What the case itself is called among the scenarios."""
COUNTS = ("soldiers", "persons", "plots", "pledges")
"""Units that are taken per soldier where the strength of the force differs."""
SIGNS = {
    "more": "more",
    "less": "less",
    "same": "the same",
    "no_more": "not more",
    "no_less": "not less",
    "identical": "identical",
}
HOW_TO_READ = (
    "Right: the 95% interval of the mean difference lies on the expected side, and the mean within the band "
    "if one was given. wrong sign: it lies on the other side. Outside band: the whole interval is smaller or "
    "larger than the band. No effect shown: a relevant effect (the near end of the band, or a tenth) would "
    "have been detected. Too few pairs: this number of runs cannot decide. Not more, not less: the interval "
    "excludes a tenth in the other direction. Of twenty effects that do not exist, about one is told from "
    "zero by chance.",
)
"""What a reader has to know of verdicts."""


def told(one: Expectation) -> str:
    """Return an expectation in words, as ``less, 0.4 to 0.9 times``."""
    words = SIGNS[one.sign]
    if one.times is not None:
        return f"{words}, {one.times[0]:g} to {one.times[1]:g} times"
    return words if one.reaches is None else f"{words}, to {one.reaches[0]:g} to {one.reaches[1]:g}"


def measured(one: Expectation) -> str:
    """Return what is measured, in words."""
    words = [called(one.of)]
    words += [" and ".join(x) if isinstance(x, tuple) else str(x) for x in one.by.values()]
    words += [f"from {one.since}"] if one.since else []
    words += [f"by {one.date}"] if one.date else []
    return ", ".join(words)


def source(item: Intervention, case: Case) -> str:
    """Return who expects it: literature, reports with their paragraphs, or by construction."""
    seen = (case.ledger.observations[name] for name in item.evidence or ())
    words = [item.literature] if item.literature else []
    words += dict.fromkeys(f"{one.source}, paragraph {one.paragraph}" for one in seen)
    return "; ".join([*words, *["by construction"] * item.construction])


def verdict(expected: Expectation, seen: Difference) -> Verdict:
    """Return the verdict on an expectation."""
    if expected.sign == "identical":
        return "right" if seen.more == seen.less == 0 else "too few pairs" if not seen.runs else "wrong sign"
    if not math.isfinite(seen.high - seen.low):
        return "too few pairs"
    low, high = _band(expected, seen)
    if expected.sign == "same":
        if low <= seen.low and seen.high <= high:
            return "right"
        return "outside band" if seen.high < low or seen.low > high else "too few pairs"
    up = expected.sign in ("more", "no_less")
    near, far = (seen.low, seen.high) if up else (-seen.high, -seen.low)  # both ends, as seen from the sign
    if far < 0:
        return "wrong sign"
    edge = low if up else -high
    worth = edge if 0 < edge < math.inf else WORTH * abs(seen.before)
    if expected.sign in ("no_more", "no_less"):
        return "right" if near >= -worth else "too few pairs"
    if near > 0 and low <= seen.mean <= high:
        return "right"
    if near > 0:
        return "outside band" if seen.high < low or seen.low > high else "too few pairs"
    nothing = not up and seen.before == 0  # there to become less
    return "no effect shown" if far <= worth and not nothing else "too few pairs"


def _band(expected: Expectation, seen: Difference) -> tuple[float, float]:
    """Return the band of the difference, as the expectation has it."""
    if expected.times is not None:
        low, high = (seen.before * times - seen.before for times in expected.times)
        return min(low, high), max(low, high)
    if expected.reaches is not None:
        return expected.reaches[0] - seen.before, expected.reaches[1] - seen.before
    return -math.inf, math.inf


@dataclass(frozen=True, slots=True)
class Examined:
    """One expectation, what was found, whether runs were paired for it, and the verdict."""

    item: Intervention
    expected: Expectation
    found: Difference
    paired: bool
    verdict: Verdict

    @property
    def said(self) -> str:
        """The verdict in words, with whether it is a known limit."""
        if not self.expected.limit:
            return self.verdict
        return "right: limit mended" if self.verdict == "right" else f"{self.verdict} (known limit)"


def chosen(table: Sequence[Intervention], only: Iterable[str], short: bool) -> tuple[Intervention, ...]:
    """Return the interventions asked for by id or by part, or those of the short form.

    Raises
    ------
    UsageError
        for a name that is none, or nothing left.
    """
    names, known = set(only), {n for item in table for n in (item.id, item.part)}
    for name in sorted(names - known):
        raise UsageError(f"there is no intervention {name!r}{nearest(name, known)}")
    found = [item for item in table if item.dropped is None and (not names or {item.id, item.part} & names)]
    if short:
        kept = [(item, tuple(one for one in item.expected if one.short)) for item in found]
        found = [item.model_copy(update={"expected": some}) for item, some in kept if some]
    if not found:
        raise UsageError("none of the interventions asked for is part of the short form")
    return tuple(found)


def study(
    case: Case, table: Sequence[Intervention], items: Sequence[Intervention], runs: int, seed: int
) -> Study:
    """Return the study of a case, of the interventions asked for, and of those they are compared with."""
    wanted = {item.id for item in items} | {item.against for item in items}
    worlds = (Scenario(counterfactual(case, item), item.id) for item in table if item.id in wanted)
    return Study((Scenario(case, CASE), *worlds), runs, seed)


def answers(pairs: PairedRuns, items: Sequence[Intervention]) -> tuple[list[Examined], list[str]]:
    """Return the verdict on each expectation, and the interventions that changed nothing that is recorded."""
    draw = pairs.draw(CASE)
    draw = np.arange(pairs.runs) if draw is None else draw
    found, idle = [], []
    for item in items:
        base = item.against or CASE
        one, other = pairs.cases[base], pairs.cases[item.id]
        paired = same_force(one, other)
        scale = one.value(STRENGTH) / other.value(STRENGTH)
        for expected in item.expected:
            what = Reading(expected.of, expected.date, expected.since, expected.by)
            before, after = (pairs.read(name, what, whole=False) for name in (base, item.id))
            if scale != 1 and find(expected.of).unit in COUNTS:
                after = after * scale
            seen = effect(expected.of, before, after, draw, paired=paired)
            found.append(Examined(item, expected, seen, paired, verdict(expected, seen)))
        control = all(expected.sign == "identical" for expected in item.expected)
        if paired and not control and _same(pairs.result(base), pairs.result(item.id)):
            idle.append(item.id)
    return found, idle


def _same(one: Result | None, other: Result | None) -> bool:
    """Return whether all runs are the same in all that is recorded of them."""
    if one is None or other is None:
        return False
    names = [str(name) for name, variable in one.data.data_vars.items() if "run" in variable.dims]
    return all(one.data[name].equals(other.data[name]) for name in names)


def untouched(case: Case, table: Iterable[Intervention]) -> dict[str, tuple[str, ...]]:
    """Return the mechanisms, parameters and fields of the model that no intervention changes."""
    values, fields = set[str](), set[str]()
    effects = {event.id: {effect.field for effect in event.effects} for event in case.events}
    for item in table:
        values |= set(item.values)
        fields |= {effect.field for event in item.events for effect in event.effects}
        fields |= {dropped.field for dropped in item.without_effects}
        fields |= {field for event in item.without for field in effects[event]}
        fields |= set(item.edit.get("fields", ()))
    parameters = case.catalogue.parameters
    switches = [name for name, declared in parameters.items() if declared.unit == "switch"]
    return {
        "mechanisms": tuple(n.removesuffix(".on") for n in switches if n.endswith(".on") and n not in values),
        "parameters": tuple(n for n in parameters if n not in values and n not in switches),
        "fields": tuple(name for name in case.catalogue.fields if name not in fields),
    }


def examined(question: Examine, case: Case, making: Making) -> Answer:
    """Return the verdict on each expectation, and what no intervention touches."""
    every = interventions(case, Path(question.table) if question.table else table_of(case.id))
    items = chosen(every, question.only, question.short)
    work = study(case, every, items, question.runs, question.seed)
    what = f"{case.title} and {len(work.scenarios) - 1} changed cases, {work.runs} runs each"
    pairs = run_pairs(work, making, what)
    if making.interrupted:
        raise KeyboardInterrupt
    found, idle = answers(pairs, items)
    dropped = [item for item in every if item.dropped is not None]
    rest = untouched(case, [item for item in every if item.dropped is None])
    wrong = [one for one in found if one.verdict != "right"]
    count = Counter(one.verdict for one in found)
    tally = ", ".join(f"{count[v]} {v}" for v in VERDICTS if count[v])
    ids = len({one.item.id for one in found})
    return Answer(
        question="examine",
        title=f"{case.title}: the model examined by intervention",
        finding=f"{counted(ids, 'intervention')}, {counted(len(found), 'expectation')}: {tally}.",
        doubt="A verdict is about the model, not about the country. "
        f"{doubt(case, work.runs).partition(';')[0]}.",
        tables=(
            _answers(found, case, idle),
            _by_part(found),
            _why(wrong, case),
        ),
        figures=(_parts_drawn(found),),
        notes=(*_notes(found, idle, dropped, rest), *HOW_TO_READ),
        provenance=made_by(making, case, work.runs, question.seed),
    )


def _notes(
    found: Sequence[Examined],
    idle: Sequence[str],
    dropped: Sequence[Intervention],
    rest: dict[str, tuple[str, ...]],
) -> Iterable[str]:
    known = sum(one.expected.limit is not None and one.verdict != "right" for one in found)
    if known:
        yield f"Marked as known limits: {known}."
    mended = dict.fromkeys(one.item.id for one in found if one.expected.limit and one.verdict == "right")
    if mended:
        yield f"Right, but marked as a known limit (remove the mark): {', '.join(mended)}."
    if idle:
        yield f"Changed nothing at all, in no run: {', '.join(idle)}."
    if dropped:
        yield f"Dropped, as what they changed is gone: {len(dropped)}."
    for kind, names in rest.items():
        if names:
            yield f"Not examined, {len(names)} {kind}: {', '.join(names)}."


def _by_part(found: Sequence[Examined]) -> Table:
    columns = [text("part", "part")]
    columns += [Column(v.replace(" ", "_"), v, kind="count") for v in VERDICTS]
    rows: list[dict[str, Any]] = []
    for part in dict.fromkeys(one.item.part for one in found):
        count = Counter(one.verdict for one in found if one.item.part == part)
        rows.append({"part": part} | {v.replace(" ", "_"): count[v] for v in VERDICTS})
    return Table.of("parts", "Verdicts by part", columns, rows, key="part")


_ANSWERS = (
    text("part", "Part"),
    text("intervention", "change"),
    text("title", "Title", shown=False),
    text("measure", "measure"),
    text("expected", "expected"),
    text("said", "verdict"),
    *effect_columns("before", "after", "difference"),
    Column("pairs", "Pairs", kind="count", shown=False),
    Column("paired", "Paired", kind="flag", shown=False),
    text("verdict", "Verdict (name)", shown=False),
    text("known_limit", "Known limit", shown=False),
    Column("idle", "Changed nothing in any run", kind="flag", shown=False),
    text("source", "Who expects it", shown=False),
    text("because", "Why", shown=False),
)


def _answers(found: Sequence[Examined], case: Case, idle: Sequence[str]) -> Table:
    rows = []
    for one in found:
        item, expected, seen = one.item, one.expected, one.found
        row = numbers(seen) | {"part": item.part, "intervention": item.id, "title": item.title}
        row |= {"measure": measured(expected), "expected": told(expected), "said": one.said}
        row |= {"pairs": seen.runs, "paired": one.paired}
        row |= {"verdict": one.verdict, "known_limit": expected.limit or ""}
        row |= {"idle": item.id in idle, "source": source(item, case)}
        rows.append(row | {"because": " ".join(item.because.split())})
    note = "Differences of unpaired runs have the interval of two independent means." * any(
        not one.paired for one in found
    )
    return Table.of("answers", "All expectations", _ANSWERS, rows, by="part", note=note)


def _why(wrong: Sequence[Examined], case: Case) -> Table:
    columns = [
        text("intervention", "change"),
        text("why", "why it was expected, and by whom"),
        text("limit", "known limit"),
    ]
    rows: list[dict[str, Any]] = []
    for item in {one.item.id: one.item for one in wrong}.values():
        limits = dict.fromkeys(" ".join(e.limit.split()) for e in item.expected if e.limit)
        against = f", against {item.against}" if item.against else ""
        why = " ".join(item.because.split()).removesuffix(".")
        rows.append(
            {
                "intervention": item.id,
                "why": f"{item.title}{against}. {why} ({source(item, case)}).",
                "limit": " ".join(limits),
            }
        )
    return Table.of("why", "Why those that are not right were expected", columns, rows, key="intervention")


def _parts_drawn(found: Sequence[Examined]) -> Figure:
    right = sum(one.verdict == "right" for one in found)
    return Figure(
        name="parts",
        title=f"{right} of {len(found)} expectations are right",
        kind="bars",
        table="parts",
        x="part",
        y=tuple(v.replace(" ", "_") for v in VERDICTS),
        note="expectations of each part of the model, by verdict",
    )
