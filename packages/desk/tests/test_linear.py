"""Proposing costs in proportion to the length of a text, also within one endless paragraph; by counts."""

import cProfile
import pstats

import pytest

from breakrank_desk import normal
from breakrank_desk.anchors import word_span
from breakrank_desk.context import Context
from breakrank_desk.normal import words
from breakrank_desk.proposals import propose
from breakrank_desk.texts import Text, numbered

FILLER = ", and on" * 40
"""Clauses without a figure between two figures."""


def endless(figures: int, between: str) -> Text:
    story = between.join(f"On March {1 + k % 28} the mayor said {100 + k} men" for k in range(figures))
    return Text("r000", "", "text", "1", "en", numbered([(story, "story", "")]))


def spent(text: Text, context: Context, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Return how many calls proposing made, and how many letters it brought into one spelling."""
    letters, plain, profile = 0, normal.plain, cProfile.Profile()

    def counting(text: str) -> str:
        nonlocal letters
        letters += len(text)
        return plain(text)

    with monkeypatch.context() as patch:
        patch.setattr(normal, "plain", counting)
        profile.enable()
        found = propose(text, context)
        profile.disable()
    assert len(found) == text.paragraphs[0].text.count(" men")
    calls: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    return calls, letters


@pytest.mark.parametrize("between", [f"{FILLER}. ", f"{FILLER}, "], ids=["sentences", "one sentence"])
def test_twice_the_text_costs_twice(between: str, monkeypatch: pytest.MonkeyPatch) -> None:
    context = Context.open("venezuela-2019")
    spent(endless(5, between), context, monkeypatch)  # tables are read and expressions made once
    single = spent(endless(60, between), context, monkeypatch)
    double = spent(endless(120, between), context, monkeypatch)
    for once, twice in zip(single, double, strict=True):
        assert twice <= 2.15 * once, (single, double)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nearly 1,000 left — “the 26th”.",
        "½ of 3\u00a0000\u2009men, e\u0301l dijo: «12»",
        "a,b.c 'd-e' _f",
    ],
)
def test_words_are_counted_as_if_the_text_were_cut(text: str) -> None:
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            first = len(words(text[:start]))
            assert word_span(text, start, end) == (first, max(first + 1, len(words(text[:end]))))
