"""An explanation made up of round numbers, for sentences, tables and charts."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from breakrank.engine.codes import DESERT, LEAVE
from breakrank.questions.explain.data import Variance
from breakrank.questions.explain.effects import PairedEffect
from breakrank.questions.explain.outcomes import ExplainedOutcome
from breakrank.questions.explain.removal import Removal, Switch
from breakrank.questions.explain.result import Explanation
from breakrank.questions.explain.scales import Mean, Scales, TermWeight
from breakrank.questions.explain.screening import Screened
from breakrank.questions.explain.sobol import LUCK, TOGETHER, Group, Share

LEFT = ExplainedOutcome("left_abroad", "Crossed out of the country", "soldiers", dt.date(2019, 3, 23))
HOLDS = ExplainedOutcome("regime_holds", "Regime still in place", "1 or 0")
SWITCHES = (
    Switch("ways_out", "ways lead out of the country"),
    Switch("fear", "soldiers weigh the risk"),
    Switch("grievance", "soldiers feel hardship"),
    Switch("plots", "soldiers plot"),
)


def effect(
    asked: ExplainedOutcome,
    without: tuple[str, ...],
    before: float,
    after: float,
    half: float,
    sign: float = 1.0,
) -> PairedEffect:
    """Return an effect with an interval of so much to either side."""
    mean = after - before
    low, high = mean - half, mean + half
    return PairedEffect(asked.measure, without, before, after, mean, low, high, low, high, sign, 1.0, 40)


def removal(**fear: float) -> Removal:
    """Return effects of four mechanisms: one vital, one of more, one of less, one of nothing."""
    more = {"after": 36_000.0, "half": 500.0, **fear}
    single = {
        "ways_out": (effect(LEFT, ("ways_out",), 1300, 0, 50), effect(HOLDS, ("ways_out",), 1, 1, 0)),
        "fear": (
            effect(LEFT, ("fear",), 1300, more["after"], more["half"]),
            effect(HOLDS, ("fear",), 1, 0.4, 0.2, 0.6),
        ),
        "grievance": (
            effect(LEFT, ("grievance",), 1300, 300, 40),
            effect(HOLDS, ("grievance",), 1, 1, 0),
        ),
        "plots": (effect(LEFT, ("plots",), 1300, 1301, 12, 0.5), effect(HOLDS, ("plots",), 1, 1, 0)),
    }
    pair = ("fear", "grievance")
    both = {pair: (effect(LEFT, pair, 1300, 9000, 300), effect(HOLDS, pair, 1, 0.9, 0.3))}
    beyond = {pair: (effect(LEFT, pair, 35_000, 9000, 700), effect(HOLDS, pair, 0.4, 0.9, 0.6))}
    return Removal((LEFT, HOLDS), SWITCHES, single, both, beyond, np.ones((2, 40)))


def mean(value: float, half: float = 0.01) -> Mean:
    return Mean(value, value - half, value + half, 4)


def scales(served: float = 0.974, opposed: float = 0.805, fear: float = -1.96) -> Scales:
    """Return what was on the scales."""
    weights = (
        TermWeight(
            "decision.habit_leave", "how rare leaving is", LEAVE, mean(-9.73, 0), mean(0, 0), base=True
        ),
        TermWeight("fear.risk", "watched and caught", LEAVE, mean(fear, 0.05), mean(0.9)),
        TermWeight("decision.breadwinner", "dependants to feed", LEAVE, mean(-0.5), mean(0.1)),
        TermWeight("challenger.pull", "the challenger is believed in", LEAVE, mean(2.4), mean(0, 0)),
        TermWeight("fear.risk", "watched and caught", DESERT, mean(-0.98), mean(0.9)),
    )
    return Scales(mean(served), mean(opposed), mean(0.86), mean(2.64), mean(0.012, 0.001), weights)


def share(group: str, first: float, total: float, half: float = 0.05) -> Share:
    return Share(group, first, first - half, first + half, total, total - half, total + half)


def screened(name: str, share_: float, sign: float, score: float, spread: float = 0.0) -> Screened:
    return Screened(name, share_, spread, sign, score, 4.0)


def variance() -> Variance:
    """Return shares of variance: of leaving they are told, of the regime's fall nothing is."""
    left = (
        share(LUCK, 0.01, 0.06),
        share(TOGETHER, 0.93, 0.99),
        share("challenger", 0.2, 0.5),
        share("fear", 0.1, 0.3),
        share("all others", 0.05, 0.1),
    )
    nothing = tuple(Share(s.group, *(math.nan,) * 6) for s in left)
    told = (screened("challenger.weight", 0.33, 0.57, 12.0), screened("fear.weight", 0.1, -0.3, 5.0))
    return Variance(
        {
            "left_abroad": (*told, screened("plots.start", 0.0, 0.0, 0.1)),
            "regime_holds": tuple(Screened(s.name, *(math.nan,) * 5) for s in told),
        },
        (Group("challenger", (0,)), Group("fear", (1,)), Group("all others", (2,))),
        {"left_abroad": left, "regime_holds": nothing},
        1024,
        128,
    )


def explanation(**changed: Any) -> Explanation:
    """Return an explanation, with other parts where they are given."""
    case = cast(
        "Any",
        SimpleNamespace(
            stands_for=1.0, id="made-up", title="Made up", draws=None, targets=(), digest="0" * 64
        ),
    )
    whole = Explanation(case, (LEFT, HOLDS), 7, 40, removal(), scales(), variance())
    return replace(whole, **changed)
