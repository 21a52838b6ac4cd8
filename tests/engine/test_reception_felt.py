"""How those who came over fare is felt at home; kin draw, dependants hold back; and leaving slackens.

The expectations were written before they were run. Each is a mean over pairs of runs of one force, with the
same luck.
"""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.case import Case
from breakrank.force import Force
from breakrank.model import Model, build
from breakrank.runs.cases import load_case

RUNS = 16
AT_ONCE = {"asylum.first_days": 1, "asylum.effort": 0.05}
NO_SHOCKS = {"grievance.shock_rate": 0}


def changed(**values: float) -> Case:
    return load_case("venezuela-2019", "point").set({"force.strength": 16_000, **values})


@cache
def force() -> Force:
    return build(changed(), 1)


def left(case: Case, force: Force) -> NDArray[np.float64]:
    """Return how many left the country on each day, float64 (run, day)."""
    model = Model(case, force)
    return np.array([model.replicate(1, run).series["left_abroad"] for run in range(RUNS)], np.float64)


def more(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[float, float]:
    """Return by what share more left in `a` than in `b`, and two standard errors of it."""
    difference = a.sum(axis=1) - b.sum(axis=1)
    usual = b.sum(axis=1).mean()
    return difference.mean() / usual, 2 * difference.std(ddof=1) / np.sqrt(len(a)) / usual


@cache
def usual() -> NDArray[np.float64]:
    return left(changed(), force())


@pytest.mark.parametrize(
    ("change", "least", "most"),
    [
        ({"reception.places": 0}, -0.3, -0.02),
        ({"reception.funding": 0}, -0.3, -0.01),
        ({"asylum.recognised": 0, **AT_ONCE}, -0.3, -0.02),
        ({"asylum.recognised": 1, **AT_ONCE}, 0.01, 0.3),
        ({"exile.idle": 0}, 0.0, 0.2),
        ({"diaspora.contact": 0}, 0.0, 0.2),
    ],
)
def test_a_worse_reception_makes_fewer_come_and_a_better_one_more(
    change: dict[str, float], least: float, most: float
) -> None:
    share, error = more(left(changed(**change), force()), usual())
    assert least < share < most
    assert abs(share) > error


@pytest.mark.parametrize(("kin", "least", "most"), [(False, -0.3, -0.02), (True, 0.1, 1.0)])
def test_kin_abroad_draw_and_help(kin: bool, least: float, most: float) -> None:
    whose = dataclasses.replace(force(), kin_abroad=np.full(force().n, kin))
    share, error = more(left(changed(), whose), usual())
    assert least < share < most
    assert abs(share) > error


@pytest.mark.parametrize(("factor", "least", "most"), [(0, 0.1, 1.0), (2, -0.6, -0.1)])
def test_dependants_hold_back_apart_from_what_strikes_them(factor: int, least: float, most: float) -> None:
    many = np.minimum(force().dependants * factor, 20).astype(force().dependants.dtype)
    case = changed(**NO_SHOCKS)
    share, error = more(left(case, dataclasses.replace(force(), dependants=many)), left(case, force()))
    assert least < share < most
    assert abs(share) > error


def test_leaving_slackens_as_credit_is_spent_and_not_because_the_willing_are_gone() -> None:
    case = changed()
    day = case.calendar.day
    # in June the bridges open again, and those who waited for it leave
    month = {m: slice(day(f"2019-{m:02d}-01"), day(f"2019-{m:02d}-28") + 1) for m in (3, 5, 9, 12)}
    by_month = {m: usual()[:, days].sum() for m, days in month.items()}
    assert by_month[12] < by_month[9] < by_month[5] < by_month[3] / 2
    assert usual().sum(axis=1).mean() < 0.05 / 2 * 16_000
    appeal = {
        "id": "again",
        "date": "2019-11-20",
        "title": "Hope returns",
        "assumed": "a question",
        "effects": [{"field": "credibility", "op": "add", "value": 0.9}],
    }
    again = left(case.with_events([appeal]), force())[:, month[12]].sum()
    assert again > 5 * by_month[12]
