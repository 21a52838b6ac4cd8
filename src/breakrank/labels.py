"""The labels along the dimensions of a result, one table each: ids in order, with the names readers see."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "quiet_desertion": "Quiet desertion",
        "registered_exit": "Registered exit",
        "open_defection": "Open defection",
        "resigned": "Resigned",
    }
)
"""The kinds of leaving, exclusive (Hirschman 1970 on exit and voice; Albrecht and Ohl 2016 on armies)."""

FATES: Mapping[str, str] = MappingProxyType(
    {
        "serving": "Serving",
        "travelling": "On the way out",
        "hiding": "Hiding in the country",
        "abroad": "Abroad, unregistered",
        "registered": "Registered abroad",
        "declared": "Declared for the challenger",
        "embassy": "Inside an embassy",
        "detained": "Detained",
        "imprisoned": "Imprisoned",
        "dead": "Dead",
        "discharged": "Out of the force: purged, or set free from prison",
        "resigned": "Out of the force, in the open: resigned, refused or dismissed",
    }
)
"""Where every soldier stands at dusk, exclusive; over all fates they add up to the strength."""

AIMS: Mapping[str, str] = MappingProxyType({"cross": "Cross with comrades", "rise": "Rise"})
"""What a plot is for (Hirschman 1970: exit and voice)."""

PLOT_ENDS: Mapping[str, str] = MappingProxyType(
    {
        "broken": "Broken by arrests",
        "scattered": "Scattered after a warning",
        "dissolved": "Dissolved",
        "launched": "Launched",
        "alive": "Alive at the end",
    }
)
"""How plots end, exclusive; over all ends they add up to the plots founded."""

LEAKED = ("broken", "scattered")
"""The ends of plots that were found out."""

PLOT_SIZES: Mapping[str, str] = MappingProxyType(
    {
        "1": "The founder alone",
        "2-3": "2 to 3",
        "4-7": "4 to 7",
        "8-15": "8 to 15",
        "16-31": "16 to 31",
        "32-63": "32 to 63",
        "64+": "64 or more",
    }
)
"""The most members a plot ever had, the founder counted and those who merely pledged not."""

STANCES: Mapping[str, str] = MappingProxyType({"loyal": "Loyal", "pledged": "Pledged"})
"""Where those stand who hold a position of the high command."""


STAYS: Mapping[str, str] = MappingProxyType(
    {
        "site": "In a site",
        "private": "In private homes",
        "street": "On the street",
        "settled": "Settled, working",
        "kin": "Moved on to kin",
        "elsewhere": "Moved on elsewhere",
        "expelled": "Expelled",
        "back": "Returned",
    }
)
"""Where those who crossed to the host are at dusk, exclusive; over all they add up to the arrivals."""

IN_CARE = ("site", "private", "street")
"""The stays of those who need shelter, whether they have it or not."""

KINDS: Mapping[str, str] = MappingProxyType(
    dict(OUTCOMES)
    | {
        "registered_exit": "Exit (presented themselves abroad)",
        "open_defection": "Open defection (and declared)",
    }
)
"""The kinds of leaving."""

WHERE: Mapping[str, str] = MappingProxyType(
    dict(FATES)
    | {
        "registered": "Abroad, presented themselves",
        "abroad": "Abroad, presented to nobody",
        "declared": "Abroad, declared for the challenger",
        "opposition": "With an opposition at home",
        "prisoner": "Prisoner of an opposition at home",
        "reserve": "In reserve, not called up",
    }
)
"""The fates, those of mechanisms included that only some cases name."""
