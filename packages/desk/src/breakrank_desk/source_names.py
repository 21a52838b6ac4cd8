"""Sources as the ledger writes them: roles and noun phrases, and nobody's name."""

from __future__ import annotations

import re

from breakrank_desk.normal import bare
from breakrank_desk.people import Cast, name_pattern
from breakrank_desk.words import WordTable

NUMBERS = frozenset(
    "two three four five six seven eight nine ten dos tres cuatro cinco seis siete ocho nueve diez".split()  # noqa: SIM905
)


def rendered(subject: tuple[str, ...], cast: Cast, table: WordTable) -> str:
    """Return a subject as the ledger would write it: a role, else its words without names."""
    for part in subject:
        named = (cast.role(m.group("name")) for m in name_pattern(table).finditer(part))
        role = next((r for r in named if r), "")
        if role:
            return role
    for part in subject:
        if re.match(table["one_of"], bare(part)) or (part[:1].isdigit() and " " not in part):
            continue
        words = _nameless(part, cast, table)
        if len(words) == 1 and bare(words[0]) in {bare(c) for c in table["countries"]}:
            return str(table["government"].format(place=words[0]))
        if _is_source(words, table):
            return _spelt_out(_small(" ".join(words), table), table)
    return ""


def _is_source(words: list[str], table: WordTable) -> bool:
    """Return whether words name a source: an office, a role, people, or a noun phrase with its determiner."""
    if not words:
        return False
    known = {
        *table.lookup("bodies_said"),
        *table.lookup("roles"),
        *table.lookup("persons"),
        *table.lookup("sources"),
    }
    if any(bare(w) in known for w in words):
        return True
    determined = bare(words[0]) in table.lookup("determiners") or words[0].endswith("'s")
    return determined and any(w[:1].islower() and len(w) > 2 for w in words[1:])


def _nameless(part: str, cast: Cast, table: WordTable) -> list[str]:
    """Return the words of a noun phrase before a name: it begins behind a title or a common noun."""
    out: list[str] = []
    links, titles = {*table.lookup("links"), *table.lookup("determiners")}, table.lookup("titles")
    for w in part.split():
        if "-" in w and any(bare(x) in cast.names for x in w.split("-")):
            continue  # "pro-Vale officials"
        if any(bare(x) in cast.names for x in re.findall(r"[\w-]+", w)):
            break
        before = bare(out[-1]).rstrip(".") if out else ""
        common = out and out[-1][:1].islower() and before not in links
        if w[:1].isupper() and (common or before in titles):
            break
        out.append(w)
    while out and (bare(out[-1]) in links or re.search(r"ed$", out[-1]) or out[-1].endswith(".")):
        out.pop()  # "a veteran identified", "national guardsman Sgt."
    return out


def _small(part: str, table: WordTable) -> str:
    first = part.split(maxsplit=1)[0]
    plain_word = bare(first) in {*table.lookup("persons"), *table.lookup("sources"), *table.lookup("roles")}
    small = bare(first) in table.lookup("determiners") or bare(first) in NUMBERS or plain_word
    return (first.lower() + part[len(first) :] if small else part)[:80].strip(" ,.'")


def _spelt_out(says: str, table: WordTable) -> str:
    """Return a source with known short names in full: "a U.N. spokesman"."""
    for short, full in table["long_names"].items():
        says = re.sub(rf"(?<!\w){re.escape(short)}(?!\w)", full, says)
    return says


def of_them(subject: tuple[str, ...], last: dict[str, str], table: WordTable) -> str:
    """Return whom "one of them" or "three of them" means."""
    plural = next((True for p in subject if re.match(table["one_of"], bare(p))), False)
    return last["they"] if plural else ""


def named_asker(says: str, sentence: str, table: WordTable) -> str:
    """Return a source with the note that he asked for no name, where the sentence says so."""
    asked = re.search(table["anonymous"], sentence, re.IGNORECASE)
    return f"{says} {table['anonymous_words']}" if asked and table["anonymous_words"] not in says else says
