"""A page of another origin, in the same browser, with the cookie in its jar: it gets nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import Window

pytestmark = pytest.mark.browser

TRIES = """async (origin) => {
  const tries = {
    read: () => fetch(`${origin}/api/cases`, { credentials: "include" }),
    blind: () => fetch(`${origin}/api/cases`, { credentials: "include", mode: "no-cors" }),
    ask: () => fetch(`${origin}/api/ask`, { method: "POST", credentials: "include",
      headers: { "content-type": "application/json" }, body: '{"case":"small"}' }),
    form: () => fetch(`${origin}/api/ask`, { method: "POST", credentials: "include", mode: "no-cors",
      body: '{"case":"small"}' }),
  };
  const found = {};
  for (const [name, one] of Object.entries(tries)) {
    try { const r = await one(); found[name] = `${r.status} ${await r.text()}`; }
    catch (error) { found[name] = "refused"; }
  }
  found.socket = await new Promise(done => { try {
    const s = new WebSocket(origin.replace("http", "ws") + "/api/ask"); s.onopen = () => done("open");
    s.onerror = () => done("refused"); } catch { done("refused"); } });
  found.image = await new Promise(done => { const i = new Image(); i.onload = () => done("loaded");
    i.onerror = () => done("refused"); i.src = `${origin}/favicon.ico`; });
  found.script = await new Promise(done => { const s = document.createElement("script");
    s.onload = () => done("loaded"); s.onerror = () => done("refused");
    s.src = `${origin}/api/look`; document.body.append(s); });
  const frame = document.createElement("iframe"); frame.src = origin; document.body.append(frame);
  await new Promise(done => { frame.onload = done; setTimeout(done, 2000); });
  try { found.frame = frame.contentDocument ? "open" : "refused"; } catch { found.frame = "refused"; }
  return found;
}"""


@pytest.mark.parametrize("host", ["http://other.test", "http://localhost:1"])
def test_a_page_of_another_origin_gets_nothing(chromium: Any, served: Served, host: str) -> None:
    with Window(chromium, served) as window:
        window.noisy = True  # the browser has to refuse
        window.enter("take")
        page = window.opened()
        statuses: list[int] = []
        page.on("response", lambda r: statuses.append(r.status) if r.url.startswith(window.origin) else None)
        page.route(
            f"{host}/**",
            lambda route: route.fulfill(body="<!doctype html><body>other</body>", content_type="text/html"),
        )
        page.goto(f"{host}/")
        found = page.evaluate(TRIES, window.origin)
        for name in ("read", "ask", "socket", "image", "script", "frame"):
            assert found[name] == "refused", found
        for name in ("blind", "form"):
            assert found[name] in ("refused", "0 "), found
        assert not [status for status in statuses if status < 400], statuses
