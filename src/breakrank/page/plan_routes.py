"""What a host has to provide: its answers, over the runs of questions that were asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.page.question import read
from breakrank.page.request_body import body_of
from breakrank.page.requests import WantedPlanFile, WantedReception

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.state import PageState
    from breakrank.results import Result


class PlanRoutes:
    """The handlers of plans."""

    def __init__(self, page_state: PageState) -> None:
        self._page_state = page_state

    async def reception(self, request: Request) -> Response:
        """Say what a host has to provide."""
        from breakrank.page.reception import reception

        asked: WantedReception = read(WantedReception, await body_of(request))
        made = await self._page_state.read(
            lambda: reception(asked, *self._results(asked), self._source(asked))
        )
        return JSONResponse(made, headers={"cache-control": "no-store"})

    async def plan(self, request: Request) -> Response:
        """Give the plan as a file."""
        from breakrank.page.reception import FILES, file_of

        asked: WantedPlanFile = read(WantedPlanFile, await body_of(request))
        made = await self._page_state.read(
            lambda: file_of(asked, asked.what, *self._results(asked), self._source(asked))
        )
        name = f"{asked.question.case}-{asked.what}"
        saved = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(made, media_type=FILES[asked.what], headers=saved)

    def _source(self, asked: WantedReception) -> str:
        return self._page_state.source(asked.question.case)

    def _results(self, asked: WantedReception) -> tuple[Result, Result | None, Case | None]:
        """Return the finished runs that a plan is made of: of the question, and of the one beside it.

        With these comes the case whose host takes in those who come beside it.
        """
        from breakrank.questions.plan.course import READ

        part = self._page_state.part
        if asked.beside is None:
            return part(asked.question, READ), None, None
        stated = self._page_state.made(asked.beside.model_copy(update={"arrivals": 1.0}))
        return part(asked.question, READ), part(asked.beside, READ), stated
