"""What leads a report, what is left undrawn, and what a trial run doubts."""

import math
from dataclasses import replace

import pytest

from breakrank import load_case
from breakrank.questions.run.headline import finding
from breakrank.questions.run.trial import trial
from breakrank.results.outcomes import Outcome, Record, leading_measure
from breakrank.results.uncertainty import FEW
from tests.show.world import made


def test_a_case_chooses_its_headline() -> None:
    result = made(runs=8)
    told = [o for o in result.outcomes() if o.record is not None and not math.isnan(o.median)]
    first = finding(result)
    (other, *_) = [o for o in told if not first.startswith(f"{o.label}: ") and not o.yes_or_no]
    chosen = replace(result, case=replace(result.case, headline=other.id))
    assert leading_measure(chosen.case) == other.measure
    assert finding(chosen).startswith(f"{other.label}: ")


@pytest.mark.parametrize(
    ("kind", "bounds", "ends", "runs", "trivial"),
    [
        ("at_most", (-math.inf, 100), (2, 50), FEW, True),
        ("at_most", (-math.inf, 100), (2, 51), FEW, False),
        ("at_most", (-math.inf, 100), (2, 50), 2, False),
        ("at_least", (10, math.inf), (20, 90), FEW, True),
        ("range", (10, 20), (10, 20), FEW, False),
        ("value", (5, 5), (5, 5), FEW, True),
    ],
)
def test_a_figure_that_no_run_can_miss(
    kind: str, bounds: tuple[float, float], ends: tuple[float, float], runs: int, trivial: bool
) -> None:
    record = Record(kind, *bounds, "2019-02-23", "")
    about = Outcome("x", "X", "soldiers", "registered", "2019-02-23", record=record, runs=runs)
    middle = sum(ends) / 2
    one = replace(about, median=middle, q05=ends[0], q95=ends[1], least=ends[0], most=ends[1])
    assert one.trivial is trivial


def test_a_trial_run_doubts_what_is_hard_to_believe() -> None:
    case = load_case("venezuela-2019", "point").until(load_case("venezuela-2019").calendar.date(89))
    assert trial(case).doubts == []
    nobody = [doubt.text for doubt in trial(case.set({"decision.on": 0})).doubts]
    assert nobody[-1] == "in a trial run of 8,000 soldiers nobody leaves"
    watched = {
        "id": "watch",
        "date": case.calendar.start,
        "title": "Everyone is watched",
        "assumed": "a test",
        "effects": [{"field": "surveillance", "op": "set", "value": 20}],
    }
    many = trial(case.with_events([watched]).set({"counterintelligence.effort": 1})).doubts
    assert any("arrests exceed" in doubt.text for doubt in many)
