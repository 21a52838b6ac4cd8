"""What a case hangs on: each national lever moved alone, in small runs with the same random numbers.

All levers are tried with a single run first: with the same random numbers on both sides, an effect that
matters shows in one. Those that move the leading figure most are tried with a few runs, and the best of them
with more runs of another seed, so that none stands at the head by chance (screening and estimation apart).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief, text
from breakrank.case.content import Series
from breakrank.case.models_parameters import STRENGTH
from breakrank.questions.paired import (
    Reading,
    bases,
    effect,
    effect_columns,
    made_by,
    numbers,
    run_pairs,
    same_force,
)
from breakrank.results.measures import check_question, find, read_by
from breakrank.results.outcomes import COUNTS, called, counted_measures, leading_measure
from breakrank.results.paired import Difference
from breakrank.runs.study import Scenario, Study
from breakrank.runs.undated import (
    WANTED,
    Remains,
    acting,
    figure_wanted,
    first_event,
    level_measure,
    undated,
)
from breakrank.show.words import mean, number
from breakrank.wording import capitalised

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import FieldEntry
    from breakrank.questions.declared import Guide
    from breakrank.runs.carry_out import Making

TENTH = 0.1
"""Quantiles of a prior between which a parameter is moved: this and the one as far from the other end."""
FACTOR = 2.0
"""A field is divided and multiplied by this."""
ACTS_THROUGH = {
    "war.reserve": ("call_up",),
    "war.evasion": ("call_up",),
    "war.deaths": ("contact",),
    "war.opportunities": ("contact",),
    "war.lost_posts": ("contact", "held"),
    "dissolution.threat_weight": ("held",),
}
"""What parameters act through: where one of these fields is 0 on all days, they do nothing."""


@dataclass(frozen=True)
class Lever:
    """A national number that an analyst sets.

    Attributes
    ----------
    name : of the parameter or field. about, unit : as declared.
    now, low, high : its value in words, and both ends of the step.
    assumed : whether no observation of the ledger stands behind it.
    down, up : the case with it at either end.
    """

    name: str
    about: str
    unit: str
    now: str
    low: str
    high: str
    assumed: bool
    down: Case
    up: Case


def levers(case: Case) -> tuple[Lever, ...]:
    """Return the levers of a case, without those that cannot be moved.

    Parameters
    ----------
    case : with values and no draws.
    """
    return (*_parameters(case), *_fields(case))


def acts(case: Case, name: str) -> bool:
    """Return whether a parameter can act in a case, by what it acts through.

    Without a call-up a reserve stays at home: it would change who serves, and nothing else.
    """
    through = ACTS_THROUGH.get(name, ())
    if name == "war.evasion" and case.value("war.reserve") == 0:
        return False
    return all(bool(np.any(case.daily(field) > 0)) for field in through if field in case.catalogue.fields)


def _parameters(case: Case) -> list[Lever]:
    out = []
    for name, declared in case.catalogue.parameters.items():
        if declared.scope != "national" or name == STRENGTH or name not in case.parameters:
            continue
        known = case.parameters[name]
        if not acts(case, name):
            continue
        if known.prior is None and known.value == known.low:
            continue  # it is not there, and nothing is said of how much there could be
        ends = (known.low, known.high)
        if known.prior is not None:
            ends = (known.prior.quantile(TENTH), known.prior.quantile(1 - TENTH))
        low, high = min(known.value, *ends), max(known.value, *ends)
        if low == high:
            continue
        down, up = (case.set({name: value}) for value in (low, high))
        now, less, more = (f"{value:.3g}" for value in (known.value, low, high))
        assumed = not known.evidence
        out.append(Lever(name, declared.about, declared.unit, now, less, more, assumed, down, up))
    return out


def _fields(case: Case) -> list[Lever]:
    out = []
    for name, entry in case.content.fields.items():
        down, up = (_scaled(case, name, entry, factor) for factor in (1 / FACTOR, FACTOR))
        if down.digest == case.digest and up.digest == case.digest:
            continue  # it is 0 throughout, or at its bound: events alone move it
        declared = case.catalogue.fields[name]
        now = f"{entry.value:.3g}" if entry.value is not None else f"table {entry.file}"
        out.append(
            Lever(name, declared.about, entry.unit, now, "half", "twice", not entry.evidence, down, up)
        )
    return out


def _scaled(case: Case, name: str, entry: FieldEntry, factor: float) -> Case:
    """Return a case whose field is a multiple of what it was, within the bounds of the field."""
    declared, content = case.catalogue.fields[name], case.content

    def moved(value: float) -> float:
        return min(max(factor * value, declared.low), declared.high)

    if entry.file is None:
        assert entry.value is not None  # a field has a value or a table
        changed = entry.model_copy(update={"value": moved(entry.value)})
        content = replace(content, fields={**content.fields, name: changed})
    else:
        old = content.series[entry.file]
        series = Series(old.dates, old.ids, tuple(moved(value) for value in old.values))
        content = replace(content, series={**content.series, entry.file: series})
    return type(case)(content, case.catalogue, case.draws)


CASE = "case"
LOOK = 4
"""Runs in which it is looked at what happens in the case."""
ROUNDS = ((1, 20), (3, 12))
"""Rounds of the screening: runs of each lever at each end, and how many levers are tried further."""
TOLD = 10
"""Levers that are told of."""
SMALL = 5_000
"""Soldiers of the force at most: rates do not depend on the size of the force."""
ENOUGH = 10
"""Soldiers in a small run, on average, from which a count can be led by."""
OTHERWISE = ("left_abroad", "quiet_desertion")
"""Counts that are looked at beside those of the record."""
BESIDE = ("open_defection", "uprisings", "regime_holds")
"""Measures told beside the leading one."""


@dataclass(frozen=True)
class Tried:
    """A lever, and what became of each measure from its low to its high end."""

    lever: Lever
    effects: Mapping[str, Difference]


@dataclass(frozen=True)
class Screening:
    """What the rounds found.

    Attributes
    ----------
    leading : the measure that levers are ordered by. base : means of all measures in the case.
    tried : levers, those that move the leading measure most first. moving : how many of `every` move it
        beyond chance; 0 where a single run does not tell.
    strength, runs : of the last runs. passed : what the record counts most often, where that hardly happens
        in the case and so tells nothing.
    undated : what remains of what leads (of the level's count, where that is no count) without any dated
        event, under ``""``, and without each alone, by its id; empty without events, or interrupted.
    """

    leading: str
    base: Mapping[str, float]
    tried: tuple[Tried, ...]
    moving: int
    every: int
    strength: int
    runs: int
    passed: str = ""
    undated: Mapping[str, Remains] = field(default_factory=dict)


def guided(question: Guide, case: Case, making: Making) -> Answer:
    """Return which national levers of a case matter most; its values are used, not its draws.

    Raises
    ------
    KeyboardInterrupt
        for Ctrl-C in the first round; later, what the round before found is the answer.
    """
    return answer_of(
        screened(question, case, making), case, made_by(making, case, question.runs, question.seed)
    )


def screened(question: Guide, case: Case, making: Making) -> Screening:
    """Return the effect of moving each lever alone, the strongest in three rounds of more runs."""
    of, seed = question.of, question.seed
    check_question(of or leading_measure(case), None, case)
    plain = case.with_draws(None)
    strength = min(plain.force.strength, SMALL)
    small = plain.set({STRENGTH: strength}) if strength < plain.force.strength else plain
    leading = of or _happening(small, making, seed)
    every = levers(small)
    measures = (leading, *(name for name in BESIDE if name != leading))
    which: Sequence[Lever] = every
    tried: list[Tried] = []
    base: dict[str, float] = {}
    done = 0
    remains: dict[str, Remains] = {}
    try:
        for few, further, luck in (
            *((*each, seed) for each in ROUNDS),
            (question.runs, len(every), seed + 1),
        ):
            tried, base = _tried(small, which, measures, (few, luck), making)
            which, done = [one.lever for one in _ordered(tried, leading)[:further]], few
        remains = _undated(small, leading, (question.runs, seed + 1), making)
    except KeyboardInterrupt:
        if not done:
            raise
    moving = [one for one in _ordered(tried, leading) if done == 1 or one.effects[leading].told]
    passed = "" if of or leading == leading_measure(case) else leading_measure(case)
    counts = (0 if done == 1 else len(moving), len(every), strength, done)
    return Screening(leading, base, tuple(moving[:TOLD]), *counts, passed, remains)


def _undated(small: Case, leading: str, how: tuple[int, int], making: Making) -> dict[str, Remains]:
    """Return the share of a count that remains without dated events, and without each (`Screening`)."""
    events, (runs, seed) = acting(small), how
    if not events:
        return {}
    name = leading if find(leading).unit in COUNTS else level_measure(small)
    removed = {"": undated(small, events, "without dated events")}
    removed |= {e.id: undated(small, [e], f"without {e.id}") for e in events}
    study = Study((Scenario(small, CASE), *removed.values()), runs, seed)
    pairs = run_pairs(study, making, f"{small.title}, {len(events)} dated events", set(read_by(name)))
    if making.accounts[-1].interrupted:
        raise KeyboardInterrupt
    before = pairs.read(CASE, Reading(name)).mean()
    return {
        key: Remains(name, float(before), float(pairs.read(one.name, Reading(name)).mean()), runs)
        for key, one in removed.items()
    }


def _happening(small: Case, making: Making, seed: int) -> str:
    """Return the first count of the record that happens often enough; of none, the largest there is."""
    names = tuple(dict.fromkeys((*counted_measures(small), *OTHERWISE)))
    _, base = _tried(small, (), names, (LOOK, seed), making)
    enough = ENOUGH * small.stands_for
    return next((name for name in names if base[name] >= enough), max(names, key=lambda name: base[name]))


def _tried(
    case: Case, which: Sequence[Lever], measures: Sequence[str], how: tuple[int, int], making: Making
) -> tuple[list[Tried], dict[str, float]]:
    """Run levers at both ends; return what became of each measure, and its mean in the case."""
    runs, seed = how
    ends = {f"{one.name} {end}": c for one in which for end, c in (("low", one.down), ("high", one.up))}
    study = Study((Scenario(case, CASE), *(Scenario(c, name) for name, c in ends.items())), runs, seed)
    variables = {variable for name in measures for variable in read_by(name)}
    pairs = run_pairs(study, making, f"{case.title}, {len(which)} levers", variables)
    if making.accounts[-1].interrupted:
        raise KeyboardInterrupt
    draw, found = np.arange(runs), []
    for one in which:
        paired = same_force(one.down, one.up)
        low, high = f"{one.name} low", f"{one.name} high"
        effects = {}
        for name in measures:
            before, after = (pairs.read(end, Reading(name)) for end in (low, high))
            effects[name] = effect(name, before, after, draw, paired=paired)
        found.append(Tried(one, effects))
    return found, {name: float(pairs.read(CASE, Reading(name)).mean()) for name in measures}


def _ordered(tried: Sequence[Tried], leading: str) -> list[Tried]:
    def size(one: Tried) -> float:
        mean = one.effects[leading].mean
        return -abs(mean) if math.isfinite(mean) else 0.0

    return sorted(tried, key=size)


def answer_of(found: Screening, case: Case, made: Provenance) -> Answer:
    """Return the answer that a screening comes to."""
    tried, first = found.tried, first_event(case)
    assumed = sum(one.lever.assumed for one in tried)
    return Answer(
        question="case guide",
        title=f"{case.title}: the national numbers that matter most",
        finding=finding(found),
        doubt=f"Of the {len(tried)} that matter most, {assumed} are assumed without evidence."
        if found.runs > 1
        else "Interrupted: this is a first look, with a single run of each; some of it may be chance.",
        tables=(_levers(tried), _effects(found), _base(found), _events(found, case)),
        figures=(_dots(found),),
        notes=(*_notes(found), *([f"{capitalised(figure_wanted(first))}. {WANTED}"] if first else [])),
        evidence=bases(case, [one.lever.name for one in tried]),
        provenance=replace(made, runs=found.runs),
    )


def finding(found: Screening) -> str:
    """Return which lever moves the leading measure most, and from what to what."""
    about, base = called(found.leading), number(found.base[found.leading], "people")
    if not found.tried:
        return brief(f"{about}: {base}. No national number moves it beyond chance in these runs.")
    first = found.tried[0]
    d = first.effects[found.leading]
    ends = f"{number(d.before, 'people')} to {number(d.after, 'people')}"
    return brief(
        f"{about}: {base}; {first.lever.name} moves it most, from {ends} between {first.lever.low} and "
        f"{first.lever.high}."
    )


def _notes(found: Screening) -> Iterable[str]:
    if found.passed:
        yield f"{called(found.passed)}: hardly anyone here, so {found.leading} is looked at instead."
    if "" in found.undated and found.undated[""].before > 0:
        level = found.undated[""]
        yield level.said + (" Most of it is level: events hardly matter." if level.is_level else "")
    for one in found.tried:
        every = {found.leading: one.effects[found.leading]} if found.runs == 1 else one.effects
        said = [_from_to(name, d) for name, d in every.items() if found.runs == 1 or d.told]
        yield f"{one.lever.name} from {one.lever.low} to {one.lever.high}: {'; '.join(said)}."
    explained = (
        f"Of the strongest, {found.moving} have an effect that chance does not explain; the others are not "
        "listed."
        if found.runs > 1
        else "What of it is chance, a single run does not tell."
    )
    yield (
        f"{found.every} national parameters and fields were changed, one at a time. {explained} A parameter "
        "goes from the lower to the upper tenth of its prior (or range), a field from half to twice its "
        f"values. Runs of each: {found.runs}, with a force of {found.strength:,}; counts are scaled to the "
        "whole force."
    )


def _from_to(name: str, d: Difference) -> str:
    low, high = (number(x, "people") if d.unit in COUNTS else mean(x, d.unit) for x in (d.before, d.after))
    return f"{called(name)} {low} to {high}"


_NAME = text("name", "number")


def _levers(tried: Sequence[Tried]) -> Table:
    columns = (
        _NAME,
        text("about", "what it is"),
        text("unit", "unit"),
        text("now", "now"),
        text("low", "low"),
        text("high", "high"),
        Column("assumed", "assumed", kind="flag"),
    )
    rows = [{one.name: getattr(each.lever, one.name) for one in columns} for each in tried]
    return Table.of("levers", "The strongest first", columns, rows, key="name")


def _effects(found: Screening) -> Table:
    columns = (
        _NAME,
        text("measure", "Measure (name)", shown=False),
        text("label", "measure"),
        *effect_columns("at low", "at high", "difference", shown=False),
    )
    rows = [
        {"name": one.lever.name, "measure": name, "label": called(name)} | numbers(d)
        for one in found.tried
        for name, d in one.effects.items()
        if math.isfinite(d.low + d.high) or (found.runs == 1 and name == found.leading)
    ]
    note = "Mean differences from low to high; a dot where one cannot be told from zero (95% interval)."
    title = "What a step changes"
    return Table.of("effects", title, columns, rows, across="label", cell="mean", note=note)


def _base(found: Screening) -> Table:
    columns = (
        text("measure", "Measure (name)", shown=False),
        text("label", "measure"),
        text("unit", "Unit", shown=False),
        Column("mean", "mean in the case", unit_in="unit"),
    )
    rows = [
        {"measure": name, "label": called(name), "unit": find(name).unit, "mean": value}
        for name, value in found.base.items()
    ]
    return Table.of("base", "In the case", columns, rows, key="measure")


def _events(found: Screening, case: Case) -> Table:
    titles = {e.id: e.title for e in case.events} | {"": "any dated event"}
    columns = (
        text("event", "Event (id)", shown=False),
        text("title", "without"),
        text("measure", "Measure (name)", shown=False),
        Column("before", "with all events", kind="count", shown=False),
        Column("after", "remain", kind="count"),
        Column("share", "share", kind="share"),
    )
    rows = [
        {"event": key, "title": titles[key], "measure": one.measure, "before": one.before}
        | {"after": one.after, "share": one.share}
        for key, one in sorted(found.undated.items(), key=lambda each: (each[0] != "", each[1].after))
    ]
    return Table.of("events", "Without dated events", columns, rows, key="event", note="Means over runs.")


def _dots(found: Screening) -> Figure:
    return Figure(
        name="levers",
        title=finding(found),
        kind="dots",
        table="effects",
        x="name",
        y=("mean",),
        low="low",
        high="high",
        where=(("measure", found.leading),),
        note=f"{called(found.leading)}: difference from the low to the high end, with its 95% interval",
    )
