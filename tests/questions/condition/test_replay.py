"""A world is a line of text: whoever replays it lives the same days, to the bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case.draws import Draws
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.condition.condition import condition
from breakrank.questions.condition.worlds import hashes, read_worlds
from breakrank.results.measures import known_on
from tests.questions.validate.small import small_case

SOME = np.array([17, 3, 8])
"""Rows that are replayed, in another order than they were made in."""


@pytest.mark.thorough
@pytest.mark.parametrize("given", ["2025-03-10", "record"])
def test_lines_of_a_folder_are_replayed_to_the_bit(tmp_path: Path, given: str) -> None:
    case = breakrank.load_case(small_case(tmp_path / "small"))
    folder = condition(case, given, 20, 2, workers=1).save(tmp_path / "worlds")
    found = read_worlds(folder, case)
    luck = found.draws.luck
    assert luck is not None
    some = replace(luck, paths=tuple(luck.paths[k] for k in SOME))
    mine = case.with_draws(Draws(found.draws.names, found.draws.values[SOME], luck=some))
    data = breakrank.simulate(mine, runs=len(SOME), seed=99, workers=1, log_runs=0).data
    known = tuple(t for t in case.targets if known_on(t) <= luck.until)
    record = TargetRecord.of(type(case)(replace(case.content, targets=known), case.catalogue))
    assert hashes(record.counts(data)) == tuple(found.counted[k] for k in SOME)
    assert len(set(found.counted)) > 1
