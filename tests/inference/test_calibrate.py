"""A whole calibration of a toy: recovery, the same bits anywhere, going on, failing runs, folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from breakrank.inference.bank import bare
from breakrank.inference.calibrate import calibrate
from breakrank.inference.data import TABLES

from breakrank.case import Case, fits
from breakrank.errors import BreakrankError
from breakrank.inference.prior_check import PriorCheck
from breakrank.inference.result import Calibration, load_calibration, load_posterior
from breakrank.inference.terminal import Across
from breakrank.runs.backends import Cores, Here
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.identity import source_digest
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from breakrank.show.style import DARK
from tests.inference.toys import FRAGILE, TOY, TRUST, WEIGHT, toy_case
from tests.show.valid import validated

pytestmark = pytest.mark.thorough

SETTINGS: dict[str, Any] = {"simulations": 500, "rounds": 2, "seed": 7, "worlds": 60, "predictive": 40}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return toy_case(tmp_path_factory.mktemp("cases"))


@pytest.fixture(scope="module")
def found(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    store = tmp_path_factory.mktemp("found") / "store"
    return calibrate(case, store=store, backend="serial", model=TOY, **SETTINGS)


def same(one: Calibration, other: Calibration) -> None:
    assert one.posterior.draws == other.posterior.draws
    assert one.verdict == other.verdict
    for name in TABLES:
        assert one.tables[name].equals(other.tables[name]), name


def test_what_the_counts_depend_on_is_found_and_nothing_else(found: Calibration) -> None:
    assert set(found.informed) == {WEIGHT, TRUST}
    table = found.table("parameters")
    # 60 are registered: exp(2.5 + weight) = 60
    assert table.loc[WEIGHT, "posterior_q05"] < np.log(60) - 2.5 < table.loc[WEIGHT, "posterior_q95"]
    assert (table["contraction"] > 0.5).sum() == 2
    targets = found.table("targets")
    assert targets["inside"].all()
    assert (targets.loc[["registered", "shot"], "width_ratio"] < 0.8).all()
    assert (
        targets.loc[["registered", "shot"], "score"] < targets.loc[["registered", "shot"], "prior_score"]
    ).all()
    assert "informs 2 of" in found.verdict[0]
    assert len(found.posterior.draws) == 256


def test_any_number_of_workers_gives_the_same_bits(case: Case, found: Calibration, tmp_path: Path) -> None:
    across = Across(540, Cores(2), None, model=TOY)
    same(calibrate(case, store=tmp_path / "store", carry=across, model=TOY, **SETTINGS), found)


def test_what_was_stopped_goes_on_and_makes_nothing_twice(
    case: Case, found: Calibration, tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    made: list[int] = []

    class StopsError(Exception):
        pass

    def stopped(study: Study, kept: Store, what: str) -> Account:
        if "around" in what:
            raise StopsError
        return carried(study, kept, what)

    def carried(study: Study, kept: Store, what: str) -> Account:
        account = carry_out(study, kept, Here(), simulator=TOY)
        made.append(account.made)
        return account

    with pytest.raises(StopsError):
        calibrate(case, store=store, carry=stopped, model=TOY, **SETTINGS)
    assert made == [300]
    (proposal,) = store.folder.glob("calibrations/*/round-1.json")
    written = proposal.read_text("utf-8")
    same(calibrate(case, store=store, carry=carried, model=TOY, **SETTINGS), found)
    assert made == [300, 0, 200, 40]
    assert proposal.read_text("utf-8") == written
    same(calibrate(case, store=store, carry=carried, model=TOY, **SETTINGS), found)
    assert made[4:] == [0, 0, 0]


def test_the_prior_is_told_before_the_next_round_is_made(case: Case, tmp_path: Path) -> None:
    """A record that the prior does not allow is told of before anything more is spent on it."""
    events: list[str] = []
    told: list[PriorCheck] = []

    def carried(study: Study, kept: Store, what: str) -> Account:
        events.append(what)
        return carry_out(study, kept, Here(), simulator=TOY)

    def tell(check: PriorCheck) -> None:
        events.append("told")
        told.append(check)

    far = case.content.targets[0].model_copy(update={"value": 60_000.0})
    other = Case(replace(case.content, targets=(far, *case.content.targets[1:])), case.catalogue)
    few: dict[str, Any] = {**SETTINGS, "simulations": 200, "worlds": 20, "predictive": 20}
    found = calibrate(other, store=tmp_path / "store", carry=carried, tell=tell, model=TOY, **few)
    assert [e.split(",")[0] for e in events] == [
        "simulations of the prior", "told", "simulations around the posterior", "runs under the posterior",
    ]  # fmt: skip
    (check,) = told
    assert [t.id for t in check.outside] == ["registered"]
    assert check.simulations == 120
    targets = found.table("targets")
    for t in check.targets:
        assert (t.q05, t.q95) == (targets.loc[t.id, "prior_q05"], targets.loc[t.id, "prior_q95"])
        assert t.share == targets.loc[t.id, "prior_agrees"]
    assert "The prior does not allow 1 of 3 targets" in found.verdict[1]


def test_a_stop_at_what_the_prior_says_loses_nothing(case: Case, tmp_path: Path) -> None:
    def stops(check: PriorCheck) -> None:
        raise KeyboardInterrupt

    made: list[int] = []

    def carried(study: Study, kept: Store, what: str) -> Account:
        account = carry_out(study, kept, Here(), simulator=TOY)
        made.append(account.made)
        return account

    few: dict[str, Any] = {**SETTINGS, "simulations": 200, "worlds": 20, "predictive": 20}
    with pytest.raises(KeyboardInterrupt):
        calibrate(case, store=tmp_path / "store", carry=carried, tell=stops, model=TOY, **few)
    calibrate(case, store=tmp_path / "store", carry=carried, model=TOY, **few)
    assert made == [120, 0, 80, 20]


def test_the_posterior_says_with_which_model_it_was_made(found: Calibration) -> None:
    made = found.posterior.about["made"]
    assert made["model"] == source_digest(TOY) != source_digest()
    assert made["seconds"] == found.about["seconds"] > 0


def test_more_simulations_and_another_record_use_the_same_bank(case: Case, tmp_path: Path) -> None:
    store, made = Store(tmp_path / "store"), []

    def carried(study: Study, kept: Store, what: str) -> Account:
        account = carry_out(study, kept, Here(), simulator=TOY)
        made.append(account.made)
        return account

    one: dict[str, Any] = {**SETTINGS, "rounds": 1, "simulations": 200, "worlds": 20, "predictive": 20}
    calibrate(case, store=store, carry=carried, model=TOY, **one)
    fewer = Case(replace(case.content, targets=case.content.targets[:1]), case.catalogue)
    assert bare(fewer) == bare(case)
    calibrate(fewer, store=store, carry=carried, model=TOY, **{**one, "simulations": 260})
    assert made == [200, 20, 60, 20]


def test_simulations_that_fail_are_counted_and_where(case: Case, tmp_path: Path) -> None:
    one: dict[str, Any] = {**SETTINGS, "rounds": 1, "simulations": 300, "predictive": 20}
    found = calibrate(case, store=tmp_path / "store", backend="serial", model=FRAGILE, **one)
    failed = found.about["failed"]
    assert 15 < failed < 60  # weight above 2.7 of 0.5 to 3
    assert found.about["finished"] == 300 - failed
    assert found.table("failures")["simulations"].tolist() == [failed]
    assert found.about["failed_where"][0][0] == WEIGHT
    assert f"more often with {WEIGHT} high" in found.verdict[-1]


def test_a_calibration_reads_back_and_its_posterior_fits_the_case(
    case: Case, found: Calibration, tmp_path: Path
) -> None:
    folder = found.save(tmp_path / "out")
    again = load_calibration(folder)
    assert again.verdict == found.verdict
    assert again.posterior.draws == found.posterior.draws
    for name in TABLES:
        left, right = again.tables[name], found.tables[name]
        assert list(left.index) == list(right.index)
        for column in right.columns:
            if right[column].dtype.kind == "f":
                np.testing.assert_allclose(left[column].to_numpy(float), right[column].to_numpy(float), 1e-13)
    posterior = load_posterior(folder / "posterior")
    assert posterior.about == found.posterior.about
    assert fits(posterior, case)
    fitted = replace(case, posterior=posterior).with_posterior()
    assert fitted.drawn(1, 3).value(WEIGHT) == found.posterior.draws.of(1, 3)[WEIGHT]
    found.save(folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(BreakrankError, match="left alone"):
        found.save(tmp_path / "other")
    with pytest.raises(BreakrankError, match="no calibration"):
        load_calibration(tmp_path / "other")


@pytest.mark.parametrize("name", ["contraction", "posterior", "targets", None])
def test_every_chart_is_valid(found: Calibration, name: str | None) -> None:
    spec: Any = found.plot(name, theme="dark")
    assert validated(spec)["config"]["background"] == DARK.paper
    assert any(spec["datasets"].values())


def test_it_is_a_tree_in_the_groups_of_arviz(found: Calibration, tmp_path: Path) -> None:
    import xarray as xr

    tree = found.to_arviz()
    draws = found.posterior.draws
    assert set(tree.children) == {"posterior", "prior", "observed_data", "diagnostics"}
    for k, name in enumerate(draws.names):
        assert tree["posterior"].dataset[name].dims == ("chain", "draw")
        np.testing.assert_array_equal(tree["posterior"].dataset[name][0], draws.values[:, k])
    before = found.table("parameters")
    middle = {n: float(np.median(tree["prior"].dataset[n])) for n in draws.names}
    for name, value in middle.items():
        assert value == pytest.approx(before.loc[name, "prior_median"], rel=0.02)
    path = tmp_path / "calibration.nc"
    tree.to_netcdf(path, engine="h5netcdf")
    with xr.open_datatree(path, engine="h5netcdf") as again:
        ranks = again["diagnostics"].dataset["rank"]
        np.testing.assert_array_equal(ranks, found.table("ranks")[list(ranks["parameter"].values)])
        assert again["posterior"].attrs["case"] == found.about["case"]
        assert "\n".join(found.verdict) == again["posterior"].attrs["verdict"]
    without = replace(found, case=None).to_arviz()
    assert "prior" not in without.children
    low = found.table("targets")["record_low"]
    np.testing.assert_array_equal(tree["observed_data"].dataset["low"], low)
