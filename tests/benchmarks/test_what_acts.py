"""What is measured of the model as a whole: the declaration of forty interventions, and the arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.interventions import CASE, WORST, Change, declared, findings, reading, row, worst
from benchmarks.what_acts import ratio
from breakrank import load_case
from breakrank.case.changes import counterfactual

VENEZUELA = load_case("venezuela-2019", "point")
CHANGES = declared(VENEZUELA)


def test_forty_interventions_are_declared() -> None:
    assert sorted({each.item for each in CHANGES if each.expected}) == list(range(1, 41))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.id)
def test_each_changes_the_case_and_asks_within_its_days(change: Change) -> None:
    case = VENEZUELA.until(change.until)
    assert counterfactual(case, change).digest != case.digest
    known = {each.id for each in CHANGES} | {CASE}
    for part in change.expected:
        days = [day for day in (part.since, part.date) if day]
        if part.than is not None:
            assert part.than.without in known
            assert reading(part, part.than) != reading(part)
            days += [part.than.since, part.than.date]
        assert all(case.calendar.start <= day <= change.until for day in days)
    assert change.against in known


def test_what_became_of_an_intervention_is_judged() -> None:
    small = VENEZUELA.set({"force.strength": 2000})
    oath = [each for each in CHANGES if each.item == 29]
    more, less = (row(*one) for one in findings(small, oath, 2, 5))
    assert (more["argued"], less["argued"]) == ("more", "less than the first")
    assert more["difference"] != "0"
    assert {more["verdict"], less["verdict"]} <= {*WORST}


def test_the_worst_part_of_an_intervention_counts() -> None:
    assert worst(["right", "outside band", "right"]) == "outside band"
    assert worst(["too few pairs", "no effect shown"]) == "no effect shown"
    assert worst(["right"]) == "right"


def test_a_ratio_of_means_has_the_interval_of_the_delta_method() -> None:
    large, small = np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0])
    middle, low, high = ratio(large, small)
    spread = 1.6449 * math.sqrt(4 / 3 / 16 + 1 / 3 / 4)
    assert middle == 2
    assert low == pytest.approx(2 * math.exp(-spread), rel=1e-4)
    assert high == pytest.approx(2 * math.exp(spread), rel=1e-4)
    assert all(math.isnan(each) for each in ratio(large, np.zeros(3)))
