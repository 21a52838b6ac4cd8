"""How many runs a precision needs."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.errors import UsageError
from breakrank.study.paired import difference, student
from breakrank.study.precision import needed, precision

RNG = np.random.default_rng(3)


def test_so_many_runs_give_that_interval() -> None:
    luck = RNG.normal(0, 10, 400)
    before, after = 100 + luck, 103 + luck + RNG.normal(0, 4, 400)
    d = difference("x", "X", "soldiers", before, after)
    found = needed(d, 0.5)
    assert found is not None
    sd = float((after - before).std(ddof=1))
    assert student(found.pairs - 1) * sd / found.pairs**0.5 <= 0.5
    assert student(found.pairs - 2) * sd / (found.pairs - 1) ** 0.5 > 0.5 * 0.99
    assert found.unpaired is not None
    assert found.unpaired / found.pairs == pytest.approx(d.reduction, rel=0.02)
    again = needed(d, d.high - d.mean)
    assert again is not None
    assert again.pairs == 400, "the width that there is needs the runs that there were"


def test_where_nothing_varies_two_runs_do() -> None:
    ones = np.ones(5)
    found = needed(difference("x", "X", "", ones, ones + 1), 0.1)
    assert found is not None
    assert (found.pairs, found.unpaired) == (2, None)
    assert needed(difference("x", "X", "", ones[:1], ones[:1]), 0.1) is None


def test_words() -> None:
    wanted = precision(["5%", "registered=20"])
    d = difference("left_abroad", "", "", np.array([100.0, 300.0]), np.array([1.0, 2.0]))
    assert wanted.half_width(d) == pytest.approx(10)
    assert wanted.of == {"registered": 20}
    assert precision([]).half_width(d) is None
    with pytest.raises(UsageError, match="did you mean 'registered'"):
        precision(["registerd=3"])
