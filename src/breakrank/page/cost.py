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

TYPICAL, START = 2e8, 0.06
"""Days of a soldier that a core makes in a second, and seconds that a run takes besides (AMD EPYC)."""
WAR = 2.5
"""Times as long that a run takes where units fight."""
LEAST = 3.0
"""Seconds that runs have to take before the pace is learnt from them: of fewer, chance tells too much."""
PROCESS, SOLDIER = 310e6, 300.0
"""Bytes that a process holds, and that each soldier adds: 311 MB at 20,000 for a year, 470 MB at 600,000."""


class WantedCost(Sent):
    """Questions that would be asked one after the other."""

    questions: Annotated[tuple[PageQuestion, ...], Field(min_length=1, max_length=3)]


class Speed:
    """How fast this server makes runs: those of a case as last measured, others as the last study was.

    Parameters
    ----------
    workers : processes that make runs.
    """

    def __init__(self, workers: int) -> None:
        self._pace = 1 / workers
        self._paces: dict[str, float] = {}

    def learn(self, case: Case, made: int, seconds: float) -> None:
        """Note how many seconds some runs of a case took processes that had started."""
        if made and seconds >= LEAST:
            self._pace = self._paces[case.id] = seconds / (made * usual(case))

    def measured(self, case: Case) -> bool:
        """Return whether the runs of a case were measured here."""
        return case.id in self._paces

    def seconds(self, case: Case, runs: int) -> float:
        """Return the time that runs of a case take."""
        return runs * usual(case) * self._paces.get(case.id, self._pace)


def usual(case: Case) -> float:
    """Return the seconds that a run takes one core of a usual machine, if the regime does not fall before."""
    days = float(case.force.strength) * case.calendar.days
    fights = "war.on" in case.parameters and case.value("war.on")
    return START + days / TYPICAL * (WAR if fights else 1.0)


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
        store, runs, seconds, most, measured = Store(self._page_state.folder), 0, 0.0, 0, True
        for study in map(self._page_state.study, questions):
            case = study.scenarios[0].case
            missing = study.runs - len(store.stored(case, study.seed).finished(range(study.runs)))
            runs += missing
            seconds += self._speed.seconds(case, missing)
            measured &= self._speed.measured(case)
            most = max(most, case.force.strength)
        return {
            "runs": runs,
            "soldiers": most,
            "seconds": round(seconds, 1),
            "memory": round(self._page_state.team.size * (PROCESS + SOLDIER * most)) if runs else 0,
            "measured": measured,
        }
