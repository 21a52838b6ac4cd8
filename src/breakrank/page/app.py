"""The app: what is answered where. Every answer is JSON, a stream of JSON lines, a file, or a static file."""

from __future__ import annotations

import asyncio
import json
import mimetypes
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from breakrank import __version__
from breakrank.errors import BreakrankError, UsageError
from breakrank.page.jobs import CLOSING, Questions, WantedCost, cost_of
from breakrank.page.question import AboutOne, Asking, OpenedFile, WantedFigures, WantedLife, body_of, read
from breakrank.page.scenario_file import opened
from breakrank.page.security import LARGEST, Guard, Keys, TooLargeError
from breakrank.page.state import PageState
from breakrank.page.views import ViewRoutes

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from breakrank.plugins import AddedRequests, Handler
    from breakrank.results.result import Result


class Page:
    """The handlers."""

    def __init__(self, page_state: PageState, desk: AddedRequests | None = None) -> None:
        self._page_state, self._desk = page_state, desk
        self.questions = Questions(page_state)
        self.views = ViewRoutes(page_state)
        self._answering: set[asyncio.Task[Any]] = set()

    def close(self) -> None:
        """End what is being answered, in the server's thread: who asked is told, and nobody is waited for."""
        self.questions.close()
        self.views.background.close()
        for task in self._answering:
            task.cancel()

    def told(self, handler: Handler) -> Handler:
        """Return a handler whose errors are told as JSON: one clear message each."""

        async def answer(request: Request) -> Response:
            task = asyncio.current_task()
            assert task is not None
            self._answering.add(task)
            try:
                return await handler(request)
            except UsageError as error:
                return _json({"error": str(error)}, 400)
            except BreakrankError as error:
                return _json({"error": str(error)}, 422)
            except TooLargeError:
                return _json({"error": f"a question has at most {LARGEST:,} bytes"}, 413)
            except ClientDisconnect:
                return Response(status_code=400)
            except asyncio.CancelledError:
                return _json({"error": CLOSING}, 503)
            finally:
                self._answering.discard(task)

        return answer

    # What does not depend on an answer.

    async def cases(self, _: Request) -> Response:
        """List the cases."""
        listed = await self._page_state.look_up(self.listed)
        first, desk = self._page_state.first, self._desk is not None
        return _json({"cases": listed, "version": __version__, "first": first, "desk": desk})

    def listed(self) -> list[dict[str, Any]]:
        """Return what the list says of each case that may be asked about.

        One that is damaged stands by its name: whoever opens it is told.
        """
        state, found = self._page_state, []
        for name in state.names:
            try:
                found.append(state.entry_of(state.folder_of(name)))
            except BreakrankError:
                found.append({"id": name, "title": f"{name} (damaged)"})
        return found

    async def case(self, request: Request) -> Response:
        """Show a case."""
        return _json(await self._page_state.look_up(self._page_state.shown, request.path_params["name"]))

    async def geo(self, request: Request) -> Response:
        """Give the borders of a case's country."""
        from breakrank.page.shown import geo

        name = request.path_params["name"]
        return _json(await self._page_state.look_up(lambda: geo(self._page_state.case(name))))

    async def look(self, _: Request) -> Response:
        """Give the colours of the charts, and what Vega-Lite has to be told of them."""
        from breakrank.show.style import DARK, LIGHT, PAGE, ROLES, config

        themes = {t.name: {role: getattr(t, role) for role in ROLES} for t in (LIGHT, DARK)}
        return _json({"config": config(PAGE), **themes})

    # Questions.

    async def ask(self, request: Request) -> Response:
        """Carry a question out and tell how far it is, line by line; closing the connection cancels it."""
        asked: Asking = read(Asking, await body_of(request))
        one, heard = await self.questions.ask(asked.question, asked.keep)
        return Lines(one.lines(heard), lambda: one.leave(heard))

    async def cost(self, request: Request) -> Response:
        """Say how long questions would take, and how much memory."""
        asked: WantedCost = read(WantedCost, await body_of(request))
        speed = self.questions.speed
        return _json(await self._page_state.look_up(cost_of, asked.questions, self._page_state, speed))

    async def figures(self, request: Request) -> Response:
        """Draw figures."""
        from breakrank.page.shown import check_names, drawn

        asked: WantedFigures = read(WantedFigures, await body_of(request))
        check_names(asked.names)
        keep = self._page_state.made_of

        def made(result: Result) -> dict[str, Any]:
            return keep(result, asked.names, lambda: {"figures": drawn(result.answer, asked.names)})

        return await self._of(asked, made)

    async def map(self, request: Request) -> Response:
        """Give flows, sites, states and uprisings day by day."""
        from breakrank.page.shown import OF_A_MAP, where

        return await self._of(read(AboutOne, await body_of(request)), where, OF_A_MAP)

    async def lives(self, request: Request) -> Response:
        """Tell one life: of a soldier, of one with this fate, or of one who stayed."""
        from breakrank.page.lives import life

        asked: WantedLife = read(WantedLife, await body_of(request))
        if asked.soldier is not None and asked.fate is not None:
            raise UsageError("name a soldier or a fate, and not both")
        case = await self._page_state.look_up(self._page_state.made, asked.question)
        told = self._page_state.team.call(
            life, case, asked.question.seed, asked.run, asked.soldier, asked.fate
        )
        answer: dict[str, Any] = await asyncio.wrap_future(told)
        return _json(answer)

    async def open(self, request: Request) -> Response:
        """Read a scenario file as questions, or say what is wrong with it; nothing of it is kept."""
        asked: OpenedFile = read(OpenedFile, await body_of(request))

        def work() -> dict[str, Any]:
            case = self._page_state.case(asked.case, asked.parameters)
            try:
                return {"scenarios": opened(case, asked.text, asked.name), "wrong": ""}
            except BreakrankError as error:
                return {"scenarios": [], "wrong": str(error)}

        return _json(await self._page_state.look_up(work))

    async def _of(
        self,
        asked: AboutOne,
        made: Callable[[Result], dict[str, Any]],
        names: Sequence[str] = (),
    ) -> Response:
        """Answer with what is made of the finished runs of a question, read for these names or whole."""
        page_state = self._page_state

        def work() -> dict[str, Any]:
            return made(page_state.part(asked.question, names))

        return _json(await page_state.read(work))


