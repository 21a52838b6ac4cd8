"""An explanation made up of round numbers, for sentences, tables and charts."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

from breakrank.questions.explain.removal import ExplainedOutcome, PairedEffect, Removal, Switch
from breakrank.questions.explain.result import Explanation

LEFT = ExplainedOutcome("left_abroad", "Crossed out of the country", "soldiers", dt.date(2019, 3, 23))
HOLDS = ExplainedOutcome("regime_holds", "Regime still in place", "1 or 0")
SWITCHES = (
    Switch("routes", "ways lead out of the country"),
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
        "routes": (effect(LEFT, ("routes",), 1300, 0, 50), effect(HOLDS, ("routes",), 1, 1, 0)),
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
    return Removal((LEFT, HOLDS), SWITCHES, single)


def explanation(**changed: Any) -> Explanation:
    """Return an explanation, with other parts where they are given."""
    case = cast(
        "Any",
        SimpleNamespace(
            stands_for=1.0, id="made-up", title="Made up", draws=None, targets=(), digest="0" * 64
        ),
    )
    whole = Explanation(case, (LEFT, HOLDS), 7, 40, removal())
    return replace(whole, **changed)
