"""The desk's rates on invented reports that no rule was written from do not fall."""

from __future__ import annotations

import pytest

from breakrank_desk.context import Context
from breakrank_desk.measure import Row
from packages.desk.tests.unseen_reports import entries, rates

FLOORS = {
    "language": 1.0, "story": 0.98, "found": 0.97, "kept": 0.96, "date offered": 0.98,
    "speaker offered": 0.94, "place offered": 0.925, "all three offered": 0.86, "date first": 0.75,
    "speaker first": 0.80, "copies found": 0.99, "called copies": 0.99,
}  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    return rates(tmp_path_factory.mktemp("reports"), Context.open("venezuela-2019"))


@pytest.mark.parametrize("name", FLOORS)
def test_a_rate_does_not_fall(measured: dict[str, Row], name: str) -> None:
    share = measured[name].share
    assert share is not None
    assert share >= FLOORS[name], str(measured[name])


def test_the_set_is_what_it_claims() -> None:
    known = entries()
    assert len(known) == 60
    assert sum("of" in e for e in known) == 15
    assert sum(e["language"] == "es" for e in known) == 20
    assert sum(e["as"] == "pdf" for e in known) >= 10
    assert sum(len(e.get("figures", ())) for e in known) == 289
