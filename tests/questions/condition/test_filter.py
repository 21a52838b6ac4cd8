"""The filter finds luck that agrees with a record, and says without bias how likely the record is."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.condition.filter import (
    ALIVE,
    HELD,
    LEFT,
    ROOM,
    Continued,
    FilteredDraw,
    Lots,
    filtered,
    passing,
    told_on,
)
from breakrank.runs.worker import standard_simulator
from tests.questions.calibrate.toys import WEIGHT
from tests.questions.condition.toys import EARLY, LATE, SHIFT, Replayed, ToyLives, case_told
from tests.questions.validate.small import small_case


def rows(case: Case, number: int, names: tuple[str, ...], values: list[float], after: dt.date) -> Case:
    """Return a case with so many rows of the same values, each with luck of its own up to a day."""
    luck = Luck(11, tuple(LuckPath(k) for k in range(number)), after)
    return case.with_draws(Draws(names, np.tile(values, (number, 1)), luck=luck))


def test_paths_that_go_on_from_a_snapshot_are_those_lived_anew_to_the_bit(tmp_path: Path) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    plain = bare(case).until("2025-04-10")
    told = Case(replace(plain.content, targets=case.targets), plain.catalogue)
    made = rows(told, 2, ("decision.baseline_leave",), [7.0], told.calendar.start)
    lots = Lots(24, 30, 48)
    one = filtered(made, Continued, 5, 1, lots)
    other = filtered(made, lambda c, _, r: Replayed(standard_simulator(), c, r), 5, 1, lots)
    for name, values in one.series.items():
        assert (values == other.series[name]).all(), name
    dates = [date for date, _ in told_on(TargetRecord.of(told), told.calendar.start, told.calendar.end)]
    assert one.taken.shape == (LEFT, len(dates))
    assert one.taken[:, 0].max() % 1024 >= HELD, "one went on that was not held, so it was lived again"
    assert len(set(one.taken[:, 0].tolist())) < LEFT, "some paths were left behind"


@pytest.mark.parametrize("lots", [Lots(32, 32, 32), Lots(32, 32, 32, ahead=False), ALIVE])
def test_the_evidence_is_the_mean_likelihood_of_luck(tmp_path: Path, lots: Lots) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 180.0)).until(LATE)
    made = rows(case, 60, (WEIGHT,), [2.0], case.calendar.start)
    found = [
        filtered(made, lambda c, _, r: ToyLives(2.0, c, r), 1, run, lots).evidence.sum() for run in range(60)
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


class Counted(ToyLives):
    """Paths of the toy that say how many lived to each date."""

    def __init__(self, weight: float, case: Any, run: int) -> None:
        super().__init__(weight, case, run)
        self.lived: dict[dt.date, int] = {}

    def on(self, ancestors: Any, numbers: Any, until: dt.date, last: bool) -> Any:
        self.lived[until] = self.lived.get(until, 0) + len(ancestors)
        yield from super().on(ancestors, numbers, until, last)


def counted(case: Case, lots: Lots) -> tuple[FilteredDraw, dict[dt.date, int]]:
    """Return what a filter finds of the toy, and how many paths lived to each date."""
    made = rows(case, 1, (WEIGHT,), [2.0], case.calendar.start)
    begun: list[Counted] = []

    def begin(case: Case, _: int, run: int) -> Counted:
        begun.append(Counted(2.0, case, run))
        return begun[0]

    return filtered(made, begin, 1, 0, lots), begun[0].lived


def test_a_date_that_few_paths_meet_is_lived_by_more_until_enough_meet_it(tmp_path: Path) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 190.0), spread=0.02).until(LATE)
    loose = case_told(tmp_path / "loose", (EARLY, 60.0), (LATE, 190.0), spread=0.5).until(LATE)
    lots = Lots(8, 6, 256)
    found, lived = counted(case, lots)
    assert all(8 < number < 256 for number in lived.values())
    assert all(number % 8 == 0 for number in lived.values())
    assert (found.effective >= 6).all()
    assert counted(loose, lots)[1] == {EARLY: 8, LATE: 8}, "one lot does where most meet it"
    stopped, lived = counted(case, Lots(8, 1000, 32))
    assert lived == {EARLY: 32, LATE: 32}
    assert len(stopped.taken) == 32


def test_a_count_that_only_grows_is_held_to_a_later_figure_once_it_has_passed_it(
    tmp_path: Path,
) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 70.0), spread=0.1).until(LATE)
    record = TargetRecord.of(case)
    (aim,) = passing(record, [0], EARLY)
    assert (aim.id, aim.figures[0].low, aim.figures[0].high) == ("registered-1", -np.inf, 70.0)
    assert passing(record, [0, 1], LATE) == []
    below, at, beyond = np.exp(log_likelihood(aim, np.array([[20.0], [70.0], [200.0]]), ROOM))
    assert below > 0.98
    assert at == pytest.approx(0.5, abs=0.02)
    assert beyond < 0.01
    made = rows(told_loosely(tmp_path / "loose"), 1, (WEIGHT,), [2.0], case.calendar.start)
    lots = Lots(256, 256, 256)
    worth = [
        filtered(made, lambda c, _, r: ToyLives(2.0, c, r), 1, 0, lots._replace(ahead=ahead)).effective[1]
        for ahead in (True, False)
    ]
    assert worth[0] > 1.3 * worth[1], "who had passed it was left behind in time"


def told_loosely(folder: Path) -> Case:
    """Return the toy's case, told a day before a count is due that a third has passed already."""
    eve = LATE - dt.timedelta(days=15)
    case = case_told(folder, (eve, 115.0), (LATE, 115.0), spread=0.1).until(LATE)
    early, late = case.targets
    loose = early.model_copy(update={"spread": 1.0})
    return Case(replace(case.content, targets=(loose, late)), case.catalogue)
