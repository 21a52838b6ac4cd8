"""The parameters, events and outputs of a war."""

from __future__ import annotations

from breakrank.outputs import daily
from breakrank.spec import Field, Parameter, switch

DEATHS = Parameter(
    "war.deaths", "probability", 0, 0.2, 0.001,
    "chance that a soldier of a unit that fights is killed on that day",
    "Biddle 2004", scope="national",
    assumed="one in a thousand a day of contact, as in the irregular wars of the last decades",
    prior=("triangular", 0.0001, 0.001, 0.01),
)  # fmt: skip
LOST = Parameter(
    "war.lost_posts", "probability", 0, 1, 0.01,
    "chance that a unit that fights loses its post on that day, where the opposition holds the whole state",
    "Kalyvas 2006", scope="national",
    assumed="one fight in a hundred where the opposition is strongest; counts of captured posts are rare",
    prior=("triangular", 0, 0.01, 0.1),
)  # fmt: skip
SURRENDER = Parameter(
    "war.surrender", "log-odds", -10, 10, 0.0,
    "log-odds that a soldier of a lost post, neither opposed nor loyal, surrenders and does not break out",
    "Grauer 2014",
    assumed="even for who is on neither side; soldiers who expect decent treatment surrender sooner",
    prior=("normal", 0, 1),
)  # fmt: skip
MARGIN = Parameter(
    "war.margin_weight", "ratio", 0, 10, 1.0,
    "weight of how far a soldier is on the opposed side in surrendering and in evading a call-up",
    "McLauchlin 2014", assumed="counts as in any other choice", prior=("triangular", 0, 1, 3),
)  # fmt: skip
DANGER = Parameter(
    "war.danger_weight", "utility", 0, 20, 1.0,
    "weight of the danger of staying, in a unit of which a great many have been killed lately",
    "Albrecht and Koehler 2018",
    assumed="as much as moral injury; more left in months and provinces with many deaths in the force",
    prior=("triangular", 0, 1, 4),
)  # fmt: skip
DANGER_HALF = Parameter(
    "war.danger_half", "fraction", 0.0001, 1, 0.02,
    "share of a unit killed lately at which the danger has half of its full weight",
    "Albrecht and Koehler 2018", assumed="two of a hundred, which everyone in a company knows by name",
)  # fmt: skip
MEMORY = Parameter(
    "war.danger_memory", "days", 1, 3650, 60,
    "time in which the memory of those killed fades to 37%",
    "Albrecht and Koehler 2018", assumed="two months: desertions follow the deaths of the same month",
)  # fmt: skip
INJURY = Parameter(
    "war.injury", "orders", 0, 10, 0.5,
    "orders to repress that a day of fighting one's own people counts as, in moral injury",
    "Litz et al. 2009", assumed="half an order: part of a fight is against armed men",
    prior=("triangular", 0, 0.5, 2),
)  # fmt: skip
MOMENTS = Parameter(
    "war.moments", "probability", 0, 1, 0.02,
    "chance that a day of fighting gives a soldier a moment of decision",
    "McLauchlin 2014", scope="national",
    assumed="one day of contact in fifty; where units lie in posts and convoys it may be every other day",
    prior=("triangular", 0, 0.02, 0.6),
)  # fmt: skip
RESERVE = Parameter(
    "war.reserve", "fraction", 0, 1, 0.0,
    "share of the lowest rank that is in reserve on the first day, not yet called up",
    scope="national", assumed="nobody: a case that counts reservists in its strength says how many",
)  # fmt: skip
EVASION = Parameter(
    "war.evasion", "log-odds", -20, 20, -2.0,
    "log-odds that a reservist who is called up, neither opposed nor loyal, stays away and hides",
    "Levi 1997", scope="national", assumed="one in eight, as in drafts that are enforced and not wanted",
    prior=("normal", -2, 1),
)  # fmt: skip
PARAMETERS = (
    switch("war", "units fight, lose men and posts, and are filled up"),
    DEATHS,
    LOST,
    SURRENDER,
    MARGIN,
    DANGER,
    DANGER_HALF,
    MEMORY,
    INJURY,
    MOMENTS,
    RESERVE,
    EVASION,
)
FIELDS = (
    Field("contact", "fraction", 0, 1, "share of the units in a state that fight on a day", ("state",), 0.0),
    Field(
        "held",
        "fraction",
        0,
        1,
        "share of a state that the opposition holds; at 1 no post is left",
        ("state",),
        0.0,
    ),
    Field("call_up", "fraction per day", 0, 1, "share of the first reserve that is called up a day", (), 0.0),
)

KILLED = "was killed in the field"
SURRENDERED = "surrendered in the field"
BROKE_OUT = "broke out of a lost post"
CALLED_UP = "was called up"
EVADED = "evaded his call-up and hid"
EVENTS = (KILLED, SURRENDERED, BROKE_OUT, CALLED_UP, EVADED)

OUTPUTS = (
    daily("killed_in_field", "Killed in the field", KILLED),
    daily("surrendered_in_field", "Surrendered in the field", SURRENDERED),
    daily("broke_out", "Broke out of a lost post", BROKE_OUT),
    daily("called_up", "Called up from the reserve", CALLED_UP),
    daily("evaded", "Evaded a call-up", EVADED),
    daily("units_fighting", "Units that fight", unit="units", by=("state",)),
    daily("posts_lost", "Posts lost", unit="posts", by=("state",)),
)
