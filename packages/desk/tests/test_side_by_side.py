"""Two texts side by side: every paragraph once, in order, and just what differs is marked."""

from breakrank_desk.page.shown import Half, side_by_side
from breakrank_desk.texts import Text, numbered

HERALD = (
    "At least 26 soldiers had registered in the town by May 31, the mayor said on Sunday.",
    "“Most came in May,” a registrar told the paper. Nine are sergeants.",
    "The hotel has 80 beds, and each guest costs the town $11 a day.",
)


def text(*paragraphs: str, source: str = "r") -> Text:
    return Text(source, "", "text", "1", "en", numbered([(p, "story", "") for p in paragraphs]))


def differing(half: Half | None) -> list[str]:
    assert half is not None
    return [p["text"] for p in half["pieces"] if not p["shared"]]


def shown(left: Text, right: Text) -> list[tuple[str, str]]:
    pairs = side_by_side(left, right)
    for side, whole in (("left", left), ("right", right)):
        halves = [h for p in pairs if (h := p[side]) is not None]
        told = {h["label"]: "".join(piece["text"] for piece in h["pieces"]) for h in halves}
        assert told == {p.label: p.text for p in whole.story}
        assert len(halves) == len(whole.story)
    return [tuple(half["label"] if half else "" for half in p.values()) for p in pairs]  # type: ignore[misc]


def test_a_word_that_was_changed_is_marked_alone() -> None:
    left, right = text(*HERALD), text(HERALD[0].replace("26", "28"), *HERALD[1:])
    pairs = side_by_side(left, right)
    assert (differing(pairs[0]["left"]), differing(pairs[0]["right"])) == (["26"], ["28"])
    assert [differing(h) for p in pairs[1:] for h in p.values()] == [[]] * 4


def test_quotes_and_dashes_set_otherwise_do_not_differ() -> None:
    other = [p.replace("“", '"').replace("”", '"') for p in HERALD]
    assert [differing(h) for p in side_by_side(text(*HERALD), text(*other)) for h in p.values()] == [[]] * 6


def test_what_only_one_says_stands_alone_and_whole() -> None:
    more = "The ministry in the capital would not speak of the matter until late in the evening."
    left, right = text(*HERALD), text(HERALD[0], more, HERALD[2])
    assert shown(left, right) == [("1", "1"), ("2", ""), ("", "2"), ("3", "3")]
    assert [differing(p["right"]) for p in side_by_side(left, right) if p["left"] is None] == [[more]]


def test_common_words_alone_are_not_shared() -> None:
    (pair, other) = side_by_side(text(HERALD[0]), text("The mayor of the town said that he had 26 cats."))
    assert differing(pair["left"]) == [HERALD[0]]
    assert pair["right"] is None
    assert other["left"] is None


def test_paragraphs_in_another_order_meet() -> None:
    assert shown(text(*HERALD), text(HERALD[2], HERALD[0])) == [("1", "2"), ("2", ""), ("3", "1")]


def test_a_paragraph_cut_in_two_stands_beside_the_whole() -> None:
    whole = " ".join(HERALD)
    assert shown(text(whole), text(*HERALD)) == [("1", "1"), ("", "2"), ("", "3")]
