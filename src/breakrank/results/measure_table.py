"""The table of measures: which variable answers each, and which by rank, branch, way out or aim of a plot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from breakrank.errors import UsageError, nearest
from breakrank.results.variables import FATES, LEAKED, VARIABLES, YES_OR_NO


@dataclass(frozen=True, slots=True)
class Source:
    """The variable that answers a measure, and the labels at which it is read."""

    variable: str
    at: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes
    ----------
    id, label, unit : what it is called and counted in.
    kind : ``"total"`` adds daily counts from a first day to the date, ``"level"`` reads the date,
        ``"share"`` is the total of another measure over the strength, ``"ratio"`` compares two rates,
        ``"caught"`` adds those taken and those who surrendered after risings.
    sources : the variable to read, by the dimension asked for ("" for none).
    """

    id: str
    label: str
    unit: str
    kind: Literal["total", "level", "share", "ratio", "caught"]
    sources: Mapping[str, Source]


def _leaving(outcome: str) -> dict[str, Source]:
    at = {"outcome": outcome}
    return {
        "": Source("exits_rank", at),
        "rank": Source("exits_rank", at),
        "branch": Source("exits_branch", at),
    }


_CROSSED = {
    "": Source("exits_route"),
    "route": Source("exits_route"),
    "rank": Source("crossed_rank"),
    "branch": Source("crossed_branch"),
}
_REGISTERED = {
    "": Source("registered"),
    "rank": Source("registered_rank"),
    "branch": Source("registered_branch"),
}
_DAILY = (
    "arrested",
    "released",
    "captured",
    "shot",
    "died_in_custody",
    "reprisals",
    "shocks",
    "confided",
    "reported",
)


def _daily(name: str) -> Measure:
    return Measure(name, VARIABLES[name].label, "soldiers", "total", {"": Source(name)})


def _counted(ident: str, name: str) -> Measure:
    variable = VARIABLES[name]
    return Measure(ident, variable.label, variable.unit.removesuffix(" per day"), "total", {"": Source(name)})


def _plots(ident: str, label: str, *ends: str) -> Measure:
    source = Source("plot_ends", {"plot_end": ends} if ends else {})
    return Measure(ident, label, "plots", "total", {"": source if ends else Source("founded"), "aim": source})


def _level_of(name: str) -> Measure:
    return Measure(name, VARIABLES[name].label, VARIABLES[name].unit, "level", {"": Source(name)})


def _fate(fate: str) -> Measure:
    at = {"fate": fate}
    sources = {"": Source("fates", at), "rank": Source("fate_rank", at), "branch": Source("fate_branch", at)}
    return Measure(fate, FATES[fate], "soldiers", "level", sources)


_TABLE = (
    Measure("registered", "Registered at the host", "soldiers", "total", _REGISTERED),
    Measure("left_abroad", "Crossed out of the country", "soldiers", "total", _CROSSED),
    Measure("share_left", "Share of the force that crossed out of the country", "share", "share", _CROSSED),
    Measure(
        "registered_exit", "Presented themselves abroad", "soldiers", "total", _leaving("registered_exit")
    ),
    Measure("quiet_desertion", "Deserted quietly", "soldiers", "total", _leaving("quiet_desertion")),
    Measure("open_defection", "Declared for the challenger", "soldiers", "total", _leaving("open_defection")),
    *(_daily(name) for name in _DAILY),
    *(_level_of(name) for name in ("opposed", "belief")),
    Measure("rate_ratio", "Speed of leaving after the date over before", "ratio", "ratio", _CROSSED),
    *(_fate(fate) for fate in FATES if fate != "registered"),
    _plots("plots_founded", "Plots founded"),
    _plots("plots_leaked", "Plots found out: broken or scattered", *LEAKED),
    _plots("plots_launched", "Plots launched", "launched"),
    Measure(
        "plotters",
        "Members of plots",
        "soldiers",
        "level",
        {"": Source("plotters"), "aim": Source("plotters")},
    ),
    _counted("pledges", "pledged"),
    _counted("reneged", "reneged"),
    _counted("risings", "risings"),
    _counted("risings_won", "won"),
    _counted("rising_size", "rising_size"),
    Measure(
        "rising_arrested",
        "Taken or surrendered after a rising",
        "soldiers",
        "caught",
        {"": Source("surrendered")},
    ),
    Measure("regime_holds", "Regime still in place", YES_OR_NO, "level", {"": Source("regime_holds")}),
)

MEASURES: Mapping[str, Measure] = MappingProxyType({m.id: m for m in _TABLE})
"""Every measure a case's targets may name, by id."""


def find(name: str) -> Measure:
    """Return the measure of that id, or raise :class:`UsageError` naming the nearest."""
    if name not in MEASURES:
        raise UsageError(f"no measure {name!r}{nearest(name, MEASURES)} (known: {', '.join(MEASURES)})")
    return MEASURES[name]
