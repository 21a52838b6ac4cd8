"""Copies side by side, quantities over time, kinds, spans, questions: by keyboard, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from breakrank_desk import Desk
from packages.desk.tests.page_case import HERALD, served_desk
from packages.desk.tests.test_browser import AtDesk, accept, here, opened
from tests.page.test_browser import violations
from tests.page.window import Window

pytestmark = pytest.mark.browser
POST = HERALD.replace("At least 26", "At least 28").replace("Nine of them are sergeants, she said.", "")
DARK_NARROW = {"viewport": {"width": 380, "height": 800}, "color_scheme": "dark"}


@pytest.fixture
def at_desk(tmp_path: Path) -> Iterator[AtDesk]:
    with served_desk(tmp_path, {"post.txt": (POST, "Valley Post", "2025-06-03")}) as found:
        yield found


def sound(window: Window) -> None:
    width = window.page.viewport_size["width"]
    assert window.page.evaluate("document.documentElement.scrollWidth") <= width
    assert window.overflows() == []
    assert not (faults := violations(window.page)), "\n".join(faults)


@pytest.mark.parametrize("look", [{}, DARK_NARROW], ids=["light-wide", "dark-narrow"])
def test_copies_stand_side_by_side_and_are_judged(
    browser: Any, at_desk: AtDesk, look: dict[str, Any]
) -> None:
    served, case, reports = at_desk
    with Window(browser, served, **look) as window:
        page = opened(window)
        page.keyboard.press("b")
        beside = page.get_by_role("region", name="r002 is a copy of r000")
        beside.locator("xpath=self::*[@id='desk-beside']").wait_for()
        assert beside.evaluate("e => e === document.activeElement")
        assert beside.locator(".pair mark").all_inner_texts() == [
            "26",
            "28",
            "Nine of them are sergeants, she said.",
        ]
        beside.get_by_text("at least 28 here, at least 26 there").wait_for()
        sound(window)
        page.keyboard.press("y")
        beside.get_by_role("button", name="Noted as copy").wait_for()
        assert Desk.open(case, reports).judged() == {("r000", "r002"): "copy"}
        page.keyboard.press("n")
        beside.get_by_role("button", name="Noted as separate").wait_for()
        page.keyboard.press("Escape")
        here(page, "At least 26")
        page.keyboard.press("]")
        here(page, "No more than 20")
        page.keyboard.press("b")
        page.get_by_text("No other report has words of this one.").first.wait_for()
        page.keyboard.press("]")
        here(page, "At least 28")
        window.quiet()
    assert {p.source for p in Desk.open(case, reports).proposals()} == {"r000", "r001", "r002"}


@pytest.mark.parametrize("look", [{}, DARK_NARROW], ids=["light-wide", "dark-narrow"])
def test_a_quantity_is_drawn_and_leads_to_its_words(
    browser: Any, at_desk: AtDesk, look: dict[str, Any]
) -> None:
    served, case, reports = at_desk
    with Window(browser, served, **look) as window:
        page = opened(window)
        accept(page, "Registered soldiers", "registered")
        here(page, "Nine")
        page.keyboard.press("]")
        here(page, "No more than 20")
        accept(page, "Registered soldiers, officer", "registered")
        picture = page.get_by_role("img", name="Registered: 2 figures of 2 independent sources")
        picture.wait_for()
        told = picture.get_attribute("aria-label")
        assert "A: at least 26 persons" in told
        assert "1 conflict, drawn as dashed lines" in told
        assert picture.locator("path").count() == 2
        assert picture.locator("line[stroke-dasharray]").count() == 1
        sound(window)
        page.keyboard.press("c")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        here(page, "At least 26")
        page.get_by_text("nothing yet").wait_for()
        page.keyboard.press("q")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.keyboard.type("two registers are kept")
        page.keyboard.press("Enter")
        page.get_by_role("region", name="Open questions").get_by_text("None.").wait_for()
        window.quiet()
    assert [q.answer for q in Desk.open(case, reports).questions()] == ["two registers are kept"]


def test_a_span_is_chosen_by_its_two_ends(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        page = opened(window)
        dates = page.get_by_role("group", name="Date")
        texts = dates.locator("label .value").all_inner_texts()
        first, second = texts[0].split()[0], texts[1].split()[0]
        low, high = sorted((first, second), key=lambda d: d.split("/")[0])
        page.keyboard.press("d")
        page.keyboard.press(str(1 + [first, second].index(low)))
        page.keyboard.press("t")
        page.keyboard.press(str(1 + [first, second].index(high)))
        page.keyboard.press("Escape")
        accept(page, "Registered soldiers", "")
        here(page, "Nine")
        sound(window)
        window.quiet()
    seen = list(Desk.open(case, reports).context.ledger.observations.values())[-1]
    assert seen.date == f"{low.split('/')[0]}/{high.split('/')[-1]}"


def test_the_kind_of_a_paragraph_is_set(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    with Window(browser, served) as window:
        page = opened(window)
        page.keyboard.press("f")
        group = page.get_by_role("group", name="What the paragraph is")
        group.wait_for()
        sound(window)
        for _ in range(3):
            page.keyboard.press("j")
        group.get_by_text("Paragraph caption").wait_for()
        page.keyboard.press("s")
        page.locator(".report .label:has-text('4')").wait_for()
        group.wait_for(state="detached")
        window.quiet()
    assert len(Desk.open(case, reports).text("r000").story) == 4


def test_a_choice_beyond_the_first_few_is_taken_by_its_digit(browser: Any, at_desk: AtDesk) -> None:
    served, case, reports = at_desk
    sixth = Desk.open(case, reports).proposals("r000")[0].places[5]
    with Window(browser, served) as window:
        page = opened(window)
        assert page.get_by_role("group", name="Place").locator("input[type=radio]").count() == 4
        page.keyboard.press("p")
        page.keyboard.press("6")
        page.keyboard.press("Escape")
        accept(page, "Registered soldiers", "")
        here(page, "Nine")
        window.quiet()
    assert list(Desk.open(case, reports).context.ledger.observations.values())[-1].place == sixth
