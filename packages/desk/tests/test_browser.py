"""The desk in a real browser, by keyboard alone; light and dark, wide and narrow, with axe."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from breakrank.answer.answer import Answer
from breakrank.answer.files import from_json
from breakrank.page import answers
from breakrank_desk import Desk
from packages.desk.tests.page_case import HERALD, served_desk
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
        tables.append(f"{as_of}: {more[2]}")
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


POST = HERALD.replace("At least 26", "At least 28").replace("Nine of them are sergeants, she said.", "")
DARK_NARROW = {"viewport": {"width": 380, "height": 800}, "color_scheme": "dark"}


@pytest.fixture
def with_copy(tmp_path: Path) -> Iterator[AtDesk]:
    with served_desk(tmp_path, {"post.txt": (POST, "Valley Post", "2025-06-03")}) as found:
        yield found


def sound(window: Window) -> None:
    width = window.page.viewport_size["width"]
    assert window.page.evaluate("document.documentElement.scrollWidth") <= width
    assert window.overflows() == []
    assert not (faults := violations(window.page)), "\n".join(faults)


@pytest.mark.parametrize("look", [{}, DARK_NARROW], ids=["light-wide", "dark-narrow"])
def test_copies_stand_side_by_side_and_are_judged(
    browser: Any, with_copy: AtDesk, look: dict[str, Any]
) -> None:
    served, case, reports = with_copy
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
    browser: Any, with_copy: AtDesk, look: dict[str, Any]
) -> None:
    served, case, reports = with_copy
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


def test_a_span_is_chosen_by_its_two_ends(browser: Any, with_copy: AtDesk) -> None:
    served, case, reports = with_copy
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


def test_the_kind_of_a_paragraph_is_set(browser: Any, with_copy: AtDesk) -> None:
    served, case, reports = with_copy
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


def test_a_choice_beyond_the_first_few_is_taken_by_its_digit(browser: Any, with_copy: AtDesk) -> None:
    served, case, reports = with_copy
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
