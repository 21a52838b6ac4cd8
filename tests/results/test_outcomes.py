import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest

from breakrank.errors import UsageError
from breakrank.labels import KINDS, WHERE
from breakrank.model import catalogue
from breakrank.results.outcomes import (
    Outcome,
    Record,
    called,
    check_targets,
    record,
    summarise,
)
from breakrank.results.result import as_json
from tests.results.fake import fake_case, fake_result
from tests.results.fake_case import FakeCase, target

RESULT = fake_result(20)


class OtherTargets(FakeCase):
    """The made-up case with the targets a test asks for."""

    asked: tuple[Any, ...] = ()

    @property
    def targets(self) -> tuple[Any, ...]:
        return self.asked


def with_targets(*targets: Any) -> Any:
    case = OtherTargets()
    object.__setattr__(case, "asked", targets)
    return dataclasses.replace(RESULT, case=case)


def test_spread_is_numpys_linear_quantile() -> None:
    found = {o.id: o for o in RESULT.outcomes()}["registered-month"]
    runs = RESULT.data["registered"].values[:, 53:82].sum(1)
    expected = np.quantile(runs, [0.05, 0.25, 0.5, 0.75, 0.95])
    assert [found.q05, found.q25, found.median, found.q75, found.q95] == expected.tolist()
    assert (found.measure, found.date, found.unit) == ("registered", "2019-03-23", "soldiers")


def test_what_the_runs_cannot_answer_says_why() -> None:
    result = with_targets(
        target("guard", "Guardsmen", "registered", "2019-03-01", by={"branch": "guard"}, value=1.0)
    )
    found = result.outcomes()[0]
    assert math.isnan(found.median)
    assert "registered_branch" in found.note
    assert found.meets_record is None
    assert found.as_json()["median"] is None
    assert found.as_json()["interval90"] == [None, None]


def test_records_name_their_sources() -> None:
    case = fake_case()
    by_id = {t.id: record(t, case) for t in case.targets}
    assert by_id["registered-february"] == Record(
        "value", 567.0, 567.0, "2019-02-28", "migration agency, in A wire service, 2019-03-01, paragraph 4"
    )
    assert by_id["registered-month"].source.count(";") == 1
    assert by_id["generals"].source == "assumed: few were named"
    assert (by_id["generals"].low, by_id["generals"].high) == (-math.inf, 5.0)
    assert (by_id["acceleration"].low, by_id["acceleration"].high) == (3.0, math.inf)


@pytest.mark.parametrize(
    ("low", "high", "met"), [(0.0, 4.9, False), (0.0, 5.0, True), (9.0, math.inf, True), (9.1, 20.0, False)]
)
def test_meeting_the_record_is_overlap_with_the_90_percent_interval(
    low: float, high: float, met: bool
) -> None:
    about = Outcome("x", "X", "soldiers", "shot", "2019-12-31", record=Record("range", low, high, "", ""))
    found = dataclasses.replace(about, q05=5.0, median=7.0, q95=9.0)
    assert found.meets_record is met


def test_few_runs_meet_the_record_within_their_range_and_json_keeps_its_interval() -> None:
    about = Outcome("x", "X", "soldiers", "shot", "2019-12-31", record=Record("value", 1.0, 1.0, "", ""))
    few = summarise(about, np.array([1.0, 5.0, 6.0, 9.0]))
    assert (few.runs, few.ends, few.meets_record) == (4, (1.0, 9.0), True)
    assert few.as_json()["interval90"] == [few.q05, few.q95]
    assert few.q05 > 1
    many = summarise(about, np.arange(1.0, 101.0))
    assert (many.ends, many.meets_record) == ((many.q05, many.q95), False)


def test_no_two_counts_are_called_alike() -> None:
    names = {one: called(one) for one in catalogue().measures}
    assert len(set(names.values())) == len(names)
    assert "registered" in [k for k, label in names.items() if "register" in label.lower()]
    assert not [k for k, label in {**KINDS, **WHERE}.items() if "register" in label.lower()]


def test_json_has_exactly_its_form() -> None:
    content = json.loads(json.dumps(as_json(RESULT), allow_nan=False))
    assert set(content) == {"case", "version", "ensemble", "doubts", "seed", "runs", "spread", "outcomes"}
    assert (content["case"], content["seed"], content["runs"]) == ("made-up-2019", 7, 20)
    for outcome in content["outcomes"].values():
        form = {"label", "unit", "median", "interval50", "interval90", "record"}
        assert set(outcome) == form | ({"share_of_runs"} if outcome["unit"] == "1 or 0" else set())
        low, high = outcome["interval90"]
        assert low <= outcome["interval50"][0] <= outcome["median"] <= outcome["interval50"][1] <= high
    records = {k: v["record"] for k, v in content["outcomes"].items()}
    assert set(records["registered-february"]) == {"value", "date", "source"}
    assert records["registered-month"]["range"] == [900.0, 1000.0]
    assert records["generals"]["at_most"] == 5.0
    assert records["acceleration"]["at_least"] == 3.0
    assert records["registered"] is None


def test_targets_are_checked_before_any_run() -> None:
    check_targets(fake_case())
    wrong: Any = with_targets(target("guard", "Guardsmen", "registered", "2019-03-01", by={"branch": "gard"}))
    with pytest.raises(UsageError, match="target guard: no branch 'gard', did you mean 'guard'"):
        check_targets(wrong.case)


def test_what_runs_answer_with_yes_or_no_is_a_share_of_them() -> None:
    asked = target("holds", "Regime in place", "regime_holds", "2019-12-31", unit="1 or 0", value=1.0)
    found = {o.id: o for o in with_targets(asked).outcomes()}["holds"]
    holds = RESULT.data["regime_holds"].values[:, -1]
    assert found.yes_or_no
    assert found.share == holds.mean()
    assert found.as_json()["share_of_runs"] == holds.mean()
    assert found.meets_record is True
    fallen = summarise(dataclasses.replace(found, record=record(asked, fake_case())), np.zeros(100))
    assert (fallen.share, fallen.meets_record) == (0.0, False)
    assert math.isnan({o.id: o for o in RESULT.outcomes()}["uprisings"].share)