POSTED = ("ask", "cost", "figures", "map", "lives", "open")
"""Handlers that answer a question sent as JSON."""


def app(page_state: PageState, keys: Keys, desk: AddedRequests | None = None) -> tuple[Guard, Page]:
    """Return the app behind its guard, and its handlers."""
    page = Page(page_state, desk)
    get: dict[str, Handler] = {
        "/api/cases": page.cases,
        "/api/cases/{name}": page.case,
        "/api/geo/{name}": page.geo,
        "/api/look": page.look,
    }
    post: dict[str, Handler] = {f"/api/{name}": getattr(page, name) for name in POSTED}
    post |= {"/api/view": page.views.view, "/api/share": page.views.share}
    if desk is not None:
        get |= desk.get
        post |= desk.post
    routes: list[BaseRoute] = [Route(path, page.told(one), methods=["GET"]) for path, one in get.items()]
    routes += [Route(path, page.told(one), methods=["POST"]) for path, one in post.items()]
    return Guard(Starlette(routes=[*routes, front_end()]), keys), page


def _json(value: Mapping[str, Any], status: int = 200) -> Response:
    return JSONResponse(value, status, headers={"cache-control": "no-store"})


class Lines(StreamingResponse):
    """A stream of JSON objects, one a line (NDJSON).

    Parameters
    ----------
    lines : what is sent.
    leave : called once when all is sent, or the connection is closed before.
    """

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[dict[str, Any]], leave: Callable[[], None]) -> None:
        told = (json.dumps(line, separators=(",", ":")) + "\n" async for line in lines)
        super().__init__(told, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines until they end or the connection does."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


FRONT_END = Path(__file__).with_name("static")
mimetypes.add_type("text/javascript", ".js")  # a browser runs no other, and Windows may say otherwise
mimetypes.add_type("font/woff2", ".woff2")
MISSING = """<!doctype html><meta charset="utf-8"><title>Breakrank</title>
<p>The front end is not built here. In a clone of the project, in the folder <code>page</code>:
<code>npm ci && npm run build</code></p>
"""


def front_end(folder: Path = FRONT_END) -> BaseRoute:
    """Return what serves the files of the built front end, or says how to build it."""
    if (folder / "index.html").is_file():
        return Mount("/", StaticFiles(directory=folder, html=True))

    async def missing(_: Request) -> Response:
        return HTMLResponse(MISSING)

    return Route("/{path:path}", missing)
