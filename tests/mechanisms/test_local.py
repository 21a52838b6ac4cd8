"""What differs by state and branch: nothing where a case says nothing, and the signs where it does."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank import Case, load_case, simulate
from breakrank.engine.codes import EV_CAPTURED, EV_CAUGHT_HIDING, EV_DESERTED, EV_LEFT
from breakrank.engine.observe import Observer
from breakrank.errors import CaseError
from breakrank.mechanisms.preference import margins
from breakrank.model import Model, build
from tests.mechanisms import files
from tests.new_cases import without_priors

SEED = 5
RUNS = 8
"""Runs in which those who leave are counted: of some 400 in one, chance alone moves a tenth."""
EASY = {"force.strength": 20_000, "decision.baseline_leave": 4.5, "decision.baseline_desert": 4.5}
"""Many leave, so that a share of them shows a sign."""
SEARCHED = {
    "force.strength": 60_000,
    "decision.baseline_leave": 1.5,
    "decision.baseline_desert": 2,
    "counterintelligence.capture_rate": 0.5,
    "routes.checkpoint_risk": 0.05,
}
"""In each state hundreds are found or taken, so that shares of them are known to a few per cent."""
A, B, C = "XX-A", "XX-B", "XX-C"
ARMY, GUARD = "army", "guard"
START = "2024-12-31"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = without_priors(tmp_path_factory.mktemp("cases") / "montara")
    with (made / "case.yaml").open("a", encoding="utf-8") as file:
        file.write(f"mechanisms: [{files.EVERY}]\n")
    return made


@pytest.fixture(scope="module")
def case(folder: Path) -> Case:
    return load_case(folder).set({**EASY, **files.off_but("local")})


def event(date: str, **effect: Any) -> Mapping[str, Any]:
    return {"id": "here", "date": date, "title": "Here", "assumed": "Invented.", "effects": [effect]}


def caught(case: Case, *events: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    """Return by state how many of those who hide are found, and of those on their way taken, as shares."""
    case = case.with_events(list(events))
    model = Model(case, build(case, SEED))
    log, force = model.replicate(SEED, 0, log=True).events, model.world.force
    position = np.argsort(force.identity)[np.searchsorted(np.sort(force.identity), log["soldier"])]

    def by_state(event: int) -> NDArray[np.int64]:
        return np.bincount(force.state[position[log["event"] == event]], minlength=3)

    return {
        "hiding": by_state(EV_CAUGHT_HIDING) / by_state(EV_DESERTED),
        "on the way": by_state(EV_CAPTURED) / by_state(EV_LEFT),
    }


def test_deserters_are_hunted_and_checkpoints_catch_by_the_watch_of_their_state(case: Case) -> None:
    searched = case.set(SEARCHED)
    # of three checkpoints on the way from the coast one is half in it: it is watched over five times as much
    coast = event("2025-01-01", field="surveillance", op="multiply", value=10, states=[C])
    before, after = caught(searched), caught(searched, coast)
    for how, most in (("hiding", 1.15), ("on the way", 1.25)):
        change = after[how] / before[how]
        assert change[2] > 1.5, how
        assert (np.abs(np.log(change[:2])) < np.log(most)).all(), how


def leaving(case: Case, *events: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return how many leave their posts in some runs, by (day, state, branch)."""
    case = case.with_events(list(events))
    model = Model(case, build(case, SEED))
    force = model.world.force
    out = np.zeros((case.calendar.days, len(case.force.states), len(case.force.branches)), np.int64)
    for run in range(RUNS):
        log = model.replicate(SEED, run, log=True).events
        gone = np.isin(log["event"], (EV_DESERTED, EV_LEFT))
        position = np.argsort(force.identity)[np.searchsorted(np.sort(force.identity), log["soldier"][gone])]
        np.add.at(out, (log["day"][gone], force.state[position], force.branch[position]), 1)
    return out


@pytest.fixture(scope="module")
def usual(case: Case) -> NDArray[np.int64]:
    return leaving(case)


