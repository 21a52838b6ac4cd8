"""Paths of luck as text, and as part of a case."""

import datetime as dt
from dataclasses import replace
from pathlib import Path as Folder

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank import load_case
from breakrank.case import Case, Draws, Posterior
from breakrank.case.draws import Luck, LuckPath
from breakrank.case.ensemble import PosteriorEnsemble
from breakrank.case.library import load_case as load
from breakrank.errors import UsageError

DAY = dt.date(2025, 1, 5)
PATHS = (LuckPath(4), LuckPath(7).branched(DAY, 9))
TURNS = st.dictionaries(st.dates(), st.integers(0, 2**40), max_size=4).map(lambda d: tuple(sorted(d.items())))


@given(st.builds(LuckPath, st.integers(0, 2**40), TURNS, st.none() | st.integers(0, 2**64 - 1)))
def test_a_path_is_what_its_text_says(path: LuckPath) -> None:
    assert LuckPath.read(str(path)) == path


def test_a_branch_takes_the_place_of_what_came_later() -> None:
    path = LuckPath(1, ((dt.date(2025, 1, 2), 2), (dt.date(2025, 2, 1), 3)))
    assert str(path.branched(dt.date(2025, 1, 9), 5)) == "1 2025-01-02:2 2025-01-09:5"
    assert str(path.branched(dt.date(2025, 1, 2), 5)) == "1 2025-01-02:5"
    assert str(LuckPath(1, seed=8).branched(dt.date(2025, 1, 2), 5)) == "8/1 2025-01-02:5"


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "1 2025-01-02", "1  2025-01-02:1", "-1", "/1", "1/2/3", "-1/2"),
        *("1 2025-02-01:1 2025-01-01:2", "18446744073709551616"),
    ],
)
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        LuckPath.read(text)


@pytest.fixture
def worlds() -> Draws:
    return Draws(("fear.weight",), np.array([[1.0], [2.0]]), luck=Luck(3, PATHS, DAY))


def test_luck_of_its_own_follows_the_last_day_of_the_paths(case: Case, worlds: Draws) -> None:
    first = (DAY - case.calendar.start).days
    made = case.with_draws(worlds)
    assert made.lived(11, 0) == [(0, 3, 4), (first + 1, 11, 0)]
    assert made.lived(11, 1) == [(0, 3, 7), (first, 3, 9), (first + 1, 11, 1)]
    assert made.lived(11, 3) == [(0, 3, 7), (first, 3, 9), (first + 1, 11, 3)]
    assert case.lived(11, 3) == [(0, 11, 3)]
    assert worlds.luck is not None
    own = tuple(replace(path, seed=8) for path in PATHS)
    mixed = case.with_draws(replace(worlds, luck=replace(worlds.luck, paths=(PATHS[0], own[1]))))
    assert mixed.lived(11, 0) == made.lived(11, 0)
    assert mixed.lived(11, 1) == [(0, 8, 7), (first, 8, 9), (first + 1, 11, 1)]


def test_a_written_case_keeps_its_paths(tmp_path: Folder, worlds: Draws) -> None:
    case = load_case("venezuela-2019").with_draws(
        Draws(("decision.baseline_leave",), np.array([[1.0], [2.0]]), luck=Luck(3, PATHS, DAY))
    )
    case.write(tmp_path / "case")
    assert load_case(tmp_path / "case").digest == case.digest


def test_what_a_change_leaves_of_members_is_written_with_them(
    case: Case, tmp_path: Folder, worlds: Draws
) -> None:
    """Else the case in the folder of a result answered a change with fixed values, without a word."""
    posterior = Posterior(Draws(("fear.weight",), np.array([[1.0], [3.0]]), shuffled=True))
    lived = replace(case, posterior=posterior).with_draws(worlds)
    again = load(lived.write(tmp_path / "lived"), case.catalogue)
    assert again.draws == worlds
    assert again.set({"fear.memory": 9}).draws == lived.set({"fear.memory": 9}).draws == posterior.draws
    at_large = lived.with_draws(posterior.draws)
    assert not (at_large.write(tmp_path / "at-large") / "posterior").exists(), "its draws are all there is"


def test_members_without_a_posterior_beside_them_leave_their_own_parameters(
    case: Case, tmp_path: Folder, worlds: Draws
) -> None:
    """Never those of the posterior that comes with the case, which has seen other figures."""
    about = {"case": case.id, "strength": case.force.strength, "as_of": str(DAY), "figures": []}
    about |= {"seed_paths": "3", "failed": 0, "tempering": 1, "ess": 2.0, "members": 2}
    kept = PosteriorEnsemble(replace(worlds, shuffled=True), about, ("a", "b")).save(tmp_path / "march")
    other = replace(case, posterior=Posterior(Draws(("fear.weight",), np.array([[9.0]]))))
    lived = other.with_ensemble(kept)
    assert lived.draws is not None
    assert lived.draws.luck is not None
    left = lived.set({"fear.memory": 9}).draws
    assert left is not None
    assert (left.luck, left.values.tolist()) == (None, worlds.values.tolist())


def test_a_change_within_the_days_of_the_paths_leaves_them_aside(case: Case, worlds: Draws) -> None:
    """Paths were chosen for what came of them; with other values other things come of them."""
    lived = case.with_draws(worlds)
    assert lived.set({"fear.weight": 2}).draws is None
    drawn = worlds.names[0]  # a value of the case itself is a change, too, where members have others
    assert lived.set({drawn: case.parameters[drawn].value}).draws is None
    assert lived.without_event(case.events.ids[0]).draws == worlds  # it comes later
    assert lived.until(case.calendar.start).draws == worlds


def test_mechanisms_that_a_case_names_itself_are_not_added() -> None:
    """A call that named them again left the members of the case aside."""
    own = ("opposition", "war", "cohesion", "composition")
    assert load_case("syria-2011", mechanisms=own).draws == load_case("syria-2011").draws
    assert load_case("crimea-2014", mechanisms=("war",)).draws != load_case("crimea-2014").draws
