"""An answer that comes line by line, and notices at once when nobody listens any more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


class Lines(Response):
    """A stream of JSON objects, one a line (NDJSON).

    Parameters
    ----------
    lines : what is sent.
    leave : called once when all is sent, or the connection is closed before.
    """

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[dict[str, Any]], leave: Callable[[], None]) -> None:
        self._lines, self._leave = lines, leave
        self.status_code = 200
        self.background = None
        self.body = b""
        self.init_headers({"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the lines until they end or the connection does."""
        sending = asyncio.create_task(self._send(send))
        closed = asyncio.create_task(_closed(receive))
        try:
            await asyncio.wait((sending, closed), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, closed):
                task.cancel()
            self._leave()
            for task in (sending, closed):
                with suppress(asyncio.CancelledError, OSError):
                    await task

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for line in self._lines:
            body = json.dumps(line, separators=(",", ":")).encode() + b"\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
