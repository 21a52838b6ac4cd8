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

from breakrank.results.labels import (
    AIMS,
    CURRENCY,
    FATES,
    IN_CARE,
    LEAKED,
    OUTCOMES,
    PLOT_ENDS,
    PLOT_SIZES,
    STANCES,
    STAYS,
    YES_OR_NO,
)

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.spec import Field

__all__ = [
    "AIMS",
    "CURRENCY",
    "FATES",
    "IN_CARE",
    "LEAKED",
    "OUTCOMES",
    "PLOT_ENDS",
    "PLOT_SIZES",
    "STANCES",
    "STAYS",
    "VARIABLES",
    "YES_OR_NO",
    "Aggregation",
    "Variable",
    "coordinates",
    "days",
    "field_variable",
]

Aggregation = Literal["sum", "last", "mean"]


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


def _stock(name: str, label: str, unit: str, *dims: str) -> Variable:
    return Variable(name, ("run", "day", *dims), "int32", label, unit, "last")


def _level(name: str, label: str, unit: str) -> Variable:
    return Variable(name, ("run", "day"), "float32", label, unit, "mean")


def _money(name: str, label: str) -> Variable:
    return Variable(name, ("run", "day", "payer"), "float32", label, f"{CURRENCY} per day", "sum")


def _command(name: str, dtype: str, label: str, unit: str) -> Variable:
    return Variable(name, ("run", "branch", "region"), dtype, label, unit, "last")


def _at_end(name: str, label: str, dim: str) -> Variable:
    return Variable(name, ("run", "fate", dim), "int32", label, "soldiers", "last")


_RECEPTION = (
    _counts("arrived_soldiers", "Crossed to the host"),
    _voice("arrived_relatives", "Relatives who came along", "relatives"),
    _voice("arrived_children", "Children who came along", "children"),
    _stock("desk_waiting", "Waiting to be registered", "soldiers"),
    _stock("stay_soldiers", "Where soldiers at the host are at dusk", "soldiers", "stay"),
    _stock("stay_relatives", "Where their relatives are at dusk", "relatives", "stay"),
    _stock("site_soldiers", "Soldiers in sites at dusk", "soldiers", "site"),
    _stock("site_relatives", "Relatives in sites at dusk", "relatives", "site"),
    _stock("site_children", "Children in sites at dusk", "children", "site"),
    _stock("programme_soldiers", "Soldiers in the host's programme at dusk", "soldiers"),
    _stock("programme_relatives", "Their relatives in it", "relatives"),
    _stock("families", "Households with relatives in the host's care", "families"),
    _voice("meals", "Meals", "meals"),
    _money("cost", "Cost of the sites, by payer"),
    _money("unpaid", "Cost not covered by funds, by payer"),
    _voice("asylum_filed", "Asked for asylum", "requests"),
    _voice("asylum_granted", "Asylum granted", "decisions"),
    _voice("asylum_refused", "Asylum refused", "decisions"),
    _voice("permits", "Permits granted", "permits"),
    _voice("status_lost", "Lost their status"),
    _stock("files_open", "Asylum files open", "files"),
    _level("files_age", "Mean age of the open asylum files", "days"),
    _level("files_wait", "Mean time from request to decision, of the day's decisions", "days"),
    _voice("moved_on", "Moved on"),
    _voice("settled", "Settled and work"),
    _voice("went_back", "Went back"),
    _voice("put_out", "Put out of a site"),
    _voice("relocated", "Moved elsewhere by the authorities"),
    _voice("took_offer", "Left a site for an offer"),
    _voice("expelled", "Expelled by the host"),
    _voice("wrongly_suspected", "Wrongly held or expelled as infiltrators"),
    _voice("infiltrators_sent", "Infiltrators sent"),
    _voice("infiltrators_found", "Infiltrators found"),
    _voice("enlisted", "Enlisted abroad"),
    _voice("stood_down", "Stood down by the host"),
    _voice("ran_to_border", "Ran to the border"),
    _voice("disarmed", "Handed in a weapon"),
    _voice("word_sent", "Word sent home", "messages"),
    _level("morale", "Morale of those in the host's care", "fraction"),
    _level("tension", "Tension with the town", "tension"),
    _level("word_public", "Treatment abroad as publicly expected", "fraction"),
)

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
    _stock("political_prisoners", "Soldiers held for what they think, plot or rise for, at dusk", "soldiers"),
    _stock("held_for_leaving", "Soldiers held for leaving, at dusk", "soldiers"),
    Variable("watch", ("run", "day"), "float32", "Surveillance in force", "fraction", "mean"),
    Variable("command", ("run", "day", "stance"), "int32", "High command by stance", "positions", "last"),
    *_RECEPTION,
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
        "stay": tuple(STAYS),
        "site": tuple(s.id for s in case.sites),
        "payer": tuple(p.id for p in getattr(case, "payers", ())),
    }


def days(case: Case) -> np.ndarray[tuple[int], np.dtype[np.datetime64]]:
    """Return the case's days, datetime64[ns], first to last inclusive."""
    start = np.datetime64(case.calendar.start, "D")
    return (start + np.arange(case.calendar.days)).astype("datetime64[ns]")
