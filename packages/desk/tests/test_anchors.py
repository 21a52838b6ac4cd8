"""Anchors hold, move or orphan; none ever points at other words."""

import random

import pytest

from breakrank_desk.anchors import Anchor, follow
from breakrank_desk.texts import Paragraph, Text, numbered
from packages.desk.tests.invented import invented

EDITS = 2_000


def texts() -> list[Text]:
    return [e.text for e in invented().values()]


def again(parts: list[str]) -> tuple[Paragraph, ...]:
    return numbered([(p, "story", "") for p in parts])


STORY = [
    "Nearly 1,200 soldiers have crossed the Sil river since March 3, the service said.",
    "More than 200 soldiers brought their families, and 30 officers are among them.",
]


def anchor_of(paragraphs: tuple[Paragraph, ...], at: int, words: str) -> Anchor:
    own = paragraphs[at].words
    wanted = words.split()
    first = next(k for k in range(len(own)) if own[k : k + len(wanted)] == wanted)
    return Anchor.at("r000", paragraphs[at], first, first + len(wanted))


def test_holds_when_quotes_dashes_spaces_and_frame_change() -> None:
    paragraphs = numbered([('He said "we left - all 40 of us" on Sunday, before dawn.', "story", "")])
    anchor = anchor_of(paragraphs, 0, "40")
    changed = again(["Another paragraph.", "He said “we  left — all 40 of\u00a0us” on Sunday, before dawn."])
    found = follow(anchor, changed)
    assert found.state == "holds"
    assert found.anchor is not None
    assert found.anchor.paragraph == "2"


def test_moves_when_the_same_words_stand_between_the_same_words_once() -> None:
    anchor = anchor_of(again(STORY), 0, "1,200")
    found = follow(anchor, again(["Corrected. " + STORY[0], STORY[1]]))
    assert found.state == "moved"
    assert found.anchor is not None
    assert found.anchor.span_hash == anchor.span_hash


@pytest.mark.parametrize(
    "parts",
    [
        [STORY[0].replace("1,200", "1,300"), STORY[1]],  # the figure changed
        [STORY[0].replace("Nearly", "About"), STORY[1]],  # what stands beside it changed
        ["Corrected. " + STORY[0], "Again. " + STORY[0]],  # it stands there twice
        [STORY[1]],
        [],
    ],
)
def test_orphans(parts: list[str]) -> None:
    assert follow(anchor_of(again(STORY), 0, "1,200"), again(parts)).state == "orphan"


def test_words_without_neighbours_do_not_move() -> None:
    anchor = Anchor.at("r000", again(["Forty soldiers."])[0], 0, 1)
    assert follow(anchor, again(["Forty soldiers left."])).state == "orphan"


def test_plain_form_reads_back() -> None:
    anchor = anchor_of(again(STORY), 1, "200 soldiers")
    assert Anchor.of(anchor.plain()) == anchor


def edited(parts: list[str], luck: random.Random) -> list[str]:
    """Change a text at random: words dropped, doubled, swapped, replaced; paragraphs split or taken out."""
    parts = list(parts)
    for _ in range(luck.randint(1, 4)):
        k = luck.randrange(len(parts))
        words = parts[k].split()
        what = luck.randrange(7)
        if what == 0 and len(parts) > 1:
            parts.pop(k)
        elif what == 1:
            parts.insert(luck.randrange(len(parts) + 1), parts[k])
        elif what == 2 and len(words) > 3:
            cut = luck.randrange(1, len(words))
            parts[k : k + 1] = [" ".join(words[:cut]), " ".join(words[cut:])]
        elif words:
            at = luck.randrange(len(words))
            if what == 3:
                words.pop(at)
            elif what == 4:
                words.insert(at, words[luck.randrange(len(words))])
            elif what == 5:
                other = luck.randrange(len(words))
                words[at], words[other] = words[other], words[at]
            else:
                words[at] = luck.choice(["1,300", "some", "nearly", "40", "soldiers"])
            parts[k] = " ".join(words)
    return parts


def test_random_edits_never_move_an_anchor_to_other_words() -> None:
    """What a found anchor points at is always the words it was made of, with the same words around them."""
    luck = random.Random(20310402)
    stories = [[p.text for p in t.story] for t in texts()]
    states = {"holds": 0, "moved": 0, "orphan": 0}
    for _ in range(EDITS):
        parts = luck.choice(stories)
        before = again(parts)
        p = luck.choice([x for x in before if len(x.words) > 6])
        first = luck.randrange(len(p.words) - 1)
        anchor = Anchor.at("r000", p, first, min(len(p.words), first + luck.randint(1, 3)))
        after = again(edited(parts, luck))
        found = follow(anchor, after)
        states[found.state] += 1
        if found.anchor is not None:
            here = next(x for x in after if x.label == found.anchor.paragraph)
            a, b = found.anchor.words
            assert here.words[a:b] == p.words[slice(*anchor.words)]
            if found.state == "moved":
                wide = slice(max(0, a - anchor.around[0]), b + anchor.around[1])
                was = slice(max(0, first - anchor.around[0]), anchor.words[1] + anchor.around[1])
                assert here.words[wide] == p.words[was]
    assert min(states.values()) > EDITS / 50
