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
from breakrank.questions.condition.filter import PATHS, ROOM, Continued, Replayed, filtered, told_on
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
    assert len(set(one.taken[:, 0].tolist())) < PATHS, "some paths were left behind"


def test_the_evidence_is_the_mean_likelihood_of_luck(tmp_path: Path) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 180.0)).until(LATE)
    made = rows(case, 60, (WEIGHT,), [2.0], case.calendar.start)
    found = [filtered(made, lambda c, _, r: Replayed(TOY, c, r), 1, run).evidence.sum() for run in range(60)]
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
