"""What each forecaster says: carried on from the last count, never below it, and pooled."""

import datetime as dt

import numpy as np
import pytest
from scipy import stats

import breakrank
from breakrank.case import Target
from breakrank.inference.observed import DRAWS, Counts
from breakrank.questions.forecasters import (
    BASELINES,
    DISCREPANCY,
    EFFECTIVE,
    MODEL,
    NULL,
    POOL,
    SIMULATED,
    Ensemble,
    KnownOnDay,
    logarithmic_growth,
    predictions,
    tempered_weights,
)
from breakrank.questions.hindcast import score_rows
from tests.questions.hindcast.small import small_case

DAY = dt.date(2025, 3, 10)
RUNS = 40


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> KnownOnDay:
    case = breakrank.load_case(small_case(tmp_path_factory.mktemp("forecasters") / "small"))
    return KnownOnDay(case, DAY, tuple(case.targets[:1]), 0)


@pytest.fixture
def late(known: KnownOnDay) -> Target:
    return known.case.targets[1]


def counting(early: float, late: float, held: float = 1.0, runs: int = RUNS) -> Ensemble:
    """Return runs that all count the same, but for a little that tells them apart."""
    apart = np.linspace(0, 1e-6, runs)[:, None]
    counts = {"registered-early": early, "registered-late": late, "rises-not": held}
    return Ensemble({name: np.full((runs, 1), n) + apart for name, n in counts.items()}, np.ones(runs))


def said(question: Target, known: KnownOnDay, **ensembles: Ensemble) -> dict[str, np.ndarray]:
    found = predictions(
        question, known, {MODEL: ensembles["model"], NULL: ensembles.get("null", counting(5, 9))}
    )
    return {name: np.asarray(one) for name, one in found.items()}


def test_growth_is_scaled_by_known_over_simulated(known: KnownOnDay, late: Target) -> None:
    """20 are known where runs count 10: to the known 20 comes twice what runs add."""
    found = said(late, known, model=counting(10, 16))
    assert np.median(found[MODEL]) == pytest.approx(20 + 12, rel=0.1)
    assert np.median(found[SIMULATED]) == pytest.approx(16)


def test_what_only_grows_is_never_forecast_below_what_is_known(known: KnownOnDay, late: Target) -> None:
    for runs in (counting(10, 10), counting(100, 101), counting(0, 3)):
        found = said(late, known, model=runs)
        for name in (POOL, MODEL, NULL, *BASELINES):
            assert found[name].min() >= 20, name
            assert np.isfinite(found[name]).all(), name


def test_runs_that_have_none_yet_add_what_they_add(known: KnownOnDay, late: Target) -> None:
    found = said(late, known, model=counting(-1e-6, 6))
    assert 20 < np.median(found[MODEL]) < 20 + 2 * 6


def test_the_discrepancy_widens_growth_alone(known: KnownOnDay, late: Target) -> None:
    level = known.level(known.figures[0])
    still, growing = (said(late, known, model=counting(20, n))[MODEL] for n in (20, 60))
    assert np.allclose(still, np.maximum(level, 20))
    assert np.std(growing) > 1.5 * np.std(level)


def test_a_figure_of_no_certain_day_is_read_on_each_of_its_days(known: KnownOnDay, late: Target) -> None:
    """Runs count 20 on the date and 10 three days before: four days are as likely."""
    early = known.figures[0].model_copy(update={"lag": 3})
    counts = {**counting(20, 30).counts, early.id: np.tile([20.0, 20, 20, 10], (RUNS, 1))}
    unsure = KnownOnDay(known.case, DAY, (early,), 0)
    ensemble = Ensemble(counts, np.ones(RUNS))
    model, level = said(late, unsure, model=ensemble)[MODEL], unsure.level(early)
    luck = np.exp(DISCREPANCY * unsure.normal("registered.discrepancy"))
    growth = ((model - level) / level / luck)[model > 20]
    doubled, tripled = np.isclose(growth, 0.5), np.isclose(growth, 2.0)
    assert (doubled | tripled).all()
    assert 0.15 < tripled.mean() < 0.4
    asked = late.model_copy(update={"lag": 1})
    two_days = Ensemble({**counts, late.id: np.tile([30.0, 24], (RUNS, 1))}, np.ones(RUNS))
    assert 0.4 < (said(asked, known, model=two_days)[SIMULATED] == 24).mean() < 0.6


def test_baselines_start_from_the_middle_of_the_days(known: KnownOnDay, late: Target) -> None:
    """A count that may be older has grown faster by then, and goes on so."""
    early = known.figures[0]
    rates = [
        np.median(said(late, KnownOnDay(known.case, DAY, (one,), 0), model=counting(20, 30))["constant rate"])
        for one in (early, early.model_copy(update={"lag": 10}))
    ]
    assert rates[1] > rates[0]


