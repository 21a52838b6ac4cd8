"""Leaving the service at home, in the open: who may, what it costs, what follows, and in which direction."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.engine import codes
from breakrank.engine.records import schedule
from breakrank.mechanisms.grievance import Burden
from breakrank.model import Model, Replicate
from tests.engine.hosts import effect
from tests.engine.stage import Stage
from tests.engine.worlds import assert_same_bits, force_of, in_full, live, lively, lives, openly, rows

N = 6_000
RARE = 12.0
"""Log-odds against resigning, at which a few in a hundred go in half a year."""


@cache
def small(**values: float) -> Case:
    """Return the lively country, small, for half a year; names of `values` have ``__`` for the dot."""
    dotted = {name.replace("__", "."): value for name, value in values.items()}
    return in_full(lively().set({"force.strength": N, "decision.baseline_resign": RARE, **dotted})).until(
        "2019-06-30"
    )


def free(**values: float) -> Case:
    """Return it with all branches free to resign and to refuse."""
    return openly(small(**values))


Count = Callable[[Replicate], float]


def resigned(replicate: Replicate) -> float:
    return float(replicate.series["exits_rank"][:, 3].sum())


def crossed(replicate: Replicate) -> float:
    return float(replicate.series["left_abroad"].sum())


def crossed_as_soldiers(replicate: Replicate) -> float:
    told = rows(replicate)
    free = {row[1] for row in told if row[2] == "resigned"}
    return float(sum(row[2] == "crossed" and row[1] not in free for row in told))


def of_family(some: bool) -> Count:
    """Return how many resigned who feed somebody, or who feed nobody."""

    def count(replicate: Replicate) -> float:
        force = force_of(small())
        feeds = dict(zip(force.identity.tolist(), (force.dependants > 0).tolist(), strict=True))
        return float(
            sum(
                feeds[row[1]] == some for row in rows(replicate) if row[2] in ("resigned", "refused an order")
            )
        )

    return count


@cache
def worlds(case: Case) -> tuple[Replicate, ...]:
    model = Model(case, force_of(small()))
    return tuple(model.replicate(1, run, log=True) for run in range(3))


def ratio(case: Case, count: Count, base: Case | None = None) -> float:
    """Return the mean of a count relative to that without a change, under the same random numbers."""
    before = base or free()
    return sum(map(count, worlds(case))) / sum(map(count, worlds(before)))


def test_where_nobody_may_resign_no_offer_and_no_exposure_changes_anything() -> None:
    plain = small()
    changed = plain.with_events([*effect("offer", "add", 12), {**effect("exposure", "set", 1)[0], "id": "b"}])
    changed = changed.set({"decision.baseline_resign": 0, "decision.open_risk": 1})
    assert_same_bits(live(plain), live(changed))


def test_only_who_may_resigns_and_only_who_may_refuses() -> None:
    neither, one, other = (openly(small(), *may) for may in ((False, False), (True, False), (False, True)))
    told = [{row[2] for row in rows(worlds(case)[0])} for case in (neither, one, other)]
    assert not told[0] & {"resigned", "refused an order", "dismissed"}
    assert "resigned" in told[1]
    assert "refused an order" not in told[1]
    assert "refused an order" in told[2]
    assert not told[2] & {"resigned", "dismissed"}


def test_a_fund_lets_more_resign_and_a_contract_fewer() -> None:
    fund, contract = (free().with_events(effect("offer", "add", months)) for months in (6, -6))
    assert 1.1 < ratio(fund, resigned) < 2.2
    assert 0.4 < ratio(contract, resigned) < 0.95
    assert ratio(fund, of_family(True)) > ratio(fund, of_family(False)), "pay feeds a family"


def test_who_resigns_draws_nobody_else_abroad_where_it_is_paid_for() -> None:
    may = openly(small(), refuses=False)
    fund = may.with_events(effect("offer", "add", 6))
    assert ratio(fund, resigned, may) > 1.1
    assert ratio(fund, crossed_as_soldiers, may) < 1.05, "who would have crossed resigns, and is weak news"


def test_surveillance_deters_from_resigning_and_more_so_from_crossing() -> None:
    watched = free().with_events(effect("surveillance", "multiply", 2))
    assert ratio(watched, crossed) < ratio(watched, resigned) < 0.98


def test_where_names_become_known_families_hold_back_most_and_suffer() -> None:
    known = free().with_events(effect("exposure", "set", 1))
    assert ratio(known, of_family(True)) < ratio(known, of_family(False)) < 1
    assert ratio(known, lambda one: float(one.series["reprisals"].sum())) > 1


def test_better_pay_keeps_people() -> None:
    assert 0.6 < ratio(free().with_events(effect("pay", "multiply", 1.5)), resigned) < 0.99


def test_the_right_to_resign_draws_more_and_a_crime_fewer() -> None:
    assert ratio(free(decision__open_risk=0), resigned) > 1.02
    assert ratio(free(decision__open_risk=1), resigned) < 0.98


def test_where_resigning_is_a_right_nobody_is_taken_for_it() -> None:
    right = openly(small(decision__open_risk=0, counterintelligence__capture_rate=6), refuses=False)
    crime = openly(small(decision__open_risk=1, counterintelligence__capture_rate=6), refuses=False)

    def taken(case: Case) -> int:
        return sum(row[2] == "arrested" and row[5] == codes.HAD_RESIGNED for row in rows(worlds(case)[0]))

    assert taken(right) == 0 < taken(crime)


def test_leaving_the_country_comes_later_and_counts_once() -> None:
    replicate = worlds(free(routes__slip_abroad=1))[0]
    waits = []
    for life in lives(replicate).values():
        days = {row[2]: row[0] for row in life}
        went = [row[0] for row in life if row[2] == "left for the border" and row[5] == codes.AS_CIVILIAN]
        if went:
            waits.append(
                went[0] - min(days[e] for e in ("resigned", "refused an order", "dismissed") if e in days)
            )
    assert min(waits) >= 1
    assert 25 < float(np.mean(waits)) < 70, "60 on average, less what the calendar cuts off"
    assert crossed(replicate) > crossed(worlds(free(routes__slip_abroad=0))[0])


def test_who_refuses_carries_no_order_out() -> None:
    stage = Stage(1, {"decision.baseline_resign": 0}, n=40)
    stage.days.begin(stage.run)
    service = stage.play["decision"].service
    burden = stage.run.view(Burden)
    unit = int(stage.world.force.unit[0])
    service.refuses[:], burden.given[unit], burden.orders[unit] = True, True, 2.0
    stage.run.share(service)
    who = np.flatnonzero(stage.world.force.unit == unit).astype(np.int32)
    moments = stage.moments(who, codes.ORDERED)
    moments.choice[:] = codes.RESIGN
    moments.count[codes.RESIGN] = len(who)
    stage.play["decision"].act(stage.run, moments)
    assert burden.orders[unit] == pytest.approx(1.0), "all of them refused one order"
    assert (stage.run.records.fate[who] == codes.RESIGNED).all()


def test_who_is_held_on_a_report_is_dismissed_where_resigning_is_a_right() -> None:
    never = dict.fromkeys(("patron", "patron_tier", "death_in_custody"), 0)
    chances = {f"counterintelligence.{name}": chance for name, chance in never.items()}
    stage = Stage(1, {**chances, "decision.open_risk": 0}, n=30)
    stage.set_fates((codes.DETAINED,))
    right = stage.play["decision"].service
    right.resigns[:] = True
    stage.run.share(right)
    service = stage.play["counterintelligence"]
    service.custody.fugitive[:10], service.custody.plotter[10:20] = True, True
    for i in range(30):
        schedule(stage.run.records, 0, codes.DUE_VERDICT, i)
    service.dawn(stage.run)
    assert stage.run.records.fate.tolist() == [codes.IMPRISONED] * 20 + [codes.RESIGNED] * 10
