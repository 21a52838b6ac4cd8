"""Ways out and sites as they stand in a sentence, and what a site's rules leave those who stay there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from breakrank.case import Site

WORKDAY: Final = 8.0
"""Hours out a day from which a site leaves time to work, as in :mod:`breakrank.mechanisms.exile`."""

_SEVERAL: Final = frozenset(
    {
        "barracks",
        "boats",
        "containers",
        "flats",
        "homes",
        "hostels",
        "hotels",
        "houses",
        "huts",
        "paths",
        "rooms",
    }
    | {"schools", "shelters", "tents", "tracks", "trails"}
)
_ONE: Final = frozenset(
    {"bridge", "camp", "canal", "coast", "crossing", "desert", "embassy", "ferry", "forest", "ford", "gate"}
    | {"gym", "hall", "highway", "hill", "hostel", "hotel", "house", "lake", "monastery", "mountain", "pass"}
    | {
        "passage",
        "path",
        "railway",
        "river",
        "road",
        "route",
        "school",
        "sea",
        "shelter",
        "station",
        "strait",
    }
    | {"tent", "track", "trail", "tunnel"}
)
_BEFORE: Final = frozenset(
    {
        "church",
        "church-run",
        "empty",
        "first",
        "former",
        "fourth",
        "guest",
        "lower",
        "main",
        "military",
        "new",
    }
    | {"northern", "eastern", "old", "parish", "private", "reception", "rented", "second", "southern"}
    | {"temporary", "third", "transit", "upper", "western", "youth"}
)


def in_words(label: str, known: bool = False) -> str:
    """Return the label of a way out or a site as it stands within a sentence.

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
