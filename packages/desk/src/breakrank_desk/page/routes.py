"""What is answered where for the view of the desk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.page.question import Sent, body_of, read
from breakrank_desk.page.desk import (
    DeskOfPage,
    WantedAnswer,
    WantedConflict,
    WantedDecision,
    WantedKind,
    WantedSentence,
    WantedVerdict,
)

if TYPE_CHECKING:
    from breakrank.plugins import Handler

SENT: Mapping[str, type[Sent]] = {
    "decide": WantedDecision,
    "mark": WantedSentence,
    "settle": WantedConflict,
    "judge": WantedVerdict,
    "answer": WantedAnswer,
    "kind": WantedKind,
}
"""What is sent to each function of the desk."""


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
        """What writes a decision into the case, or gives a form to fill."""
        return {f"/api/desk/{name}": self._posted(name, kind) for name, kind in SENT.items()}

    def _posted(self, name: str, kind: type[Sent]) -> Handler:
        """Return what hands a checked request to the desk's function of a name."""

        async def handler(request: Request) -> Response:
            asked = read(kind, await body_of(request))
            return _json(await self._desk.call(lambda: getattr(self._desk, name)(asked)))

        return handler

    async def overview(self, _: Request) -> Response:
        """List the texts, the quantities and the open questions."""
        return _json(await self._desk.call(self._desk.overview))

    async def text(self, request: Request) -> Response:
        """Show one text with its figures."""
        source = request.path_params["source"]
        return _json(await self._desk.call(lambda: self._desk.text(source)))

    async def beside(self, request: Request) -> Response:
        """Show two texts side by side."""
        fuller, shorter = (request.path_params[k] for k in ("fuller", "shorter"))
        return _json(await self._desk.call(lambda: self._desk.beside(fuller, shorter)))


def _json(value: Mapping[str, Any]) -> Response:
    return JSONResponse(value, headers={"cache-control": "no-store"})
