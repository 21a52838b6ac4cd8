"""The invented reports: kinds, figures with hedges, and copies, as a reader finds them."""

import pytest

from breakrank_desk.dates import date_spans
from breakrank_desk.figures import figures
from breakrank_desk.syndication import links
from breakrank_desk.words import table
from packages.desk.tests.invented import ids, invented


@pytest.mark.parametrize("name", ids())
def test_language_and_story(name: str) -> None:
    found = invented()[name]
    assert found.text.language == name[:2]
    assert len(found.text.story) == found.story, [
        (p.kind, p.reason, p.text[:40]) for p in found.text.paragraphs
    ]


@pytest.mark.parametrize("name", ids())
def test_figures(name: str) -> None:
    found = invented()[name]
    words = table(found.text.language)
    read = [
        (round(f.low, 4), round(f.high, 4), f.unit)
        for p in found.text.story
        for f in figures(p.text, words, date_spans(p.text, words))
    ]
    assert read == found.figures


def test_links() -> None:
    found = {
        (x.verdict, frozenset((x.fuller, x.shorter))): x for x in links([e.text for e in invented().values()])
    }
    assert set(found) == {
        ("partial copy", frozenset(("en-river", "en-partial"))),
        ("partial copy", frozenset(("es-rio", "es-parcial"))),
    }
    for link in found.values():
        assert link.paragraphs == ("2",) or link.paragraphs == ("3",)


def test_a_report_carried_by_many_has_one_parent() -> None:
    from dataclasses import replace

    one = invented()["en-river"].text
    found = links([replace(one, source=f"r{k:03d}", outlet=f"Outlet {k}") for k in range(40)])
    assert {x.verdict for x in found} == {"copy"}
    assert {s for x in found for s in (x.fuller, x.shorter)} == {f"r{k:03d}" for k in range(40)}
