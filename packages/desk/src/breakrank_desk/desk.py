"""The desk: reports in, proposed observations out, and what a human decided kept beside the ledger."""

from __future__ import annotations

import getpass
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from breakrank.case.dates import DateLike, as_date
from breakrank.case.documents import read_yaml
from breakrank.case.files import Files, appended
from breakrank.errors import UsageError, nearest
from breakrank_desk.coding import FIELDS, entry_of
from breakrank_desk.context import Context
from breakrank_desk.languages import read_languages, unread
from breakrank_desk.ledger_text import OBSERVATIONS, SOURCES, checked, ids
from breakrank_desk.library import Library
from breakrank_desk.proposals import Proposal, Used, mark, marked_by, propose
from breakrank_desk.quantities import quantities, with_member
from breakrank_desk.review import Review, check_words, copied, now
from breakrank_desk.store import QUANTITIES, DeskDecision, DeskStore, Verb
from breakrank_desk.texts import KINDS, Kind, Text
from breakrank_desk.words import LANGUAGES

FIGURE = ("value", "range", "text")
"""Fields that say the figure; one that is given takes the place of the others, and of the bound."""


class Desk(Review):
    """A case's desk. Open it with :meth:`open`.

    Examples
    --------
    ::

        desk = Desk.open("my-country", texts="reports/")
        desk.read("a.html", outlet="NPR")
        for p in desk.proposals("r002"):
            print(p.figure, p.words)
    """

    def __init__(self, context: Context, texts: Path | None = None, by: str = "") -> None:
        self.context = context
        self.store = DeskStore(context.folder)
        self.library = Library(context, self.store, texts)
        self.by = by or _user()
        self.used = Used()
        for o in context.ledger.observations.values():
            self.used.add(o.date, o.says, o.place, o.source, o.paragraph)

    @classmethod
    def open(cls, case: str | Path, texts: str | Path | None = None, by: str = "") -> Desk:
        """Open the desk of a case.

        Parameters
        ----------
        case : name of a built-in case (read only) or a case folder.
        texts : folder of the reports; they stay there and are found by the hash of their bytes.
        by : who decides; the name of the user where it is left out.

        Raises
        ------
        UsageError, CaseError
            where there is no such case, or it cannot be read.
        CaseFileError
            where a killed process has left something in it that cannot be cleared up.
        """
        if Path(case).is_dir():
            Files(Path(case)).finish()
        return cls(Context.open(case), None if texts is None else Path(texts), by)

    # Reading.

    def read(
        self,
        path: str | Path,
        *,
        source: str = "",
        outlet: str = "",
        date: DateLike | None = None,
        agency: str = "",
        language: str = "",
    ) -> list[Text]:
        """Read a report, or all reports of a folder or a web archive, and note their hashes.

        Parameters
        ----------
        source : id of the source it belongs to; a new one where it is left out.
        outlet, date, agency : what you know of it; the page's own guesses are told and never taken.
        language : its language (en, es) where its words are too few to tell.

        Returns
        -------
        list of Text
            a text that was read before keeps its source.

        Raises
        ------
        ReadError
            for a file that is not read.
        UsageError
            for a language that the desk does not read.
        """
        if language and language not in LANGUAGES:
            raise UsageError(f"the desk does not read {language!r}\n  It reads {read_languages()}: en, es.")
        self.context.must_be_writable()
        known = source and self.context.source(source)
        day = as_date(date, "date") if date else None
        if known and not outlet:
            outlet = known.publisher
        return self.library.read(
            Path(path), source=source, outlet=outlet, date=day, agency=agency, language=language
        )

    def text(self, source: str) -> Text:
        """Return the text of a source; UsageError where it is not at hand."""
        return self.library.text(source)

    def set_kind(self, source: str, paragraph: int, kind: Kind) -> Text:
        """Set the kind of a paragraph (counted from 0 among all) by hand.

        And return the text numbered anew.
        """
        if kind not in KINDS:
            raise UsageError(f"there is no kind {kind!r}{nearest(kind, KINDS)}")
        self.context.must_be_writable()
        with self.store.files.locked():
            return self.library.set_kind(source, paragraph, kind)

    # Proposals and decisions.

    def use(self, name: str) -> None:
        """Let an installed plug-in propose too (entry point ``breakrank.desk.proposers``); off unless named.

        What its figures rest on has to be read by the desk's own grammar, or they are dropped.

        Raises
        ------
        UsageError
            where no such plug-in is installed.
        """
        known = {e.name: e for e in entry_points(group="breakrank.desk.proposers")}
        if name not in known:
            raise UsageError(f"no plug-in {name!r} that proposes is installed{nearest(name, known)}")
        self.library.proposers[name] = known[name].load()

    def proposals(self, source: str = "", *, decided: bool = False) -> list[Proposal]:
        """Return the figures of a source, or of all texts at hand, that nobody has decided on yet.

        A copy gives only what the fuller version does not say. Texts in a language that the desk does not
        read give nothing; :meth:`unread` names them.
        """
        folded = self.folded() if not source else {}
        standing = self.store.in_force()
        out: list[Proposal] = []
        for text in [self.text(source)] if source else self.library.texts():
            only = folded.get(text.source)
            for p in self.library.proposed(text, propose(text, self.context, self.used)):
                if only is not None and p.anchor.paragraph not in only:
                    continue
                held = standing.get(p.key)
                if decided or held is None or held.verb == "later":
                    out.append(p)
        return out

    def unread(self, source: str = "") -> dict[str, str]:
        """Return why nothing is proposed from a source, or from each such text at hand."""
        texts = [self.text(source)] if source else self.library.texts()
        return {text.source: why for text in texts if (why := unread(text))}

    def marked(self, source: str, paragraph: str, sentence: int = 0) -> Proposal:
        """Return a form for a sentence marked by a human.

        `paragraph` is its number or kind, `sentence` from 0.
        """
        text = self.text(source)
        found = text.paragraph(paragraph)
        if found is None:
            raise UsageError(f"{source} has no paragraph {paragraph!r}")
        return mark(text, found, sentence, self.context, self.used)

    def proposal(self, key: str) -> Proposal:
        """Return the proposal with a key, or a part of it that only one has; a sentence by its whole key.

        Raises
        ------
        UsageError
            where none or several have it.
        """
        parts = key.split(":")
        if parts[-1] == "sentence" and parts[0] in self.library.sources():
            sentence = marked_by(key, self.text(parts[0]), self.context, self.used)
            if sentence is not None:
                return sentence
        sources = [parts[0]] if parts[0] in self.library.sources() else self.library.sources()
        found = [
            p
            for s in sources
            for p in self.proposals(s, decided=True)
            if p.key == key or (len(key) >= 6 and key in p.key)
        ]
        exact = [p for p in found if p.key == key]
        if len(exact or found) != 1:
            what = "no proposal has" if not found else f"{len(found)} proposals have"
            raise UsageError(f"{what} the key {key!r}\n  `breakrank desk propose` lists them.")
        return (exact or found)[0]

    def accept(self, proposal: Proposal, **given: Any) -> str:  # noqa: ANN401 (fields of the form)
        """Write a proposal into the ledger and return the id of the observation.

        Parameters
        ----------
        given : fields of the observation (what, id, date, says, place, value, range, unit, confidence,
            ...), and
            ``counts``, the id of the quantity that it counts.

        Raises
        ------
        UsageError
            for missing or unknown fields, words copied from the report (8 in a row), and names of persons.
        """
        self.context.must_be_writable()
        text = self.text(proposal.source)
        entry, changed = entry_of(proposal, given)
        edited = changed or given.get("value") or given.get("range")
        if problem := check_words(entry, [text]):
            raise UsageError(problem)
        with self.store.files.locked():
            files = self.store.files
            if entry["id"] in ids(files.read(OBSERVATIONS)):
                raise UsageError(f"the ledger has an observation {entry['id']!r} already; give id=")
            new = checked(appended(files.read(OBSERVATIONS), entry), OBSERVATIONS, self.context.calendar)
            if proposal.source not in ids(files.read(SOURCES)):
                source = self.library.source_entry(proposal.source)
                sources = self.with_copies(appended(files.read(SOURCES), source))
                files.write(SOURCES, checked(sources, SOURCES, self.context.calendar))
            files.write(OBSERVATIONS, new)
            self.store.write_anchors({**self.store.anchors(), entry["id"]: proposal.anchor})
            if given.get("counts"):
                kept = with_member(
                    quantities(self.store), str(given["counts"]), entry["id"], str(entry.get("unit", ""))
                )
                self.store.write_entries(QUANTITIES, [q.plain() for q in kept])
            verb: Verb = "edited" if edited else "accepted"
            self.store.decide(self._decision(proposal, verb, entry["id"], changed))
        self.reopen()
        where = proposal.source, proposal.anchor.paragraph
        self.used.add(str(entry["date"]), str(entry["says"]), entry.get("place"), *where)
        return str(entry["id"])

    def edit(self, proposal: Proposal, **given: Any) -> str:  # noqa: ANN401 (fields of the form)
        """Alter the observation that a proposal became, or accept the proposal where it became none.

        The observation is written anew under its id, or all stays as it was. Fields that are left out stay as
        they are in the ledger; so do its id and its quantity.

        Returns
        -------
        str
            the id of the observation.

        Raises
        ------
        UsageError, CaseFileError
            as accepting does. Then nothing has changed.
        """
        files = self.store.files
        with files.locked():
            self.reopen()
            held = self.store.in_force().get(proposal.key)
            if held is None or held.observation not in self.context.ledger.observations:
                ident = self.accept(proposal, **given)
            else:
                entries = read_yaml(files.read(OBSERVATIONS), files.folder / OBSERVATIONS).data
                old = next(e for e in entries if e["id"] == held.observation)
                skip = (*FIGURE, "bound") if set(FIGURE) & set(given) else ()
                new = {name: old[name] for name in FIELDS if name in old and name not in skip} | given
                if "counts" not in given:
                    counted = (q.id for q in self.quantities() if held.observation in q.members)
                    new["counts"] = next(counted, None)
                self.remove(held.observation, stays=new["id"] == held.observation)
                ident = self.accept(proposal, **new)
        self.reopen()
        return ident

    def reject(self, proposal: Proposal, why: str = "") -> None:
        """Say that a proposal is nothing for the ledger; it is not shown again."""
        self._note(proposal, "rejected", why)

    def later(self, proposal: Proposal) -> None:
        """Put a proposal off."""
        self._note(proposal, "later", "")

    def undo(self, key: str) -> None:
        """Take back the decision on a proposal, and the observation it wrote.

        Parameters
        ----------
        key : of the proposal, or a part of it that only one decision has.

        Raises
        ------
        UsageError
            where nothing was decided, or something else rests on the observation.
        """
        self.context.must_be_writable()
        with self.store.files.locked():
            self.reopen()
            standing = self.store.in_force()
            found = [d for k, d in standing.items() if k == key] or [
                d for k, d in standing.items() if key in k
            ]
            if len(found) != 1 or len(key) < 6:
                raise UsageError(f"{len(found) or 'no'} decisions have the key {key!r}")
            self.remove(found[0].observation)
            self.store.decide(replace(found[0], verb="undone", by=self.by, at=now()))
        self.reopen()

    def _note(self, proposal: Proposal, verb: Verb, why: str) -> None:
        self.context.must_be_writable()
        if why and (problem := copied(why, [self.text(proposal.source)])):
            raise UsageError(problem)
        with self.store.files.locked():
            self.store.decide(self._decision(proposal, verb, "", (), why))

    def _decision(
        self, p: Proposal, verb: Verb, observation: str, changed: tuple[str, ...], why: str = ""
    ) -> DeskDecision:
        return DeskDecision(p.key, verb, observation, changed, why, self.by, now(), p.proposer)

    def __repr__(self) -> str:
        told = f"{len(self.library.sources())} texts, {len(self.store.anchors())} anchors"
        return f"Desk of {self.context.folder.name}: {told}, {len(self.store.decisions())} decisions"


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
