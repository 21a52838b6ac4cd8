"""How well the desk does on reports whose ledger is known: the table that says whether a rule may stay."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from breakrank.case.content import Ledger
from breakrank.case.dates import first_day, last_day
from breakrank.case.documents import read_yaml
from breakrank.case.models_evidence import Observation
from breakrank.errors import UsageError
from breakrank_desk.anchors import follow
from breakrank_desk.context import Context
from breakrank_desk.library import text_of
from breakrank_desk.normal import bare, sha256, words
from breakrank_desk.proposals import Proposal, Surroundings, Used, mark, no_place, propose
from breakrank_desk.quantities import interval
from breakrank_desk.reading.parent import DocumentReader
from breakrank_desk.syndication import links
from breakrank_desk.texts import Block, Extract, Paragraph, Text
from breakrank_desk.words import LANGUAGES, table

_FACTORS = {
    "decades": (10, "years"), "weeks": (7, "days"), "months": (30, "days"), "feet": (0.3048, "metres"),
    "miles": (1.609, "kilometres"),
}  # fmt: skip


@lru_cache(maxsize=1)
def _empty() -> frozenset[str]:
    """Return the words that say nothing of a role, of all languages."""
    return frozenset(str(word) for language in LANGUAGES for word in table(language)["empty"])


def same_figure(p: Proposal, o: Observation) -> bool:
    """Return whether a proposal and an observation give the same figure.

    Units of time and length converted.
    """
    there = interval(o)
    if there is None or p.low is None or p.high is None:
        return False
    factors = {1.0}
    if p.unit.split(" ")[0] in _FACTORS:
        factors.add(_FACTORS[p.unit.split(" ")[0]][0])
    for factor in factors:
        ends = [x * factor for x in (p.low, p.high)]
        if all(abs(a - b) <= 0.02 * abs(b) + 1e-9 for a, b in zip(ends, there, strict=True)):
            return True
        middle = (p.value if p.value is not None else ends[0]) * (factor if p.value is not None else 1)
        if o.value is not None and abs(middle - o.value) <= 0.02 * abs(o.value) + 0.05:
            return True
    return o.range is not None and p.value is not None and p.value in o.range


def said_alike(one: str, two: str) -> bool:
    """Return whether two names of a speaker mean the same role: equal, or half of their words in common."""
    a, b = ({_stem(w) for w in words(x)} - _empty() for x in (one, two))
    if one == two or a == b:
        return True
    return bool(a & b) and len(a & b) / len(a | b) >= 0.5


_SPELT = {"defense": "defence", "organization": "organisation", "center": "centre", "program": "programme"}


def _stem(word: str) -> str:
    word = bare(re.sub(r"'s$", "", word))
    word = _SPELT.get(word, word)
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def place_alike(one: str, two: str) -> bool:
    """Return whether two names of a place mean the same: equal, or one within the other."""
    a, b = bare(one), bare(two)
    return a == b or (len(b) > 3 and b in a) or (len(a) > 3 and a in b)


GOLD = "gold.yaml"
"""File of a development set beside its reports.

