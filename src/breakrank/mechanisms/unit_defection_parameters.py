"""The parameters, fields, events and outputs of units that go over as a whole."""

from __future__ import annotations

from breakrank.engine.codes import EV_WENT_OVER
from breakrank.outputs import LogRows, Measure, MeasureSource, daily, stock
from breakrank.spec import Field, Parameter, switch

HABIT = Parameter(
    "unit_defection.habit", "utility", 0, 30, 7.0,
    "how rarely a commander without cause, fear or ties takes his unit over at a moment: log-odds against it",
    "Albrecht and Ohl 2016",
    assumed="between deserting (6), which one does alone, and planning a rising (11), which needs others",
    prior=("triangular", 4, 7, 11),
)  # fmt: skip
AROUND = Parameter(
    "unit_defection.around_weight", "utility", 0, 20, 4.0,
    "weight of the share that has gone over of the units around a commander",
    "McLauchlin 2010; Kuran 1991",
    assumed="as much as comrades who are believed opposed, since both say that others will go",
    prior=("triangular", 0, 4, 10),
)  # fmt: skip
MEN = Parameter(
    "unit_defection.men_weight", "utility", 0, 20, 6.0,
    "weight of how many of his men would follow a commander, beyond those whom he needs (both 0 to 1)",
    "Koehler, Ohl and Albrecht 2016",
    assumed="as much as certain punishment: who is not followed is caught", prior=("triangular", 0, 6, 12),
)  # fmt: skip
KNOWN = Parameter(
    "unit_defection.known", "fraction", 0, 1, 0.5,
    "how far a commander knows what his men would do; for the rest he goes by what he believes of comrades",
    "Kuran 1991",
    assumed="half: he lives with them, and they hide what they think from who commands them",
    prior=("triangular", 0, 0.5, 1),
)  # fmt: skip
AUTHORITY = Parameter(
    "unit_defection.authority", "log-odds", -10, 10, 1.0,
    "log-odds that a soldier who is neither opposed nor loyal follows his commander to the other side",
    "Shils and Janowitz 1948", scope="national",
    assumed="three in four: orders are obeyed out of habit, and a few do not want this one",
    prior=("normal", 1, 1),
)  # fmt: skip
COMRADES = Parameter(
    "unit_defection.comrades_weight", "log-odds", 0, 10, 2.0,
    "what comrades add to following where all are inclined to, and take away where nobody is",
    "Granovetter 1978; McLauchlin 2015",
    assumed="as much as comrades who are missing add to going home", prior=("triangular", 0, 2, 5),
)  # fmt: skip
NEEDED = Parameter(
    "unit_defection.needed", "fraction", 0.01, 1, 0.5,
    "share of his men who have to follow before a commander can take his unit over",
    "Singh 2014", assumed="half: with fewer those who refuse are the stronger",
    prior=("triangular", 0.2, 0.5, 0.9),
)  # fmt: skip
HEARS = Parameter(
    "unit_defection.hears", "probability", 0, 1, 0.5,
    "chance that a commander faces the choice on the day after a unit in his state has gone over",
    "Lohmann 1994", assumed="every other one: the rest are held busy, or hear it later",
    prior=("triangular", 0.1, 0.5, 1),
)  # fmt: skip
PARAMETERS = (
    switch("unit_defection", "commanders can take their units over to an opposition at home"),
    HABIT,
    AROUND,
    MEN,
    KNOWN,
    AUTHORITY,
    COMRADES,
    NEEDED,
    HEARS,
)
CALLED = Field(
    "commanders_called", "probability per day", 0, 1,
    "chance that a commander is called upon to take his unit over: by who has declared himself, or by envoys",
    ("state", "branch"), 0.0,
)  # fmt: skip
LOST_AGAIN = Field(
    "units_retaken", "probability per day", 0, 1,
    "chance that the regime takes back the ground of a unit that went over", ("state",), 0.0,
)  # fmt: skip
FIELDS = (CALLED, LOST_AGAIN)
TOOK_OVER = "took his unit over to the opposition"
NOT_FOLLOWED = "was not followed by his unit to the opposition"
REFUSED = "refused to go over with his unit"
EVENTS = (TOOK_OVER, NOT_FOLLOWED, REFUSED)
_LABEL = "Units that went over as a whole"
OUTPUTS = (
    daily("units_over_state", _LABEL, unit="units", by=("state",), measure=None),
    daily("units_over_branch", f"{_LABEL}, by branch", unit="units", by=("branch",), measure=None),
    stock("units_with_opposition", "Units that stand with the opposition", "units", ("state",)),
    daily("units_not_followed", "Commanders whose units did not follow them", NOT_FOLLOWED, unit="units"),
    daily("went_over_with_unit", "Went over with their unit", LogRows(EV_WENT_OVER, low=0.5)),
    daily("refused_with_unit", "Refused to go over with their unit", REFUSED),
)
MEASURES = (
    Measure(
        "units_over", _LABEL, "units", "total",
        {
            "": MeasureSource("units_over_state"),
            "state": MeasureSource("units_over_state"),
            "branch": MeasureSource("units_over_branch"),
        },
    ),
)  # fmt: skip
