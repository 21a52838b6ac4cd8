"""What leads the reception: where something is changed, the changed side, and beside it the unchanged one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from breakrank.questions.plan.document import tiles
from breakrank.questions.plan.lead import lower
from breakrank.questions.plan.shelter import shelter
from breakrank.questions.plan.texts import finding, headline
from breakrank.show.html import Tile
from breakrank.show.words import day, number

if TYPE_CHECKING:
    from breakrank.questions.plan.result import Plan


def head(plan: Plan, lead: Plan) -> dict[str, Any]:
    """Return the finding, what the unchanged side has, the rest of the finding, and the key figures.

    Parameters
    ----------
    plan, lead : of both sides, and that which leads; the same where nothing is changed.
    """
    first, key, beside = headline(lead), [*_beds_enough(lead), *tiles(lead)], ""
    rest = finding(lead)[len(first) :]
    if lead is not plan:
        first = _after("With the change, ", first)
        beside = "".join(text for text, _ in _after("Without it, ", headline(plan))).strip()
        before = {one.label: one.value for one in (*_beds_enough(plan), *tiles(plan))}
        key = [_beside(one, before.get(one.label, "")) for one in key]
    return {
        "finding": [list(part) for part in first],
        "beside": beside,
        "more": "".join(text for text, _ in rest),
        "tiles": [{"label": one.label, "value": one.value, "note": one.note} for one in key],
    }


def _after(words: str, parts: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return parts of a sentence after some words, with which the sentence now begins.

    >>> _after("With it, ", [("Enough: ", False), ("12 beds", True)])
    [('With it, ', False), ('enough: ', False), ('12 beds', True)]
    """
    (text, stressed), *others = parts
    return [(words, False), (lower(text), stressed), *others]


def _beside(one: Tile, before: str) -> Tile:
    if not before:
        return one
    return replace(one, note=f"{one.note}; {before} without" if one.note else f"{before} without the change")


def _beds_enough(plan: Plan) -> list[Tile]:
    """Return the beds that suffice at each assurance, and when the need is highest."""
    if plan.runs < 2 or not plan.base.within("need", plan.period).any():
        return []
    whole = shelter(plan.base, plan.period, plan.assurance)[0]
    said = "Beds that suffice" if plan.where.host else "Beds needed here by rule"
    found = [
        Tile(f"{said} in {100 * share:g}% of runs", number(bed, "people"), "")
        for share, bed in zip(plan.assurance, whole.beds, strict=True)
    ]
    found[-1] = replace(found[-1], note=f"highest need about {day(whole.peak, year=False)}")
    return found
