"""National numbers of a new case: nothing of one country, and priors that hold what other countries have."""

from __future__ import annotations

from pathlib import Path

import pytest

import breakrank
from breakrank.case.prior import Prior
from breakrank.runs.carried import national
from breakrank.spec import Parameter

ORIGIN = "venezuela-2019"


@pytest.fixture(scope="module")
def cases() -> dict[str, breakrank.Case]:
    return {name: breakrank.load_case(name, "point") for name in breakrank.list_cases()}


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Case:
    return breakrank.load_case(
        breakrank.new_case(Path(tmp_path_factory.mktemp("national")) / "new", full=True)
    )


def test_what_countries_differ_in_starts_in_the_middle(
    cases: dict[str, breakrank.Case], new: breakrank.Case
) -> None:
    opposed = new.parameters["preference.opposed_at_start"]
    values = sorted(c.value("preference.opposed_at_start") for c in cases.values())
    assert values[0] < opposed.value < values[-1]
    assert "not yet checked against the country" in opposed.assumed
    watch = new.parameters["counterintelligence.effort"]
    assert watch.value <= max(c.value("counterintelligence.effort") for c in cases.values())


def test_a_case_that_repeats_another_is_no_evidence(cases: dict[str, breakrank.Case]) -> None:
    others = [c for name, c in cases.items() if name != ORIGIN]
    found = national(others[0].catalogue, cases[ORIGIN], others)
    typical = others[0].catalogue.parameters["reception.offer"].typical
    assert {c.value("reception.offer") for c in cases.values()} == {0.06, 0.15}
    assert found["reception.offer"]["value"] == typical
    assert found["reception.offer"]["assumed"].startswith("Typical value of the model")


def test_built_in_cases_lie_within_the_priors_of_a_new_one(
    cases: dict[str, breakrank.Case], new: breakrank.Case
) -> None:
    outside: dict[str, list[float]] = {}
    for name, one in new.parameters.items():
        declared: Parameter = new.catalogue.parameters[name]
        if declared.scope != "national" or one.prior is None:
            continue
        prior: Prior = one.prior
        for case in cases.values():
            value = case.parameters[name].value
            if value > 0 and not 1e-4 < prior.cdf(value) < 1 - 1e-4:
                outside.setdefault(name, []).append(value)
    # What Crimea and East Germany switch off: no papers.
    assert set(outside) <= {"asylum.double_nationals"}, outside
