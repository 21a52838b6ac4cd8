"""What the runs of a case are where nothing is said, as of a day, and under the null model."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.library import case_folder
from breakrank.case.models_events import Changes
from breakrank.cli import main
from breakrank.cli.changed_case import ensemble_case
from breakrank.cli.options import DatedOptions
from breakrank.errors import UsageError
from breakrank.runs.as_of import Known, as_known
from breakrank.runs.counterfactuals import KEPT, NULL_MODEL, changes
from breakrank.runs.study import Scenario, Study

CASE = "venezuela-2019"


def test_runs_are_the_members_of_the_ensemble_that_comes_with_a_case() -> None:
    case = breakrank.load_case(CASE)
    assert case.draws.luck is not None
    assert case == breakrank.load_case(CASE, "posterior")
    plain = breakrank.load_case(CASE, "point")
    assert plain.draws is None
    folder = case_folder(CASE) / "ensemble"
    assert breakrank.load_ensemble(folder, plain).of(plain).draws == case.draws
    assert breakrank.load_case(CASE, folder).draws == plain.with_ensemble(folder).draws == case.draws
    drawn = plain.with_ensemble("posterior").draws
    assert drawn.luck is None
    assert plain.with_ensemble(case_folder(CASE) / "posterior").draws == drawn
    assert plain.with_ensemble("point").draws is None


def test_what_names_no_case_or_ensemble_is_refused() -> None:
    with pytest.raises(UsageError, match="an ensemble is named, or its folder: not a int"):
        breakrank.load_case(CASE, 3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="there is no built-in case and no folder"):
        breakrank.load_case("a" * 5000)


def test_the_prior_is_drawn_always_alike() -> None:
    one, other = (breakrank.load_case(name, "prior").draws for name in (CASE, CASE))
    assert one == other
    case = breakrank.load_case(CASE, "point")
    for name, column in zip(one.names, one.values.T, strict=True):
        prior = case.parameters[name].prior
        assert 0.4 < (column < prior.quantile(0.5)).mean() < 0.6


def test_a_name_in_python_is_what_the_command_line_runs() -> None:
    result = breakrank.simulate(CASE, runs=1, seed=5, workers=1)
    known = ensemble_case(CASE, DatedOptions(seed=5), quiet=True).case
    assert result.case.digest == known.digest
    assert result.case.draws == known.draws


def test_members_are_of_the_force_and_the_model_that_they_were_found_with() -> None:
    with pytest.raises(UsageError, match=r"under with_ensemble\('posterior'\) or 'point'"):
        breakrank.load_case(CASE).set({"force.strength": 16_000})
    added = breakrank.load_case(CASE, mechanisms=["unit_defection"])
    assert added.draws.luck is None
    options = DatedOptions(mechanisms=("unit_defection",))
    known = ensemble_case(CASE, options, quiet=True).case
    assert known.draws == added.draws


def test_a_case_without_an_ensemble_runs_under_what_it_has(tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "made-up")
    assert breakrank.load_case(folder).draws == breakrank.load_case(folder, "point").draws
    with pytest.raises(UsageError, match="made-up has no posterior"):
        breakrank.load_case(folder, "posterior")
    with pytest.raises(UsageError, match="best is no ensemble: posterior, prior, point, or a folder"):
        breakrank.load_case(CASE, "best")


def test_a_member_that_agrees_to_the_last_day_is_run_once() -> None:
    members = breakrank.load_case(CASE)
    most = len(members.draws)
    assert [Study((Scenario(members),), runs).runs for runs in (1, 20, 100)] == [1, 20, most]
    assert Study((Scenario(members.until("2019-03-31")),), 100).runs == most < 100
    for other in (members.with_ensemble("posterior"), breakrank.load_case(CASE, "point")):
        assert Study((Scenario(other),), 100).runs == 100


@pytest.mark.parametrize("given", [(), ("--runs", "60")], ids=["as usual", "more than there are"])
def test_the_command_says_where_there_are_fewer_members_than_runs_asked_for(
    given: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ("--no-result", "--store", str(tmp_path / "store"))
    assert main(["run", "crimea-2014", "--until", "2014-03-02", *given, *kept]) == 0
    said = capsys.readouterr()
    assert "40 of 40 runs are in" in said.out
    assert ("40 runs instead of 60: the ensemble has 40 members" in said.err) == bool(given)


def test_the_case_in_a_result_is_run_again_to_the_same_bytes(tmp_path: Path) -> None:
    asked = ("--until", "2014-03-03", "--runs", "5", "--log-runs", "0", "--quiet", "--out")
    assert main(["run", "crimea-2014", *asked, str(tmp_path / "once")]) == 0
    again = str(tmp_path / "once" / "case")
    assert main(["run", again, *asked, str(tmp_path / "again")]) == 0
    assert main(["run", again, "--ensemble", "point", *asked, str(tmp_path / "point")]) == 0
    runs = {name: (tmp_path / name / "runs.parquet").read_bytes() for name in ("once", "again", "point")}
    assert runs["once"] == runs["again"] != runs["point"]


def test_a_change_in_the_case_of_a_result_leaves_its_members_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = breakrank.load_case("crimea-2014")
    written = case.write(tmp_path / "case")
    changed = ensemble_case(str(written), DatedOptions(changes=("fear.on=0",)), quiet=False).case
    assert "left aside" in capsys.readouterr().err
    assert changed.draws is not None
    assert changed.draws == case.set({"fear.on": 0}).draws, "as of the case that the result is of"


DAY = dt.date(2019, 2, 28)


@pytest.fixture(scope="module")
def case() -> Case:
    return breakrank.load_case("venezuela-2019")


@pytest.fixture(scope="module")
def known(case: Case) -> Known:
    return as_known(case, DAY)


def test_nothing_before_the_day_changes(case: Case, known: Known) -> None:
    at = case.calendar.day(DAY) + 1
    for name in case.catalogue.fields:
        assert np.allclose(case.daily(name)[:at], known.case.daily(name)[:at], rtol=1e-12), name
    for what in ("open", "capture", "violence"):
        assert np.array_equal(case.route_daily(what)[:at], known.case.route_daily(what)[:at])


def test_later_events_have_no_effect_and_series_stand_still(case: Case, known: Known) -> None:
    at = case.calendar.day(DAY)
    assert case.daily("call").max() > 0.5
    assert known.case.daily("call")[at + 1 :].max() == 0
    assert case.daily("registration")[-1] == 0
    assert known.case.daily("registration")[-1] == 1
    pay = known.case.daily("pay")
    assert (pay[at:] == pay[at]).all()
    assert "la-carlota" in known.removed[0]
    assert max(e.date for e in known.case.events) <= DAY


def test_what_is_removed_is_told_apart_from_what_is_left_open(case: Case) -> None:
    said = as_known(case, dt.date(2019, 3, 1)).told()
    (removed,) = (
        one for one in said if one.startswith("Removed, as later than 2019-03-01: ") and "site" in one
    )
    (left,) = (one for one in said if one.startswith("Left as on 2019-03-01: "))
    opened = {site.id: site.opens <= dt.date(2019, 3, 1) for site in case.sites}
    assert len(set(opened.values())) == 2
    for site in case.sites:
        if site.closes:
            assert (f"the site {site.id}" in left) is opened[site.id]
        assert (f"the site {site.id}" in removed) is not opened[site.id]


def test_an_announced_event_is_left_in(case: Case) -> None:
    known = as_known(case, DAY, ["la-carlota"])
    assert known.announced == ("la-carlota",)
    assert known.case.daily("call").max() > 0.5
    with pytest.raises(UsageError, match="did you mean"):
        as_known(case, DAY, ["la-carlotta"])


@pytest.mark.parametrize("day", [dt.date(2018, 12, 31), dt.date(2019, 12, 31)])
def test_a_day_has_to_leave_something(case: Case, day: dt.date) -> None:
    with pytest.raises(UsageError, match="leaves nothing to forecast"):
        as_known(case, day)


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


def test_what_a_scenario_writes_into_files_is_told_with_its_sums() -> None:
    case = breakrank.load_case(CASE, "point")
    funds = {"government": {"funds": [{"date": dt.date(2019, 2, 20), "amount": 100000}]}}
    one = Changes(id="less", title="Less", edit={"payers": funds, "sites": {"hotel": {"capacity": 3}}})
    assert set(changes(one, case)) == {
        "payers.yaml: government funds = date 2019-02-20, amount 100000",
        "sites.yaml: hotel capacity = 3",
    }


def test_a_drawn_parameter_is_not_said_to_have_had_one_value() -> None:
    one = Changes(id="set", title="Set", set={"fear.risk_weight": 6, "fear.on": 1, "plots.on": 0})
    assert changes(one, breakrank.load_case("crimea-2014")) == (
        "fear.risk_weight is 6 in every run, instead of the value that each run drew",
        "fear.on is 1, as before",
        "plots.on is 0 instead of 1",
    )
