"""An ensemble is the posterior given its figures, the same bits wherever it is made."""

import datetime as dt
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.case.ensemble import PosteriorEnsemble, load_ensemble
from breakrank.errors import BreakrankError, UsageError
from breakrank.inference.calibration import ensemble_of, update
from breakrank.inference.ensemble import hashes
from breakrank.inference.observed import DISCREPANCY, ObservedTargets, log_likelihood
from breakrank.runs.carry_out import simulate
from breakrank.runs.store import Store
from tests.inference.particle_toys import EARLY, FAILING_TOYS, LATE, SHIFT, TOY, TOYS, by_day, case_told
from tests.inference.toys import WEIGHT
from tests.new_cases import printed

pytestmark = pytest.mark.usefixtures("small_budget")
FIGURES = (EARLY, 60.0), (LATE, 180.0)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return case_told(tmp_path_factory.mktemp("toy"), *FIGURES)


@pytest.fixture(scope="module")
def ensemble(told: Case) -> PosteriorEnsemble:
    return ensemble_of(told, "all", 250, 1, workers=1, simulators=TOYS)


def counted(ensemble: PosteriorEnsemble, case: Case) -> Any:
    """Return who has registered in each world by the two dates, replayed from its row and path alone."""
    start, column = case.calendar.start, ensemble.draws.names.index(WEIGHT)
    out = []
    for row, values in enumerate(ensemble.draws.values):
        lived = ensemble.draws.luck.lived(row, 0, 0)
        path = [(max(0, (date - start).days), seed, n) for date, seed, n in lived]
        days = by_day(float(values[column]), case.calendar.days, path)
        out.append([days[: (date - start).days + 1].sum() for date in (EARLY, LATE)])
    return np.array(out, float)


def test_they_are_those_of_the_posterior(told: Case, ensemble: PosteriorEnsemble) -> None:
    rng, n = np.random.default_rng(0), 60_000
    weight, days = rng.uniform(0.5, 3, n), (LATE - told.calendar.start).days + 1
    bad = rng.normal(size=(n, days)) > 1.5
    who = rng.poisson(np.exp(weight - SHIFT)[:, None], (n, days)) * np.where(bad, 8, 1)
    early = (EARLY - told.calendar.start).days + 1
    counts = np.stack([who[:, :early].sum(1), who.sum(1)], axis=1).astype(float)
    logs = sum(
        log_likelihood(aim, counts[:, k : k + 1]) for k, aim in enumerate(ObservedTargets.of(told).targets)
    )
    p = np.exp(logs - np.max(logs))
    p /= p.sum()
    mean = p @ weight
    found = ensemble.draws.values[:, ensemble.draws.names.index(WEIGHT)]
    assert found.mean() == pytest.approx(mean, abs=0.06)
    assert found.std() == pytest.approx(np.sqrt(p @ (weight - mean) ** 2), rel=0.2)
    mine, exact = counted(ensemble, told), p @ counts
    assert mine.mean(0) == pytest.approx(exact, rel=0.03)
    assert mine.std(0) == pytest.approx(np.sqrt(p @ (counts - exact) ** 2), rel=0.25)


def test_runs_of_them_are_what_they_were(told: Case, ensemble: PosteriorEnsemble) -> None:
    case = ensemble.of(told)
    result = simulate(case, 60, seed=5, workers=1, simulator=TOY, log_runs=0)
    rows = case.draws.rows(5, range(60))
    daily = result.data["registered"].values
    mine = np.stack([daily[:, : (d - told.calendar.start).days + 1].sum(1) for d in (EARLY, LATE)], axis=1)
    assert (mine == counted(ensemble, told)[rows]).all()
    used = {o.id: o.used for o in result.outcomes() if o.record is not None}
    assert used == {"registered-0": True, "registered-1": True}
    table = result.table()
    assert table.columns.name == "Beside the observed figures: the runs assimilated all 2"
    assert table["assimilated"].to_list()[:2] == ["assimilated", "assimilated"]


