"""How long a question takes on this machine, and how much memory, told before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.page.question import PageQuestion
from breakrank.page.request_body import Sent, body_of, read
from breakrank.runs.store import Store

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.state import PageState

TYPICAL = 1.25e8
"""Days of a soldier that a core makes in a second, until this server has measured it (AMD EPYC, 2 cores)."""
LEAST = 3.0
"""Seconds that runs have to take before the speed is learnt from them: of fewer, chance tells too much."""
PROCESS, SOLDIER = 310e6, 300.0
"""Bytes that a process holds, and that each soldier adds: 311 MB at 20,000 for a year, 470 MB at 600,000."""


class WantedCost(Sent):
    """Questions that would be asked one after the other."""

    questions: Annotated[tuple[PageQuestion, ...], Field(min_length=1, max_length=3)]


class Speed:
    """How fast this server makes runs, from the last long enough study.

    Parameters
    ----------
    workers : processes that make runs.
    """

    def __init__(self, workers: int) -> None:
        self._rate = TYPICAL * workers
        self.measured = False

    def learn(self, case: Case, made: int, seconds: float) -> None:
        """Note how many seconds some runs of a case took processes that had started."""
        if made and seconds >= LEAST:
            self._rate, self.measured = made * soldier_days(case) / seconds, True

    def seconds(self, days: float) -> float:
        """Return the time that days of a soldier take."""
        return days / self._rate


def soldier_days(case: Case) -> float:
    """Return the days of all soldiers in one run."""
    return float(case.force.strength) * case.calendar.days


class CostRoutes:
    """The handler."""

    def __init__(self, page_state: PageState, speed: Speed) -> None:
        self._page_state, self._speed = page_state, speed

    async def cost(self, request: Request) -> Response:
        """Say how long questions would take, and how much memory; of runs that are kept nothing."""
        asked: WantedCost = read(WantedCost, await body_of(request))
        told = await self._page_state.look_up(self._of, asked.questions)
        return JSONResponse(told, headers={"cache-control": "no-store"})

    def _of(self, questions: tuple[PageQuestion, ...]) -> dict[str, Any]:
        store, runs, days, most = Store(self._page_state.folder), 0, 0.0, 0
        for question in map(self._page_state.each_once, questions):
            case = self._page_state.made(question)
            kept = len(store.stored(case, question.seed).finished(range(question.runs)))
            runs += question.runs - kept
            days += (question.runs - kept) * soldier_days(case)
            most = max(most, case.force.strength)
        return {
            "runs": runs,
            "soldiers": most,
            "seconds": round(self._speed.seconds(days), 1),
            "memory": round(self._page_state.team.size * (PROCESS + SOLDIER * most)) if runs else 0,
            "measured": self._speed.measured,
        }
