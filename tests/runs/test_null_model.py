"""The null model: what is left of a case when nobody knows of anybody else."""

from __future__ import annotations

import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.runs.counterfactuals import KEPT, NULL_MODEL


@pytest.mark.parametrize("name", breakrank.list_cases())
def test_only_what_a_single_soldier_knows_is_on(name: str) -> None:
    null = breakrank.null_model(breakrank.load_case(name, "point"))
    on = {n.removesuffix(".on") for n, p in null.parameters.items() if n.endswith(".on") and p.value > 0}
    assert on == set(KEPT)


def test_soldiers_leave_and_nobody_plots_confides_or_is_lodged() -> None:
    case = breakrank.load_case("venezuela-2019", "point").set({"force.strength": 16_000})
    made = breakrank.simulate(breakrank.null_model(case), runs=2, seed=1, until="2019-03-15", workers=1)
    total = {name: float(made.data[name].sum()) for name in ("founded", "confided", "uprisings", "meals")}
    assert total == {"founded": 0, "confided": 0, "uprisings": 0, "meals": 0}
    assert float(made.data["left_abroad"].sum()) > 0


def test_a_base_rate_may_be_fitted_beside_it() -> None:
    case = breakrank.load_case("venezuela-2019", "point")
    assert breakrank.null_model(case, decision__baseline_leave=9.0).value("decision.baseline_leave") == 9.0
    with pytest.raises(UsageError, match="baseline_leave"):
        breakrank.null_model(case, decision__habit_leeve=9.0)


def test_it_is_compared_with_by_name() -> None:
    from breakrank.runs.counterfactuals import counterfactuals_named

    case = breakrank.load_case("crimea-2014", "point")
    (found,) = counterfactuals_named(case, [NULL_MODEL])
    assert found.values["plots.on"] == 0
    assert "fear.on" not in found.values
