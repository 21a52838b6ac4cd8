import datetime as dt
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError, UsageError
from breakrank.runs import backends
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import Progress, StudyProgress, Watch, carry_out, result_of, simulate
from breakrank.runs.compiling import available_cores
from breakrank.runs.identity import versions
from breakrank.runs.pool import Pool
from breakrank.runs.store import MemoryStore
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import standard_simulator
from tests.results.fake_case import FakeCase, target
from tests.runs.engines import ALWAYS_BROKEN, GOOD, SLOW, UNBUILT, small_case

CASE = small_case()


def test_a_run_is_a_function_of_case_seed_and_number() -> None:
    few = simulate(CASE, 3, 11, workers=1, simulator=GOOD)
    many = simulate(CASE, 6, 11, workers=1, simulator=GOOD)
    assert few.data.identical(many.data.isel(run=slice(0, 3)))
    other = simulate(CASE, 3, 12, workers=1, simulator=GOOD)
    assert not few.data.identical(other.data)


def test_the_first_runs_keep_their_log() -> None:
    result = simulate(CASE, 4, 11, workers=1, log_runs=2, simulator=GOOD)
    assert sorted(set(result.events["run"].to_pylist())) == [0, 1]
    assert simulate(CASE, 2, 11, workers=1, log_runs=0, simulator=GOOD).events is None


def test_until_shortens_the_calendar() -> None:
    result = simulate(CASE, 1, 11, until="2019-01-10", workers=1, simulator=GOOD)
    assert result.data.sizes["day"] == 10
    assert result.case.calendar.end == dt.date(2019, 1, 10)
    assert 'until="2019-01-10"' in result.command


@pytest.mark.parametrize("workers", [1, 2])
def test_if_all_fail_the_first_reason_is_raised(workers: int) -> None:
    with pytest.raises(
        BreakrankError, match="none of 4 runs finished; the first says: run 0: UsageError: no luck in run 0"
    ):
        simulate(CASE, 4, 11, workers=workers, simulator=ALWAYS_BROKEN)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_force_that_cannot_be_built_is_reported_once(workers: int) -> None:
    with pytest.raises(BreakrankError, match="run 0: UsageError: no force"):
        simulate(CASE, 4, 11, workers=workers, simulator=UNBUILT)


def stop_after(runs: int) -> Progress:
    def progress(done: int, asked: int) -> None:
        if done >= runs:
            raise KeyboardInterrupt

    return progress


def test_ctrl_c_returns_what_is_finished() -> None:
    result = simulate(CASE, 900, 11, workers=1, progress=stop_after(4), simulator=GOOD)
    assert result.interrupted
    assert result.runs >= 4
    whole = simulate(CASE, result.runs, 11, workers=1, simulator=GOOD)
    assert result.data.identical(whole.data)


