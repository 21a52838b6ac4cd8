"""Examining a case by intervention: what changes should do, written beforehand, and what they do.

Extreme values, doses, switches and policies are tried one at a time with the same luck, and the answers held
against theory (behaviour tests: Forrester and Senge 1980; Barlas 1996).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case.models_parameters import STRENGTH
from breakrank.errors import UsageError, nearest
from breakrank.questions.compare.compare import same_force
from breakrank.results.json_files import json_ready
from breakrank.results.measure_table import find
from breakrank.results.measures import Values, measure
from breakrank.results.outcome_names import called
from breakrank.results.paired import half_width
from breakrank.results.uncertainty import rows_of
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.versions import heading
from breakrank.show.terminal import NUMBER, WHOLE, Head, say, say_table, title, wrapped
from breakrank.show.words import between, interval, mean

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.examination import Expectation, Intervention
    from breakrank.runs.memory_store import MemoryStore
    from breakrank.runs.store import Store


def show(made: Examination) -> None:
    """Print the table of answers, part by part, and what came out."""
    columns: list[tuple[str, Head]] = [(head, {}) for head in ("intervention", "measure", "expected")]
    columns += [(head, NUMBER) for head in ("before", "after", "95% interval of the difference")]
    for part, answers in groupby(made.answers, lambda answer: answer.item.part):
        say(title(part))
        rows, before = [], ""
        for answer in answers:
            measured, expected, was, became, _, interval, verdict = cells(answer)
            name = answer.item.id if answer.item.id != before else ""
            before = answer.item.id
            rows.append((name, measured, expected, was, became, interval, verdict))
        say_table([*columns, ("verdict", WHOLE)], rows)
    for line in summary(made):
        say(wrapped(line))
    if made.dropped:
        say(wrapped(f"Dropped are {', '.join(item.id for item in made.dropped)}."))


COLUMNS = (
    *("part", "intervention", "title", "measure", "expected", "before", "after", "difference", "low", "high"),
    *("pairs", "paired", "verdict", "known_limit", "source", "because"),
)
SIGNS = {
    "more": "more",
    "less": "less",
    "same": "the same",
    "no_more": "not more",
    "no_less": "not less",
    "identical": "identical",
}


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


def cells(answer: Answer) -> tuple[str, ...]:
    """Return an answer as text: measure, expected, before, after, difference, interval, verdict."""
    one, seen = answer.expected, answer.found
    unit = find(one.of).unit
    limit = " (known limit)" if one.limit else ""
    verdict = (
        f"{answer.verdict}{limit}" if not (limit and answer.verdict == "right") else "right: limit mended"
    )
    return (
        measured(one),
        told(one),
        mean(seen.before, unit),
        mean(seen.after, unit),
        between(seen.mean, seen.low, seen.high, unit, sign=True),
        interval(seen.low, seen.high, unit, sign=True) + ("" if seen.paired else " (unpaired)"),
        verdict,
    )


def rows(made: Examination) -> Iterator[dict[str, object]]:
    """Return every answer as a row with :data:`COLUMNS`; what is no number is ``None``."""
    for answer in made.answers:
        item, one, seen = answer.item, answer.expected, answer.found
        numbers = (seen.before, seen.after, seen.mean, seen.low, seen.high)
        asks = (item.part, item.id, item.title, measured(one), told(one))
        ends = (answer.verdict, one.limit or "", source(item, made.case), " ".join(item.because.split()))
        values = (*asks, *json_ready(numbers), seen.pairs, seen.paired, *ends)
        yield dict(zip(COLUMNS, values, strict=True))


def as_csv(made: Examination) -> str:
    """Return the rows as a file of commas."""
    import pandas as pd

    return pd.DataFrame(rows(made), columns=COLUMNS).to_csv(index=False, lineterminator="\n")


def summary(made: Examination) -> list[str]:
    """Return what came out, in sentences."""
    count = Counter(answer.verdict for answer in made.answers)
    items = len({answer.item.id for answer in made.answers})
    tally = ", ".join(f"{count[v]} {v}" for v in VERDICTS if count[v])
    lines = [f"{items} interventions, {len(made.answers)} expectations: {tally}."]
    known = sum(a.expected.limit is not None and a.verdict != "right" for a in made.answers)
    lines += [f"Marked as known limits: {known}."] if known else []
    mended = dict.fromkeys(a.item.id for a in made.answers if a.expected.limit and a.verdict == "right")
    if mended:
        lines += [f"Right, but marked as a known limit (remove the mark): {', '.join(mended)}."]
    lines += [f"Changed nothing at all, in no run: {', '.join(made.idle)}."] if made.idle else []
    if made.dropped:
        lines += [f"Dropped, as what they changed is gone: {len(made.dropped)}."]
    for kind, names in made.untouched.items():
        lines += [f"Not examined, {len(names)} {kind}: {', '.join(names)}."] if names else []
    return lines


def as_json(made: Examination) -> dict[str, object]:
    """Return the examination ready for JSON."""
    return {
        **heading(made.case),
        "digest": made.case.digest,
        "seed": made.seed,
        "runs": made.runs,
        "answers": list(rows(made)),
        "idle": list(made.idle),
        "dropped": {item.id: item.dropped for item in made.dropped},
        "not_examined": {kind: list(names) for kind, names in made.untouched.items()},
    }


HOW_TO_READ = """\
Each intervention is one change of the case, made alone. Each expectation was written down **before it was
run**, with its author and reason, in `examination.yaml` in the folder of the case. The command at the end
writes this page; with `--csv` it writes all expectations with what was found.

