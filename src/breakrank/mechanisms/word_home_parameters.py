"""The parameters of the news that travels home."""

from __future__ import annotations

from breakrank.spec import Parameter, switch

WEIGHT = Parameter(
    "word_home.weight",
    "utility",
    0,
    20,
    1.0,
    "weight of the treatment expected abroad (0 to 1)",
    "Nepstad 2013",
)
FEEDBACK = Parameter(
    "word_home.feedback",
    "switch",
    0,
    1,
    1,
    "1: the treatment of those abroad changes what is expected; 0: only the field host_word counts",
    scope="technical",
)
CONTACT = Parameter(
    "word_home.contact",
    "per week",
    0,
    50,
    1.0,
    "how often a soldier abroad gets word to a trusted comrade who still serves",
    "Massey and others 1993",
)
REACH = Parameter(
    "word_home.reach",
    "comrades per 100,000",
    0,
    10,
    0.003,
    "comrades' worth of evidence that one soldier's word from abroad is to strangers, in a force of 100,000",
    "Massey and others 1993",
    scope="national",
)
ROOF = Parameter(
    "word_home.roof",
    "weight",
    0,
    100,
    4.0,
    "weight of a roof in how treatment is judged",
)
BREAD = Parameter(
    "word_home.bread",
    "weight",
    0,
    100,
    3.0,
    "weight of three meals a day",
)
FREEDOM = Parameter(
    "word_home.freedom",
    "weight",
    0,
    100,
    1.5,
    "weight of free hours out",
)
WORK = Parameter(
    "word_home.work",
    "weight",
    0,
    100,
    1.5,
    "weight of the right to work",
)

PRIVATE_HOME = Parameter(
    "word_home.private_home",
    "fraction",
    0,
    1,
    0.5,
    "how much of a roof and of three meals a private home gives",
)
FREE_HOURS = Parameter(
    "word_home.free_hours", "hours", 1, 24, 12, "free hours out in a day that count as full freedom"
)

WORD_HOME_PARAMETERS = (
    switch("word_home", "soldiers hear how those who left were received"),
    WEIGHT,
    FEEDBACK,
    CONTACT,
    REACH,
    ROOF,
    BREAD,
    FREEDOM,
    WORK,
    PRIVATE_HOME,
    FREE_HOURS,
)
