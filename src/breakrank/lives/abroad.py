"""Life abroad in words: how someone was received, their papers, their hopes; one clause for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from breakrank.engine import codes
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case, Site

WORKDAY: Final = 8.0
"""Hours out a day from which a site leaves time to work, as in :mod:`breakrank.mechanisms.exile`."""

_SEVERAL, _ONE, _BEFORE = (
    frozenset(words.split())
    for words in (
        "barracks boats containers flats homes hostels hotels houses huts paths rooms schools shelters tents "
        "tracks trails",
        "bridge camp canal coast crossing desert embassy ferry forest ford gate gym hall highway hill hostel "
        "hotel house lake monastery mountain pass passage path railway river road route school sea shelter "
        "station strait tent track trail tunnel",
        "church church-run eastern empty first former fourth guest lower main military new northern old "
        "parish private reception rented second southern temporary third transit upper western youth",
    )
)
"""Common words of labels: for several things, for one, and what stands before either."""


def in_words(label: str, known: bool = False) -> str:
    """Return the label of a route or a site as it stands within a sentence.

    What begins with a common word loses its capital, and what is one of a kind, or was spoken of before
    (`known`), gets its article. Names stay.

    Examples
    --------
    >>> in_words("Hotel in Aldea"), in_words("Rented rooms"), in_words("Camp Bravo")
    ('the hotel in Aldea', 'rented rooms', 'Camp Bravo')
    >>> in_words("Rented rooms", known=True)
    'the rented rooms'
    >>> in_words("Rio Seco bridge (north)"), in_words("Trails beside the bridge")
    ('the Rio Seco bridge (north)', 'trails beside the bridge')
    """
    words = label.split()
    named = len(words) == 2 and words[1][:1].isupper()
    if words[0].lower() in _SEVERAL | _ONE | _BEFORE and not named:
        several = not known and any(word.lower() in _SEVERAL for word in words[:2])
        return ("" if several else "the ") + label[:1].lower() + label[1:]
    kind = label.partition("(")[0].partition(",")[0].split()[-1:]
    return f"the {label}" if kind and kind[0] in _SEVERAL | _ONE else label


def shut_off(site: Site) -> bool:
    """Return whether the rules of a site leave no work: none inside, and not out for a workday."""
    return not site.rules.work and site.rules.hours_out < WORKDAY


SOME_TIME: Final = 14
"""Days at sites from which a life says how many there were."""
LITTLE_HOPE: Final = 0.35
HALF_HOPE: Final = 0.6
"""Morale (0 to 1) below which someone has little hope left, or half of it."""

_LODGING: Final = (
    codes.EV_LODGED,
    codes.EV_NO_PLACE,
    codes.EV_PUT_OUT,
    codes.EV_TOOK_OFFER,
    codes.EV_RELOCATED,
)
_GOING: Final = (codes.EV_MOVED_ON, codes.EV_SETTLED, codes.EV_WENT_BACK)
_PLAIN: Final = {
    codes.EV_PERMIT: "they were given a permit to stay and work",
    codes.EV_ENLISTED: "they signed up with the challenger to take up arms",
    codes.EV_STOOD_DOWN: "they were stood down, since the host would not let exiles take up arms",
    codes.EV_FILED: "they asked for asylum",
}
CODES: Final = frozenset(
    (
        *_LODGING,
        *_GOING,
        *_PLAIN,
        codes.EV_EXPELLED,
        codes.EV_SENT,
        codes.EV_GRANTED,
        codes.EV_REFUSED_ASYLUM,
        codes.EV_RAN,
        codes.EV_SENT_BACK,
    )
)
"""The events that have their clause here."""
_WENT_BACK: Final = (
    "they went back over the border unnoticed and hid",
    "they went back over the border and were caught",
    "they went back over the border to fight and were taken",
)


class Abroad:
    """One soldier's life abroad, read from the log row by row, each row in words.

    What a row says depends on those before it.

    Attributes
    ----------
    infiltrator : whether the services have sent them.
    site, since : where they live, ``None`` if at no site, and the day from which they do.
    stays, spent : sites at which they have lived, and days at them before this one.
    relatives, introduced : how many came along, and whether that has been said.
    elsewhere : where they live at no site, as for :meth:`where`.
    last : the last day of each event.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.infiltrator = False
        self.site: Site | None = None
        self.since = 0
        self.spent = 0
        self.stays = 0
        self.relatives = 0
        self.introduced = False
        self.elsewhere = ""
        self.last: dict[int, int] = {}

    def where(self) -> str:
        """Return where they live after the rows so far, e.g. ``"lived in rented rooms"``; "" if unknown."""
        return self.elsewhere if self.site is None else f"lived in {in_words(self.site.label, known=True)}"

    def clause(self, event: int, day: int, place: int, value: float) -> str:
        """Return a row in words and go on from there; `place` counts through crossings, then sites."""
        if event in _LODGING:
            self.relatives = max(0, int(value) - 1)
            text = self._lodging(event, day, place)
        elif event in _GOING:
            text = self._gone(event, day, value)
        elif event == codes.EV_EXPELLED:
            text = self._expelled(day, value)
        elif event in (codes.EV_GRANTED, codes.EV_REFUSED_ASYLUM):
            waited = day - self.last.get(codes.EV_FILED, day)
            later = f", {counted(waited, 'day')} after they had asked for it" if waited > 0 else ""
            text = f"they were {'granted' if event == codes.EV_GRANTED else 'refused'} asylum{later}"
        elif event == codes.EV_RAN:
            wait = self._waited(day, value)
            text = f"they heard of an uprising at home and{wait} ran to the border to join it"
        elif event == codes.EV_SENT_BACK:
            to = f" to {in_words(self.site.label, known=True)}" if self.site is not None else ""
            text = f"they were sent back{to} by the host"
        elif event == codes.EV_SENT:
            self.infiltrator = True
            to = (
                f"to {self.case.crossings[place].country}"
                if 0 <= place < len(self.case.crossings)
                else "abroad"
            )
            text = f"they were sent {to} by the services to inform on those who had left"
        else:
            text = _PLAIN[event]
        self.last[event] = day
        return text

    def registered(self, by_host: bool) -> str:
        """Return how they were registered."""
        did = "passed for one of them" if self.infiltrator else "presented themselves"
        return f"they {did} and were registered {'by the host' if by_host else 'abroad'}"

    def _lodging(self, event: int, day: int, place: int) -> str:
        site = self._site(place)
        named = "a shelter" if site is None else in_words(site.label, known=event != codes.EV_LODGED)
        moved, since = self.site is not None, self.since
        self._leave(day)
        if event == codes.EV_LODGED:
            self.site, self.since, self.stays = site, day, self.stays + 1
            if site is not None and site.kind == "private":
                return f"they moved into {named}{self._company()}"
            return f"they were {'moved to' if moved else 'given a place in'} {named}{self._company()}"
        if event == codes.EV_NO_PLACE:
            return f"they were left on the street{self._company()} for want of room"
        if event == codes.EV_RELOCATED:
            self.elsewhere = "lived where the authorities had moved them"
            return f"they were moved by the authorities{self._family()} from {named} to another place"
        self.elsewhere = "lived in a private home"
        if event == codes.EV_TOOK_OFFER:
            return f"they took the sum offered to those who would go and left {named}{self._family()}"
        return self._put_out(site, named, day, day - since if moved else 0)

    def _put_out(self, site: Site | None, whence: str, day: int, stayed: int) -> str:
        if site is not None and site.closes is not None and self.case.calendar.date(day) > site.closes:
            return f"they had to leave {whence}, which closed"
        if site is not None and site.stay_limit is not None and stayed >= site.stay_limit:
            return f"they had to leave {whence}, since their time there was up"
        # Whoever may not stay has to go on the day after.
        if self._lately(day, codes.EV_ENLISTED):
            return f"they were evicted from {whence}, which kept nobody who meant to fight"
        if self._lately(day, codes.EV_REFUSED_ASYLUM):
            return f"they were evicted from {whence}, which kept nobody who was refused asylum"
        return f"they were evicted from {whence}"

    def _gone(self, event: int, day: int, value: float) -> str:
        lived = ""
        if self.site is not None and day > self.since:
            stayed = counted(day - self.since, "day")
            lived = f" left {in_words(self.site.label, known=True)} after {stayed} and"
        self._leave(day)
        if event == codes.EV_WENT_BACK:
            return _WENT_BACK[min(max(0, int(value)), len(_WENT_BACK) - 1)]
        if event == codes.EV_SETTLED:
            self.elsewhere = "had work and a home there"
            whose = "themselves and their family" if self.relatives else "themselves"
            return f"they{lived} found work and a home for {whose}"
        to_kin = value < 1
        self.elsewhere = "lived with kin" if to_kin else "lived in another place"
        to = "to kin abroad" if to_kin else "elsewhere, without kin to go to"
        return f"they{lived} moved on{self._family()} {to}"

    def _expelled(self, day: int, value: float) -> str:
        self._leave(day)
        self.infiltrator = False
        if value >= 1:
            return "they were found out as an infiltrator, expelled by the host, and went back"
        return "they were expelled by the host as an infiltrator, though they were not one"

    def _waited(self, day: int, morale: float) -> str:
        """Return how long they had waited where, and what hope was left, as an insertion or ""."""
        days = self.spent + (day - self.since if self.site is not None else 0)
        said = []
        if self.site is not None and days >= SOME_TIME:
            where = in_words(self.site.label, known=True) if self.stays == 1 else "shelters"
            idle = " without leave to work" if shut_off(self.site) else ""
            said.append(f"after {counted(days, 'day')} in {where}{idle}")
        if morale < HALF_HOPE:
            said.append("with little hope left" if morale < LITTLE_HOPE else "with half of their hope gone")
        return f", {', '.join(said)}," if said else ""

    def _leave(self, day: int) -> None:
        if self.site is not None:
            self.spent += day - self.since
        self.site, self.elsewhere = None, ""

    def _company(self) -> str:
        """Return with whom they came, the first time that it matters; they stay together from then on."""
        if self.introduced or not self.relatives:
            return ""
        self.introduced = True
        return " with a relative" if self.relatives == 1 else f" with {self.relatives} relatives"

    def _family(self) -> str:
        return " with their family" if self.relatives else ""

    def _lately(self, day: int, *events: int) -> bool:
        return any(0 <= day - self.last.get(event, -9) <= 1 for event in events)

    def _site(self, place: int) -> Site | None:
        at = place - len(self.case.crossings)
        return self.case.sites[at] if 0 <= at < len(self.case.sites) else None
