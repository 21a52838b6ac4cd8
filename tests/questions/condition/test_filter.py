"""The filter finds luck that agrees with a record, and says without bias how likely the record is."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import Draws
from breakrank.case.luck import Luck, LuckPath
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.condition.filter import (
    LEAST,
    MOST,
    PATHS,
    ROOM,
    FilteredDraw,
    filtered,
    shared_out,
    told_on,
)
from breakrank.questions.condition.path_lives import HELD, Continued, Replayed
from breakrank.runs.worker import standard_simulator
from tests.questions.calibrate.toys import WEIGHT
from tests.questions.condition.toys import EARLY, LATE, SHIFT, TOY, case_told
from tests.questions.validate.small import small_case


def rows(case: Case, number: int, names: tuple[str, ...], values: list[float], after: dt.date) -> Case:
    """Return a case with so many rows of the same values, each with luck of its own up to a day."""
    luck = Luck(11, tuple(LuckPath(k) for k in range(number)), after)
    return case.with_draws(Draws(names, np.tile(values, (number, 1)), luck=luck))


def test_paths_that_go_on_from_a_snapshot_are_those_lived_anew_to_the_bit(tmp_path: Path) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    plain = bare(case).until("2025-04-10")
    told = Case(replace(plain.content, targets=case.targets), plain.catalogue)
    made = rows(told, 2, ("decision.habit_leave",), [7.0], told.calendar.start)
    one = filtered(made, Continued, 5, 1)
    other = filtered(made, lambda c, _, r: Replayed(standard_simulator(), c, r), 5, 1)
    for name, values in one.series.items():
        assert (values == other.series[name]).all(), name
    dates = [date for date, _ in told_on(TargetRecord.of(told), told.calendar.start, told.calendar.end)]
    assert one.taken.shape == (PATHS, len(dates))
    assert PATHS > HELD, "some were lived again where others went on from them"
    assert len(set(one.taken[:, 0].tolist())) < PATHS, "some paths were left behind"


@pytest.mark.parametrize("paths", [32, (64, 8)])
def test_the_evidence_is_the_mean_likelihood_of_luck(tmp_path: Path, paths: int | tuple[int, ...]) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 180.0)).until(LATE)
    made = rows(case, 60, (WEIGHT,), [2.0], case.calendar.start)
    found = [
        filtered(made, lambda c, _, r: Replayed(TOY, c, r), 1, run, paths).evidence.sum() for run in range(60)
    ]
    rng, n = np.random.default_rng(0), 100_000
    days = (LATE - case.calendar.start).days + 1
    bad = rng.normal(size=(n, days)) > 1.5
    who = rng.poisson(np.exp(2.0 - SHIFT), (n, days)) * np.where(bad, 8, 1)
    counts = np.stack([who[:, : (EARLY - case.calendar.start).days + 1].sum(1), who.sum(1)], 1).astype(float)
    aims = TargetRecord.of(case).aims
    exact = np.exp(sum(log_likelihood(a, counts[:, k : k + 1], ROOM) for k, a in enumerate(aims))).mean()
    mine = np.exp(found)
    error = mine.std() / np.sqrt(len(mine))
    assert mine.mean() == pytest.approx(exact, abs=4 * error)
    assert error < 0.25 * exact


def found(evidence: list[float], effective: list[float], paths: int = 32) -> FilteredDraw:
    """Return what a filter found, as far as it matters to how paths are shared out."""
    no = np.zeros((0, 0))
    return FilteredDraw(
        np.array(evidence), np.array(effective), np.zeros((paths, len(evidence)), int), no, no
    )


def test_dates_at_which_few_paths_carry_the_weight_get_many_and_dear_ones_few() -> None:
    days = np.array([30, 30, 120])
    hard, easy, long = shared_out([found([-4.0, 0.0, 0.0], [2.0, 30.0, 30.0])] * 4, days)
    assert hard > 5 * easy
    assert easy > 1.5 * long
    even = shared_out([found([0.0, -3.0, 5.0], [8.0, 8.0, 8.0])] * 4, np.array([60, 60, 60]))
    assert set(even) == {PATHS}, "only how unequal weights are matters, not how likely a figure is"
    price = np.array(shared_out([found([-1.0, -1.0, -1.0], [4.0, 8.0, 12.0])] * 4, days)) @ days
    assert price == pytest.approx(PATHS * days.sum(), rel=0.02), "together they cost as much as before"


def test_a_date_that_no_path_of_some_draws_meets_is_a_hard_one() -> None:
    missed, met = found([-16.0, 0.0], [32.0, 16.0]), found([2.0, 0.0], [3.0, 16.0])
    days = np.array([30, 30])
    assert shared_out([missed, missed, met], days)[0] > shared_out([met, met, met], days)[0]
    assert shared_out([found([0.0, 0.0], [1.0, 32.0])], np.array([1, 300])) == (MOST, LEAST)
