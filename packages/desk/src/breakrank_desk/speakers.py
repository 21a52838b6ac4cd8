"""Who may have said what stands at a place of a text: subjects of verbs of saying, followed through the text.

Pronouns and bare quotations look back to who was last spoken of. What a text tells of the life of somebody
who speaks in it comes from him, unless another is named. All else is said by whoever carries the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from breakrank_desk.normal import bare, plain, straight
from breakrank_desk.people import Cast, name_pattern, role_in, role_words, without_names
from breakrank_desk.said import Saying, hidden, quote_at, sayings
from breakrank_desk.sentences import NEAR, sentence_at, sentence_of, spans
from breakrank_desk.texts import Paragraph
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


_ON = 2
"""Paragraphs over which one who speaks after another of his kind tells the same outlet."""


SAYS_SO = "says so in the sentence"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who may be the one that says it: a role, and why he is offered."""

    says: str
    why: str


@dataclass(frozen=True, slots=True)
class Said:
    """A verb of saying with its speaker resolved."""

    saying: Saying
    says: str


@dataclass(eq=False)
class Talk:
    """Who speaks in a text, sentence by sentence. Lives in memory only, as names do.

    Attributes
    ----------
    said : the resolved verbs of saying of each paragraph.
    topic : who each sentence is about, by paragraph and start of the sentence.
    voices : roles that speak somewhere in the text.
    """

    said: dict[int, list[Said]] = field(default_factory=dict)
    topic: dict[tuple[int, int], str] = field(default_factory=dict)
    voices: set[str] = field(default_factory=set)
    told: dict[str, str] = field(default_factory=dict)

    def near(self, paragraph: int, at: int) -> list[Said]:
        """Return the verbs of saying near a place of a paragraph, in order."""
        every = self.said.get(paragraph, [])
        a, b = (bisect_left(every, x, key=lambda s: s.saying.verb) for x in (at - 3 * NEAR, at + 3 * NEAR))
        return every[a:b]


def talk_of(paragraphs: Sequence[Paragraph], cast: Cast, table: WordTable, outlet: str) -> Talk:
    """Follow the speakers of a text from its first sentence to its last."""
    out, outlets = Talk(), _outlets(paragraphs, table)
    last = {"he": "", "it": "", "they": ""}
    teller, heard, heard_at, so_far = "", "", 0, 0
    for p in paragraphs:
        if p.kind not in ("story", "caption"):
            continue
        so_far += p.kind == "story"
        masked, found = hidden(p.text), dict[int, list[Saying]]()
        for one in sayings(p.text, table):
            found.setdefault(one.start, []).append(one)
        resolved = out.said.setdefault(p.at, [])
        for start, end in spans(p.text, table):
            about = _topic(masked[start : min(end, start + 240)], cast, table, last)
            out.topic[p.at, start] = about
            _remember(about, last, table)
            mine: list[tuple[Saying, str]] = []
            for s in found.get(start, ()):
                says = (
                    rendered(s.subject, cast, table)
                    if s.subject
                    else last[s.number] or last["he"] or last["it"]
                )
                if s.subject and not says:
                    says = of_them(s.subject, last, table)
                if not says:
                    continue
                _remember(says, last, table)
                out.voices.add(says)
                to = outlets.get(s.to, s.to)
                if to and outlet and bare(to) in bare(outlet):
                    to = heard = ""
                if to:
                    out.told[says] = to
                    teller, heard, heard_at = says, to, so_far
                elif heard and so_far - heard_at <= _ON and says not in out.told and _alike(says, teller):
                    out.told[says] = heard
                mine.append((replace(s, to=to), says))
            for s, says in mine:
                asked, to = (
                    named_asker(says, p.text[max(start, s.verb - NEAR) : min(end, s.verb + NEAR)], table),
                    s.to or out.told.get(says, ""),
                )
                resolved.append(Said(s, table["via"].format(who=asked, outlet=to) if to else asked))
        resolved.sort(key=lambda s: s.saying.verb)
    return out


def _alike(one: str, other: str) -> bool:
    """Return whether two speakers are of a kind: two sergeants, two nurses."""
    heads = ({bare(w).rstrip("s") for w in _head_of(x).split()[-1:]} for x in (one, other))
    return bool(set.intersection(*heads))


