"""What is answered where for the view of the desk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
            "/api/desk": self._read("overview"),
            "/api/desk/texts/{source}": self._read("text"),
            "/api/desk/links/{fuller}/{shorter}": self._read("beside"),
        }

    @property
    def post(self) -> dict[str, Handler]:
        """What writes a decision into the case, or gives a form to fill."""
        return {f"/api/desk/{name}": self._posted(name, kind) for name, kind in SENT.items()}

    def _read(self, name: str) -> Handler:
        """Return what hands the names in a path to the desk's function of a name."""

        async def handler(request: Request) -> Response:
            return await self._called(name, **request.path_params)

        return handler

    def _posted(self, name: str, kind: type[Sent]) -> Handler:
        """Return what hands a checked request to the desk's function of a name."""

        async def handler(request: Request) -> Response:
            return await self._called(name, read(kind, await body_of(request)))

        return handler

    async def _called(self, name: str, *asked: Sent, **named: str) -> Response:
        function = getattr(self._desk, name)
        found = await self._desk.call(lambda: function(*asked, **named))
        return JSONResponse(found, headers={"cache-control": "no-store"})
