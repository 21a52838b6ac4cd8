"""The same bits however a run comes about, and what scenarios of one run ask alike is worked out once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from breakrank import model
from breakrank.engine.calendar import once
from breakrank.engine.snapshot import Snapshot
from breakrank.model import MECHANISMS, Model
from tests.engine.by_hand import gone_on_with, kept, same, whole
from tests.engine.hosts import hosting
from tests.engine.worlds import Replicate, Spy, assert_same_bits, busy, count, force_of

SEED = 3


@pytest.fixture(scope="module")
def expected() -> list[Replicate]:
    """Runs 0 to 3, each by a model of its own."""
    return [fresh().replicate(SEED, run, log=True) for run in range(4)]


def fresh() -> Model:
    case = hosting()
    return Model(case, model.build(case, 1))


def test_there_is_much_to_be_equal_in(expected: list[Replicate]) -> None:
    for event in (
        "lodged",
        "evicted from a site",
        "granted asylum",
        "sent word home",
        "expelled by the host",
    ):
        assert all(count(one, event) for one in expected)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 2, 0)])
def test_in_any_order_after_any_others(order: tuple[int, ...], expected: list[Replicate]) -> None:
    one = fresh()
    for run in order:
        found = one.replicate(SEED, run, log=True)
        assert found.run == run
        assert_same_bits(found, expected[run])


def test_after_a_run_of_another_seed_and_of_another_world(expected: list[Replicate]) -> None:
    one = fresh()
    one.replicate(SEED + 1, 0)
    Model(busy(500), force_of(busy(500))).replicate(SEED, 0)
    assert_same_bits(one.replicate(SEED, 1, log=True), expected[1])


def test_whether_or_not_the_log_is_kept(expected: list[Replicate]) -> None:
    without = fresh().replicate(SEED, 2, log=False)
    assert without.events is None
    assert_same_bits(without, expected[2])


def test_whether_or_not_anybody_watches(expected: list[Replicate]) -> None:
    assert_same_bits(fresh().witnessed(SEED, 0, Spy()), expected[0])
    watched, witness = fresh().live(SEED, 0, range(0, 2_000, 3))
    assert_same_bits(watched, expected[0])
    assert witness.seen


def test_threads_that_call_for_runs_of_one_case_do_not_share_a_model(expected: list[Replicate]) -> None:
    case = hosting()
    force = model.build(case, 1)

    def life(run: int) -> Replicate:
        return model.replicate(case, force, SEED, run, log=True)

    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            for run, one in enumerate(pool.map(life, range(4))):
                assert_same_bits(one, expected[run])


CASE = busy(500, "2019-03-01")
SWITCHES = [m.name for m in MECHANISMS if f"{m.name}.on" in CASE.catalogue.parameters]


@pytest.mark.parametrize(("day", "log"), [(0, True), (22, False), (43, True), (58, True)])
def test_it_goes_on_as_if_nothing_had_been(day: int, log: bool) -> None:
    model, other = Model(CASE, force_of(CASE)), Model(CASE, force_of(CASE))
    expected, snapshot = whole(model, log), kept(model, day, log)
    assert same(gone_on_with(model, snapshot), expected), "on the model that it was made with"
    assert same(gone_on_with(model, snapshot), expected), "a second time"
    assert same(gone_on_with(other, snapshot), expected), "on another model of the same case"


def test_it_is_kept_again_and_again() -> None:
    model = Model(CASE, force_of(CASE))
    expected, snapshot = whole(model), kept(model, 9)
    for day in (19, 29, 39, 49):
        run, observer = snapshot.open(model.days)
        model.days.go_on(run, observer, snapshot.day + 1, day + 1)
        snapshot = Snapshot(model.days, run, observer)
    assert same(gone_on_with(model, snapshot), expected)


@pytest.mark.slow
@pytest.mark.parametrize("off", SWITCHES)
def test_whatever_is_switched_off(off: str) -> None:
    case = CASE.set({f"{off}.on": 0})
    model = Model(case, force_of(case))
    expected = whole(model)
    for day in (9, 40):
        assert same(gone_on_with(model, kept(model, day)), expected)


def counted(made: list[int]) -> Callable[[], int]:
    def make() -> int:
        made.append(len(made) + 1)
        return made[-1]

    return make


def test_the_same_is_made_once() -> None:
    made: list[int] = []
    for _ in range(3):
        assert once("a test of the same", (1, np.arange(3.0)), counted(made)) == 1


@pytest.mark.parametrize(
    "other",
    [
        (2, np.arange(3.0)),
        (1, np.array([0.0, 1.0, 3.0])),
        (1, np.arange(3)),
        (1, np.array([-0.0, 1.0, 2.0])),
        (1, np.arange(3.0)[None]),
        (1, np.arange(3.0), 4),
    ],
)
def test_what_differs_in_any_bit_is_made_anew(other: tuple[object, ...]) -> None:
    made: list[int] = []
    once("a test of others", (), counted([]))
    once("a test of others", (1, np.arange(3.0)), counted(made))
    assert once("a test of others", other, counted(made)) == 2
    assert once("a test of others", (1, np.arange(3.0)), counted(made)) == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"detection.wiretaps": 0},
        {"opportunity.rate": 5},
        {"grievance.shock_rate": 1},
        {"preference.opposed_at_start": 0.4},
        {"preference.rank_loyalty": 1},
        {"preference.on": 0},
    ],
)
def test_a_scenario_after_another_is_what_it_is_alone(changed: dict[str, float]) -> None:
    force = force_of(CASE)
    after = Model(CASE.set(changed), force)
    Model(CASE, force).replicate(1, 2, log=True)
    second = after.replicate(1, 2, log=True)
    Model(CASE, force).replicate(1, 3)  # what was kept is of another run now
    alone = after.replicate(1, 2, log=True)
    assert_same_bits(second, alone)
