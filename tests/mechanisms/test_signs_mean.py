"""Monotone signs where soldiers influence each other: paired worlds, the same luck, the mean of a few runs.

Exactly, world by world, these do not hold: who is arrested today cannot leave tomorrow, news of a comrade
fades, an option that grows takes from the others, and more occasions come on other days. On average over
a force they do; the same luck on both sides keeps the difference sharp, so that three runs are enough.
What holds exactly (`test_signs_exact`) or is asked by the short examination is not asked again.
"""

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


QUIET, REGISTERED, _ = (outcome(k) for k in range(3))


def mean(case: Case, count: Count) -> float:
    """Return the mean of a count over the runs; the force is the same in all worlds."""
    model = Model(case, force_of(busy(N)))
    return sum(count(dict(model.replicate(1, run).series)) for run in range(RUNS)) / RUNS


RISES = [
    ("belief__confide", 0.1, 0.6, total("confided")),
    ("belief__confide", 0.1, 0.6, total("reported")),
    ("grievance__shock_rate", 0.05, 0.6, total("shocks")),
    ("grievance__shock_rate", 0.05, 0.6, gone),
    ("grievance__injury_weight", 0.3, 3, gone),
    ("counterintelligence__reward_weight", 0.5, 2, total("reported")),
    ("counterintelligence__patron", 0.1, 0.7, total("released")),
    ("counterintelligence__patron_tier", 0.0, 0.2, total("released")),
    ("counterintelligence__death_in_custody", 0.01, 0.2, total("died_in_custody")),
    ("opportunity__rate", 1.5, 6, gone),
    ("opportunity__posting_reach", 0.05, 0.6, total("left_abroad")),
    ("routes__joint_exit_weight", 1, 6, total("left_abroad")),
    ("routes__checkpoint_risk", 0.01, 0.2, total("captured")),
    ("routes__unregistered", 0.05, 0.6, QUIET),
]
FALLS = [
    ("fear__prior_mean", 0.2, 0.8, gone),
    ("preference__rents_weight", 0.5, 4, gone),
    ("counterintelligence__reluctance", 0.5, 3, total("reported")),
    ("routes__unregistered", 0.05, 0.6, REGISTERED),
    ("routes__kin_slip", 0.05, 0.9, REGISTERED),
    ("routes__slip_abroad", 0.1, 0.9, lambda series: float(series["fates"][-1, 2])),
]


@pytest.mark.parametrize(
    ("name", "low", "high", "count"),
    [*RISES, *((name, high, low, what) for name, low, high, what in FALLS)],
)
def test_a_parameter_works_in_its_direction(name: str, low: float, high: float, count: Count) -> None:
    assert mean(busy(N, **{name: low}), count) < mean(busy(N, **{name: high}), count)


@pytest.mark.parametrize(
    ("field", "op", "value", "count", "rises"),
    [
        ("basket", "multiply", 0.3, gone, False),
        ("protests", "multiply", 5, gone, True),
        ("surveillance", "multiply", 2, total("arrested"), True),
    ],
)
def test_dated_fields_work_in_their_direction(
    field: str, op: str, value: float, count: Count, rises: bool
) -> None:
    before, after = (mean(case, count) for case in (busy(N), busy(N).with_events(effect(field, op, value))))
    assert (before < after) if rises else (before > after)
