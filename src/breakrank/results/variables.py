"""The one table of result variables: name, dimensions, type, label, unit and how it adds up over days.

Everything that builds, stores, draws or summarises a result reads this table; nothing is inferred
from a variable's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.spec import Field

Aggregation = Literal["sum", "last", "mean"]

OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "quiet_desertion": "Quiet desertion",
        "registered_exit": "Registered exit",
        "open_defection": "Open defection",
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
        "discharged": "Discharged in a purge",
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

STANCES: Mapping[str, str] = MappingProxyType(
    {"loyal": "Loyal", "hedging": "Hedging", "pledged": "Pledged to a plot", "defected": "Defected"}
)
"""Where those stand who hold a position of the high command."""


YES_OR_NO = "1 or 0"
"""Unit of what a run answers with yes (1) or no (0); over runs it is told as a share of them."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of a result.

    Attributes
    ----------
    name : its name in ``result.data``.
    dims : dimensions in order; ``run`` and ``day`` first where it has them.
    dtype : NumPy type name.
    label : what a chart's axis says.
    unit : unit of the values.
    aggregation : how days combine: ``"sum"`` (daily counts), ``"last"`` (stocks) or ``"mean"`` (levels).
    """

    name: str
    dims: tuple[str, ...]
    dtype: str
    label: str
    unit: str
    aggregation: Aggregation

    @property
    def attrs(self) -> dict[str, str]:
        """Attributes written beside the values."""
        return {"label": self.label, "unit": self.unit, "aggregation": self.aggregation}


def _counts(name: str, label: str, *dims: str) -> Variable:
    return Variable(name, ("run", "day", *dims), "int32", label, "soldiers per day", "sum")


def _voice(name: str, label: str, unit: str = "soldiers") -> Variable:
    return Variable(name, ("run", "day"), "int32", label, f"{unit} per day", "sum")


def _command(name: str, dtype: str, label: str, unit: str) -> Variable:
    return Variable(name, ("run", "branch", "region"), dtype, label, unit, "last")


def _at_end(name: str, label: str, dim: str) -> Variable:
    return Variable(name, ("run", "fate", dim), "int32", label, "soldiers", "last")


_TABLE = (
    _counts("exits_rank", "Leaving, by kind and rank", "outcome", "rank"),
    _counts("exits_branch", "Leaving, by kind and branch", "outcome", "branch"),
    _counts("exits_state", "Leaving, by state of the post", "state"),
    _counts("exits_route", "Out of the country, by way", "route"),
    _counts("crossed_rank", "Out of the country, by rank", "rank"),
    _counts("crossed_branch", "Out of the country, by branch", "branch"),
    Variable("fates", ("run", "day", "fate"), "int32", "Where soldiers stand at dusk", "soldiers", "last"),
    _at_end("fate_rank", "Fate on the last day, by rank", "rank"),
    _at_end("fate_branch", "Fate on the last day, by branch", "branch"),
    _counts("registered", "Registered at the host"),
    _counts("registered_rank", "Registered at the host, by rank", "rank"),
    _counts("registered_branch", "Registered at the host, by branch", "branch"),
    _counts("left_abroad", "Crossed out of the country"),
    _counts("arrested", "Arrested"),
    _counts("released", "Released by a patron"),
    _counts("captured", "Captured on the way or in hiding"),
    _counts("shot", "Shot"),
    _counts("died_in_custody", "Died in custody"),
    _counts("reprisals", "Reprisals on relatives"),
    _counts("shocks", "Family shocks"),
    _counts("confided", "Confided in a comrade"),
    _counts("reported", "Reported by someone"),
    Variable("opposed", ("run", "day"), "float32", "Privately opposed among those serving", "share", "mean"),
    Variable("belief", ("run", "day"), "float32", "Comrades believed opposed", "share", "mean"),
    _voice("founded", "Plots founded", "plots"),
    _voice("approached", "Approached for a plot", "approaches"),
    _voice("joined", "Joined a plot"),
    _voice("declined", "Declined to join a plot"),
    _voice("pledged", "Pledges given to a plot", "pledges"),
    _voice("tapped", "Overheard by a tap"),
    _voice("named", "Named under interrogation"),
    _voice("warned", "Warned of a leak"),
    _voice("reneged", "Pledges not kept", "pledges"),
    _voice("refused", "Units that refused to march against a rising", "units"),
    _voice("rose", "Units that rose", "units"),
    _voice("followed", "Followed their commander into a rising"),
    _voice("taken", "Taken on the spot after a rising"),
    _voice("surrendered", "Surrendered after a rising"),
    _voice("discharged", "Discharged in a purge"),
    _voice("launched_crossing", "Crossings with comrades launched", "plots"),
    _voice("risings", "Risings", "risings"),
    _voice("collapsed", "Risings that collapsed", "risings"),
    _voice("stalemates", "Risings that held out, then ended", "risings"),
    _voice("won", "Risings that succeeded", "risings"),
    _voice("fell", "Regime fell", "falls"),
    _voice("rising_size", "Took part in a rising"),
    Variable("plots", ("run", "day", "aim"), "int32", "Plots alive at dusk", "plots", "last"),
    Variable("plotters", ("run", "day", "aim"), "int32", "Members of plots at dusk", "soldiers", "last"),
    Variable(
        "plot_ends",
        ("run", "plot_end", "plot_size", "aim"),
        "int32",
        "Plots by end, size and aim",
        "plots",
        "sum",
    ),
    Variable("regime_holds", ("run", "day"), "int32", "Regime still in place", YES_OR_NO, "last"),
    Variable("watch", ("run", "day"), "float32", "Surveillance in force", "fraction", "mean"),
    Variable("command", ("run", "day", "stance"), "int32", "High command by stance", "positions", "last"),
    _command("strength_region", "int32", "Strength at the start, by branch and region", "soldiers"),
    _command("gone_region", "int32", "No longer serving at the end, by branch and region", "soldiers"),
    _command("plotted_region", "int32", "Ever in a plot, by branch and region", "soldiers"),
    _command("opposed_region", "float32", "Privately opposed among those serving at the end", "share"),
    Variable("moments", ("run",), "int64", "Moments of decision evaluated", "moments", "sum"),
)

VARIABLES: Mapping[str, Variable] = MappingProxyType({v.name: v for v in _TABLE})
"""Every variable a run may hand back, by name. A run need not fill all of them."""


def field_variable(field: Field) -> Variable:
    """Return the variable under which a dated field of the case stands in a result."""
    label = field.name.replace("_", " ").capitalize()
    return Variable(f"field_{field.name}", ("day", *field.dims), "float32", label, field.unit, "mean")


def coordinates(case: Case) -> dict[str, tuple[str, ...]]:
    """Return the ids along every labelled dimension (not run and day), for this case."""
    return {
        "outcome": tuple(OUTCOMES),
        "fate": tuple(FATES),
        "rank": tuple(r.id for r in case.force.ranks),
        "branch": tuple(b.id for b in case.force.branches),
        "state": tuple(s.id for s in case.force.states),
        "route": tuple(c.id for c in case.crossings),
        "region": tuple(r.id for r in case.force.regions),
        "aim": tuple(AIMS),
        "plot_end": tuple(PLOT_ENDS),
        "plot_size": tuple(PLOT_SIZES),
        "stance": tuple(STANCES),
    }


def days(case: Case) -> np.ndarray[tuple[int], np.dtype[np.datetime64]]:
    """Return the case's days, datetime64[ns], first to last inclusive."""
    start = np.datetime64(case.calendar.start, "D")
    return (start + np.arange(case.calendar.days)).astype("datetime64[ns]")


def places(case: Case) -> tuple[str, ...]:
    """Return the ids that an event's place counts through: states, crossings, then sites (each id once)."""
    return tuple(
        dict.fromkeys(
            (
                *(s.id for s in case.force.states),
                *(c.id for c in case.crossings),
                *(s.id for s in case.sites),
            )
        )
    )
