"""The parameters of papers, the asylum queue and permits."""

from __future__ import annotations

from breakrank.engine.codes import EV_FILED, EV_GRANTED, EV_PERMIT, EV_REFUSED_ASYLUM, EV_STATUS_LOST
from breakrank.outputs import Measure, MeasureSource, daily, level, stock
from breakrank.spec import parameter, switch

DOUBLE = parameter("asylum.double_nationals")
FIRST = parameter("asylum.first_days")
EFFORT = parameter("asylum.effort")
RECOGNISED = parameter("asylum.recognised")
PAPER = parameter("asylum.paper_days")
RENEWED = parameter("asylum.renewed")
UPTAKE = parameter("asylum.uptake")

ASYLUM_PARAMETERS = (
    switch("asylum", "the host issues papers, decides on asylum and grants permits"),
    DOUBLE,
    FIRST,
    EFFORT,
    RECOGNISED,
    PAPER,
    RENEWED,
    UPTAKE,
)


OUTPUTS = (
    daily("asylum_filed", "Asked for asylum", EV_FILED, unit="requests"),
    daily("asylum_granted", "Asylum granted", EV_GRANTED, unit="decisions"),
    daily("asylum_refused", "Asylum refused", EV_REFUSED_ASYLUM, unit="decisions"),
    daily("permits", "Permits granted", EV_PERMIT, unit="permits"),
    daily("status_lost", "Lost their status", EV_STATUS_LOST),
    stock("files_open", "Asylum files open", "files"),
    level("files_age", "Mean age of the open asylum files", "days"),
    level("files_wait", "Mean time from request to decision, of the day's decisions", "days"),
)
"""What it hands back, day by day."""
MEASURES = (
    Measure(
        "asylum_decided",
        "Asylum decisions",
        "decisions",
        "total",
        {"": MeasureSource("asylum_granted", also=("asylum_refused",))},
        primary=11,
    ),
)
"""What can be asked of that beyond each output by itself."""
