"""Monotone signs where soldiers influence each other: paired worlds, the same luck, the mean of a few runs.

Exactly, world by world, these do not hold: who is arrested today cannot leave tomorrow, news of a comrade
fades, an option that grows takes from the others, and more occasions come on other days. On average over
a force they do; the same luck on both sides keeps the difference sharp, so that three runs are enough.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from breakrank.case import Case
from breakrank.model import Model
from tests.engine.hosts import effect
from tests.engine.worlds import busy, force_of

N, RUNS = 10_000, 3
Count = Callable[[dict], float]


def total(name: str) -> Count:
    return lambda series: float(series[name].sum())


def gone(series: dict) -> float:
    """Return how many have left their post."""
    return float(series["exits_state"].sum())


def outcome(k: int) -> Count:
    return lambda series: float(series["exits_rank"][:, k].sum())


QUIET, REGISTERED, OPEN = (outcome(k) for k in range(3))


def mean(case: Case, count: Count) -> float:
    """Return the mean of a count over the runs; the force is the same in all worlds."""
    model = Model(case, force_of(busy(N)))
    return sum(count(dict(model.replicate(1, run).series)) for run in range(RUNS)) / RUNS


RISES = [
    ("challenger__pull_weight", 1, 4, total("left_abroad")),
    ("word_home__weight", 0.5, 2, total("left_abroad")),
    ("comrades__reach", 0.0001, 0.02, gone),
    ("belief__weight", 0.3, 3, gone),
    ("belief__prior_mean", 0.1, 0.6, gone),
    ("belief__confide", 0.1, 0.6, total("confided")),
    ("belief__confide", 0.1, 0.6, total("reported")),
    ("grievance__shock_rate", 0.05, 0.6, total("shocks")),
    ("grievance__shock_rate", 0.05, 0.6, gone),
    ("grievance__injury_weight", 0.3, 3, gone),
    ("preference__opposed_at_start", 0.3, 0.95, gone),
    ("preference__opposed_at_start", 0.3, 0.95, total("confided")),
    ("counterintelligence__informers", 0.02, 0.2, total("reported")),
    ("counterintelligence__reward_weight", 0.5, 2, total("reported")),
    ("counterintelligence__informer_zeal", 1, 6, total("reported")),
    ("counterintelligence__effort", 0.1, 0.8, total("arrested")),
    ("counterintelligence__patron", 0.1, 0.7, total("released")),
    ("counterintelligence__patron_tier", 0.0, 0.2, total("released")),
    ("counterintelligence__death_in_custody", 0.01, 0.2, total("died_in_custody")),
    ("counterintelligence__hunt_rate", 0.5, 4, total("captured")),
    ("counterintelligence__reprisals", 0.03, 0.3, total("reprisals")),
    ("opportunity__leave_passes", 0.8, 3, gone),
    ("opportunity__errands", 0.6, 3, gone),
    ("opportunity__errand_access", 1, 6, gone),
    ("opportunity__posting_reach", 0.05, 0.6, total("left_abroad")),
    ("ways_out__lead", 0.1, 1, total("left_abroad")),
    ("ways_out__group_weight", 1, 6, total("left_abroad")),
    ("ways_out__checkpoint_risk", 0.01, 0.2, total("captured")),
    ("ways_out__declare", 0.2, 1, OPEN),
    ("ways_out__unregistered", 0.05, 0.6, QUIET),
]
FALLS = [
    ("fear__risk_weight", 1, 2.5, gone),
    ("fear__prior_mean", 0.2, 0.8, gone),
    ("fear__reprisal_weight", 0.1, 0.6, gone),
    ("decision__habit_desert", 5, 6, QUIET),
    ("decision__habit_leave", 10, 11, total("left_abroad")),
    ("decision__breadwinner", 0.1, 0.8, total("left_abroad")),
    ("preference__rents_weight", 0.5, 4, gone),
    ("counterintelligence__reluctance", 0.5, 3, total("reported")),
    ("ways_out__checkpoint_risk", 0.01, 0.2, gone),
    ("ways_out__unregistered", 0.05, 0.6, REGISTERED),
    ("ways_out__kin_slip", 0.05, 0.9, REGISTERED),
    ("ways_out__declare", 0.2, 1, REGISTERED),
    ("ways_out__slip_abroad", 0.1, 0.9, lambda series: float(series["fates"][-1, 2])),
]


@pytest.mark.parametrize(("name", "low", "high", "count"), RISES)
def test_more_of_it_raises(name: str, low: float, high: float, count: Count) -> None:
    assert mean(busy(N, **{name: low}), count) < mean(busy(N, **{name: high}), count)


@pytest.mark.parametrize(("name", "low", "high", "count"), FALLS)
def test_more_of_it_lowers(name: str, low: float, high: float, count: Count) -> None:
    assert mean(busy(N, **{name: low}), count) > mean(busy(N, **{name: high}), count)


@pytest.mark.parametrize(
    ("field", "op", "value", "count", "rises"),
    [
        ("pay", "multiply", 3, gone, False),
        ("basket", "multiply", 0.3, gone, False),
        ("scarcity", "set", 0, total("shocks"), False),
        ("scarcity", "set", 0, gone, False),
        ("protests", "multiply", 5, gone, True),
        ("surveillance", "multiply", 2, gone, False),
        ("surveillance", "multiply", 2, total("arrested"), True),
        ("revelation", "add", 10, gone, True),
        ("credibility", "add", 0.4, total("left_abroad"), True),
        ("host_word", "set", 1, total("left_abroad"), True),
        ("registration", "set", 0, total("registered"), False),
    ],
)
def test_dated_fields_work_in_their_direction(
    field: str, op: str, value: float, count: Count, rises: bool
) -> None:
    before, after = (mean(case, count) for case in (busy(N), busy(N).with_events(effect(field, op, value))))
    assert (before < after) if rises else (before > after)


def test_an_amnesty_counts_for_those_of_rank() -> None:
    def officers(series: dict) -> float:
        return float(series["crossed_rank"][:, 2:].sum())

    before = busy(N, challenger__amnesty_weight=5, preference__rents_weight=0.5)
    event = effect("amnesty", "set", 1)
    event[0]["date"] = "2019-02-26"
    assert mean(before, officers) < mean(before.with_events(event), officers)


def test_half_a_force_sees_half_of_everything() -> None:
    # sizes scale: nothing in the model is a number of soldiers per force
    large, small = (Model(busy(n), force_of(busy(n))) for n in (2 * N, N))
    for name in ("left_abroad", "confided", "shocks", "reported"):
        a = sum(float(large.replicate(1, run).series[name].sum()) for run in range(RUNS))
        b = sum(float(small.replicate(1, run).series[name].sum()) for run in range(RUNS))
        assert b / a == pytest.approx(0.5, rel=0.12), name
