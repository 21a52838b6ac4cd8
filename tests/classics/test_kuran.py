"""Public opposition against Kuran's society of ten."""

from __future__ import annotations

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
