"""What a case hangs on: each national lever moved alone, in small runs with the same luck.

All levers are tried with a single run first: with the same luck on both sides, an effect that matters shows
in one. Those that move the leading figure most are tried with a few runs, and the best of them with more runs
of another seed, so that none stands at the head by luck (screening and estimation apart).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.content import Series
from breakrank.questions.compare.compare import same_force
from breakrank.questions.examine.examine import MeasuredEffect, measured_effect
from breakrank.results.measure_table import find
from breakrank.results.measures import Values, check_question, measure, read_by
from breakrank.results.outcome_names import COUNTS, called, counted_measures, leading_measure
from breakrank.runs.cases import list_cases, load_case
from breakrank.runs.memory_store import AnyStore, MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.show.terminal import say, title, wrapped
from breakrank.show.words import mean, number

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import FieldEntry
    from breakrank.runs.carry_out import Account


def show(found: Guide) -> None:
    """Print a guide."""
    say(title(f"{found.case.title}: the national numbers that matter most"))
    if found.cut_short:
        few = "a single run" if found.runs == 1 else f"{found.runs} runs"
        say(wrapped(f"Interrupted: this is a first look, with {few} of each; some of it may be luck."))
    say(wrapped(_verdict(found)))
    say()
    for k, one in enumerate(found.tried, 1):
        _lever(k, one, found)
    explained = (
        f"Of the strongest, {found.found} have an effect that chance does not explain; the others are not "
        "listed."
        if found.runs > 1
        else "What of it is chance, a single run does not tell."
    )
    say(
        wrapped(
            f"{found.every} national parameters and fields were changed, one at a time. {explained} A "
            "parameter goes from the lower to the upper tenth of its prior (or range), a field from half to "
            f"twice its values. Runs of each: {found.runs}, with a force of {found.strength:,}; counts "
            "are scaled to the whole force."
        )
    )


def _verdict(found: Guide) -> str:
    about = called(found.leading)
    if found.passed:
        return (
            f"{called(found.passed)}: hardly anyone here, so {found.leading} is looked at instead. "
            f"{_verdict(replace(found, passed=''))}"
        )
    base = number(found.base[found.leading], "people")
    if not found.tried:
        return f"{about}: {base}. No national number moves it beyond chance in these runs."
    first = found.tried[0]
    effect = first.effects[found.leading]
    words = (
        f"{about} at the end: {base} on average. It depends most on {first.lever.name}: from "
        f"{first.lever.low} to {first.lever.high} it goes from {number(effect.before, 'people')} to "
        f"{number(effect.after, 'people')}."
    )
    if found.hinge is not None:
        return f"{words} No evidence supports this number: the main result depends on one assumption."
    assumed = sum(one.lever.assumed for one in found.tried)
    return f"{words} Of the {len(found.tried)} that matter most, {assumed} are assumed without evidence."


def _lever(k: int, one: Tried, found: Guide) -> None:
    lever = one.lever
    basis = "assumed" if lever.assumed else "with evidence"
    say(f"{k:2}. {lever.name}: {lever.now} ({lever.unit}; {basis})")
    say(wrapped(f"{lever.about[:1].upper()}{lever.about[1:].rstrip('.')}.", 4))
    every = {found.leading: one.effects[found.leading]} if found.runs == 1 else one.effects
    told = [_from_to(name, each) for name, each in every.items() if found.runs == 1 or moves(each)]
    say(wrapped(f"From {lever.low} to {lever.high}: {'; '.join(told)}.", 4))
    if lever.elsewhere:
        sizes = ", ".join(f"{name} {value:.3g}" for name, value in lever.elsewhere.items())
        say(wrapped(f"In the built-in cases: {sizes}.", 4))
    say()


def _from_to(name: str, effect: MeasuredEffect) -> str:
    unit = find(name).unit
    ends = (effect.before, effect.after)
    low, high = (number(x, "people") if unit in COUNTS else mean(x, unit) for x in ends)
    return f"{called(name)} {low} to {high}"


TENTH = 0.1
"""Quantiles of a prior between which a parameter is moved: this and the one as far from the other end."""
FACTOR = 2.0
"""A field is divided and multiplied by this."""
STRENGTH = "force.strength"
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
    elsewhere : its value in each built-in case, by name; of a parameter only.
    down, up : the case with it at either end.
    """

    name: str
    about: str
    unit: str
    now: str
    low: str
    high: str
    assumed: bool
    elsewhere: Mapping[str, float]
    down: Case
    up: Case


