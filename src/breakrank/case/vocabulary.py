"""What a target can count: the ids of the measures, and by what each can be told apart.

How each is computed is the business of :mod:`breakrank.results.measures`; a test keeps the two alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_WHO = ("rank", "branch")
_WAY = ("rank", "branch", "route")

MEASURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "registered": _WHO,
        "left_abroad": _WAY,
        "share_left": _WAY,
        "quiet_desertion": _WHO,
        "open_defection": _WHO,
        "arrested": (),
        "shot": (),
        "opposed": (),
        "belief": (),
        "rate_ratio": _WAY,
        "serving": _WHO,
        "hiding": _WHO,
        "embassy": _WHO,
        "detained": _WHO,
        "imprisoned": _WHO,
        "dead": _WHO,
    }
)
"""Id of each measure, with the dimensions by which it can be counted."""
