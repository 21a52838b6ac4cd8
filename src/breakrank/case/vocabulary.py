"""What a target can count: the ids of the measures, their units, and by what each can be told apart.

How each is computed is the business of :mod:`breakrank.results.measures`; a test keeps the two alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Countable(NamedTuple):
    """The unit of a measure, and the dimensions by which it can be counted (one at a time)."""

    unit: str
    dims: tuple[str, ...]


_WHO = ("rank", "branch")
_WAY = ("rank", "branch", "route")
_TOTALS = (
    "arrested",
    "released",
    "captured",
    "shot",
    "died_in_custody",
    "reprisals",
    "shocks",
    "confided",
    "reported",
    "discharged",
)
_FATES = (
    "serving", "travelling", "hiding", "abroad", "declared", "embassy", "detained", "imprisoned", "dead",
)  # fmt: skip

_GUESTS = (
    "arrived", "arrived_soldiers", "status_lost", "moved_on", "settled", "went_back", "put_out", "relocated",
    "took_offer", "expelled", "wrongly_suspected", "infiltrators_sent", "infiltrators_found", "enlisted",
    "stood_down", "ran_to_border", "disarmed",
)  # fmt: skip
_COUNTED = {
    "arrived_relatives": "relatives",
    "arrived_children": "children",
    "meals": "meals",
    "asylum_filed": "requests",
    "asylum_granted": "decisions",
    "asylum_refused": "decisions",
    "asylum_decided": "decisions",
    "permits": "permits",
    "word_sent": "messages",
    "relatives_ratio": "ratio",
    "files_open": "files",
    "cost": "currency",
    "unpaid": "currency",
    "cost_per_day": "currency per day",
    "morale": "fraction",
    "tension": "tension",
    "word_public": "fraction",
}

MEASURES: Mapping[str, Countable] = MappingProxyType(
    {
        "registered": Countable("soldiers", _WHO),
        "left_abroad": Countable("soldiers", _WAY),
        "share_left": Countable("share", _WAY),
        "registered_exit": Countable("soldiers", _WHO),
        "quiet_desertion": Countable("soldiers", _WHO),
        "open_defection": Countable("soldiers", _WHO),
        **{name: Countable("soldiers", ()) for name in _TOTALS},
        "opposed": Countable("share", ()),
        "belief": Countable("share", ()),
        "rate_ratio": Countable("ratio", _WAY),
        **{name: Countable("soldiers", _WHO) for name in _FATES},
        **{name: Countable("plots", ()) for name in ("plots_founded", "plots_leaked", "plots_launched")},
        "plotters": Countable("soldiers", ()),
        "political_prisoners": Countable("soldiers", ()),
        "held_for_leaving": Countable("soldiers", ()),
        "pledges": Countable("pledges", ()),
        "reneged": Countable("pledges", ()),
        "risings": Countable("risings", ()),
        "risings_won": Countable("risings", ()),
        "rising_size": Countable("soldiers", ()),
        "rising_arrested": Countable("soldiers", ()),
        "regime_holds": Countable("1 or 0", ()),
        **{name: Countable("soldiers", ()) for name in _GUESTS},
        **{name: Countable(unit, ()) for name, unit in _COUNTED.items()},
        "in_sites": Countable("soldiers", ("site",)),
        "persons_in_sites": Countable("persons", ("site",)),
        "in_programme": Countable("soldiers", ()),
        "persons_in_programme": Countable("persons", ()),
    }
)
"""Every measure that a target can name, by id."""
