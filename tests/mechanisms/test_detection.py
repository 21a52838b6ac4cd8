"""How plots are found out: whom more wiretaps or harder interrogation can only add, and what leaks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine import codes
from breakrank.engine.records import record
from breakrank.mechanisms.detection import ENOUGH
from breakrank.mechanisms.plot_life import ALIVE, Plots
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, set_the_mood
from tests.mechanisms.plain_plots import some_plots

seeds = st.integers(0, 2**32)
TAKEN = (codes.EV_ARRESTED, codes.EV_CAPTURED, codes.EV_CAUGHT_HIDING, codes.EV_SURRENDERED)


def staged(
    seed: int, values: dict[str, float], watch: float = 1.0, n: int | None = None
) -> tuple[Stage, Plots]:
    stage = Stage(seed, {f"detection.{k}": v for k, v in values.items()}, {"surveillance": watch}, n=n)
    set_the_mood(stage)
    table = some_plots(stage)
    stage.any_fates(0.8)
    column(stage, "routes.hunted")[:] = stage.rng.random(stage.n) < 0.2
    return stage, table


@given(seeds, st.sampled_from([0, 1]))
def test_under_suspicion_is_who_was_overheard(seed: int, warned: int) -> None:
    stage, _ = staged(seed, {"wiretaps": 100, "warned": warned}, 3.0)
    run, before = stage.run, column(stage, "routes.hunted").copy()
    stage.play["detection"].conspire(run)
    told = rows(run.records, run.mark)
    overheard = {row[1] for row in told if row[2] == codes.EV_TAPPED}
    new = set(np.flatnonzero(column(stage, "routes.hunted") & ~before).tolist())
    assert new == overheard - set(np.flatnonzero(before).tolist())
    assert {row[1] for row in told if row[2] == codes.EV_WARNED} == (new if warned else set())
    due = stage.records.agenda
    assert {i for (_, what), who in due.items() if what == codes.DUE_WARNED for i in who} == (
        new if warned else set()
    )
    for (day, what), who in due.items():
        assert what != codes.DUE_ARREST or day >= run.day + 2
        assert what != codes.DUE_ARREST or set(who) <= new


def some_are_taken(stage: Stage) -> None:
    """Write into today's log that all kinds of things happened to people."""
    for _ in range(int(stage.rng.integers(0, 25))):
        event = int(stage.rng.choice([*TAKEN, codes.EV_RELEASED, int(stage.rng.integers(len(codes.EVENTS)))]))
        record(stage.run.records, stage.run.day, int(stage.rng.integers(stage.n)), event, -1, 0, 0.0)


def found_out(
    seed: int, values: dict[str, float], watch: float = 1.0, *, night: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return who is hunted, which plots are known, and who was overheard, after one day or night of it."""
    stage, table = staged(seed, values, watch, n=30)
    detection = stage.play["detection"]
    if night:
        some_are_taken(stage)
        detection.dusk(stage.run)
    else:
        detection.conspire(stage.run)
    heard = np.isin(
        np.arange(30),
        [row[1] for row in rows(stage.run.records, stage.run.mark) if row[2] == codes.EV_TAPPED],
    )
    return column(stage, "routes.hunted").copy(), table.leaks > 0, heard


@given(seeds, st.floats(0, 100), st.floats(0, 100), st.floats(0, 10), st.floats(0, 10))
def test_more_taps_or_more_surveillance_never_spare_anybody(
    seed: int, a: float, b: float, c: float, d: float
) -> None:
    (few, many), (low, high) = sorted((a, b)), sorted((c, d))
    for less, more in zip(
        found_out(seed, {"wiretaps": few}, low), found_out(seed, {"wiretaps": many}, high), strict=True
    ):
        assert not (less & ~more).any()


@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_harder_interrogation_never_spares_anybody(seed: int, a: float, b: float) -> None:
    less, more = (found_out(seed, {"chain": x}, night=True)[:2] for x in sorted((a, b)))
    assert all(not (one_ & ~other).any() for one_, other in zip(less, more, strict=True))


@pytest.mark.parametrize("leaks", [0, 1, ENOUGH])
def test_what_leaks_twice_gives_the_leader_away(leaks: int) -> None:
    stage, table = staged(7, {"chain": 0, "warned": 1})
    column(stage, "routes.hunted")[:] = False
    stage.set_fates((codes.SERVING,))
    table.leaks[:] = leaks
    stage.play["detection"].dusk(stage.run)
    alive = {int(table.founder[p]) for p in range(int(table.used[0])) if table.end[p] == ALIVE}
    sought = set(np.flatnonzero(column(stage, "routes.hunted")).tolist())
    assert sought == (alive if leaks >= ENOUGH else set())


def test_who_is_reported_for_a_plot_is_sought() -> None:
    stage, table = staged(7, {"chain": 0, "warned": 1})
    column(stage, "routes.hunted")[:] = False
    stage.set_fates((codes.SERVING,))
    table.leaks[:], table.end[0] = 1, ALIVE
    suspect = int(table.founder[0])
    record(stage.run.records, stage.run.day, 3, codes.EV_REPORTED, -1, suspect, 0.0)
    stage.play["detection"].dusk(stage.run)
    assert np.flatnonzero(column(stage, "routes.hunted")).tolist() == [suspect]
