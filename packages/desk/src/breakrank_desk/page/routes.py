"""What is answered where for the view of the desk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.page.question import body_of, read
from breakrank_desk.page.desk import DeskOfPage
from breakrank_desk.page.requests import (
    WantedAnswer,
    WantedConflict,
    WantedDecision,
    WantedKind,
    WantedSentence,
    WantedVerdict,
)

if TYPE_CHECKING:
    from breakrank.plugins import Handler


class DeskRoutes:
    """The handlers of a case's desk, as :class:`breakrank.plugins.AddedRequests` wants them.

    The entry point of the group ``breakrank.page``. The parameters are those of :class:`DeskOfPage`.
    """

    def __init__(self, case: str | Path, reports: Path) -> None:
        self._desk = DeskOfPage(case, reports)

    def close(self) -> None:
        """End the desk's thread."""
        self._desk.close()

    @property
    def get(self) -> dict[str, Handler]:
        """What is only read."""
        return {
            "/api/desk": self.overview,
            "/api/desk/texts/{source}": self.text,
            "/api/desk/links/{fuller}/{shorter}": self.beside,
        }

    @property
    def post(self) -> dict[str, Handler]:
        """What writes a decision into the case."""
        handlers = (self.decide, self.mark, self.settle, self.judge, self.answer, self.kind)
        return {f"/api/desk/{one.__name__}": one for one in handlers}

    async def overview(self, _: Request) -> Response:
        """List the texts, the quantities and the open questions."""
        return _json(await self._desk.call(self._desk.overview))

    async def text(self, request: Request) -> Response:
        """Show one text with its figures."""
        source = request.path_params["source"]
        return _json(await self._desk.call(lambda: self._desk.text(source)))

    async def decide(self, request: Request) -> Response:
        """Accept, reject or put off a figure, or take that back."""
        asked: WantedDecision = read(WantedDecision, await body_of(request))
        return _json(await self._desk.call(lambda: self._desk.decide(asked)))

    async def mark(self, request: Request) -> Response:
        """Give the form of a sentence."""
        asked: WantedSentence = read(WantedSentence, await body_of(request))
        return _json(await self._desk.call(lambda: self._desk.mark(asked)))

    async def settle(self, request: Request) -> Response:
        """Note a conflict in the ledger."""
        asked: WantedConflict = read(WantedConflict, await body_of(request))
        return _json(await self._desk.call(lambda: self._desk.settle(asked)))

    async def beside(self, request: Request) -> Response:
        """Show two texts side by side."""
        fuller, shorter = (request.path_params[k] for k in ("fuller", "shorter"))
        return _json(await self._desk.call(lambda: self._desk.beside(fuller, shorter)))

    async def judge(self, request: Request) -> Response:
        """Note whether a text is a copy."""
        asked: WantedVerdict = read(WantedVerdict, await body_of(request))
        return _json(await self._desk.call(lambda: self._desk.judge(asked)))

    async def answer(self, request: Request) -> Response:
        """Close a question."""
        asked: WantedAnswer = read(WantedAnswer, await body_of(request))
        return _json(await self._desk.call(lambda: self._desk.answer(asked)))

    async def kind(self, request: Request) -> Response:
        """Set what a paragraph is."""
        asked: WantedKind = read(WantedKind, await body_of(request))
        return _json(await self._desk.call(lambda: self._desk.kind(asked)))


def _json(value: Mapping[str, Any]) -> Response:
    return JSONResponse(value, headers={"cache-control": "no-store"})
