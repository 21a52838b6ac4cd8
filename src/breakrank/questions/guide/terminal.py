"""What a case hangs on, on the terminal: a verdict, then the levers that matter most."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from breakrank.questions.guide.guide import moves
from breakrank.results.measure_table import find
from breakrank.results.outcome_names import COUNTS, called
from breakrank.runs.ceiling import REMEDY
from breakrank.show.terminal import say, title, wrapped
from breakrank.show.words import mean, number

if TYPE_CHECKING:
    from breakrank.questions.examine.examine import MeasuredEffect
    from breakrank.questions.guide.guide import Guide, Tried


def show(found: Guide) -> None:
    """Print a guide."""
    say(title(f"{found.case.title}: the national numbers that matter most"))
    if found.cut_short:
        few = "a single run" if found.runs == 1 else f"{found.runs} runs"
        say(wrapped(f"Interrupted: this is a first look, with {few} of each; some of it may be luck."))
    say(wrapped(_verdict(found)))
    if found.ceiling is not None and found.ceiling.binds:
        words = found.ceiling.words
        say(wrapped(f"{words[:1].upper()}{words[1:]}. {REMEDY}"))
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
