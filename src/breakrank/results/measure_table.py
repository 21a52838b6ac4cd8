"""The table of measures: which variable answers each, and which by rank, branch, way out, site or payer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from breakrank.errors import UsageError, nearest
from breakrank.results.variables import CURRENCY, FATES, LEAKED, VARIABLES, YES_OR_NO


@dataclass(frozen=True, slots=True)
class MeasureSource:
    """The variable that answers a measure, the labels at which it is read, and variables added to it."""

    variable: str
    at: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    also: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that are added up."""
        return (self.variable, *self.also)


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes
    ----------
    id, label, unit : what it is called and counted in.
    kind : ``"total"`` adds daily counts from a first day to the date, ``"level"`` reads the date,
        ``"share"`` is the total of another measure over the strength, ``"ratio"`` compares two rates,
        ``"quotient"`` is one total over another, ``"caught"`` adds those taken and those who surrendered
        after risings.
    sources : the variable to read, by the dimension asked for ("" for none).
    over : the variable whose total a quotient divides by.
    """

    id: str
    label: str
    unit: str
    kind: Literal["total", "level", "share", "ratio", "quotient", "caught"]
    sources: Mapping[str, MeasureSource]
    over: str = ""


def _leaving(outcome: str) -> dict[str, MeasureSource]:
    at = {"outcome": outcome}
    return {
        "": MeasureSource("exits_rank", at),
        "rank": MeasureSource("exits_rank", at),
        "branch": MeasureSource("exits_branch", at),
    }


_CROSSED = {
    "": MeasureSource("exits_route"),
    "route": MeasureSource("exits_route"),
    "rank": MeasureSource("crossed_rank"),
    "branch": MeasureSource("crossed_branch"),
}
_REGISTERED = {
    "": MeasureSource("registered"),
    "rank": MeasureSource("registered_rank"),
    "branch": MeasureSource("registered_branch"),
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
    "discharged",
)


def _daily(name: str) -> Measure:
    return Measure(name, VARIABLES[name].label, "soldiers", "total", {"": MeasureSource(name)})


def _counted(ident: str, name: str) -> Measure:
    variable = VARIABLES[name]
    return Measure(
        ident, variable.label, variable.unit.removesuffix(" per day"), "total", {"": MeasureSource(name)}
    )


def _plots(ident: str, label: str, *ends: str) -> Measure:
    source = MeasureSource("plot_ends", {"plot_end": ends} if ends else {})
    return Measure(
        ident, label, "plots", "total", {"": source if ends else MeasureSource("founded"), "aim": source}
    )


def _level_of(name: str) -> Measure:
    return Measure(name, VARIABLES[name].label, VARIABLES[name].unit, "level", {"": MeasureSource(name)})


def _fate(fate: str) -> Measure:
    at = {"fate": fate}
    sources = {
        "": MeasureSource("fates", at),
        "rank": MeasureSource("fate_rank", at),
        "branch": MeasureSource("fate_branch", at),
    }
    return Measure(fate, FATES[fate], "soldiers", "level", sources)


_GUESTS = (
    "arrived_soldiers",
    "arrived_relatives",
    "arrived_children",
    "meals",
    "asylum_filed",
    "asylum_granted",
    "asylum_refused",
    "permits",
    "status_lost",
    "moved_on",
    "settled",
    "went_back",
    "put_out",
    "relocated",
    "took_offer",
    "expelled",
    "wrongly_suspected",
    "infiltrators_sent",
    "infiltrators_found",
    "enlisted",
    "stood_down",
    "ran_to_border",
    "disarmed",
    "word_sent",
)
_LODGED = {"stay": "site"}


def _by_payer(name: str) -> dict[str, MeasureSource]:
    return {"": MeasureSource(name), "payer": MeasureSource(name)}


_RECEPTION = (
    *(_counted(name, name) for name in _GUESTS),
    Measure("arrived", "Arrived at the host", "soldiers", "total", {"": MeasureSource("arrived_soldiers")}),
    Measure(
        "relatives_ratio",
        "Relatives who came along, per soldier",
        "ratio",
        "quotient",
        {"": MeasureSource("arrived_relatives")},
        over="arrived_soldiers",
    ),
    Measure(
        "in_sites",
        "Soldiers in sites",
        "soldiers",
        "level",
        {"": MeasureSource("stay_soldiers", _LODGED), "site": MeasureSource("site_soldiers")},
    ),
    Measure(
        "persons_in_sites",
        "Persons in sites",
        "persons",
        "level",
        {
            "": MeasureSource("stay_soldiers", _LODGED, ("stay_relatives",)),
            "site": MeasureSource("site_soldiers", also=("site_relatives",)),
        },
    ),
    Measure(
        "in_programme",
        "Soldiers in the host's programme",
        "soldiers",
        "level",
        {"": MeasureSource("programme_soldiers")},
    ),
    Measure(
        "persons_in_programme",
        "Persons in the host's programme",
        "persons",
        "level",
        {"": MeasureSource("programme_soldiers", also=("programme_relatives",))},
    ),
    Measure(
        "asylum_decided",
        "Asylum decisions",
        "decisions",
        "total",
        {"": MeasureSource("asylum_granted", also=("asylum_refused",))},
    ),
    Measure("cost", "Cost of the sites", CURRENCY, "total", _by_payer("cost")),
    Measure("unpaid", "Cost not covered by funds", CURRENCY, "total", _by_payer("unpaid")),
    Measure("cost_per_day", "Cost of the sites per day", f"{CURRENCY} per day", "level", _by_payer("cost")),
    *(_level_of(name) for name in ("files_open", "morale", "tension", "word_public")),
)

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
    *(_fate(fate) for fate in FATES if fate not in ("registered", "discharged")),
    _plots("plots_founded", "Plots founded"),
    _plots("plots_leaked", "Plots found out: broken or scattered", *LEAKED),
    _plots("plots_launched", "Plots launched", "launched"),
    Measure(
        "plotters",
        "Members of plots",
        "soldiers",
        "level",
        {"": MeasureSource("plotters"), "aim": MeasureSource("plotters")},
    ),
    Measure(
        "political_prisoners",
        "Soldiers held as political prisoners",
        "soldiers",
        "level",
        {"": MeasureSource("political_prisoners")},
    ),
    Measure(
        "held_for_leaving",
        "Soldiers held for leaving",
        "soldiers",
        "level",
        {"": MeasureSource("held_for_leaving")},
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
        {"": MeasureSource("surrendered")},
    ),
    Measure("regime_holds", "Regime still in place", YES_OR_NO, "level", {"": MeasureSource("regime_holds")}),
    *_RECEPTION,
)

MEASURES: Mapping[str, Measure] = MappingProxyType({m.id: m for m in _TABLE})
"""Every measure a case's targets may name, by id."""


def find(name: str) -> Measure:
    """Return the measure of that id, or raise :class:`UsageError` naming the nearest."""
    if name not in MEASURES:
        raise UsageError(f"no measure {name!r}{nearest(name, MEASURES)} (known: {', '.join(MEASURES)})")
    return MEASURES[name]
