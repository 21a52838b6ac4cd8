"""A plan from what was known on a day: what is set holds, and a change leaves the members' parameters."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import breakrank
from breakrank.case.ensemble import load_ensemble
from breakrank.errors import UsageError
from breakrank.inference.calibration import ensemble_of

DAY = "2019-01-05"
"""Before the first figure: the ensemble is drawn from the prior, and takes no time."""
NAME = "fear.risk_weight"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an ensemble as of a day."""
    made = ensemble_of(breakrank.load_case("venezuela-2019", "point"), DAY, 4)
    return made.save(tmp_path_factory.mktemp("plan") / "kept")


def test_a_value_that_is_set_holds_in_the_members_of_a_folder(kept: Path) -> None:
    """Their own value held, though the plan said that it was changed."""
    case = breakrank.load_case("venezuela-2019", "point")
    plan = partial(breakrank.plan, as_of=DAY, ensemble=kept, until="2019-01-20", runs=3, workers=1)
    plain, afraid = plan(case), plan(case.set({NAME: 60}))
    assert afraid.provenance.ensemble == "4 draws of 35 parameters"
    assert afraid.table("weeks")["beds"].max() < plain.table("weeks")["beds"].max()
    assert any(NAME in note for note in afraid.notes)
    assert any("Removed, as later than 2019-01-05: the events" in note for note in plain.notes)


def test_who_needs_shelter_before_any_site_opens_costs_what_a_place_will(kept: Path) -> None:
    """As of a day before they open sites have no places, and full care cost nothing."""
    plan = breakrank.plan("venezuela-2019", as_of=DAY, ensemble=kept, until="2019-01-20", runs=3, workers=1)
    assert plan.table("weeks")["beds"].max() > 0
    assert (plan.table("costs_at")["full_cost"] > 0).all()


def test_a_change_leaves_the_parameters_of_the_members(kept: Path) -> None:
    """It left the fixed values of the case, which are of no day."""
    plan = partial(breakrank.plan, as_of=DAY, ensemble=kept, until="2019-01-20", runs=3, workers=1)
    changed = plan("venezuela-2019", arrivals=2)
    assert changed.provenance.ensemble == "4 draws of 36 parameters"


def test_days_that_are_known_are_not_planned() -> None:
    with pytest.raises(UsageError, match=r"--from 2019-01-05: as of 2019-01-05 a plan begins on a later day"):
        breakrank.plan("venezuela-2019", as_of=DAY, since=DAY)


def test_each_member_is_run_once() -> None:
    """A hundred runs of forty members weighed some of them half again as much as the others."""
    made = breakrank.plan("venezuela-2019", until="2019-01-06", runs=50)
    assert made.provenance.runs == len(breakrank.load_case("venezuela-2019").draws or ()) == 40
    assert "40 runs instead of 50: the ensemble has so many members, each run once." in made.notes


def test_figures_of_ones_own_are_named(kept: Path) -> None:
    case = breakrank.load_case("venezuela-2019", "point")
    found = load_ensemble(kept, case)
    own = replace(found, about={**found.about, "figures": [{"id": "observed-mine"}]})
    plan = partial(breakrank.plan, until="2019-01-06", runs=2, workers=1)
    said = "The ensemble rests on figures that the case lacks too: observed-mine."
    assert said in plan(case.with_ensemble(own.save(kept.parent / "own"))).notes
    assert said not in plan(case.with_ensemble(found)).notes
    whole = plan(case.with_ensemble(found), runs=4, level=95)
    assert "the ensemble has no more members" in whole.doubt


def test_an_ensemble_without_a_day_is_that_of_the_runs() -> None:
    """In Python it was ignored."""
    plan = partial(breakrank.plan, until="2019-01-06", runs=2, workers=1)
    loaded = plan(breakrank.load_case("venezuela-2019", "prior"))
    assert plan("venezuela-2019", ensemble="prior").provenance.digest == loaded.provenance.digest
    assert plan(breakrank.load_case("venezuela-2019"), ensemble="prior").finding == loaded.finding
    members = plan("venezuela-2019", ensemble="posterior").provenance.digest
    assert members == plan("venezuela-2019").provenance.digest