def test_half_of_the_pool_is_the_model_and_the_others_share_the_rest(known: KnownOnDay, late: Target) -> None:
    found = said(late, known, model=counting(10, 16))
    others = [found[name] for name in (NULL, *BASELINES)]
    assert len(found[POOL]) == 8 * DRAWS
    for at in (21.0, 25.0, 35.0):
        mixture = ((found[MODEL] <= at).mean() + np.mean([(x <= at).mean() for x in others])) / 2
        assert (found[POOL] <= at).mean() == pytest.approx(mixture)


def test_chances_are_pooled_too(known: KnownOnDay) -> None:
    holds = known.case.targets[2]
    half = Ensemble(
        {**counting(1, 1).counts, holds.id: np.tile([[1.0], [0.0]], (RUNS // 2, 1))}, np.ones(RUNS)
    )
    found = predictions(holds, known, {MODEL: half, NULL: half})
    others = [one for name, one in found.items() if name not in (POOL, MODEL, SIMULATED)]
    assert found[MODEL] == found[SIMULATED] == 0.5
    assert found["last value"] == 1
    so_far, ahead = (DAY - known.case.calendar.start).days + 1, (holds.date - DAY).days
    rates = stats.gamma(0.5, scale=1 / so_far)  # what no event on these days leaves of the rate (Jeffreys)
    none = rates.expect(lambda rate: np.exp(-rate * ahead), lb=0, ub=np.inf)
    assert found["constant rate"] == pytest.approx(none, rel=1e-3)
    assert found[POOL] == pytest.approx((found[MODEL] + sum(others) / len(others)) / 2)
    rows = score_rows(holds, known.case, DAY, found)
    assert next(r["score"] for r in rows if r["forecaster"] == MODEL) == pytest.approx(0.25)


def test_a_null_model_without_the_thing_has_no_part(known: KnownOnDay) -> None:
    holds = known.case.targets[2]
    never = Ensemble({holds.id: np.ones((RUNS, 1))}, np.ones(RUNS))
    assert NULL not in predictions(holds, known, {MODEL: never, NULL: never})


def test_stocks_are_left_as_simulated(known: KnownOnDay) -> None:
    beds = {"measure": "persons_in_sites", "unit": "persons"}
    early, late = (t.model_copy(update=beds) for t in known.case.targets[:2])
    found = predictions(
        late, KnownOnDay(known.case, DAY, (early,), 0), {MODEL: counting(10, 16), NULL: counting(10, 18)}
    )
    assert np.allclose(found[MODEL], 16)
    assert set(found) == {POOL, MODEL, NULL, "last value", SIMULATED}


def test_runs_without_an_answer_are_left_out(known: KnownOnDay, late: Target) -> None:
    ratio = late.model_copy(update={"measure": "relatives_ratio", "unit": "ratio"})
    half = np.where(np.arange(RUNS) % 2, np.nan, 0.4)[:, None]
    found = predictions(ratio, known, {MODEL: Ensemble({ratio.id: half}, np.ones(RUNS))})
    assert np.allclose(found[MODEL], 0.4)
    none = Ensemble({ratio.id: np.full((RUNS, 1), np.nan)}, np.ones(RUNS))
    assert predictions(ratio, known, {MODEL: none}) == {}


def test_a_logarithmic_burst_is_gone_on_with() -> None:
    days = np.array([1.0, 3.0, 10.0, 30.0])
    burst = Counts(days, 100 * np.log1p(days / 2), np.full(4, 0.001))
    grid, normal = (np.arange(DRAWS) + 0.5) / DRAWS, np.zeros(DRAWS)
    growth = logarithmic_growth(burst, 30.0, 90.0, grid, normal)
    assert np.median(growth) == pytest.approx(100 * (np.log1p(45) - np.log1p(15)), rel=0.02)
    once = Counts(days[-1:], np.array([100.0]), np.array([0.1]))
    wide = logarithmic_growth(once, 30.0, 90.0, grid, normal)
    assert np.ptp(wide) > 10 * np.ptp(growth), "one figure does not tell how fast a burst fades"
    assert (wide > 0).all()


def test_weights_keep_enough_runs() -> None:
    few = tempered_weights(-(np.linspace(0, 500, 200) ** 2))
    assert few.sum() ** 2 / (few**2).sum() == pytest.approx(EFFECTIVE, rel=0.01)
    flat = np.log(np.linspace(1, 2, 200))
    assert np.allclose(tempered_weights(flat), np.exp(flat - flat.max()))
