"""The desk in a real browser, by keyboard alone; light and dark, wide and narrow, with axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from breakrank_desk import Desk
from packages.desk.tests.page_case import served_desk
from tests.page.conftest import Served
from tests.page.test_browser import violations
from tests.page.window import Window

pytestmark = pytest.mark.browser
AtDesk = tuple[Served, Path, Path]


@pytest.fixture
def at_desk(tmp_path: Path) -> Iterator[AtDesk]:
    with served_desk(tmp_path) as found:
        yield found


def opened(window: Window) -> Any:
    """Open the page as it was printed: the desk stands there, at its first open figure."""
    window.page.goto(f"{window.origin}/?token={window.token}")
    here(window.page, "At least 26")
    return window.page


def here(page: Any, words: str) -> None:
    """Wait until the reader is at a figure, with the focus on its words."""
    page.locator(f".figure[aria-current]:focus:has-text('{words}')").wait_for()


def state(page: Any, words: str) -> str:
    found: str = page.locator(f".figure:has-text('{words}')").first.get_attribute("data-state")
    return found


def accept(page: Any, what: str, counts: str) -> None:
    """Type words and a quantity, and accept; Enter leads to the words first."""
    page.keyboard.press("Enter")
    page.keyboard.type(what)
    page.keyboard.press("Tab")
    page.keyboard.type(counts)
    page.keyboard.press("Enter")


def test_reports_are_coded_by_keyboard_alone(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        page = opened(window)
        page.keyboard.press("w")
        page.keyboard.press("2")
        page.keyboard.press("Escape")
        here(page, "At least 26")
        accept(page, "Registered soldiers", "registered")
        here(page, "Nine")
        assert state(page, "At least 26") == "edited"
        page.keyboard.press("x")
        page.get_by_role("group", name="Why it is nothing for the ledger").wait_for()
        page.keyboard.press("t")
        here(page, "80")
        page.keyboard.press("l")
        here(page, "$11 a day")
        page.keyboard.press("k")
        here(page, "80")
        page.keyboard.press("u")
        page.locator(".figure[data-state=open]:has-text('80')").wait_for()
        page.keyboard.press("j")
        here(page, "$11 a day")
        page.keyboard.press("]")
        here(page, "No more than 20")
        accept(page, "Registered soldiers, officer", "registered")
        conflicts = page.get_by_role("region", name="Conflicts and agreement")
        conflicts.get_by_text("2 figures of 2 independent sources; 1 agrees with the latest").wait_for()
        page.keyboard.press("c")
        assert conflicts.evaluate("e => e === document.activeElement")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        conflicts.get_by_text("(in the ledger)").wait_for()
        window.quiet()
    desk = Desk.open(case, reports)
    first, second = list(desk.context.ledger.observations.values())[-2:]
    assert (first.what, first.value, first.bound, first.says) == (
        "Registered soldiers", 26, "at_least", desk.proposals("r000", decided=True)[0].says[1],
    )  # fmt: skip
    assert first.conflicts == (second.id,)
    assert [d.verb for d in desk.store.decisions()] == ["edited", "rejected", "later", "undone", "accepted"]
    assert desk.store.decisions()[1].why == "told elsewhere already"


def test_what_was_accepted_is_edited_and_taken_back(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        page = opened(window)
        accept(page, "Registered soldiers", "registered")
        here(page, "Nine")
        page.keyboard.press("k")
        here(page, "At least 26")
        page.keyboard.press("e")
        page.locator("[name=figure]:focus").wait_for()
        page.keyboard.press("Control+a")
        page.keyboard.type("26 to 30")
        page.keyboard.press("Enter")
        here(page, "Nine")
        changed = Desk.open(case, reports)
        assert list(changed.context.ledger.observations.values())[-1].range == (26, 30)
        assert [len(q.members) for q in changed.quantities()] == [1]
        page.keyboard.press("u")
        here(page, "At least 26")
        assert state(page, "At least 26") == "open"
        assert Desk.open(case, reports).store.in_force() == {}
        window.quiet()


def test_sentences_are_marked_by_keyboard(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        page = opened(window)
        page.keyboard.press("s")
        here(page, "At least 26 soldiers")
        page.keyboard.press("s")
        here(page, "Most came in May")
        page.keyboard.press("S")
        here(page, "At least 26 soldiers")
        page.keyboard.press("s")
        here(page, "Most came in May")
        page.keyboard.press("Enter")
        page.keyboard.type("Month in which they arrived")
        page.locator("[name=figure]").focus()
        page.keyboard.type("mostly in May")
        page.keyboard.press("Enter")
        page.locator(".sentence[data-state=edited], .sentence[data-state=accepted]").wait_for()
        assert not (faults := violations(page)), "\n".join(faults)
        window.quiet()
    seen = list(Desk.open(case, reports).context.ledger.observations.values())[-1]
    assert (seen.what, seen.text) == ("Month in which they arrived", "mostly in May")


def test_keys_typed_ahead_mean_what_they_mean_after_the_decision(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        page = opened(window)
        accept(page, "First words", "")
        accept(page, "Next: x, l and u are letters", "")
        here(page, "80")
        window.quiet()
    desk = Desk.open(case, reports)
    assert [d.verb for d in desk.store.decisions()] == ["accepted", "accepted"]
    told = [o.what for o in list(desk.context.ledger.observations.values())[-2:]]
    assert told == ["First words", "Next: x, l and u are letters"]


def test_what_is_refused_is_told_and_nothing_typed_is_lost(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        window.noisy = True  # what is refused is
        page = opened(window)
        copied = "soldiers of Montara had registered in Norlund by May"
        accept(page, copied, "")
        page.get_by_role("alert").get_by_text("words").wait_for()
        assert page.locator("[name=what]").input_value() == copied
        assert Desk.open(case, reports).store.decisions() == []
        page.keyboard.press("Escape")
        here(page, "At least 26")


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1440), ("dark", 380)], ids=["light-wide", "dark-narrow"]
)
def test_the_desk_is_whole_and_accessible(browser: Any, at_desk: AtDesk, scheme: str, width: int) -> None:
    screen = {"width": width, "height": 800}
    with Window(browser, at_desk[0], viewport=screen, color_scheme=scheme) as window:
        page = opened(window)
        views = page.get_by_role("navigation", name="Views")
        assert views.get_by_role("button", name="What next").get_attribute("aria-current") == "page"

        def sound() -> None:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert window.overflows() == []
            assert not (faults := violations(page)), "\n".join(faults)

        sound()
        accept(page, "Registered soldiers", "registered")
        here(page, "Nine")
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys").wait_for()
        page.keyboard.press("x")
        page.get_by_role("group", name="Why it is nothing for the ledger").wait_for()
        sound()
        page.keyboard.press("Escape")
        page.keyboard.press("k")
        here(page, "At least 26")
        page.keyboard.press("]")
        here(page, "No more than 20")
        accept(page, "Registered soldiers, officer", "registered")
        page.get_by_role("button", name="Note it in the ledger").wait_for()
        sound()
        window.quiet()


def test_nothing_is_run_at_the_desk(browser: Any, at_desk: AtDesk) -> None:
    with Window(browser, at_desk[0]) as window:
        page = opened(window)
        page.wait_for_timeout(500)
        assert not [url for url in window.asked if url.endswith("/api/ask")]
        assert page.evaluate("location.hash").startswith("#view=desk&case=small&text=r000")
        page.reload()
        here(page, "At least 26")
        window.quiet()
