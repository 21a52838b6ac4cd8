"""The parameters of plots."""

from __future__ import annotations

from breakrank.engine.codes import (
    BY_AIM,
    EV_APPROACHED_SOMEONE,
    EV_DECLINED,
    EV_FOUNDED,
    EV_JOINED,
    EV_LAUNCHED,
    EV_PLEDGED,
)
from breakrank.labels import LEAKED
from breakrank.outputs import Measure, MeasureSource, Output, daily, stock
from breakrank.spec import Field, Parameter, switch


def _utility(name: str, high: float, typical: float, about: str, theory: str = "") -> Parameter:
    return Parameter(f"plots.{name}", "utility", 0, high, typical, about, theory)


def _chance(name: str, typical: float, about: str) -> Parameter:
    return Parameter(f"plots.{name}", "probability", 0, 1, typical, about, scope="national")


HABIT_CROSSING = _utility(
    "habit_crossing",
    40,
    13.0,
    "how rarely anyone without cause, fear or ties plans to lead others out: log-odds against it",
)
HABIT_RISING = _utility(
    "habit_rising",
    40,
    11.0,
    "how rarely anyone without cause, fear or ties plans a rising: log-odds against it",
    "Singh 2014",
)
HABIT_JOIN = _utility(
    "habit_join",
    40,
    1.0,
    "how rarely one who is asked, without cause, fear or ties, joins: log-odds against it",
    "McAdam 1986",
)
STANDING = Parameter(
    "plots.standing", "utility per tier", 0, 10, 0.5,
    "by how much each tier of rank makes a plan thinkable",
    "Singh 2014",
)  # fmt: skip
COMMAND = _utility(
    "command", 20, 1.5, "by how much commanding a full unit makes a plan thinkable", "Singh 2014"
)
CONTACT = _utility("contact", 20, 1.0, "what dealings with the challenger's side are worth to a planner")
NEARNESS = Parameter(
    "plots.nearness", "utility per day", 0, 10, 1.0,
    "what each day of road to the seat of power weighs against planning a rising",
)  # fmt: skip
CALL = _utility("call", 20, 2.0, "weight of a public call to rise (0 to 1)", "Casper and Tyson 2014")
BACKING = _utility("backing", 20, 1.0, "weight of pledges from commanders and from above, for who is asked")
COMMITMENT = _utility("commitment", 20, 4.0, "what a member's word weighs when the plot sets out")
PLEDGE_EASE = _utility("pledge_ease", 20, 1.5, "how much easier it is to promise than to join")
HUNTED = _utility("hunted", 30, 8.0, "weight of knowing that one is about to be taken")
APPROACHES = Parameter(
    "plots.approaches", "per member and year", 0, 365, 6,
    "approaches that a member with room in his cell makes",
)  # fmt: skip
CELL = Parameter(
    "plots.cell",
    "persons",
    1,
    100,
    3,
    "a cell: most people one member recruits, and fewest with whom a plot goes unless someone of rank "
    "backs it",
    "Erickson 1981; Singh 2014",
)
OLD_SCHOOL = _chance("old_school", 0.5, "chance that a recruiter for a rising looks for a classmate first")
DISCERNMENT = _chance("discernment", 0.8, "chance that a recruiter tells the loyal among his friends")
PLEDGES = Parameter(
    "plots.pledges", "per year", 0, 365, 4, "pledges that a plot to rise seeks from unit commanders"
)
ABOVE = Parameter(
    "plots.above", "per year", 0, 365, 1.0,
    "promises from the high command that a plot to rise under an officer seeks",
)  # fmt: skip
PLEDGE_WORTH = Parameter(
    "plots.pledge_worth", "persons", 0, 1000, 4,
    "members that a commander's pledge counts for in a plot's strength",
)  # fmt: skip
PATIENCE = Parameter("plots.patience", "days", 1, 3650, 90, "mean time after which a plot loses heart")
SIZE = Parameter("plots.wanted", "persons", 1, 10000, 8, "median strength that a plot wants before it rises")
SIZE_CROSSING = Parameter(
    "plots.wanted_crossing", "persons", 1, 10000, 5, "median strength that a plot wants before it sets out"
)
SPREAD = Parameter("plots.wanted_spread", "log units", 0, 3, 0.8, "spread of that strength between plots")
WAIT_SIGNAL = _chance("wait_signal", 0.5, "share of plots to rise that wait for a public call")
WAIT_DATE = _chance("wait_date", 0.2, "share of plots that set themselves a date")
READY = Parameter(
    "plots.ready", "fraction", 0, 1, 0.5,
    "part of the strength it wants with which a plot goes on a call or on its date",
)  # fmt: skip
FROM_START = Parameter(
    "plots.from_start", "per 100,000 soldiers", 0, 10000, 10,
    "plots to rise already under way on the first day",
    scope="national",
)  # fmt: skip

PARAMETERS = (
    switch("plots", "soldiers found plots, recruit and launch them"),
    HABIT_CROSSING,
    HABIT_RISING,
    HABIT_JOIN,
    STANDING,
    COMMAND,
    CONTACT,
    NEARNESS,
    CALL,
    BACKING,
    COMMITMENT,
    PLEDGE_EASE,
    HUNTED,
    APPROACHES,
    CELL,
    OLD_SCHOOL,
    DISCERNMENT,
    PLEDGES,
    ABOVE,
    PLEDGE_WORTH,
    PATIENCE,
    SIZE,
    SIZE_CROSSING,
    SPREAD,
    WAIT_SIGNAL,
    WAIT_DATE,
    READY,
    FROM_START,
)

CALLED = Field("call", "fraction", 0, 1, "strength of a public call to rise", (), 0.0)
"""The field that plots which wait for a call, the high command and the exiles hear."""


def _plots(ident: str, label: str, *ends: str, primary: int = 0) -> Measure:
    source = MeasureSource("plot_ends", {"plot_end": ends} if ends else {})
    whole = source if ends else MeasureSource("founded")
    return Measure(ident, label, "plots", "total", {"": whole, "aim": source}, primary=primary)


OUTPUTS = (
    daily("founded", "Plots founded", EV_FOUNDED, unit="plots", measure=None),
    daily("approached", "Approached for a plot", EV_APPROACHED_SOMEONE, unit="approaches"),
    daily("joined", "Joined a plot", EV_JOINED),
    daily("declined", "Declined to join a plot", EV_DECLINED),
    daily("pledged", "Pledges given to a plot", EV_PLEDGED, unit="pledges", measure="pledges", primary=7),
    daily("launched_crossing", "Crossings with comrades launched", EV_LAUNCHED, unit="plots", below=BY_AIM),
    stock("plots", "Plots alive at dusk", "plots", by=("aim",)),
    stock("plotters", "Members of plots", by=("aim",)),
    Output(
        "plot_ends",
        ("run", "plot_end", "plot_size", "aim"),
        "int32",
        "Plots by end, size and aim",
        "plots",
        "sum",
    ),
)
"""What it hands back, day by day."""
MEASURES = (
    _plots("plots_founded", "Plots founded"),
    _plots("plots_leaked", "Plots found out: broken or scattered", *LEAKED),
    _plots("plots_launched", "Plots launched", "launched", primary=6),
)
"""What can be asked of that beyond each output by itself."""
