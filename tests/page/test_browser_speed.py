"""How soon there is something to see, and how smoothly the days go by; -s shows the figures."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import Window

pytestmark = pytest.mark.browser

PAINT = 1000
"""Milliseconds until the first paint, at most."""


def test_the_first_paint_comes_within_a_second(chromium: Any, served: Served) -> None:
    best = math.inf
    for _ in range(3):  # other work on the machine may hold one up
        with Window(chromium, served) as window:
            page = window.page
            page.goto(f"{window.origin}/?token={window.token}")
            page.get_by_role("navigation", name="Views").wait_for()
            paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            scripts = page.evaluate("performance.getEntriesByType('resource').map(r => r.name)")
            assert not any("vega" in name for name in scripts if name.endswith(".js")), (
                "the view waits for it"
            )
            best = min(best, paint)
        if best < PAINT:
            break
    print(f"first paint after {best:.0f} ms")
    assert best < PAINT


def bands(days: int, groups: int) -> dict[str, Any]:
    """Return that many fans over that many days."""

    def curve(k: int, factor: float) -> list[float]:
        return [round(factor * (k + 1) * day * (1 + 0.2 * math.sin(day / 9 + k)), 1) for day in range(days)]

    levels = {"q05": 0.4, "q25": 0.8, "median": 1.0, "q75": 1.2, "q95": 1.9}
    return {
        "label": "Leaving",
        "unit": "soldiers",
        "record": [],
        "groups": [
            {"id": f"g{k}", "label": f"Group {k}", **{name: curve(k, f) for name, f in levels.items()}}
            for k in range(groups)
        ],
    }


def test_sixty_series_of_a_year_follow_the_day_smoothly(chromium: Any, served: Served) -> None:
    """Play a year over 60 fans of 365 days: frames a second, and what one day costs the page's own thread."""
    import datetime as dt

    days = [(dt.date(2025, 1, 1) + dt.timedelta(k)).isoformat() for k in range(365)]
    board = {"days": days, "runs": 40, "series": [bands(365, 60)]}
    body = json.dumps(board)

    def longer(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"end": days[-1]})

    with Window(chromium, served) as window:
        window.noisy = True  # the case is made longer than its runs, so a day of the headline is refused
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.route("**/api/cases/small", longer)
        page.route(
            "**/api/board",
            lambda route: route.fulfill(body=body, content_type="application/json"),
        )
        page.goto("about:blank")
        page.goto(f"{window.origin}/#view=look&case=small&runs=4&seed=1")
        page.locator("figure[data-chart=leaving-rank] svg.fan").nth(59).wait_for()
        window.answered()
        cost = page.evaluate(
            """async () => {
              const day = document.querySelector('.dayline input');
              const fan = document.querySelector('figure .cursor');
              const spent = [];
              for (let k = 0; k < 120; k += 1) {
                const before = performance.now();
                day.value = 3 * k; day.dispatchEvent(new Event('input', { bubbles: true }));
                await Promise.resolve(); fan.getBoundingClientRect();
                spent.push(performance.now() - before);
                await new Promise(requestAnimationFrame);
              }
              return spent.sort((a, b) => a - b)[60];
            }"""
        )
        best = 0.0
        for _ in range(3):
            page.evaluate(
                "(d => { d.value = 0; d.dispatchEvent(new Event('input', { bubbles: true })); })"
                "(document.querySelector('.dayline input'))"
            )
            page.get_by_role("button", name="Play the days").click()
            frames = page.evaluate(
                """() => new Promise(done => {
                  const seen = []; let before = 0; const end = performance.now() + 3000;
                  const step = now => { if (before) seen.push(now - before); before = now;
                    if (now < end) requestAnimationFrame(step); else done(seen.sort((a, b) => a - b)); };
                  requestAnimationFrame(step); })"""
            )
            page.get_by_role("button", name="Stop").click()
            best = max(best, 1000 / frames[len(frames) // 2])
            if best >= 30:
                break
        print(f"60 series of 365 days: {best:.0f} frames a second, {cost:.1f} ms a day")
        assert best >= 30
        assert cost < 1000 / 30
