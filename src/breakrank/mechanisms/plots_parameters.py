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
from breakrank.spec import Field, parameter, switch

HABIT_CROSSING = parameter("plots.habit_crossing")
HABIT_RISING = parameter("plots.habit_rising")
HABIT_JOIN = parameter("plots.habit_join")
STANDING = parameter("plots.standing")
COMMAND = parameter("plots.command")
CONTACT = parameter("plots.contact")
NEARNESS = parameter("plots.nearness")
CALL = parameter("plots.call")
BACKING = parameter("plots.backing")
COMMITMENT = parameter("plots.commitment")
PLEDGE_EASE = parameter("plots.pledge_ease")
HUNTED = parameter("plots.hunted")
APPROACHES = parameter("plots.approaches")
CELL = parameter("plots.cell")
OLD_SCHOOL = parameter("plots.old_school")
DISCERNMENT = parameter("plots.discernment")
PLEDGES = parameter("plots.pledges")
ABOVE = parameter("plots.above")
PLEDGE_WORTH = parameter("plots.pledge_worth")
PATIENCE = parameter("plots.patience")
SIZE = parameter("plots.wanted")
SIZE_CROSSING = parameter("plots.wanted_crossing")
SPREAD = parameter("plots.wanted_spread")
WAIT_SIGNAL = parameter("plots.wait_signal")
WAIT_DATE = parameter("plots.wait_date")
READY = parameter("plots.ready")
FROM_START = parameter("plots.from_start")

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
    daily("pledged", "Pledges given to a plot", EV_PLEDGED, unit="pledges", measure="pledges"),
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
