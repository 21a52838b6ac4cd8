"""All texts and observations of a desk looked at together, without changing anything."""

from __future__ import annotations

from breakrank_desk.anchors import Followed, follow
from breakrank_desk.context import Context
from breakrank_desk.library import Library
from breakrank_desk.quantities import Agreement, Conflict, Quantity, agreement, conflicts, quantities
from breakrank_desk.store import LINKS, DeskStore
from breakrank_desk.syndication import Link, links


class Overview:
    """What belongs together, what contradicts, and what became of anchors."""

    context: Context
    store: DeskStore
    library: Library
    by: str

    def reopen(self) -> None:
        """Read the case's files anew."""
        self.context = Context.open(self.context.folder)
        self.library.context = self.context

    def links(self) -> list[Link]:
        """Return how the texts at hand belong together."""
        return links(self.library.texts())

    def judged(self) -> dict[tuple[str, str], str]:
        """Return the verdicts that a human gave, by the fuller and the shorter text."""
        return {tuple(map(str, e["pair"])): str(e["verdict"]) for e in self.store.entries(LINKS)}  # type: ignore[misc]

    def folded(self) -> dict[str, tuple[str, ...]]:
        """Return, for each copy, the paragraphs in which it says what its fuller version does not."""
        judged = self.judged()
        found = (x for x in self.links() if judged.get((x.fuller, x.shorter)) != "separate")
        return {x.shorter: x.only for x in found if x.verdict in ("copy", "version")}

    def quantities(self) -> tuple[Quantity, ...]:
        """Return the named quantities."""
        return quantities(self.store)

    def agreement(self) -> list[Agreement]:
        """Return, for each quantity, how many parents agree."""
        return [agreement(q, self.context.ledger) for q in self.quantities()]

    def conflicts(self) -> list[Conflict]:
        """Return pairs of observations of one quantity that cannot both be so."""
        return [c for q in self.quantities() for c in conflicts(q, self.context.ledger)]

    def anchors(self) -> dict[str, Followed]:
        """Return what became of each anchor whose text is at hand."""
        return {
            o: follow(a, self.library.text(a.source).paragraphs)
            for o, a in self.store.anchors().items()
            if self.library.at_hand(a.source)
        }