def _head_of(says: str) -> str:
    return re.split(r" (?:of|de|del|for|who|que) ", says)[0]


def _outlets(paragraphs: Sequence[Paragraph], table: WordTable) -> dict[str, str]:
    """Return outlets that were told something, short names with the long ones that stand for them."""
    long: list[str] = list(table["agency_names"].values())
    short = dict(table["agency_names"])
    names = {m.group("outlet") for p in paragraphs for m in re.finditer(table["told"], straight(p.text))}
    clean = {re.sub(r"^(?:the|la|el) ", "", n, flags=re.IGNORECASE).rstrip(".") for n in names}
    long += sorted(clean, key=len, reverse=True)
    for name in clean:
        whole = next((x for x in long if x != name and x.endswith(f" {name}")), "")
        short.setdefault(name, whole or name)
    return short


def _remember(says: str, last: dict[str, str], table: WordTable) -> None:
    """Note who was spoken of last, by the pronoun that would stand for it."""
    if not says:
        return
    tokens = [bare(w) for w in says.split()]
    if re.search(r"\d", says) or tokens[0] in NUMBERS or _plural(says, table):
        last["they"] = says
    elif any(w in table.lookup("bodies_said") for w in tokens[:4]) and not _person(says, table):
        last["it"] = says
    else:
        last["he"] = says


def _plural(says: str, table: WordTable) -> bool:
    head = re.split(r" (?:of|de|for|who|que|del) ", says)[0]
    return bool(re.search(table["many"], head)) and not head.endswith("ss")


def _person(says: str, table: WordTable) -> bool:
    """Return whether the head is a person: "a spokesman for the ministry"."""
    head = re.split(r" (?:of|de|for|del) ", says)[0].split()[-1]
    return bare(head) not in table.lookup("bodies_said")


def _topic(opening: str, cast: Cast, table: WordTable, last: dict[str, str]) -> str:
    """Return whom a sentence is about: a name with a role, its first pronoun, or a role that opens it."""
    fronted = re.match(table["fronted"], opening, re.IGNORECASE)
    body = opening[fronted.end() :] if fronted else opening
    found = [cast.role(m.group("name")) for m in name_pattern(table).finditer(body[:60]) if m.start() < 25]
    named = next((role for role in found if role), "")
    if not named and fronted and re.match(r"(?:for|para)\b", opening, re.IGNORECASE):
        named = next(
            (r for m in name_pattern(table).finditer(fronted.group()) if (r := cast.role(m.group("name")))),
            "",
        )
    if named:
        return named
    if re.search(table["starts"], opening, re.IGNORECASE):
        return last["he"]
    first = re.split(r"[,;\"]", body)[0]
    for m in role_words(table).finditer(first[:60]):
        role = role_in(first[: m.end()], table)
        return role or ""
    return last["he"] if re.search(table["his"], body, re.IGNORECASE) else ""


