"""Where: places of the case, countries, the dateline, and names after "in", "at", "from"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from breakrank_desk.normal import bare, plain
from breakrank_desk.sentences import NEAR, sentence_at
from breakrank_desk.texts import Paragraph
from breakrank_desk.words import WordTable, one_of

_NAME = r"[A-ZÁÉÍÓÚÑ][\w'’-]+(?: (?:de |del |of |the |la )?[A-ZÁÉÍÓÚÑ][\w'’-]+)*"


def gazetteer(labels: Iterable[str], countries: Iterable[str] = ()) -> dict[str, str]:
    """Return places by bare name: what stands before and within the parentheses of labels, and countries.

    Examples
    --------
    >>> gazetteer(["Táchira (San Cristóbal)"])["tachira"]
    'Táchira'
    """
    out: dict[str, str] = {}
    for label in labels:
        for part in re.split(r"[(),;/]| - ", label):
            name = part.strip()
            if len(name) > 2 and name[:1].isupper():
                out.setdefault(bare(name), name)
    for name in countries:
        out.setdefault(bare(name), name)
    return out


@lru_cache(maxsize=16)
def _known(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{one_of(names)})(?!\w)")


@lru_cache(maxsize=16)
def _begins(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(one_of(names))


def in_text(text: str, known: Mapping[str, str], table: WordTable) -> list[str]:
    """Return the places that a piece of text names: where something stands, then whence, whither and whose.

    Names count that the case or the language knows, and others after a locative.
    """
    flat, straightened = bare(text), plain(text)
    every, stands = table.any_of("locatives"), table.any_of("stands_in")
    found: list[tuple[bool, int, str]] = []
    for m in _known(tuple(known)).finditer(flat) if known else ():
        here = re.search(rf"(?<!\w)(?:{stands})(?: the| la| el)? $", flat[max(0, m.start() - 24) : m.start()])
        found.append((here is None, m.start(), known[m.group()]))
    for m in re.finditer(rf"(?<!\w)(?P<w>{every})(?: the| la| el)? (?P<n>{_NAME})", straightened):
        name = m.group("n")
        if re.search(table["demonym"], name) and re.match(r" [a-z]", straightened[m.end() :]):
            continue  # "the Oranian border service"
        dated = bare(name) in table.lookup("months") or bare(name) in table.lookup("weekdays")
        if dated or (known and _begins(tuple(known)).match(bare(name))):
            continue
        found.append((m.group("w") not in table["stands_in"], m.start(), name))
    return list(dict.fromkeys(name for _, _, name in sorted(found)))


def dateline(paragraphs: Iterable[Paragraph], table: WordTable) -> tuple[str, str]:
    """Return the place and the agency of a dateline ("MIAMI (AP) —"), empty where there is none."""
    for p in paragraphs:
        found = re.match(table["dateline"], p.text) if p.kind == "story" else None
        if found:
            return found.group("place").split(",")[0].strip().title(), found.group("agency") or ""
        if p.number and p.number > 2:
            break
    return "", ""


def places(
    paragraph: Paragraph,
    at: int,
    before: Iterable[Paragraph],
    known: Mapping[str, str],
    table: WordTable,
    line: str,
    used: Iterable[str],
) -> list[str]:
    """Return where it may have been so, the likeliest first.

    Sentence, paragraph, before, dateline, last used.
    """
    text = paragraph.text
    start, end = sentence_at(text, at, table)
    wide = text[max(0, at - 3 * NEAR) : at + 3 * NEAR]
    out = in_text(text[start:end], known, table) + in_text(wide, known, table)
    for p in list(before)[-2:][::-1]:
        out += in_text(p.text[: 3 * NEAR], known, table)[:3]
    out += [line] if line else []
    out += list(used)
    return list(dict.fromkeys(out))
