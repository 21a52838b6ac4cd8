"""One soldier's year, told in a process of the team: it needs a run simulated once more, with witnesses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from breakrank.lives.answer import told_days
from breakrank.lives.trace import find_soldier, odds, trace

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.lives.trace import LivedMoment, Option


def life(case: Case, seed: int, run: int, soldier: int | None, fate: str | None) -> dict[str, Any]:
    """Return one soldier's year, ready for JSON: by identity, or by how it ended.

    Raises
    ------
    UsageError
        for someone who is not there.
    """
    if soldier is None:
        soldier = find_soldier(case, fate or "serving", seed, run)
    told = trace(case, soldier, seed, run)
    return {
        "soldier": told.soldier.identity,
        "about": str(told.soldier),
        "run": run,
        "events": [
            {name: row[name] for name in ("date", "what", "where", "who", "detail")}
            for row in told_days(told)
        ],
        "moments": [_moment(one) for one in told.moments],
        "fate": told.fate,
    }


def _moment(one: LivedMoment) -> dict[str, Any]:
    return {
        "date": one.date.isoformat(),
        "occasion": one.occasion,
        "chose": one.chosen.name,
        "options": [
            {
                "option": o.name,
                "chance": round(o.chance, 6),
                "odds": odds(o.chance),
                "base": _base(o),
                "terms": [
                    {"name": w.term, "about": w.about, "value": round(w.value, 4), "base": w.base}
                    for w in o.weights
                ],
            }
            for o in one.options
        ],
    }


def _base(option: Option) -> str | None:
    """Return the odds that the base rate of an option alone would give it; ``None`` where it has none."""
    rate = sum(one.value for one in option.weights if one.base)
    return odds(1 / (1 + math.exp(-rate))) if rate else None