def levers(case: Case, others: Mapping[str, Case]) -> tuple[Lever, ...]:
    """Return the levers of a case, without those that cannot be moved.

    Parameters
    ----------
    case : with values and no draws.
    others : built-in cases, by name, whose values are told beside.
    """
    return (*_parameters(case, others), *_fields(case))


def acts(case: Case, name: str) -> bool:
    """Return whether a parameter can act in a case, by what it acts through.

    Without a call-up a reserve stays at home: it would change who serves, and nothing else.
    """
    through = ACTS_THROUGH.get(name, ())
    if name == "war.evasion" and case.value("war.reserve") == 0:
        return False
    return all(bool(np.any(case.daily(field) > 0)) for field in through if field in case.catalogue.fields)


def _parameters(case: Case, others: Mapping[str, Case]) -> list[Lever]:
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
        elsewhere = {n: c.parameters[name].value for n, c in others.items() if name in c.parameters}
        down, up = (case.set({name: value}) for value in (low, high))
        now, less, more = (f"{value:.3g}" for value in (known.value, low, high))
        assumed = not known.evidence
        out.append(Lever(name, declared.about, declared.unit, now, less, more, assumed, elsewhere, down, up))
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
            Lever(name, declared.about, entry.unit, now, "half", "twice", not entry.evidence, {}, down, up)
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

Carry = Callable[[Study, AnyStore, str], "Account"]
"""Carries out a study into a store, and says what it is."""
Keep = Callable[[set[str]], AnyStore]
"""Gives a store that keeps these variables of the runs, or all."""


@dataclass(frozen=True)
class Tried:
    """A lever, and what became of each measure from its low to its high end."""

    lever: Lever
    effects: dict[str, MeasuredEffect]


@dataclass(frozen=True)
class Guide:
    """What a case hangs on.

    Attributes
    ----------
    case : as asked. leading : the measure that levers are ordered by. base : its mean in the case, and those
        of the measures beside it.
    tried : levers, those that move the leading measure most first. found : how many move it beyond chance,
        of `every`; 0 where a single run does not tell.
    strength, runs : of the last runs. passed : what the record counts most often, where that hardly happens
        in the case and so tells nothing. cut_short : whether Ctrl-C came before the last round was done.
    """

    case: Case
    leading: str
    base: dict[str, float]
    tried: tuple[Tried, ...]
    found: int
    every: int
    strength: int
    runs: int
    passed: str = ""
    cut_short: bool = False

    @property
    def hinge(self) -> Tried | None:
        """The assumed lever that the leading measure follows; ``None`` if it follows no single one.

        It moves the measure by more than the measure itself, and twice as far as the next lever does.
        """
        if not self.tried or not self.tried[0].lever.assumed:
            return None
        sizes = [abs(one.effects[self.leading].mean) for one in self.tried]
        next_one = sizes[1] if len(sizes) > 1 else 0.0
        return self.tried[0] if sizes[0] > max(2 * next_one, self.base[self.leading]) else None

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "case": self.case.id,
            "leading": self.leading,
            "passed_over": self.passed or None,
            "base": self.base,
            "strength": self.strength,
            "runs": self.runs,
            "levers_tried": self.every,
            "levers_that_move_it": self.found,
            "hinge": None if self.hinge is None else self.hinge.lever.name,
            "levers": [
                {
                    "name": one.lever.name,
                    "about": one.lever.about,
                    "unit": one.lever.unit,
                    "now": one.lever.now,
                    "low": one.lever.low,
                    "high": one.lever.high,
                    "assumed": one.lever.assumed,
                    "built_in_cases": dict(one.lever.elsewhere),
                    "effects": {
                        name: {"at_low": e.before, "at_high": e.after, "interval95": [e.low, e.high]}
                        for name, e in one.effects.items()
                        if math.isfinite(e.low + e.high)
                    },
                }
                for one in self.tried
            ],
        }