Run number *k* of the case and run number *k* of the changed case have the same soldiers and the same random
draws. So the difference is the effect of the change. The interval is that of the mean difference (95%,
paired t). If the change makes another force, nothing can be paired: the interval is that of two independent
means, and counts are taken per soldier if the strengths differ.

| verdict | meaning |
| --- | --- |
| right | the interval lies on the expected side, and the mean within the band if one was given |
| wrong sign | the interval lies on the other side |
| outside band | the sign is right, but the whole interval is smaller or larger than the band |
| no effect shown | a relevant effect (the near end of the band, or a tenth) would have been detected |
| too few pairs | this number of runs cannot decide |

*Not more* and *not less* are right if the interval excludes a tenth in the other direction. *The same* is
right if the interval lies within the band; *identical* if no run differs in any way. A *known limit* is a
failure that stands here until the model is corrected. A verdict is about the model, not about the country.
A right sign is no proof; it is the minimum for a theory. Of twenty effects that do not exist, about one is
told from zero by chance."""


def as_markdown(made: Examination, command: str, machine: str) -> str:
    """Return the examination as a page: verdicts by part, and every expectation that is not right.

    Parameters
    ----------
    command : the call that makes it.
    machine : what it was made on and with, in words.
    """
    case = made.case
    span = f"{case.calendar.start} to {case.calendar.end}"
    size = f"{case.value('force.strength'):,.0f} soldiers"
    about = f"{case.title}, {size}, {span}, {made.runs} runs of each variant"
    lines = ["# The model examined by intervention", "", f"{about}, seed {made.seed}.", ""]
    lines += [*(f"- {line}" for line in summary(made)), "", HOW_TO_READ, "", "## Verdicts by part", ""]
    lines += [_row(("part", *VERDICTS)), _row(["---"] * (1 + len(VERDICTS)))]
    for part in dict.fromkeys(a.item.part for a in made.answers):
        count = Counter(a.verdict for a in made.answers if a.item.part == part)
        lines.append(_row((part, *(str(count[v]) for v in VERDICTS))))
    heads = ("change", "measure", "expected", "before", "after", "interval", "verdict")
    lines += ["", "## What is not right", "", _row(heads), _row(["---"] * len(heads))]
    failed = [a for a in made.answers if a.verdict != "right"]
    for answer in failed:
        seen, expected, was, became, _, between, verdict = cells(answer)
        lines.append(_row((f"`{answer.item.id}`", seen, expected, was, became, between, verdict)))
    lines += ["", "## Why each of these was expected", ""]
    for item in {a.item.id: a.item for a in failed}.values():
        limits = dict.fromkeys(" ".join(e.limit.split()) for e in item.expected if e.limit)
        against = f", against `{item.against}`" if item.against else ""
        why = " ".join(item.because.split()).removesuffix(".")
        lines.append(f"- `{item.id}`: {item.title}{against}. {why} ({source(item, case)}).")
        lines += [f"  Known limit: {limit}" for limit in limits]
    if made.dropped:
        lines += ["", "## What was dropped", "", _row(("change", "title", "why")), _row(["---"] * 3)]
        lines += [_row((f"`{i.id}`", i.title, " ".join((i.dropped or "").split()))) for i in made.dropped]
    return "\n".join([*lines, "", "## Made with", "", f"`{command}`, {machine}.", ""])


def _row(texts: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


Verdict = Literal["right", "no effect shown", "wrong sign", "outside band", "too few pairs"]
VERDICTS: tuple[Verdict, ...] = ("right", "no effect shown", "wrong sign", "outside band", "too few pairs")
WORTH = 0.1
"""Share of what was there that an effect must have to be worth the name, where no band says more."""


@dataclass(frozen=True, slots=True)
class MeasuredEffect:
    """What became of one measure.

    Attributes
    ----------
    before, after : means over runs, without and with the change.
    mean, low, high : mean difference and its 95% interval.
    pairs : runs on each side, if as many.
    paired : whether runs share their luck; else the interval is that of two independent means.
    same : whether no run differs at all.
    """

    before: float
    after: float
    mean: float
    low: float
    high: float
    pairs: int
    paired: bool
    same: bool

    @property
    def ratio(self) -> float:
        """What it is with the change, as a multiple of what it was; nan where there was nothing."""
        return self.after / self.before if self.before else math.nan


def measured_effect(
    before: NDArray[np.float64], after: NDArray[np.float64], draw: NDArray[np.int64], paired: bool
) -> MeasuredEffect:
    """Return the difference between two ensembles, float64 (run,) each; nan where a run has no number.

    Parameters
    ----------
    draw : which draw of parameters each run had, int64 (run,).
    paired : whether run number k has the same soldiers and luck in both.
    """
    one, other = np.isfinite(before), np.isfinite(after)
    if paired:
        one = other = one & other
    a, b = before[one], after[other]
    if not (a.size and b.size):
        return MeasuredEffect(*(math.nan,) * 5, 0, paired, False)
    if paired:
        half = half_width(b - a, draw[one])
    else:
        half = math.hypot(half_width(a, draw[one]), half_width(b, draw[other]))
    was, became = float(a.mean()), float(b.mean())
    mean = became - was
    same = paired and bool((a == b).all())
    return MeasuredEffect(was, became, mean, mean - half, mean + half, min(a.size, b.size), paired, same)


def verdict(expected: Expectation, seen: MeasuredEffect) -> Verdict:
    """Return whether what was seen is what was expected."""
    if expected.sign == "identical":
        return "right" if seen.same else "too few pairs" if not seen.pairs else "wrong sign"
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


def _band(expected: Expectation, seen: MeasuredEffect) -> tuple[float, float]:
    """Return the band of the difference, as the expectation has it."""
    if expected.times is not None:
        low, high = (seen.before * times - seen.before for times in expected.times)
        return min(low, high), max(low, high)
    if expected.reaches is not None:
        return expected.reaches[0] - seen.before, expected.reaches[1] - seen.before
    return -math.inf, math.inf


CASE = "case"
"""What the case itself is called among the scenarios."""
COUNTS = ("soldiers", "persons", "plots", "pledges")
"""Units that are taken per soldier where the strength of the force differs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One expectation, what was found, and the verdict."""

    item: Intervention
    expected: Expectation
    found: MeasuredEffect
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Examination:
    """All answers, and what no intervention touches.

    Attributes
    ----------
    case : as it was examined.
    seed, runs : of the case and of each intervention.
    answers : in the order of the table.
    idle : ids of interventions that changed nothing of what is recorded, in no run.
    untouched : mechanisms, parameters and fields that no intervention of the table changes.
    dropped : interventions that are run no more, as what they changed is gone; each says why.
    """

    case: Case
    seed: int
    runs: int
    answers: tuple[Answer, ...]
    idle: tuple[str, ...]
    untouched: dict[str, tuple[str, ...]]
    dropped: tuple[Intervention, ...]


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
    worlds = (Scenario(case, item.id, (item,)) for item in table if item.id in wanted)
    return Study((Scenario(case, CASE), *worlds), runs, seed)


def examined(
    made: Study, store: Store | MemoryStore, table: Sequence[Intervention], items: Sequence[Intervention]
) -> Examination:
    """Return what was found, of the runs that a store holds."""
    worlds = {one.name: one.made for one in made.scenarios}
    case = worlds[CASE]
    runs = np.arange(made.runs)
    rows = rows_of(case, made.seed, runs)
    draw = runs if rows is None else rows

    @lru_cache(maxsize=8)
    def data(name: str) -> xr.Dataset | None:
        there = store.stored(worlds[name], made.seed).finished(range(made.runs))
        return store.result(worlds[name], made.seed, made.runs).data if there else None

    def read(name: str, one: Expectation) -> Values:
        out, mine = np.full(made.runs, np.nan), data(name)
        if mine is not None:
            out[mine["run"].values] = measure(mine, one.of, one.date, one.since, one.by)
        return out

    answers, idle = [], []
    for item in items:
        base = item.against or CASE
        paired = same_force(worlds[base], worlds[item.id])
        scale = worlds[base].value(STRENGTH) / worlds[item.id].value(STRENGTH)
        for one in item.expected:
            before, after = read(base, one), read(item.id, one)
            if scale != 1 and find(one.of).unit in COUNTS:
                after = after * scale
            seen = measured_effect(before, after, draw, paired)
            answers.append(Answer(item, one, seen, verdict(one, seen)))
        control = all(one.sign == "identical" for one in item.expected)
        if paired and not control and _same(data(base), data(item.id)):
            idle.append(item.id)
    dropped = tuple(item for item in table if item.dropped is not None)
    kept = [item for item in table if item.dropped is None]
    return Examination(
        case, made.seed, made.runs, tuple(answers), tuple(idle), untouched(case, kept), dropped
    )


def _same(one: xr.Dataset | None, other: xr.Dataset | None) -> bool:
    """Return whether all runs are the same in all that is recorded of them."""
    if one is None or other is None:
        return False
    names = [str(name) for name, variable in one.data_vars.items() if "run" in variable.dims]
    return all(one[name].equals(other[name]) for name in names)


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
