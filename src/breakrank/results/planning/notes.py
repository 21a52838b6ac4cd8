"""What a reader has to know of a plan's numbers: what is counted, what is assumed, how it was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from breakrank.results.outcomes import FEW
from breakrank.results.planning.needs import DECISION_DAYS, DECISION_SOURCE, STANDARDS
from breakrank.results.uncertainty import holds, parts, rows_of

if TYPE_CHECKING:
    from breakrank.results.planning.plan import Plan

NEED = (
    "People who need shelter: all who crossed to the host and are in a site, in a private home or without "
    "a roof. Who settled and works, moved on, was held or sent away, or went back is not counted."
)
AT_SITES = (
    "People who need shelter: those in the chosen sites. Who finds no place there is not counted; plan "
    "for the host to see them."
)


def assured(assurance: tuple[float, ...]) -> str:
    """Return what an assurance means, in a sentence.

    >>> assured((0.5, 0.95))
    'An assurance of 50% or 95% means: in that share of the runs so many beds suffice on every day.'
    """
    levels = [f"{100 * share:g}%" for share in assurance]
    named = levels[0] if len(levels) == 1 else f"{', '.join(levels[:-1])} or {levels[-1]}"
    return f"An assurance of {named} means: in that share of the runs so many beds suffice on every day."


def bands(runs: int) -> str:
    """Return what medians and intervals are over so many runs."""
    if runs < 2:
        return "One run has no spread: every number is that run's, and another seed gives others."
    if runs < FEW:
        return f"Shown are the median and the least and the most of {runs} runs, too few for intervals."
    return f"Medians and 90% intervals over {runs:,} runs."


def synthetic(plan: Plan) -> str:
    """Return what the numbers are and what they are not."""
    return (
        "Soldiers and relatives are synthetic; no real person is described. Spreads are those of the model "
        f"over its runs: they hold {holds(plan.case)}, and are not the certainty of a forecast."
    )


def apart(plan: Plan) -> str:
    """Return how much of the spread of the highest need is luck; empty where that cannot be told apart."""
    base = plan.base
    most = base.within("need", plan.period).max(axis=1).astype(float)
    found = parts(most, rows_of(plan.case, base.runs))
    if not found.rows:
        return ""
    return (
        f"Of the variance of the highest need (as its logarithm) {found.parameters:.0%} comes from what is "
        f"not known of the parameters. Were they known, luck alone would leave {found.low:,.0f} to "
        f"{found.high:,.0f} people in 90% of the runs."
    )


def stands_still(plan: Plan) -> str:
    """Return in how many runs the regime falls, and what that means for a plan."""
    runs = f"{plan.base.fallen:,} of {plan.runs:,} runs"
    return (
        f"In {runs} the regime falls by {plan.period.end}. From that day on a run stands still: nobody comes "
        "or goes, those who need shelter stay, and no bills are counted against funds."
    )


def notes(plan: Plan) -> Iterator[tuple[str, str]]:
    """Return topics and texts, in order."""
    case, period = plan.case, plan.period
    yield "Case", f"{case.title} ({case.id}), digest {case.digest}"
    yield "Place", plan.where.label
    yield "Period", f"{period.start} to {period.end}, {period.days} days, both included"
    yield "Runs and seed", f"{plan.runs:,} runs, seed {plan.seed}"
    for world in plan.worlds[1:]:
        yield f"Scenario {world.id}", f"{world.title}; digest {world.case.digest}; {len(world.runs):,} runs"
    yield "Spread", bands(plan.runs)
    if apart(plan):
        yield "Luck and parameters", apart(plan)
    if plan.runs < FEW:
        yield "Quantiles", "Columns q05 to q95 are quantiles, linear between runs, of however many runs."
    if plan.base.fallen:
        yield "Runs that stand still", stands_still(plan)
    yield (
        "Assurance",
        f"{assured(plan.assurance)} With few runs the highest assurance is that of their worst.",
    )
    yield "Shelter", NEED if plan.where.host else AT_SITES
    yield (
        "Beds and places",
        "A bed is a place for one person of any age. Places are those of open sites; of sites that admit "
        "holders of permits only, those in use.",
    )
    yield "Families", "Households with relatives: soldiers who need shelter and whose relatives came along."
    yield "Children", "Relatives under 18; counted on arrival and in sites."
    if plan.base.payers:
        yield (
            "Money",
            (
                f"In {case.currency}. Cost: persons in sites times cost a person and day, by the payers' "
                "shares. Money runs out on the first day on which a bill stays open. Once bills stay "
                "open sites take nobody in and put people out, so what is left unpaid is less than what "
                "full care would have cost."
            ),
        )
    yield from _asylum(plan)
    for one in STANDARDS:
        yield f"Standard: {one.label.lower()}", f"{one.rule}. {one.source}."
    yield "Person-days", "People times days: ten people for three days are 30 person-days."
    yield "What this is", synthetic(plan)
    yield "Command", plan.command
    yield "Versions", ", ".join(f"{name} {text}" for name, text in plan.versions.items())


def _asylum(plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.rules is None:
        return
    yield (
        "Asylum files",
        (
            "As the runs have them: a file closes with a decision, a permit, or when its person is gone. "
            "Files are those of the host as a whole."
        ),
    )
    if plan.staffings:
        yield (
            "Staff, what if",
            (
                "The same requests, first come, first served, by so many caseworkers from "
                f"{plan.period.start} on, each decision {plan.rules.effort:g} caseworker days of work on "
                f"average (exponential), after {plan.rules.first_days:g} days of rest. Open files close "
                "without a decision with the chance that they have on that day in the runs. Waits are "
                "those of who gets a decision, and run on past the last day until all is decided."
            ),
        )
    yield "Yardstick for waits", f"{DECISION_DAYS} days: {DECISION_SOURCE}."
