"""A member is a line of text: whoever runs it again gets the same days, to the bit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import ENSEMBLE, Draws
from breakrank.case.ensemble import PosteriorEnsemble, load_ensemble
from breakrank.case.library import case_folder
from breakrank.inference.calibration import ensemble_of, published_targets, update
from breakrank.inference.ensemble import hashes
from breakrank.runs.identity import OTHERWISE, ensemble_version, source_digest
from tests.questions.hindcast.small import small_case

SOME = np.array([17, 3, 8])
"""Rows that are replayed, in another order than they were made in."""


def replayed(case: Case, found: PosteriorEnsemble) -> tuple[str, ...]:
    """Return hashes of what some members count, run anew from their lines of text."""
    luck = found.draws.luck
    some = replace(luck, paths=tuple(luck.paths[k] for k in SOME))
    mine = case.with_draws(Draws(found.draws.names, found.draws.values[SOME], luck=some))
    data = breakrank.simulate(mine, runs=len(SOME), seed=99, workers=1, log_runs=0).data
    targets = published_targets(case, luck.until, {row["id"] for row in found.figures})
    return hashes(targets.counts(data))


def test_the_ensemble_of_a_case_is_replayed_to_the_bit_or_it_is_said_why_not() -> None:
    case = breakrank.load_case("venezuela-2019", "point")
    found = load_ensemble(case_folder(case.id) / ENSEMBLE, case)
    if found.about["model"] != source_digest():
        assert ensemble_version(found.of(case)) == OTHERWISE
    else:
        assert replayed(case, found) == tuple(found.counted[k] for k in SOME)


@pytest.mark.thorough
@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("given", ["2025-03-10", "all"])
def test_lines_of_a_folder_are_replayed_to_the_bit(tmp_path: Path, given: str) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    folder = ensemble_of(case, given, 20, 2, simulations=120, workers=1).save(tmp_path / "ensemble")
    found = load_ensemble(folder, case)
    assert replayed(case, found) == tuple(found.counted[k] for k in SOME)
    assert len(set(found.counted)) > 1
    if given != "all":
        later = update(case, found, "2025-04-10", workers=1)
        assert later.draws.luck.until > found.draws.luck.until
        assert replayed(case, later) == tuple(later.counted[k] for k in SOME)
