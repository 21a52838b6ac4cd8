"""Effects of taking mechanisms out: ranked, read on their days, and what an explanation says of them."""

import datetime as dt

import numpy as np
import pytest

from breakrank.answer.cells import UNCLEAR, parts
from breakrank.errors import UsageError
from breakrank.questions.explain import ExplainedOutcome, Removal, Switch, outcomes_of, ranked
from breakrank.results.paired import difference
from tests.questions.explain.made_up import HOLDS, LEFT, effect, explanation, removals

COUNT = ExplainedOutcome("left_abroad", "Crossed", "soldiers")
RNG = np.random.default_rng(6)


def test_mechanisms_are_ranked_by_the_first_outcome_then_by_the_next() -> None:
    asked = (COUNT, ExplainedOutcome("regime_holds", "Holds", "1 or 0"))
    plain = np.stack([RNG.poisson(1000, 40), np.ones(40)]).astype(float)
    off = {
        "nothing": plain.copy(),
        "the next alone": np.stack([plain[0], np.zeros(40)]),
        "little": plain + np.array([[3.0], [0.0]]),
        "much": np.stack([plain[0] * 3, np.ones(40)]),
    }
    found = ranked(
        [
            Removal(Switch(name, name), a, difference(a.measure, "", "", plain[k], after[k]))
            for k, a in enumerate(asked)
        ]
        for name, after in off.items()
    )
    assert [each[0].switch.mechanism for each in found] == ["much", "little", "the next alone", "nothing"]


def test_outcomes_are_read_at_the_dates_of_the_record() -> None:
    from breakrank import load_case

    case = load_case("venezuela-2019")
    found = {a.measure: a for a in outcomes_of(case)}
    assert tuple(found) == case.catalogue.primary
    dates = {
        t.measure: [x.date for x in case.targets if x.measure == t.measure and not x.by] for t in case.targets
    }
    assert found["registered"].date == max(dates["registered"])
    assert found["left_abroad"].date == max(dates["share_left"])  # a share of what left_abroad counts
    assert found["uprisings"].date is None  # the record counts them month by month
    assert found["uprisings"].when == "by the end"
    assert found["regime_holds"].when == "at the end"
    (one,) = outcomes_of(case, ["serving"], "2019-06-30")
    assert (one.date, one.when) == (dt.date(2019, 6, 30), "on 30 Jun 2019")
    for measures, date, says in (
        (["servin"], None, "did you mean 'serving'"),
        (["rate_ratio"], None, "before and after"),
        (None, "soon", "is not a date"),
        (None, "2031-01-01", "2031-01-01"),
    ):
        with pytest.raises(UsageError, match=says):
            outcomes_of(case, measures, date)


def test_a_grid_of_mechanisms_by_outcome() -> None:
    ((_, grid),) = parts(explanation()["removals"])
    assert grid.columns == ("Without", "Left abroad 23 Mar 2019", "Regime holds")
    rows = {row[0]: row[1:] for row in grid.rows}
    assert rows["fear"] == ("+34,700", "−60 points")
    assert rows["plots"] == (UNCLEAR, UNCLEAR)
    lost = removals()
    lost[1][0] = effect(LEFT, "fear", 1300, np.nan, np.nan)
    ((_, grid),) = parts(explanation(lost)["removals"])
    assert grid.rows[1][1] == "no runs"


def test_the_finding_is_of_the_mechanism_that_matters_most() -> None:
    answer = explanation()
    said = "Crossed out of the country by 23 Mar 2019: 1,300 soldiers; "
    said += "without fear 36,000, without grievance 300."
    assert answer.finding == answer.figures[0].title == said
    assert any("without routes, almost nothing remains" in n for n in answer.notes)
    assert any("5% would have happened without any dated event" in note for note in answer.notes)
    assert {basis.of.partition(".")[0] for basis in answer.evidence} == {"fear", "grievance", "routes"}
    assert any("paragraph" in basis.says for basis in answer.evidence)
    nothing = [[effect(LEFT, "plots", 1300, 1301, 12, 0.5), effect(HOLDS, "plots", 1, 1, 0)]]
    assert "none of 1 mechanisms can be told from zero" in explanation(nothing).finding
