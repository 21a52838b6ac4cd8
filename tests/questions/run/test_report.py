import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from breakrank.answer.html import page as render
from breakrank.errors import UsageError
from tests.questions.run.hostile import hostile_case
from tests.show.world import made

VOID = {"meta", "br", "img", "input", "hr", "link"}


class Page(HTMLParser):
    """Reads a page into what the tests ask of it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            self.scripts.append((self.tags[-1][1] | {"tag": self.open[-1]}, data))
        else:
            self.text += data


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report, alone in its folder."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    made(runs=8).report(path)
    return path


@pytest.fixture(scope="module")
def page(report: Path) -> Page:
    return Page(report.read_text("utf-8"))


def test_report_is_one_small_file(report: Path) -> None:
    assert report.stat().st_size < 1_500_000
    assert [p.name for p in report.parent.iterdir()] == ["report.html"]


def test_elements_are_closed_in_order(page: Page) -> None:
    assert page.open == []


def test_nothing_leads_outside(page: Page) -> None:
    for tag, attrs in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base", "form")
        for name in ("src", "srcset", "action", "data", "poster"):
            assert name not in attrs
        assert (attrs.get("href") or "#").startswith("#")
    for attrs, text in page.scripts:
        if attrs["tag"] == "style":
            assert set(re.findall(r"url\(\"?(\w+:)", text)) == {"data:"}
            assert "@import" not in text


def test_every_link_has_a_place(page: Page) -> None:
    places = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    links = {str(attrs["href"])[1:] for tag, attrs in page.tags if tag == "a"}
    assert links <= places
    assert {"o1", "o2"} <= links


def test_policy_names_exactly_the_scripts_and_the_style(page: Page) -> None:
    policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    runnable = [text for attrs, text in page.scripts if attrs["tag"] == "style"]
    assert len(runnable) == len(page.scripts), "there is no script"
    named = set(re.findall(r"'sha256-([^']+)'", policy))
    assert named == {base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in runnable}


def test_texts_of_a_case_cannot_break_out() -> None:
    page = Page(render(made(runs=2, case=hostile_case()).answer))
    assert page.open == []
    assert [t for t, _ in page.tags].count("script") == 0
    assert [t for t, _ in page.tags].count("style") == 1
    assert not any(t == "img" for t, _ in page.tags)
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert "{{ 7 * 7 }}" in page.text
    assert "<img src=x onerror=window.broken=1>" in page.text


@pytest.mark.parametrize(
    "world",
    [{"runs": 1, "end": "2019-03-31"}, {"runs": 3, "end": "2019-03-31", "still": True}],
    ids=["one run", "nobody leaves"],
)
def test_unusual_results_have_a_report(world: dict[str, Any]) -> None:
    page = Page(render(made(**world).answer))
    assert not re.search(r"\bnan\b", page.text)
    if world["runs"] == 1:
        assert "One run has no spread" in page.text
        assert "90%" not in page.text
    if world.get("still"):
        assert "By 31 Mar 2019, nobody leaves" in page.text


def test_what_cannot_be_written_is_named_and_leaves_the_old_report(tmp_path: Path) -> None:
    result = made(runs=1, end="2019-01-05")
    for place in (tmp_path / "none" / "report.html", tmp_path):
        with pytest.raises(UsageError, match=re.escape(str(place))):
            result.report(place)
    with pytest.raises(UsageError, match=r"x\.docx is no name for a report; it must end with \.html"):
        result.report(tmp_path / "x.docx")
    assert list(tmp_path.iterdir()) == []
