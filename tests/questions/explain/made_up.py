"""An explanation made up of round numbers, for sentences and tables."""

import datetime as dt
import math
from dataclasses import replace
from typing import Any

from breakrank import load_case
from breakrank.answer.answer import Answer, provenance
from breakrank.questions.explain import ExplainedOutcome, Removal, Switch, answer_of
from breakrank.results.paired import Difference

LEFT = ExplainedOutcome("left_abroad", "Crossed out of the country", "soldiers", dt.date(2019, 3, 23))
HOLDS = ExplainedOutcome("regime_holds", "Regime still in place", "1 or 0")
ABOUT = {
    "routes": "ways lead out of the country",
    "fear": "soldiers weigh the risk",
    "grievance": "soldiers feel hardship",
    "plots": "soldiers plot",
}


def effect(
    asked: ExplainedOutcome, mechanism: str, before: float, after: float, half: float, sign: float = 1.0
) -> Removal:
    """Return an effect with an interval of so much to either side."""
    mean = after - before
    more, less = (sign, 1 - sign) if mean > 0 else (0.0, sign)
    ends = (mean - half, mean + half)
    named = (asked.measure, asked.label, asked.unit)
    found = Difference(*named, before, after, mean, *ends, more, less, math.nan, 40, 40)
    return Removal(Switch(mechanism, ABOUT[mechanism]), asked, found)


def removals() -> list[list[Removal]]:
    """Return effects of four mechanisms: one vital, one of more, one of less, one of nothing."""
    return [
        [effect(LEFT, "routes", 1300, 0, 50), effect(HOLDS, "routes", 1, 1, 0)],
        [effect(LEFT, "fear", 1300, 36_000, 500), effect(HOLDS, "fear", 1, 0.4, 0.2, 0.6)],
        [effect(LEFT, "grievance", 1300, 300, 40), effect(HOLDS, "grievance", 1, 1, 0)],
        [effect(LEFT, "plots", 1300, 1301, 12, 0.5), effect(HOLDS, "plots", 1, 1, 0)],
    ]


def explanation(found: list[list[Removal]] | None = None, **changed: Any) -> Answer:
    """Return an explanation of made-up effects, with other parts where they are given."""
    case = load_case("venezuela-2019", "point")
    made = provenance(case, 40, 7)
    return replace(
        answer_of(found or removals(), [(LEFT, 1300.0, 65.0), (HOLDS, 0.95, 1.0)], case, made), **changed
    )