def test_a_case_that_only_names_it_and_switches_others_off_has_the_same_bits(
    case: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    plain = load_case(without_priors(tmp_path_factory.mktemp("cases") / "montara")).set(EASY)
    mine = simulate(case, runs=1, seed=SEED, workers=1).data
    for name, series in simulate(plain, runs=1, seed=SEED, workers=1).data.data_vars.items():
        known = {dim: series[dim] for dim in ("fate", "route") if dim in series.dims}
        np.testing.assert_array_equal(series.values, mine[name].sel(known).values, err_msg=str(name))


def test_leave_that_is_stopped_and_errands_that_end_keep_soldiers_in_one_state(
    case: Case, usual: NDArray[np.int64]
) -> None:
    day = case.calendar.day("2025-03-01")
    stopped = [
        dict(event("2025-03-01", field=field, op="set", value=0, states=[B]), id=field)
        for field in ("leave", "errands")
    ]
    found = leaving(case, *stopped)
    np.testing.assert_array_equal(found[:day], usual[:day])
    assert found[day:, 1].sum() < 0.6 * usual[day:, 1].sum()
    others = [0, 2]
    assert abs(found[day:, others].sum() / usual[day:, others].sum() - 1) < 0.1


def test_a_strike_empties_the_barracks_of_one_branch_within_days(
    case: Case, usual: NDArray[np.int64]
) -> None:
    first = case.calendar.day("2025-03-01")
    strike = event(
        "2025-03-01", field="errands", op="multiply", value=60, branches=[GUARD], until="2025-03-03"
    )
    days = slice(first, first + 3)
    found = leaving(case, strike)
    assert found[days, :, 1].sum() > 8 * max(1, usual[days, :, 1].sum())
    assert found[days, :, 0].sum() < 2 * max(10, usual[days, :, 0].sum())


@pytest.mark.parametrize(
    ("effect", "where", "more"),
    [
        ({"field": "opinion", "op": "set", "value": 1.0, "states": [B]}, (1, slice(None)), True),
        ({"field": "surveillance", "op": "multiply", "value": 5, "states": [A]}, (0, slice(None)), False),
        ({"field": "pay", "op": "multiply", "value": 3, "branches": [GUARD]}, (slice(None), 1), False),
        ({"field": "credibility", "op": "add", "value": 0.4, "states": [C]}, (2, slice(None)), True),
    ],
)
def test_signs(
    case: Case, usual: NDArray[np.int64], effect: Mapping[str, Any], where: tuple[Any, ...], more: bool
) -> None:
    found = leaving(case, event("2025-02-01", **effect))
    here, before = found[:, *where].sum(), usual[:, *where].sum()
    others, others_before = found.sum() - here, usual.sum() - before
    change, elsewhere = here / before, others / others_before
    assert change > 1.15 if more else change < 0.87
    assert abs(np.log(elsewhere)) < 0.5 * abs(np.log(change))


def test_the_share_opposed_at_the_start_stays_and_differs_by_state(folder: Path, case: Case) -> None:
    fields = (folder / "fields.yaml").read_text("utf-8")
    table = folder / "opinion.csv"
    try:
        table.write_text(f"date,state,value\n{START},*,-1\n{START},{B},1.5\n", "utf-8")
        entry = "opinion: {unit: standard deviations, file: opinion.csv, dims: [state], assumed: Invented.}\n"
        (folder / "fields.yaml").write_text(fields.rstrip() + "\n" + entry, "utf-8")
        values = {"force.strength": 20_000, "preference.opposed_at_start": 0.5}
        apart = load_case(folder).set({**values, **files.off_but("local")})
        model = Model(apart, build(apart, SEED))
        run = model.started(SEED, 0, False)
        model.days.begin(run)
        model.days.go_on(run, Observer(model.world), 0, 1)
        opposed, state = margins(run) > 0, model.world.force.state
    finally:
        table.unlink()
        (folder / "fields.yaml").write_text(fields, "utf-8")
    assert abs(opposed.mean() - 0.5) < 0.02
    assert opposed[state == 1].mean() > 0.85
    assert opposed[state != 1].mean() < 0.35


def test_without_the_mechanism_the_check_says_how_to_tell_places_apart(tmp_path: Path) -> None:
    old, new = "value: 1.5, until: 2025-03-31}", f"value: 1.5, states: [{A}]}}"
    folder = files.change(without_priors(tmp_path / "montara"), "events.yaml", old, new)
    with pytest.raises(CaseError, match=r"events.yaml:\d+(.|\n)*mechanisms: \[local\]"):
        load_case(folder)
