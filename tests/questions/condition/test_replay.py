"""A world is a line of text: whoever replays it lives the same days, to the bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.draws import FOLDER, Draws
from breakrank.case.library import case_folder
from breakrank.case.worlds import Worlds, load_worlds
from breakrank.questions.condition.condition import condition, go_on, hashes, known_record
from breakrank.runs.identity import source_digest
from breakrank.runs.versions import OTHERWISE, ensemble_version
from tests.questions.hindcast.small import small_case

SOME = np.array([17, 3, 8])
"""Rows that are replayed, in another order than they were made in."""


def replayed(case: Case, found: Worlds) -> tuple[str, ...]:
    """Return hashes of what some worlds count, lived anew from their lines of text."""
    luck = found.draws.luck
    assert luck is not None
    some = replace(luck, paths=tuple(luck.paths[k] for k in SOME))
    mine = case.with_draws(Draws(found.draws.names, found.draws.values[SOME], luck=some))
    data = breakrank.simulate(mine, runs=len(SOME), seed=99, workers=1, log_runs=0).data
    record = known_record(case, luck.until, {row["id"] for row in found.figures})
    assert record is not None
    return hashes(record.counts(data))


def test_worlds_that_come_with_a_case_are_replayed_to_the_bit_or_it_is_said_why_not() -> None:
    case = breakrank.load_case("venezuela-2019", "values").with_draws(None)
    found = load_worlds(case_folder(case.id) / FOLDER, case)
    if found.about["model"] != source_digest():
        assert ensemble_version(found.of(case)) == OTHERWISE
    else:
        assert replayed(case, found) == tuple(found.counted[k] for k in SOME)


@pytest.mark.thorough
@pytest.mark.usefixtures("few_lives")
@pytest.mark.parametrize("given", ["2025-03-10", "record"])
def test_lines_of_a_folder_are_replayed_to_the_bit(tmp_path: Path, given: str) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    folder = condition(case, given, 20, 2, workers=1).save(tmp_path / "worlds")
    found = load_worlds(folder, case)
    assert replayed(case, found) == tuple(found.counted[k] for k in SOME)
    assert len(set(found.counted)) > 1
    if given != "record":
        later = go_on(case, found, "2025-04-10", workers=1)
        assert later.draws.luck is not None
        assert later.draws.luck.until > found.draws.luck.until if found.draws.luck else False
        assert replayed(case, later) == tuple(later.counted[k] for k in SOME)
