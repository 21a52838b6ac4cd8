"""A small case explained: against comparisons made by hand, again from its store, and after an interrupt."""

from pathlib import Path

import pytest

import breakrank
from breakrank.answer.answer import Answer
from breakrank.case import Case
from breakrank.errors import UsageError
from breakrank.questions.declared import Explain
from breakrank.runs import crew
from breakrank.runs.carry_out import Account, Making, carry_out
from breakrank.runs.store import AnyStore
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


def made(case: Case, folder: Path) -> tuple[Answer, Making]:
    making = Making(folder, "serial")
    return Explain(outcomes=MEASURES, runs=RUNS, seed=3).answer(case, making), making


@pytest.fixture(scope="module")
def found(case: Case, folder: Path) -> Answer:
    return made(case, folder)[0]


def test_removals_are_the_comparisons(case: Case, found: Answer) -> None:
    rows = found.table("removals").set_index(["without", "outcome"])
    for part in ("fear", "belief"):
        off = case.set({f"{part}.on": 0})
        other = breakrank.compare(case, off, runs=3, seed=3, outcomes=MEASURES, workers=1).table()
        for name in MEASURES:
            for number in ("before", "after", "mean", "low", "high"):
                assert rows.loc[(part, name), number] == other.loc[name, number], (part, name, number)
    assert rows.index.get_level_values(0).nunique() == 19
    assert rows.loc[("routes", "left_abroad"), "after"] == 0


def test_the_same_again_and_nothing_made_twice(case: Case, folder: Path, found: Answer) -> None:
    again, making = made(case, folder)
    assert [account.made for account in making.accounts] == [0]
    assert again == found


class Stopped(Making):
    """A place where runs are made until the twentieth has ended."""

    ended = 0

    def made(self, study: Study, store: AnyStore, what: str, *_: object) -> Account:
        assert what == f"19 mechanisms switched off, {RUNS} runs each"

        def watch(tally: object) -> None:
            self.ended += 1
            if self.ended == 20:
                raise KeyboardInterrupt

        return carry_out(study, store, self.place, watch)


def test_interrupted_and_gone_on(
    case: Case, tmp_path: Path, found: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped among the mechanisms, it returns what there is; then it goes on to the same bits."""
    monkeypatch.setattr(crew, "MOST", 1)
    question = Explain(outcomes=MEASURES, runs=RUNS, seed=3)
    first = question.answer(case, Stopped(tmp_path / "s", "serial"))
    assert first.provenance.interrupted
    assert "interrupted" in repr(first)
    again, making = made(case, tmp_path / "s")
    assert again["removals"] == found["removals"]
    assert 0 < making.accounts[0].reused < making.accounts[0].asked


def test_too_few_runs_are_refused(case: Case) -> None:
    with pytest.raises(UsageError, match="runs must be from 2"):
        breakrank.explain(case, runs=1, workers=1)
