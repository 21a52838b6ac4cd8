"""Lives and stories, told in a process of the team: each needs a run lived once more, with witnesses."""

from __future__ import annotations

import datetime as dt
import math
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from breakrank.lives.answer import SCALE, told_days
from breakrank.lives.moment import odds, on
from breakrank.lives.stories import one_of
from breakrank.lives.stories import stories as counted
from breakrank.lives.trace import find_soldier, find_turned, trace

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.lives.moment import LivedMoment, Option


def life(
    case: Case,
    seed: int,
    run: int,
    soldier: int | None,
    fate: str | None,
    story: str | None,
    rank: str | None = None,
    branch: str | None = None,
) -> dict[str, Any]:
    """Return one soldier's year, ready for JSON: by identity, by how it ended, or as an example of a story.

    With how it ended, a `rank` and a `branch` may be asked for.

    Raises
    ------
    UsageError
        for someone who is not there.
    """
    if soldier is None:
        soldier = (
            one_of(case, story, seed, run)
            if story
            else find_soldier(case, fate or "registered", seed, run, rank=rank, branch=branch)
        )
    told = trace(case, soldier, seed, run)
    sentences = [
        {"date": date, "said": on(dt.date.fromisoformat(date)), "text": " ".join(row["what"] for row in rows)}
        for date, rows in groupby(told_days(told), key=itemgetter("date"))
    ]
    return {
        "soldier": told.soldier.to_dict() | {"post": told.soldier.post(), "bonds": told.soldier.bonds()},
        "seed": seed,
        "run": run,
        "sentences": sentences,
        "moments": [_moment(one) for one in told.moments],
        "events": [one.to_dict() for one in told.events],
        "fate": told.fate,
        "opposed": told.opposed,
        "where": told.where,
        "scale": SCALE,
    }


def turned(case: Case, other: Case, seed: int, run: int) -> dict[str, Any]:
    """Return the year of a soldier who ends differently in another case; UsageError where nobody does."""
    return life(case, seed, run, find_turned(case, other, seed, run), None, None)


def _moment(one: LivedMoment) -> dict[str, Any]:
    return {
        "date": one.date.isoformat(),
        "occasion": one.occasion,
        "when": one.when(),
        "opposed": one.opposed,
        "gone": one.gone,
        "punished": one.punished,
        "chose": one.chosen.name,
        "outcome": one.outcome(),
        "options": [
            {
                "option": o.name,
                "doing": o.doing,
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


def stories(case: Case, runs: int, seed: int) -> list[dict[str, Any]]:
    """Return the stories of the reports counted over runs, each with the life that tells it best."""
    found = counted(case, runs=runs, seed=seed, workers=1)
    return [{"id": one.id, **one.to_dict(), "run": one.run, "soldier": one.soldier} for one in found.stories]
