"""The verdict of a comparison in words."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

import numpy as np

from breakrank.questions.compare.chosen import caution, settled
from breakrank.questions.compare.verdict import CHOSEN, of_one, verdict
from breakrank.results.paired import Difference, difference


def _one(label: str, apart: list[float]) -> Difference:
    before = np.array([100.0, 900.0, 400.0, 250.0])
    return difference(label, label, "people", before, before + np.array(apart))


def test_the_first_outcome_comes_first_and_then_what_differs_clearly() -> None:
    left, registered = _one("Left", [-50, 60, -40, 30]), _one("Registered", [150, 160, 140, 150])
    told = verdict([left, registered], 4)
    assert told.startswith(
        "4 pairs of runs show no clear difference in “Left” (0, −85 to +85); Registered rises by 150 ("
    )
    assert "1 of 2 outcomes looked at differ clearly" in told
    assert verdict([registered, left], 4).startswith("In 4 pairs of runs: Registered rises by 150 (")


def test_it_says_that_nothing_differs_clearly() -> None:
    left = _one("Left", [-50, 60, -40, 30])
    assert verdict([left, left], 4) == (
        "4 pairs of runs show no clear difference in “Left” (0, −85 to +85), "
        "nor in any other of 2 outcomes looked at."
    )
    assert verdict([_one("Left", [5, 5, 5, 5])], 1).startswith("One pair")


def test_a_difference_that_is_the_same_in_every_pair_is_clear() -> None:
    assert "Left rises by 5 (in every pair)" in verdict([_one("Left", [5, 5, 5, 5])], 4)


def test_a_fall_is_told_by_its_size_and_outcomes_by_their_labels() -> None:
    fewer, same = _one("Serving", [-150, -160, -140, -150]), _one("In the register", [-50, 60, -40, 30])
    told = verdict([same, fewer], 4)
    assert told.startswith(
        "4 pairs of runs show no clear difference in “In the register” (0, −85 to +85); Serving falls by 150"
    )


def _outcome(name: str, used: bool | None, share: float = np.nan, least: float = 0, most: float = 1) -> Any:
    return SimpleNamespace(
        id=name, measure=name.partition("-")[0], used=used, share=share, least=least, most=most
    )


def test_what_the_runs_were_chosen_for_is_not_judged() -> None:
    """All unchanged runs keep the regime because they were chosen so: the change can only lose it."""
    day, end = dt.date(2019, 4, 30), dt.date(2019, 12, 31)
    told = [SimpleNamespace(measure=name, date=day) for name in ("regime_holds", "registered")]
    case: Any = SimpleNamespace(
        targets=[*told, SimpleNamespace(measure="serving", date=end)],
        calendar=SimpleNamespace(end=end),
        draws=SimpleNamespace(luck=SimpleNamespace(until=day)),
    )
    outcomes = [
        *(_outcome("regime_holds-december", True), _outcome("registered-april", True)),
        *(
            _outcome("regime_holds", None, share=1.0),
            _outcome("registered", None),
            _outcome("serving", None, least=3, most=3),
        ),
    ]
    worlds: Any = SimpleNamespace(case=case, outcomes=lambda: outcomes)
    fixed = settled(worlds)
    assert fixed == {"regime_holds"}
    assert "agree with 2 figures" in caution(case)
    falls, left = _one("regime_holds", [-9, -10, -11, -9]), _one("registered", [5, 5, 5, 5])
    assert falls.told
    said = verdict([falls, left], 4, fixed)
    assert "regime_holds falls" not in said
    assert said.startswith("In 4 pairs of runs: registered rises by 5")
    assert said.endswith("“regime_holds” is not judged: the unchanged runs were chosen for it.")
    assert of_one(falls, "less", fixed) == CHOSEN
    fresh: Any = SimpleNamespace(targets=told, calendar=case.calendar, draws=None)
    plain: Any = SimpleNamespace(case=fresh, outcomes=lambda: [_outcome("regime_holds", None, share=1.0)])
    assert settled(plain) == frozenset()
    assert caution(fresh) == ""
