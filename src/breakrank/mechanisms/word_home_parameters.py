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

WORD_HOME_PARAMETERS = (
    switch("word_home", "soldiers hear how those who left were received"),
    WEIGHT,
    FEEDBACK,
    CONTACT,
    ROOF,
    BREAD,
    FREEDOM,
    WORK,
)
