"""How plots are found out, told plainly: taps, interrogation, and whom more of either can only add."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.books import record
from breakrank.engine.codes import (
    DUE_ARREST,
    DUE_WARNED,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_NAMED,
    EV_RELEASED,
    EV_SURRENDERED,
    EV_TAPPED,
    EV_WARNED,
    EVENTS,
    SERVING,
)
from breakrank.mechanisms.plot_table import ALIVE, MEMBER, Plots
from tests.engine.plain_books import PlainBooks, rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, four, one, set_the_mood, tier
from tests.mechanisms.plain_plots import people, some_plots

seeds = st.integers(0, 2**32)
TAKEN = (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED)


class Service:
    """What the service knows, told plainly."""

    def __init__(self, stage: Stage, table: Plots) -> None:
        self.stage, self.table, self.books = stage, table, stage.books
        self.hunted = column(stage, "ways_out.hunted").tolist()
        self.known = table.known.tolist()

    def whom(self, plot: int) -> int:
        return int(self.stage.force.identity[self.table.founder[plot]])

    def suspect(self, i: int, plot: int) -> None:
        day, founder = self.stage.run.day, int(self.table.founder[plot])
        self.known[plot] = True
        if self.hunted[i]:
            return
        self.hunted[i] = True
        hears, wait, _, _ = four(self.stage, "detection.suspect", i, self.whom(plot), day)
        if hears < self.stage.world["detection.warned"]:
            self.books.record(day, i, EV_WARNED, other=founder)
            self.books.schedule(day + 1, DUE_WARNED, i)
        self.books.schedule(day + 2 + int(-2 * math.log(wait)), DUE_ARREST, i)

    def assert_same(self) -> None:
        self.books.assert_same(self.stage.run.books)
        assert column(self.stage, "ways_out.hunted").tolist() == self.hunted
        assert self.table.known.tolist() == self.known


def staged(
    seed: int, values: dict[str, float], watch: float = 1.0, n: int | None = None
) -> tuple[Stage, Plots]:
    stage = Stage(seed, {f"detection.{k}": v for k, v in values.items()}, {"surveillance": watch}, n=n)
    set_the_mood(stage)
    table = some_plots(stage)
    stage.any_fates(0.8)
    column(stage, "ways_out.hunted")[:] = stage.rng.random(stage.n) < 0.2
    return stage, table


@settings(max_examples=120, deadline=None)
@given(seeds, st.floats(0, 100), st.floats(0, 1), st.floats(0, 1), st.floats(0, 5))
def test_taps_agree_with_a_plain_telling(
    seed: int, taps: float, tradecraft: float, warned: float, watch: float
) -> None:
    stage, table = staged(seed, {"taps": taps, "tradecraft": tradecraft, "warned": warned}, watch)
    run, detection = stage.run, stage.play["detection"]
    trained = detection.trained.tolist()
    service = Service(stage, table)
    before = list(service.hunted)
    for plot in range(int(table.used[0])):
        if table.end[plot] != ALIVE or table.largest[plot] < 2:
            continue
        for row in people(table, plot):
            i, via = int(table.member[row]), int(table.via[row])
            if table.role[row] != MEMBER or run.books.fate[i] != SERVING or before[i]:
                continue
            heard, both, _, _ = four(stage, "detection.tap", i, service.whom(plot), run.day)
            if heard < taps / 365.25 * watch * (tradecraft if trained[i] else 1):
                service.books.record(run.day, i, EV_TAPPED, other=int(table.founder[plot]))
                service.suspect(i, plot)
                if via >= 0 and both < 0.5 and run.books.fate[table.member[via]] == SERVING:
                    service.suspect(int(table.member[via]), plot)
    detection.conspire(run)
    service.assert_same()


def some_are_taken(stage: Stage) -> None:
    """Write into today's log that all kinds of things happened to people."""
    for _ in range(int(stage.rng.integers(0, 25))):
        event = int(stage.rng.choice([*TAKEN, EV_RELEASED, int(stage.rng.integers(len(EVENTS)))]))
        record(stage.run.books, stage.run.day, int(stage.rng.integers(stage.n)), event, -1, 0, 0.0)


def neighbours(table: Plots, i: int) -> list[tuple[int, int]]:
    """Return who is next to someone in his plots: positions and plots, latest of his memberships first."""
    mine = [r for r in range(int(table.used[1]) - 1, -1, -1) if table.member[r] == i]
    return [
        (int(table.member[row]), int(table.plot[own]))
        for own in mine
        for row in people(table, int(table.plot[own]))
        if table.via[row] == own or table.via[own] == row
    ]


