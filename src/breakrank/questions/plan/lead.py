"""What leads a plan with one change: the changed side, with the unchanged one beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from breakrank.questions.plan.caseworkers import caseworkers, queue_rules
from breakrank.questions.plan.texts import finding, headline
from breakrank.show.html import Tile

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

PlanT = TypeVar("PlanT", bound="PlanData")


def leading(plan: PlanT) -> PlanT:
    """Return the plan of the changed side alone where there is exactly one; else the plan itself."""
    if len(plan.worlds) != 2:
        return plan
    worlds = plan.worlds[1:]
    rules = queue_rules(worlds[0].case) if plan.where.host else None
    keeping_up = caseworkers(worlds, plan.period, (), plan.seed)[1] if rules else None
    return replace(
        plan,
        case=worlds[0].case,
        worlds=worlds,
        staffings=plan.staffings[1:],
        differences={},
        rules=rules,
        keeping_up=keeping_up,
    )


def what_changed(plan: PlanData, shown: str = "Both pages show") -> str:
    """Return what is changed, and that what follows shows it, for the top of a document."""
    world = plan.worlds[1]
    changes = f": {'; '.join(world.changes)}" if world.changes else ""
    return f"{world.title}{changes}. {shown} this, except where they say without, or Case."


def both(plan: PlanData, lead: PlanData) -> list[tuple[str, bool]]:
    """Return the finding; where a changed side leads, the finding with it, then the headline without."""
    if lead is plan:
        return finding(plan)
    (first, stressed), *rest = finding(lead)
    (before, also), *others = headline(plan)
    return [
        (f"With the change, {lower(first)}", stressed),
        *rest,
        (f" Without the change, {lower(before)}", also),
        *((text, False) for text, _ in others),
    ]


def beside(mine: tuple[Tile, ...], before: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return key figures with the change, and in their notes what they are without."""
    was = {one.label: one.value for one in before}
    return tuple(
        replace(one, note=f"{one.note}; {was[one.label]} without".removeprefix("; "))
        if one.label in was
        else one
        for one in mine
    )


def lower(text: str) -> str:
    """Return a sentence as it goes on after other words."""
    return text[:1].lower() + text[1:]