def test_the_last_figures_are_a_forecast_when_only_the_first_was_given(told: Case) -> None:
    found = ensemble_of(told, EARLY, 100, 2, workers=1, simulators=TOYS)
    result = simulate(found.of(told), 100, seed=0, workers=1, simulator=TOY, log_runs=0)
    first, later = (o for o in result.outcomes() if o.record is not None)
    assert (first.used, later.used) == (True, False)
    assert result.table()["assimilated"].to_list()[:2] == ["assimilated", "not assimilated"]
    plain = simulate(told, 2, simulator=TOY, workers=1, log_runs=0)
    assert "used" not in plain.outcomes()[0].as_json()
    assert set(plain.table()["assimilated"]) == {""}
    own = 2 * 1.645 * math.hypot(0.1, DISCREPANCY) * 60
    assert first.q95 - first.q05 < own, "no wider than the figure and the discrepancy allow"
    assert later.q95 - later.q05 > first.q95 - first.q05


def test_the_same_bits_on_two_workers_and_after_an_interruption(told: Case, tmp_path: Path) -> None:
    one = ensemble_of(told, "all", 6, 3, workers=1, simulators=TOYS)
    two = ensemble_of(told, "all", 6, 3, workers=2, simulators=TOYS)
    kept = Store(tmp_path / "store")
    calls = 0

    def breaking(study: object, store: object, what: str, simulator: object = None) -> object:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        from breakrank.runs.backends import Cores
        from breakrank.runs.carry_out import carry_out

        return carry_out(study, store, Cores(1), simulator=simulator or TOY)

    with pytest.raises(KeyboardInterrupt):
        ensemble_of(told, "all", 6, 3, store=kept, carry=breaking, simulators=TOYS)
    again = ensemble_of(told, "all", 6, 3, store=kept, carry=breaking, simulators=TOYS)
    made = calls
    whole = ensemble_of(told, "all", 6, 3, store=kept, carry=breaking, simulators=TOYS)
    assert calls == made, "everything was found in the store"
    for other in (two, again, whole):
        assert other.draws == one.draws
        assert other.about == one.about


def test_what_is_written_is_read_again(told: Case, ensemble: PosteriorEnsemble, tmp_path: Path) -> None:
    folder = ensemble.save(tmp_path / "ensemble")
    again = load_ensemble(folder, told)
    assert again.draws == ensemble.draws
    assert again.counted == ensemble.counted
    assert json.dumps(again.about, default=str) == json.dumps(ensemble.about, default=str)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000 * len(ensemble.draws)
    for name in ("members.csv", "draws.csv", "about.yaml"):
        whole = (folder / name).read_text("utf-8")
        for damaged in (whole[: whole.rindex("\n", 0, -1) + 1], whole.replace("1", "2", 1)):
            (folder / name).write_text(damaged, "utf-8")
            with pytest.raises(BreakrankError, match="checksum differs"):
                load_ensemble(folder, told)
        (folder / name).write_text(whole, "utf-8")
    (folder / "members.csv").write_text("member,draw,path,counted\n0,0,x,y\n", "utf-8")
    with pytest.raises(BreakrankError):
        load_ensemble(folder, told)
    (folder / "members.csv").unlink()
    for named in (folder, tmp_path):
        with pytest.raises(BreakrankError, match=r"holds no ensemble: it has no members\.csv"):
            told.with_ensemble(named)


def test_seed_paths_of_twenty_digits_are_read_again(told: Case, tmp_path: Path) -> None:
    made = ensemble_of(told, EARLY, 20, 4, workers=1, simulators=TOYS)
    assert made.draws.luck.seed > 10**19
    assert load_ensemble(made.save(tmp_path / "ensemble"), told).draws == made.draws


def test_an_ensemble_of_another_force_is_refused(told: Case, ensemble: PosteriorEnsemble) -> None:
    with pytest.raises(UsageError, match="soldiers"):
        ensemble.of(told.set({"force.strength": 777}))


def test_a_draw_that_fails_is_left(told: Case) -> None:
    found = ensemble_of(told, EARLY, 60, 4, simulations=240, workers=1, simulators=FAILING_TOYS)
    assert (found.draws.values[:, found.draws.names.index(WEIGHT)] <= 2).all()


@pytest.mark.parametrize("given", ["soon", "2024-01-01", dt.date(2026, 1, 1)])
def test_a_day_outside_the_calendar_is_refused(told: Case, given: dt.date | str) -> None:
    with pytest.raises(UsageError):
        ensemble_of(told, given, 40, simulators=TOYS, workers=1)