@settings(max_examples=120, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_interrogation_agrees_with_a_plain_telling(seed: int, chance: float, warned: float) -> None:
    stage, table = staged(seed, {"interrogation": chance, "warned": warned})
    run = stage.run
    some_are_taken(stage)
    service = Service(stage, table)
    before = list(service.hunted)
    for _, i, event, *_ in rows(run.books, run.mark):
        if event == EV_RELEASED:
            service.hunted[i] = before[i] = False
        for j, plot in neighbours(table, i) if event in TAKEN else []:
            if run.books.fate[j] != SERVING or before[j]:
                continue
            if four(stage, "detection.name", i, int(stage.force.identity[j]), run.day)[0] < chance:
                service.books.record(run.day, j, EV_NAMED, other=i)
                service.suspect(j, plot)
    stage.play["detection"].dusk(run)
    service.assert_same()


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_whoever_is_named_is_next_in_the_chain_and_whoever_is_warned_decides_tomorrow(seed: int) -> None:
    stage, table = staged(seed, {"interrogation": 1, "warned": 1})
    run = stage.run
    some_are_taken(stage)
    before = int(run.books.cursor[0])
    stage.play["detection"].dusk(run)
    told = rows(run.books, before)
    for _, j, event, _, i, _ in told:
        if event == EV_NAMED:
            assert j in {k for k, _ in neighbours(table, i)}
            assert i in {k for k, _ in neighbours(table, j)}
    warned = {row[1] for row in told if row[2] == EV_WARNED}
    assert warned <= set(PlainBooks(run.books).due(run.day + 1, DUE_WARNED))
    arrests = [day for (day, what), who in stage.books.agenda.items() if what == DUE_ARREST and who]
    assert all(day >= run.day + 2 for day in arrests), "the warned have a day"


def found_out(
    seed: int,
    values: dict[str, float],
    watch: float = 1.0,
    *,
    night: bool = False,
    trained: bool | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return who is hunted, which plots are known, and who was overheard, after one day or night of it."""
    stage, table = staged(seed, values, watch, n=30)
    detection = stage.play["detection"]
    if trained is not None:
        detection.trained[:] = trained
    if night:
        some_are_taken(stage)
        detection.dusk(stage.run)
    else:
        detection.conspire(stage.run)
    heard = np.isin(
        np.arange(30), [row[1] for row in rows(stage.run.books, stage.run.mark) if row[2] == EV_TAPPED]
    )
    return column(stage, "ways_out.hunted").copy(), table.known.copy(), heard


@settings(max_examples=150, deadline=None)
@given(seeds, st.floats(0, 100), st.floats(0, 100), st.floats(0, 10), st.floats(0, 10))
def test_more_taps_or_more_surveillance_never_spare_anybody(
    seed: int, a: float, b: float, c: float, d: float
) -> None:
    (few, many), (low, high) = sorted((a, b)), sorted((c, d))
    for less, more in zip(
        found_out(seed, {"taps": few}, low), found_out(seed, {"taps": many}, high), strict=True
    ):
        assert not (less & ~more).any()


@settings(max_examples=100, deadline=None)
@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_harder_interrogation_never_spares_anybody(seed: int, a: float, b: float) -> None:
    less, more = (found_out(seed, {"interrogation": x}, night=True)[:2] for x in sorted((a, b)))
    assert all(not (one_ & ~other).any() for one_, other in zip(less, more, strict=True))


@settings(max_examples=80, deadline=None)
@given(seeds, st.floats(0, 1))
def test_whoever_is_overheard_with_training_is_overheard_without(seed: int, tradecraft: float) -> None:
    values = {"taps": 100, "tradecraft": tradecraft}
    with_it, without = (found_out(seed, values, 2.0, trained=t)[2] for t in (True, False))
    assert not (with_it & ~without).any()


def test_tradecraft_of_a_half_halves_what_is_overheard() -> None:
    heard = dict.fromkeys((True, False), 0)
    for trained in heard:
        for seed in range(60):
            heard[trained] += int(
                found_out(seed, {"taps": 100, "tradecraft": 0.5}, 1.5, trained=trained)[2].sum()
            )
    assert heard[False] > 100
    assert heard[True] / heard[False] == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(heard[False]))


@settings(max_examples=20, deadline=None)
@given(seeds, st.floats(0, 1))
def test_who_has_served_in_intelligence_is_drawn_among_officers(seed: int, share: float) -> None:
    stage = Stage(seed, {"detection.intelligence_background": share})
    drawn = [tier(stage, i) >= 2 and one(stage, "detection.trained", i) < share for i in range(stage.n)]
    assert stage.play["detection"].trained.tolist() == drawn