For each its source, day, outlet and story paragraphs by hash.
"""


@dataclass
class Row:
    """One line of the table: what was measured, how many of how many, and which were missed."""

    name: str
    right: int = 0
    of: int = 0
    missed: list[str] = field(default_factory=list)
    told: str = ""

    def add(self, right: bool, what: str = "") -> None:
        """Count one more."""
        self.of += 1
        self.right += right
        if not right and what:
            self.missed.append(what)

    @property
    def share(self) -> float | None:
        """Share of what was right; ``None`` where nothing was measured."""
        return self.right / self.of if self.of else None

    def __str__(self) -> str:
        if self.told:
            return f"{self.name:<44} {self.told}"
        share = "" if self.share is None else f"{self.share:5.2f}"
        return f"{self.name:<44} {share}  {self.right}/{self.of}"


@dataclass(frozen=True)
class Report:
    """A report of a development set."""

    text: Text
    extract: Extract
    story: frozenset[str] | None
    derived: frozenset[str]


def development(folder: Path) -> list[Report]:
    """Return the reports of a development set, read as the desk reads them.

    Raises
    ------
    UsageError
        where the folder has no ``gold.yaml``.
    """
    file = folder / GOLD
    if not file.is_file():
        raise UsageError(
            f"{folder} has no {GOLD}\n"
            f"  It lists the reports: id, file, date, outlet, story (hashes of paragraphs)."
        )
    out = []
    with DocumentReader() as reader:
        for e in read_yaml(file.read_text(encoding="utf-8"), file).data:
            data, found = reader.read(folder / e["file"])
            made = text_of(found[0], str(e["id"]), sha256(data))
            day = first_day(str(e["date"])) if e.get("date") else None
            made = replace(made, date=day, outlet=str(e.get("outlet", "")))
            story = frozenset(map(str, e["story"])) if "story" in e else None
            out.append(Report(made, found[0], story, frozenset(map(str, e.get("derived", ())))))
    return out


def measure(folder: Path, gold: str | Path) -> list[Row]:
    """Return the table for a development set and the case that holds its ledger."""
    began = time.process_time()
    reports = development(folder)
    context = Context.open(gold)
    proposed = {r.text.source: propose(r.text, context) for r in reports}
    spent = time.process_time() - began
    return [
        _kinds(reports),
        *_figures(reports, proposed, context.ledger),
        *_replay(reports, proposed, context),
        *_copies(reports, context.ledger),
        _anchors(reports, proposed),
        Row(f"{len(reports)} reports, this process", told=f"{spent:.2f} s of processor time"),
    ]


def _kinds(reports: Sequence[Report]) -> Row:
    row = Row("blocks told story or not")
    for r in reports:
        seen: set[str] = set()
        for p in r.text.paragraphs if r.story is not None else ():
            told = p.hash in (r.story or ()) and (p.hash not in seen or p.kind == "story")
            right = (p.kind == "story") == (told and p.hash not in seen)
            seen.add(p.hash)
            row.add(right, f"{r.text.source} block {p.at} is called {p.kind}")
    return row


def _figures(reports: Sequence[Report], proposed: dict[str, list[Proposal]], ledger: Ledger) -> Iterator[Row]:
    stated, reading = Row("stated figures found"), Row("their reading (interval and bound) right")
    kept = Row("proposals that the ledger has")
    for r in reports:
        mine = [o for o in ledger.observations.values() if o.source == r.text.source]
        numeric = [o for o in mine if interval(o) is not None and o.id not in r.derived]
        hit: set[str] = set()
        for o in numeric:
            here = [p for p in proposed[r.text.source] if p.anchor.paragraph == o.paragraph]
            fits = [p for p in here if same_figure(p, o)]
            stated.add(bool(fits), f"{o.id} ({r.text.source} paragraph {o.paragraph})")
            if fits:
                exact = any(p.range == o.range if o.range else p.value is not None for p in fits)
                reading.add(exact, o.id)
                hit.update(p.key for p in fits)
        if numeric:
            for p in proposed[r.text.source]:
                if not _repeated(p, proposed[r.text.source]):
                    kept.add(p.key in hit, f"{p.source} paragraph {p.anchor.paragraph}: {p.figure}")
    yield from (stated, reading, kept)


def _repeated(p: Proposal, others: Sequence[Proposal]) -> bool:
    """Return whether the same figure of the same thing was proposed earlier in the text."""
    same = [q for q in others if (q.low, q.high, q.unit) == (p.low, p.high, p.unit)]
    return same[0].key != p.key


def _replay(
    reports: Sequence[Report], proposed: dict[str, list[Proposal]], context: Context
) -> Iterator[Row]:
    """Go through the ledger in its order, as somebody who codes would, with the last choices at hand."""
    rows = {k: Row(f"{k} offered") for k in ("date", "speaker", "place", "all three")}
    strict = Row("speaker offered, the same words")
    first = {k: Row(f"{k} first, of figures") for k in ("speaker", "date")}
    used, keys = Used(), []
    by_source = {r.text.source: r for r in reports}
    around = {s: Surroundings.of(r.text, context) for s, r in by_source.items()}
    for o in context.ledger.observations.values():
        r = by_source.get(o.source)
        paragraph = r.text.paragraph(o.paragraph) if r else None
        if r is None or paragraph is None:
            continue
        form = _form(o, r.text, paragraph, proposed[o.source], around[o.source], context, used)
        dates, says, places = offered_dates(o, form), offered(o.says, form.says, said_alike), True
        if o.place:
            places = bool(offered(o.place, form.places, place_alike))
        rows["date"].add(bool(dates), f"{o.id}: {_when(o)}")
        rows["speaker"].add(bool(says), f"{o.id}: {o.says}")
        strict.add(o.says in form.says)
        rows["place"].add(places, f"{o.id}: {o.place}")
        rows["all three"].add(bool(dates and says and places))
        if interval(o) is not None:
            first["speaker"].add(says == 1, f"{o.id}: {o.says}, first {form.says[0]}")
            guess = form.dates[0] if form.dates else None
            told = f"{o.id}: {_when(o)}, first {guess.when} ({guess.why})" if guess else o.id
            first["date"].add(guess is not None and guess.when == _when(o), told)
            # "None" is within the nine that the page shows, however many places the case has.
            at = (
                offered(o.place, form.places, place_alike)
                if o.place
                else min(9, 1 + next(k for k, p in enumerate(form.places) if no_place(p)))
            )
            keys.append(1 + sum(_strokes(k) for k in (dates, says, at)))
        used.add(o.date, o.says, o.place, o.source, o.paragraph)
    yield from (*rows.values(), strict, *first.values())
    median = f"{statistics.median(keys):g}" if keys else "-"
    yield Row("keys for a figure, without the paraphrase", told=f"median {median}")


def _strokes(at: int) -> int:
    """Return the keys for a field.

    None for the first, tab and a digit for the next eight, else some typing.
    """
    return 0 if at == 1 else 2 if 1 < at <= 9 else 8


def _form(
    o: Observation, text: Text, paragraph: Paragraph, proposed: Sequence[Proposal], around: Surroundings,
    context: Context, used: Used,
) -> Proposal:  # fmt: skip
    """Return the form that the human would have: the figure's, or that of the first sentence marked."""
    fits = [p for p in proposed if p.anchor.hash == paragraph.hash and same_figure(p, o)]
    if not fits:
        return mark(text, paragraph, 0, context, used)
    at = fits[0].span[0]
    dates = around.dates(paragraph, at, used, fits[0].kind)
    says, places = around.says(paragraph, at, used), around.places(paragraph, at, used)
    return replace(fits[0], dates=dates, says=says, places=places)


