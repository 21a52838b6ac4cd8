"""Measures of those received abroad, against plain NumPy on the same series."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from breakrank.errors import UsageError
from breakrank.results.measures import check_question, measure
from breakrank.runs.carry_out import simulate
from tests.results.guests import ENGINE, GuestCase

CASE: Any = GuestCase()
DATA = simulate(CASE, runs=4, seed=3, workers=1, log_runs=0, simulator=ENGINE).data
MAY_1 = 120


def values(name: str) -> Any:
    return DATA[name].values.astype(float)


def test_arrivals_and_relatives_to_each() -> None:
    soldiers, relatives = values("arrived_soldiers"), values("arrived_relatives")
    assert np.array_equal(measure(DATA, "arrived"), soldiers.sum(1))
    found = measure(DATA, "relatives_ratio", "2019-05-01", since="2019-03-01")
    days = slice(59, MAY_1 + 1)
    np.testing.assert_allclose(found, relatives[:, days].sum(1) / soldiers[:, days].sum(1))
    nobody = DATA.assign(arrived_soldiers=DATA["arrived_soldiers"] * 0)
    assert np.isnan(measure(nobody, "relatives_ratio")).all()


def test_who_is_in_sites() -> None:
    assert np.array_equal(measure(DATA, "in_sites", "2019-05-01"), values("stay_soldiers")[:, MAY_1, 0])
    persons = values("stay_soldiers") + values("stay_relatives")
    assert np.array_equal(measure(DATA, "persons_in_sites", "2019-05-01"), persons[:, MAY_1, 0])
    inside = values("site_soldiers") + values("site_relatives")
    found = measure(DATA, "persons_in_sites", "2019-05-01", by={"site": ["first-hotel", "second-hotel"]})
    assert np.array_equal(found, inside[:, MAY_1, 1:3].sum(1))
    found = measure(DATA, "in_sites", "2019-05-01", by={"site": "embassy-house"})
    assert np.array_equal(found, values("site_soldiers")[:, MAY_1, 3])
    check_question("in_sites", {"site": "first-hotel"}, CASE)
    with pytest.raises(UsageError, match="did you mean 'first-hotel'"):
        check_question("in_sites", {"site": "first-hotl"}, CASE)


def test_decisions_and_money() -> None:
    decided = values("asylum_granted") + values("asylum_refused")
    assert np.array_equal(measure(DATA, "asylum_decided"), decided.sum(1))
    cost = values("cost")
    np.testing.assert_allclose(measure(DATA, "cost"), cost.sum((1, 2)), rtol=1e-6)
    np.testing.assert_allclose(measure(DATA, "cost_per_day", "2019-05-01"), cost[:, MAY_1].sum(1), rtol=1e-6)
    found = measure(DATA, "unpaid", by={"payer": "town"})
    np.testing.assert_allclose(found, values("unpaid")[:, :, 0].sum(1), rtol=1e-6)


def test_a_level_of_nobody_is_no_number() -> None:
    data = DATA.assign(morale=DATA["files_wait"] * np.nan)
    assert np.isnan(measure(data, "morale", "2019-05-01")).all()
    with pytest.raises(UsageError, match="morale needs morale, which these runs did not record"):
        measure(DATA, "morale")
