"""The ceiling that all acts share: how much it holds back, and where that is said."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

import breakrank
from breakrank.questions.calibrate.verdict import _ceiling
from breakrank.questions.guide.guide import Guide, show
from breakrank.questions.run.trial import trial
from breakrank.runs.ceiling import REMEDY, held_back


@pytest.fixture(scope="module")
def crimea() -> breakrank.Case:
    return breakrank.load_case("crimea-2014", "values").set({"force.strength": 3000})


def test_without_a_ceiling_nothing_is_held_back(crimea: breakrank.Case) -> None:
    free = held_back(crimea.set({"decision.ceiling": 1.0}))
    assert free.allowed == pytest.approx(free.wanted)
    assert not free.binds


def test_a_low_ceiling_holds_back_more(crimea: breakrank.Case) -> None:
    found = [held_back(crimea.set({"decision.ceiling": c})) for c in (0.4, 0.1, 0.02)]
    held = [1 - one.allowed / one.wanted for one in found]
    assert held == sorted(held)
    assert [one.near for one in found] == sorted(one.near for one in found)
    assert found[1].binds


def test_stronger_reasons_do_not_pass_it(crimea: breakrank.Case) -> None:
    eager = crimea.set({"decision.habit_leave": 0.0, "decision.habit_desert": 0.0})
    assert held_back(crimea).near < 0.85 < held_back(eager).near


def test_the_check_names_it_where_a_figure_is_too_low(crimea: breakrank.Case) -> None:
    (doubt,) = [d for d in trial(breakrank.load_case("crimea-2014", "values")) if "ceiling" in d.text]
    assert "Officers who moved" in doubt.text
    assert doubt.remedy == REMEDY
    assert not [d for d in trial(breakrank.load_case("east-germany-1989", "values")) if "ceiling" in d.text]


def test_the_guide_names_it(crimea: breakrank.Case, capsys: pytest.CaptureFixture[str]) -> None:
    told = Guide(crimea, "left", {"left": 100.0}, (), 0, 9, 3000, 8, ceiling=held_back(crimea))
    show(told)
    assert "decision.ceiling, 0.1 at a moment" in " ".join(capsys.readouterr().out.split())
    assert told.as_json()["acts_at_ceiling"] > 0.5
    show(replace(told, ceiling=None))
    assert "decision.ceiling" not in capsys.readouterr().out


def test_a_verdict_names_it_where_figures_stay_below() -> None:
    targets = pd.DataFrame({"label": ["Left"], "record_low": [100.0], "posterior_q95": [80.0]})
    said = _ceiling({"ceiling": "60% of acts are chosen at it"}, targets)
    assert said == ("At the posterior's medians 60% of acts are chosen at it; too low: Left.", REMEDY)
    assert _ceiling({"ceiling": ""}, targets) == ()
    assert _ceiling({"ceiling": "60%"}, targets.assign(posterior_q95=120.0)) == ()
