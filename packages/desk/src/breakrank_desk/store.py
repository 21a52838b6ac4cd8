"""The desk's own files beside the ledger: hashes, positions and decisions; no sentence of any source."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from breakrank.case.documents import read_yaml
from breakrank.case.files import CaseFileError, Files, to_yaml
from breakrank_desk.anchors import Anchor
from breakrank_desk.texts import KINDS, Kind, Text

FOLDER = "evidence/desk"
TEXTS, ANCHORS, DECISIONS = f"{FOLDER}/texts.yaml", f"{FOLDER}/anchors.yaml", f"{FOLDER}/decisions.jsonl"
LINKS, QUANTITIES, QUESTIONS = f"{FOLDER}/links.yaml", f"{FOLDER}/quantities.yaml", f"{FOLDER}/questions.yaml"
Verb = Literal["accepted", "edited", "rejected", "later", "undone"]


@dataclass(frozen=True)
class DeskDecision:
    """What a human decided on a proposal.

    Attributes
    ----------
    key : of the proposal.
    verb : accepted, edited, rejected, later, or undone (the last one of this key no longer holds).
    observation : id of the observation it became.
    changed : fields in which the human departed from what was proposed first.
    why : in words, for a rejection.
    by, at : who, and when (UTC).
    proposer : who proposed it.
    """

    key: str
    verb: Verb
    observation: str = ""
    changed: tuple[str, ...] = ()
    why: str = ""
    by: str = ""
    at: str = ""
    proposer: str = ""

    def line(self) -> str:
        """Return it as a line of JSON."""
        plain = {k: v for k, v in self.__dict__.items() if v not in ("", ())}
        return json.dumps(plain, ensure_ascii=False) + "\n"


class DeskStore:
    """Reads and writes the desk's files of one case."""

    def __init__(self, folder: Path) -> None:
        self.files = Files(folder)
        self._read: dict[str, tuple[str, list[dict[str, Any]]]] = {}

    def entries(self, name: str) -> list[dict[str, Any]]:
        """Return the entries of a list in YAML.

        Raises
        ------
        CaseFileError
            where the file holds something else.
        """
        text = self.files.read(name)
        if self._read.get(name, ("", None))[0] != text:  # a list of many texts takes a while to take apart
            data = read_yaml(text, self.files.folder / name).data if text.strip() else []
            if not isinstance(data, list) or not all(isinstance(x, dict) for x in data):
                raise CaseFileError(f"{self.files.folder / name}: a list of entries is expected")
            self._read[name] = text, data
        return [dict(x) for x in self._read.get(name, ("", []))[1]]

    def write_entries(self, name: str, entries: list[dict[str, Any]]) -> None:
        """Write a list in YAML."""
        self.files.write(name, to_yaml(entries))

    # Decisions.

    def decisions(self) -> list[DeskDecision]:
        """Return all decisions in the order in which they were made.

        Raises
        ------
        CaseFileError
            with file and line, for a line that is none (such as a mark of a merge).
        """
        out = []
        for number, line in enumerate(self.files.read(DECISIONS).splitlines(), 1):
            if not line.strip():
                continue
            try:
                plain = json.loads(line)
                plain["changed"] = tuple(plain.get("changed", ()))
                out.append(DeskDecision(**plain))
            except (ValueError, TypeError, RecursionError):
                raise CaseFileError(
                    f"{self.files.folder / DECISIONS}:{number}: this line is no decision\n"
                    f"  Each line holds one JSON object."
                ) from None
        return out

    def in_force(self) -> dict[str, DeskDecision]:
        """Return the decision that holds for each key."""
        out: dict[str, DeskDecision] = {}
        for d in self.decisions():
            if d.verb == "undone":
                out.pop(d.key, None)
            else:
                out[d.key] = d
        return out

    def decide(self, decision: DeskDecision) -> None:
        """Append a decision; call it under the lock."""
        text = self.files.read(DECISIONS)
        self.files.write(
            DECISIONS, (text if not text or text.endswith("\n") else text + "\n") + decision.line()
        )

    # Texts and anchors.

    def anchors(self) -> dict[str, Anchor]:
        """Return the anchors by observation."""
        out = {}
        for entry in self.entries(ANCHORS):
            try:
                out[str(entry["id"])] = Anchor.of(entry)
            except (KeyError, TypeError, ValueError):
                raise CaseFileError(
                    f"{self.files.folder / ANCHORS}: the entry {entry.get('id')!r} is no anchor"
                ) from None
        return out

    def write_anchors(self, anchors: Mapping[str, Anchor]) -> None:
        """Write all anchors."""
        self.write_entries(ANCHORS, [{"id": o, **a.plain()} for o, a in anchors.items()])

    def write_texts(self, texts: Iterable[tuple[Text, int]]) -> None:
        """Write what is known of texts in place of what was: hashes of file and paragraphs, never words.

        Each comes with its place among the documents of its file.
        """
        entries = {str(e.get("id")): e for e in self.entries(TEXTS)}
        for text, part in texts:
            new: dict[str, Any] = {
                "id": text.source, "sha256": text.sha256, "reader": text.reader, "version": text.version,
                "language": text.language, "part": part,
            }  # fmt: skip
            known = {
                "outlet": text.outlet,
                "agency": text.agency,
                "date": str(text.date or ""),
                "user_language": text.user_language,
            }
            known["kinds"] = entries.pop(text.source, {}).get("kinds", "")
            new.update({name: value for name, value in known.items() if value})
            new["paragraphs"] = [f"{p.kind} {p.hash}" for p in text.paragraphs]
            entries[text.source] = new
        self.write_entries(TEXTS, list(entries.values()))


def kinds_by_hand(entry: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the kinds that were set by hand, by paragraph hash, of an entry of a text."""
    return {str(h): k for h, k in (entry.get("kinds") or {}).items() if k in KINDS}
