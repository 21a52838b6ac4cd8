"""How plots end, and when they go."""

from __future__ import annotations

import pytest

from breakrank.engine.codes import DETAINED, DISCHARGED, SERVING, TRAVELLING
from breakrank.mechanisms.plot_life import review
from breakrank.mechanisms.plot_recruiting import PlotNumbers
from breakrank.mechanisms.plot_table import ALIVE, BROKEN, DISSOLVED, LAUNCHED, SCATTERED, SIGNAL, STRENGTH
from tests.engine.stage import Stage
from tests.mechanisms.plain import set_the_mood
from tests.mechanisms.plain_plots import some_plots


def numbers(stage: Stage, **changed: float) -> PlotNumbers:
    """Return what drives plots, but for what is changed."""
    found: PlotNumbers = stage.play["plots"].numbers
    return found.copy(**changed)


@pytest.mark.parametrize(
    ("fate", "known", "end"),
    [
        (SERVING, False, ALIVE),
        (DETAINED, False, ALIVE),
        (DETAINED, True, BROKEN),
        (DISCHARGED, False, BROKEN),
        (TRAVELLING, False, DISSOLVED),
        (TRAVELLING, True, SCATTERED),
    ],
)
def test_what_becomes_of_a_plot_whose_founder_is_gone(fate: int, known: bool, end: int) -> None:
    stage = Stage(2, n=20)
    set_the_mood(stage)
    table = some_plots(stage, 1)
    table.end[0], table.known[0], table.waits[0] = ALIVE, known, SIGNAL
    stage.set_fates((SERVING,))
    stage.run.records.fate[table.founder[0]] = fate
    x = numbers(stage, patience=1e9, ready=1.0, pledge_worth=0.0, warned=1.0, wary=30, cell=3)
    review(stage.run.now, x, table, stage.run.records)
    assert table.end[0] == end


@pytest.mark.parametrize(("founded", "end"), [(0, ALIVE), (1, LAUNCHED)])
def test_a_plot_that_is_strong_enough_goes_but_not_on_the_day_of_its_founding(founded: int, end: int) -> None:
    stage = Stage(2, n=20)
    set_the_mood(stage)
    table = some_plots(stage, 1)
    stage.set_fates((SERVING,))
    table.end[0], table.waits[0], table.target[0] = ALIVE, STRENGTH, 1.0
    table.founded[0] = stage.run.day - founded
    x = numbers(stage, patience=1e9, ready=1.0, pledge_worth=0.0, warned=1.0, wary=30, cell=1)
    assert review(stage.run.now, x, table, stage.run.records) == founded
    assert table.end[0] == end
