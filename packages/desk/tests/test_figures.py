"""The grammar of figures, dates and numbers, in both languages."""

import datetime as dt
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.errors import UsageError
from breakrank_desk.coding import read_fields
from breakrank_desk.dates import date_spans, mentions
from breakrank_desk.figures import figures
from breakrank_desk.numbers import number_value
from breakrank_desk.sentences import sentences, spans
from breakrank_desk.words import LANGUAGES, table


def read(text: str, language: str = "en") -> list[tuple[float, float, str | None, str]]:
    words = table(language)
    return [(f.low, f.high, f.bound, f.unit) for f in figures(text, words, date_spans(text, words))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nearly 1,000 troops", (950, 1000, None, "persons")),
        ("about 50 countries", (50, 50, "about", "countries")),
        ("up to 90 percent of them", (0, 0.9, "at_most", "share")),
        ("at least 200 soldiers", (200, math.inf, "at_least", "persons")),
        ("300 or more soldiers", (300, math.inf, "at_least", "persons")),
        ("a few hundred defectors", (200, 500, None, "persons")),
        ("several dozen guardsmen", (36, 80, None, "persons")),
        ("dozens of guardsmen", (24, 99, None, "persons")),
        ("1.2 million migrants", (1_200_000, 1_200_000, None, "persons")),
        ("two hundred and fifty soldiers", (250, 250, None, "persons")),
        ("a 160,000-strong army", (160_000, 160_000, None, "persons")),
        ("a third of the soldiers", (0.3333, 0.3333, None, "share")),
        ("he earned €13 a month", (13, 13, None, "euros a month")),
        ("at 3:30 a.m. they rose", (3.5, 3.5, None, "hour of the day")),
        ("between 30 and 40 officers", (30, 40, None, "persons")),
        ("about two dozen men", (24, 24, "about", "persons")),
        ("a tenth of the pay", (0.1, 0.1, None, "share")),
        ("in less than an hour", (0, 1, "at_most", "hours")),
    ],
)
def test_english(text: str, expected: tuple[object, ...]) -> None:
    assert read(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("casi mil soldados", (950, 1000, None, "persons")),
        ("unos 300 militares", (300, 300, "about", "persons")),
        ("más de 1.500 efectivos", (1500, math.inf, "at_least", "persons")),
        ("1,2 millones de personas", (1_200_000, 1_200_000, None, "persons")),
        ("dos mil quinientos soldados", (2500, 2500, None, "persons")),
        ("el 40 % de los guardias", (0.4, 0.4, None, "share")),
        ("varios cientos de desertores", (300, 900, None, "persons")),
        ("a las 2 de la madrugada", (2, 2, None, "hour of the day")),
        ("entre 30 y 40 oficiales", (30, 40, None, "persons")),
        ("dos docenas de hombres", (24, 24, None, "persons")),
        ("una décima parte de la paga", (0.1, 0.1, None, "share")),
    ],
)
def test_spanish(text: str, expected: tuple[object, ...]) -> None:
    assert read(text, "es") == [expected]


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("en", "Seven of the 12 were barefoot.", [7, 12]),
        ("en", "They closed 6 of 21.", [6, 21]),
        ("es", "Cerraron 6 de las 21.", [6, 21]),
        ("en", "He closed six.", []),
        ("en", "Of the 12, four were officers.", [4, 12]),
        ("es", "De los 12, cuatro fueron devueltos.", [4, 12]),
        ("en", "We lost two of those who tried.", [2]),
        ("es", "Perdimos a tres de los que lo intentaron.", [3]),
        ("en", "Room for two is all.", []),
    ],
)
def test_a_small_number_counts_where_it_is_a_part_of_a_larger(
    language: str, text: str, values: list[float]
) -> None:
    assert sorted(low for low, *_ in read(text, language)) == sorted(values)


@pytest.mark.parametrize(
    "text",
    ["his 2-year-old daughter", "then. Two days before, they ran", "the other 15 troops",
     "He told how two months before the war he ran",
     "in 2019", "on April 30", "since 2014", "Boeing 737", "COVID-19", "Article 233",
     "the 2nd brigade", "1989-1991", "IE 11",
     "the two men", "call 555-123-4567", "https://a.example/2019/100"],
)  # fmt: skip
def test_no_figures(text: str) -> None:
    assert read(f"It was said {text}.") == []


@pytest.mark.parametrize(
    "text",
    [
        "en 2019",
        "el 30 de abril",
        "desde 2014",
        "artículo 233",
        "los dos hombres",
        "su hija de 2 años",
        "que dos días antes huyó",
        "los otros 15",
    ],
)
def test_no_figures_in_spanish(text: str) -> None:
    assert read(f"Se dijo {text}.", "es") == []


DAY = dt.date(2019, 3, 22)  # a Friday


@pytest.mark.parametrize(
    ("language", "text", "when"),
    [
        ("en", "on Feb. 23", "2019-02-23"),
        ("en", "in January", "2019-01-01/2019-01-31"),
        ("en", "last month", "2019-02-01/2019-02-28"),
        ("en", "on Tuesday", "2019-03-19"),
        ("en", "on 4 May 2018", "2018-05-04"),
        ("en", "two weeks ago", "2019-03-08"),
        ("en", "in 2018", "2018-01-01/2018-12-31"),
        ("es", "el 23 de febrero", "2019-02-23"),
        ("es", "el mes pasado", "2019-02-01/2019-02-28"),
        ("es", "el martes", "2019-03-19"),
        ("es", "hace dos semanas", "2019-03-08"),
        ("es", "en enero de 2018", "2018-01-01/2018-01-31"),
    ],
)
def test_dates(language: str, text: str, when: str) -> None:
    assert [m.when for m in mentions(f"It was so {text}.", table(language), DAY)] == [when]


def test_relative_dates_need_a_day_of_publication() -> None:
    assert mentions("last month and on Tuesday", table("en"), None) == []


@given(st.integers(0, 999_999_999))
def test_digits_with_separators_are_read_back(number: int) -> None:
    assert number_value(f"{number:,}", table("en")) == number
    assert number_value(f"{number:,}".replace(",", "."), table("es")) == number


_SOME = st.text(st.sampled_from("0123456789 ,.%$-–aeinorst áñ\"'AM:/()") | st.characters(), max_size=200)


@given(_SOME, st.sampled_from(LANGUAGES))
def test_any_text_gives_ordered_figures_that_do_not_overlap(text: str, language: str) -> None:
    words = table(language)
    found = figures(text, words, date_spans(text, words))
    for f in found:
        assert 0 <= f.start < f.end <= len(text)
        assert f.low <= f.high
    for a, b in pairwise(found):
        assert a.core[1] <= b.core[0]


@given(_SOME, st.sampled_from(LANGUAGES))
def test_sentences_cover_all_words(text: str, language: str) -> None:
    cut = spans(text, table(language))
    assert "".join("".join(s.split()) for s in sentences(text, table(language))) == "".join(text.split())
    assert all(a[1] <= b[0] for a, b in pairwise(cut))


def test_a_figure_is_checked_against_its_unit() -> None:
    with pytest.raises(UsageError, match=r"can be read as 1.2 or as 1,200"):
        read_fields({"value": "1.200"})
    assert read_fields({"value": "1,200", "range": "1 000..1’200"}) == {"value": 1200, "range": (1000, 1200)}
    assert [f.low for f in figures("From 3 to 5 thousand soldiers fled.", table("en"))] == [3000]
    (found,) = figures("Some 1.200 soldiers have left.", table("en"))
    assert (found.low, found.unit) == (1200, "persons")
