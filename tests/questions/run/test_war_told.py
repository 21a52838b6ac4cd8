"""What a war does to the numbers of a report: losses are told apart from those who leave."""

from __future__ import annotations

import numpy as np
import pytest

import breakrank
from breakrank.answer.cells import made as told_of
from breakrank.questions.run.headline import more
from breakrank.questions.run.trial import trial
from breakrank.results.measures import in_steps, measure
from breakrank.show.provenance import one_stands_for
from breakrank.show.words import people


@pytest.fixture(scope="module")
def result() -> breakrank.Result:
    case = breakrank.load_case("syria-2011", "point")
    more = {"force.strength": 6000, "war.lost_posts": 0.1, "war.reserve": 0.2}
    return breakrank.simulate(case.set(more), runs=2, seed=0, workers=1)


def test_all_who_left_are_one_measure(result: breakrank.Result) -> None:
    data = result.whole.data["exits_branch"].sum(["day", "outcome"])
    for branch in ("army", "core"):
        assert measure(result.whole.data, "left", by={"branch": [branch]}) == pytest.approx(
            data.sel(branch=branch).values
        )
    kinds = ("quiet_desertion", "registered_exit", "open_defection")
    assert measure(result.whole.data, "left") == pytest.approx(
        sum(measure(result.whole.data, kind) for kind in kinds)
    )
    each = result.case.stands_for
    left = in_steps(float(np.median(measure(result.whole.data, "left"))), each)
    assert people(left) in more(result)[0]
    assert one_stands_for(each) in " ".join(told_of(result.answer.provenance))


def test_a_trial_doubts_more_prisoners_than_leavers(result: breakrank.Result) -> None:
    case = breakrank.load_case("syria-2011", "point")
    assert not [d for d in trial(case).doubts if "surrender" in d.text]
    lost = case.set({"war.lost_posts": 0.5, "war.surrender": 8, "opposition.on": 0, "routes.on": 0})
    (doubt,) = [d for d in trial(lost).doubts if "surrender" in d.text]
    assert "Lower war.lost_posts" in doubt.remedy
