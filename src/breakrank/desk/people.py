"""Who says so, by role.

Names are used while a text is read, to find the role again, and are written nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from breakrank.desk.normal import bare, plain
from breakrank.desk.sentences import spans
from breakrank.desk.texts import Paragraph
from breakrank.desk.words import Table

_PARTICLES = {"de", "da", "van", "del", "al", "la"}


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who may be the one that says it: a role, and why he is offered."""

    says: str
    why: str


@dataclass(eq=False)
class Cast:
    """The roles of a text by family name; lives in memory only."""

    roles: dict[str, str]
    names: frozenset[str]

    def role(self, name: str) -> str | None:
        """Return the role of somebody named, by any of his names from the last on."""
        for part in reversed(name.split()):
            if bare(part) in self.roles:
                return self.roles[bare(part)]
        return None


def cast_of(paragraphs: Sequence[Paragraph], table: Table) -> Cast:
    """Return the roles that a text gives to those it names.

    By rank, by apposition, by what follows the name.
    """
    roles: dict[str, str] = {}
    names: set[str] = set()
    common = {w for part in ("roles", "branches") for phrase in table.lookup(part) for w in phrase.split()}
    for p in paragraphs:
        if p.kind not in ("story", "caption"):
            continue
        text = plain(p.text)
        for name, role in _introduced(text, table):
            family = [w for w in name.split() if w not in _PARTICLES and w[:1].isupper()]
            if any(bare(w) in common for w in family):
                continue  # an office or a force, not somebody's name
            names.update(bare(w) for w in family)
            for part in family[-1:] + family[-2:-1]:
                roles.setdefault(bare(part), role)
    return Cast(roles, frozenset(n for n in names if len(n) > 2))


_NAME = r"[A-ZÁÉÍÓÚÑ][\w'-]+(?: (?:[A-ZÁÉÍÓÚÑ][\w'-]+|de|da|del|la))*"


def _introduced(text: str, table: Table) -> Iterator[tuple[str, str]]:
    """Yield (name, role) for each introduction: by rank, by "X, 36, a sergeant", by "the mayor of Y, X"."""
    titles = "|".join(re.escape(t) for t in sorted(table["titles"], key=len, reverse=True))
    for m in re.finditer(rf"(?<!\w)(?P<t>{titles})\.? (?P<n>{_NAME})", text, re.IGNORECASE):
        if m.group("n")[:1].isupper():
            title = str(table["titles"][next(k for k in table["titles"] if k == m.group("t").casefold())])
            role = _composed(title, text, m.start(), m.end(), table)
            yield m.group("n"), role
            other = re.match(rf" (?:and|y) (?P<n>{_NAME})", text[m.end() :])
            if other and m.group("t").endswith("s"):
                yield other.group("n"), role
    for m in re.finditer(
        rf"(?P<n>{_NAME})(?:, \d{{2}})?, (?P<r>(?:(?:a|an|the|un|una|el|la) )?[^,.;\"]{{3,90}})", text
    ):
        found = _role_in(m.group("r"), table)
        if found and not m.group("r")[:1].isupper():
            yield m.group("n"), found
    for m in re.finditer(rf"(?P<r>[^,.;\"]{{3,60}}), (?P<n>{_NAME})(?=[,.])", text):
        found = _role_in(m.group("r"), table)
        if found and len(m.group("n").split()) >= 2:
            yield m.group("n"), found
    for m in re.finditer(rf"(?P<r>[\w' -]{{3,40}}?) (?P<n>{_NAME})", text):
        word = re.search(rf"({_roles(table)})$", m.group("r"), re.IGNORECASE)
        if word and len(m.group("n").split()) >= 2:
            yield m.group("n"), _composed(word.group(1).lower(), text, m.start(), m.end(), table)


@lru_cache(maxsize=8)
def _roles(table: Table) -> str:
    return "|".join(re.escape(r) for r in sorted(table["roles"], key=len, reverse=True))


@lru_cache(maxsize=8)
def _role_words(table: Table) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)({_roles(table)})(?!\w)", re.IGNORECASE)


def _branch(text: str, table: Table) -> str:
    found = table.phrases("branches").search(text)
    return (
        str(table["branches"][next(k for k in table["branches"] if k == found.group().casefold())])
        if found
        else ""
    )


def _composed(role: str, text: str, start: int, end: int, table: Table) -> str:
    """Put a branch that stands near before (English) or after (Spanish) a rank."""
    near = _branch(text[start : end + 20], table) or _branch(text[max(0, start - 60) : end + 140], table)
    return _with(role, near, table)


def _with(role: str, branch: str, table: Table) -> str:
    if branch and branch not in role:
        role = f"{branch} {role}" if table.language == "en" else f"{role} {branch}"
    if re.search(table["many"], role.split(" de ")[0]):
        return role
    article = "an" if table.language == "en" and role[0] in "aeiou" else table["article"]
    return f"{article} {role}"


def _role_in(phrase: str, table: Table) -> str | None:
    """Return the role in a phrase of apposition, without any name."""
    phrase = phrase.strip()
    found = _role_words(table).search(phrase)
    if not found or len(phrase.split()) > 14:
        return None
    role = found.group(1).lower()
    owner = re.match(r"^(?:the )?([A-Z]\w+'s|[A-Z]\w{3,}(?:an|ese|ish))\b", phrase)
    branch = _branch(phrase, table)
    if branch:
        return _with(role, branch, table)
    if owner and phrase[owner.end() :].strip().lower().startswith(role):
        return f"{owner.group(1)} {role}"
    of = re.match(
        r" (?:of|de|del) (?:the |la |el )?[A-ZÁÉÍÓÚÑ][\w]+(?: [A-ZÁÉÍÓÚÑ][\w]+| del?(?= [A-Z]))*",
        phrase[found.end() :],
    )
    if of:
        return f"{'the' if table.language == 'en' else 'el'} {role}{of.group()}"
    return _with(role, "", table)


