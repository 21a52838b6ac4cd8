"""The summary in plain language: every sentence is made from numbers and holds them.

What the numbers do not support is not said, or is said to be what cannot be told from zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from breakrank.questions.explain.phrases import called, changed, outcome, value
from breakrank.results.uncertainty import FIXED, chance_only
from breakrank.show.words import number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.questions.explain.data import ExplanationData, Variance
    from breakrank.questions.explain.effects import PairedEffect
    from breakrank.questions.explain.outcomes import ExplainedOutcome
    from breakrank.questions.explain.removal import Removal

Topic = Literal["removal", "variance", "made"]
NAMED = 3
"""Mechanisms that are named."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, what it is about, and the measure it is of ("" for none)."""

    topic: Topic
    text: str
    outcome: str = ""


def sentences(found: ExplanationData) -> tuple[str, ...]:
    """Return the sentences of an explanation, in order."""
    return tuple(one.text for one in told(found))


def told(found: ExplanationData) -> tuple[Sentence, ...]:
    """Return the sentences of an explanation with their topics, in order."""
    out: list[Sentence] = []
    for k, asked in enumerate(found.asked):
        name = asked.measure
        texts = removals(found.removal, asked) if k == 0 else [*strongest(found.removal, asked)]
        out += [Sentence("removal", text, name) for text in texts]
    if found.variance is not None:
        for asked in found.asked:
            out += [Sentence("variance", text, asked.measure) for text in variance(found.variance, asked)]
    out += [Sentence("made", text) for text in made(found)]
    return tuple(out)


def removals(removal: Removal, asked: ExplainedOutcome) -> list[str]:
    """Say of the first outcome which mechanisms it takes, which carry it, which cannot be told from zero."""
    effects = removal.effects(asked.measure)
    vital = [e for e in effects if e.vital]
    rest = [e for e in effects if e.told and not e.vital]
    out = []
    if vital:
        names = listed([called(e.without[0]) for e in vital], "or")
        left = listed([number(e.after) for e in vital])
        out.append(
            f"{outcome(asked)}: without {names}, each switched off alone, almost nothing remains: {left} "
            f"instead of {value(vital[0].before, asked.unit)}, in all of {vital[0].runs:,} pairs of runs."
        )
    out += [_without(removal, one, asked) for one in rest[:NAMED]]
    unclear = [e for e in effects if e.runs > 1 and not e.told]
    if unclear:
        out.append(
            f"{outcome(asked)}: the effect of {len(unclear)} of {len(effects)} mechanisms, each switched "
            f"off alone, cannot be told from zero: {listed([called(e.without[0]) for e in unclear])}."
        )
    return out


def strongest(removal: Removal, asked: ExplainedOutcome) -> Iterator[str]:
    """Say of another outcome which mechanism changes it most, besides those that it takes."""
    effects = removal.effects(asked.measure)
    found = [e for e in effects if e.told and not e.vital]
    if found:
        yield _without(removal, found[0], asked)
    elif all(e.runs > 1 for e in effects) and not any(e.vital for e in effects):
        yield (
            f"{outcome(asked)}: {value(effects[0].before, asked.unit)}, and the effect of none of "
            f"{len(effects)} mechanisms, each switched off alone, can be told from zero."
        )


def _without(removal: Removal, found: PairedEffect, asked: ExplainedOutcome) -> str:
    (name,) = found.without
    about = removal.about(name)
    return f"{outcome(asked)}: without {called(name)} ({about}), {changed(found, asked)}."


def variance(found: Variance, asked: ExplainedOutcome) -> Iterator[str]:
    """Say what accounts for the variance of an outcome over the priors."""
    screened = found.screened[asked.measure]
    known = [s for s in screened if math.isfinite(s.score)]
    if not known:
        return
    passed = [s for s in known if s.told]
    if not passed:
        yield (
            f"{outcome(asked)}: of {len(known)} parameters with a prior, the effect of none can be told "
            f"from chance with {found.bank:,} prior simulations."
        )
        return
    most = passed[0]
    way = f"a higher value goes with {'more' if most.sign > 0 else 'less'}"
    how = (
        f"it alone accounts for {percent(max(most.share, most.sign**2))} of the variance of the outcome's "
        f"rank, and {way}"
        if max(most.share, most.sign**2) >= most.spread - 1e-9
        else f"it changes the spread of the outcome, and accounts for {percent(most.spread)} of its variance"
    )
    yield (
        f"{outcome(asked)}: of {len(known)} parameters with a prior, {len(passed)} can be told from "
        f"chance with {found.bank:,} prior simulations. The first is {most.name}: {how}."
    )


def made(found: ExplanationData) -> Iterator[str]:
    """Say what the numbers rest on."""
    drawn = FIXED if chance_only(found.case) else str(found.case.draws)
    failed = f" {found.failed:,} runs failed." if found.failed else ""
    yield (
        f"These are statements on the model, not on the country: {found.runs:,} runs of each variant with "
        f"{drawn}, seed {found.seed}, in pairs with common random numbers.{failed}"
    )
