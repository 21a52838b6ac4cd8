"""The report of a case with a war: losses told apart from those who leave, and what lies before."""

import numpy as np
import pytest

import breakrank
from breakrank.answer.cells import made as told_of
from breakrank.errors import UsageError
from breakrank.questions.run.headline import more
from breakrank.questions.run.trial import trial
from breakrank.results.measures import in_steps, measure
from breakrank.show.axes import dated, earlier
from breakrank.show.provenance import one_stands_for
from breakrank.show.words import people
from tests.mechanisms.civil_war import civil_war
from tests.show.world import made


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


COUP = """
- id: coup
  date: 2024-12-31
  title: Officers overthrow the government
  assumed: Invented.
  effects: [{field: credibility, op: add, value: 0.1, half_life: 20}]
"""


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Result:
    folder = tmp_path_factory.mktemp("cases") / "montara"
    case = civil_war(folder)
    events = tmp_path_factory.mktemp("events") / "events.yaml"
    events.write_text(COUP)
    return breakrank.simulate(case.with_events(events), runs=3, seed=0, workers=1)


def test_a_map_needs_a_war_and_borders(fought: breakrank.Result) -> None:
    for found in (fought, made(runs=3)):
        with pytest.raises(UsageError, match="no figure 'map'"):
            found.plot("map")


def test_the_report_names_what_lies_before_the_first_day(fought: breakrank.Result) -> None:
    assert earlier(fought) == ["31 Dec 2024, Officers overthrow the government"]
    told = "Before the first day, and so on no chart: 31 Dec 2024, Officers overthrow the government."
    assert told in fought.answer.notes
    assert "coup" not in [e.id for e in dated(fought)]
    assert not [note for note in made(runs=3).answer.notes if "Before the first day" in note]
