"""New figures are read from a table, and a kept forecast goes on with them."""

import datetime as dt
import json
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.errors import CaseError
from breakrank.questions.declared import ForecastQuestion, forecast
from breakrank.questions.forecast import REGIME, _chances, headlines, questions, with_observations
from breakrank.questions.forecasters import MODEL, NULL, POOL
from breakrank.results.outcomes import known_from
from breakrank.runs.carry_out import Account, Making
from breakrank.runs.store import AnyStore
from breakrank.runs.study import Study
from breakrank.runs.worker import Simulator
from tests.questions.hindcast.small import small_case

HEAD = "date,measure,figure,source\n"


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Case:
    return breakrank.load_case(small_case(tmp_path_factory.mktemp("observed") / "small"))


def test_a_row_is_a_figure_of_the_record(case: breakrank.Case, tmp_path: Path) -> None:
    file = tmp_path / "new.csv"
    rows = (
        "2025-03-28, registered, 25 to 30, the town\n"
        "2025-03-28, uprisings, 0, press\n# a remark\n2025-03-29, arrested, at least 2, press\n"
    )
    file.write_text(HEAD + rows, "utf-8")
    made, _ = with_observations(case, file)
    *before, one, two, three = made.targets
    assert before == list(case.targets)
    assert (str(one.date), one.measure, one.range) == ("2025-03-28", "registered", (25, 30))
    assert made.ledger.observations[one.evidence[0]].says == "the town"
    assert known_from(one, made) == one.date
    assert (two.value, three.at_least) == (0, 2)


def test_a_figure_is_known_from_the_day_on_which_it_was_published(
    case: breakrank.Case, tmp_path: Path
) -> None:
    file = tmp_path / "new.csv"
    head = "Published,date,measure,figure,source\n"
    file.write_text(f"{head}2025-04-02,2025-03-28,registered,30,press\n2025-04,2025-03-28,uprisings,0,town\n")
    made, _ = with_observations(case, file)
    assert [str(known_from(t, made)) for t in made.targets[-2:]] == ["2025-04-02", "2025-04-30"]
    file.write_text(f"{head}2025-03-01,2025-03-28,registered,30,press\n")
    with pytest.raises(CaseError, match="cannot have been published by 2025-03-01"):
        with_observations(case, file)


def test_a_figure_of_no_certain_day_may_be_older(case: breakrank.Case, tmp_path: Path) -> None:
    file = tmp_path / "new.csv"
    head = "date,earliest,measure,figure,source\n"
    file.write_text(
        f"{head}2025-03-28,2025-03-22,registered,30,press\n2025-03-29,2025-03-29,uprisings,0,town\n"
    )
    made, _ = with_observations(case, file)
    assert [t.lag for t in made.targets[-2:]] == [6, 0]
    for day in ("2025-03-29", "2024-12-31"):
        file.write_text(f"{head}2025-03-28,{day},registered,30,press\n")
        with pytest.raises(CaseError, match=f"cannot be of {day}"):
            with_observations(case, file)


def test_two_figures_of_one_count_are_told_with_file_and_line(case: breakrank.Case, tmp_path: Path) -> None:
    file = tmp_path / "new.csv"
    file.write_text(HEAD + "2025-03-28,registered,25,press\n2025-03-28,registered,26,town\n", "utf-8")
    with pytest.raises(CaseError, match=r"new\.csv:3(.|\n)*has a figure already") as error:
        with_observations(case, file)
    assert error.value.remedy


@pytest.mark.thorough
@pytest.mark.usefixtures("small_budget")
def test_a_new_figure_goes_on_from_what_is_kept(case: breakrank.Case, tmp_path: Path) -> None:
    file = tmp_path / "new.csv"
    file.write_text(HEAD + "2025-03-28,registered,24 to 30,the town\n", "utf-8")
    rise = {"field": "pay", "op": "multiply", "value": 0.9}
    event = {"id": "cut", "date": "2025-03-20", "title": "Pay cut", "effects": [rise], "assumed": "Invented."}
    case = case.with_events([event])
    told, _ = with_observations(case, file)
    lived: list[str] = []

    class Noting(Making):
        def made(self, study: Study, store: AnyStore, what: str, simulator: Simulator | None) -> Account:
            lived.append(what)
            return super().made(study, store, what, simulator)

    first = forecast(case, "2025-03-10", 20, seed=1)
    later = ForecastQuestion("2025-03-28", ensemble=first.ensemble, seed=1)
    found = later.answer(told, Noting())
    assert not any("until 2025-03-10" in what for what in lived), f"that part was not run again: {lived}"
    assert [one["id"] for one in found.ensemble.figures] == [
        "registered-early",
        "observed-2025-03-28-registered",
    ]
    anew = forecast(told, "2025-03-28", ensemble=first.ensemble, seed=1)
    one, other = (each.as_json() | {"provenance": None} for each in (anew, found))
    assert json.dumps(one) == json.dumps(other)


def test_counts_and_chances_ahead_show_the_parts_of_the_pool(case: breakrank.Case) -> None:
    asked = questions(case, dt.date(2025, 3, 10))
    count, event = (next(one for one in asked if one.label == label) for label in ("Registered", REGIME))
    draws = {POOL: np.arange(3.0), MODEL: np.full(3, 7.0), NULL: np.full(3, 5.0)}
    counts, chances = headlines([(count, draws), (event, {POOL: 0.78, MODEL: 1.0, NULL: 0.56})], case)
    assert [one["parts"] for one in (*counts, *chances)] == [
        "model 7, null model 5",
        "model 100%, null model 56%",
    ]
    (row,) = _chances(chances).records()
    assert (row["parts"], row["chance"]) == ("model 100%, null model 56%", 0.78)
