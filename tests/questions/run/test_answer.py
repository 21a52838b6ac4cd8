"""The answer to a run: one finding in every document, and numbers that are those of the result."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from breakrank.answer.charts import panels
from breakrank.answer.html import page
from breakrank.questions.run import headline
from breakrank.questions.run.answer import answer_of
from breakrank.questions.run.headline import finding, more
from breakrank.results.uncertainty import stands_still
from breakrank.runs.undated import Remains
from breakrank.show.axes import Look
from breakrank.show.style import PAGE
from tests.results.fake_case import target
from tests.results.test_outcomes import OtherTargets
from tests.show.valid import validated
from tests.show.world import made

UNUSUAL: dict[str, dict[str, Any]] = {
    "one run": {"runs": 1, "end": "2019-03-31"},
    "one day": {"runs": 3, "end": "2019-01-01"},
    "nobody leaves": {"runs": 3, "end": "2019-03-31", "still": True},
    "ten years": {"runs": 2, "end": "2028-12-31"},
}


@pytest.fixture(scope="module")
def result() -> Any:
    return made(runs=24)


def test_its_numbers_are_those_of_the_outcomes(result: Any) -> None:
    assert result.answer.finding == finding(result)
    outcomes = {o.id: o for o in result.outcomes()}
    rows = [row for name in ("outcomes", "primary") for row in result.answer[name].records()]
    assert [row["id"] for row in rows] == [
        *(o.id for o in outcomes.values() if o.record),
        *(o.id for o in outcomes.values() if not o.record),
    ]
    for row in rows:
        o = outcomes[row["id"]]
        for name in ("median", "q05", "q25", "q75", "q95"):
            assert np.array_equal(row[name], getattr(o, name), equal_nan=True)


def test_it_says_in_how_many_runs_the_regime_falls(result: Any) -> None:
    holds = result.data["regime_holds"]
    held = dataclasses.replace(result, data=result.data.assign(regime_holds=holds * 0 + 1))
    fell = dataclasses.replace(result, data=result.data.assign(regime_holds=holds * 0))
    assert not stands_still(held.data)
    assert "In 24 of 24 runs the regime falls." in " ".join(answer_of(fell).notes)


@pytest.mark.parametrize("kind", ["usual", *UNUSUAL])
def test_every_chart_is_valid_and_its_sentence_has_numbers(kind: str, result: Any) -> None:
    answer = result.answer if kind == "usual" else made(**UNUSUAL[kind]).answer
    drawn = 0
    for figure in answer.figures:
        for panel in panels(answer, figure, Look(PAGE, page=True)):
            assert validated(panel.drawn.spec())["layer"]
            text = json.dumps(panel.drawn.spec(), allow_nan=False)
            assert "assimilated" not in text, "these runs were conditioned on nothing"
            assert "nan" not in panel.sentence
            drawn += 1
    assert drawn >= 3


def test_what_remains_without_events_is_told_as_a_share_since_its_numbers_are_of_other_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(headline, "known", lambda _: Remains("registered", 1_954, 46, 40))
    (said,) = (text for text in more(made(runs=2)) if "dated event" in text)
    assert said == "Without any dated event 2% remains of “In the host's register”, under the posterior."


def test_an_observed_figure_is_drawn_where_no_run_has_anybody() -> None:
    answer = made(**UNUSUAL["nobody leaves"]).answer
    (record,) = (one for one in answer.figures if one.name == "record")
    rows = answer["daily"].rows
    flat = rows[rows["group"] == "record"].groupby("label")["median"].max() == 0
    assert flat.any()
    drawn = panels(answer, record, Look(PAGE, page=True))
    assert {one.sentence.partition(": ")[0] for one in drawn} == {*flat.index}


def test_what_is_answered_with_yes_or_no_is_told_as_a_share_of_runs() -> None:
    case = OtherTargets()
    asked = target("holds", "In place", "regime_holds", "2019-12-31", unit="1 or 0", value=1.0)
    object.__setattr__(case, "asked", (asked,))
    answer = answer_of(dataclasses.replace(made(runs=8), case=case))
    (row,) = answer["outcomes"].records()
    assert (row["value"], row["observed"]) == (0.875, "yes")
    assert row["label"] == "In place (share of runs)"


def test_a_changed_case_and_missing_runs_are_told_before_the_finding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = "2 events from b.yaml; until 2019-01-31"
    part = dataclasses.replace(made(runs=2, end="2019-01-31"), changed=changed, asked=100, interrupted=True)
    text = page(part.answer)
    assert "2 events from b.yaml; until 2019-01-31" in text
    assert "2 of 100 runs, seed 7" in text
    assert "2 of 100 runs finished; interrupted" in text
    assert text.index("Changed case") < text.index("Not all runs") < text.index(part.answer.finding)
    part.answer.show()
    said = capsys.readouterr().out
    assert said.index("2 of 100 runs finished; interrupted") < said.index(part.answer.finding[:20])
