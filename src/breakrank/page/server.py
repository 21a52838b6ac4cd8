"""The server from start to end: a port on loopback, the address with its key, and a quick goodbye."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from breakrank.errors import BreakrankError, UsageError
from breakrank.page import answers
from breakrank.page.app import Page, app
from breakrank.page.security import Guard, Keys
from breakrank.page.state import PageState
from breakrank.plugins import open_desk
from breakrank.runs.compiling import compiled
from breakrank.runs.pool import Pool

if TYPE_CHECKING:
    from breakrank.page.question import PageQuestion

HOST = "127.0.0.1"
"""The only address that is listened on."""
PORT = 8421
"""The port that is tried first; any free one where it is taken."""
UNDER_WAY = 5
"""Seconds at most for what is being read or loaded when the page ends; Python must not end within it."""
GRACE = 1
"""Seconds that answers under way have to end when the server is stopped."""


def serve(
    own: Path | None,
    opens: str | None,
    store: Path,
    port: int | None,
    say: Callable[[str], None],
    browse: Callable[[str], object] | None = None,
    mechanisms: Sequence[str] = (),
    reports: Path | None = None,
) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    own, opens : folder of a case beside the built-in ones, and the id of the case the page opens with.
    store : folder of finished runs.
    port : on loopback; left out, :data:`PORT`, or any free one where that is taken.
    say : called with the address once it can be opened.
    browse : opens an address, good for one time, in a browser.
    mechanisms : that every case is run with beside the model's own.
    reports : folder of the reports of a desk; the page opens with it, and runs wait until they are asked for.

    Raises
    ------
    UsageError
        for a port that cannot be had, and a desk that cannot be opened.
    """
    desk = None if reports is None else open_desk(own or opens, reports)
    listener = listen(port)
    keys = Keys(listener.getsockname()[1])
    page_state = PageState(store, Pool(), own, opens, mechanisms)
    guarded, page = app(page_state, keys, desk)
    server = _Server(configured(guarded), page.close)
    try:
        say(keys.address)
        if browse is not None:
            threading.Thread(target=browse, args=(keys.address_once,), daemon=True).start()
        asyncio.run(_run(server, listener, None if desk else prepare(page_state, page)))
    except KeyboardInterrupt:  # a second one, while the first was being heeded
        pass
    finally:
        page.questions.close()
        page_state.close(UNDER_WAY)
        if desk is not None:
            desk.close()
        page.questions.join(GRACE)
        listener.close()


async def _run(server: _Server, listener: socket.socket, before: Coroutine[None, None, None] | None) -> None:
    """Serve, and meanwhile do what makes the first look quick."""
    ready = None if before is None else asyncio.create_task(before)
    try:
        await server.serve(sockets=[listener])
    finally:
        if ready is not None:
            ready.cancel()
            with suppress(asyncio.CancelledError, BreakrankError):
                await ready


async def prepare(page_state: PageState, page: Page) -> None:
    """Make ready what the first look at the page will want, while the browser loads it.

    The case is read; the baseline is looked up in the store and drawn, or made and kept there; the processes
    start and load the compiled model.
    """
    try:
        case = await page_state.look_up(page_state.case, page_state.first)
        question = page_state.baseline(page_state.first)
        answered = await page_state.read(page_state.is_whole, question)
    except BreakrankError:
        return  # whoever asks for the case is told
    if not answered:
        if not await page_state.read(compiled):  # each process compiles its share, before anything is run
            page_state.team.warm(case, question.seed)
        asked, heard = await page.questions.ask(question, keep=True)
        asked.leave(heard)
        await page_state.look_up(page_state.shown, page_state.first)
        await page_state.read(_libraries)
    else:
        await asyncio.gather(
            page_state.look_up(page_state.shown, page_state.first),
            page_state.read(_look_once, page_state, question),
        )
        page_state.team.warm(
            case, question.seed
        )  # not before: that would take the cores from what is waited for


def _libraries() -> None:
    """Import what reads answers, and last what draws them, while the first of them is being made."""
    from breakrank.questions.run import answer  # noqa: F401


def _look_once(page_state: PageState, question: PageQuestion) -> None:
    """Read what is seen of the baseline first, and keep it."""
    with suppress(BreakrankError):
        answers.drawn_here(page_state.result(question))


def configured(guarded: Guard) -> uvicorn.Config:
    """Return how the app is served: no websockets, no trust in headers of proxies, no log of requests."""
    return uvicorn.Config(
        guarded,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http="h11",
        loop="asyncio",
        timeout_graceful_shutdown=GRACE,
    )


def listen(port: int | None) -> socket.socket:
    """Return a socket that listens on loopback.

    Raises
    ------
    UsageError
        for a port that is taken or may not be used.
    """
    if port is not None and not 1 <= port <= 65535:
        raise UsageError(f"port must be from 1 to 65535, not {port}")
    tried = (PORT, 0) if port is None else (port,)
    for one in tried:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":  # where this would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, one))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if one == tried[-1]:
                raise UsageError(
                    f"port {one} cannot be used: {error.strerror}\n  Name another with --port, or none."
                ) from error
        else:
            return listener
    raise AssertionError("one of the ports was had, or an error raised")


class _Server(uvicorn.Server):
    """Ends on Ctrl-C or SIGTERM, and has what is being answered end first, so that nothing is waited for."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is being answered, then all connections."""
        self._ending()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Heed both signals while serving, and raise neither again: ending is what was asked for."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        wanted = (signal.SIGINT, signal.SIGTERM)
        before = {sig: signal.signal(sig, self.handle_exit) for sig in wanted}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)
