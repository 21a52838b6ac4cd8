"""What an accepted figure changes, in a browser: where it falls in the forecast, and the forecast with it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from breakrank.answer.answer import Answer
from breakrank.answer.files import from_json
from breakrank.page import answers
from packages.desk.tests.page_case import served_desk
from packages.desk.tests.test_browser import accept, here, opened
from tests.page.conftest import Served
from tests.page.test_browser import violations
from tests.page.window import Window

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def forecast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a desk whose case has a forecast as of 30 April that is kept."""
    with served_desk(tmp_path_factory.mktemp("ahead")) as (served, _, _):
        made(served, {})
        yield served


def made(served: Served, more: dict[str, str]) -> dict[str, Any]:
    """Have a forecast made, and return it."""
    tab, asked = served.tab(), {"view": "next", "question": {"case": "small"}, "go": True, **more}
    for _ in range(3000):
        told = tab.post("/api/view", asked).data
        if "progress" not in told:
            found: dict[str, Any] = told
            return found
        time.sleep(0.2)
    raise AssertionError(told)


TAKEN = (("label", "Registered"), ("median", 38.0), ("low", 26.0), ("high", 75.0))
"""What the forecast says once it has taken the figure in; to compute it takes minutes."""


def with_figure(found: Answer) -> Answer:
    """Return a forecast as it would be with the figure, as of a later day."""
    counts = found["counts"]
    rows = counts.rows.copy()
    for name, value in TAKEN[1:]:
        rows.loc[rows["label"] == TAKEN[0][1], name] = value
    tables = tuple(replace(t, rows=rows) if t.name == "counts" else t for t in found.tables)
    return replace(found, tables=tables, title=f"{found.title.rpartition(' ')[0]} 2025-05-31")


def test_an_accepted_figure_shows_where_it_falls_and_what_it_changes(
    browser: Any, forecast: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = forecast.page_state.case("small")
    kept = forecast.page.views.background.get(answers.next_key(case, answers.usual_day(case)))
    assert kept is not None
    tables: list[str] = []

    def computed(_: Any, as_of: str, *more: Any) -> Answer:
        tables.append(f"{as_of}: {more[1].text}")
        return with_figure(from_json(kept))

    monkeypatch.setattr(answers, "forecast", computed)
    with Window(browser, forecast) as window:
        page = opened(window)
        accept(page, "Registered soldiers", "registered")
        here(page, "Nine")
        falls = page.locator(".falls")
        falls.get_by_text("The figure of 31 May 2025, at least 26, lies above the forecast's").wait_for()
        falls.get_by_role("button").click()
        section = page.get_by_role("region", name="Accepted figures", exact=True)
        section.get_by_text("lies above the forecast's 90% interval").wait_for()
        row = section.get_by_role("row").nth(1)
        assert "between 30 May and 30 Jun 2025" in row.inner_text()
        chart = page.locator("main [data-chart] [role=img]")
        assert "lies above" in chart.get_attribute("aria-label")
        chart.locator("svg").get_by_text("on 31 May 2025").wait_for()
        page.get_by_text("Share", exact=True).click()
        with page.expect_download() as file:
            page.get_by_role("button", name="One file to send").click()
        frozen = Path(file.value.path()).read_text("utf-8")
        assert "Accepted figures beside this forecast" in frozen
        assert "on 31 May 2025" in frozen
        assert "<dt>Officers who left the country</dt>" in frozen, "a figure that scores the forecast"
        assert "<dd>the mayor, in r000</dd>" in frozen
        assert not (faults := violations(page)), "\n".join(faults)
        section.get_by_role("button", name="Take it in").click()
        said = section.get_by_text("goes from")
        said.wait_for()
        assert said.inner_text() == (
            "With at least 26 on 31 May 2025, registered by 30 May 2025 goes from "
            "0 (90% 0 to 12) to 38 (26 to 75)."
        )
        assert section.get_by_role("row").filter(has_text="Regime in place").count() == 1
        heads = "date,measure,figure,source\r\n"
        assert tables == [f"2025-05-31: {heads}2025-05-31,registered,at least 26,the mayor (r000)\r\n"]
        assert not (faults := violations(page)), "\n".join(faults)
        # Of two figures that count the same by the same day, one is taken in.
        page.get_by_role("button", name="Read reports").click()
        here(page, "Nine")
        page.keyboard.press("]")
        here(page, "No more than 20")
        accept(page, "Registered soldiers, officer", "registered")
        page.locator(".falls").get_by_text("at most 20, agrees with").wait_for()
        window.go("next")
        section.get_by_text("count the same by 31 May 2025").wait_for()
        section.get_by_role("combobox").first.select_option("not forecast")
        said.wait_for()
        assert len(tables) == 1, "it is kept"
        page.reload()
        section.get_by_role("combobox").first.wait_for()
        assert section.get_by_role("combobox").first.input_value() == "", "what it counts is remembered"
        window.quiet()
