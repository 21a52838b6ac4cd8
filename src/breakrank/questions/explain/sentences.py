"""The summary in plain language: every sentence is made from numbers and holds them.

What the numbers do not support is not said, or is said to be what cannot be told from zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from breakrank.engine.codes import LEAVE
from breakrank.questions.explain.phrases import (
    between,
    called,
    changed,
    outcome,
    share_between,
    shares,
    signed,
    value,
)
from breakrank.questions.explain.sobol import LUCK, OTHERS, TOGETHER
from breakrank.results.uncertainty import FIXED, chance_only
from breakrank.show import words
from breakrank.show.words import number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.questions.explain.data import ExplanationData, Variance
    from breakrank.questions.explain.effects import PairedEffect
    from breakrank.questions.explain.outcomes import ExplainedOutcome
    from breakrank.questions.explain.removal import Removal
    from breakrank.questions.explain.scales import Scales, TermWeight
    from breakrank.questions.explain.sobol import Share

Topic = Literal["stay", "removal", "pairs", "variance", "made"]
NAMED = 3
"""Mechanisms, and terms to either side, that are named."""


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
    if found.scales is not None:
        out += [Sentence("stay", text) for text in _stay(found.scales)]
    for k, asked in enumerate(found.asked):
        name = asked.measure
        texts = removals(found.removal, asked) if k == 0 else [*strongest(found.removal, asked)]
        out += [Sentence("removal", text, name) for text in texts]
    first = found.asked[0]
    if found.removal.beyond:
        out += [Sentence("pairs", text, first.measure) for text in interactions(found.removal, first)]
    if found.variance is not None:
        for asked in found.asked:
            out += [Sentence("variance", text, asked.measure) for text in variance(found.variance, asked)]
    out += [Sentence("made", text) for text in made(found)]
    return tuple(out)


def _stay(scales: Scales) -> Iterator[str]:
    yield from served(scales)
    yield from considered(scales)
    yield from weighed(scales)
    yield from heaviest(scales)


def served(scales: Scales) -> Iterator[str]:
    """Say how many served to the end, and how many of them were opposed."""
    if not scales.served.runs:
        return
    though = "although" if scales.opposed.value > 0.5 else "and"
    yield (
        f"Of all soldiers {shares(scales.served)} served to the end, {though} {shares(scales.opposed)} "
        f"of them were "
        f"privately opposed by then."
    )


def considered(scales: Scales) -> Iterator[str]:
    """Say how many of the opposed who stayed could have gone, how often, and how likely that was."""
    if not (scales.considered.runs and scales.moments.runs):
        return
    yield (
        f"Of those who stayed although opposed, {shares(scales.considered)} had moments of decision at "
        f"which they could leave, {number(scales.moments.value)} on average. The mean probability of leaving "
        f"at such a moment was {shares(scales.chance)}."
    )


def weighed(scales: Scales, option: int = LEAVE) -> Iterator[str]:
    """Say what spoke against leaving the country at those moments, and what for it, the heaviest first."""
    against, favour = scales.against(option)[: NAMED + 1], scales.favour(option)[:NAMED]
    if not against:
        return
    says = f"The main reasons against leaving the country were {listed([_weight(w) for w in against])}"
    says += f"; the main reasons for it were {listed([_weight(w) for w in favour])}" if favour else ""
    yield f"{says} (mean log-odds against staying over their moments; 0.7 doubles or halves the odds)."
    base = sum(w.value.value for w in scales.weights if w.option == option and w.base)
    if base:
        yield (
            f"Without cause, fear or ties a soldier leaves with log-odds of {signed(base, '')} at a moment: "
            f"the base rate of a rare act. It is the same for all and is not a motive."
        )


def _weight(weight: TermWeight) -> str:
    number = signed(weight.value.value, "")
    low, high = weight.value.low, weight.value.high
    about = weight.about.partition(",")[0]
    if not math.isfinite(low) or low == high:
        return f"{about} ({number})"
    number = words.between(weight.value.value, low, high, sign=True)
    return f"{about} ({number}, 95% interval {words.interval(low, high, sign=True)})"


def heaviest(scales: Scales, option: int = LEAVE) -> Iterator[str]:
    """Say which of the terms that differ between soldiers spoke most against going, and for how many."""
    found = [w for w in scales.against(option) if w.heaviest.runs]
    if not found:
        return
    most = max(found, key=lambda w: w.heaviest.value)
    if most.heaviest.value > 0:
        yield (
            f"Among the terms that differ between soldiers, \u201c{most.about.partition(',')[0]}\u201d "
            f"weighed most against leaving the "
            f"country for {shares(most.heaviest)} of them."
        )


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


def interactions(removal: Removal, asked: ExplainedOutcome) -> Iterator[str]:
    """Say which pairs do more or less together than each alone; pairs that leave nothing are left out."""
    single = {e.without[0]: e for e in removal.effects(asked.measure)}
    found = [
        e
        for e in removal.interactions(asked.measure)
        if e.told and not any(single[m].vital for m in e.without)
    ]
    for one in sorted(found, key=lambda e: -abs(e.mean))[:NAMED]:
        # the effect of the second where the first is gone, against its effect as the case is
        first, second = sorted(one.without, key=lambda m: -abs(single[m].mean))
        alone, then = single[second].mean, one.after - single[first].after
        yield (
            f"{outcome(asked)}: switching off {called(second)} alone changes it by "
            f"{signed(alone, asked.unit)}, and by {signed(then, asked.unit)} if {called(first)} is already "
            f"off. The difference is their interaction: "
            f"{signed(one.mean, asked.unit)}{between(one.low, one.high, asked.unit)}."
        )
    pairs = removal.interactions(asked.measure)
    if not found and pairs and all(e.runs > 1 for e in pairs):
        yield (
            f"{outcome(asked)}: of {len(pairs)} pairs of mechanisms, none has an interaction that can "
            f"be told from zero, apart from mechanisms without which almost nothing remains."
        )


def variance(found: Variance, asked: ExplainedOutcome) -> Iterator[str]:
    """Say what accounts for the variance of an outcome over the priors."""
    yield from _shares(found, asked)
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


def _shares(found: Variance, asked: ExplainedOutcome) -> Iterator[str]:
    known = {s.group: s for s in found.shares.get(asked.measure, ())}
    if not known or not math.isfinite(known[LUCK].total):
        return
    what = f"{asked.label[0].lower()}{asked.label[1:]} {asked.when}"
    scale = f"the logarithm of {what}" if asked.counted else what
    yield (
        f"Over the priors, {_part(known[TOGETHER], alone=True)} of the variance of {scale} is due to the "
        f"parameters together; {_part(known[LUCK])} would remain as chance if all of them were known."
    )
    own = [s for g, s in known.items() if g not in (LUCK, TOGETHER, OTHERS) and s.told]
    if not own:
        yield (
            f"{outcome(asked)}: with {found.rows:,} rows, no mechanism's parameters have a share that can be "
            "told from zero."
        )
        return
    most = sorted(own, key=lambda s: -s.total)[:NAMED]
    yield (
        f"{outcome(asked)}: the parameters of these mechanisms have the largest shares, with all they "
        f"interact with: {listed([f'{called(s.group)} {_part(s)}' for s in most])}."
    )


def _part(share: Share, *, alone: bool = False) -> str:
    """Return a total share, or that of a group alone, with its interval, within 0 and 1."""
    value_, low, high = (
        (share.first, share.first_low, share.first_high)
        if alone
        else (share.total, share.total_low, share.total_high)
    )
    return share_between(value_, low, high)


def made(found: ExplanationData) -> Iterator[str]:
    """Say what the numbers rest on."""
    drawn = FIXED if chance_only(found.case) else str(found.case.draws)
    failed = f" {found.failed:,} runs failed." if found.failed else ""
    yield (
        f"These are statements on the model, not on the country: {found.runs:,} runs of each variant with "
        f"{drawn}, seed {found.seed}, in pairs with common random numbers.{failed}"
    )
