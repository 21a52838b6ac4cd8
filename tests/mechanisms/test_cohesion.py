"""Cohesion: what a unit thinks is counted as it should be, weighs what is said, and touches nothing else."""

from collections.abc import Mapping

import numpy as np
import pytest

from breakrank.engine.run import Run
from breakrank.mechanisms.civil_war.cohesion import Cohesion, of_one_mind
from breakrank.mechanisms.preference import margins
from tests.mechanisms import files
from tests.validation.signs import Scene, land

LIVELY = {"decision.baseline_desert": 4.5, "decision.baseline_leave": 4.5}


def scene(n: int = 800, **values: float) -> Scene:
    dotted = {name.replace("__", "."): value for name, value in values.items()}
    others = files.off_but("cohesion")
    return Scene(land(n, "2019-01-20", LIVELY | others | dotted, *files.EVERY.split(", ")))


def test_the_norm_shifts_nothing_on_average() -> None:
    world = scene(cohesion__norm_weight=3, cohesion__sorting=0.6)
    world.live(1)
    size = np.bincount(world.world.force.unit, minlength=len(world.world.force.units))
    norm = world.the(Cohesion).thought.norm
    assert abs(float((norm * size).sum())) < 1e-9
    assert norm.std() > 0.3


def test_solidarity_has_the_sign_of_the_majority() -> None:
    world = scene(cohesion__solidarity_weight=2, cohesion__sorting=0.7, preference__opposed_at_start=0.5)
    run = Run(world.world, 1, 2, True, world.days.rows)
    world.days.begin(run)
    run.open_day(0)
    world.days.phase["dawn"](run)
    force, cohesion = world.world.force, world.the(Cohesion)
    share, likeness = of_one_mind(force.unit, len(force.units), margins(run))
    minded = likeness > 0
    assert (np.sign(cohesion.thought.solidarity) == np.sign(2 * share - 1))[minded].all()
    assert {-1, 1} <= set(np.sign(cohesion.thought.solidarity))


def dispositions(n: int, number: int, **values: float) -> tuple[np.ndarray, Scene]:
    world = scene(n, **values)
    return world.live(number).column("preference.disposition", np.float32).copy(), world


def test_sorting_moves_variance_between_units_and_adds_none() -> None:
    between, total = [], []
    for number in range(6):
        drawn, world = dispositions(8_000, number, cohesion__sorting=0.4, preference__rank_loyalty=0)
        unit = world.world.force.unit
        size = np.bincount(unit)
        of = np.bincount(unit, drawn) / np.maximum(size, 1)
        large = size >= 30
        between.append(float(of[large].var(ddof=1) - (0.6 / size[large]).mean()))
        total.append(float(drawn.var()))
    assert np.mean(between) == pytest.approx(0.4, abs=0.1)
    assert np.mean(total) == pytest.approx(1.0, abs=0.1)


def test_sorting_leaves_the_means_of_the_ranks_alone() -> None:
    values = {"preference__rank_loyalty": 1.0, "cohesion__sorting": 0.3}
    runs = [dispositions(4_000, number, **values) for number in range(6)]
    force, tier = runs[0][1].world.force, runs[0][1].world.tier
    for rank in range(3):
        of = np.mean([drawn[force.rank == rank].mean() for drawn, _ in runs])
        assert of == pytest.approx(-tier[rank], abs=0.3)


def same_lives(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    runs = [scene(2_000, **values).live(3) for values in (one, other)]
    a, b = (r.records for r in runs)
    return all(
        x[: len(y)].tobytes() == y.tobytes()
        for x, y in (
            (a.fate, b.fate),
            (a.event[: a.cursor[0]], b.event[: b.cursor[0]]),
            (a.who[: a.cursor[0]], b.who[: b.cursor[0]]),
            (a.day[: a.cursor[0]], b.day[: b.cursor[0]]),
        )
    )


NOTHING = {"cohesion__norm_weight": 0.0, "cohesion__solidarity_weight": 0.0, "cohesion__sorting": 0.0}


def test_without_weights_it_is_as_if_it_were_not_there() -> None:
    assert same_lives(NOTHING, {"cohesion__on": 0})
    assert same_lives({"cohesion__sorting": 0.9, "cohesion__on": 0}, {"cohesion__on": 0})
    assert not same_lives(NOTHING | {"cohesion__norm_weight": 6, "cohesion__sorting": 0.5}, NOTHING)


def test_where_all_are_alike_nothing_is_sorted() -> None:
    alike = [dispositions(800, 0, preference__on=0, cohesion__sorting=s)[0] for s in (0.0, 0.5)]
    assert alike[0].tobytes() == alike[1].tobytes()
