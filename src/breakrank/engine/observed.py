"""What the engine itself counts, whatever the mechanisms: leaving, the register, where everyone stands."""

from __future__ import annotations

from dataclasses import replace

from breakrank.engine.codes import (
    EV_CROSSED,
    EV_DECLARED,
    EV_DESERTED,
    EV_FELL,
    EV_LEFT,
    EV_REFUSED_ORDER,
    EV_REGISTERED,
    EV_RESIGNED,
    EV_SLIPPED,
    EV_WENT_OVER,
)
from breakrank.labels import FATES, OUTCOMES
from breakrank.outputs import YES_OR_NO, LogRows, Measure, MeasureSource, Output, at_end, daily, stock

_SOME = 1e-30
"""Values from here on are above 0."""
EXITS = (
    LogRows(EV_DESERTED, at=0),
    LogRows(EV_SLIPPED, low=_SOME, at=0),
    LogRows(EV_REGISTERED, alone=True, at=1),
    LogRows(EV_DECLARED, at=2),
    LogRows(EV_RESIGNED, at=3),
    LogRows(EV_REFUSED_ORDER, at=3),
)
"""What completes a quiet desertion, a registered exit, an open defection, a resignation."""
POSTS = (
    LogRows(EV_DESERTED, low=0.0),
    LogRows(EV_LEFT, low=0.0),
    LogRows(EV_WENT_OVER, low=_SOME),
    LogRows(EV_RESIGNED),
    LogRows(EV_REFUSED_ORDER),
)
"""Leaving a post: alone, or with the unit that holds it."""
REGISTERED = LogRows(EV_REGISTERED, low=_SOME)

OUTPUTS = (
    daily("exits_rank", "Leaving, by kind and rank", *EXITS, by=("outcome", "rank"), measure=None),
    daily("exits_branch", "Leaving, by kind and branch", *EXITS, by=("outcome", "branch"), measure=None),
    daily("exits_state", "Leaving, by state of the post", *POSTS, by=("state",), measure=None),
    daily("exits_route", "Out of the country, by way", EV_CROSSED, by=("route",), measure=None),
    daily("crossed_rank", "Out of the country, by rank", EV_CROSSED, by=("rank",), measure=None),
    daily("crossed_branch", "Out of the country, by branch", EV_CROSSED, by=("branch",), measure=None),
    stock("fates", "Where soldiers stand at dusk", by=("fate",), measure=None),
    at_end("fate_rank", "Fate on the last day, by rank", "soldiers", "fate", "rank"),
    at_end("fate_branch", "Fate on the last day, by branch", "soldiers", "fate", "branch"),
    daily("registered", "Registered at the host", REGISTERED, measure=None),
    daily("registered_rank", "Registered at the host, by rank", REGISTERED, by=("rank",), measure=None),
    daily("registered_branch", "Registered at the host, by branch", REGISTERED, by=("branch",), measure=None),
    daily("left_abroad", "Crossed out of the country", EV_CROSSED, measure=None),
    daily("fell", "Regime fell", EV_FELL, unit="falls"),
    stock("regime_holds", "Regime still in place", YES_OR_NO, primary=9),
    Output(
        "decision_opportunities",
        ("run",),
        "int64",
        "Decision opportunities evaluated",
        "opportunities",
        "sum",
    ),
)
"""What it hands back, day by day."""

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
_LEAVING = {
    "registered_exit": "Presented themselves abroad",
    "quiet_desertion": "Deserted quietly",
    "open_defection": "Declared for the challenger",
    "resigned": "Resigned or refused an order, at home",
}
_PRIMARY = {"quiet_desertion": 3, "open_defection": 4}


def _left(name: str, label: str, outcome: str | tuple[str, ...], primary: int = 0) -> Measure:
    at = {"outcome": outcome}
    rank, branch = MeasureSource("exits_rank", at), MeasureSource("exits_branch", at)
    kinds = (outcome,) if isinstance(outcome, str) else outcome
    rows = tuple(replace(r, at=0) for r in EXITS if tuple(OUTCOMES)[r.at] in kinds)
    sources = {"": rank, "rank": rank, "branch": branch}
    return Measure(name, label, "soldiers", "total", sources, rows=rows, primary=primary)


def level_of_fate(fate: str, label: str) -> Measure:
    """Return the measure of how many stand at a fate, also by rank and branch."""
    at = {"fate": fate}
    sources = {
        "": MeasureSource("fates", at),
        "rank": MeasureSource("fate_rank", at),
        "branch": MeasureSource("fate_branch", at),
    }
    return Measure(fate, label, "soldiers", "level", sources)


MEASURES = (
    Measure("registered", "Registered at the host", "soldiers", "total", _REGISTERED, primary=2),
    Measure("left_abroad", "Crossed out of the country", "soldiers", "total", _CROSSED, primary=1),
    Measure("share_left", "Share of the force that crossed out of the country", "share", "share", _CROSSED),
    *(_left(outcome, label, outcome, _PRIMARY.get(outcome, 0)) for outcome, label in _LEAVING.items()),
    _left("left", "Left: hid, resigned, presented themselves abroad, or declared", tuple(_LEAVING)),
    Measure(
        "left_post",
        "Left their posts by any way, whether they got away or not",
        "soldiers",
        "total",
        {"": MeasureSource("exits_state"), "state": MeasureSource("exits_state")},
    ),
    Measure("rate_ratio", "Speed of leaving after the date over before", "ratio", "ratio", _CROSSED),
    *(
        level_of_fate(fate, label)
        for fate, label in FATES.items()
        if fate not in ("registered", "discharged", "resigned")
    ),
)
"""What can be asked of that beyond each output by itself."""
