"""What leads a report, what is left undrawn, and what a trial run doubts."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest

from breakrank import Case, load_case
from breakrank.case.models_targets import Target
from breakrank.questions.run.against_record import against, beside
from breakrank.questions.run.figures import FIGURES, worth_drawing
from breakrank.questions.run.headline import TRIVIAL, recorded_first
from breakrank.questions.run.trial import trial
from breakrank.results.outcome import Outcome, Record
from breakrank.results.outcome_names import leading_measure
from breakrank.results.quantiles import FEW
from breakrank.show.look import Look
from breakrank.show.style import PAGE
from tests.show.world import made


def test_what_the_record_counts_most_often_leads() -> None:
    result = made(runs=8)
    first = "".join(text for text, _ in recorded_first(result))
    leading = leading_measure(result.case)
    told = [o for o in result.outcomes() if o.measure == leading and o.record is not None]
    assert told
    assert any(first.startswith(f"{o.label}: ") for o in told)
    assert "; the record says " in first


def test_a_case_chooses_its_headline() -> None:
    result = made(runs=8)
    told = [o for o in result.outcomes() if o.record is not None and not math.isnan(o.median)]
    first = "".join(text for text, _ in recorded_first(result))
    (other, *_) = [o for o in told if not first.startswith(f"{o.label}: ") and not o.yes_or_no]
    chosen = replace(result, case=replace(result.case, headline=other.id))
    assert leading_measure(chosen.case) == other.measure
    assert "".join(text for text, _ in recorded_first(chosen)).startswith(f"{other.label}: ")


@pytest.mark.parametrize(
    ("kind", "bounds", "ends", "runs", "trivial"),
    [
        ("at_most", (-math.inf, 100), (2, 50), FEW, True),
        ("at_most", (-math.inf, 100), (2, 51), FEW, False),
        ("at_most", (-math.inf, 100), (2, 50), 2, False),
        ("at_least", (10, math.inf), (20, 90), FEW, True),
        ("at_least", (10, math.inf), (19, 90), FEW, False),
        ("range", (10, 20), (10, 20), FEW, False),
        ("value", (5, 5), (5, 5), FEW, True),
        ("value", (5, 5), (6, 6), FEW, False),
    ],
)
def test_a_figure_that_no_run_can_miss(
    kind: str, bounds: tuple[float, float], ends: tuple[float, float], runs: int, trivial: bool
) -> None:
    record = Record(kind, *bounds, "2019-02-23", "")  # type: ignore[arg-type]
    about = Outcome("x", "X", "soldiers", "registered", "2019-02-23", record=record, runs=runs)
    middle = sum(ends) / 2
    one = replace(about, median=middle, q05=ends[0], q95=ends[1], least=ends[0], most=ends[1])
    assert one.trivial is trivial
    assert "says little" in TRIVIAL


def test_what_hardly_exists_stands_in_the_table_only() -> None:
    still = made(runs=8, still=True)
    figure = FIGURES["ranks"](still, Look(PAGE, page=True))
    assert figure.panels == ()
    assert figure.says_nothing
    assert "in the table only" in figure.note
    shown = FIGURES["ranks"](made(runs=8), Look(PAGE, page=True))
    assert shown.panels
    assert not shown.says_nothing
    group = [s for a in against(made(runs=8)) for s in [a.series]]
    assert worth_drawing(group, Look(PAGE)) == group, "a chart asked for alone is drawn whatever it shows"


def test_charts_and_table_agree_on_a_long_calendar() -> None:
    long = made(runs=8, end="2028-12-31")
    by_id = {o.id: o for o in long.outcomes()}
    compared = 0
    for one in against(long):
        assert one.series.step > 1, "the days are thinned"
        frame = one.series.frame
        for ident, mark in zip(one.targets, one.counted, strict=True):
            drawn = frame[frame["date"] == pd.Timestamp(mark.date)].iloc[0]
            told = by_id[ident]
            shown = [drawn["q05"], drawn["median"], drawn["q95"]]
            assert shown == pytest.approx([told.ends[0], told.median, told.ends[1]])
            compared += 1
        assert len(beside(one)) == len(one.counted)
    assert compared == 3


def test_a_trial_run_doubts_what_is_hard_to_believe() -> None:
    case = load_case("venezuela-2019", "values").until(load_case("venezuela-2019").calendar.date(89))
    assert trial(case) == []
    nobody = [doubt.text for doubt in trial(case.set({"decision.on": 0}))]
    assert nobody[-1] == "in a trial run of 8,000 soldiers nobody leaves"
    watched = {
        "id": "watch",
        "date": case.calendar.start,
        "title": "Everyone is watched",
        "assumed": "a test",
        "effects": [{"field": "surveillance", "op": "set", "value": 20}],
    }
    many = trial(case.with_events([watched]).set({"counterintelligence.effort": 1}))
    assert any("arrests exceed" in doubt.text for doubt in many)


def test_a_trial_run_believes_a_collapse_that_the_record_tells() -> None:
    case = load_case("venezuela-2019", "values").until(load_case("venezuela-2019").calendar.date(89))
    gone = case.set({"decision.habit_desert": 0, "decision.ceiling": 1, "opportunity.errands": 52})
    assert any("of the force" in doubt.text for doubt in trial(gone))
    told = Target(
        id="rest",
        label="Still serving",
        measure="serving",
        date=str(case.calendar.end),
        unit="soldiers",
        at_most=40_000,
        assumed="a test",
    )
    known = Case(replace(gone.content, targets=(*gone.targets, told)), gone.catalogue)
    assert not any("of the force" in doubt.text for doubt in trial(known))
