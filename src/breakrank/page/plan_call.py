"""How the command line makes a plan that the page made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.page.question import exact
from breakrank.questions.plan.scope import HOST
from breakrank.wording import call

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.requests import WantedReception


def call_of(asked: WantedReception, case: Case, source: str) -> str:
    """Return the call of the command line that makes the same plan.

    What no option can say is in the scenario file that the page gives to take away; the call names it.
    """
    question, beside = asked.question, asked.beside
    parts = ["breakrank", "plan", source, "--runs", str(question.runs), "--seed", str(question.seed)]
    if question.parameters in ("posterior", "values"):
        parts += ["--parameters", question.parameters]
    for name in case.mechanisms:
        parts += ["--mechanisms", name]
    for name, value in question.set.items():
        parts += ["--set", f"{name}={exact(value)}"]
    if beside is not None:
        values = {*beside.set} - {*question.set}
        more = (
            any((values, beside.events, beside.without_events, beside.places, beside.funds))
            or len(beside.counterfactuals) > 1
        )
        file = f"{question.case}-scenario.yaml"
        for name in (file,) if more else beside.counterfactuals:
            parts += ["--with", name]
        parts += ["--arrivals", exact(beside.arrivals)] if beside.arrivals != 1 else []
    parts += ["--place", asked.place] if asked.place != HOST else []
    parts += ["--from", asked.since] if asked.since else []
    last = asked.until or question.until
    parts += ["--to", last] if last else []
    parts += ["--staff", str(asked.staff)] if asked.staff is not None else []
    return call(parts)