def test_a_day_by_which_nothing_was_published_gives_the_prior(told: Case, tmp_path: Path) -> None:
    eve = EARLY - dt.timedelta(days=1)
    found = ensemble_of(told, eve, 400, 1, workers=1, simulators=TOYS)
    assert found.figures == []
    assert f"Nothing had been published by {eve}" in found.doubt
    weight = found.draws.values[:, found.draws.names.index(WEIGHT)]
    low, high = told.parameters[WEIGHT].prior.quantile(0.1), told.parameters[WEIGHT].prior.quantile(0.9)
    assert np.mean((weight > low) & (weight < high)) == pytest.approx(0.8, abs=0.06)
    again = load_ensemble(found.save(tmp_path / "kept"), told)
    assert (again.draws, again.counted, again.figures) == (found.draws, found.counted, [])


@pytest.mark.thorough
def test_a_figure_published_late_is_told_when_worlds_update(told: Case, ensemble: PosteriorEnsemble) -> None:
    late = {"registered-0": LATE - dt.timedelta(days=1)}
    case = Case(printed(told.content, *told.targets, on=late), told.catalogue)
    first = ensemble_of(case, EARLY, 400, 6, workers=1, simulators=TOYS)
    assert first.figures == []
    later = update(case, first, "all", workers=1, simulators=TOYS)
    assert {one["id"] for one in later.figures} == {"registered-0", "registered-1"}
    mine, whole = counted(later, case), counted(ensemble, told)
    error = 4 * whole.std(0) / np.sqrt(later.about["ess"])
    assert (np.abs(mine.mean(0) - whole.mean(0)) < error).all()
    assert later.counted == hashes(np.split(mine, 2, axis=1)), "as who replays them finds"


def test_a_figure_told_twice_counts_once_and_one_that_all_meet_tells_nothing(tmp_path: Path) -> None:
    case = case_told(tmp_path, (EARLY, 60), (EARLY, 62))
    sure = case.targets[0].model_copy(
        update={"id": "sure", "value": None, "at_most": 1e6, "date": EARLY - dt.timedelta(days=1)}
    )
    case = Case(replace(case.content, targets=(sure, *case.targets)), case.catalogue)
    figures = {one["id"]: one for one in ensemble_of(case, EARLY, 60, 1, workers=1, simulators=TOYS).figures}
    assert figures["registered-1"]["counts_again"] == "registered-0"
    assert [figures[k]["used"] for k in ("sure", "registered-0", "registered-1")] == [True, True, False]
    assert figures["sure"]["bits"] == 0
    assert figures["registered-0"]["bits"] > 0.5


@pytest.mark.thorough
def test_members_that_go_on_are_those_that_assimilate_all_at_once(
    told: Case, ensemble: PosteriorEnsemble
) -> None:
    first = ensemble_of(told, EARLY, 200, 6, workers=1, simulators=TOYS)
    later = update(told, first, "all", workers=1, simulators=TOYS)
    mine, whole = counted(later, told), counted(ensemble, told)
    error = 4 * whole.std(0) / np.sqrt(later.about["ess"])
    assert (np.abs(mine.mean(0) - whole.mean(0)) < error).all()
    assert 20 < later.about["ess"] < first.about["ess"]
    early, late = later.figures
    assert early["bits"] == first.figures[0]["bits"]
    assert 0 < late["bits"] < ensemble.figures[1]["bits"], "what was told before tells much of it already"
    assert update(told, later, "all", workers=1, simulators=TOYS) == later
    assert later.counted == hashes(np.split(counted(later, told), 2, axis=1)), "as who replays them finds"
    fewer = Case(replace(told.content, targets=told.targets[1:]), told.catalogue)
    with pytest.raises(UsageError, match="assimilated registered-0, which the case does not hold now"):
        update(fewer, first, "all", workers=1, simulators=TOYS)
    missed = told.targets[0].model_copy(update={"id": "missed", "date": EARLY - dt.timedelta(days=3)})
    case = Case(replace(told.content, targets=(missed, *told.targets)), told.catalogue)
    with pytest.raises(UsageError, match=r"did not assimilate missed\n"):
        update(case, first, EARLY, workers=1, simulators=TOYS)
    with pytest.raises(UsageError, match="no earlier day"):
        update(told, later, EARLY, workers=1, simulators=TOYS)


def test_a_figure_of_a_past_day_cannot_be_revised(told: Case, ensemble: PosteriorEnsemble) -> None:
    revised = told.targets[0].model_copy(update={"value": 900.0})
    case = Case(replace(told.content, targets=(revised, *told.targets[1:])), told.catalogue)
    with pytest.raises(UsageError, match=r"another figure of registered-0 than the case holds now\n"):
        update(case, ensemble, "all", workers=1, simulators=TOYS)


