"""What a new case takes from another one: psychological values with their priors, and nothing national."""

import re
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank import load_case, new_case
from breakrank.case import Case, check_case
from breakrank.case.models_parameters import is_switch
from breakrank.case.prior import Prior
from breakrank.errors import UsageError
from breakrank.model import catalogue
from breakrank.runs.carried import carried, national, wide
from breakrank.runs.cases import carry
from breakrank.spec import Parameter


@pytest.fixture(scope="module")
def origin() -> Case:
    return load_case("venezuela-2019", "point")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_case(tmp_path_factory.mktemp("carried") / "norland", full=True)


def test_a_new_case_has_the_psychology_of_the_posterior(made: Path, origin: Case) -> None:
    case, draws = load_case(made), origin.posterior.draws
    assert check_case(made, catalogue()) == []
    for name, declared in case.catalogue.parameters.items():
        if declared.scope != "psychological":
            continue
        mine, theirs = case.parameters[name], origin.parameters[name]
        if name in ("cohesion.norm_weight", "cohesion.solidarity_weight"):  # 0 there: nothing is known
            assert theirs.value == 0
            assert (mine.value, mine.prior is None) == (declared.typical, False)
            continue
        assert (mine.prior is None) == (theirs.prior is None), name
        if name in draws.names:
            column = draws.values[:, draws.names.index(name)]
            assert mine.value == pytest.approx(np.median(column), rel=1e-3)
            for p in (0.1, 0.9):  # a tenth of all draws too many on one side at most
                assert mine.prior.cdf(float(np.quantile(column, p))) == pytest.approx(p, abs=0.1), name
        else:
            assert mine.value == theirs.value


def test_nothing_national_is_copied(made: Path, origin: Case) -> None:
    case = load_case(made)
    moved = 0
    for name, declared in case.catalogue.parameters.items():
        if declared.scope != "national" or is_switch(declared) or name == "force.strength":
            continue
        mine = case.parameters[name]
        if mine.assumed.startswith("Typical"):
            assert mine.value == declared.typical
        assert origin.title not in mine.assumed
        assert mine.prior is not None or mine.value == 0, name
        moved += mine.value != origin.parameters[name].value
    assert moved > 10


def test_before_any_fit(origin: Case) -> None:
    plain = carried(origin, fitted=False)
    assert plain["decision.baseline_desert"]["value"] == origin.value("decision.baseline_desert")
    assert plain["decision.baseline_desert"]["prior"]["distribution"] == "uniform"


def test_carrying_leaves_the_rest_of_the_file(tmp_path: Path, origin: Case) -> None:
    folder = new_case(tmp_path / "mine", fitted=False, full=True)
    file = folder / "parameters.yaml"
    text = re.sub(r"(?<=force\.kin_abroad:\n  value: )\S+", "0.33", file.read_text())
    text = text.replace("# Psychological: carried", "# A note of mine.\n\n# Psychological: carried")
    file.write_text(text)
    changed = carry(folder)
    assert "decision.baseline_desert" in changed
    assert carry(folder) == ()
    case = load_case(folder)
    assert case.value("force.kin_abroad") == 0.33
    assert case.value("decision.baseline_desert") == carried(origin)["decision.baseline_desert"]["value"]
    assert "# A note of mine." in file.read_text()
    assert len(file.read_text().splitlines()) == len(text.splitlines())


def test_a_built_in_case_is_not_written_over() -> None:
    with pytest.raises(UsageError, match="comes with the package"):
        carry("venezuela-2019")


@pytest.mark.parametrize(
    ("typical", "high", "family"), [(0.5, 1, "beta"), (0.12, 1, "beta"), (0.01, 1, "lognormal"), (0, 1, None)]
)
def test_wide_priors(typical: float, high: float, family: str | None) -> None:
    found = wide(Parameter("a.b", "probability", 0, high, typical, "", scope="national"), typical)
    assert (found and found["distribution"]) == family
    if found:
        numbers = tuple(v for k, v in found.items() if k != "distribution")
        prior = Prior(str(found["distribution"]), numbers, 0, high)
        assert prior.quantile(0.95) > 2 * prior.quantile(0.05)


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
