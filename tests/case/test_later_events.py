"""What happens after the last known day is drawn from its prior, whatever an ensemble assimilated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.case.ensemble import PosteriorEnsemble, load_ensemble
from breakrank.inference.calibration import ensemble_of, update
from tests.inference.particle_toys import EARLY, LATE, TOYS, case_told

pytestmark = pytest.mark.usefixtures("small_budget")
BEFORE, AFTER = "events.oath.credibility.value", "events.rally.credibility.value"


def event(name: str, date: str) -> dict[str, object]:
    prior = {"distribution": "uniform", "low": 0.1, "high": 0.3}
    effect = {"field": "credibility", "op": "add", "value": 0.2, "prior": prior}
    return {"id": name, "date": date, "title": name, "assumed": "made up", "effects": [effect]}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Case:
    plain = case_told(tmp_path_factory.mktemp("toy"), (EARLY, 60.0), (LATE, 180.0))
    return plain.with_events([event("oath", "2025-01-20"), event("rally", "2025-03-01")])


@pytest.fixture(scope="module")
def early(told: Case) -> PosteriorEnsemble:
    return ensemble_of(told, EARLY, 40, 6, workers=1, simulators=TOYS)


def column(case: Case, name: str) -> np.ndarray:
    return case.draws.values[:, case.draws.names.index(name)]


def test_a_later_event_is_no_parameter_of_members_and_is_drawn_when_they_go_on(
    told: Case, early: PosteriorEnsemble, tmp_path: Path
) -> None:
    assert BEFORE in early.draws.names
    assert AFTER not in early.draws.names
    living = early.of(told)
    values = column(living, AFTER)
    assert len(set(values)) == len(values) == 40
    assert 0.1 <= values.min() < 0.15
    assert 0.25 < values.max() <= 0.3
    again = load_ensemble(early.save(tmp_path / "ensemble"), told).of(told)
    np.testing.assert_array_equal(column(again, AFTER), values)
    np.testing.assert_array_equal(column(again, BEFORE), column(living, BEFORE))


def test_members_that_go_on_keep_what_they_drew(told: Case, early: PosteriorEnsemble) -> None:
    later = update(told, early, "all", workers=1, simulators=TOYS)
    assert later.draws.names[-1] == AFTER
    assert set(later.draws.values[:, -1]) <= set(column(early.of(told), AFTER))
    assert later.of(told).draws == later.draws