def speakers(
    paragraph: Paragraph, at: int, before: Sequence[Paragraph], cast: Cast, talk: Talk, table: WordTable,
    outlet: str, agency: str,
) -> list[Speaker]:  # fmt: skip
    """Return who may have said what stands at a place of a paragraph, the likeliest first.

    Parameters
    ----------
    paragraph, at : the paragraph and the position in it.
    before : the paragraphs before, the nearest last.
    cast, talk : the roles of the text, and who speaks where.
    outlet, agency : who carries the text.
    """
    text, here = paragraph.text, talk.near(paragraph.at, at)
    whole, (start, end) = sentence_of(paragraph.text, at, table)[0], sentence_at(paragraph.text, at, table)
    wide = text[max(0, at - 3 * NEAR) : at + 3 * NEAR]
    inside = quote_at(text, at) is not None
    mine = [s for s in here if s.saying.start == whole and start <= s.saying.verb < end]
    found: list[Speaker] = []
    if paragraph.kind == "caption":
        credit = next((n for k, n in table["agency_names"].items() if re.search(rf"\b{k}\b", wide)), "")
        found += [Speaker(table["caption_of"].format(who=credit), "credit of the picture")] if credit else []
    found += _according(text[start:end], cast, table, "in the sentence")
    counts = any(a <= at < b for s in mine for a, b in [s.saying.counts])
    near = sorted((s for s in mine if not s.saying.aside), key=lambda s: _away(s.saying, at))
    if counts:
        found += [
            Speaker(s.saying.to, "was told by them")
            for s in near
            if s.saying.to and s.saying.to not in outlet
        ]
    else:
        found += [Speaker(s.says, SAYS_SO) for s in near]
    if inside and not mine:
        later = [s for s in here if s.saying.verb > at]
        found += [Speaker(s.says, "speaks in the paragraph") for s in [*later, *here[::-1]]]
        for p in reversed(before[-2:]):
            found += [Speaker(s.says, "spoke before") for s in talk.said.get(p.at, [])[:-13:-1]]
    about = talk.topic.get((paragraph.at, whole), "")
    other = {cast.role(m.group("name")) for m in name_pattern(table).finditer(text[start:at])} - {None, about}
    if about and not counts and not other and about in talk.voices:
        via = talk.told.get(about, "")
        says = table["via"].format(who=about, outlet=via) if via else about
        found.append(Speaker(says, "the text tells of him, and he speaks in it"))
    own = [Speaker(table["agency"], "the agency whose copy it is")] if agency else []
    own.append(Speaker(table["outlet"], "the outlet itself"))
    rest = [
        Speaker(s.says, "speaks in the paragraph")
        for s in sorted(here, key=lambda s: abs(s.saying.verb - at))
    ]
    for p in reversed(before[-3:]):
        rest += [Speaker(s.says, "spoke before") for s in talk.said.get(p.at, [])[-12:]]
    rest += [Speaker(about, "the sentence is about him")] if about else []
    rest += _according(wide, cast, table, "in the paragraph")
    rest += [Speaker(r, "a role in the paragraph") for r in _roles(wide, cast, table)]
    plain_ = [Speaker(s.says.split(", ")[0], "without the outlet") for s in [*found, *rest] if ", " in s.says]
    ordered = [*found[:1], *own, *found[1:], *rest, *plain_]
    if outlet:
        ordered.append(Speaker(outlet, "the outlet by name"))
    return _once(ordered)


def _away(s: Saying, at: int) -> tuple[int, int]:
    """Return how far a verb of saying is from a figure, which stands before it only where it trails."""
    fits = (s.verb < at) if not s.trails else True
    return (0 if fits else 1, abs(s.verb - at))


def _once(found: Iterable[Speaker]) -> list[Speaker]:
    seen: dict[str, Speaker] = {}
    for s in found:  # "the mayor" and "a mayor" are one
        if s.says:
            seen.setdefault(re.sub(r"^(?:the|an?|el|la|los|las|una?) ", "", s.says.casefold()), s)
    return list(seen.values())


def _according(text: str, cast: Cast, table: WordTable, where: str) -> list[Speaker]:
    """Return sources named after "according to", and outlets that are quoted."""
    flat, out = plain(text), list[Speaker]()
    for m in re.finditer(table["according"], flat, re.IGNORECASE):
        who = without_names(m.group("who"), cast)
        out += [Speaker(who, f"according to, {where}")] if who else []
    for m in re.finditer(table["reported"], flat):
        name = m.group("outlet")
        person = cast.role(name) or bare(name.split()[-1]) in cast.names
        if not person:
            out.append(Speaker(table["through"].format(who=name), f"an outlet quoted, {where}"))
    return out


def _roles(text: str, cast: Cast, table: WordTable) -> list[str]:
    """Return the roles that a piece of text names, with or without a name."""
    flat = plain(text)
    found = [cast.role(m.group("name")) for m in name_pattern(table).finditer(flat)]
    for m in role_words(table).finditer(flat):
        before = re.split(r"[^\w' -]", flat[max(0, m.start() - 40) : m.start()])[-1].split(" ")[-4:]
        phrase = f"{' '.join(before)}{m.group()}"
        if not any(w[:1].isupper() and bare(w) in cast.names for w in phrase.split()):
            found.append(role_in(phrase, table))
    return list(dict.fromkeys(r for r in found if r))
