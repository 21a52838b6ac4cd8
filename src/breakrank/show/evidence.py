"""The evidence behind a result, as rows for a report; observations are numbered for links to name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.show.tables import plain
from breakrank.show.words import exact, span, when
from breakrank.wording import HEDGES

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_evidence import Observation

SUBSYSTEMS: Mapping[int, str] = {
    1: "the force",
    2: "grievance",
    3: "fear",
    4: "private preference and belief",
    5: "counter-intelligence",
    6: "the decision to leave",
    7: "routes",
    8: "plots",
    9: "uprisings",
    10: "the high command",
    11: "the regime",
    12: "the challenger and the outside world",
    13: "reception and asylum",
    14: "exile and feedback",
}
"""What an observation bears on, by number."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A link to one observation: its number, and in words who says so and where."""

    number: int
    said: str


@dataclass(frozen=True, slots=True)
class Voice:
    """Who says something, and where; copies of one report and the same speaker are one voice."""

    said: str
    refs: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """One observation, ready to be read."""

    ref: Ref
    says: str
    what: str
    figure: str
    date: str
    place: str
    paragraph: str
    confidence: str
    bears_on: tuple[int, ...]
    conflicts: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One source with its observations."""

    publisher: str
    title: str
    date: str
    about: str
    said: tuple[SourceStatement, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """One parameter as the case gives it."""

    name: str
    value: str
    unit: str
    range: str
    refs: tuple[Ref, ...]
    assumed: str
    about: str


def _paragraph(named: object) -> str:
    """Return the place in a source: a paragraph by number, or a part by name."""
    text = str(named)
    return f", paragraph {text}" if text[:1].isdigit() else f", \u201c{text}\u201d" if text else ""


class Evidence:
    """The ledger of a case with its observations numbered, sources in the order of the ledger."""

    def __init__(self, case: Case) -> None:
        self.case = case
        by_source: dict[str, list[Observation]] = {s: [] for s in case.ledger.sources}
        for observation in case.ledger.observations.values():
            by_source.setdefault(observation.source, []).append(observation)
        order = [o for group in by_source.values() for o in group]
        self._by_source = by_source
        self._refs = {o.id: Ref(n, self._brief(o)) for n, o in enumerate(order, 1)}

    def refs(self, ids: Iterable[str] | None) -> tuple[Ref, ...]:
        """Return links to observations; ids that the ledger lacks are left out."""
        return tuple(self._refs[i] for i in ids or () if i in self._refs)

    def voices(self, ids: Iterable[str] | None) -> tuple[Voice, ...]:
        """Return the speakers of an observation, in words, with links to each statement."""
        ledger = self.case.ledger
        found: dict[tuple[str, str], list[Ref]] = {}
        for ident in ids or ():
            if ident in self._refs:
                one = ledger.observations[ident]
                key = (ledger.original(one.source).id, one.says)
                found.setdefault(key, []).append(self._refs[ident])
        return tuple(Voice(refs[0].said, tuple(refs)) for refs in found.values())

    def source_entries(self) -> list[SourceEntry]:
        """Return every source with what it says."""
        found = []
        for ident, observations in self._by_source.items():
            source = self.case.ledger.sources[ident]
            about = [source.kind, f"reliability {source.reliability}"]
            if source.copy_of is not None and source.copy_of in self.case.ledger.sources:
                about.append(f"a copy of {self.case.ledger.sources[source.copy_of].publisher}")
            about += [source.notes] if source.notes else []
            said = tuple(self._said(o) for o in observations)
            found.append(
                SourceEntry(source.publisher, source.title, when(source.date), "; ".join(about), said)
            )
        return found

    def parameters(self) -> list[tuple[str, list[Given]]]:
        """Return the parameters of the case, grouped by the mechanism that reads them."""
        groups: dict[str, list[Given]] = {}
        for name, p in self.case.parameters.items():
            given = Given(
                name=name,
                value=exact(p.value),
                unit=p.unit,
                range=span(p.low, p.high),
                refs=self.refs(p.evidence),
                assumed=p.assumed or "",
                about=p.about or "",
            )
            groups.setdefault(name.split(".")[0], []).append(given)
        return [(plain(group), given) for group, given in groups.items()]

    def _brief(self, observation: Observation) -> str:
        source = self.case.ledger.sources[observation.source]
        says = "" if observation.says == source.publisher else f"{observation.says}, in "
        return f"{says}{source.publisher}, {when(source.date)}{_paragraph(observation.paragraph)}"

    def _said(self, o: Observation) -> SourceStatement:
        figure = o.text or ""
        if o.value is not None:
            figure = f"{HEDGES.get(o.bound or '', '')}{exact(o.value)} {o.unit or ''}".strip()
        elif o.range is not None:
            figure = f"{span(*o.range)} {o.unit or ''}".strip()
        return SourceStatement(
            ref=self._refs[o.id],
            says=o.says,
            what=o.what,
            figure=figure,
            date=when(o.date),
            place=o.place or "",
            paragraph=_paragraph(o.paragraph).removeprefix(", "),
            confidence=o.confidence,
            bears_on=tuple(o.bears_on),
            conflicts=self.refs(o.conflicts),
        )
