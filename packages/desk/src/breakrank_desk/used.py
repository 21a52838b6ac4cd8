"""What somebody who codes chose last, so that it is offered again."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Used:
    """The last choices of somebody who codes, the newest first, and the last in each paragraph."""

    dates: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    here: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def add(self, date: str, says: str, place: str | None, source: str, paragraph: object) -> None:
        """Remember an accepted entry of a paragraph of a source."""
        self.here[source, str(paragraph)] = (date, says)
        for part, new in ((self.dates, date), (self.says, says), (self.places, place)):
            if new:
                if new in part:
                    part.remove(new)
                part.insert(0, new)
                del part[5:]
