"""The choice of a holder, written again from its description in plain Python."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def pull(
    values: Mapping[str, float],
    *,
    rents: float,
    perks: float,
    guarantees: float,
    credibility: float,
    sanctions: float,
    named: bool,
    seen: float,
    watch: float,
    tier: float,
) -> float:
    """Return how far things speak for leaving the regime's side."""
    for_leaving = values["guarantees_weight"] * guarantees * credibility
    for_leaving += values["sanctions_weight"] * sanctions if named else 0
    for_leaving += values["others_weight"] * seen + values["credibility_weight"] * credibility
    return for_leaving - values["rents_weight"] * (rents + perks) - values["fear_weight"] * watch * tier


def chances(
    values: Mapping[str, float], pull: float, now: int, *, contact: bool, asked: bool
) -> Sequence[float]:
    """Return the chance of each stance: loyal, hedging, pledged, defected."""
    word = values["word"]
    utility = {
        0: -word * now,
        1: values["hedged"] * pull - values["hedging"] - word * (now - 1 if now > 1 else 0),
    }
    if contact or asked or now == 2:
        utility[2] = pull - values["pledging"] + (values["asked"] if asked else 0)
    utility[3] = pull - values["defecting"]
    total = sum(math.exp(u) for u in utility.values())
    return [math.exp(utility[k]) / total if k in utility else 0.0 for k in range(4)]


def picked(chances: Sequence[float], draw: float) -> int:
    """Return the stance at which the chances, added up with loyalty first, pass a draw."""
    passed = 0.0
    for stance, chance in enumerate(chances):
        passed += chance
        if draw < passed:
            return stance
    return 3


def threshold(
    values: Mapping[str, float],
    *,
    rents: float,
    perks: float,
    guarantees: float,
    credibility: float,
    sanctions: float,
    named: bool,
) -> float:
    """Return the chance of success from which he joins others."""
    loss = values["rents_weight"] * (rents + perks) + values["punishment"]
    gain = credibility * (values["credibility_weight"] + values["guarantees_weight"] * guarantees)
    gain += values["sanctions_weight"] * sanctions if named else 0
    return loss / (loss + gain) if gain > 0 else 1.0
