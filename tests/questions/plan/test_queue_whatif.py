"""The queue of a plan: mean wait, laws, and a plain reference. What it calls is tested with the model."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from breakrank.draws import luck_key
from breakrank.questions.plan.asylum import (
    AS_IS,
    KEEPS_UP,
    QueueRules,
    _Asked,
    _keeping_up,
    chances,
    waits,
)
from breakrank.show.tables import spread

DAYS = 40_000


def poisson(rate: float, seed: int = 1, days: int = DAYS) -> Any:
    return np.random.default_rng(seed).poisson(rate, days)


def constant(staff: int, days: int = DAYS) -> Any:
    return np.full(days, staff)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=30),
    st.lists(st.integers(0, 5), min_size=30, max_size=30),
    st.floats(0.1, 10),
    st.floats(0, 20),
)
def test_files_are_conserved(requests: list[int], staff: list[int], effort: float, rest: float) -> None:
    days = len(requests)
    queue = waits(np.array(requests), np.array(staff[:days]), effort, rest, luck_key(1, "run"))
    came = np.cumsum(requests)
    left = queue.open_at(days)
    assert (left >= 0).all()
    decided = [(queue.done < day + 1).sum() for day in range(days)]
    np.testing.assert_array_equal(left, came - decided)
    assert (queue.done >= queue.ready).all()
    assert (np.diff(queue.asked) >= 0).all()
    if not any(staff[:days]):
        assert np.isinf(queue.done).all()
    elif staff[days - 1]:
        assert np.isfinite(queue.done).all()


def test_files_close_undecided_with_the_chance_of_each_day() -> None:
    closing = np.array([0.0, 0.3, 0.0, 0.5, 0.0])
    queue = waits(np.array([20_000, 0, 0, 0, 0]), np.zeros(5, int), 1.0, 0.0, luck_key(5, "run"), closing)
    share = queue.open_at(5) / 20_000
    np.testing.assert_allclose(share, [1, 0.7, 0.7, 0.35, 0.35], atol=0.012)
    assert np.isnan(queue.wait[np.isfinite(queue.closed)]).all()


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 8), min_size=20, max_size=20),
    st.lists(st.floats(0, 1), min_size=20, max_size=20),
    st.integers(0, 4),
)
def test_every_file_is_decided_closed_or_open(requests: list[int], closing: list[float], staff: int) -> None:
    queue = waits(np.array(requests), np.full(20, staff), 2.0, 3.0, luck_key(2, "run"), np.array(closing))
    closed = np.isfinite(queue.closed)
    assert (queue.closed[closed] <= queue.done[closed]).all()
    assert (queue.closed[closed] > queue.asked[closed]).all()
    ended = np.array([(queue.ended <= day + 1).sum() for day in range(20)])
    np.testing.assert_array_equal(queue.open_at(20), np.cumsum(requests) - ended)


def test_chances_give_back_the_closings_of_a_queue() -> None:
    requests, staff = poisson(6.0, 4, 300), constant(8, 300)
    given = np.full(300, 0.02)
    first = waits(requests, staff, 2.0, 10.0, luck_key(1, "run"), given)
    still, kept = first.open_at(300), ~np.isfinite(first.closed)
    decided = np.histogram(first.done[kept], bins=np.arange(301))[0]
    found = chances(requests, decided, still)
    assert found[50:].mean() == pytest.approx(0.02, rel=0.1)
    again = waits(requests, staff, 2.0, 10.0, luck_key(2, "run"), found)
    assert again.open_at(300)[50:].mean() == pytest.approx(still[50:].mean(), rel=0.1)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 6), min_size=12, max_size=12), st.floats(0, 0.4)),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 3),
    st.integers(0, 8),
)
def test_the_caseworkers_that_keep_up_are_those_of_a_plain_search(
    runs: list[tuple[list[int], float]], staff: int, first: int
) -> None:
    assume(any(any(requests[first:]) for requests, _ in runs))
    rules, period = QueueRules(2.0, 1.0, constant(staff, 12)), SimpleNamespace(first=first, last=11)
    asked = [
        _Asked(np.array(requests), np.full(12, closing), luck_key(k, "run"), rules)
        for k, (requests, closing) in enumerate(runs)
    ]
    found = _keeping_up(asked, period, rules)  # type: ignore[arg-type]

    def played(number: int) -> list[Any]:
        return [one.played(rules.staff, period, number) for one in asked]  # type: ignore[arg-type]

    def fails(number: int) -> int:
        waited = [queue.waiting_at(first) for queue in played(AS_IS)]
        return sum(q.waiting_at(12) > w for q, w in zip(played(number), waited, strict=True))

    spare = len(runs) - int(np.ceil(KEEPS_UP * len(runs) - 1e-9))
    assert found.staff > found.most or fails(found.staff) <= spare
    assert found.staff == 0 or fails(found.staff - 1) > spare
    ever = [queue.open_at(12)[-1] for queue in played(found.most)]
    assert found.left == spread(ever)
