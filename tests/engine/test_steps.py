"""The phases of a day: what is compiled together does what each step does alone, and never lacks room."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.engine import records
from breakrank.engine.mechanism import PHASES, Mechanism, Step
from breakrank.engine.run import Now, Run
from breakrank.engine.steps import RunState
from breakrank.engine.weighing import Phase
from breakrank.kernel import lean
from breakrank.mechanisms import asylum, plots, reception
from breakrank.mechanisms.asylum import no_files
from breakrank.mechanisms.lodging import no_guests
from breakrank.mechanisms.plot_life import no_plots
from breakrank.model import Model
from breakrank.table import Table, array, number, table_of_tables
from tests.engine.stage import Stage
from tests.engine.worlds import assert_same_bits, busy, force_of

CASE = busy(600, "2019-04-10")


def one_by_one(model: Model, phase: str) -> Any:
    acting = [m for m in model.days.mechanisms if m.acts]

    def walk(run: Run, *given: object) -> None:
        for mechanism in acting:
            getattr(mechanism, phase)(run, *given)

    return walk


@pytest.mark.parametrize("off", [None, "plots", "reception", "regime", "routes"])
def test_a_day_does_what_each_step_does_alone(off: str | None) -> None:
    case = CASE.set({f"{off}.on": 0}) if off else CASE
    together, apart = Model(case, force_of(case)), Model(case, force_of(case))
    for phase in PHASES:
        apart.days.phase[phase] = one_by_one(apart, phase)
    assert_same_bits(apart.replicate(1, 0, log=True), together.replicate(1, 0, log=True))


def test_room_is_made_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    plenty = Model(CASE, force_of(CASE)).replicate(1, 0, log=True)
    monkeypatch.setattr(reception, "no_guests", lambda row: no_guests(row, 1))
    monkeypatch.setattr(reception, "_SPARE", 0)
    monkeypatch.setattr(asylum, "no_files", lambda: no_files(1))
    monkeypatch.setattr(plots, "no_plots", lambda run: no_plots(run, 1, 1))
    longer = records.longer
    monkeypatch.setattr(records, "longer", lambda old, size: longer(old, size // 2 + 1 + len(old) // 2))
    assert_same_bits(Model(CASE, force_of(CASE)).replicate(1, 0, log=True), plenty)


class Weather(Table):
    """What the weather is like, by day."""

    rain: NDArray[np.float64]
    wet: int


@lean
def _rains(now: Now, weather: Weather) -> bool:
    """It may rain."""
    weather.wet += 1
    return weather.rain[now.day] > 1


class Clouds(Mechanism):
    """Weather. Off: it never rains."""

    name = "clouds"
    steps = (Step("dusk", _rains, then="_pour"),)
    poured: list[int]

    def begin(self, run: Run) -> None:
        """It is dry."""
        self.poured = []
        run.share(Weather(np.array([0.0, 2.0, 0.0]), 0))

    def _pour(self, run: Run) -> None:
        self.poured.append(run.day)


def test_a_method_follows_a_step_on_the_days_on_which_it_says_so() -> None:
    stage = Stage(1)
    clouds = Clouds(stage.world)
    clouds.begin(stage.run)
    state = RunState()
    phase = Phase("dusk", [clouds], state)
    state.of(stage.run)
    for day in range(3):
        stage.run.open_day(day)
        phase(stage.run)
    assert clouds.poured == [1]
    assert stage.run.view(Weather).wet == 3
    assert phase.source.startswith(
        "def dusk(on, state, done) -> int:\n    if done < 1:\n        if on[0] and clouds_rains("
    )
    assert clouds.says("dusk") == "It may rain."


def _plain(now: Now) -> None:
    """Nothing."""


@lean
def _odd(wind: float) -> None:
    """Nothing."""


@pytest.mark.parametrize(("does", "why"), [(_plain, "has to be compiled"), (_odd, "wind is no table")])
def test_a_step_that_cannot_be_taken_is_refused(does: Any, why: str) -> None:
    kind = type("Odd", (Mechanism,), {"name": "odd", "__doc__": "Odd.", "steps": (Step("dusk", does),)})
    with pytest.raises(TypeError, match=why):
        Phase("dusk", [kind(Stage(1).world)], RunState())


def test_a_table_that_nobody_shares_is_told() -> None:
    state = RunState()
    state.name_of(Weather)
    with pytest.raises(KeyError, match="Weather"):
        state.of(Stage(1).run)


def test_a_table_holds_tables() -> None:
    kind = table_of_tables(((Weather, "weather"), (Now, "now")))

    @lean
    def soaked(state: Any) -> float:
        return state.weather.rain[state.now.day]

    now = Now(np.uint64(1), 1, 0, False)
    state: Any = kind(weather=Weather(np.array([3.0, 4.0]), 0), now=now)
    assert soaked(state) == 4.0
    now.day = 0
    assert soaked(state) == 3.0
    state.weather = Weather(np.array([7.0, 8.0]), 0)
    assert soaked(state) == 7.0
    with pytest.raises(TypeError, match="takes another table"):
        state.weather = now


class Moods(Table):
    """How people feel: ``weight`` of it, ``share`` of them."""

    weight: float = number("belief.weight")
    share: float


def test_a_table_has_its_parameters_once_a_run_shares_it() -> None:
    run, moods = Stage(1).run, Moods(share=0.5)
    assert (moods.weight, moods.share) == (0.0, 0.5)
    run.share(moods)
    assert (moods.weight, moods.share) == (run.world["belief.weight"], 0.5)
    assert tuple(moods.copy()) == tuple(moods)
    with pytest.raises(TypeError, match="has the fields weight, share"):
        Moods()  # type: ignore[call-arg]


class Queue(Table):
    """Who waits, and since when."""

    who: NDArray[np.int32] = array("waiting")
    since: NDArray[np.int16] = array("waiting")
    desks: NDArray[np.int8]


def test_a_table_holds_as_many_as_it_is_told() -> None:
    @lean
    def waiting(q: Queue) -> int:
        return q.who.shape[0] + q.since.sum() + 100 * q.desks.shape[0]

    queue = Queue(np.zeros(3, np.int32), np.ones(3, np.int16), np.zeros(2, np.int8))
    assert waiting(queue) == 3 + 3 + 200
    for n in (5, 2, 11, 0, 7):
        queue.hold("waiting", n)
        queue.since[:] = 2
        assert len(queue.who) == len(queue.since) == n
        assert waiting(queue) == n + 2 * n + 200
    queue.since = np.full(4, 9, np.int16)
    queue.hold("waiting", 2)
    queue.since[:] = 1
    assert waiting(queue) == 2 + 2 + 200, "an array that was replaced does not stay behind"
