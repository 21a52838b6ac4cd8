"""What a host has to provide: its answers, over the runs of questions that were asked."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.page.request_body import body_of, read
from breakrank.page.requests import WantedPlanFile, WantedReception
from breakrank.questions.plan.scope import HOST

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.state import PageState
    from breakrank.results import Result

LONGEST = 120
"""Characters of the name of a saved file, before what it is."""


def called(asked: WantedPlanFile) -> str:
    """Return the name of the saved file: case, place, period and change, as far as they are chosen."""
    question, beside = asked.question, asked.beside
    parts = [question.case, "" if asked.place == HOST else asked.place]
    parts += [asked.since or "", f"to-{asked.until}" if asked.until else ""]
    if beside is not None:
        changes = [*beside.counterfactuals]
        changes += [f"arrivals-{beside.arrivals:g}"] if beside.arrivals != 1 else []
        parts += changes or ["changed"]
    plain = unicodedata.normalize("NFKD", "-".join([*filter(None, parts)])).encode("ascii", "ignore").decode()
    return f"{re.sub(r'[^A-Za-z0-9.-]+', '-', plain)[:LONGEST]}-{asked.what}"


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
        name = called(asked)
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