def test_members_go_on_without_a_later_figure(told: Case) -> None:
    first = ensemble_of(told, EARLY, 20, 6, workers=1, simulators=TOYS)
    day = EARLY + dt.timedelta(days=9)
    later = update(told, first, day, workers=1, simulators=TOYS)
    assert first.draws.luck is not None
    assert (later.draws.luck.until, later.about["as_of"]) == (day, str(day))
    assert later.about["gone_on_from"] == str(EARLY)
    assert (later.draws.values == first.draws.values).all()
    assert len(set(later.draws.luck.paths)) == 20, "each has days of its own"
    assert (counted(later, told)[:, 0] == counted(first, told)[:, 0]).all(), "what they were told stays"
    assert later.counted == first.counted
    assert update(told, later, day, workers=1, simulators=TOYS) == later


@pytest.mark.thorough
def test_forecasts_cover_what_came_later(tmp_path: Path) -> None:
    """Given the first figure, intervals hold the second in as many of 60 toy worlds as they say."""
    rng = np.random.default_rng(7)
    inside = {0.5: 0, 0.9: 0}
    for number in range(60):
        weight = rng.uniform(0.5, 3)
        days = by_day(weight, 181, [(0, 999, number)])
        early, late = (days[: (d - dt.date(2025, 1, 1)).days + 1].sum() for d in (EARLY, LATE))
        seen = np.expm1(np.log1p(early) + 0.1 * early / (1 + early) * rng.normal())
        case = case_told(tmp_path / str(number), (EARLY, float(max(seen, 1.0))))
        found = ensemble_of(case, EARLY, 100, number, workers=1, simulators=TOYS)
        result = simulate(found.of(case), 100, seed=1, workers=1, simulator=TOY, log_runs=0)
        counts = result.data["registered"].values[:, : (LATE - case.calendar.start).days + 1].sum(1)
        for level in inside:
            low, high = np.quantile(counts, ((1 - level) / 2, (1 + level) / 2))
            inside[level] += int(low <= late <= high)
    assert 0.36 <= inside[0.5] / 60 <= 0.64
    assert 0.82 <= inside[0.9] / 60 <= 0.98


BEFORE, AFTER = "events.oath.credibility.value", "events.rally.credibility.value"


def event(name: str, date: str) -> dict[str, object]:
    prior = {"distribution": "uniform", "low": 0.1, "high": 0.3}
    effect = {"field": "credibility", "op": "add", "value": 0.2, "prior": prior}
    return {"id": name, "date": date, "title": name, "assumed": "made up", "effects": [effect]}


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Case:
    plain = case_told(tmp_path_factory.mktemp("toy"), (EARLY, 60.0), (LATE, 180.0))
    return plain.with_events([event("oath", "2025-01-20"), event("rally", "2025-03-01")])


@pytest.fixture(scope="module")
def sworn(dated: Case) -> PosteriorEnsemble:
    return ensemble_of(dated, EARLY, 40, 6, workers=1, simulators=TOYS)


def column(case: Case, name: str) -> np.ndarray:
    return case.draws.values[:, case.draws.names.index(name)]


def test_a_later_event_is_no_parameter_of_members_and_is_drawn_when_they_go_on(
    dated: Case, sworn: PosteriorEnsemble, tmp_path: Path
) -> None:
    assert BEFORE in sworn.draws.names
    assert AFTER not in sworn.draws.names
    living = sworn.of(dated)
    values = column(living, AFTER)
    assert len(set(values)) == len(values) == 40
    assert 0.1 <= values.min() < 0.15
    assert 0.25 < values.max() <= 0.3
    again = load_ensemble(sworn.save(tmp_path / "ensemble"), dated).of(dated)
    np.testing.assert_array_equal(column(again, AFTER), values)
    np.testing.assert_array_equal(column(again, BEFORE), column(living, BEFORE))


def test_members_that_go_on_keep_what_they_drew(dated: Case, sworn: PosteriorEnsemble) -> None:
    later = update(dated, sworn, "all", workers=1, simulators=TOYS)
    assert later.draws.names[-1] == AFTER
    assert set(later.draws.values[:, -1]) <= set(column(sworn.of(dated), AFTER))
    assert later.of(dated).draws == later.draws
