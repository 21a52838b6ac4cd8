"""What a war does to the numbers of a report: losses are told apart from those who leave."""

from __future__ import annotations

import numpy as np
import pytest

import breakrank
from breakrank.questions.run.headline import finding, totals, verdict
from breakrank.questions.run.last_day import becoming
from breakrank.questions.run.terminal import show
from breakrank.questions.run.trial import trial
from breakrank.results.outcome import Outcome, Record, summarise
from breakrank.results.outcomes import measure
from breakrank.results.whole_force import in_steps, resolution
from breakrank.show.provenance import one_stands_for
from breakrank.show.words import people


@pytest.fixture(scope="module")
def result() -> breakrank.Result:
    case = breakrank.load_case("syria-2011", "values")
    more = {"force.strength": 6000, "war.lost_posts": 0.1, "war.reserve": 0.2}
    return breakrank.simulate(case.set(more), runs=2, seed=0, workers=1)


def test_prisoners_and_the_reserve_have_not_left(result: breakrank.Result) -> None:
    kinds = {f.id: f.kind for f in becoming(result.whole).fates}
    assert (kinds["prisoner"], kinds["opposition"], kinds["reserve"]) == ("caught", "out", "hidden")
    fates = {f.id: f.mean for f in becoming(result.whole).fates}
    left = sum(m for f, m in fates.items() if kinds[f] != "caught" and f != "reserve")
    told = totals(result)
    assert f"{people(left)} have left or hide" in told
    assert f"{people(fates['reserve'])} are in reserve, not called up" in told
    assert "risoner" in told.split("are out otherwise")[1]


def test_all_who_left_are_one_measure(result: breakrank.Result) -> None:
    data = result.whole.data["exits_branch"].sum(["day", "outcome"])
    for branch in ("army", "core"):
        assert measure(result, "left", by={"branch": [branch]}) == pytest.approx(
            data.sel(branch=branch).values
        )
    kinds = ("quiet_desertion", "registered_exit", "open_defection")
    assert measure(result, "left") == pytest.approx(sum(measure(result, kind) for kind in kinds))
    each = result.case.stands_for
    left = in_steps(float(np.median(measure(result, "left"))), each)
    told = "".join(text for text, _ in finding(result))
    assert people(left) in told
    assert told.count(one_stands_for(each)) == 1


def test_losses_and_those_who_went_over_are_rows(result: breakrank.Result) -> None:
    told = {o.measure: o for o in result.outcomes() if o.record is None}
    for name in ("went_over", "killed_in_field", "surrendered_in_field"):
        median = in_steps(float(np.median(measure(result, name))), result.case.stands_for)
        assert told[name].median == pytest.approx(median)


def test_the_record_stands_as_it_is_stated(result: breakrank.Result) -> None:
    assert result.case.targets == breakrank.load_case("syria-2011", "values").targets
    for o in (o for o in result.outcomes() if o.record is not None and o.unit == "soldiers"):
        assert o.median % resolution(result.case.stands_for) == 0
        assert o.as_json()["record"] == o.record.as_json()


def test_tables_count_the_whole_force(result: breakrank.Result, capsys: pytest.CaptureFixture[str]) -> None:
    show(result)
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("One simulated soldier stands for") == 1
    assert "in proportion to the force drawn" not in said
    ranges = {t.range for t in breakrank.load_case("syria-2011", "values").targets if t.range and not t.start}
    assert ranges
    for low, high in ranges:
        assert f"{low:,.0f} to {high:,.0f}" in said


def test_what_could_not_be_missed_is_no_success() -> None:
    runs = np.arange(40.0)
    sure = Outcome(
        "holds", "Holds", "1 or 0", "regime_holds", "2012-08-31", record=Record("value", 1, 1, "", "")
    )
    open_ = Outcome("left", "Left", "soldiers", "left", "2012-08-31", record=Record("range", 5, 15, "", ""))
    both = (summarise(sure, np.ones(40)), summarise(open_, runs))
    assert verdict(both) == (
        "Of 2 figures of the record, the 90% intervals meet 2 (1 of them could not be missed)."
    )
    assert "missed" not in verdict((both[1], both[1]))


def test_a_trial_doubts_more_prisoners_than_leavers(result: breakrank.Result) -> None:
    case = breakrank.load_case("syria-2011", "values")
    assert not [d for d in trial(case) if "surrender" in d.text]
    lost = case.set({"war.lost_posts": 0.5, "war.surrender": 8, "opposition.on": 0, "ways_out.on": 0})
    (doubt,) = [d for d in trial(lost) if "surrender" in d.text]
    assert "Lower war.lost_posts" in doubt.remedy


def test_a_trial_names_figures_that_are_missed_tenfold() -> None:
    case = breakrank.load_case("syria-2011", "values")
    assert not [d for d in trial(case) if "tenfold" in d.text]
    still = case.set({"opportunity.errands": 0, "opportunity.leave_passes": 0, "war.moments": 0.0001})
    (doubt,) = [d for d in trial(still) if "tenfold" in d.text]
    assert "Deserters by 20 February 2012: " in doubt.text
    assert "the record says 20,000 to 48,000" in doubt.text
    assert "--of left_" in doubt.remedy
