"""A window on the page: a browser context that keeps what the console said and what was asked for.

Every window is quiet in the end: a message of the console fails the test, whatever else it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

from tests.page.conftest import Served

SMALL = {"runs": "4", "seed": "1", "until": "2025-02-15"}
"""A question that takes a second or two."""
VIEWS = {
    "happened": "What happened",
    "why": "Why",
    "whatif": "What if",
    "plan": "Plan",
    "next": "What next",
}


class Window:
    """A window that has been let in; one cookie jar each."""

    def __init__(self, chromium: Any, served: Served, **context: Any) -> None:
        self.origin = f"http://127.0.0.1:{served.keys.port}"
        self.token = served.keys.token
        self.said: list[str] = []
        self.noisy = False
        """Whether this test has a browser complain, as of a server that is gone."""
        self.asked: list[str] = []
        self.refused: list[Any] = []
        self.context = chromium.new_context(
            **{"viewport": {"width": 1440, "height": 900}, "accept_downloads": True} | context
        )
        self.context.set_default_timeout(60_000)
        self.page = self.opened()

    def opened(self) -> Any:
        """Return one more tab of this window."""
        page = self.context.new_page()
        page.on("console", lambda m: self.said.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: self.said.append(str(e)))
        page.on("request", lambda r: self.asked.append(r.url))
        page.on("response", lambda r: self.refused.append(r) if r.status >= 400 else None)
        return page

    def __enter__(self) -> Window:
        return self

    def __exit__(self, error: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if error is None and not self.noisy:
            self.quiet()
        self.context.close()

    def enter(self, view: str = "happened", page: Any = None, **more: str) -> Any:
        """Open the address that was printed, then a small question in a view; wait until it is answered."""
        page = page or self.page
        if not self.context.cookies():
            page.goto(f"{self.origin}/?token={self.token}")
        page.goto("about:blank")
        page.goto(f"{self.origin}/#{urlencode({'view': view, 'case': 'small', **SMALL, **more})}")
        self.answered(page)
        return page

    def answered(self, page: Any = None, after: int = 0) -> None:
        """Wait until what was asked is answered, after so many turns before it."""
        runner = (page or self.page).locator(".runner")
        runner.wait_for(state="attached")
        state = runner.evaluate(
            """(runner, after) => new Promise(done => { const look = () => {
            const {state, turn} = runner.isConnected ? runner.dataset : {state: "gone", turn: 1e9};
            if (Number(turn) > after && state !== "busy" && state !== "waiting") done(state);
            else setTimeout(look, 20); }; look(); })""",
            after,
        )
        assert state == "done", f"{state}: {runner.inner_text()}"

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Do what asks a question; wait until that one, and none before it, is answered."""
        turn = int(self.page.locator(".runner").get_attribute("data-turn"))
        yield
        self.answered(after=turn)

    def run(self, name: str = "Ask this") -> None:
        """Press a button that runs what stands in the fields; wait for its answer."""
        with self.asking():
            self.page.get_by_role("button", name=name, exact=True).click()

    def go(self, view: str) -> None:
        """Turn to a view by its name at the top."""
        views = self.page.get_by_role("navigation", name="Views")
        views.get_by_role("button", name=VIEWS[view], exact=True).click()

    def opened_drawer(self, title: str) -> Any:
        """Open a drawer of the view, and return it."""
        drawer = self.page.locator("details.drawer").filter(has=self.page.get_by_role("heading", name=title))
        if drawer.get_attribute("open") is None:
            drawer.locator("summary").first.click()
        return drawer

    def whole(self) -> None:
        """Come near every part of the view, and wait until nothing is on its way."""
        for _ in range(240):
            waits = self.page.evaluate(
                """() => { const step = innerHeight * 0.8, high = document.documentElement.scrollHeight;
                window.at = window.at + step > high ? 0 : (window.at ?? 0) + step; scrollTo(0, window.at);
                const waiting = [...document.querySelectorAll('main [role=status]')];
                return waiting.some(e => / …$/.test(e.textContent)) || window.at !== 0; }"""
            )
            if not waits:
                return
            self.page.wait_for_timeout(250)
        raise AssertionError(self.page.locator("main").inner_text()[:2000])

    def overflows(self) -> list[str]:
        """Return what reaches past the window's right edge, outside boxes that scroll by themselves."""
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll("body *")]
            .filter(e => e.getBoundingClientRect().width > 0)
            .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .filter(e => !e.closest(".scroll, .unseen, .skip, thead, [hidden], nav, .vega, svg"))
            .map(e => `${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`)"""
        )
        return found

    def quiet(self) -> None:
        """Assert that the console said nothing and that nothing was asked of another origin."""
        if self.said:
            refused = [f"{r.status} {r.url} {r.request.post_data}: {r.text()[:500]}" for r in self.refused]
            raise AssertionError(f"{self.said} {refused}")
        mine = (self.origin, "data:", "blob:", "about:")
        assert [url for url in self.asked if not url.startswith(mine)] == []
