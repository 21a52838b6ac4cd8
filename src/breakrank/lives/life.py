"""One soldier's year as data: who he was, his moments of decision, what happened, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from breakrank.lives.happening import Happening
from breakrank.lives.moment import LivedMoment
from breakrank.lives.soldier import Soldier

if TYPE_CHECKING:
    import datetime as dt

ENDED: Final = {
    "serving": "he still served",
    "travelling": "he was on his way",
    "hiding": "he was in hiding",
    "abroad": "he was abroad, unregistered",
    "registered": "he was registered abroad",
    "declared": "he stood with the challenger, abroad",
    "embassy": "he was inside an embassy",
    "detained": "he was detained",
    "imprisoned": "he was in prison",
    "dead": "he was dead",
    "discharged": "he was out of the force",
    "opposition": "he was with an opposition inside the country",
    "prisoner": "he was a prisoner of an opposition inside the country",
    "reserve": "he was in reserve, not called up",
}
_ABROAD: Final = ("abroad", "registered", "declared")


@dataclass(frozen=True)
class Life:
    """The data of a :class:`~breakrank.lives.trace.Trace`, which names its attributes."""

    case: str
    seed: int
    run: int
    soldier: Soldier
    first: dt.date
    last: dt.date
    moments: tuple[LivedMoment, ...]
    events: tuple[Happening, ...]
    fate: str
    opposed: bool
    where: str = ""

    @property
    def over(self) -> bool:
        """Whether his service ended with something that happened to him: death, a discharge."""
        return self.fate in ("dead", "discharged")

    def end(self) -> str:
        """Return how it ended, as a clause."""
        ended = ENDED.get(self.fate) or f"it ended so: {self.fate.replace('_', ' ')}"
        if self.fate == "serving":
            return f"{ended}, {'privately opposed' if self.opposed else 'and was not opposed in private'}"
        return f"{ended}, and {self.where}" if self.where and self.fate in _ABROAD else ended
