"""What the runs of a case live under where nothing is said, in Python as on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from breakrank.cli.given import given_case

import breakrank
from breakrank.case.library import case_folder
from breakrank.cli.options import GivenOptions, RunOptions
from breakrank.errors import UsageError

CASE = "venezuela-2019"


def test_runs_are_the_worlds_that_come_with_a_case() -> None:
    case = breakrank.load_case(CASE)
    assert case.draws is not None
    assert case.draws.luck is not None
    assert case == breakrank.load_case(CASE, "posterior")
    plain = breakrank.load_case(CASE, "point")
    assert plain.draws is None
    assert breakrank.load_worlds(case_folder(CASE) / "worlds", plain).of(plain).draws == case.draws
    drawn = breakrank.load_case(CASE, "posterior").draws
    assert drawn is not None
    assert drawn.luck is None


def test_a_name_in_python_is_what_the_command_line_runs() -> None:
    result = breakrank.simulate(CASE, runs=1, seed=5, workers=1)
    known = given_case(CASE, GivenOptions(seed=5), None, 1, RunOptions(), quiet=True).case
    assert result.case.digest == known.digest
    assert result.case.draws == known.draws


def test_worlds_are_of_the_force_and_the_model_that_they_were_found_with() -> None:
    with pytest.raises(UsageError, match="loaded with parameters='posterior' or 'values'"):
        breakrank.load_case(CASE).set({"force.strength": 16_000})
    added = breakrank.load_case(CASE, mechanisms=["unit_defection"])
    assert added.draws is not None
    assert added.draws.luck is None
    options = GivenOptions(mechanisms=("unit_defection",))
    known = given_case(CASE, options, None, 1, RunOptions(), quiet=True).case
    assert known.draws == added.draws
    with pytest.raises(UsageError, match="with mechanisms added comes with no worlds"):
        breakrank.load_case(CASE, "posterior", ["unit_defection"])


def test_a_case_without_worlds_runs_under_what_it_has(tmp_path: Path) -> None:
    assert breakrank.load_case("crimea-2014").draws == breakrank.load_case("crimea-2014", "point").draws
    with pytest.raises(UsageError, match="crimea-2014 comes with no worlds; ask for"):
        breakrank.load_case("crimea-2014", "posterior")
    (tmp_path / "mine").mkdir()
    with pytest.raises(UsageError, match="must be one of 'worlds', 'posterior', 'values', not 'best'"):
        breakrank.load_case(tmp_path / "mine", "best")  # type: ignore[arg-type]
