"""A whole calibration of a toy: recovery, the same bits anywhere, going on, failing runs, folders."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case import Case, fits
from breakrank.case.library import LIBRARY
from breakrank.errors import BreakrankError, CaseError
from breakrank.inference.calibration import calibrated
from breakrank.inference.observed import ObservedTargets, log_likelihood
from breakrank.inference.particle_filter import FILTER
from breakrank.inference.question import Calibrate
from breakrank.inference.result import TABLES, Calibration, load_calibration, load_posterior
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import Account, Making, carry_out
from breakrank.runs.identity import source_digest
from breakrank.runs.store import AnyStore
from breakrank.runs.study import Study
from breakrank.runs.worker import Simulator
from breakrank.show.style import LIGHT
from breakrank.show.words import interval, number
from tests.inference.toys import BROKEN, FRAGILE, TOY, TRUST, WEIGHT, toy_case
from tests.show.valid import validated

pytestmark = pytest.mark.thorough

SETTINGS: dict[str, Any] = {"simulations": 500, "waves": 2, "seed": 7, "members": 0, "predictive": 40}
SYRIA = LIBRARY / "syria-2011" / "posterior"
FEW: dict[str, Any] = {**SETTINGS, "simulations": 200, "predictive": 20}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return toy_case(tmp_path_factory.mktemp("cases"))


@pytest.fixture(scope="module")
def found(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    store = tmp_path_factory.mktemp("found") / "store"
    return calibrate(case, store=store, backend="serial", **SETTINGS)


def same(one: Calibration, other: Calibration) -> None:
    assert one.posterior.draws == other.posterior.draws
    assert one.verdict == other.verdict
    for name in TABLES:
        assert one.tables[name].equals(other.tables[name]), name


class Stopped(Exception):  # noqa: N818 (no error: what a test does to a call)
    """The call was stopped."""


def calibrate(
    case: Case, making: Making | None = None, simulators: Any = (TOY, FILTER), **asked: Any
) -> Calibration:
    question = Calibrate(**asked)
    with making or question.making() as where:
        return calibrated(question, case, where, simulators)


class Noting(Making):
    """Carries studies out, and notes how many runs each made; one that is named `stop` stops."""

    def __init__(
        self, made: list[int], told: list[str] | None = None, stop: str | None = None, **more: Any
    ) -> None:
        super().__init__(**more)
        self._made, self._told, self._stop = made, told, stop
        self.remarks: list[str] = []

    def made(self, study: Study, store: AnyStore, what: str, simulator: Simulator | None) -> Account:
        if self._stop is not None and self._stop in what:
            raise Stopped
        account = carry_out(study, store, Cores(1), simulator=simulator)
        self._made.append(account.made)
        if self._told is not None:
            self._told.append(what)
        return account

    def remark(self, *remarks: object) -> None:
        if self._told is not None:
            self._told.append("told")
        if self._stop == "told":
            raise KeyboardInterrupt
        self.remarks += map(str, remarks)


def exact(case: Case, name: str, intercept: float, slope: float, target: int) -> tuple[float, float]:
    """Return posterior mean and standard deviation of a parameter, by importance sampling from its prior."""
    rng, n = np.random.default_rng(0), 200_000
    prior = case.parameters[name].prior
    values = np.asarray(prior.quantile(rng.uniform(size=n)))
    counts = rng.poisson(np.exp(intercept + slope * values))[:, None].astype(float)
    logs = log_likelihood(ObservedTargets.of(case).targets[target], counts)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    mean = float(weights @ values)
    return mean, float(np.sqrt(weights @ (values - mean) ** 2))


def test_what_the_counts_depend_on_is_found_and_nothing_else(case: Case, found: Calibration) -> None:
    assert set(found.informed) == {WEIGHT, TRUST}
    table = found.table("parameters")
    assert (table["contraction"] > 0.5).sum() == 2
    assert set(table.index[table["felt"]]) == {WEIGHT, TRUST}
    draws = found.posterior.draws
    assert len(draws) == 256
    for name, intercept, slope, target in ((WEIGHT, 2.5, 1.0, 0), (TRUST, 2.0, 2.0, 1)):
        mean, sd = exact(case, name, intercept, slope, target)
        mine = draws.values[:, draws.names.index(name)]
        assert abs(mine.mean() - mean) < 0.3 * sd, name
        assert mine.std() == pytest.approx(sd, rel=0.25), name
    targets = found.table("targets")
    assert targets["inside"].all()
    counted = targets.loc[["registered", "shot"]]
    assert (counted["width_ratio"] < 0.8).all()
    assert (counted["score"] < counted["prior_score"]).all()
    assert "inform 2 of" in found.verdict[0]
    assert "have mixed" in " ".join(found.verdict)


def test_any_number_of_workers_gives_the_same_bits(case: Case, found: Calibration, tmp_path: Path) -> None:
    same(calibrate(case, store=tmp_path / "store", backend="cores", workers=2, **SETTINGS), found)
    same(calibrate(case, backend="serial", **SETTINGS), found)


def test_what_was_stopped_goes_on_and_makes_nothing_twice(
    case: Case, found: Calibration, tmp_path: Path
) -> None:
    store, made = tmp_path / "store", list[int]()
    with pytest.raises(Stopped):
        calibrate(case, Noting(made, stop="near the observed", folder=store), **SETTINGS)
    assert made == [200, 50]
    (proposal,) = store.glob("draws/*.json")
    written = proposal.read_text("utf-8")
    same(calibrate(case, Noting(made, folder=store), **SETTINGS), found)
    assert made[2:] == [200, 50, 40, 80]
    assert proposal.read_text("utf-8") == written
    same(calibrate(case, Noting(made, folder=store), **SETTINGS), found)
    assert len(made) == 6, "everything was found in the store"


def test_the_prior_is_told_before_the_next_wave_is_simulated(case: Case, tmp_path: Path) -> None:
    """A figure that the prior does not allow is told of before anything more is spent on it."""
    events: list[str] = []
    far = case.content.targets[0].model_copy(update={"value": 60_000.0})
    other = Case(replace(case.content, targets=(far, *case.content.targets[1:])), case.catalogue)
    making = Noting([], events, folder=tmp_path / "store")
    found = calibrate(other, making, **FEW)
    assert [e.split(",")[0] for e in events] == [
        f"simulations of the prior until {case.calendar.end}",
        "told",
        "simulations near the observed figures",
        "runs with parameters from the posterior",
        "runs without dated events",
    ]
    (remark,) = making.remarks
    assert "The prior allows 2 of 3 targets: at least 1% of 100 simulations agree" in remark
    far_off = found.table("targets").loc["registered"]
    assert f"the prior does not allow “{far_off.label}”: " in remark
    assert f"90% of simulations give {interval(far_off.prior_q05, far_off.prior_q95)}" in remark
    assert f"the median is {number(far_off.prior_median)}." in remark
    assert "The prior does not allow 1 of 3 targets" in found.verdict[1]


def test_the_posterior_says_with_which_model_it_was_made(found: Calibration) -> None:
    made = found.posterior.about["made"]
    assert made["model"] == source_digest(TOY) != source_digest()
    assert made["seconds"] == found.about["seconds"] > 0


def test_more_simulations_go_on_from_whole_batches(case: Case, tmp_path: Path) -> None:
    store, made = tmp_path / "store", list[int]()
    one: dict[str, Any] = {**FEW, "waves": 1}
    calibrate(case, Noting(made, folder=store), **one)
    calibrate(case, Noting(made, folder=store), **{**one, "simulations": 260})
    assert made == [200, 20, 80, 60, 20, 80]


def test_simulations_that_fail_are_counted(case: Case) -> None:
    one: dict[str, Any] = {**FEW, "waves": 1, "simulations": 300, "simulators": (FRAGILE, FILTER)}
    found = calibrate(case, backend="serial", **one)
    failed = found.about["failed"]
    assert 15 < failed < 60  # weight above 2.7 of 0.5 to 3
    assert found.about["finished"] == 300 - failed
    assert found.table("failures")["simulations"].tolist() == [failed]
    assert any(line.startswith(f"{failed} of 300 simulations failed") for line in found.verdict)


def test_where_every_simulation_fails_the_first_reason_is_told(case: Case) -> None:
    with pytest.raises(BreakrankError, match=r"0 simulations finished.*ZeroDivisionError: always"):
        calibrate(case, backend="serial", **{**FEW, "simulators": (BROKEN, FILTER)})


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
    fitted = replace(case, posterior=posterior).with_ensemble("posterior")
    assert fitted.drawn(1, 3).value(WEIGHT) == found.posterior.draws.of(1, 3)[WEIGHT]
    found.save(folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(BreakrankError, match="left alone"):
        found.save(tmp_path / "other")
    with pytest.raises(BreakrankError, match="no calibration"):
        load_calibration(tmp_path / "other")


@pytest.mark.parametrize("name", ["contraction", "posterior", "targets", ""])
def test_every_chart_is_valid(found: Calibration, name: str) -> None:
    spec: Any = found.plot(name)
    assert validated(spec)["config"]["background"] == LIGHT.paper
    assert any(spec["datasets"].values())


def test_a_posterior_is_read_with_the_mechanisms_that_its_case_names(found: Calibration) -> None:
    case = breakrank.load_case("syria-2011", "point")
    assert "opposition.taken" in load_posterior(SYRIA, case.mechanisms).draws.names
    with pytest.raises(CaseError, match=r"there is no parameter 'opposition\.taken'"):
        load_posterior(SYRIA)
    assert found.about["mechanisms"] == []
