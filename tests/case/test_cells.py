"""A figure in a cell is read by the unit of what it counts, or refused with what to write."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.cells import read_cell, shown_mark
from breakrank.case.values import SlipError

NO_END = math.inf


@pytest.mark.parametrize(
    ("cell", "low", "high"),
    [
        ("1.200", 1200, 1200),
        ("1.000.000", 1e6, 1e6),
        ("1,200", 1200, 1200),
        ("1\u00a0200", 1200, 1200),
        ("1'200", 1200, 1200),
        ("١٬٢٠٠", 1200, 1200),
        ("1e3", 1000, 1000),
        ("1.2 million", 1.2e6, 1.2e6),
        ("nearly 1.200", 1140, 1200),
        ("<5", 0, 4),
        ("less than 5", 0, 4),
        ("at most 1.200", 0, 1200),
        ("more than 5", 6, NO_END),
        ("500+", 500, NO_END),
        ("~500", 500, 500),
        ("5-10", 5, 10),
        ("1.200-1.500", 1200, 1500),
        ("two to three hundred", 200, 300),
        ("hundreds of soldiers", 200, 999),
    ],
)
def test_soldiers_are_read_however_a_table_writes_them(cell: str, low: float, high: float) -> None:
    found = read_cell(cell, "soldiers")
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    ("cell", "said", "remedy"),
    [
        ("5.000", "can be read as 5 or as 5,000", "Write 5 or 5000."),
        ("1.200 million", "can be read as 1.2 or as 1,200", "Write 1.2 or 1200."),
        ("1.5", "is no whole number, and soldiers are counted one by one", "800 to 900"),
        ("1,00,000", "is no number", "800 to 900"),
        ("50%", "is a share, and what is counted is soldiers", "name the measure"),
        ("$500", "is money (US dollars), and what is counted is soldiers", "name the measure"),
        ("30 days", "is a length of time (days), and what is counted is soldiers", "name the measure"),
        ("500 a month", "is a rate (a month)", "2025-02-01/2025-02-28"),
        ("half", "is no figure", "800 to 900"),
        ("12 battalions", "counts 'battalions', and what is counted is soldiers", "left:rank=officer"),
        ("*", "stands for a count that its source keeps back", "1 to 4"),
        ("n/a", "says that no figure is there", "Leave the row out"),
        ("-99", "is negative", "missing"),
        ("<0", "no soldiers can be '<0'", "800 to 900"),
        ("30 to 25", "its ends do not rise", "800 to 900"),
        ("+500", "is no figure", "800 to 900"),
        ("1e300", "is more than 1,000,000,000,000", "800 to 900"),
    ],
)
def test_what_soldiers_cannot_be_is_refused_with_a_remedy(cell: str, said: str, remedy: str) -> None:
    with pytest.raises(SlipError) as raised:
        read_cell(cell, "soldiers")
    assert said in raised.value.problem
    assert remedy in raised.value.remedy


@pytest.mark.parametrize(
    ("cell", "unit", "low"),
    [
        ("50%", "share", 0.5),
        ("0,5", "share", 0.5),
        ("$500", "currency", 500),
        ("30 days", "days", 30),
        ("1.25", "ratio", 1.25),
    ],
)
def test_other_units_take_their_own_figures(cell: str, unit: str, low: float) -> None:
    assert read_cell(cell, unit, money="US dollars").low == low


@pytest.mark.parametrize(
    ("cell", "unit", "said"),
    [
        ("12", "share", "more than the whole"),
        ("€500", "currency", "is in euros, and what is counted is US dollars"),
        ("3 weeks", "days", "is in weeks, and what is counted is days"),
        ("hundreds", "share", "is no number"),
        ("2", "1 or 0", "no 1 or 0 can be '2'"),
    ],
)
def test_other_units_refuse_what_is_not_theirs(cell: str, unit: str, said: str) -> None:
    with pytest.raises(SlipError, match=said):
        read_cell(cell, unit, money="US dollars")


PIECES = [*"0159.,'<>~+-*%$ ()e/:½²٣", "\u00a0", " to ", "thousand", "nearly ", "dozens"]


@given(st.lists(st.sampled_from(PIECES)), st.sampled_from(["soldiers", "share", "currency"]))
def test_any_cell_is_read_or_refused(parts: list[str], unit: str) -> None:
    try:
        found = read_cell("".join(parts), unit)
    except SlipError:
        return
    assert 0 <= found.low <= found.high
    assert unit != "soldiers" or found.low.is_integer()


def test_a_column_tells_what_its_marks_are() -> None:
    """5.000 alone is 5 or 5,000; beside 1.200 soldiers the dot groups thousands."""
    column = [("1.200", "soldiers"), ("5.000", "soldiers")]
    assert shown_mark(column) == ","
    assert read_cell("5.000", "soldiers", shown_mark(column)).low == 5000
    assert shown_mark([("1,234.5", "currency"), ("5.000", "soldiers")]) == "."
    assert shown_mark([("1,5", "share"), ("1.5", "share")]) == "", "they disagree"
    with pytest.raises(SlipError, match="as 5,000 or as 5"):
        read_cell("5,000", "soldiers", mark="")  # a table separated by semicolons


@pytest.mark.parametrize(
    ("cell", "unit", "value"),
    [("2.125", "ratio", 2.125), ("30.125", "days", 30.125), ("12.345", "currency", 12.345)],
)
def test_three_decimals_are_no_thousands_where_decimals_are_counted(
    cell: str, unit: str, value: float
) -> None:
    assert read_cell(cell, unit).low == value
    assert read_cell(f"at least {cell}", unit).low == value