def _when(o: Observation) -> str:
    a, b = first_day(o.date), last_day(o.date)
    return str(a) if a == b else f"{a}/{b}"


def offered_dates(o: Observation, form: Proposal) -> int:
    """Return where in the list the date stands, from 1; two ends chosen apart count as the later.

    0 for not.
    """
    first, last = first_day(o.date), last_day(o.date)
    for k, m in enumerate(form.dates, 1):
        if (m.first, m.last) == (first, last):
            return k
    starts = [k for k, m in enumerate(form.dates, 1) if first in (m.first, m.last)]
    ends = [k for k, m in enumerate(form.dates, 1) if last in (m.first, m.last)]
    return max(starts[0], ends[0]) if starts and ends else 0


def offered(wanted: str | None, options: Sequence[str], alike: Any) -> int:  # noqa: ANN401 (a function of two texts)
    """Return where in a list what is wanted stands, from 1; 0 for not."""
    return next((k for k, x in enumerate(options, 1) if alike(wanted, x)), 0)


def _copies(reports: Sequence[Report], ledger: Ledger) -> Iterator[Row]:
    texts = [r.text for r in reports]
    found = {frozenset((x.fuller, x.shorter)) for x in links(texts) if x.verdict in ("copy", "version")}
    known = [s for s in (t.source for t in texts) if s in ledger.sources]
    true = {
        frozenset((a, b))
        for k, a in enumerate(known)
        for b in known[k + 1 :]
        if ledger.original(a).id == ledger.original(b).id
    }
    recall, precision = Row("copies found"), Row("pairs called copies that are")
    for pair in sorted(true, key=sorted):
        recall.add(pair in found, " ".join(sorted(pair)))
    for pair in sorted(found, key=sorted):
        precision.add(pair in true, " ".join(sorted(pair)))
    yield from (recall, precision)


def _anchors(reports: Sequence[Report], proposed: dict[str, list[Proposal]]) -> Row:
    """Follow each anchor into the text set anew: other quotes, dashes and spaces, another frame around it."""
    row = Row("anchors after frame, quotes, spaces change")
    swaps = str.maketrans({'"': "“", "'": "’", "“": '"', "”": '"', "’": "'", "—": "-", "–": "-"})
    for r in reports:
        blocks = [Block("Subscribe to our newsletter"), *r.extract.blocks]
        blocks = [Block(b.text.translate(swaps).replace(" ", "\u00a0 "), b.hint, b.main) for b in blocks]
        again = text_of(Extract("text", "1", tuple(blocks)), r.text.source, "")
        for p in proposed[r.text.source]:
            found = follow(p.anchor, again.paragraphs)
            right = found.anchor is not None and found.anchor.span_hash == p.anchor.span_hash
            row.add(right, p.key)
    return row
