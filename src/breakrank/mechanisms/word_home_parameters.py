"""The parameters of the news that travels home."""

from __future__ import annotations

from breakrank.engine.codes import EV_WORD
from breakrank.outputs import daily, level
from breakrank.spec import parameter, switch

WEIGHT = parameter("word_home.weight")
CONTACT = parameter("word_home.contact")
REACH = parameter("word_home.reach")
BREAD = parameter("word_home.bread")
FREEDOM = parameter("word_home.freedom")
PRIVATE_HOME = parameter("word_home.private_home")
FREE_HOURS = parameter("word_home.free_hours")

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
