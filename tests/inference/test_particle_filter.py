"""The filter finds random seeds that agree with figures, and estimates their likelihood without bias."""

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.inference.observed import ObservedTargets, log_likelihood
from breakrank.inference.particle_filter import (
    DEFAULT_BATCHES,
    HELD,
    N_KEPT,
    Batches,
    FilterResult,
    ModelParticles,
    assimilation_dates,
    not_yet_exceeded,
    run_particle_filter,
)
from breakrank.inference.simulations import bare
from breakrank.runs.worker import standard_simulator
from tests.inference.particle_toys import EARLY, LATE, SHIFT, Replayed, ToyParticles, case_told
from tests.inference.toys import WEIGHT
from tests.questions.hindcast.small import small_case


def rows(case: Case, number: int, names: tuple[str, ...], values: list[float], after: dt.date) -> Case:
    """Return a case with so many rows of the same values, each with luck of its own up to a day."""
    luck = Luck(11, tuple(LuckPath(k) for k in range(number)), after)
    return case.with_draws(Draws(names, np.tile(values, (number, 1)), luck=luck))


def test_paths_that_go_on_from_a_snapshot_are_those_lived_anew_to_the_bit(tmp_path: Path) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    plain = bare(case).until("2025-04-10")
    told = Case(replace(plain.content, targets=case.targets), plain.catalogue)
    made = rows(told, 2, ("decision.baseline_leave",), [7.0], told.calendar.start)
    batches = Batches(24, 30, 48)
    one = run_particle_filter(made, ModelParticles, 5, 1, batches)
    other = run_particle_filter(made, lambda c, _, r: Replayed(standard_simulator(), c, r), 5, 1, batches)
    for name, values in one.series.items():
        assert (values == other.series[name]).all(), name
    dates = [
        date
        for date, _ in assimilation_dates(ObservedTargets.of(told), told.calendar.start, told.calendar.end)
    ]
    assert one.ancestry.shape == (N_KEPT, len(dates))
    assert one.ancestry[:, 0].max() % 1024 >= HELD, "one went on that was not held, so it was lived again"
    assert len(set(one.ancestry[:, 0].tolist())) < N_KEPT, "some paths were left behind"


@pytest.mark.parametrize(
    "batches", [Batches(32, 32, 32), Batches(32, 32, 32, look_ahead=False), DEFAULT_BATCHES]
)
def test_the_evidence_is_the_mean_likelihood_of_luck(tmp_path: Path, batches: Batches) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 180.0)).until(LATE)
    made = rows(case, 60, (WEIGHT,), [2.0], case.calendar.start)
    found = [
        run_particle_filter(made, lambda c, _, r: ToyParticles(2.0, c, r), 1, run, batches).log_evidence.sum()
        for run in range(60)
    ]
    rng, n = np.random.default_rng(0), 100_000
    days = (LATE - case.calendar.start).days + 1
    bad = rng.normal(size=(n, days)) > 1.5
    who = rng.poisson(np.exp(2.0 - SHIFT), (n, days)) * np.where(bad, 8, 1)
    counts = np.stack([who[:, : (EARLY - case.calendar.start).days + 1].sum(1), who.sum(1)], 1).astype(float)
    aims = ObservedTargets.of(case).targets
    exact = np.exp(sum(log_likelihood(a, counts[:, k : k + 1]) for k, a in enumerate(aims))).mean()
    mine = np.exp(found)
    error = mine.std() / np.sqrt(len(mine))
    assert mine.mean() == pytest.approx(exact, abs=4 * error)
    assert error < 0.25 * exact


class Counted(ToyParticles):
    """Paths of the toy that say how many lived to each date."""

    def __init__(self, weight: float, case: Any, run: int) -> None:
        super().__init__(weight, case, run)
        self.lived: dict[dt.date, int] = {}

    def go_on(self, ancestors: Any, numbers: Any, until: dt.date, last: bool) -> Any:
        self.lived[until] = self.lived.get(until, 0) + len(ancestors)
        yield from super().go_on(ancestors, numbers, until, last)


def counted(case: Case, batches: Batches) -> tuple[FilterResult, dict[dt.date, int]]:
    """Return what a filter finds of the toy, and how many paths lived to each date."""
    made = rows(case, 1, (WEIGHT,), [2.0], case.calendar.start)
    begun: list[Counted] = []

    def begin(case: Case, _: int, run: int) -> Counted:
        begun.append(Counted(2.0, case, run))
        return begun[0]

    return run_particle_filter(made, begin, 1, 0, batches), begun[0].lived


@pytest.fixture
def exact_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare figures with runs as closely as their own error allows: the toy has no discrepancy."""
    monkeypatch.setattr("breakrank.inference.observed.DISCREPANCY", 0.0)


@pytest.mark.usefixtures("exact_model")
def test_a_date_that_few_paths_meet_is_lived_by_more_until_enough_meet_it(tmp_path: Path) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 190.0), spread=0.035).until(LATE)
    loose = case_told(tmp_path / "loose", (EARLY, 60.0), (LATE, 190.0), spread=0.5).until(LATE)
    batches = Batches(8, 6, 256)
    found, lived = counted(case, batches)
    assert all(8 < number < 256 for number in lived.values())
    assert all(number % 8 == 0 for number in lived.values())
    assert (found.ess >= 6).all()
    assert counted(loose, batches)[1] == {EARLY: 8, LATE: 8}, "one lot does where most meet it"
    stopped, lived = counted(case, Batches(8, 1000, 32))
    assert lived == {EARLY: 32, LATE: 32}
    assert len(stopped.ancestry) == 32


@pytest.mark.usefixtures("exact_model")
def test_a_count_that_only_grows_is_held_to_a_later_figure_once_it_has_passed_it(tmp_path: Path) -> None:
    case = case_told(tmp_path, (EARLY, 60.0), (LATE, 70.0), spread=0.1).until(LATE)
    record = ObservedTargets.of(case)
    (aim,) = not_yet_exceeded(record, [0], EARLY)
    assert (aim.id, aim.figures[0].low, aim.figures[0].high) == ("registered-1", -np.inf, 70.0)
    assert not_yet_exceeded(record, [0, 1], LATE) == []
    below, at, beyond = np.exp(log_likelihood(aim, np.array([[20.0], [70.0], [200.0]])))
    assert below > 0.98
    assert at == pytest.approx(0.5, abs=0.02)
    assert beyond < 0.01
    made = rows(told_loosely(tmp_path / "loose"), 1, (WEIGHT,), [2.0], case.calendar.start)
    batches = Batches(256, 256, 256)
    worth = [
        run_particle_filter(
            made, lambda c, _, r: ToyParticles(2.0, c, r), 1, 0, batches._replace(look_ahead=ahead)
        ).ess[1]
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
