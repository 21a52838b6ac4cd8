"""What may not stand in a ledger: words copied from a report, names of persons, anchors that lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from breakrank_desk.anchors import follow
from breakrank_desk.languages import unread
from breakrank_desk.normal import bare, words
from breakrank_desk.overview import Overview
from breakrank_desk.people import cast_of
from breakrank_desk.texts import Text
from breakrank_desk.words import table

WARN, REFUSE = 6, 8
"""Words in a row that a text of ours may share with a report before it is told, and before it is refused."""
_PROSE = ("what", "text", "says", "aside", "notes")


@dataclass(frozen=True)
class Finding:
    """Something wrong: how bad, what it is about, and what to do."""

    level: Literal["error", "warning"]
    about: str
    told: str
    remedy: str = ""


def longest_run(ours: str, theirs: Sequence[str]) -> int:
    """Return how many words in a row our text shares with theirs (given as words).

    Examples
    --------
    >>> longest_run("nearly all of them came back", "he said all of them left".split())
    3
    """
    return SequenceMatcher(None, theirs, words(ours), autojunk=False).find_longest_match().size


def _words_of(text: Text) -> list[str]:
    return [w for p in text.paragraphs for w in (*p.words, "\n")]


def copied(ours: str, texts: Iterable[Text]) -> str:
    """Return what to say of a text of ours that copies :data:`REFUSE` words in a row, or nothing."""
    for text in texts:
        run = longest_run(ours, _words_of(text))
        if run >= REFUSE:
            return f"{run} words in a row stand in {text.source}; say it in your own words"
    return ""


def names_in(ours: str, text: Text, keep: Iterable[str] = ()) -> list[str]:
    """Return the names of persons of a text that our words hold.

    `keep` are names of places, which may stay; so may its outlet and its agency.
    """
    if unread(text):
        return []
    kept = {bare(w) for k in (*keep, text.outlet, text.agency) for w in k.split()}
    capital = {bare(w) for w in ours.replace("-", " ").split() if w[:1].isupper()}
    own = {w.strip(".,;:()'\"") for w in capital}
    return sorted(own & (cast_of(text.paragraphs, table(text.language)).names - kept))


def _prose(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return what an observation says in words, by key."""
    return {key: str(entry[key]) for key in _PROSE if entry.get(key)}


def check_words(entry: Mapping[str, Any], texts: Sequence[Text]) -> str:
    """Return why an observation may not be written: copied words or the name of a person.

    Empty where it may.
    """
    for key, ours in _prose(entry).items():
        if problem := copied(ours, texts):
            return f"{key}: {problem}"
        for text in texts:
            if found := names_in(ours, text, [str(entry.get("place") or "")]):
                return f"{key}: {', '.join(found)} is the name of a person in {text.source}; write the role"
    return ""


def check(desk: Overview) -> list[Finding]:
    """Return what is wrong with the desk's files and the ledger, as far as texts are at hand."""
    return [*_without_observation(desk), *_of_texts(desk), *_lost(desk)]


def _without_observation(desk: Overview) -> Iterator[Finding]:
    """Yield anchors of no observation, or of one from another source."""
    observations = desk.context.ledger.observations
    for name, anchor in desk.store.anchors().items():
        if name not in observations:
            told = "is anchored, and no observation has this id"
            yield Finding("error", name, told, "Remove it from anchors.yaml.")
        elif anchor.source != observations[name].source:
            yield Finding("error", name, f"is anchored in {anchor.source}, and its source is another")


def _of_texts(desk: Overview) -> Iterator[Finding]:
    """Yield anchors that moved or were lost, and observations that copy or name persons, text by text."""
    places, anchors = tuple(desk.context.places(()).values()), desk.store.anchors()
    for source in sorted(desk.library.entries()):
        if not desk.library.at_hand(source):
            told = "its text is not at hand, so its anchors were not followed"
            yield Finding("warning", source, told)
            continue
        text = desk.library.text(source)
        for name, anchor in anchors.items():
            found = follow(anchor, text.paragraphs) if anchor.source == source else None
            if found and found.state == "orphan":
                told = f"has lost its words in {source}: {found.why}"
                yield Finding("error", name, told, "Anchor it anew or say why.")
            elif found and found.state == "moved":
                yield Finding("warning", name, found.why)
        if why := unread(text):
            yield Finding("warning", source, f"was not searched for names of persons: {why}")
        for o in desk.context.observations_of(source):
            yield from _said(o.model_dump(), o.id, text, places)


def _lost(desk: Overview) -> Iterator[Finding]:
    """Yield decisions whose observation is gone."""
    for d in desk.store.in_force().values():
        if d.observation and d.observation not in desk.context.ledger.observations:
            told = "was accepted, and is not in the ledger any more"
            yield Finding("error", d.observation, told, "Undo the decision, or restore it.")


def _said(entry: Mapping[str, Any], name: str, text: Text, places: tuple[str, ...]) -> Iterator[Finding]:
    for key, ours in _prose(entry).items():
        run = longest_run(ours, _words_of(text))
        if run >= WARN:
            told = f"{key} shares {run} words in a row with {text.source}"
            yield Finding("error" if run >= REFUSE else "warning", name, told, "Paraphrase it.")
        if found := names_in(ours, text, (*places, str(entry.get("place") or ""))):
            told = f"{key} names {', '.join(found)}, a person in {text.source}"
            yield Finding("error", name, told, "Write the role.")
