"""Preference: the threshold that makes the share opposed at the start, and what moves it."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from breakrank.mechanisms.grievance import grievance_stated
from breakrank.mechanisms.preference import margins
from tests.engine.hosts import effect
from tests.engine.stage import Stage
from tests.engine.worlds import live, record
from tests.mechanisms.plain import column


@pytest.mark.parametrize("share", [0.001, 0.2, 0.8, 0.999])
@pytest.mark.parametrize("weight", [0.05, 1.0, 6.0])
def test_the_threshold_gives_the_share_opposed_at_the_start(share: float, weight: float) -> None:
    values = {"preference.opposed_at_start": share, "preference.weight": weight}
    stage = Stage(1, values, n=1)
    preference, cells = stage.play["preference"], stage.world.rank_shares
    level = grievance_stated(stage.world) + weight * preference.mean - preference.rents[0]
    z = (level - preference.threshold) / weight
    opposed = sum(
        w * 0.5 * math.erfc(-v / math.sqrt(2)) for w, v in zip(cells.ravel(), z.ravel(), strict=True)
    )
    assert opposed == pytest.approx(share, abs=1e-6)


LEVEL = {"preference.rank_loyalty": 0, "preference.rents_weight": 0, "grievance.hardship_weight": 0}
"""Values under which rank, pay and place move nobody: dispositions alone say who is opposed."""


def first_day(share: float, **values: float) -> tuple[np.ndarray, np.ndarray]:
    """Return everyone's zeal, and how far he is on the opposed side, on a first day when nothing happens."""
    calm = {"grievance.shock_rate": 0, "grievance.injury_weight": 0}
    stage = Stage(5, {"preference.opposed_at_start": share, **calm, **values}, n=20_000)
    for name in ("grievance", "preference"):
        stage.play[name].dawn(stage.run)
    return column(stage, "preference.zeal"), margins(stage.run)


@pytest.mark.parametrize("weight", [0.5, 2.0])
def test_the_more_are_opposed_the_keener_they_are(weight: float) -> None:
    means = []
    for share in (0.02, 0.2, 0.5, 0.8, 0.98):
        zeal, _ = first_day(share, **LEVEL, **{"preference.weight": weight})
        line = NormalDist().inv_cdf(1 - share)
        beyond = NormalDist().pdf(line) / share - line  # mean distance of those above a line, standard normal
        means.append(float(zeal[zeal > 0].mean()) / weight)
        assert means[-1] == pytest.approx(beyond, rel=0.1)
    assert means == sorted(means)


def test_the_line_stays_where_the_case_draws_it_and_better_pay_makes_fewer_opposed() -> None:
    case = record().set({"force.strength": 4_000})
    paid = case.with_events(effect("pay", "multiply", 10))
    shares = []
    for each in (case, paid):
        opposed = live(each.until("2019-01-09")).series["opposed"]
        shares.append(float(opposed[7]))
    assert shares[1] < shares[0] - 0.1
