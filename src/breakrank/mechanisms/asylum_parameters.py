"""The parameters of papers, the asylum queue and permits."""

from __future__ import annotations

from breakrank.engine.codes import EV_FILED, EV_GRANTED, EV_PERMIT, EV_REFUSED_ASYLUM, EV_STATUS_LOST
from breakrank.outputs import Measure, MeasureSource, daily, level, stock
from breakrank.spec import Parameter, switch

DOUBLE = Parameter(
    "asylum.double_nationals", "probability", 0, 1, 0.047,
    "chance that a soldier who registers is a national of the host as well and needs no asylum",
    scope="national",
)  # fmt: skip
FIRST = Parameter(
    "asylum.first_days", "days", 0, 3650, 75,
    "days a request rests before anyone takes it up: interviews, security checks",
    scope="national",
)  # fmt: skip
EFFORT = Parameter(
    "asylum.effort", "caseworker days", 0.01, 365, 4,
    "mean work of one decision",
    "Erlang 1917", scope="national",
)  # fmt: skip
RECOGNISED = Parameter(
    "asylum.recognised", "probability", 0, 1, 0.5,
    "chance that a decision grants asylum",
    scope="national",
)  # fmt: skip
PAPER = Parameter(
    "asylum.paper_days", "days", 1, 3650, 30,
    "days for which a safe-conduct is valid",
    scope="national",
)  # fmt: skip
RENEWED = Parameter(
    "asylum.renewed", "probability", 0, 1, 0.95,
    "chance that a safe-conduct is renewed in time",
    scope="national",
)  # fmt: skip
UPTAKE = Parameter(
    "asylum.uptake", "per day", 0, 1, 0.05,
    "daily chance to take up an offered permit, claims for asylum lapsing",
    scope="national",
)  # fmt: skip

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