def speakers(
    paragraph: Paragraph,
    at: int,
    before: Sequence[Paragraph],
    cast: Cast,
    table: Table,
    outlet: str,
    agency: str,
) -> list[Speaker]:
    """Return who may have said what stands at a place of a paragraph, the likeliest first.

    Parameters
    ----------
    paragraph, at : the paragraph and the position in it.
    before : the paragraphs before, the nearest last; a pronoun or a bare quotation looks back to them.
    cast : the roles of the text.
    outlet, agency : who carries the text.
    """
    text = paragraph.text
    found: list[Speaker] = []
    cut = spans(text, table)
    here = next(((a, b) for a, b in cut if a <= at < b), (0, len(text)))
    told = _outlet_told(text, table)
    told = "" if outlet and bare(told) in bare(outlet) else told
    found += _said(text[here[0] : here[1]], cast, table, told, "in the sentence")
    found += _said(text, cast, table, told, "in the paragraph")
    earlier: list[Speaker] = []
    for p in reversed(before[-3:]):
        earlier += _said(p.text, cast, table, _outlet_told(p.text, table), "a paragraph before")
    him = re.search(table["said_by_him"], text, re.I) or re.search(table["starts"], text, re.I)
    found = [*earlier[:2], *found, *earlier[2:]] if him and not _named_in(text, cast) else [*found, *earlier]
    own = [Speaker(table["agency"], "the agency whose copy it is")] if agency else []
    own.append(Speaker(table["outlet"], "the outlet itself"))
    spoken = any(s.why.endswith("in the sentence") for s in found) or bool(him)
    quoted = bool(re.search(r"[\"“”«»]", text))
    ordered = [*found[:1], *own, *found[1:]] if spoken or quoted else [*own, *found]
    if outlet:
        ordered.append(Speaker(outlet, "the outlet by name"))
    return _once(ordered)


def _once(found: Iterable[Speaker]) -> list[Speaker]:
    seen: dict[str, Speaker] = {}
    for s in found:
        seen.setdefault(s.says.casefold(), s)
    return list(seen.values())


def _outlet_told(text: str, table: Table) -> str:
    found = re.search(table["told"], text)
    return re.sub(r"^(?:the|la|el) ", "", found.group("outlet")).rstrip(".") if found else ""


def _named_in(text: str, cast: Cast) -> bool:
    return any(w[:1].isupper() and bare(w) in cast.names for w in re.findall(r"[\w'-]+", plain(text)))


@lru_cache(maxsize=2048)
def _said(text: str, cast: Cast, table: Table, told: str, why: str) -> tuple[Speaker, ...]:
    """Return speakers of a piece of text.

    Sources named after "according to", roles, and names with a role.
    """
    straight, out = plain(text), list[Speaker]()
    for m in re.finditer(table["according"], straight, re.IGNORECASE):
        who = _without_names(m.group("who"), cast)
        if who:
            out.append(Speaker(who, f"according to, {why}"))
    for m in re.finditer(table["reported"], straight):
        name = m.group("outlet")
        if not cast.role(name) and bare(name.split()[-1]) not in cast.names:
            out.append(Speaker(table["through"].format(who=name), f"an outlet quoted, {why}"))
    verbs = table.phrases("verbs")
    if not verbs.search(straight) and not told:
        return tuple(out)
    for role in _roles_in(straight, cast, table):
        if told:
            out.append(Speaker(table["via"].format(who=role, outlet=told), f"role and whom he told, {why}"))
        out.append(Speaker(role, f"role, {why}"))
    return tuple(out)


def _roles_in(straight: str, cast: Cast, table: Table) -> list[str]:
    """Return the roles in a piece of text: of those named, then those that stand without a name."""
    verbs = [m.span() for m in table.phrases("verbs").finditer(straight)]

    def distance(m: re.Match[str]) -> int:
        return min((min(abs(m.start() - b), abs(a - m.end())) for a, b in verbs), default=0)

    named = [(distance(m), cast.role(m.group("name"))) for m in re.finditer(table["by_name"], straight)]
    found: list[tuple[int, str]] = [(d, role) for d, role in named if role]
    for m in _role_words(table).finditer(straight):
        before = re.split(r"[^\w' -]", straight[max(0, m.start() - 40) : m.start()])[-1].split(" ")[-4:]
        phrase = f"{' '.join(before)}{m.group()}"
        if not any(w[:1].isupper() and bare(w) in cast.names for w in phrase.split()):
            role = _role_in(phrase, table)
            found += [(distance(m), role)] if role else []
    people = list(dict.fromkeys(role for _, role in sorted(found, key=lambda f: f[0])))
    if people and re.search(table["anonymous"], straight):
        people.insert(0, f"{people[0]} {table['anonymous_words']}")
    return people


def _without_names(phrase: str, cast: Cast) -> str:
    """Return a source named in words, unless it is somebody's name; then his role."""
    phrase = re.sub(r"^(?:the|a|an|el|la|los|las) ", "", phrase.strip())
    phrase = re.split(r" (?:which|who|that|que|quien|in|en) ", phrase)[0].strip()
    if any(bare(w) in cast.names for w in phrase.split()):
        return cast.role(phrase) or ""
    return phrase[:80]