def test_ctrl_c_before_anything_is_finished_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt):
        simulate(CASE, 9, 11, workers=1, progress=stop_after(0), simulator=ALWAYS_BROKEN)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"runs": 0}, "runs must be from 1"),
        ({"runs": 2.5}, "runs must be a whole number, not 2.5"),
        ({"runs": True}, "runs must be a whole number"),
        ({"seed": -1}, "seed must be from 0 to 18446744073709551615, not -1"),
        ({"seed": "7"}, "seed must be a whole number, not '7'"),
        ({"workers": 0}, "workers must be from 1"),
        ({"log_runs": -1}, "log_runs must be from 0"),
        ({"until": "June"}, "until: 'June' is not a date\n  Write year-month-day"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(argument: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        simulate(CASE, **{"runs": 1, "workers": 1, "simulator": GOOD, **argument})


def test_numpys_integers_are_whole_numbers() -> None:
    result = simulate(CASE, np.int64(2), np.uint64(2**63), workers=1, simulator=GOOD)
    assert (result.runs, result.seed) == (2, 2**63)


class Asking(FakeCase):
    @property
    def targets(self) -> tuple[Any, ...]:
        return (target("x", "X", "registred", "2019-01-02", value=1.0),)


def test_a_target_that_nothing_answers_is_found_before_the_work() -> None:
    wrong: Any = Asking()
    seen: list[int] = []
    with pytest.raises(UsageError, match="target x: no measure 'registred', did you mean 'registered'"):
        simulate(wrong, 1, workers=1, progress=lambda done, _: seen.append(done), simulator=GOOD)
    assert seen == []


def pool_calls(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    calls: list[list[int]] = []

    class Noted(Pool):
        def submit(self, crew: Any, function: Any, *args: Any) -> Any:
            calls.append([*args[0]])
            return super().submit(crew, function, *args)

    monkeypatch.setattr(backends, "Pool", Noted)
    monkeypatch.setattr(backends, "available_cores", lambda: 8)
    return calls


def test_by_default_short_work_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = pool_calls(monkeypatch)
    simulate(CASE, 5, 11, simulator=GOOD)
    assert calls == []


def test_by_default_long_work_goes_to_a_pool_after_two_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = pool_calls(monkeypatch)
    monkeypatch.setattr(backends, "POOL_START", 0.1)
    result = simulate(CASE, 9, 11, simulator=SLOW)
    assert sorted(number for numbers in calls for number in numbers) == [2, 3, 4, 5, 6, 7, 8]
    assert result.runs == 9


def test_versions_and_call_are_written_down() -> None:
    result = simulate(CASE, 1, 11, workers=1, simulator=GOOD)
    assert set(result.versions) == {"breakrank", "python", "numpy", "numba", "platform"}
    assert result.versions == versions(result.case)
    assert result.command == 'simulate("made-up-2019", runs=1, seed=11, until="2019-01-30", log_runs=4)'
    assert (
        simulate(CASE, 1, 11, workers=1, command="breakrank run", simulator=GOOD).command == "breakrank run"
    )
    assert result.seconds > 0
    assert available_cores() >= 1


def test_failures_print_in_one_line() -> None:
    assert str(Failure(3, "a.py:1 in f", "ValueError: no")) == "run 3: ValueError: no (at a.py:1 in f)"


def test_the_server_of_workers_loads_while_runs_are_tried_if_it_will_be_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(backends, "prepare", lambda: asked.append(1))
    monkeypatch.setattr(backends, "available_cores", lambda: 2)
    case = breakrank.load_case("venezuela-2019")
    backends.foresee(case, standard_simulator(), 2)
    assert not asked, "two more runs are made faster than processes start"
    backends.foresee(case, GOOD, 100)
    assert not asked, "what else an engine takes is not known"
    backends.foresee(case, standard_simulator(), 100)
    assert asked


def test_a_store_in_memory_keeps_only_what_is_read() -> None:
    study = Study((Scenario(CASE), Scenario(CASE.until("2019-01-20"), "other")), 3, 11)
    store = MemoryStore({"shot"})
    account = carry_out(study, store, Cores(1), simulator=GOOD)
    assert account.finished == 6
    for one in study.scenarios:
        whole = simulate(one.case, 3, 11, workers=1, simulator=GOOD)
        kept = store.result(one.case, study.seed, study.runs)
        assert kept.case is one.case
        assert {name for name in kept.data if "run" in kept.data[name].dims} == {"shot"}
        assert kept.data["shot"].identical(whole.data["shot"])


def test_a_second_interrupt_keeps_what_is_in_memory() -> None:
    def again() -> None:
        raise KeyboardInterrupt

    study, store = Study((Scenario(CASE),), 900, 11), MemoryStore()
    account = carry_out(study, store, Cores(1), stop_after_three(), stopping=again, simulator=GOOD)
    assert account.interrupted
    assert 3 <= result_of(account, store, study).runs < 900


def stop_after_three() -> Watch:
    def watch(tally: StudyProgress) -> None:
        if tally.done >= 3:
            raise KeyboardInterrupt

    return watch
