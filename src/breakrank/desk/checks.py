"""What may not stand in a ledger: words copied from a report, names of persons, anchors that lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from breakrank.desk.anchors import follow
from breakrank.desk.normal import bare, words
from breakrank.desk.overview import Overview
from breakrank.desk.people import cast_of
from breakrank.desk.texts import Text
from breakrank.desk.words import table

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
    own, best = words(ours), 0
    where: dict[str, list[int]] = {}
    for k, w in enumerate(theirs):
        where.setdefault(w, []).append(k)
    for k in range(len(own)):
        for j in where.get(own[k], ()):
            n = 0
            while k + n < len(own) and j + n < len(theirs) and own[k + n] == theirs[j + n]:
                n += 1
            best = max(best, n)
    return best


def _words_of(text: Text) -> list[str]:
    return [w for p in text.paragraphs for w in (*p.words, "\n")]


def copied(ours: str, texts: Iterable[Text], at: int = REFUSE) -> str:
    """Return what to say of a text of ours that copies `at` words in a row or more.

    Empty where it does not.
    """
    for text in texts:
        run = longest_run(ours, _words_of(text))
        if run >= at:
            return f"{run} words in a row stand in {text.source}; say it in your own words"
    return ""


def names_in(ours: str, text: Text, keep: Iterable[str] = ()) -> list[str]:
    """Return the names of persons of a text that our words hold.

    `keep` are names of places, which may stay.
    """
    names = cast_of(text.paragraphs, table(text.language)).names - {bare(w) for k in keep for w in k.split()}
    capital = {bare(w) for w in ours.replace("-", " ").split() if w[:1].isupper()}
    own = {w.strip(".,;:()'\"") for w in capital}
    return sorted(own & names)


def check_words(entry: Mapping[str, Any], texts: Sequence[Text], keep: Iterable[str] = ()) -> str:
    """Return why an observation may not be written: copied words or the name of a person.

    Empty where it may.
    """
    for key in _PROSE:
        ours = str(entry.get(key) or "")
        problem = copied(ours, texts) if ours else ""
        if problem:
            return f"{key}: {problem}"
        for text in texts:
            found = names_in(ours, text, (*keep, *_outlets(text), str(entry.get("place") or "")))
            if found:
                return f"{key}: {', '.join(found)} is the name of a person in {text.source}; write the role"
    return ""


def _outlets(text: Text) -> tuple[str, ...]:
    return (text.outlet, text.agency)


def check(desk: Overview) -> list[Finding]:
    """Return what is wrong with the desk's files and the ledger, as far as texts are at hand."""
    out: list[Finding] = []
    ledger, entries = desk.context.ledger, desk.library.entries()
    places = tuple(desk.context.places(()).values())
    for name, anchor in desk.store.anchors().items():
        if name not in ledger.observations:
            out.append(
                Finding(
                    "error",
                    name,
                    "is anchored, and no observation has this id",
                    "Remove it from anchors.yaml.",
                )
            )
        elif anchor.source != ledger.observations[name].source:
            out.append(Finding("error", name, f"is anchored in {anchor.source}, and its source is another"))
    for source in sorted(entries):
        if not desk.library.at_hand(source):
            out.append(
                Finding("warning", source, "its text is not at hand, so its anchors were not followed")
            )
            continue
        text = desk.library.text(source)
        for name, anchor in desk.store.anchors().items():
            if anchor.source != source:
                continue
            found = follow(anchor, text.paragraphs)
            if found.state == "orphan":
                out.append(
                    Finding(
                        "error",
                        name,
                        f"has lost its words in {source}: {found.why}",
                        "Anchor it anew or say why.",
                    )
                )
            elif found.state == "moved":
                out.append(Finding("warning", name, found.why))
        for o in desk.context.observations_of(source):
            out += _said(o.model_dump(), o.id, text, places)
    out += [
        Finding(
            "error",
            d.observation,
            "was accepted, and is not in the ledger any more",
            "Undo the decision, or restore it.",
        )
        for d in desk.store.in_force().values()
        if d.observation and d.observation not in ledger.observations
    ]
    return out


def _said(entry: Mapping[str, Any], name: str, text: Text, places: tuple[str, ...]) -> list[Finding]:
    out: list[Finding] = []
    for key in _PROSE:
        ours = str(entry.get(key) or "")
        run = longest_run(ours, _words_of(text)) if ours else 0
        if run >= WARN:
            level: Literal["error", "warning"] = "error" if run >= REFUSE else "warning"
            out.append(
                Finding(
                    level, name, f"{key} shares {run} words in a row with {text.source}", "Paraphrase it."
                )
            )
        found = (
            names_in(ours, text, (*places, *_outlets(text), str(entry.get("place") or ""))) if ours else []
        )
        if found:
            out.append(
                Finding(
                    "error",
                    name,
                    f"{key} names {', '.join(found)}, a person in {text.source}",
                    "Write the role.",
                )
            )
    return out
