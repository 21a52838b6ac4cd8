"""A small case explained: against comparisons made by hand, again from its store, and after an interrupt."""

from __future__ import annotations

from pathlib import Path

import pytest

import breakrank
from breakrank.case import Case
from breakrank.errors import UsageError
from breakrank.questions.explain.explain import explain, explained
from breakrank.questions.explain.removal import outcomes_of
from breakrank.questions.explain.result import Explanation
from breakrank.runs import crew
from breakrank.runs.backends import Here
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from tests.new_cases import without_priors

pytestmark = pytest.mark.thorough

RUNS = 3
MEASURES = ["left_abroad", "serving"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Return the case of the template over three months, without priors."""
    made_up = without_priors(tmp_path_factory.mktemp("cases") / "small")
    return breakrank.load_case(made_up).until("2025-02-20").set({"force.strength": 1000})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explained") / "store"


def made(case: Case, folder: Path) -> Explanation:
    store = Store(folder)
    return explained(
        case,
        RUNS,
        store,
        lambda s, _: carry_out(s, store, Here()),
        outcomes_of(case, MEASURES),
        seed=3,
    )


@pytest.fixture(scope="module")
def found(case: Case, folder: Path) -> Explanation:
    return made(case, folder)


def test_removals_are_the_comparisons(case: Case, found: Explanation) -> None:
    for part in ("fear", "belief"):
        off = case.set({f"{part}.on": 0})
        compared = breakrank.compare(case, off, runs=3, seed=3, measures=MEASURES, workers=1)
        for k, name in enumerate(MEASURES):
            effect = found.removal.single[part][k]
            other = compared[name]
            assert (effect.before, effect.after) == (other.before, other.after)
            assert (effect.low, effect.high) == pytest.approx((other.low, other.high))
    assert len(found.removal.switches) == 19
    assert found.removal.single["routes"][0].after == 0


def test_the_same_again_and_nothing_made_twice(case: Case, folder: Path, found: Explanation) -> None:
    again = made(case, folder)
    assert [a.made for a in again.accounts] == [0] * len(again.accounts)
    assert again.as_json() == found.as_json()


def test_interrupted_and_gone_on(
    case: Case, tmp_path: Path, found: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped among the mechanisms, it returns what there is; then it goes on to the same bits."""
    monkeypatch.setattr(crew, "MOST", 1)
    store, ended = Store(tmp_path / "s"), 0

    def watch(tally: object) -> None:
        nonlocal ended
        ended += 1
        if ended == 20:
            raise KeyboardInterrupt

    def stopping(study: Study, _: str) -> Account:
        return carry_out(study, store, Here(), watch)

    first = explained(case, RUNS, store, stopping, outcomes_of(case, MEASURES), seed=3)
    assert first.interrupted
    again = made(case, store.folder)
    assert again.removal.single == found.removal.single
    (account,) = again.accounts
    assert 0 < account.reused < account.asked


def test_too_few_runs_are_refused(case: Case) -> None:
    with pytest.raises(UsageError, match="runs must be from 2"):
        explain(case, runs=1, workers=1)
