"""The stopwatch of the benchmark changes nothing and leaves everything as it found it."""

from __future__ import annotations

import pytest

from benchmarks.stopwatch import ENGINE, watching
from breakrank.engine import day
from breakrank.engine.observe import Observer
from breakrank.model import Model, build
from breakrank.runs.cases import load_case
from tests.engine.worlds import assert_same_bits


@pytest.mark.thorough
def test_watched_replicates_are_the_same_bits() -> None:
    case = load_case("venezuela-2019", "point").set({"force.strength": 2000}).until("2019-03-15")
    model = Model(case, build(case, 1))
    before = {**{name: getattr(day, name) for name in ENGINE}, **vars(Observer)}
    plain = model.replicate(1, 0)
    with watching(model) as watch:
        watched = model.replicate(1, 0)
    assert {**{name: getattr(day, name) for name in ENGINE}, **vars(Observer)} == before
    assert "replicate" not in vars(model)
    assert all(not {"begin", "dawn", "meet", "weigh", "act"} & vars(m).keys() for m in model.days.mechanisms)
    assert_same_bits(plain, watched)
    parts = {part for part, _ in watch.seconds}
    assert {"engine", *(m.name for m in model.days.mechanisms if m.acts)} <= parts
    assert min(watch.seconds.values()) >= 0
