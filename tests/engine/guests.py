"""The log of the reception, replayed by hand: where everybody is who came over to the host, and how."""

from collections.abc import Mapping
from dataclasses import dataclass

from breakrank.case import Case
from tests.engine.worlds import Row

IN_TOWN = ("nowhere", "site", "town", "settled")
AFTER: Mapping[str, str] = {
    "lodged": "site",
    "found no place": "town",
    "evicted from a site": "nowhere",
    "left a site for an offer": "town",
    "moved elsewhere by the authorities": "elsewhere",
    "expelled by the host": "expelled",
    "settled and works": "settled",
    "went back": "back",
}
"""Where a household is afterwards; a private home and the street are both in town."""
OUT = ("evicted from a site", "left a site for an offer", "moved elsewhere by the authorities")
"""Events that befall those at a site, and say which."""
SIZED = ("lodged", "found no place", *OUT)
"""Events that say how many a household are."""
LATE = ("moved elsewhere by the authorities", "moved on", "went back")
"""What happens after the day's files are closed."""
PAPERS = (
    "asked for asylum",
    "granted asylum",
    "refused asylum",
    "got a permit",
    "enlisted abroad",
    "stood down by the host",
    "ran to the border",
    "sent back by the host",
)
FROM: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((*AFTER, *LATE, *PAPERS), IN_TOWN),
    **dict.fromkeys(OUT, ("site",)),
    "sent word home": IN_TOWN,
}
"""Where a guest can be when something befalls him."""
SPIES = {*SIZED, "expelled by the host"}
"""What can befall an infiltrator among the guests."""


@dataclass
class Guest:
    """A household as the log tells of it; ``size`` 0 as long as no row has said how many they are."""

    stay: str = "nowhere"
    site: int = -1
    size: int = 0
    spy: bool = False
    registered: bool = False
    filed: int = -1
    open: bool = False
    permit: bool = False


class Town:
    """Who came over and where he is, row by row; ``counts`` is of today."""

    def __init__(self, case: Case) -> None:
        self.guests: dict[int, Guest] = {}
        self.states, self.crossings = len(case.force.states), list(case.crossings)
        places = dict.fromkeys((*(c.id for c in case.crossings), *(s.id for s in case.sites)))
        self.site_at = {list(places).index(s.id): k for k, s in enumerate(case.sites)}
        self.inside = [0] * len(self.crossings)
        self.counts: dict[str, int] = {}

    def count(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def live(self, today: list[Row]) -> list[int]:
        """Let the rows of a day befall everybody; return the days on which the files still open were made."""
        self.counts = {}
        for k, row in enumerate(today):
            if row[2] in ("crossed", "entered an embassy"):
                self.cross(row, today[k + 1 : k + 2])
            elif row[2] not in LATE:
                self.tell(row)
        for guest in self.guests.values():
            guest.open &= guest.stay in IN_TOWN and not guest.permit
        for row in today:
            if row[2] in LATE:
                self.tell(row)
        for guest in self.guests.values():
            if guest.stay == "nowhere":
                guest.stay = "town"  # neither lodged nor without a place: in a private home
        return [guest.filed for guest in self.guests.values() if guest.open]

    def cross(self, row: Row, following: list[Row]) -> None:
        """Take in who crosses to the host and does not slip away; count those inside embassies."""
        _, who, event, place, _, _ = row
        way = place - self.states
        if event == "entered an embassy":
            self.inside[way] += 1
            return
        self.inside[way] -= self.crossings[way].kind == "embassy"
        slips = [r[1:3] for r in following] == [(who, "slipped abroad unregistered")]
        if self.crossings[way].host and not slips:
            self.guests[who] = Guest()
            self.count("arrived")

    def tell(self, row: Row) -> None:
        """Let a row befall a guest, asserting that it can."""
        day, who, event, place, _, value = row
        if event == "sent across as an infiltrator":
            self.guests[who] = Guest(spy=True)
            self.count("arrived")
        elif event == "registered" and who in self.guests:
            self.guests[who].registered |= self.guests[who].stay in IN_TOWN
        if event not in FROM:
            return
        guest = self.guests[who]
        assert guest.stay in FROM[event], (row, guest)
        assert not guest.spy or event in SPIES, row
        site = self.site_at.get(place - self.states, -1)
        if event in SIZED:
            assert value == guest.size or not guest.size, (row, "a family is split")
            assert event not in OUT or site == guest.site, (row, guest)
            guest.size = int(value)
        if event == "expelled by the host":
            self.expel(row, guest)
        self.decide(day, event, guest)
        kin = "kin" if value == 0 else "elsewhere"
        guest.stay = kin if event == "moved on" else AFTER.get(event, guest.stay)
        guest.site = site if event == "lodged" else guest.site if guest.stay == "site" else -1

    def expel(self, row: Row, guest: Guest) -> None:
        """Count who is found or wrongly suspected, and expelled for it."""
        assert row[5] in ((1,) if guest.spy else (0, 2)), row
        self.count("infiltrators_found" if guest.spy else "wrongly_suspected")
        self.count("expelled")

    def decide(self, day: int, event: str, guest: Guest) -> None:
        """Open a file, or end it."""
        if event == "asked for asylum":
            assert guest.filed < 0, "he asks once"
            guest.filed, guest.open = day, True
        elif event in ("granted asylum", "refused asylum"):
            assert guest.open, "nothing is decided twice, or for those gone"
            guest.open = False
            self.count("decided")
        elif event == "got a permit":
            guest.permit = True
