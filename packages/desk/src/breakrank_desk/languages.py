"""The language of a text, told by its commonest words. Nothing is proposed in one that is not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from breakrank.case.documents import read_yaml
from breakrank_desk.texts import Paragraph, Text
from breakrank_desk.words import LANGUAGES, WordTable, table

FEWEST = 3
"""Common words of a language that a text has to hold to be in it."""
SHARE = 0.2
"""Their share of its words, at the least; in the five reports of the built-in case it is 0.36 to 0.42."""
AHEAD = 1.4
"""How many times the score of the next language it has to reach; the least of 75 reports is 1.5."""
SHORT = 20
"""Words below which a text may be too short to tell, so that what a page declares counts."""
_FILE = Path(__file__).with_name("languages.yaml")


@lru_cache(maxsize=1)
def _known() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the names of languages, and the languages of each common word."""
    data = read_yaml(_FILE.read_text(encoding="utf-8"), _FILE).data
    languages: dict[str, tuple[str, ...]] = {}
    for code, entry in data.items():
        for word in set(entry["words"]):
            languages[word] = (*languages.get(word, ()), code)
    return {code: entry["name"] for code, entry in data.items()}, languages


def language_of(words: Iterable[str], user: str = "", page: str = "") -> str:
    """Return the code of the language of some words (ISO 639), empty where it cannot be told.

    A word that several languages share counts for each of them by its part.

    Parameters
    ----------
    words : in small letters.
    user : what the user says; it counts where the words do not tell.
    page : what the page declares, which is often the default of its software. It counts only for a few
        words, of which it has some and no other language more.
    """
    parts = [p for w in words for p in w.split("'") if p.isalpha()]
    count, score = dict.fromkeys(_known()[0], 0), dict.fromkeys(_known()[0], 0.0)
    for part in parts:
        shared = _known()[1].get(part, ())
        for code in shared:
            count[code] += 1
            score[code] += 1 / len(shared)
    best, then = sorted(score, key=score.__getitem__, reverse=True)[:2]
    if count[best] >= max(FEWEST, SHARE * len(parts)) and score[best] >= AHEAD * score[then]:
        return best
    declared = page.casefold().partition("-")[0]
    fits = len(parts) < SHORT and score.get(declared, 0) == score[best] > 0
    return user or (declared if fits else "")


def name_of(language: str) -> str:
    """Return the English name of a language."""
    return _known()[0].get(language, f"the language {language!r}")


def read_languages() -> str:
    """Return the names of the languages that the desk reads."""
    return " and ".join(map(name_of, LANGUAGES))


def nearest_table(language: str) -> WordTable:
    """Return the table of a language, or that of English for page furniture and agencies; not for figures."""
    return table(language if language in LANGUAGES else "en")


def unread(text: Text) -> str:
    """Return why nothing is proposed from a text; empty where figures are."""
    if text.language in LANGUAGES:
        return ""
    if text.language:
        name = name_of(text.language)
        return f"{text.source} is in {name}; the desk reads {read_languages()}, and proposes nothing"
    codes = " or ".join(LANGUAGES)
    return (
        f"the language of {text.source} cannot be told from its words, so nothing is proposed; "
        f"if it is {read_languages().replace(' and ', ' or ')}, read it again with --language {codes}"
    )


def in_another(paragraph: Paragraph, language: str) -> str:
    """Return the language of a paragraph where its words tell another than that of its text, or nothing."""
    own = language_of(paragraph.words)
    return own if own != language else ""


def read_paragraphs(text: Text) -> Iterator[Paragraph]:
    """Yield paragraphs of the story and captions in the language of their text, if the desk reads it."""
    for p in text.paragraphs if text.language in LANGUAGES else ():
        if p.kind in ("story", "caption") and not in_another(p, text.language):
            yield p
