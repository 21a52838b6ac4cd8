"""Verbs of saying and their subjects: who is said to say what, clause by clause.

The subject stands before its verb ("the mayor of Brenn said that"), before an apposition ("Vale, the
commander, said"), or after the verb where a quotation or a clause precedes it ("..., said a nurse"; «...»,
dijo una enfermera).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from breakrank_desk.normal import bare, straight
from breakrank_desk.sentences import spans
from breakrank_desk.words import WordTable

_LEFT, _RIGHT = 260, 160
"""Letters looked at on either side of a verb; so the time grows with the length of the text."""
_HIDE = "\x00"


@dataclass(frozen=True, slots=True)
class Saying:
    """A verb of saying.

    Attributes
    ----------
    start, end : of the sentence it stands in.
    verb : where the verb stands.
    subject : parts of the noun phrase and its appositions; empty where the verb has a pronoun or none.
    number : ``he``, ``it``, ``they`` where the subject is a pronoun or to be understood.
    trails : whether it stands after what is said.
    to : outlet that was told.
    counts : where the subject's words start and end, for figures that count the speakers.
    aside : whether it only tells when ("when the minister announced it, ...").
    """

    start: int
    end: int
    verb: int
    subject: tuple[str, ...]
    number: str
    trails: bool
    to: str
    counts: tuple[int, int]
    aside: bool = False


@lru_cache(maxsize=4096)
def quoted(text: str) -> tuple[tuple[int, int], ...]:
    """Return where quotations stand, marks left out; one that does not close ends with the paragraph."""
    marks = [m.start() for m in re.finditer('"', straight(text))]
    ends = [*marks[1::2], len(text)] if len(marks) % 2 else marks[1::2]
    return tuple((a + 1, b) for a, b in zip(marks[::2], ends, strict=True))


def hidden(text: str) -> str:
    """Return a text in straight marks with all that is quoted hidden, each letter where it stood."""
    out, done, flat = list[str](), 0, straight(text)
    for a, b in quoted(text):
        out += [flat[done:a], _HIDE * (b - a)]
        done = b
    return "".join((*out, flat[done:]))


def quote_at(text: str, at: int) -> int | None:
    """Return which quotation a place lies in; ``None`` where it lies in none."""
    quotes = quoted(text)
    k = bisect_right(quotes, (at, len(text))) - 1
    return k if k >= 0 and quotes[k][0] <= at < quotes[k][1] else None


@lru_cache(maxsize=2048)
def sayings(text: str, table: WordTable) -> tuple[Saying, ...]:
    """Return the verbs of saying of a paragraph, in order; those within a quotation are left out."""
    masked, out = hidden(text), []
    verbs, to = table.phrases("verbs"), re.compile(table["told"])
    for start, end in spans(text, table):
        for found in verbs.finditer(masked, start, end):
            verb, right = bare(found.group()), masked[found.end() : min(end, found.end() + _RIGHT)]
            left = masked[max(start, found.start() - _LEFT) : found.start()]
            if verb in table.lookup("nouns_too") and _is_noun(left, right, table):
                continue
            told = to.match(masked, found.start(), end)
            outlet = told.group("outlet") if told else ""
            parts, number, trails = _subject(left, right, verb, table)
            at = (
                masked.find(parts[0], max(start, found.start() - _LEFT), found.end() + _RIGHT)
                if parts
                else -1
            )
            counts = (at, at + len(parts[0])) if at >= 0 else (0, 0)
            outlet = re.sub(r"^(?:the|la|el) ", "", outlet, flags=re.IGNORECASE).rstrip(".")
            aside = bool(re.match(table["when"], re.split(r"[,;\"] ?", left)[-1].strip(), re.IGNORECASE))
            out.append(Saying(start, end, found.start(), parts, number, trails, outlet, counts, aside))
        out += _participles(masked, start, end, table)
    return tuple(out)


def counts_speakers(text: str, at: int, table: WordTable) -> bool:
    """Return whether a figure counts those who speak: "three officers said"."""
    return any(s.counts[0] <= at < s.counts[1] for s in sayings(text, table))


def _participles(masked: str, start: int, end: int, table: WordTable) -> list[Saying]:
    """Return "saying" and its like: their subject is that of the sentence, its first words."""
    found = table.phrases("saying").search(masked, start, end)
    if not found or masked[max(start, found.start() - 2) : found.start()] != ", ":
        return []
    first = re.split(r"[,;\"]", masked[start : min(end, start + 80)])[0]
    name = _opening(first, table)
    return [Saying(start, end, found.start(), (name,), "", False, "", (0, 0))] if name else []


def _is_noun(left: str, right: str, table: WordTable) -> bool:
    """Return whether a word that may be a verb is a noun or a participle: "claims by", "the reports"."""
    following, preceding = re.match(r"\W*([\w']+)", right), re.search(r"([\w']+)\W*$", left)
    if following and right[:1] == " " and bare(following.group(1)) in table["nouns_before"]:
        return True
    return bool(
        preceding and bare(preceding.group(1)) in {*table["determiners"], *table["helpers"]} - {"que"}
    )


def _subject(left: str, right: str, verb: str, table: WordTable) -> tuple[tuple[str, ...], str, bool]:
    """Return the parts of a subject, the pronoun that stands for it, and whether it trails what is said."""
    near = _without_relative(re.split(r"[\";:()\x00]| - ", left)[-1], table)
    close = _without_helpers(near, table)
    after_clause = not near.strip(" ,") or close.rstrip().endswith(",")
    trails = bool(left.strip(' ,"')) and (not close.strip(" ,") or "," in close or '"' in left)
    if after_clause and verb not in table["tells"]:
        parts = _behind(right, table)
        if parts:
            return parts, "", True
    word = bare(re.sub(r"^.*[\s,]", "", close.strip(" ,")))
    for number in ("he", "it", "they"):
        if word in {bare(str(w)) for w in table[number]}:
            return (), number, trails
    if close.rstrip().endswith(","):
        cut = close.rstrip(" ,").split(",")[-4:]
        read = [_phrase(cut[0], table), *(_opening(x, table) for x in cut[1:])]
        parts = tuple(p for p in read if p) if len(cut) > 1 else ()
        return (parts, "", trails) if parts else ((), "he", trails)
    found = _phrase(close.split(",")[-1], table)
    if found:
        return (found,), "", trails
    return (), "he", trails


def _without_relative(near: str, table: WordTable) -> str:
    """Return the words before a verb without a clause that only tells more of the subject.

    As in "a corporal, who asked not to be named, said".
    """
    *before, last = near.rstrip(" ,").split(",")
    clause = near.rstrip().endswith(",") and re.match(table["relatives_who"], f" {last.strip()} ")
    return ",".join(before) if before and clause else near


def _without_helpers(near: str, table: WordTable) -> str:
    """Return the words before a verb without auxiliaries and adverbs between."""
    tokens = near.rstrip(" ").split(" ")
    helpers = table["helpers"]
    while tokens and (bare(tokens[-1]) in helpers or re.fullmatch(r"\w+(?:ly|mente)", tokens[-1])):
        tokens.pop()
    return " ".join(tokens)


def _phrase(text: str, table: WordTable) -> str:
    """Return the noun phrase that ends a piece of text; what only tells more of it is left out.

    That is a clause ("the man who opens the door"), and a place or time ("a captain in the 4th division").
    """
    relative = re.search(table["relatives_who"], text)
    if relative and text[: relative.start()].strip():
        text = text[: relative.start()]
    found = _last_phrase(text, table)
    for _ in range(3):
        rest = text.rstrip()[: len(text.rstrip()) - len(found)].rstrip() if found else ""
        if (
            not found
            or not text.rstrip().endswith(found)
            or bare(rest.rsplit(" ", 1)[-1]) not in table["adjuncts"]
        ):
            break
        text = rest.rsplit(" ", 1)[0] if " " in rest else ""
        found = _last_phrase(text, table)
    return found


def _last_phrase(text: str, table: WordTable) -> str:
    """Return the noun phrase that ends a piece of text, read from its end to where it must begin."""
    tokens, out = text.split()[-14:], list[str]()
    determiners, links, breaks = (table.lookup(k) for k in ("determiners", "links", "breaks"))
    at = len(tokens) - 1
    while at >= 0:
        word = bare(tokens[at])
        if word in breaks:
            break
        if word in links and at and out:
            out.insert(0, tokens[at])
            at -= 1
            continue
        out.insert(0, tokens[at])
        if word in determiners or word[:1].isdigit():
            if at and bare(tokens[at - 1]) in determiners:
                at -= 1
                continue
            if not at or bare(tokens[at - 1]) not in links:
                break
        at -= 1
    while out and (bare(out[0]) in links or bare(out[0]) in table.lookup("months")
                   or bare(out[0]) in table.lookup("weekdays")):  # fmt: skip
        out.pop(0)
    return " ".join(out).strip(" '") if len(out) <= 12 else ""


def _behind(right: str, table: WordTable) -> tuple[str, ...]:
    """Return the subject behind its verb with its appositions; empty where none stands there."""
    days = table.any_of("weekdays")
    rest = re.sub(rf"^ (?:(?:el|on|this|last|este) )?(?:{days})(?= )", "", right, flags=re.IGNORECASE)
    rest = re.sub(
        r"^ (?:a la agencia|al diario|a la|al|a) [A-ZÁÉÍÓÚÑ][\w.]*(?: (?:de |del )?[A-ZÁÉÍÓÚÑ][\w.]*)*",
        "",
        rest,
    )
    if not rest.startswith(" "):
        return ()
    rest = re.split(r"[\";:()]| - ", rest)[0]
    parts: list[str] = []
    for k, part in enumerate(rest.split(",")[:3]):
        found = _opening(part, table)
        if not found or (
            k and found[:1].isupper() and parts and parts[-1][:1].islower() and len(found.split()) > 5
        ):
            break
        parts.append(found)
    first = parts[0].split()[0] if parts else ""
    starts = first[:1].isupper() or first[:1].isdigit() or bare(first) in table.lookup("determiners")
    if not starts and parts and not re.search(r"\w", re.sub(r"[\"\s.]", "", right[len(parts[0]) + 2 :])):
        starts = True  # "..., said witnesses." closes its sentence
    return tuple(parts) if starts else ()


def _opening(part: str, table: WordTable) -> str:
    """Return the noun phrase that opens a piece of text, up to a word that cannot belong to it."""
    out: list[str] = []
    for token in part.split():
        if bare(token) in table.lookup("breaks") or bare(token) in table.lookup("helpers"):
            break
        out.append(token)
    return " ".join(out).strip(" '.") if len(out) <= 12 else ""
