"""What worlds learned of each parameter: how far it has moved from its prior, and whether beyond chance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.model import MECHANISMS
from breakrank.show import vegalite as vl
from breakrank.show.evidence import SUBSYSTEMS
from breakrank.show.look import Look, titled
from breakrank.show.sheet import Drawn, Sheet

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.worlds import Worlds

CHANCE = 1.628
"""Times the root of the number of worlds, what 99% of samples from the prior stay below (Kolmogorov 1933)."""


@dataclass(frozen=True)
class LearnedParameter:
    """How far a parameter has moved.

    Attributes
    ----------
    name : of the parameter. subsystem : number of its part of the system, 1 to 14; 0 for none.
    moved : largest difference between the shares of worlds and of the prior below a value, 0 to 1.
    beyond : whether chance alone would move it as far in less than 1% of cases.
    middle : where the median of the worlds lies in the prior, 0 to 1.
    """

    name: str
    subsystem: int
    moved: float
    beyond: bool
    middle: float


def learned(case: Case, worlds: Worlds) -> tuple[LearnedParameter, ...]:
    """Return what worlds learned of each parameter that has a prior, the most moved first.

    Worlds that share a draw are no evidence of their own: the level of chance is that of the number of
    independent worlds that they are worth.
    """
    numbers = {kind.name: kind.subsystem for kind in MECHANISMS} | {"force": 1}
    read_by = {field.name: kind.subsystem for kind in reversed(MECHANISMS) for field in kind.fields}
    numbers |= {name: read_by.get(one.field, 0) for name, one in case.forcing.items()}
    level = CHANCE / math.sqrt(worlds.about["effective"])
    found = []
    for name, column in zip(worlds.draws.names, worlds.draws.values.T, strict=True):
        known = case.parameters.get(name)
        if known is None or known.prior is None:
            continue
        prior = known.prior
        below = np.sort([prior.cdf(float(value)) for value in column])
        steps = np.arange(len(below) + 1) / len(below)
        moved = float(max((steps[1:] - below).max(), (below - steps[:-1]).max()))
        number = numbers.get(name, numbers.get(name.partition(".")[0], 0))
        found.append(LearnedParameter(name, number, moved, moved > level, float(np.median(below))))
    return tuple(sorted(found, key=lambda one: -one.moved))


def in_words(found: Iterable[LearnedParameter]) -> str:
    """Return what was learned, in a paragraph."""
    every = list(found)
    beyond = [one for one in every if one.beyond]
    silent = [
        label for number, label in SUBSYSTEMS.items() if not any(one.subsystem == number for one in beyond)
    ]
    words = (
        f"Of {len(every)} parameters, {len(beyond)} have moved from their priors beyond chance; about "
        f"{math.ceil(len(every) / 100)} would by chance alone."
    )
    if beyond:
        ways = ", ".join(f"{one.name} ({'up' if one.middle > 0.5 else 'down'})" for one in beyond[:5])
        words += f" Most of all: {ways}."
    if silent:
        words += f" Of no parameter of these parts does the record say anything: {'; '.join(silent)}."
    return words


def chart(found: Iterable[LearnedParameter], effective: float, look: Look) -> Drawn:
    """Return how far parameters have moved: a line for each part of the system, a dot for each parameter."""
    every = [one for one in found if one.subsystem]
    theme, sheet = look.theme, Sheet()
    labels = list(SUBSYSTEMS.values())
    level = CHANCE / math.sqrt(effective)
    data = [
        {
            "of": SUBSYSTEMS[one.subsystem],
            "moved": one.moved,
            "kind": "beyond chance" if one.beyond else "within",
        }
        for one in every
    ]
    names = []
    for label in labels:
        mine = [one for one in every if SUBSYSTEMS[one.subsystem] == label and one.beyond]
        if mine:
            more = f" and {len(mine) - 1} more" if len(mine) > 1 else ""
            names.append({"of": label, "moved": mine[0].moved, "name": mine[0].name.partition(".")[2] + more})
    x = vl.field("moved:Q", title=None, scale=vl.Scale(domain=[0, 0.6]), axis=vl.Axis(tickCount=6))
    y = vl.field("of:N", title=None, sort=labels, scale=vl.Scale(domain=labels))
    band = sheet.on([{"a": 0.0, "b": level}])
    within = sheet.on([d for d in data if d["kind"] == "within"])
    beyond = sheet.on([d for d in data if d["kind"] != "within"])
    named = sheet.on(names)
    layers = [
        band.mark("rect", color=theme.loyal, opacity=0.6).encode(x=vl.field("a:Q", title=None), x2="b:Q"),
        within.mark("tick", color=theme.muted, thickness=1, opacity=0.6).encode(x=x, y=y),
        beyond.mark("circle", color=theme.baseline, size=46, opacity=1).encode(x=x, y=y),
        named.mark("text", align="left", dx=7, color=theme.ink).encode(x=x, y=y, text="name:N"),
    ]
    lines = [
        "one mark a parameter: the most by which shares of worlds and of the prior below a value differ",
        f"band: where 99% stay if nothing is learned, {effective:.0f} independent worlds; blue: beyond it",
    ]
    title = titled("What the record taught", lines, look, look.wide)
    return sheet.drawn(layers, look.wide - 200, 14 * 22, title)
