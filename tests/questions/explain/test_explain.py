"""A small case explained: against comparisons made by hand, again from its store, and after an interrupt."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.free_parameters import Free
from breakrank.errors import UsageError
from breakrank.questions.calibrate.bank import PORTION, portions
from breakrank.questions.explain.explain import Size, explain, explained, from_prior
from breakrank.questions.explain.removal import outcomes_of
from breakrank.questions.explain.result import Explanation
from breakrank.runs.backends import Here
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from tests.new_cases import without_priors

pytestmark = pytest.mark.thorough

SIZE = Size(runs=3, draws=64)
MEASURES = ["left_abroad", "serving"]


FREE = (
    "fear.risk_weight",
    "fear.reprisal_weight",
    "decision.habit_leave",
    "decision.habit_desert",
    "grievance.hardship_weight",
    "challenger.pull_weight",
)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Return the case of the template over three months, with priors of a few parameters."""
    made_up = without_priors(tmp_path_factory.mktemp("cases") / "small")
    file = made_up / "parameters.yaml"
    text = file.read_text("utf-8")
    for name in FREE:
        found = re.search(rf"^{re.escape(name)}:\n  value: (\S+)\n", text, re.M)
        assert found is not None, name
        value = float(found[1])
        prior = f"  prior: {{distribution: uniform, low: {0.5 * value:g}, high: {1.5 * value:g}}}\n"
        text = text.replace(found[0], found[0] + prior)
    file.write_text(text, "utf-8")
    return breakrank.load_case(made_up).until("2025-02-20").set({"force.strength": 1000})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explained") / "store"


def made(case: Case, folder: Path, size: Size = SIZE) -> Explanation:
    store = Store(folder)
    return explained(
        case,
        size,
        store,
        lambda s, _: carry_out(s, store, Here()),
        outcomes_of(case, MEASURES),
        seed=3,
    )


@pytest.fixture(scope="module")
def found(case: Case, folder: Path) -> Explanation:
    return made(case, folder)


def test_removals_are_the_comparisons(case: Case, found: Explanation) -> None:
    for part in ("fear", "cohesion"):
        off = case.set({f"{part}.on": 0})
        compared = breakrank.compare(case, off, runs=3, seed=3, measures=MEASURES, workers=1)
        for k, name in enumerate(MEASURES):
            effect = found.removal.single[part][k]
            other = compared[name]
            assert (effect.before, effect.after) == (other.before, other.after)
            assert (effect.low, effect.high) == pytest.approx((other.low, other.high))
    assert len(found.removal.switches) == 21
    assert found.removal.single["ways_out"][0].after == 0


def test_the_same_again_and_nothing_made_twice(case: Case, folder: Path, found: Explanation) -> None:
    again = made(case, folder)
    assert [a.made for a in again.accounts] == [0] * len(again.accounts)
    assert again.as_json() == found.as_json()


def test_interrupted_and_gone_on(case: Case, tmp_path: Path, found: Explanation) -> None:
    """Stopped in the prior simulations, it returns what there is; then it goes on to the same bits."""
    store, few = Store(tmp_path / "s"), Size(runs=2, draws=64)
    asked = 0

    def stopping(study: Study, _: str) -> Account:
        nonlocal asked
        asked += 1
        if asked < 2:
            return carry_out(study, store, Here())
        ended = 0

        def watch(tally: object) -> None:
            nonlocal ended
            ended += 1
            if ended == 20:
                raise KeyboardInterrupt

        return carry_out(study, store, Here(), watch)

    first = explained(case, few, store, stopping, outcomes_of(case, MEASURES), seed=3)
    assert first.interrupted
    assert first.removal.single["fear"] != ()
    assert first.variance is not None
    again = made(case, store.folder, few)
    assert again.variance is not None
    assert found.variance is not None
    assert again.variance.screened == found.variance.screened  # the same 64 prior simulations
    assert again.removal.single == first.removal.single
    reused = [a.reused for a in again.accounts]
    assert reused[0] == again.accounts[0].asked
    assert 0 < reused[1] < again.accounts[1].asked


def test_prior_simulations_lie_in_the_ranges_of_parameters(case: Case) -> None:
    prior = from_prior(case, 64, 3)
    longer = from_prior(case, 80, 3)
    assert np.array_equal(longer.values[:64], prior.values)
    for k, name in enumerate(prior.names):
        parameter = case.parameters[name]
        assert parameter.low <= prior.values[:, k].min() <= prior.values[:, k].max() <= parameter.high


def test_simulations_of_a_calibration_are_used_and_more_than_a_portion_can_be_asked_for(
    case: Case, found: Explanation, tmp_path: Path
) -> None:
    store = Store(tmp_path / "s")
    for portion in portions(case, Free.of(case), 64, 3):
        assert carry_out(portion.study, store, Here()).made == 64
    again = made(case, store.folder)
    assert [a.reused for a in again.accounts if a.asked == 64] == [64]
    assert again.variance is not None
    assert found.variance is not None
    assert again.variance.screened == found.variance.screened
    more = from_prior(case, PORTION + 5, 3)
    assert (len(more), len(more.portions)) == (PORTION + 5, 2)
    assert np.array_equal(more.values[:64], from_prior(case, 64, 3).values)


def test_a_case_without_priors(tmp_path: Path) -> None:
    case = breakrank.load_case(without_priors(tmp_path / "small")).until("2025-02-10")
    with pytest.raises(UsageError, match="no parameter with a prior"):
        explain(case, draws=64)
    found = explain(case, outcomes=["serving"], runs=2, workers=1)
    assert found.variance is None
    assert len(found.removal.single) == 21
    assert found.sentences()
