"""Steps of a world: each keeps what it does not change, and together they lead to the posterior."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.free_parameters import Free
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.condition.filter import ROOM, Live, Series, lived, replayed, told_on
from breakrank.questions.condition.lives import MovedWorld, Moves, Steps, key_of
from breakrank.questions.condition.weights import Strides
from breakrank.runs.worker import Simulator, standard_simulator
from tests.questions.calibrate.toys import WEIGHT
from tests.questions.condition.toys import EARLY, FAILING, LATE, SHIFT, TOY, case_told
from tests.questions.validate.small import small_case

TURN = EARLY + dt.timedelta(days=1)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return case_told(tmp_path_factory.mktemp("toy"), (EARLY, 60.0), (LATE, 180.0))


def started(told: Case, rows: int, heaviest: float = 3.0) -> tuple[Case, Free]:
    """Return the case with draws of its prior that have a path of luck each."""
    free = Free.of(told)
    values = free.values(free.drawn(3, "rows", np.arange(4 * rows)))
    values = values[values[:, free.names.index(WEIGHT)] < heaviest][:rows]
    paths = tuple(LuckPath(k, ((TURN, 1_000 + k),)) for k in range(rows))
    draws = Draws(free.names, values, luck=Luck(5, paths, told.calendar.end))
    return told.with_draws(draws), free


def steps(case: Case, free: Free, run: int, first: int, number: int, maker: Simulator = TOY) -> MovedWorld:
    assert case.draws is not None
    return Steps(case, partial(replayed, maker), run, moves(free, first, number)).taken(
        case.draws.values[run]
    )


def moves(free: Free, first: int, number: int) -> Moves:
    return Moves(free, first, number, Strides.unknown(len(free.names)))


def moved_to(case: Case, world: MovedWorld) -> Case:
    """Return the case with the one row that a world has got to."""
    assert case.draws is not None
    assert case.draws.luck is not None
    path = world.path(case.draws.luck.paths[0])
    luck = replace(case.draws.luck, paths=(path,))
    return case.with_draws(Draws(case.draws.names, world.values[None], luck=luck))


def test_a_step_changes_a_few_parameters_or_one_part_of_the_luck(told: Case) -> None:
    case, free = started(told, 1)
    seen = set()
    for step in range(60):
        before = case.draws
        assert before is not None
        assert before.luck is not None
        world = steps(case, free, 0, step, 1)
        (path,) = before.luck.paths
        changed = world.values != before.values[0]
        (tried,) = moves(free, step, 1).changed(key_of(before.luck, 0))
        assert not (changed & ~tried).any()
        values = int(changed.sum())
        numbers = int((world.numbers != [path.first, path.turns[0][1]]).sum())
        assert (values == 0) or (numbers == 0)
        assert numbers <= 1
        assert tried.sum() <= 2
        assert not (numbers and tried.any())
        assert bool(world.taken[0]) or (values, numbers) == (0, 0)
        assert world.path(path).turns[0][0] == TURN
        seen.add((values > 0, numbers > 0))
        case = moved_to(case, world)
    assert seen == {(False, False), (True, False), (False, True)}


def test_a_world_is_what_its_values_and_its_luck_count(told: Case) -> None:
    case, free = started(told, 1)
    world = steps(case, free, 0, 0, 30)
    again = steps(moved_to(case, world), free, 0, 30, 0)
    assert again.logs[0] == world.logs[-1]
    assert (again.counts == world.counts).all()
    assert world.counts[0] < world.counts[1]
    cut = steps(case, free, 0, 0, 18)
    rest = steps(moved_to(case, cut), free, 0, 18, 12)
    assert (rest.values == world.values).all()
    assert (rest.numbers == world.numbers).all()


def test_rows_take_steps_of_their_own(told: Case) -> None:
    case, free = started(told, 2)
    assert case.draws is not None
    assert case.draws.luck is not None
    same = replace(case.draws, values=case.draws.values[[0, 0]])
    path = case.draws.luck.paths[0]
    case = case.with_draws(replace(same, luck=replace(case.draws.luck, paths=(path, path))))
    one, other = (steps(case, free, run, 0, 40) for run in (0, 1))
    assert (one.values != other.values).any()
    fresh = [set(world.numbers.tolist()) - {path.first, path.turns[0][1]} for world in (one, other)]
    assert not fresh[0] & fresh[1]


def test_nobody_goes_where_no_world_can_be_lived(told: Case) -> None:
    case, free = started(told, 1, heaviest=2.0)
    column, seen = free.names.index(WEIGHT), []
    for step in range(0, 120, 4):
        world = steps(case, free, 0, step, 4, FAILING)
        seen.append(world.values[column])
        case = moved_to(case, world)
    assert max(seen) <= 2
    assert len(set(seen)) > 2


def test_lives_that_end_early_lead_where_whole_lives_do_to_the_bit(tmp_path: Path) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    plain = bare(case).until("2025-04-10")
    free = Free.of(case)
    rows = free.values(free.drawn(1, "rows", np.arange(40)))
    most = np.argmin(rows[:, free.names.index("decision.baseline_leave")])
    free = replace(free, names=free.names[:12], priors=free.priors[:12])
    told = Case(replace(plain.content, targets=case.targets), plain.catalogue)
    luck = Luck(11, (LuckPath(3, ((TURN, 4),)),), told.calendar.end)
    made = told.with_draws(Draws(free.names, rows[[most]], luck=luck))
    assert made.draws is not None
    days = [0, 0]

    def counting(
        which: int, live: Live, case: Case, dates: Sequence[dt.date], names: Set[str]
    ) -> Iterator[Series]:
        for _, series in zip(dates, live(case, dates, names), strict=True):
            days[which] += 1
            yield series

    lives: tuple[Live, Live] = (lived, partial(replayed, standard_simulator()))
    early, whole = (
        Steps(made, partial(counting, k, live), 0, moves(free, 0, 24)).taken(made.draws.values[0])
        for k, live in enumerate(lives)
    )
    for name, values in early.series.items():
        assert (values == whole.series[name]).all(), name
    assert 0 < early.taken.sum() < 24
    assert days[0] < 25 * len(told_on(TargetRecord.of(made), told.calendar.start, told.calendar.end))


@pytest.mark.thorough
def test_steps_lead_to_the_posterior_from_anywhere(told: Case) -> None:
    rng, n = np.random.default_rng(0), 60_000
    weight, days = rng.uniform(0.5, 3, n), (LATE - told.calendar.start).days + 1
    bad = rng.normal(size=(n, days)) > 1.5
    who = rng.poisson(np.exp(weight - SHIFT)[:, None], (n, days)) * np.where(bad, 8, 1)
    early = (EARLY - told.calendar.start).days + 1
    counts = np.stack([who[:, :early].sum(1), who.sum(1)], axis=1).astype(float)
    aims = TargetRecord.of(told).aims
    p = np.exp(
        np.sum([log_likelihood(aim, counts[:, k : k + 1], ROOM) for k, aim in enumerate(aims)], axis=0)
    )
    mean = float(p @ weight / p.sum())
    spread = float(np.sqrt(p @ (weight - mean) ** 2 / p.sum()))
    case, free = started(told, 12)
    column, found = free.names.index(WEIGHT), []
    for row in range(12):
        world: Any = None
        one = case.with_draws(_row(case, row))
        for first in range(0, 400, 4):
            world = steps(one, free, 0, first, 4)
            one = moved_to(one, world)
            if first >= 100:
                found.append(world.values[column])
    assert np.mean(found) == pytest.approx(mean, abs=0.35 * spread)
    assert np.std(found) == pytest.approx(spread, rel=0.3)


def _row(case: Case, row: int) -> Draws:
    draws = case.draws
    assert draws is not None
    assert draws.luck is not None
    luck = replace(draws.luck, paths=(draws.luck.paths[row],), seed=draws.luck.seed + row)
    return Draws(draws.names, draws.values[[row]], luck=luck)
