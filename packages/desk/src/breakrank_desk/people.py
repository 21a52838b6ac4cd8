"""Who says so, by role.

Names are used while a text is read, to find the role again, and are written nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from breakrank_desk.normal import bare, plain
from breakrank_desk.texts import Paragraph
from breakrank_desk.words import WordTable

_PARTICLES = {"de", "da", "van", "del", "al", "la"}


@dataclass(eq=False)
class Cast:
    """The roles of a text by family name; lives in memory only."""

    roles: dict[str, str]
    names: frozenset[str]

    def role(self, name: str) -> str | None:
        """Return the role of somebody named: by all of his names, else by any of them from the last on."""
        if bare(name) in self.roles:
            return self.roles[bare(name)]
        for part in reversed(name.split()):
            if bare(part) in self.roles:
                return self.roles[bare(part)]
        return None


def cast_of(paragraphs: Sequence[Paragraph], table: WordTable) -> Cast:
    """Return the roles that a text gives to those it names.

    By rank, by apposition, by what follows the name.
    """
    roles: dict[str, str] = {}
    names: set[str] = set()
    common = {w for part in ("roles", "branches") for phrase in table.lookup(part) for w in phrase.split()}
    plain_words = {*table.lookup("stops"), *table.lookup("breaks"), *table.lookup("links"), *_PARTICLES}
    bodies = table.lookup("bodies_said")
    for p in paragraphs:
        if p.kind not in ("story", "caption"):
            continue
        text = plain(p.text)
        for name, role in _introduced(text, table):
            family = [w for w in name.split() if w[:1].isupper() and bare(w) not in plain_words]
            if bare(re.split(r" (?:of|de|del|for) ", role)[0].split()[-1]) in bodies:
                continue  # "Estern, the capital's government, ..."
            if any(bare(w) in common for w in family):
                continue  # an office or a force, not somebody's name
            names.update(bare(w) for w in family)
            for part in (*family[-1:], *family[-2:-1], " ".join(family)):
                roles.setdefault(bare(part), role)
    return Cast(roles, frozenset(n for n in names if len(n) > 2))


_NAME = r"[A-ZÁÉÍÓÚÑ][\w'-]+(?: (?:[A-ZÁÉÍÓÚÑ][\w'-]+|de|da|del|la))*"


def _introduced(text: str, table: WordTable) -> Iterator[tuple[str, str]]:
    """Yield (name, role) for each introduction: by rank, by "X, 36, a sergeant", by "the mayor of Y, X"."""
    titles = table.any_of("titles")
    for m in re.finditer(rf"(?<!\w)(?P<t>(?i:{titles}))(?P<p>\.?) (?!(?i:{titles})\b)(?P<n>{_NAME})", text):
        if not m.group("p") or len(m.group("t")) <= 5:
            title = _longer(str(table["titles"][m.group("t").casefold()]), text[: m.end("t")], table)
            role = _composed(title, text, m.start(), m.end(), table)
            yield m.group("n"), role
            other = re.match(rf" (?:and|y) (?P<n>{_NAME})", text[m.end() :])
            if other and m.group("t").endswith("s"):
                yield other.group("n"), role
    for m in re.finditer(
        rf"(?P<n>{_NAME})(?:, \d{{2}})?, (?P<r>(?:(?:a|an|the|un|una|el|la) )?[^,.;\"]{{3,90}})", text
    ):
        found = role_in(m.group("r"), table)
        if found and not m.group("r")[:1].isupper():
            yield m.group("n"), found
    for m in re.finditer(rf"(?P<r>[^,.;\"]{{3,60}}), (?P<n>{_NAME})(?=[,.])", text):
        found = role_in(m.group("r"), table)
        if found and len(m.group("n").split()) >= 2:
            yield m.group("n"), found
    for m in re.finditer(rf"(?P<r>[\w' -]{{3,40}}?) (?P<n>{_NAME})", text):
        word = re.search(rf"({table.any_of('roles')})$", m.group("r"), re.IGNORECASE)
        if word and len(m.group("n").split()) >= 2:
            yield m.group("n"), _composed(word.group(1).lower(), text, m.start(), m.end(), table)


def _longer(title: str, before: str, table: WordTable) -> str:
    """Return the longest role that ends there: "interior minister" rather than "minister"."""
    near = bare(before[-40:]).rstrip(" .")
    longer = [r for r in table["roles"] if r.endswith(f" {title}") and near.endswith(f" {bare(r)}")]
    return max(longer, key=len, default=title)


@lru_cache(maxsize=8)
def role_words(table: WordTable) -> re.Pattern[str]:
    """Return the expression for roles."""
    return re.compile(rf"(?<!\w)({table.any_of('roles')})(?!\w)", re.IGNORECASE)


def _branch(text: str, table: WordTable) -> str:
    found = table.phrases("branches").search(text)
    return str(table["branches"][found.group().casefold()]) if found else ""


def _composed(role: str, text: str, start: int, end: int, table: WordTable) -> str:
    """Put a branch that stands near before (English) or after (Spanish) a rank."""
    near = _branch(text[start : end + 20], table) or _branch(text[max(0, start - 60) : end + 140], table)
    return _with(role, near, table)


def _with(role: str, branch: str, table: WordTable) -> str:
    if branch and branch not in role:
        role = f"{branch} {role}" if table.language == "en" else f"{role} {branch}"
    if re.search(table["many"], role.split(" de ")[0]):
        return role
    article = "an" if table.language == "en" and role[0] in "aeiou" else table["article"]
    return f"{article} {role}"


def _head(phrase: str, table: WordTable) -> str:
    """Return the noun phrase up to the first word that cannot belong to it, as "of", "who" or a verb."""
    tokens = phrase.split(" ")
    stops, links = table.lookup("stops"), table.lookup("links")
    keep = 1 if bare(tokens[0]) in table.lookup("determiners") else 0
    for k, token in enumerate(tokens[keep:], keep):
        if bare(token) in stops and not (table.language != "en" and bare(token) in links):
            return " ".join(tokens[:k])
    return phrase


def role_in(phrase: str, table: WordTable) -> str | None:
    """Return the role in a phrase of apposition, without any name."""
    phrase = phrase.strip()
    head = _head(phrase, table)
    every = list(role_words(table).finditer(phrase, 0, len(head)))
    if not every or len(phrase.split()) > 14:
        return None
    found = every[-1 if table.language == "en" else 0]  # the head comes last in English, first in Spanish
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


def name_pattern(table: WordTable) -> re.Pattern[str]:
    """Return the expression for names."""
    return re.compile(table["by_name"])


def without_names(phrase: str, cast: Cast) -> str:
    """Return a source named in words, unless it is somebody's name; then his role."""
    phrase = re.sub(r"^(?:the|a|an|el|la|los|las) (?=[A-ZÁÉÍÓÚÑ])", "", phrase.strip())
    phrase = re.split(r" (?:which|who|that|que|quien|in|en) ", phrase)[0].strip()
    if any(bare(w) in cast.names for w in phrase.split()):
        return cast.role(phrase) or ""
    return phrase[:80]
