"""The model itself through ensembles and folders, on a small made-up force."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import breakrank
from breakrank import model
from breakrank.case import Draws
from breakrank.engine.observe import Observer
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.wanted import BrokenOff, unless
from breakrank.lives.trace import soldier_of, trace
from breakrank.runs.backends import Cluster, Cores
from breakrank.runs.carry_out import StudyProgress, Watch, carry_out
from breakrank.runs.crew import undisturbed
from breakrank.runs.store import Store
from breakrank.runs.study import Scenario, Study
from tests.engine.worlds import assert_same_bits as assert_same_runs
from tests.new_cases import full_case
from tests.results.fake import assert_same_bits, assert_same_data
from tests.runs.loopback import Loopback, loopback

if TYPE_CHECKING:
    from breakrank.case import Case


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = full_case(tmp_path_factory.mktemp("cases") / "made-up")
    return breakrank.load_case(folder)


def test_each_run_of_a_case_with_draws_lives_under_its_own_row(case: Case, tmp_path: Path) -> None:
    values = np.array([[0.5, 0.1, 0.1], [2.5, 0.4, 0.9]])
    drawn = case.with_draws(Draws(("fear.risk_weight", "force.kin", "belief.candour"), values, each=2))
    alone = breakrank.simulate(drawn, runs=6, seed=3, workers=1, log_runs=6)
    assert alone.failed == ()
    assert_same_bits(breakrank.simulate(drawn, runs=6, seed=3, workers=2, log_runs=6), alone)
    for run in (0, 3, 4):
        lived = drawn.drawn(3, run)
        force = model.force_of(drawn, 3, run)
        again = model.Model(lived, force).replicate(3, run)
        assert (alone.data["left_abroad"].sel(run=run) == again.series["left_abroad"]).all()
    kin = [len(model.force_of(drawn, 3, run).ties.other) for run in range(4)]
    assert min(kin[2:]) > max(kin[:2])  # rows 0 and 1, each with two forces
    assert kin[0] != kin[1]
    study = Study((Scenario(drawn),), 6, 3, log_runs=6)
    store = Store(tmp_path / "store")
    assert carry_out(study, store, Cores(1)).finished == 6
    assert_same_bits(Store(tmp_path / "store").result(drawn, 3, 6, log_runs=6), alone)
    alone.save(tmp_path / "out")
    assert breakrank.load_result(tmp_path / "out").case == drawn


def test_scenarios_of_a_run_share_its_force_where_nothing_of_it_is_changed(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.array([[0.5], [2.5]])
    drawn = case.with_draws(Draws(("fear.risk_weight",), rows))
    other = Scenario(drawn.set({"belief.candour": 0.9}), "other")
    apart = {s.name: breakrank.simulate(s.case, runs=4, seed=3, workers=1) for s in (Scenario(drawn), other)}
    built: list[object] = []
    make = model.force_of_plan
    monkeypatch.setattr(model, "force_of_plan", lambda *given: (built.append(given), make(*given))[1])
    study = Study((Scenario(drawn), other), 4, 3)
    assert carry_out(study, Store(tmp_path / "store"), Cores(1)).finished == 8
    assert len(built) == 4, "one for each run"
    for one in study.scenarios:
        assert_same_data(Store(tmp_path / "store").result(one.case, 3, 4).data, apart[one.name].data)
    built.clear()
    kin = Scenario(other.case.set({"force.kin": 2.0}), "kin")
    carry_out(Study((Scenario(drawn), kin), 4, 3), Store(tmp_path / "more"), Cores(1))
    assert len(built) == 8, "where kin differ, so do forces"


def test_a_run_that_was_broken_off_leaves_no_trace_in_those_that_follow(case: Case) -> None:
    drawn = case.with_draws(Draws(("fear.risk_weight", "belief.candour"), np.array([[0.5, 0.1], [2.5, 0.9]])))
    untouched = [model.replicate(drawn, None, 3, run, log=True) for run in range(3)]
    days = itertools.count()
    with pytest.raises(BrokenOff), unless(lambda: next(days) == 40):
        model.replicate(drawn, None, 3, 0, log=True)
    assert next(days) == 41, "asked once a day"
    _same_as(untouched, drawn)


@pytest.mark.parametrize("held", [False, True], ids=["at once", "the second"])
def test_an_interrupt_in_a_run_comes_at_the_end_of_the_day(
    case: Case, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    untouched = [model.replicate(case, None, 3, run, log=True) for run in range(3)]
    ended: list[int] = []
    observe = Observer.observe

    def interrupted(observer: Observer, run: Run) -> None:
        if run.day == 20:
            for _ in range(1 + held):
                os.kill(os.getpid(), signal.SIGINT)
        observe(observer, run)
        ended.append(run.day)

    monkeypatch.setattr(Observer, "observe", interrupted)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), undisturbed() if held else nullcontext():
        model.replicate(case, None, 3, 0, log=True)
    assert ended == list(range(21))
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.undo()
    _same_as(untouched, case)


def test_an_interrupt_on_the_last_day_is_not_lost(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    short = case.until(case.calendar.date(0))
    model.replicate(short, None, 3, 0, log=False)
    monkeypatch.setattr(Observer, "observe", lambda *_: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        model.replicate(short, None, 3, 0, log=False)


def _same_as(untouched: list[Replicate], case: Case) -> None:
    for run, first in enumerate(untouched):
        assert_same_runs(model.replicate(case, None, 3, run, log=True), first)


def test_a_life_in_a_case_with_draws_is_that_of_the_run(case: Case) -> None:
    drawn = case.with_draws(Draws(("fear.risk_weight",), np.array([[0.1], [5.0]])))
    for run in (0, 1):
        force = model.force_of(drawn, 3, run)
        assert trace(drawn, 17, seed=3, run=run).soldier == soldier_of(drawn, force, 17)


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    pytest.importorskip("distributed")
    with loopback(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made


@pytest.mark.thorough
def test_the_model_gives_the_same_bits_from_every_engine(case: Case, crew: Loopback, tmp_path: Path) -> None:
    # five rows, the last with one run of two: each run builds a force of its own
    rows = np.array([[0.5, 0.1, 0.1], [2.5, 0.4, 0.9], [1.0, 0.2, 0.3], [1.5, 0.3, 0.6], [0.2, 0.1, 1.0]])
    case = case.with_draws(Draws(("fear.risk_weight", "force.kin", "belief.candour"), rows, each=2))
    case = case.until("2025-02-15")
    memory = breakrank.simulate(case, runs=9, seed=3, workers=1, log_runs=2)
    assert memory.failed == ()
    study = Study((Scenario(case),), 9, 3, log_runs=2)
    for name, place in (("here", Cores(1)), ("cores", Cores(2)), ("cluster", Cluster(crew.address))):
        store = Store(tmp_path / name)
        stopped = carry_out(study, store, place, _once(4))
        assert stopped.interrupted
        assert carry_out(study, store, place).finished == 9
        assert_same_bits(store.result(case, 3, 9, log_runs=study.log_runs), memory)


def _once(runs: int) -> Watch:
    """Interrupt a study once, after so many runs."""
    said: list[int] = []

    def watch(tally: StudyProgress) -> None:
        if tally.done >= runs and not said:
            said.append(tally.done)
            raise KeyboardInterrupt

    return watch
