"""Public opposition against Kuran's society of ten."""

from __future__ import annotations

import pytest

from breakrank.errors import UsageError
from breakrank_classics.granovetter import cascade
from breakrank_classics.kuran import SOCIETY, opposition


def test_ten_people_of_whom_one_opposes_openly() -> None:
    # catches thresholds taken for persons instead of per cent
    society = opposition([0, 20, 20, 30, 40, 50, 60, 70, 80, 100])
    assert society.thresholds == SOCIETY
    assert society.path == (0, 10)


def test_one_threshold_lowered_from_20_to_10_brings_90_per_cent() -> None:
    spark = opposition().after(person=1, threshold=10)
    assert (spark.before.public, spark.after.public) == (10, 90)
    # one further joins in each round, until only the one who needs all to act first is left
    assert spark.after.path == tuple(range(0, 100, 10))


def test_a_society_that_looks_the_same_hardly_moves() -> None:
    # only the third threshold differs, 30 instead of 20; public opposition is 10% in both at first
    society = opposition([0, 20, 30, 30, 40, 50, 60, 70, 80, 100])
    assert society.public == opposition().public
    assert society.after(person=1, threshold=10).after.public == 20


def test_only_those_next_in_line_can_start_it() -> None:
    assert opposition().sparks(by=10) == (10, 90, 90, 10, 10, 10, 10, 10, 10, 10)
    assert opposition().sparks(by=0) == (10,) * 10


def test_it_is_granovetters_cascade_in_per_cent() -> None:
    thresholds = [3, 0, 41, 8, 26, 99, 12]
    in_persons = cascade(t * 7 / 100 for t in thresholds)
    assert opposition(thresholds).path == tuple(100 * k / 7 for k in in_persons.path)


def test_results_print_as_trees() -> None:
    assert repr(opposition().after(1, 10)) == "\n".join(
        [
            "Spark (Kuran 1991)",
            "├── person: number 2: threshold 20 → 10",
            "├── before: 10% oppose openly",
            "└── after: 90% oppose openly",
        ]
    )
    assert repr(opposition([0, 50])) == "\n".join(
        [
            "Opposition (Kuran 1991)",
            "├── thresholds: 0, 50",
            "├── path: 0% → 50% → 100%",
            "└── public opposition: 100%",
        ]
    )


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match="there are no thresholds"):
        opposition([])
    with pytest.raises(UsageError, match="person is 10; it must be a whole number from 0 to 9"):
        opposition().after(10, 0)
    with pytest.raises(UsageError, match="by is -1; it must be a number, at least 0"):
        opposition().sparks(by=-1)
