"""A page that is really served, over real sockets; headers of a browser to ask it with, and a browser."""

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn

from breakrank.page.app import Page, app
from breakrank.page.question import PageQuestion
from breakrank.page.security import Keys
from breakrank.page.server import HOST, configured, listen
from breakrank.page.state import PageState
from breakrank.plugins import AddedRequests
from breakrank.runs.pool import Pool
from tests.chromium import started


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]


class Stream:
    """What is told of a question, line by line."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def line(self) -> dict[str, Any]:
        text = self._answer.readline()
        assert text, "the stream ended before its last line"
        found: dict[str, Any] = json.loads(text)
        return found

    def until(self, kind: str, least: int = 0) -> dict[str, Any]:
        """Return the next line of a kind that tells of so many runs at least; another end is an error."""
        while True:
            line = self.line()
            if line["type"] == kind and line.get("done", least) >= least:
                return line
            assert line["type"] not in ("done", "failed"), line


@dataclass
class Tab:
    """One tab of a browser that has, or has not, been let in."""

    port: int
    cookie: str = ""
    also: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Answer:
        """Send a request as a browser on this page would, but for these headers; ``None`` leaves one out."""
        with self._sent(method, path, body, **headers) as answer:
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())

    @contextmanager
    def asking(self, question: dict[str, Any]) -> Iterator[Stream]:
        """Ask a question and hear of it line by line; the connection is closed in the end."""
        with self._sent("POST", "/api/ask", json.dumps(question).encode()) as answer:
            assert answer.status == 200, answer.read()
            yield Stream(answer)

    @contextmanager
    def _sent(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> Iterator[http.client.HTTPResponse]:
        """Send a request and give the answer as far as its headers; all is closed in the end."""
        with (
            self.opened(method, path, body, **headers) as connection,
            closing(connection.getresponse()) as answer,
        ):
            yield answer

    @contextmanager
    def opened(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> Iterator[http.client.HTTPConnection]:
        """Send a request and give the connection, which is closed in the end."""
        given: dict[str, str | None] = {
            "Host": f"{HOST}:{self.port}",
            "Cookie": self.cookie or None,
            "Sec-Fetch-Site": "same-origin",
        }
        if method == "POST":
            given |= {"Origin": self.origin, "Content-Type": "application/json"}
            given["Content-Length"] = str(len(body or b""))
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(HOST, self.port, timeout=300)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders()
            if body:
                connection.send(body)
            yield connection

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.ask("GET", path, None, **headers)

    def post(self, path: str, data: object, **headers: str | None) -> Answer:
        return self.ask("POST", path, json.dumps(data).encode(), **headers)


@dataclass
class Served:
    """A page that is served."""

    keys: Keys
    page_state: PageState
    page: Page
    case: str

    def tab(self) -> Tab:
        """Return a tab that has opened the address of the page."""
        found = Tab(self.keys.port).get(f"/?token={self.keys.token}", Sec_Fetch_Site="none")
        assert found.status == 303
        return Tab(self.keys.port, found.headers["set-cookie"].partition(";")[0])

    def question(self, **more: Any) -> dict[str, Any]:
        """Return a small question."""
        return {"case": self.case, "runs": 4, "seed": 1, "until": "2025-02-15", **more}


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve the template of a case, with one process, until the tests end."""
    from breakrank import new_case

    folder = new_case(tmp_path_factory.mktemp("cases") / "small", full=True)
    team = Pool(1)
    page_state = PageState(tmp_path_factory.mktemp("page") / "store", team, folder)
    with serving(page_state, "small") as found:
        yield found


@contextmanager
def serving(page_state: PageState, case: str, desk: AddedRequests | None = None) -> Iterator[Served]:
    """Serve a page in a thread, and end it."""
    listener = listen(None)
    keys = Keys(listener.getsockname()[1])
    guarded, page = app(page_state, keys, desk)
    server = uvicorn.Server(configured(guarded))
    thread = threading.Thread(
        target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True, name="served"
    )
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Served(keys, page_state, page, case)
    page.questions.close()
    server.should_exit = True
    thread.join(20)
    page_state.close()
    listener.close()


@pytest.fixture
def tab(served: Served) -> Tab:
    return served.tab()


@pytest.fixture(scope="session")
def answered(served: Served) -> dict[str, Any]:
    """Return a question that was asked and answered, with its key."""
    question = served.question()
    lines = served.tab().post("/api/ask", question).lines
    assert lines[-1]["type"] == "done", lines[-1]
    return {"key": lines[-1]["key"], "question": question}


@pytest.fixture(scope="module")
def chromium(answered: dict[str, Any]) -> Iterator[Any]:
    """Start a Chromium, once the model is compiled and a small question answered.

    For a module and no longer: while Playwright runs, no other test may start an event loop.
    """
    assert answered
    with started() as browser:
        yield browser


def case_of(served: Served, question: dict[str, Any]) -> Any:
    return served.page_state.made(PageQuestion(**question))
