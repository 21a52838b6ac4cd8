"""A text's language is told by its words; nothing is proposed in one that the desk does not read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from breakrank import new_case
from breakrank.errors import UsageError
from breakrank_desk import Desk
from breakrank_desk.context import Context
from breakrank_desk.languages import language_of, unread
from breakrank_desk.library import text_of
from breakrank_desk.normal import words
from breakrank_desk.proposals import mark, propose, sentences_of
from breakrank_desk.reading.html import read_html
from breakrank_desk.texts import Block, Extract, Text
from packages.desk.tests.foreign import FOREIGN, UNKNOWN
from packages.desk.tests.invented import REPORTS, ids, invented

ENGLISH = "On 5 March the mayor said that 85 soldiers had come to the town with 2,500 of their relatives."
SHORT = "146 soldiers registered."


@pytest.fixture(scope="module")
def context() -> Context:
    return Context.open("venezuela-2019")


def text(*paragraphs: str, user: str = "", page: str = "") -> Text:
    blocks = tuple(Block(p) for p in paragraphs)
    return text_of(Extract("text", "1", blocks, language=page), "r000", "", user)


@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_is_proposed_in_another_language(context: Context, language: str) -> None:
    made = text(FOREIGN[language])
    assert made.language == language
    assert propose(made, context) == []
    assert sentences_of(made) == []
    with pytest.raises(UsageError, match="the desk reads English and Spanish"):
        mark(made, made.paragraphs[0], 0, context)


@pytest.mark.parametrize("language", UNKNOWN)
def test_nor_in_one_that_it_does_not_know(context: Context, language: str) -> None:
    made = text(UNKNOWN[language], page="en")
    assert made.language not in ("en", "es")
    assert propose(made, context) == []
    assert unread(made)


@pytest.mark.parametrize("language", FOREIGN | UNKNOWN)
def test_no_sentence_of_another_language_is_taken_for_one_that_is_read(language: str) -> None:
    for sentence in re.split(r"(?<=[.。።]) *", (FOREIGN | UNKNOWN)[language]):
        assert language_of(words(sentence)) not in ("en", "es"), sentence


def test_english_and_spanish_are_told_from_three_sentences() -> None:
    told, of = 0, 0
    for name in ids():
        story = [p.text for p in invented()[name].text.story]
        sentences = [s for p in story for s in re.split(r"(?<=[.!?”]) +", p)]
        for k in range(len(sentences) - 2):
            found = language_of(words(" ".join(sentences[k : k + 3])))
            assert found in ("", invented()[name].text.language)
            told, of = told + bool(found), of + 1
    assert told / of > 0.9


def test_a_text_too_short_to_tell_is_said_to_be_so(context: Context) -> None:
    made = text(SHORT)
    assert (made.language, propose(made, context)) == ("", [])
    assert "cannot be told" in unread(made)
    assert "--language en or es" in unread(made)
    assert [p.value for p in propose(text(SHORT, user="en"), context)] == [146]


def test_the_words_count_for_more_than_what_is_declared() -> None:
    made = text(FOREIGN["de"], user="en", page="es")
    assert made.language == "de"
    assert "you say English; its words are German" in made.told
    assert "the page declares Spanish; its words are German" in made.told


@pytest.mark.parametrize(
    ("written", "page", "language"),
    [
        ("146 soldiers in the town", "en-US", "en"),
        ("146 soldiers in the town", "de", ""),
        ("146 Soldaten in der Stadt", "de", "de"),
        (SHORT, "en", ""),
        ("Am 5. März 85 Soldaten", "en", ""),
        (UNKNOWN["et"], "en", ""),
        (SHORT, "", ""),
    ],
)
def test_what_a_page_declares_counts_only_for_a_few_words(written: str, page: str, language: str) -> None:
    made = read_html(f'<html lang="{page}"><body><p>{written}</p></body></html>'.encode())
    assert text_of(made, "r000", "").language == language


def test_a_paragraph_in_another_language_is_named_and_proposes_nothing(context: Context) -> None:
    french = FOREIGN["fr"].partition(" Le général")[0]
    made = text(ENGLISH, french, *(ENGLISH.replace("85", f"8{k}") for k in range(4)))
    assert made.language == "en"
    assert "paragraph 2 is in French; nothing is proposed from it" in made.told
    assert {p.anchor.paragraph for p in propose(made, context)} == {"1", "3", "4", "5", "6"}


def test_what_the_user_says_is_kept(tmp_path: Path) -> None:
    case, folder = new_case(tmp_path / "mine", full=True), tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(SHORT)
    with pytest.raises(UsageError, match="does not read 'de'"):
        Desk.open(case, folder).read(folder, language="de")
    Desk.open(case, folder).read(folder, language="en")
    desk = Desk.open(case, folder)
    assert desk.text("r000").language == "en"
    assert desk.read(folder)[0].language == "en"
    assert [p.value for p in desk.proposals()] == [146]
    assert desk.unread() == {}


def test_texts_that_are_not_read_are_named_beside_those_that_are(tmp_path: Path) -> None:
    case = new_case(tmp_path / "mine", full=True)
    (tmp_path / "de.txt").write_text(FOREIGN["de"])
    (tmp_path / "en.txt").write_text((REPORTS / "en-river.txt").read_text("utf-8"))
    desk = Desk.open(case, tmp_path)
    german, english = (desk.read(tmp_path / n)[0].source for n in ("de.txt", "en.txt"))
    assert {p.source for p in desk.proposals()} == {english}
    assert list(desk.unread()) == [german]
    assert desk.unread(english) == {}
    assert [f.about for f in desk.check() if "names of persons" in f.told] == [german]
