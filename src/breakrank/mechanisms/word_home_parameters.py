"""The parameters of the news that travels home."""

from __future__ import annotations

from breakrank.engine.codes import EV_WORD
from breakrank.outputs import daily, level
from breakrank.spec import Parameter, switch

WEIGHT = Parameter(
    "word_home.weight", "utility", 0, 20, 1.0,
    "weight of the treatment expected abroad (0 to 1)",
    "Nepstad 2013",
)  # fmt: skip
CONTACT = Parameter(
    "word_home.contact", "per week", 0, 50, 1.0,
    "how often a soldier abroad gets word to a trusted comrade who still serves",
    "Massey and others 1993",
)  # fmt: skip
REACH = Parameter(
    "word_home.reach", "comrades per 100,000", 0, 10, 0.003,
    "comrades' worth of evidence that one soldier's word from abroad is to strangers, in a force of 100,000",
    "Massey and others 1993", scope="national",
)  # fmt: skip
BREAD = Parameter(
    "word_home.bread", "ratio", 0, 100, 0.75,
    "weight of three meals a day in how treatment is judged, relative to a roof",
)  # fmt: skip
FREEDOM = Parameter(
    "word_home.freedom", "ratio", 0, 100, 0.375,
    "weight of free hours out, and again of the right to work, relative to a roof",
)  # fmt: skip
PRIVATE_HOME = Parameter(
    "word_home.private_home", "fraction", 0, 1, 0.5,
    "how much of a roof and of three meals a private home gives",
)  # fmt: skip
FREE_HOURS = Parameter(
    "word_home.free_hours", "hours", 1, 24, 8,
    "free hours out a day that count as full freedom, and without which nobody at a site can work outside",
    "International Labour Organization 1919 (a working day has eight hours)",
)  # fmt: skip

WORD_HOME_PARAMETERS = (
    switch("word_home", "soldiers hear how those who left were received"),
    WEIGHT,
    CONTACT,
    REACH,
    BREAD,
    FREEDOM,
    PRIVATE_HOME,
    FREE_HOURS,
)


OUTPUTS = (
    daily("word_sent", "Word sent home", EV_WORD, unit="messages"),
    level("word_public", "Treatment abroad as publicly expected", "fraction"),
)
"""What it hands back, day by day."""