def guide(
    case: Case,
    carry: Carry,
    of: str | None = None,
    runs: int = 8,
    seed: int = 0,
    keep: Keep = MemoryStore,
) -> Guide:
    """Return which national levers of a case matter most.

    Parameters
    ----------
    case : any. Its values are used, not its draws.
    carry : carries out a study.
    of : the measure that levers are ordered by; by default what the record counts most often, of that which
        happens often enough.
    runs : of each lever at each end in the last round, at least 8.
    seed : names the luck.
    keep : where runs are kept. A store in a folder has what was finished when it is asked again.

    Raises
    ------
    UsageError
        for a measure that there is not.
    BreakrankError
        if no run finished.
    KeyboardInterrupt
        for Ctrl-C in the first round; later, what the round before found is returned.
    """
    check_question(of or leading_measure(case), None, case)
    plain = case.with_draws(None)
    strength = min(plain.force.strength, SMALL)
    small = plain.set({STRENGTH: strength}) if strength < plain.force.strength else plain
    leading = of or _happening(small, (carry, keep), seed)
    others = {name: load_case(name, "values") for name in list_cases()}
    every = levers(small, others)
    asked = (leading, *(name for name in BESIDE if name != leading))
    which = list(every)
    tried: list[Tried] = []
    base: dict[str, float] = {}
    done, cut_short = 0, False
    try:
        for few, further, luck in (*((*each, seed) for each in ROUNDS), (runs, len(every), seed + 1)):
            tried, base = _tried(small, which, asked, (few, luck), (carry, keep))
            which, done = [one.lever for one in _ordered(tried, leading)[:further]], few
    except KeyboardInterrupt:
        if not done:
            raise
        cut_short = True
    moving = [one for one in _ordered(tried, leading) if done == 1 or moves(one.effects[leading])]
    told = tuple(moving[:TOLD])
    passed = "" if of or leading == leading_measure(case) else leading_measure(case)
    sizes = (0 if done == 1 else len(moving), len(every), strength, done)
    return Guide(case, leading, base, told, *sizes, passed, cut_short)


def _happening(small: Case, how: tuple[Carry, Keep], seed: int) -> str:
    """Return the first count of the record that happens often enough; of none, the largest there is."""
    asked = tuple(dict.fromkeys((*counted_measures(small), *OTHERWISE)))
    _, base = _tried(small, (), asked, (LOOK, seed), how)
    enough = ENOUGH * small.stands_for
    return next((name for name in asked if base[name] >= enough), max(asked, key=lambda name: base[name]))


def _tried(
    case: Case,
    which: Sequence[Lever],
    asked: Sequence[str],
    how: tuple[int, int],
    made: tuple[Carry, Keep],
) -> tuple[list[Tried], dict[str, float]]:
    """Run levers at both ends; return what became of each measure, and its mean in the case."""
    (runs, seed), (carry, keep) = how, made
    ends = {f"{one.name} {end}": c for one in which for end, c in (("low", one.down), ("high", one.up))}
    scenarios = (Scenario(case, CASE), *(Scenario(c, name) for name, c in ends.items()))
    variables = {variable for name in asked for variable in read_by(name)}
    kept = keep(variables)
    if carry(Study(scenarios, runs, seed), kept, f"{len(which)} levers").interrupted:
        raise KeyboardInterrupt

    def read(world: Case) -> dict[str, Values]:
        data = kept.result(world, seed, runs, only=variables).whole.data
        return {name: measure(data, name) for name in asked}

    draw = np.arange(runs)
    out = []
    for one in which:
        low, high, paired = read(one.down), read(one.up), same_force(one.down, one.up)
        out.append(Tried(one, {name: measured_effect(low[name], high[name], draw, paired) for name in asked}))
    return out, {name: float(values.mean()) for name, values in read(case).items()}


def moves(effect: MeasuredEffect) -> bool:
    """Return whether the interval of an effect leaves out zero."""
    return effect.low > 0 or effect.high < 0


def _ordered(tried: Sequence[Tried], leading: str) -> list[Tried]:
    def size(one: Tried) -> float:
        mean = one.effects[leading].mean
        return -abs(mean) if math.isfinite(mean) else 0.0

    return sorted(tried, key=size)
