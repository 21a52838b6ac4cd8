"""The evidence behind a result, as rows for a report; observations are numbered for links to name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.show.tables import plain
from breakrank.show.words import exact, span, when
from breakrank.wording import HEDGES, listed

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

    def behind(self, ids: Iterable[str] | None, assumed: str | None) -> str:
        """Return what something rests on: what is assumed of it and why, and who says the rest."""
        said = "; ".join(dict.fromkeys(ref.said for ref in self.refs(ids)))
        if said and not assumed:
            return said
        why = " ".join((assumed or "no source").split())
        return f"in part assumed: {why.rstrip('.')}. On record: {said}" if said else f"assumed: {why}"

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

    def observation_rows(self) -> list[dict[str, str]]:
        """Return a row for each observation, those of a source together: who says what, when and where."""
        rows = []
        for ident, observations in self._by_source.items():
            source = self.case.ledger.sources[ident]
            about = [source.kind, f"reliability {source.reliability}"]
            if source.copy_of is not None and source.copy_of in self.case.ledger.sources:
                about.append(f"a copy of {self.case.ledger.sources[source.copy_of].publisher}")
            about += [source.notes] if source.notes else []
            named = f"{source.publisher}, {when(source.date)}: {source.title} ({'; '.join(about)})"
            rows += [{"source": named} | self._said(o) for o in observations]
        return rows

    def parameter_rows(self) -> list[dict[str, str]]:
        """Return a row for each parameter of the case, grouped by the mechanism that reads it."""
        groups: dict[str, list[dict[str, str]]] = {}
        for name, p in self.case.parameters.items():
            group = plain(name.split(".")[0])
            row = {
                "group": group,
                "name": name,
                "about": p.about or "",
                "refs": numbers(self.refs(p.evidence)),
            }
            row |= {"assumed": p.assumed or "", "value": exact(p.value), "unit": p.unit}
            groups.setdefault(group, []).append(row | {"range": span(p.low, p.high)})
        return [row for rows in groups.values() for row in rows]

    def _brief(self, observation: Observation) -> str:
        source = self.case.ledger.sources[observation.source]
        says = "" if observation.says == source.publisher else f"{observation.says}, in "
        return f"{says}{source.publisher}, {when(source.date)}{_paragraph(observation.paragraph)}"

    def _said(self, o: Observation) -> dict[str, str]:
        figure = o.text or ""
        if o.value is not None:
            figure = f"{HEDGES.get(o.bound or '', '')}{exact(o.value)} {o.unit or ''}".strip()
        elif o.range is not None:
            figure = f"{span(*o.range)} {o.unit or ''}".strip()
        return {
            "number": str(self._refs[o.id].number),
            "what": o.what,
            "figure": figure,
            "says": o.says,
            "paragraph": _paragraph(o.paragraph).removeprefix(", "),
            "date": when(o.date),
            "place": o.place or "",
            "confidence": o.confidence,
            "bears_on": listed([SUBSYSTEMS[k] for k in o.bears_on if k in SUBSYSTEMS]),
            "conflicts": numbers(self.refs(o.conflicts)),
        }


def numbers(refs: Iterable[Ref]) -> str:
    """Return the numbers of observations, as a table names them."""
    return " ".join(str(ref.number) for ref in refs)
