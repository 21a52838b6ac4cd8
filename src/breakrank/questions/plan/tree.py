"""How a plan prints itself: a small tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.plan.money import fundings
from breakrank.questions.plan.reading_notes import too_few
from breakrank.questions.plan.shelter import shelter
from breakrank.questions.plan.tables import told

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData


def tree(plan: PlanData) -> str:
    """Return a plan as a tree of a few lines: what it is for, what suffices, what it holds."""
    runs = f"{plan.runs} run{'s' * (plan.runs != 1)}"
    lines = [f"Plan of {plan.case.id}: {plan.where.label}, {runs}, seed {plan.seed}"]
    lines.append(f"├── period: {plan.period.start} to {plan.period.end}, {plan.period.days} days")
    whole = shelter(plan.base, plan.period, plan.assurance)[0]
    beds = ", ".join(
        f"{100 * share:g}%: {bed:,.0f}" for share, bed in zip(plan.assurance, whole.beds, strict=True)
    )
    places = f"{whole.offered_least:,.0f} to {whole.offered_most:,.0f}"
    lines.append(f"├── beds that suffice on every day, by assurance: {beds}; places offered: {places}")
    if too_few(plan.assurance, plan.runs):
        lines.append(f"├── {too_few(plan.assurance, plan.runs)}")
    for one in fundings(plan.base, plan.period, plan.assurance):
        ends = "without a limit"
        if one.limited:
            given = " assumed" if one.assumed else ""
            ends = f"{one.given:,.0f}{given}, runs out in {one.share:.0%} of runs"
            ends += f", median {one.median}" if one.median else ""
        lines.append(
            f"├── {one.label}: cost {one.cost.median:,.0f} {plan.case.currency} (median), funds {ends}"
        )
    if len(plan.worlds) > 1:
        lines.append(f"├── scenarios: {', '.join(w.id for w in plan.worlds[1:])}")
    lines.append(f"├── tables: {', '.join(told(plan))}")
    if plan.failed:
        lines.append(f"├── failed: {len(plan.failed)}; first: {plan.failed[0]}")
    if plan.interrupted:
        lines.append("├── interrupted: the runs above had finished")
    lines.append(f"└── made in {plan.seconds:.1f} s by {plan.command or 'an unknown call'}")
    return "\n".join(lines)
